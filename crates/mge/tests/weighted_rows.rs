//! Rows that count more or less than others, and fits that keep no row for a test.

#![allow(clippy::unwrap_used)]

use mge::data::{Cells, LoadOptions, Loaded, TargetColumn, load_columns};
use mge::{Fit, Settings};

/// Sixty rows of two classes, row `i` as often as `times` says, with a column of weights.
fn table(times: impl Fn(usize) -> usize, weight: impl Fn(usize) -> f64, s: &Settings) -> Loaded {
    let rows: Vec<usize> = (0..60).flat_map(|row| std::iter::repeat_n(row, times(row))).collect();
    let of = |f: &dyn Fn(usize) -> f64| Cells::Double(rows.iter().map(|&row| f(row)).collect());
    let columns = vec![
        ("a".to_owned(), of(&|row| (row * 7 % 11) as f64)),
        ("b".to_owned(), of(&|row| (row * 5 % 13) as f64)),
        ("count".to_owned(), of(&weight)),
        ("y".to_owned(), of(&|row| f64::from(u8::from(row * 7 % 11 + row * 5 % 13 > 11)))),
    ];
    let options: LoadOptions = s.data.resolve().load_options(TargetColumn::Named("y".into()));
    load_columns("rows", columns, true, &options).unwrap()
}

fn settings() -> Settings {
    let mut settings = Settings { seed: Some(5), train_fraction: Some(1.0), ..Default::default() };
    settings.stop.generations = Some(2);
    settings.data.weight = Some("count".into());
    settings
}

#[test]
fn a_row_of_weight_three_is_three_rows() {
    let weight = |row: usize| [1.0, 0.0, 3.0][row % 3];
    let settings = settings();
    let once = table(|_| 1, weight, &settings);
    let fitted = Fit::with(settings.clone()).run(&once).unwrap();
    assert_eq!(fitted.model.metrics.train.rows, 80);
    assert!(fitted.model.preprocess.feature_names().iter().all(|name| name != "count"));
    // The repeated rows in the table itself, each in the group of its copies.
    let mut plain = settings;
    plain.data.weight = None;
    plain.data.groups = Some("row".into());
    let repeats = |row: usize| weight(row) as usize;
    let rows: Vec<i64> =
        (0..60).flat_map(|row| std::iter::repeat_n(row as i64, repeats(row))).collect();
    let often = table(repeats, weight, &Settings::default());
    let mut columns: Vec<(String, Cells)> = Vec::new();
    for column in often.table.columns() {
        let cells = match &column.values {
            mge::data::Values::Number(cells) => Cells::Single(cells.clone()),
            mge::data::Values::Text(text) => {
                Cells::Texts { codes: text.codes().to_vec(), texts: text.categories().to_vec() }
            }
        };
        if column.name != "count" {
            columns.push((column.name.clone(), cells));
        }
    }
    columns.push(("row".to_owned(), Cells::Signed(rows)));
    let options = plain.data.resolve().load_options(TargetColumn::Named("y".into()));
    let often = load_columns("rows", columns, true, &options).unwrap();
    let same = Fit::with(plain).run(&often).unwrap();
    assert_eq!(same.model.metrics.train, fitted.model.metrics.train);
    assert_eq!(same.model.preprocess, fitted.model.preprocess);
}

#[test]
fn equal_weights_change_the_folds_and_nothing_else() {
    let settings = settings();
    let one = Fit::with(settings.clone()).run(&table(|_| 1, |_| 1.0, &settings)).unwrap();
    let seven = Fit::with(settings.clone()).run(&table(|_| 1, |_| 7.0, &settings)).unwrap();
    assert_eq!(one.model.network, seven.model.network);
    assert_eq!(one.model.metrics.train.rows, 60);
}

#[test]
fn a_fraction_of_one_trains_on_all_rows() {
    let mut settings = settings();
    settings.data.weight = None;
    let fitted =
        Fit::with(settings.clone()).with_baselines().run(&table(|_| 1, |_| 1.0, &settings));
    let fitted = fitted.unwrap();
    let metrics = &fitted.model.metrics;
    assert_eq!((metrics.train.rows, metrics.test.rows), (60, 0));
    assert!(fitted.baselines.is_empty());
    let again = mge::Model::from_json("model", fitted.model.to_json().as_bytes()).unwrap();
    assert_eq!(again, fitted.model);
}

#[test]
fn weights_that_are_none_are_refused() {
    let settings = settings();
    let error = |weight: fn(usize) -> f64| {
        Fit::with(settings.clone()).run(&table(|_| 1, weight, &settings)).unwrap_err().to_string()
    };
    let negative = error(|row| if row == 4 { -1.0 } else { 1.0 });
    assert!(negative.contains("row 5, column `count`: `-1`"), "{negative}");
    let missing = error(|row| if row == 4 { f64::NAN } else { 1.0 });
    assert!(missing.contains("column `count` is empty"), "{missing}");
    let none = error(|_| 0.0);
    assert!(none.contains("rows"), "{none}");
}
