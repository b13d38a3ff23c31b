//! Loading tables, with a bar on standard error for those that take longer than a second.

use crate::print;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use mge::data::{LoadOptions, Loaded, ReadProgress, load};
use std::io::IsTerminal;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// Nobody needs a bar for less.
const PROGRESS_DELAY: Duration = Duration::from_secs(1);

/// Loads a table. Unless `quiet`, shows how far it is and tells what was assumed.
pub fn table(spec: &str, options: LoadOptions, quiet: bool) -> anyhow::Result<Loaded> {
    let loaded = with_bar(spec, options, quiet)?;
    if !quiet {
        loaded.notes.iter().for_each(|note| print::note(format_args!("note: {note}")));
    }
    Ok(loaded)
}

/// Loads a table. Unless `quiet`, shows how far it is.
pub fn with_bar(spec: &str, mut options: LoadOptions, quiet: bool) -> anyhow::Result<Loaded> {
    let bar = Arc::new(Mutex::new(None::<ProgressBar>));
    if !quiet && std::io::stderr().is_terminal() {
        let (began, shared) = (Instant::now(), bar.clone());
        options.progress = ReadProgress::new(move |read, total| {
            if began.elapsed() < PROGRESS_DELAY {
                return;
            }
            if let Ok(mut bar) = shared.lock() {
                let bar = bar.get_or_insert_with(|| new_bar(total));
                // The second file of a pair has a length of its own.
                if total.is_some() && bar.length() != total {
                    bar.set_length(total.unwrap_or(0));
                }
                bar.set_position(read);
            }
        });
    }
    let loaded = load(spec, &options).map_err(anyhow::Error::from);
    if let Some(bar) = bar.lock().ok().and_then(|mut bar| bar.take()) {
        bar.finish_and_clear();
    }
    loaded
}

fn new_bar(total: Option<u64>) -> ProgressBar {
    let bar = ProgressBar::with_draw_target(total, ProgressDrawTarget::stderr());
    let style = match total {
        Some(_) => "reading {bar:24.cyan/dim} {bytes} of {total_bytes}, {eta} left",
        None => "reading {spinner} {bytes}",
    };
    if let Ok(style) = ProgressStyle::with_template(style) {
        bar.set_style(style);
    }
    bar
}
