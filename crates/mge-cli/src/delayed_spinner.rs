//! A word for those who wait: what is being done, if it takes longer than a second.

use crate::print;
use indicatif::ProgressBar;
use std::io::IsTerminal;
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread::JoinHandle;
use std::time::Duration;

const PROGRESS_DELAY: Duration = Duration::from_secs(1);

/// Says what is being done until it is dropped: a line that moves on a terminal, else a plain one.
pub struct DelayedSpinner {
    done: Option<Sender<()>>,
    reporter: Option<JoinHandle<()>>,
}

impl DelayedSpinner {
    /// Begins to wait.
    pub fn new(doing: &'static str) -> Self {
        let (done, is_done) = channel::<()>();
        let reporter = std::thread::spawn(move || {
            if is_done.recv_timeout(PROGRESS_DELAY) != Err(RecvTimeoutError::Timeout) {
                return;
            }
            if !std::io::stderr().is_terminal() {
                return print::note(doing);
            }
            let spinner = ProgressBar::new_spinner().with_message(doing);
            spinner.enable_steady_tick(Duration::from_millis(100));
            // Nothing is ever sent: this ends when the sender is gone.
            let _ = is_done.recv();
            spinner.finish_and_clear();
        });
        Self { done: Some(done), reporter: Some(reporter) }
    }
}

impl Drop for DelayedSpinner {
    fn drop(&mut self) {
        drop(self.done.take());
        if let Some(reporter) = self.reporter.take() {
            // A reporter that failed has nothing more to say.
            let _ = reporter.join();
        }
    }
}
