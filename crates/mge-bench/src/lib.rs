//! What the search costs, measured: each row has a target, and `docs/how-to/measure-speed.md` lists them.
//!
//! [`run`] measures the steps of a [`BenchPlan`] and returns a [`BenchRow`] for each figure. Work of
//! one thread is measured in processor time, as the best of some repetitions, so that a busy machine
//! disturbs less. Two threads are compared with one in alternating pairs (`speedup`).
//!
//! ```no_run
//! use mge_bench::{BenchPlan, BenchStep};
//!
//! let plan = BenchPlan { quick: true, only: Some(BenchStep::Wdbc), data_dir: None };
//! for row in mge_bench::run(&plan, |_| {})? {
//!     println!("{}: {} {}", row.work, row.measured, row.unit);
//! }
//! # Ok::<(), mge::FitError>(())
//! ```

mod clock;
mod search;
mod speedup;
mod throughput;

use mge::FitError;
use serde::Serialize;
use std::path::PathBuf;

pub use clock::peak_memory;

/// What to measure.
#[derive(Debug, Clone, Default)]
pub struct BenchPlan {
    /// Smaller sizes: under a minute in all.
    pub quick: bool,
    /// The one step to measure; `None` for all of them.
    pub only: Option<BenchStep>,
    /// Where MNIST is looked for, as in [`mge_data::LoadOptions`]. With a folder it must be there;
    /// without one, random rows of its shape may take its place.
    pub data_dir: Option<PathBuf>,
}

/// A part that can be measured by itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BenchStep {
    /// Whole searches on WDBC.
    Wdbc,
    /// The batch evaluator against a roofline.
    Roofline,
    /// How the cost of the batch evaluator grows.
    Growth,
    /// Letter on one thread and two.
    Letter,
    /// Searches on MNIST, and their memory.
    Mnist,
}

impl BenchStep {
    /// All of them, in the order in which they are measured.
    pub const ALL: [Self; 5] =
        [Self::Wdbc, Self::Roofline, Self::Growth, Self::Letter, Self::Mnist];

    /// The name under which it can be asked for.
    pub fn name(self) -> &'static str {
        match self {
            Self::Wdbc => "wdbc",
            Self::Roofline => "roofline",
            Self::Growth => "growth",
            Self::Letter => "letter",
            Self::Mnist => "mnist",
        }
    }

    fn work(self) -> &'static str {
        match self {
            Self::Wdbc => "whole searches on WDBC",
            Self::Roofline => "the batch evaluator against a roofline",
            Self::Growth => "how its cost grows",
            Self::Letter => "Letter on one thread and two",
            Self::Mnist => "MNIST",
        }
    }

    fn measure(self, plan: &BenchPlan, report: &mut Measurements<'_>) -> Result<(), FitError> {
        match self {
            Self::Wdbc => search::wdbc(plan, report),
            Self::Roofline => throughput::roofline(plan, report),
            Self::Growth => throughput::linearity(plan, report),
            Self::Letter => search::letter(plan, report),
            Self::Mnist => search::mnist(plan, report),
        }
    }
}

/// One measured row.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct BenchRow {
    /// What was done.
    pub work: String,
    /// What is measured, with its unit.
    pub unit: &'static str,
    /// The measured value.
    pub measured: f64,
    /// The value to reach.
    pub target: f64,
    /// Whether more is better; if not, less is.
    pub more_is_better: bool,
    /// `measured / target`, or the other way round if less is better: from 1 on it is reached.
    pub ratio: f64,
    /// Whether the target is reached. `None` where the measurement covers less than the target, or
    /// the machine lacks the processors.
    pub reached: Option<bool>,
    /// What else belongs to the value.
    pub note: String,
}

impl BenchRow {
    fn at_least(work: impl Into<String>, unit: &'static str, target: f64, measured: f64) -> Self {
        Self::new(work.into(), unit, target, measured, true)
    }

    fn at_most(work: impl Into<String>, unit: &'static str, target: f64, measured: f64) -> Self {
        Self::new(work.into(), unit, target, measured, false)
    }

    fn new(work: String, unit: &'static str, target: f64, measured: f64, more: bool) -> Self {
        let ratio = if more { measured / target } else { target / measured };
        let note = String::new();
        Self {
            work,
            unit,
            measured,
            target,
            more_is_better: more,
            ratio,
            reached: Some(ratio >= 1.0),
            note,
        }
    }

    /// The value, not compared with the target.
    fn without_result(self) -> Self {
        Self { reached: None, ..self }
    }

    /// Adds whether both ways found the same loss. Where they did not, the target is missed.
    fn with_losses(mut self, one: f64, other: f64) -> Self {
        if one.to_bits() == other.to_bits() {
            self.note += "; the same loss both ways";
        } else {
            self.note += &format!("; DIFFERENT losses, {one} and {other}");
            self.reached = Some(false);
        }
        self
    }

    fn with_note(self, note: impl Into<String>) -> Self {
        Self { note: note.into(), ..self }
    }
}

/// An event of a measurement.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
#[allow(missing_docs, reason = "the names say it; the variants are documented")]
pub enum BenchEvent<'a> {
    /// A step begins; steps count from 1.
    Begins { step: usize, steps: usize, work: &'static str },
    /// How far a long search is.
    Generation { done: u64, of: u64 },
    /// A row is measured.
    Measured(&'a BenchRow),
}

/// Collects the rows and passes events on.
struct Measurements<'a> {
    rows: Vec<BenchRow>,
    observer: &'a mut (dyn FnMut(BenchEvent<'_>) + Send),
}

impl Measurements<'_> {
    fn add(&mut self, row: BenchRow) {
        (self.observer)(BenchEvent::Measured(&row));
        self.rows.push(row);
    }

    fn generation(&mut self, done: u64, of: u64) {
        (self.observer)(BenchEvent::Generation { done, of });
    }
}

/// Measures the steps of a plan, one after another. `observer` is told of each event.
///
/// # Errors
/// When data cannot be read or threads cannot be started.
pub fn run(
    plan: &BenchPlan,
    mut observer: impl FnMut(BenchEvent<'_>) + Send,
) -> Result<Vec<BenchRow>, FitError> {
    let mut report = Measurements { rows: Vec::new(), observer: &mut observer };
    let asked = |step: &BenchStep| plan.only.is_none_or(|only| only == *step);
    let steps: Vec<BenchStep> = BenchStep::ALL.into_iter().filter(asked).collect();
    if let Some(folder) = &plan.data_dir
        && steps.contains(&BenchStep::Mnist)
    {
        // MNIST is measured last: without its files all rows before it would be lost.
        mge_data::catalogue::find("mnist")?.files(Some(folder))?;
    }
    for (index, step) in (1..).zip(&steps) {
        (report.observer)(BenchEvent::Begins {
            step: index,
            steps: steps.len(),
            work: step.work(),
        });
        step.measure(plan, &mut report)?;
    }
    Ok(report.rows)
}
