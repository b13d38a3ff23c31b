//! The one view of an experiment: done, running, time left.

use crate::print;
use crate::progress::clock;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use mge_experiment::{ExperimentEvent, FinishedRuns, RunEntry, estimate};
use std::io::IsTerminal;
use std::time::{Duration, Instant};

/// How often a pipe gets a line.
const PLAIN: Duration = Duration::from_secs(5);
/// How often a terminal's line changes: estimates of long plans take a while.
const LIVE: Duration = Duration::from_millis(200);

/// Watches an experiment on standard error.
pub struct ExperimentProgress {
    quiet: bool,
    finished: FinishedRuns,
    bar: Option<ProgressBar>,
    left: Vec<RunEntry>,
    running: usize,
    done: usize,
    all: usize,
    jobs: usize,
    next: Instant,
}

impl ExperimentProgress {
    /// `finished` is what estimates are made from.
    pub fn new(quiet: bool, finished: FinishedRuns) -> Self {
        Self {
            quiet,
            finished,
            bar: None,
            left: Vec::new(),
            running: 0,
            done: 0,
            all: 0,
            jobs: 1,
            next: Instant::now() + PLAIN,
        }
    }

    /// Takes an event.
    pub fn observe(&mut self, event: &ExperimentEvent<'_>) {
        match event {
            ExperimentEvent::Planned { to_do, finished, jobs } => {
                self.start(to_do, *finished, *jobs)
            }
            ExperimentEvent::Started { .. } => self.running += 1,
            ExperimentEvent::Done { run, record } => {
                self.finished.runs.insert(record.key.clone(), (*record).clone());
                self.running = self.running.saturating_sub(1);
                self.done += 1;
                self.remove(run);
            }
            ExperimentEvent::Waiting { runs } if !self.quiet => {
                let runs = print::count(*runs, "run");
                self.print(&format!("waiting for {runs} of other processes"));
            }
            ExperimentEvent::DoneElsewhere { run } => {
                self.done += 1;
                self.remove(run);
            }
            ExperimentEvent::Failed { run, error } => {
                self.running = self.running.saturating_sub(1);
                self.remove(run);
                self.print(&format!("error: {error}"));
            }
            _ => {}
        }
        self.show();
    }

    /// Clears the line.
    pub fn end(&mut self) {
        if let Some(bar) = self.bar.take() {
            bar.finish_and_clear();
        }
    }

    fn start(&mut self, to_do: &[&RunEntry], finished: usize, jobs: usize) {
        self.left = to_do.iter().map(|run| (*run).clone()).collect();
        (self.done, self.all, self.jobs) = (finished, finished + to_do.len(), jobs);
        if self.quiet {
            return;
        }
        let runs = print::count(self.all, "run");
        print::note(format_args!("{runs}, {finished} finished before, {jobs} at once"));
        if std::io::stderr().is_terminal() {
            let target = ProgressDrawTarget::stderr();
            let bar = ProgressBar::with_draw_target(Some(self.all as u64), target);
            if let Ok(style) = ProgressStyle::with_template("{bar:14.cyan/dim} {wide_msg}") {
                bar.set_style(style);
            }
            self.bar = Some(bar);
            self.next = Instant::now();
        }
    }

    fn remove(&mut self, run: &RunEntry) {
        if let Some(index) = self.left.iter().position(|left| left == run) {
            self.left.swap_remove(index);
        }
    }

    fn print(&self, text: &str) {
        match &self.bar {
            Some(bar) => bar.suspend(|| print::note(text)),
            None => print::note(text),
        }
    }

    fn show(&mut self) {
        if self.quiet || Instant::now() < self.next {
            return;
        }
        self.next = Instant::now() + if self.bar.is_some() { LIVE } else { PLAIN };
        let seconds = estimate(&self.left, &self.finished).seconds / self.jobs as f64;
        let (done, all, running) = (self.done, self.all, self.running);
        let text = format!("done {done}/{all}  running {running}  left about {}", clock(seconds));
        match &self.bar {
            Some(bar) => {
                bar.set_position(done as u64);
                bar.set_message(text);
            }
            None => print::note(text),
        }
    }
}
