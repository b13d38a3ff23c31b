//! Tests of experiments, from the plan to the report. Each file tests the source of the same name.

#![allow(clippy::unwrap_used)]

mod algorithm_version;
mod key_names;
mod numbers;
mod paper;
mod plan;
mod plan_errors;
mod protocol;
mod ranking;
mod result_table;
mod results;
mod run_experiment;
mod shard;
mod store;

use mge_experiment::{
    ExperimentOptions, ExperimentPlan, FinishedRun, FinishedRuns, Results, RunEntry, Store,
    run_experiment,
};
use std::path::{Path, PathBuf};

/// The plan of a text.
fn plan(text: &str) -> ExperimentPlan {
    ExperimentPlan::parse("test", text).unwrap()
}

/// A plan of short runs: 3 generations of 10 individuals on two splits of wine and heart.
fn short_plan(methods: &str) -> ExperimentPlan {
    plan(&format!(
        "data = ['wine', 'heart']\nmethods = {methods}\nprotocol = '2x70/30'\n\
         settings = {{ evolution = {{ population = 10 }}, stop = {{ generations = 3 }} }}"
    ))
}

/// Does some runs in a store.
fn run_in(store: &Store, runs: &[RunEntry]) {
    let summary = run_experiment(runs, store, &ExperimentOptions::default(), |_| {}).unwrap();
    assert_eq!((summary.failed, summary.left), (0, 0));
}

/// The results of a plan whose runs have these test accuracies, by run.
fn results_with(plan: &ExperimentPlan, accuracy: impl Fn(&RunEntry) -> f64) -> Results {
    let template = stored_run();
    let mut finished = FinishedRuns::default();
    for entry in plan.runs().unwrap() {
        let mut run = FinishedRun { key: entry.key(), entry, ..template.clone() };
        run.test.accuracy = accuracy(&run.entry);
        finished.runs.insert(run.key.clone(), run);
    }
    Results::of(plan, &finished).unwrap()
}

/// A finished run of the stored example.
fn stored_run() -> FinishedRun {
    let text = std::fs::read_to_string(fixture("old-store/runs.jsonl")).unwrap();
    serde_json::from_str(text.lines().next().unwrap()).unwrap()
}

/// A file of the tests.
fn fixture(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures").join(name)
}
