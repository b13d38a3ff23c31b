//! The number in the key of every run, [`BEHAVIOUR`], stands for what the program does. When this test
//! fails because a change makes runs end otherwise, raise it and put the new losses here: stores then
//! do not take results of the older program for finished.

#![allow(clippy::unwrap_used)]

use mge_lab::{BEHAVIOUR, Conditions, Plan, Store, conduct};

const PLAN: &str = "
data = ['wine']
protocol = '1x70/30'
methods = ['mge', 'alpha', 'beta', 'eta', 'mu', 'ge', 'sge', 'dsge', 'neat', 'ova-neat']
settings = { evolution = { population = 60 }, stop = { generations = 15 } }
";

/// Training losses of the methods, to the last bit.
const LOSSES: (u32, [(&str, f64); 10]) = (
    1,
    [
        ("mge", 0.9188808792436861),
        ("alpha", 0.8540061859676316),
        ("beta", 0.837958562343424),
        ("eta", 0.7425843954739414),
        ("mu", 0.8782309128742312),
        ("ge", 0.3923905958231498),
        ("sge", 0.3704245088386176),
        ("dsge", 0.7690400901814922),
        ("neat", 0.00032402070866535947),
        ("ova-neat", 0.00017030119975599948),
    ],
);

#[test]
fn no_run_ends_otherwise_than_when_the_number_was_raised() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::at(&folder.path().join("store"));
    let runs = Plan::parse("behaviour", PLAN).unwrap().runs().unwrap();
    let tally = conduct(&runs, &store, &Conditions::default(), |_| {}).unwrap();
    assert_eq!(tally.done, runs.len());
    let finished = store.read().unwrap();
    let losses = runs.iter().map(|run| (run.method.as_str(), finished.runs[&run.key()].train.loss));
    assert_eq!((BEHAVIOUR, losses.collect::<Vec<_>>()), (LOSSES.0, LOSSES.1.to_vec()));
}

#[test]
fn a_store_is_made_by_the_first_run() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("store");
    let store = Store::at(&path);
    assert!(store.read().unwrap().runs.is_empty());
    conduct(&[], &store, &Conditions::default(), |_| {}).unwrap();
    assert!(!path.exists());
    assert!(store.claim("0123456789abcdef").unwrap().is_some());
    assert!(path.join("claims").is_dir());
}
