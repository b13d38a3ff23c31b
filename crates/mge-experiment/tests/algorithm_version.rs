//! The number in the key of every run, [`RunEntry::algorithm_version`], stands for what the program does. When this test
//! fails because a change makes runs end otherwise, raise it and put the new losses here: stores then
//! do not take results of the older program for finished.

#![allow(clippy::unwrap_used)]

use mge_experiment::{ExperimentOptions, ExperimentPlan, RunEntry, Store, run_experiment};

/// A small table for all methods, and a large one for hybrid, which goes other ways there.
const PLANS: [&str; 2] = [
    "
data = ['wine']
protocol = '1x70/30'
methods = ['mge', 'alpha', 'beta', 'eta', 'mu', 'ge', 'sge', 'dsge', 'neat', 'ova-neat']
settings = { evolution = { population = 60 }, stop = { generations = 15 } }
",
    "
data = ['wine', 'letter']
protocol = '1x70/30'
methods = ['hybrid']
settings = { stop = { generations = 7 }, hybrid = { max_ops = 200, epochs = 1 } }
",
];

/// Training losses of the methods, to the last bit.
const LOSSES: [(&str, u32, f64); 12] = [
    ("mge", 1, 0.9188808792436861),
    ("alpha", 1, 0.8540061859676316),
    ("beta", 1, 0.837958562343424),
    ("eta", 1, 0.7425843954739414),
    ("mu", 1, 0.8782309128742312),
    ("ge", 1, 0.3923905958231498),
    ("sge", 1, 0.3704245088386176),
    ("dsge", 1, 0.7690400901814922),
    ("neat", 1, 0.00032402070866535947),
    ("ova-neat", 1, 0.00017030119975599948),
    ("hybrid", 5, 0.007886745373537998),
    ("hybrid", 5, 1.812403075044968),
];

#[test]
fn no_run_ends_otherwise_than_when_the_number_was_raised() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::at(&folder.path().join("store"));
    let plans = PLANS.iter().map(|plan| ExperimentPlan::parse("behaviour", plan).unwrap());
    let runs: Vec<RunEntry> = plans.flat_map(|plan| plan.runs().unwrap()).collect();
    let summary = run_experiment(&runs, &store, &ExperimentOptions::default(), |_| {}).unwrap();
    assert_eq!(summary.done, runs.len());
    let finished = store.read().unwrap();
    let loss = |run: &RunEntry| finished.runs[&run.key()].train.loss;
    let losses = runs.iter().map(|run| (run.method.as_str(), run.algorithm_version(), loss(run)));
    assert_eq!(losses.collect::<Vec<_>>(), LOSSES);
}

#[test]
fn a_store_is_made_by_the_first_run() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("store");
    let store = Store::at(&path);
    assert!(store.read().unwrap().runs.is_empty());
    run_experiment(&[], &store, &ExperimentOptions::default(), |_| {}).unwrap();
    assert!(!path.exists());
    assert!(store.claim("0123456789abcdef").unwrap().is_some());
    assert!(path.join("claims").is_dir());
}
