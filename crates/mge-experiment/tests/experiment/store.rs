//! The store: appending, recovery after a crash, locks, and stores of older versions.

use crate::{fixture, run_in, short_plan, stored_run};
use mge_experiment::{ExperimentOptions, ExperimentPlan, Results, Store, run_experiment};
use std::fs;
use std::io::Write;

/// A run under another key.
fn run_with_key(key: &str) -> mge_experiment::FinishedRun {
    mge_experiment::FinishedRun { key: key.to_owned(), ..stored_run() }
}

#[test]
fn a_store_is_created_by_its_first_run() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("store");
    let store = Store::at(&path);
    assert!(store.read().unwrap().runs.is_empty());
    run_experiment(&[], &store, &ExperimentOptions::default(), |_| {}).unwrap();
    assert!(!path.exists());
    assert!(store.lock_run("0123456789abcdef").unwrap().is_some());
    assert!(path.join("locks").is_dir());
}

#[test]
fn an_appended_run_is_read_back_unchanged() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::at(folder.path());
    let runs = ["a", "b"].map(run_with_key);
    runs.iter().for_each(|run| store.append(run).unwrap());
    let finished = store.read().unwrap();
    assert_eq!(finished.runs.values().cloned().collect::<Vec<_>>(), runs);
    assert_eq!((finished.broken_lines, finished.outdated), (0, 0));
}

#[test]
fn the_first_of_two_lines_with_one_key_counts() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::at(folder.path());
    let (first, mut second) = (run_with_key("a"), run_with_key("a"));
    second.seconds += 1.0;
    store.append(&first).unwrap();
    store.append(&second).unwrap();
    assert_eq!(store.read().unwrap().runs["a"], first);
}

#[test]
fn a_line_that_a_killed_writer_left_is_ended_and_skipped() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::at(folder.path());
    store.append(&run_with_key("a")).unwrap();
    let line = serde_json::to_string(&run_with_key("b")).unwrap();
    for cut in [1, line.len() / 2, line.len() - 1] {
        let mut file = fs::OpenOptions::new().append(true).open(store.runs_file()).unwrap();
        file.write_all(&line.as_bytes()[..cut]).unwrap();
        // The incomplete line is not read: its writer may still be alive.
        let before = store.read().unwrap();
        assert!(!before.runs.contains_key("b") && !before.runs.contains_key(&cut.to_string()));
        store.append(&run_with_key(&cut.to_string())).unwrap();
        assert!(store.read().unwrap().runs.contains_key(&cut.to_string()));
    }
    let finished = store.read().unwrap();
    assert_eq!((finished.runs.len(), finished.broken_lines), (4, 3));
}

#[test]
fn refresh_reads_only_what_is_new() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::at(folder.path());
    store.append(&run_with_key("a")).unwrap();
    let mut finished = store.read().unwrap();
    finished.runs.clear();
    store.append(&run_with_key("b")).unwrap();
    store.refresh(&mut finished).unwrap();
    assert_eq!(finished.runs.keys().collect::<Vec<_>>(), ["b"]);
}

#[test]
fn concurrent_writers_lose_no_line() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::at(folder.path());
    std::thread::scope(|scope| {
        for writer in 0..4 {
            let store = &store;
            scope.spawn(move || {
                for line in 0..20 {
                    store.append(&run_with_key(&format!("{writer}-{line}"))).unwrap();
                }
            });
        }
    });
    let finished = store.read().unwrap();
    assert_eq!((finished.runs.len(), finished.broken_lines), (80, 0));
}

#[test]
fn a_run_has_one_lock_at_a_time() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::at(folder.path());
    let lock = store.lock_run("a").unwrap();
    assert!(lock.is_some());
    assert!(store.lock_run("a").unwrap().is_none());
    assert!(store.lock_run("b").unwrap().is_some(), "other runs are free");
    drop(lock);
    assert!(store.lock_run("a").unwrap().is_some());
    // A file without a lock, as a killed process leaves it, does not block the run.
    fs::write(folder.path().join("locks/c"), "").unwrap();
    assert!(store.lock_run("c").unwrap().is_some());
}

#[test]
fn runs_of_another_algorithm_version_do_not_count() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::at(folder.path());
    let mut run = run_with_key("a");
    run.algorithm_version += 1;
    store.append(&run).unwrap();
    let finished = store.read().unwrap();
    assert_eq!((finished.runs.len(), finished.outdated), (0, 1));
}

#[test]
fn a_store_of_version_0_1_0_has_its_runs_under_the_same_keys() {
    let folder = tempfile::tempdir().unwrap();
    fs::copy(fixture("old-store/runs.jsonl"), folder.path().join("runs.jsonl")).unwrap();
    let store = Store::at(folder.path());
    let finished = store.read().unwrap();
    assert_eq!((finished.runs.len(), finished.broken_lines, finished.outdated), (18, 0, 0));
    let plan = ExperimentPlan::read(&fixture("old-store/plan.toml")).unwrap();
    let summary =
        run_experiment(&plan.runs().unwrap(), &store, &ExperimentOptions::default(), |_| {});
    let summary = summary.unwrap();
    assert_eq!((summary.finished_before, summary.done), (18, 0));
    for run in plan.runs().unwrap() {
        assert_eq!(finished.runs[&run.key()].entry.key(), run.key());
    }
}

#[test]
fn runs_of_version_0_1_0_are_repeated_to_the_last_bit() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::at(folder.path());
    let plan = ExperimentPlan::read(&fixture("old-store/plan.toml")).unwrap();
    run_in(&store, &plan.runs().unwrap());
    let text = fs::read_to_string(fixture("old-store/runs.jsonl")).unwrap();
    let finished = store.read().unwrap();
    for line in text.lines() {
        let old: mge_experiment::FinishedRun = serde_json::from_str(line).unwrap();
        let new = &finished.runs[&old.key];
        assert_eq!((old.train, old.test, old.size), (new.train, new.test, new.size));
        assert_eq!((&old.curve, &old.fingerprint), (&new.curve, &new.fingerprint));
    }
}

#[test]
fn results_do_not_depend_on_the_order_of_the_lines() {
    let folder = tempfile::tempdir().unwrap();
    let plan = short_plan("['mge', 'mu']");
    let (one, other) = (Store::at(&folder.path().join("1")), Store::at(&folder.path().join("2")));
    run_in(&one, &plan.runs().unwrap());
    let text = fs::read_to_string(one.runs_file()).unwrap();
    let mut lines: Vec<&str> = text.lines().collect();
    lines.reverse();
    other.prepare().unwrap();
    fs::write(other.runs_file(), lines.join("\n") + "\n").unwrap();
    let table =
        |store: &Store| Results::of(&plan, &store.read().unwrap()).unwrap().summary_table().text();
    assert_eq!(table(&one), table(&other));
}
