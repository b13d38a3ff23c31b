//! The live line of a fit: one that moves on a terminal, plain ones in a pipe.

use crate::delayed_spinner::DelayedSpinner;
use crate::generation_bar::{self, RunPosition};
use crate::print;
use indicatif::ProgressBar;
use mge::data::Dropped;
use mge::evolve::{Progress, StopRules};
use mge::{Best, FitEvent, FitObserver, FrontPoint, Task};
use std::io::IsTerminal;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// How often a terminal's line is worked out anew: training accuracy is not free.
const REDRAW: Duration = Duration::from_millis(200);
/// How often a pipe gets a line, and when the first.
const PLAIN: Duration = Duration::from_secs(5);
const FIRST_PLAIN: Duration = Duration::from_secs(1);

/// Watches a fit and shows how it goes on standard error.
pub struct LiveLine {
    stop: StopRules,
    bar: Option<ProgressBar>,
    position: Arc<RunPosition>,
    next: Instant,
    /// Where and when this process began; a resumed run has done more before.
    began: (u64, Instant),
    quiet: bool,
    checkpoints_fail: bool,
    patience: Option<DelayedSpinner>,
    /// The name of the score in which higher is better.
    score: &'static str,
}

impl LiveLine {
    /// Shows only what went wrong when `quiet`.
    pub fn new(quiet: bool) -> Self {
        Self {
            stop: StopRules::default(),
            bar: None,
            position: Arc::default(),
            next: Instant::now(),
            began: (0, Instant::now()),
            quiet,
            checkpoints_fail: false,
            patience: None,
            score: "accuracy",
        }
    }

    fn is_live(&self) -> bool {
        self.bar.is_some()
    }

    fn start(&mut self, stop: &StopRules) {
        self.stop = stop.clone();
        if std::io::stderr().is_terminal() {
            self.position = Arc::new(RunPosition::new(stop.generations));
            let bar = generation_bar::new(Arc::clone(&self.position));
            bar.set_message("first generation");
            self.bar = Some(bar);
        }
    }

    fn show(&mut self, progress: &Progress, seconds: f64, found: &BestSoFar<'_>) {
        self.position.update(progress.generation, done_by_others(&self.stop, progress, seconds));
        if Instant::now() < self.next {
            return;
        }
        self.next = Instant::now() + if self.is_live() { REDRAW } else { PLAIN };
        let (before, began) = self.began;
        let here = began.elapsed().as_secs_f64().max(1e-9);
        let rate = (progress.evaluations - before) as f64 / here;
        let done = done(&self.stop, progress, seconds);
        let line = line(&self.stop, progress, seconds, found, rate, done);
        match &self.bar {
            Some(bar) => bar.set_message(line),
            None => print::note(line),
        }
    }

    /// Once when checkpoints begin to fail, once when they work again.
    fn report_checkpoints(&mut self, event: &FitEvent<'_>) {
        match event {
            FitEvent::CheckpointFailed { error } if !self.checkpoints_fail => {
                self.checkpoints_fail = true;
                self.print(format_args!(
                    "warning: {error}; the search goes on, the last good checkpoint stays"
                ));
            }
            FitEvent::CheckpointWritten { .. } if self.checkpoints_fail => {
                self.checkpoints_fail = false;
                self.print("checkpoints can be written again");
            }
            _ => {}
        }
    }

    fn print(&self, text: impl std::fmt::Display) {
        match &self.bar {
            Some(bar) => bar.suspend(|| print::note(text)),
            None => print::note(text),
        }
    }
}

/// Columns that give no feature: each with its reason, or the first few of many.
fn report_dropped(dropped: &[Dropped]) {
    const SHOWN: usize = 5;
    for Dropped { column, reason } in dropped.iter().take(SHOWN) {
        print::note(format_args!("note: column `{column}` is left out: {reason}"));
    }
    if dropped.len() > SHOWN {
        let more = dropped.len() - SHOWN;
        print::note(format_args!("note: {more} more columns are left out; the model lists them"));
    }
}

/// The fraction of the work that is done, by the rule that is nearest to its end.
fn done(stop: &StopRules, progress: &Progress, seconds: f64) -> f64 {
    let by_generations =
        stop.generations.map_or(0.0, |max| progress.generation as f64 / max as f64);
    by_generations.max(done_by_others(stop, progress, seconds)).min(1.0)
}

/// The fraction that is done by the rules that do not count generations.
fn done_by_others(stop: &StopRules, progress: &Progress, seconds: f64) -> f64 {
    let fraction = |now: f64, end: Option<f64>| end.map_or(0.0, |end| now / end);
    fraction(progress.evaluations as f64, stop.evaluations.map(|n| n as f64))
        .max(fraction(seconds, stop.seconds))
        .min(1.0)
}

/// What a search has found so far.
struct BestSoFar<'a> {
    best: Best<'a>,
    /// The best network of every size, of methods that keep them.
    front: &'a [FrontPoint],
    /// The name of the score in which higher is better.
    score: &'static str,
}

/// A small network is the smallest one whose accuracy is at most so much below the best.
const SMALL_WITHIN: f64 = 0.01;

impl BestSoFar<'_> {
    /// What the line says of them. Each figure stands beside the network that it is of.
    fn words(&self, progress: &Progress) -> String {
        if let Some(words) = front_words(self.front, self.score) {
            return words;
        }
        match self.best.network() {
            Some(network) => format!(
                "best: training loss {:.4}, {} {:.3}, {}",
                progress.best_loss,
                self.score,
                self.best.train_accuracy(&network),
                print::count(network.neurons().len(), "neuron"),
            ),
            None => "no valid network yet".to_owned(),
        }
    }
}

