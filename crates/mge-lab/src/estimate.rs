//! How long runs will take: what finished runs of the same kind took, else a rough guess.

use crate::{Finished, Parts, RunEntry};
use mge::TableSize;
use mge::data::catalogue;
use std::collections::BTreeMap;

/// The time of some runs.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Estimate {
    /// Seconds of one core, all runs together.
    pub seconds: f64,
    /// Runs whose time is a guess, because none of their kind is finished.
    pub guessed: usize,
}

/// Estimates the time of runs.
pub fn estimate<'r>(runs: impl IntoIterator<Item = &'r RunEntry>, finished: &Finished) -> Estimate {
    let mut known: BTreeMap<(&str, &str, Option<&str>), (f64, usize)> = BTreeMap::new();
    for record in finished.runs.values() {
        let seen = known.entry(kind(&record.entry)).or_default();
        *seen = (seen.0 + record.seconds, seen.1 + 1);
    }
    let mut estimate = Estimate::default();
    for run in runs {
        match known.get(&kind(run)) {
            Some((seconds, count)) => estimate.seconds += seconds / *count as f64,
            None => {
                estimate.guessed += 1;
                estimate.seconds += guess(run);
            }
        }
    }
    estimate
}

fn kind(run: &RunEntry) -> (&str, &str, Option<&str>) {
    (&run.data, &run.method, run.setting.as_deref())
}

/// Evaluations times a cost that grows with rows and outputs, fitted to runs of WDBC (0.3 s for
/// 100,000 evaluations) and Digits: right within a small factor on a present-day core.
fn guess(run: &RunEntry) -> f64 {
    const UNKNOWN_TABLE: (usize, usize) = (1000, 2);
    let (rows, classes) =
        catalogue::find(&run.data).map_or(UNKNOWN_TABLE, |entry| (entry.rows, entry.classes));
    let share = match run.protocol.parts {
        Parts::Percent(train) => f64::from(train) / 100.0,
        Parts::Standard => 1.0,
        Parts::Folds(folds) => 1.0 - 1.0 / folds as f64,
    };
    let evaluations = run
        .settings
        .resolve(TableSize { rows: (rows as f64 * share) as usize, classes }, 0)
        .map_or(0, |settings| {
            // Training a generation of the hybrid method takes about as long as this many evaluations.
            let population = settings.method.population().map_or(150_000, |count| count as u64);
            let by_generations = settings.stop.generations.map(|count| count * population);
            by_generations.into_iter().chain(settings.stop.evaluations).min().unwrap_or(0)
        });
    let outputs = mge::net::outputs_for(classes) as f64;
    evaluations as f64 * (1e-6 + 5e-9 * rows as f64 * share * (1.0 + outputs / 8.0))
}
