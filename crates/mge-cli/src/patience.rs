//! A word for those who wait: what is being done, if it takes longer than a second.

use crate::print;
use indicatif::ProgressBar;
use std::io::IsTerminal;
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread::JoinHandle;
use std::time::Duration;

const SOON: Duration = Duration::from_secs(1);

/// Says what is being done until it is dropped: a line that moves on a terminal, else a plain one.
pub struct Patience {
    done: Option<Sender<()>>,
    teller: Option<JoinHandle<()>>,
}

impl Patience {
    /// Begins to wait.
    pub fn new(doing: &'static str) -> Self {
        let (done, is_done) = channel::<()>();
        let teller = std::thread::spawn(move || {
            if is_done.recv_timeout(SOON) != Err(RecvTimeoutError::Timeout) {
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
        Self { done: Some(done), teller: Some(teller) }
    }
}

impl Drop for Patience {
    fn drop(&mut self) {
        drop(self.done.take());
        if let Some(teller) = self.teller.take() {
            // A teller that failed has nothing more to say.
            let _ = teller.join();
        }
    }
}
