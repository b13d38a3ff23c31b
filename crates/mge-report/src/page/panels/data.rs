//! The table: classes and how often they occur, columns that gave no feature.

use crate::page::PageError;
use crate::page::panel::Panel;
use crate::report_data::ReportData;
use crate::text::clean;
use askama::Template;

#[derive(Template)]
#[template(path = "panels/data.html")]
struct Data {
    facts: Vec<(&'static str, String)>,
    classes: Vec<ClassRows>,
    has_test: bool,
    dropped: Vec<(String, String)>,
}

/// The rows of a class.
struct ClassRows {
    name: String,
    train: u64,
    test: u64,
    percent: String,
    bar: String,
}

pub fn panel(run: &ReportData) -> Result<Option<Panel>, PageError> {
    let model = &run.model;
    let count = |confusion: &[Vec<u64>], class: usize| -> u64 {
        confusion.get(class).map_or(0, |row| row.iter().sum())
    };
    let (train, test) = (&model.metrics.train, &model.metrics.test);
    let rows: Vec<(u64, u64)> = (0..model.classes.len())
        .map(|class| (count(&train.confusion, class), count(&test.confusion, class)))
        .collect();
    let all: u64 = rows.iter().map(|(train, test)| train + test).sum();
    let largest = rows.iter().map(|(train, test)| train + test).max().unwrap_or(1).max(1);
    let classes = rows.iter().zip(&model.classes).map(|(&(train, test), name)| ClassRows {
        name: clean(name),
        train,
        test,
        percent: format!("{:.1} %", 100.0 * (train + test) as f64 / all.max(1) as f64),
        bar: format!("{:.1}", 100.0 * (train + test) as f64 / largest as f64),
    });
    let dropped = model.preprocess.dropped().iter();
    let dropped = dropped.map(|d| (clean(&d.column), d.reason.to_string())).collect();
    let facts = vec![
        ("data", clean(&model.data.name)),
        ("target", clean(&model.target)),
        ("rows", format!("{} training, {} test", train.rows, test.rows)),
        ("columns", model.preprocess.columns().len().to_string()),
        ("features", model.network.inputs().to_string()),
    ];
    let panel = Data { facts, classes: classes.collect(), has_test: test.rows > 0, dropped };
    Panel::of("data", "Data", &panel)
}
