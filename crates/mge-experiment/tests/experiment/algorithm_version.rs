//! The algorithm version of a method is part of the key of every run. This test fails when a change
//! alters the result of a run. Then raise the version and put the new losses here. Stores do not
//! count the results of older versions.

use mge_experiment::{ExperimentOptions, RunEntry, Store, run_experiment};

/// A small table for all methods, and a large one for hybrid, which has another strategy there.
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
fn runs_have_the_losses_of_their_algorithm_version() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::at(&folder.path().join("store"));
    let plans = PLANS.iter().map(|plan| crate::plan(plan));
    let runs: Vec<RunEntry> = plans.flat_map(|plan| plan.runs().unwrap()).collect();
    let summary = run_experiment(&runs, &store, &ExperimentOptions::default(), |_| {}).unwrap();
    assert_eq!(summary.done, runs.len());
    let finished = store.read().unwrap();
    let loss = |run: &RunEntry| finished.runs[&run.key()].train.loss;
    let losses = runs.iter().map(|run| (run.method.as_str(), run.algorithm_version(), loss(run)));
    assert_eq!(losses.collect::<Vec<_>>(), LOSSES);
}
