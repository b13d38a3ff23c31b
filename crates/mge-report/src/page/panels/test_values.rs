//! How good the chosen network is on rows that had no part in training or choice, where targets are
//! numbers.

use crate::page::PageError;
use crate::page::panel::Panel;
use crate::report_data::ReportData;
use crate::text::{clean, number};
use askama::Template;
use mge::BaselineResult;

#[derive(Template)]
#[template(path = "panels/test_values.html")]
struct TestValues {
    rows: usize,
    facts: Vec<(&'static str, String)>,
    targets: Vec<(String, [String; 4])>,
    models: Vec<Line>,
    better: Option<String>,
}

/// A model and what it reaches.
struct Line {
    name: String,
    r2: String,
    rmse: String,
    operations: usize,
    bytes: usize,
}

pub fn panel(run: &ReportData) -> Result<Option<Panel>, PageError> {
    let test = &run.model.metrics.test;
    let Some(values) = test.values.as_ref().filter(|_| test.rows > 0) else { return Ok(None) };
    let facts = vec![
        ("R²", format!("{:.4}", values.r2)),
        ("RMSE", number(test.rmse)),
        ("mean absolute error", number(values.mae)),
        ("median absolute error", number(values.median_absolute_error)),
    ];
    let names = run.model.target_columns();
    let targets = names.iter().zip(&values.outputs).map(|(name, output)| {
        let errors = [output.rmse, output.mae, output.median_absolute_error].map(number);
        let [rmse, mae, median] = errors;
        (clean(name), [format!("{:.4}", output.r2), rmse, mae, median])
    });
    let mut models = vec![BaselineResult::of(&run.model)];
    models.extend(run.baselines.iter().cloned());
    let better = run.baselines.iter().filter(|one| one.test_accuracy > test.accuracy);
    let better = better.max_by(|a, b| a.test_accuracy.total_cmp(&b.test_accuracy)).map(|one| {
        format!(
            "{} is more accurate than the network on these rows: R² {:.4}, with {} operations.",
            clean(&one.name),
            one.test_accuracy,
            one.operations
        )
    });
    let targets = if names.len() > 1 { targets.collect() } else { Vec::new() };
    let panel = TestValues {
        rows: test.rows,
        facts,
        targets,
        models: models.iter().map(line).collect(),
        better,
    };
    Panel::of("test", "On test rows", &panel)
}

fn line(model: &BaselineResult) -> Line {
    Line {
        name: clean(&model.name),
        r2: format!("{:.4}", model.test_accuracy),
        rmse: model.errors.map_or("–".to_owned(), |errors| number(errors.test_rmse)),
        operations: model.operations,
        bytes: model.bytes,
    }
}
