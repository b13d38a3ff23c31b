//! Sliders: what the network answers for values that the reader sets. The page's own script
//! evaluates the network (`script/evaluate.js`).

use crate::page::panel::Panel;
use crate::page::{PageError, json_in_html};
use crate::report_data::ReportData;
use askama::Template;
use serde_json::Value;

#[derive(Template)]
#[template(path = "panels/what_if.html")]
struct WhatIf {
    json: String,
}

pub fn panel(run: &ReportData) -> Result<Option<Panel>, PageError> {
    let ranges = run.calibration.as_ref().map(|calibration| calibration.ranges.as_slice());
    let Some(program) = crate::page_program::page_program(&run.model, ranges) else {
        return Ok(None);
    };
    if program["columns"].as_array().is_none_or(Vec::is_empty) {
        return Ok(None);
    }
    let json: Value = program;
    Panel::of("what-if", "What if", &WhatIf { json: json_in_html(&json) })
}
