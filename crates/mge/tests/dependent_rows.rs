//! Rows that depend on each other: groups stay together, the last rows test, equal rows are counted.

#![allow(clippy::unwrap_used)]

use mge::data::{LoadOptions, Loaded, TargetColumn, load_bytes};
use mge::{Fit, Folds, Model, RunOptions, Settings, SplitRecord};
use std::collections::HashSet;

/// Thirty patients with four rows each. The number of a patient gives the class away, and it needs
/// more than the digits of a 32-bit number.
fn text() -> String {
    let mut text = String::from("patient,day,size,weight,class\n");
    for row in 0..120u32 {
        let (patient, day) = (row * 7 % 30, 1 + row % 28);
        let (size, weight) = (row * 31 % 17, patient * 3 % 11);
        let class = if (size + weight) % 2 == 0 { "yes" } else { "no" };
        text += &format!("{},2024-02-{day:02},{size},{weight},{class}\n", 1_234_567_000 + patient);
    }
    text
}

fn settings(change: impl Fn(&mut Settings)) -> Settings {
    let mut settings = Settings { seed: Some(5), ..Settings::default() };
    settings.stop.generations = Some(1);
    change(&mut settings);
    settings
}

fn table(settings: &Settings) -> Loaded {
    let options = settings.data.resolve().load_options(TargetColumn::Guess);
    load_bytes("visits.csv", text(), &options).unwrap()
}

fn values(data: &Loaded, column: &str, rows: &[u32]) -> HashSet<u32> {
    let ids = mge::data::group_ids(&data.table, column).unwrap();
    rows.iter().map(|&row| ids[row as usize]).collect()
}

#[test]
fn rows_of_a_group_are_in_one_part_and_the_column_is_no_feature() {
    for stratified in [None, Some(true)] {
        let settings = settings(|s| {
            s.data.groups = Some("patient".into());
            s.data.stratified = stratified;
        });
        let data = table(&settings);
        let model = Fit::with(settings).run(&data).unwrap().model;
        let SplitRecord::Fraction { groups, .. } = &model.data.split else { panic!("a fraction") };
        assert_eq!(groups.as_deref(), Some("patient"));
        let names = model.preprocess.feature_names();
        assert!(names.iter().all(|name| !name.contains("patient")), "{names:?}");
        let target = data.class_target().unwrap();
        let split = model.data.split.rows(&data.table, target.labels(), 5).unwrap();
        let (train, test) =
            (values(&data, "patient", &split.train), values(&data, "patient", &split.test));
        assert_eq!((train.len() + test.len(), train.is_disjoint(&test)), (30, true));
        assert_eq!(model.metrics.test.rows, split.test.len());
        // The file says the same, and a table without the column can be predicted.
        let read = Model::from_json("m", model.to_json().as_bytes()).unwrap();
        assert_eq!(read, model);
        let new = "day,size,weight\n2024-03-01,3,4\n";
        let new = load_bytes("new.csv", new, &read.load_options(TargetColumn::Absent)).unwrap();
        assert_eq!(read.predict(&new.table).unwrap().classes().count(), 1);
    }
}

#[test]
fn folds_keep_groups_together() {
    let settings = settings(|s| {
        s.data.groups = Some("patient".into());
        s.data.folds = Some(4);
    });
    let data = table(&settings);
    let folds = Folds::new(&data, settings.resolve(&data).unwrap()).unwrap();
    let target = data.class_target().unwrap();
    let mut tested = 0;
    for fold in 0..4 {
        let ready = folds.prepare(fold, RunOptions::new()).unwrap();
        let split = ready.split().rows(&data.table, target.labels(), 5).unwrap();
        let (train, test) =
            (values(&data, "patient", &split.train), values(&data, "patient", &split.test));
        assert!(train.is_disjoint(&test), "fold {fold}");
        tested += split.test.len();
    }
    assert_eq!(tested, 120);
}

#[test]
fn the_last_rows_test() {
    for (is_feature, has_feature) in [(None, false), (Some(true), true)] {
        let settings = settings(|s| {
            s.data.time = Some("day".into());
            s.data.time_feature = is_feature;
        });
        let data = table(&settings);
        let model = Fit::with(settings).run(&data).unwrap().model;
        assert!(matches!(&model.data.split, SplitRecord::Time { column, .. } if column == "day"));
        let ranks = mge::data::time_ranks(&data.table, "day").unwrap();
        let target = data.class_target().unwrap();
        let split = model.data.split.rows(&data.table, target.labels(), 5).unwrap();
        let rank = |row: &u32| ranks[*row as usize];
        let latest = split.train.iter().map(rank).max().unwrap();
        assert!(latest < split.test.iter().map(rank).min().unwrap());
        let names = model.preprocess.feature_names();
        assert_eq!(names.iter().any(|name| name.starts_with("day")), has_feature, "{names:?}");
    }
}

#[test]
fn settings_that_exclude_each_other_are_refused() {
    let error = |change: fn(&mut Settings)| {
        let settings = settings(change);
        let data = table(&settings);
        Fit::with(settings).run(&data).unwrap_err().to_string()
    };
    let both = error(|s| {
        s.data.groups = Some("patient".into());
        s.data.time = Some("day".into());
    });
    assert_eq!(both, "data.groups and data.time exclude each other; expected one of them");
    let folds = error(|s| {
        s.data.time = Some("day".into());
        s.data.folds = Some(3);
    });
    assert!(folds.contains("data.folds and data.time"), "{folds}");
    let unknown = error(|s| s.data.time = Some("class".into()));
    assert!(unknown.contains("expected numbers or dates"), "{unknown}");
}

#[test]
fn equal_rows_in_both_parts_are_counted() {
    let twice: String = text().lines().skip(1).map(|line| format!("{line}\n{line}\n")).collect();
    let twice = format!("patient,day,size,weight,class\n{twice}");
    let count = |settings: &Settings| {
        let options = settings.data.resolve().load_options(TargetColumn::Guess);
        let data = load_bytes("twice.csv", twice.as_str(), &options).unwrap();
        let resolved = settings.resolve(&data).unwrap();
        let ready = match resolved.data.folds {
            Some(_) => Folds::new(&data, resolved).unwrap().prepare_final(RunOptions::new()),
            None => resolved.prepare(&data, RunOptions::new()),
        };
        ready.unwrap().repeated_rows()
    };
    let shuffled = count(&settings(|_| ()));
    assert!((30..=72).contains(&shuffled), "{shuffled} of 72 test rows");
    let folds = count(&settings(|s| s.data.folds = Some(5)));
    assert!(folds > 150, "{folds} of 240 rows");
    // Equal rows have the same patient, who is no feature then.
    let grouped = settings(|s| {
        s.data.groups = Some("patient".into());
        s.data.drop = Some(vec!["weight".into()]);
    });
    let plain = LoadOptions::default();
    let once = load_bytes("once.csv", text(), &plain).unwrap();
    let once = settings(|_| ()).resolve(&once).unwrap().prepare(&once, RunOptions::new()).unwrap();
    assert_eq!(once.repeated_rows(), 0);
    assert!(count(&grouped) < shuffled);
}
