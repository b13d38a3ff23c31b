//! The result of a cross-validation.

use crate::page::PageError;
use crate::page::panel::Panel;
use crate::report_data::ReportData;
use askama::Template;
use mge::Spread;

#[derive(Template)]
#[template(path = "panels/folds.html")]
struct Folds {
    rows: Vec<(&'static str, String)>,
    accuracies: Vec<String>,
}

pub fn panel(run: &ReportData) -> Result<Option<Panel>, PageError> {
    let Some(folds) = run.model.cross_validation.as_ref() else { return Ok(None) };
    let spread =
        |s: &Spread, digits: usize| format!("{:.digits$} ± {:.digits$}", s.mean, s.deviation);
    let panel = Folds {
        rows: vec![
            (run.score_name(), spread(&folds.accuracy, 4)),
            ("RMSE", spread(&folds.rmse, 4)),
            ("neurons", spread(&folds.neurons, 1)),
            ("operations", spread(&folds.operations, 1)),
        ],
        accuracies: folds.accuracies.iter().map(|accuracy| format!("{accuracy:.3}")).collect(),
    };
    Panel::of("folds", "Cross-validation", &panel)
}
