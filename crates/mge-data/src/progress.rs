//! The progress of reading a file.

use std::fmt;
use std::sync::Arc;

type Hook = dyn Fn(u64, Option<u64>) + Send + Sync;

/// A hook that receives the bytes read and the total, about every 64 KiB.
///
/// The total is unknown for standard input. Compressed files count compressed bytes. The default has
/// no hook. The hook has no influence on reading.
#[derive(Clone, Default)]
pub struct ReadProgress(Option<Arc<Hook>>);

impl ReadProgress {
    /// Calls `hook(read, total)`.
    pub fn new(hook: impl Fn(u64, Option<u64>) + Send + Sync + 'static) -> Self {
        Self(Some(Arc::new(hook)))
    }

    pub(crate) fn report(&self, read: u64, total: Option<u64>) {
        if let Some(hook) = &self.0 {
            hook(read, total);
        }
    }
}

impl fmt::Debug for ReadProgress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.0.is_some() { "ReadProgress(a hook)" } else { "ReadProgress(none)" })
    }
}
