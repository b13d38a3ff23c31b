//! Ctrl-C: the first asks to stop and says so at once, the second quits.

use crate::print;
use std::io::IsTerminal;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// What a shell calls a program that Ctrl-C ended: 128 and the number of the signal.
const INTERRUPTED: i32 = 130;

/// The flag that the first Ctrl-C sets; `finishing` is what is done before the end. The second
/// ends the process wherever it is: files are written whole or not at all, so those of the last
/// checkpoint stay good.
pub fn flag(finishing: &'static str) -> anyhow::Result<Arc<AtomicBool>> {
    let flag = Arc::new(AtomicBool::new(false));
    let shared = flag.clone();
    ctrlc::set_handler(move || {
        if shared.swap(true, Ordering::Relaxed) {
            std::process::exit(INTERRUPTED);
        }
        // A terminal shows ^C behind the live line; that line stays and a new one begins.
        let new_line = if std::io::stderr().is_terminal() { "\n" } else { "" };
        print::note(format_args!(
            "{new_line}finishing {finishing}; press Ctrl-C again to stop now"
        ));
    })?;
    Ok(flag)
}