/// The most accurate network of a front, and a small one. `None` of an empty front.
fn front_words(front: &[FrontPoint], score: &str) -> Option<String> {
    let accurate = |a: &&FrontPoint, b: &&FrontPoint| {
        a.accuracy.total_cmp(&b.accuracy).then(b.operations.cmp(&a.operations))
    };
    let best = front.iter().max_by(accurate)?;
    let is_small = |point: &&FrontPoint| point.accuracy >= best.accuracy - SMALL_WITHIN;
    let small = front.iter().filter(is_small).min_by_key(|point| point.operations);
    let words =
        |point: &FrontPoint| format!("{:.3} with {} operations", point.accuracy, point.operations);
    let best_words = format!("validation {score}: best {}", words(best));
    Some(match small.filter(|small| small.operations < best.operations) {
        Some(small) => format!("{best_words}, small {}", words(small)),
        None => best_words,
    })
}

fn line(
    stop: &StopRules,
    progress: &Progress,
    seconds: f64,
    found: &BestSoFar<'_>,
    rate: f64,
    done: f64,
) -> String {
    let of = stop.generations.map_or(String::new(), |max| format!("/{max}"));
    let left = if done > 0.0 { clock(seconds * (1.0 - done) / done) } else { "?".to_owned() };
    format!(
        "gen {}{of}  {}  {} evals/s  left {left}",
        progress.generation,
        found.words(progress),
        thousands(rate),
    )
}

/// A length of time, shortly.
pub fn clock(seconds: f64) -> String {
    let seconds = seconds.round() as u64;
    let (hours, minutes) = (seconds / 3600, seconds / 60 % 60);
    if hours > 0 {
        format!("{hours}h{minutes:02}m")
    } else if minutes > 0 {
        format!("{minutes}m{:02}s", seconds % 60)
    } else {
        format!("{seconds}s")
    }
}

fn thousands(rate: f64) -> String {
    if rate >= 10_000.0 { format!("{:.0}k", rate / 1000.0) } else { format!("{rate:.0}") }
}

/// `3 classes`, or `2 numeric targets`.
fn target_words(task: &Task) -> String {
    match task.classes().len() {
        0 => print::count(task.outputs(), "numeric target"),
        classes => format!("{classes} classes"),
    }
}

impl FitObserver for LiveLine {
    fn observe(&mut self, event: &FitEvent<'_>) {
        self.report_checkpoints(event);
        if self.quiet {
            return;
        }
        match event {
            FitEvent::Planned {
                settings,
                task,
                features,
                dropped,
                train_rows,
                test_rows,
                codon_bits,
                threads,
            } => {
                report_dropped(dropped);
                if task.classes().is_empty() {
                    self.score = "R2";
                }
                print::note(format_args!(
                    "{train_rows} training and {test_rows} test rows, {}, {}\n\
                     {}{}, seed {}, {}",
                    print::count(*features, "feature"),
                    target_words(task),
                    settings.method,
                    codon_bits.map(|bits| format!(", {bits}-bit codons")).unwrap_or_default(),
                    settings.seed,
                    print::count(*threads, "thread"),
                ));
                self.start(&settings.stop);
            }
            FitEvent::Starting { generation } => self.position.set_running(generation.clone()),
            FitEvent::Started { resumed, progress } => {
                self.position.update(progress.generation, 0.0);
                self.began = (progress.evaluations, Instant::now());
                self.next = Instant::now() + if self.is_live() { REDRAW } else { FIRST_PLAIN };
                if *resumed {
                    self.print(format_args!("resuming from generation {}", progress.generation));
                }
            }
            FitEvent::Generation { progress, seconds, best, front } => {
                self.show(progress, *seconds, &BestSoFar { best: *best, front, score: self.score });
            }
            FitEvent::Comparing => {
                self.patience = Some(DelayedSpinner::new("comparing with simpler models"))
            }
            FitEvent::Finished { .. } => {
                if let Some(bar) = self.bar.take() {
                    bar.finish_and_clear();
                }
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_and_rates_are_short() {
        assert_eq!(
            [clock(0.4), clock(61.0), clock(7325.0)],
            ["0s".to_owned(), "1m01s".to_owned(), "2h02m".to_owned()]
        );
        assert_eq!([thousands(9000.4), thousands(123_456.0)], ["9000", "123k"].map(String::from));
    }

    #[test]
    fn a_front_is_its_best_network_and_a_small_one() {
        let front = [(20, 0.9), (40, 0.955), (80, 0.96), (90, 0.96)];
        let front = front.map(|(operations, accuracy)| FrontPoint { operations, accuracy });
        let words =
            "validation accuracy: best 0.960 with 80 operations, small 0.955 with 40 operations";
        assert_eq!(front_words(&front, "accuracy").as_deref(), Some(words));
        let one = "validation accuracy: best 0.900 with 20 operations";
        assert_eq!(front_words(&front[..1], "accuracy").as_deref(), Some(one));
        assert_eq!(front_words(&[], "accuracy"), None);
    }

    #[test]
    fn the_nearest_rule_gives_the_fraction() {
        let stop =
            StopRules { generations: Some(100), evaluations: Some(200), ..Default::default() };
        let progress = Progress {
            generation: 10,
            evaluations: 150,
            best_loss: 1.0,
            invalid_individuals: 0,
            invalid_parts: 0,
        };
        assert_eq!(done(&stop, &progress, 3.0), 0.75);
    }
}
