//! The paper's items and the analyses: equal to those of version 0.1.0, and complete on disk.

use crate::{fixture, plan, results_with, run_in};
use mge_experiment::analysis::{ANALYSED, GrowthOptions, LocalityOptions, known};
use mge_experiment::paper::{
    ExperimentReport, ITEMS, find, invalidity, locality_report, scalability_report,
};
use mge_experiment::{Results, Store};
use std::fs;

fn expected(name: &str) -> String {
    fs::read_to_string(fixture("paper").join(name)).unwrap()
}

fn names(report: &ExperimentReport) -> Vec<&str> {
    report.files.iter().map(|file| file.name.as_str()).collect()
}

#[test]
fn the_analyses_equal_those_of_version_0_1_0() {
    let methods = ANALYSED.map(String::from);
    let options = LocalityOptions { individuals: 30, ..LocalityOptions::default() };
    let report = locality_report(&methods, &options).unwrap();
    assert_eq!(report.table.text(), expected("locality.txt"));
    assert_eq!(names(&report), ["locality.svg", "sizes.csv"]);
    let options = GrowthOptions { runs: 1, generations: 5, ..GrowthOptions::default() };
    let report = scalability_report(&methods, &options).unwrap();
    assert_eq!(report.table.text(), expected("scalability.txt"));
    assert_eq!(names(&report), ["scalability.svg", "growth.csv"]);
}

#[test]
fn short_runs_of_table_3_equal_those_of_version_0_1_0() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::at(folder.path());
    let item = find("table3").unwrap();
    let mut settings = mge::Settings::default();
    settings.stop.generations = Some(20);
    let data_sets = ["wdbc", "wine"].map(String::from).to_vec();
    let plan = item.plan().unwrap().unwrap().with_repetitions(Some(2)).with_settings(settings);
    let plan = plan.with_data_sets(Some(data_sets)).unwrap();
    run_in(&store, &plan.runs().unwrap());
    let results = Results::of(&plan, &store.read().unwrap()).unwrap();
    let report = item.report(&results, &plan.unavailable_methods()).unwrap();
    assert_eq!(report.table.text(), expected("table3.txt"));
}

#[test]
fn a_report_has_our_table_and_a_diagram_if_there_are_enough_methods() {
    let item = find("table3").unwrap();
    let report = |data: &str| {
        let plan =
            plan(&format!("data = {data}\nmethods = ['mge', 'mu', 'eta']\nprotocol = '3x70/30'"));
        let results = results_with(&plan, |run| 0.5 + run.repetition as f64 / 10.0);
        item.report(&results, &[]).unwrap()
    };
    assert_eq!(names(&report("['wine']")), ["ours.csv", "ours.md", "ours.tex"]);
    let report = report("['wine', 'digits']");
    assert_eq!(names(&report)[3], "critical-difference.svg");
    assert!(report.table.notes.iter().any(|note| note.starts_with("Friedman on 2 data sets")));
}

#[test]
fn a_report_is_written_in_all_formats_with_its_versions() {
    let plan = plan("data = ['wine']\nmethods = ['mge', 'ge']\nprotocol = '2x70/30'");
    let results = results_with(&plan, |_| 0.5);
    let report = invalidity(&results, &["knn".to_owned()]).unwrap();
    let report = report.with_versions("mge paper invalidity", "0123abc");
    let folder = tempfile::tempdir().unwrap();
    report.write(&folder.path().join("new/folder")).unwrap();
    let read =
        |name: &str| fs::read_to_string(folder.path().join("new/folder").join(name)).unwrap();
    assert_eq!(read("table.txt"), report.table.text());
    assert_eq!(read("table.csv"), report.table.csv());
    assert_eq!(read("table.md"), report.table.markdown());
    assert_eq!(read("table.tex"), report.table.latex());
    assert!(read("invalidity.svg").starts_with("<svg"));
    let versions = read("versions.txt");
    assert!(versions.starts_with("command: mge paper invalidity\nmge: "), "{versions}");
    assert!(versions.contains("\ncommit: 0123abc\nalgorithm versions: mge 1, "), "{versions}");
    assert!(versions.contains("hybrid 5"), "{versions}");
}

#[test]
fn items_and_representations_are_found_by_name() {
    for item in ITEMS {
        assert_eq!(find(item.name), Some(item));
    }
    assert_eq!(find("table9"), None);
    assert_eq!(known()[..4], ANALYSED);
}
