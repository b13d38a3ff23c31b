//! How far reading a file is, for whoever wants to show it.

use std::fmt;
use std::sync::Arc;

type Told = dyn Fn(u64, Option<u64>) + Send + Sync;

/// A hook that is told how many bytes of how many were read, whenever some were (every 64 KiB).
/// The total is unknown for standard input; packed files count packed bytes. The default tells
/// nobody. It watches and never steers.
#[derive(Clone, Default)]
pub struct Progress(Option<Arc<Told>>);

impl Progress {
    /// Calls `hook(read, total)`.
    pub fn new(hook: impl Fn(u64, Option<u64>) + Send + Sync + 'static) -> Self {
        Self(Some(Arc::new(hook)))
    }

    pub(crate) fn tell(&self, read: u64, total: Option<u64>) {
        if let Some(hook) = &self.0 {
            hook(read, total);
        }
    }
}

impl fmt::Debug for Progress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.0.is_some() { "Progress(a hook)" } else { "Progress(none)" })
    }
}
