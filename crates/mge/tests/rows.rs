//! Which rows train and test: test rows change nothing in the model, folds test every row once,
//! and what was asked of the data is done again when the model meets the same table.

#![allow(clippy::unwrap_used)]

use mge::data::{LoadOptions, Loaded, Preprocess, TargetColumn, load, load_bytes};
use mge::{Fit, Folds, Method, Model, ResolvedSettings, RunOptions, Settings, SplitRecord};

fn settings(change: impl Fn(&mut Settings)) -> Settings {
    let mut settings = Settings { method: Some(Method::MGE), seed: Some(5), ..Settings::default() };
    settings.stop.generations = Some(4);
    settings.evolution.population = Some(30);
    change(&mut settings);
    settings
}

fn fit(data: &Loaded, settings: Settings) -> Model {
    Fit::with(settings).run(data).unwrap().model
}

/// A table with text, missing cells and three classes; the cells of `changed` rows are others.
fn table(changed: &[u32]) -> Loaded {
    let mut text = String::from("size,town,weight,class\n");
    for row in 0..90u32 {
        let (size, town, class) = (row * 7 % 13, row % 4, row % 3);
        let weight = if row % 9 == 0 { "?".to_owned() } else { (row * row % 31).to_string() };
        text += &if changed.contains(&row) {
            format!("{},elsewhere{row},1e9,{}\n", 1000 + row, (class + 1) % 3)
        } else {
            format!("{size},t{town},{weight},{class}\n")
        };
    }
    load_bytes("made.csv", text, &LoadOptions::default()).unwrap()
}

#[test]
fn test_rows_change_nothing_in_the_model() {
    let before = table(&[]);
    let model = fit(&before, settings(|s| s.data.missing_indicator = Some(true)));
    let split =
        model.data.split.rows(&before.table, before.class_target().unwrap().labels(), 5).unwrap();
    let after = table(&split.test);
    let other = fit(&after, settings(|s| s.data.missing_indicator = Some(true)));
    assert_eq!(other.network, model.network);
    assert_eq!(other.preprocess, model.preprocess);
    assert_eq!(other.search, model.search);
    assert_eq!(other.metrics.train, model.metrics.train);
    assert_ne!(other.metrics.test, model.metrics.test, "the test rows did change");

    let alone = before.table.select(&split.train);
    let rows: Vec<u32> = (0..alone.rows() as u32).collect();
    let options = mge::data::PreprocessOptions { missing_indicator: true, ..Default::default() };
    let scaler = Preprocess::fit(&alone, "class", &rows, &options).unwrap();
    assert_eq!(scaler, model.preprocess);
}

#[test]
fn strata_have_each_class_in_both_parts() {
    let data = load("wine", &Default::default()).unwrap();
    let model = fit(&data, settings(|s| s.data.stratified = Some(true)));
    let test: Vec<u64> = model.metrics.test.confusion.iter().map(|row| row.iter().sum()).collect();
    let all = [59.0, 71.0, 48.0];
    for (class, rows) in test.iter().zip(all) {
        assert!((*class as f64 - 0.3 * rows).abs() <= 1.0, "{test:?}");
    }
}

#[test]
fn folds_test_every_row_once_and_the_final_model_has_all_rows() {
    let data = load("wine", &Default::default()).unwrap();
    let resolved: ResolvedSettings =
        Fit::with(settings(|s| s.data.folds = Some(4))).resolve(&data).unwrap();
    let folds = Folds::new(&data, resolved).unwrap();
    let model = folds.run(RunOptions::new()).unwrap().model;
    let result = model.cross_validation.clone().unwrap();
    assert_eq!((result.folds, result.accuracies.len()), (4, 4));
    let mean = result.accuracies.iter().sum::<f64>() / 4.0;
    assert!((result.accuracy.mean - mean).abs() < 1e-12);
    assert_eq!((model.metrics.train.rows, model.metrics.test.rows), (178, 178));
    let tested: Vec<u64> =
        model.metrics.test.confusion.iter().map(|row| row.iter().sum()).collect();
    assert_eq!(tested, [59, 71, 48], "each row once");
    assert_eq!(model.data.split, SplitRecord::Folds { folds: 4, stratified: false, groups: None });
    let again = Model::from_json("m", model.to_json().as_bytes()).unwrap();
    assert_eq!(again, model);
    let too_many = |count| {
        let asked = settings(|s| s.data.folds = Some(count));
        Folds::new(&data, Fit::with(asked).resolve(&data).unwrap()).is_err()
    };
    assert!(too_many(1) && too_many(179) && !too_many(178));
}

#[test]
fn a_fold_never_sees_its_test_rows() {
    let before = table(&[]);
    let resolved = Fit::with(settings(|s| s.data.folds = Some(5))).resolve(&before).unwrap();
    let fold = |data: &Loaded| {
        let folds = Folds::new(data, resolved.clone()).unwrap();
        folds.prepare(2, RunOptions::new()).unwrap().run().unwrap().model
    };
    let model = fold(&before);
    let split =
        model.data.split.rows(&before.table, before.class_target().unwrap().labels(), 5).unwrap();
    let other = fold(&table(&split.test));
    assert_eq!(other.network, model.network);
    assert_eq!(other.preprocess, model.preprocess);
}

#[test]
fn the_model_reads_its_own_table_as_it_was_read() {
    let asked = settings(|s| {
        s.data.drop = Some(vec!["weight".into()]);
        s.data.as_category = Some(vec!["size".into()]);
    });
    let text = {
        let mut text = Vec::new();
        table(&[]).table.write_csv(&mut text).unwrap();
        text
    };
    let options = asked.data.resolve().load_options(TargetColumn::Guess);
    let data = load_bytes("made.csv", text.clone(), &options).unwrap();
    let model = fit(&data, asked);
    assert!(model.preprocess.features().iter().all(|f| f.column != "weight"));
    assert!(model.preprocess.features().iter().any(|f| f.name == "size=12"));
    let options = model.load_options(TargetColumn::Named("class".into()));
    let again = load_bytes("again.csv", text, &options).unwrap();
    assert_eq!(again.fingerprint, model.data.fingerprint);
    let elsewhere = b"town,size,class\nt0,3,1\nt1,4,2\n".to_vec();
    let other = load_bytes("other.csv", elsewhere, &options).unwrap();
    assert_eq!(model.predict(&other.table).unwrap().classes().len(), 2, "nothing to drop is fine");
}

#[test]
fn balanced_classes_help_the_rare_one() {
    // One row in twelve is rare, and only one of two clouds tells it.
    let mut text = String::from("a,b,class\n");
    for row in 0..360u32 {
        let rare = row % 12 == 0;
        let noise = f64::from(row * 37 % 101) / 50.0 - 1.0;
        let other = f64::from(row * 53 % 97) / 48.0 - 1.0;
        let (a, class) = if rare { (noise + 0.9, "rare") } else { (noise, "usual") };
        text += &format!("{a},{other},{class}\n");
    }
    let data = load_bytes("made.csv", text, &LoadOptions::default()).unwrap();
    let found = |weight| {
        let model = fit(
            &data,
            settings(|s| {
                s.stop.generations = Some(30);
                s.data.stratified = Some(true);
                s.data.class_weight = Some(weight);
            }),
        );
        let rare = &model.metrics.train.confusion[0];
        rare[0] as f64 / (rare[0] + rare[1]) as f64
    };
    let (plain, balanced) = (found(mge::ClassWeight::None), found(mge::ClassWeight::Balanced));
    assert!(balanced > 0.6 && balanced > plain + 0.2, "{plain} {balanced}");
}
