//! What the search costs, measured: the rows of `docs/how-to/measure-speed.md`, each with its target.
//!
//! Work is measured in processor time where one thread does it, so that a busy machine disturbs
//! less, and such a figure is the best of some repetitions. Two threads are held against one by
//! turns, pair by pair: see `speedup`. Ratios compare times of one run.

mod clock;
mod search;
mod speedup;
mod throughput;

use crate::FitError;
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
    /// Where MNIST is looked for, as in [`mge_data::LoadOptions`]. With a folder it has to be there; with
    /// none random rows may stand for it.
    pub data_dir: Option<PathBuf>,
}

/// What can be measured by itself.
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

    fn measure(self, plan: &BenchPlan, report: &mut Report<'_>) -> Result<(), FitError> {
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
    /// The figure.
    pub measured: f64,
    /// The figure that is asked for.
    pub target: f64,
    /// Whether more is better; if not, less is.
    pub more_is_better: bool,
    /// `measured / target`, or the other way round if less is better: from 1 on it is reached.
    pub ratio: f64,
    /// Whether the target is reached; `None` where less was measured than the target is about, or
    /// the machine has not what it takes.
    pub reached: Option<bool>,
    /// What else belongs to the figure.
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

    /// The figure without a verdict.
    fn not_judged(self) -> Self {
        Self { reached: None, ..self }
    }

    /// A search that does not find the same whichever way it is done is wrong, however fast.
    fn of_same_losses(mut self, one: f64, other: f64) -> Self {
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

/// Something that happens in a measurement.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
#[allow(missing_docs, reason = "the names say it; the variants are documented")]
pub enum BenchEvent<'a> {
    /// What is measured next, counted from 1.
    Begins { step: usize, steps: usize, work: &'static str },
    /// How far a long search is.
    Generation { done: u64, of: u64 },
    /// A row is measured.
    Measured(&'a BenchRow),
}

/// Gathers the rows and tells what happens.
struct Report<'a> {
    rows: Vec<BenchRow>,
    tell: &'a mut (dyn FnMut(BenchEvent<'_>) + Send),
}

impl Report<'_> {
    fn add(&mut self, row: BenchRow) {
        (self.tell)(BenchEvent::Measured(&row));
        self.rows.push(row);
    }

    fn generation(&mut self, done: u64, of: u64) {
        (self.tell)(BenchEvent::Generation { done, of });
    }
}

/// Measures what the plan says, one row after another; `tell` hears of each as it is done.
///
/// # Errors
/// When data cannot be read or threads cannot be started.
pub fn run(
    plan: &BenchPlan,
    mut tell: impl FnMut(BenchEvent<'_>) + Send,
) -> Result<Vec<BenchRow>, FitError> {
    let mut report = Report { rows: Vec::new(), tell: &mut tell };
    let asked = |step: &BenchStep| plan.only.is_none_or(|only| only == *step);
    let steps: Vec<BenchStep> = BenchStep::ALL.into_iter().filter(asked).collect();
    if let Some(folder) = &plan.data_dir
        && steps.contains(&BenchStep::Mnist)
    {
        // MNIST is measured last, and all rows before it would be lost.
        mge_data::catalogue::find("mnist")?.files(Some(folder))?;
    }
    for (index, step) in (1..).zip(&steps) {
        (report.tell)(BenchEvent::Begins { step: index, steps: steps.len(), work: step.work() });
        step.measure(plan, &mut report)?;
    }
    Ok(report.rows)
}
