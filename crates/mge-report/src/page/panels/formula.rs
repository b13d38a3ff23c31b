//! The formula of the network in the units of the table.

use crate::original_formula::OriginalFormula;
use crate::page::PageError;
use crate::page::panel::Panel;
use crate::report_data::ReportData;
use askama::Template;

#[derive(Template)]
#[template(path = "panels/formula.html")]
struct FormulaPanel {
    text: String,
    digits: usize,
    rows: usize,
    has_indicators: bool,
    is_regression: bool,
}

pub fn panel(run: &ReportData) -> Result<Option<Panel>, PageError> {
    let model = &run.model;
    let rows = run.calibration.as_ref().map(|calibration| &calibration.sample);
    let formula = OriginalFormula::of(model, &model.network, rows);
    let has_indicators =
        model.preprocess.features().iter().any(|f| f.encoding != mge::data::Encoding::Value);
    let panel = FormulaPanel {
        text: formula.to_string(),
        digits: formula.digits,
        rows: formula.rows,
        has_indicators,
        is_regression: model.values.is_some(),
    };
    Panel::of("formula", "Formula", &panel)
}
