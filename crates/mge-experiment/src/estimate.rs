//! Estimates how long runs will take. A rough formula of evaluations, rows and outputs is scaled by
//! the time that finished runs of the same group took.

use crate::{FinishedRuns, RunEntry, SplitScheme};
use mge::data::catalogue;
use mge::{Method, TaskKind, TaskSize, Variant};
use std::collections::BTreeMap;
use std::path::Path;

/// The estimated time of some runs.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct TimeEstimate {
    /// Seconds of all runs together, on one core.
    pub seconds: f64,
    /// Runs whose time is a rough guess, because no run of their group is finished.
    pub guessed: usize,
}

/// Estimates the time of runs.
pub fn estimate<'r>(
    runs: impl IntoIterator<Item = &'r RunEntry>,
    finished: &FinishedRuns,
) -> TimeEstimate {
    let mut groups: BTreeMap<RunGroup<'_>, ObservedTime> = BTreeMap::new();
    let mut methods: BTreeMap<Option<&str>, ObservedTime> = BTreeMap::new();
    for record in finished.runs.values() {
        let guessed = guess(&record.entry);
        groups.entry(group(&record.entry)).or_default().add(record.seconds, guessed);
        methods.entry(method(&record.entry)).or_default().add(record.seconds, guessed);
    }
    let mut estimate = TimeEstimate::default();
    for run in runs {
        let of_group = groups.get(&group(run)).and_then(ObservedTime::factor);
        if of_group.is_none() {
            estimate.guessed += 1;
        }
        let of_method = || methods.get(&method(run)).and_then(ObservedTime::factor);
        estimate.seconds += guess(run) * of_group.or_else(of_method).unwrap_or(1.0);
    }
    estimate
}

/// What runs of similar speed have in common: data, method, variant, grammar.
type RunGroup<'r> = (&'r str, Option<&'r str>, Option<&'r str>, Option<&'r Path>);

fn group(run: &RunEntry) -> RunGroup<'_> {
    let settings = &run.settings;
    let variant = settings.variant.map(Variant::name);
    (&run.data, method(run), variant, settings.grammar.as_deref())
}

fn method(run: &RunEntry) -> Option<&'static str> {
    run.settings.method.map(Method::name)
}

/// The time that finished runs took, and what the formula gave for them.
#[derive(Debug, Clone, Copy, Default)]
struct ObservedTime {
    seconds: f64,
    guessed: f64,
}

impl ObservedTime {
    fn add(&mut self, seconds: f64, guessed: f64) {
        self.seconds += seconds;
        self.guessed += guessed;
    }

    fn factor(&self) -> Option<f64> {
        (self.guessed > 0.0).then(|| self.seconds / self.guessed)
    }
}

/// The formula: evaluations times a cost that grows with rows and outputs. It is fitted to runs of
/// MGE on WDBC (0.3 s for 100,000 evaluations) and Digits, and right within a small factor.
fn guess(run: &RunEntry) -> f64 {
    const UNKNOWN_TABLE: (usize, usize) = (1000, 2);
    let (rows, classes) = catalogue::find(&run.data)
        .map_or(UNKNOWN_TABLE, |entry| (entry.rows, entry.classes.max(2)));
    let fraction = match run.protocol.scheme {
        SplitScheme::Percent(train) => f64::from(train) / 100.0,
        SplitScheme::Standard => 1.0,
        SplitScheme::Folds(folds) => 1.0 - 1.0 / folds as f64,
    };
    let training_rows = (rows as f64 * fraction) as usize;
    let size = TaskSize { rows: training_rows, kind: TaskKind::Classes(classes) };
    let evaluations = run.settings.resolve_for(size, 0).map_or(0, |settings| {
        // A generation of a method without a population takes about as long as this many
        // evaluations.
        let population = settings.method.population().map_or(150_000, |count| count as u64);
        let by_generations = settings.stop.generations.map(|count| count * population);
        by_generations.into_iter().chain(settings.stop.evaluations).min().unwrap_or(0)
    });
    let outputs = mge::net::OutputLink::for_classes(classes).outputs() as f64;
    evaluations as f64 * (1e-6 + 5e-9 * rows as f64 * fraction * (1.0 + outputs / 8.0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{ExperimentOptions, ExperimentPlan, Store, run_experiment};

    #[test]
    fn time_grows_with_evaluations() {
        let plan = |generations: u64, population: u64| {
            let text = format!(
                "data = ['wine']\nmethods = ['mge']\nprotocol = '1x70/30'\n\
                 settings = {{ evolution = {{ population = {population} }}, \
                 stop = {{ generations = {generations} }} }}"
            );
            ExperimentPlan::parse("test", &text).unwrap().runs().unwrap()
        };
        let folder = tempfile::tempdir().unwrap();
        let store = Store::at(&folder.path().join("store"));
        run_experiment(&plan(2, 20), &store, &ExperimentOptions::default(), |_| {}).unwrap();
        let finished = store.read().unwrap();
        let seconds = finished.runs.values().next().unwrap().seconds;
        let known = |runs: &[RunEntry]| {
            let estimate = estimate(runs, &finished);
            assert_eq!(estimate.guessed, 0);
            estimate.seconds / seconds
        };
        assert!((known(&plan(2, 20)) - 1.0).abs() < 1e-6);
        assert!((known(&plan(200, 20)) - 100.0).abs() < 1e-6);
        assert!((known(&plan(2, 100)) - 5.0).abs() < 1e-6);
    }
}
