//! Doing runs: shards, interruptions, and results that depend on neither.

use crate::{plan, run_in, short_plan};
use mge_experiment::{
    ExperimentEvent, ExperimentOptions, Results, RunSummary, Store, run_experiment,
};
use std::sync::atomic::Ordering;

fn table(plan: &mge_experiment::ExperimentPlan, store: &Store) -> String {
    Results::of(plan, &store.read().unwrap()).unwrap().summary_table().csv()
}

#[test]
fn shards_and_jobs_do_not_change_the_table() {
    let folder = tempfile::tempdir().unwrap();
    let store = |name: &str| Store::at(&folder.path().join(name));
    let plan = short_plan("['mge', 'ge']");
    let runs = plan.runs().unwrap();
    run_in(&store("whole"), &runs);
    let expected = table(&plan, &store("whole"));
    for jobs in [1, 3] {
        let store = store(&format!("jobs-{jobs}"));
        for shard in ["2/2", "1/2"] {
            let shard = shard.parse().unwrap();
            let options = ExperimentOptions { jobs, shard, ..ExperimentOptions::default() };
            let summary = run_experiment(&runs, &store, &options, |_| {}).unwrap();
            assert_eq!(summary, RunSummary { done: 4, ..RunSummary::default() });
        }
        assert_eq!(table(&plan, &store), expected, "{jobs} jobs");
    }
}

#[test]
fn finished_runs_are_not_repeated() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::at(folder.path());
    let runs = short_plan("['mge']").runs().unwrap();
    run_in(&store, &runs[..3]);
    let mut started = Vec::new();
    let summary = run_experiment(&runs, &store, &ExperimentOptions::default(), |event| {
        if let ExperimentEvent::Started { run } = event {
            started.push(run.to_string());
        }
    });
    let expected = RunSummary { finished_before: 3, done: 1, ..RunSummary::default() };
    assert_eq!(summary.unwrap(), expected);
    assert_eq!(started, ["heart mge 70/30 #2"]);
}

#[test]
fn an_interrupt_leaves_runs_that_the_next_call_does() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::at(folder.path());
    let runs = short_plan("['mge']").runs().unwrap();
    let options = ExperimentOptions { jobs: 1, ..ExperimentOptions::default() };
    let flag = options.cancel_flag.clone();
    let summary = run_experiment(&runs, &store, &options, |event| {
        if let ExperimentEvent::Done { .. } = event {
            flag.store(true, Ordering::Relaxed);
        }
    });
    let RunSummary { done, left, failed, .. } = summary.unwrap();
    assert!(done >= 1 && done + left == 4 && failed == 0, "{done} {left}");
    run_in(&store, &runs);
    assert_eq!(store.read().unwrap().runs.len(), 4);
}

#[test]
fn one_run_of_two_names_is_done_once() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::at(folder.path());
    let text = "data = ['wine']\nmethods = ['mge', { name = 'same', method = 'mge' }]\n\
                protocol = '1x70/30'\n\
                settings = { evolution = { population = 10 }, stop = { generations = 2 } }";
    let plan = plan(text);
    run_in(&store, &plan.runs().unwrap());
    assert_eq!(store.read().unwrap().runs.len(), 1);
    let results = Results::of(&plan, &store.read().unwrap()).unwrap();
    assert!(results.rows.iter().all(|row| row.runs.len() == 1) && results.rows.len() == 2);
}
