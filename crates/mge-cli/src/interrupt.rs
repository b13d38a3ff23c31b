//! Ctrl-C: the first asks to stop, the second quits at once.

use miette::IntoDiagnostic;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// The flag that Ctrl-C sets.
pub fn flag() -> miette::Result<Arc<AtomicBool>> {
    let flag = Arc::new(AtomicBool::new(false));
    let shared = flag.clone();
    ctrlc::set_handler(move || {
        if shared.swap(true, Ordering::Relaxed) {
            std::process::exit(130);
        }
    })
    .into_diagnostic()?;
    Ok(flag)
}
