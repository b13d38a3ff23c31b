//! How good the chosen network is on rows that had no part in training or choice, and how good
//! simpler models are on them.

use crate::page::PageError;
use crate::page::panel::Panel;
use crate::report_data::ReportData;
use crate::text::clean;
use askama::Template;
use mge::BaselineResult;
use mge::net::confusion::{balanced_accuracy, is_uneven, macro_f1, wilson_interval};

#[derive(Template)]
#[template(path = "panels/test_rows.html")]
struct TestRows {
    rows: usize,
    facts: Vec<(&'static str, String)>,
    models: Vec<Line>,
    better: Option<String>,
}

/// A model and what it reaches.
struct Line {
    name: String,
    is_own: bool,
    accuracy: String,
    low: String,
    width: String,
    middle: String,
    interval: String,
    operations: usize,
    bytes: usize,
}

pub fn panel(run: &ReportData) -> Result<Option<Panel>, PageError> {
    let test = &run.model.metrics.test;
    if test.rows == 0 {
        return Ok(None);
    }
    let (low, high) = interval(test.accuracy, test.rows);
    let mut facts = vec![("accuracy", format!("{:.4} ({low:.3} to {high:.3})", test.accuracy))];
    if is_uneven(&test.confusion) {
        facts.push(("balanced accuracy", format!("{:.4}", balanced_accuracy(&test.confusion))));
        facts.push(("macro F1", format!("{:.4}", macro_f1(&test.confusion))));
    }
    facts.push(("loss", format!("{:.4}", test.loss)));
    facts.push(("RMSE", format!("{:.4}", test.rmse)));
    let mut models = vec![BaselineResult::of(&run.model)];
    models.extend(run.baselines.iter().cloned());
    let line = |(index, one): (usize, &BaselineResult)| line(one, index == 0, test.rows);
    let better = run
        .baselines
        .iter()
        .filter(|baseline| baseline.test_accuracy > test.accuracy)
        .max_by(|a, b| a.test_accuracy.total_cmp(&b.test_accuracy));
    let better = better.map(|baseline| {
        format!(
            "{} is more accurate than the network on these rows: {:.4}, with {} operations and {} bytes.",
            clean(&baseline.name), baseline.test_accuracy, baseline.operations, baseline.bytes
        )
    });
    let panel = TestRows {
        rows: test.rows,
        facts,
        models: models.iter().enumerate().map(line).collect(),
        better,
    };
    Panel::of("test", "On test rows", &panel)
}

fn line(model: &BaselineResult, is_own: bool, rows: usize) -> Line {
    let (low, high) = interval(model.test_accuracy, rows);
    let percent = |fraction: f64| format!("{:.2}", 100.0 * fraction);
    Line {
        name: clean(&model.name),
        is_own,
        accuracy: format!("{:.4}", model.test_accuracy),
        low: percent(low),
        width: percent(high - low),
        middle: percent(model.test_accuracy),
        interval: format!("{low:.3} to {high:.3}"),
        operations: model.operations,
        bytes: model.bytes,
    }
}

/// The 95 % interval of an accuracy on so many rows.
fn interval(accuracy: f64, rows: usize) -> (f64, f64) {
    wilson_interval((accuracy * rows as f64).round() as u64, rows as u64)
}
