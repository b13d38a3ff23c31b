//! How long runs will take: a rough guess from evaluations, rows and outputs, corrected by what the
//! guess was wrong by for finished runs of the same kind.

use crate::{Finished, Parts, RunEntry};
use mge::data::catalogue;
use mge::{Method, TaskKind, TaskSize, Variant};
use std::collections::BTreeMap;
use std::path::Path;

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
    let mut kinds: BTreeMap<Kind<'_>, Seen> = BTreeMap::new();
    let mut methods: BTreeMap<Option<&str>, Seen> = BTreeMap::new();
    for record in finished.runs.values() {
        let guessed = guess(&record.entry);
        kinds.entry(kind(&record.entry)).or_default().add(record.seconds, guessed);
        methods.entry(method(&record.entry)).or_default().add(record.seconds, guessed);
    }
    let mut estimate = Estimate::default();
    for run in runs {
        let of_kind = kinds.get(&kind(run)).and_then(Seen::factor);
        if of_kind.is_none() {
            estimate.guessed += 1;
        }
        let of_method = || methods.get(&method(run)).and_then(Seen::factor);
        estimate.seconds += guess(run) * of_kind.or_else(of_method).unwrap_or(1.0);
    }
    estimate
}

/// Runs whose time is about as many times the guess: data, method, variant, grammar.
type Kind<'r> = (&'r str, Option<&'r str>, Option<&'r str>, Option<&'r Path>);

fn kind(run: &RunEntry) -> Kind<'_> {
    let settings = &run.settings;
    let variant = settings.variant.map(Variant::name);
    (&run.data, method(run), variant, settings.grammar.as_deref())
}

fn method(run: &RunEntry) -> Option<&'static str> {
    run.settings.method.map(Method::name)
}

/// What finished runs took, and what was guessed for them.
#[derive(Debug, Clone, Copy, Default)]
struct Seen {
    seconds: f64,
    guessed: f64,
}

impl Seen {
    fn add(&mut self, seconds: f64, guessed: f64) {
        self.seconds += seconds;
        self.guessed += guessed;
    }

    fn factor(&self) -> Option<f64> {
        (self.guessed > 0.0).then(|| self.seconds / self.guessed)
    }
}

/// Evaluations times a cost that grows with rows and outputs, fitted to runs of WDBC (0.3 s for
/// 100,000 evaluations) and Digits: for MGE right within a small factor on a present-day core.
fn guess(run: &RunEntry) -> f64 {
    const UNKNOWN_TABLE: (usize, usize) = (1000, 2);
    let (rows, classes) =
        catalogue::find(&run.data).map_or(UNKNOWN_TABLE, |entry| (entry.rows, entry.classes));
    let share = match run.protocol.parts {
        Parts::Percent(train) => f64::from(train) / 100.0,
        Parts::Standard => 1.0,
        Parts::Folds(folds) => 1.0 - 1.0 / folds as f64,
    };
    let rows_in_use = (rows as f64 * share) as usize;
    let size = TaskSize { rows: rows_in_use, kind: TaskKind::Classes(classes) };
    let evaluations = run
        .settings
        .resolve_for(size, 0)
        .map_or(0, |settings| {
            // Training a generation of the hybrid method takes about as long as this many evaluations.
            let population = settings.method.population().map_or(150_000, |count| count as u64);
            let by_generations = settings.stop.generations.map(|count| count * population);
            by_generations.into_iter().chain(settings.stop.evaluations).min().unwrap_or(0)
        });
    let outputs = mge::net::outputs_for(classes) as f64;
    evaluations as f64 * (1e-6 + 5e-9 * rows as f64 * share * (1.0 + outputs / 8.0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Conditions, Plan, Store, run_experiment};

    #[test]
    fn time_grows_with_evaluations() {
        let plan = |generations: u64, population: u64| {
            let text = format!(
                "data = ['wine']\nmethods = ['mge']\nprotocol = '1x70/30'\n\
                 settings = {{ evolution = {{ population = {population} }}, \
                 stop = {{ generations = {generations} }} }}"
            );
            Plan::parse("test", &text).unwrap().runs().unwrap()
        };
        let folder = tempfile::tempdir().unwrap();
        let store = Store::at(&folder.path().join("store"));
        run_experiment(&plan(2, 20), &store, &Conditions::default(), |_| {}).unwrap();
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
