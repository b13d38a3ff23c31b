//! Settings from JSON, and what there is to choose from.

use crate::error::Kind;
use crate::json;
use mge::{Method, Settings, SettingsError};
use pyo3::prelude::*;
use serde_json::json;

/// What was asked for. An unknown name is an error that suggests the nearest one.
pub fn parse(json: &str) -> PyResult<Settings> {
    serde_json::from_str(json).map_err(|error| Kind::Settings.message(explain(&error)))
}

/// The message without its position in a text that the user never saw, and with the nearest name.
pub fn explain(error: &serde_json::Error) -> String {
    let text = error.to_string();
    let text = text.split(" at line ").next().unwrap_or(&text);
    let is_unknown = text.starts_with("unknown field");
    // Names are between backticks: first the unknown one, then the known ones.
    let mut names = text.split('`').skip(1).step_by(2);
    let hint = match names.next() {
        Some(unknown) if is_unknown => mge_names::nearest(unknown, names),
        _ => None,
    };
    let text = text.replacen("unknown field", "unknown setting", 1);
    let hint = hint.map(|name| format!("; did you mean `{name}`?"));
    format!("{text}{}", hint.unwrap_or_default())
}

/// Checks that the settings belong to the method that they name.
pub fn check(settings: &Settings) -> Result<(), SettingsError> {
    settings.check_method_named()?;
    settings.check_for(settings.method.unwrap_or_default())
}

/// Checks settings before there is data. Returns notes on names that have changed.
#[pyfunction]
pub fn check_settings(settings: &str) -> PyResult<Vec<String>> {
    let settings = parse(settings)?;
    check(&settings).map_err(|error| Kind::Settings.error(error))?;
    Ok(settings.notes_on_old_names())
}

/// All search methods: name, summary, and whether they keep a front.
#[pyfunction]
pub fn methods(py: Python<'_>) -> PyResult<Bound<'_, PyAny>> {
    let describe = |method: Method| {
        let info = method.info();
        json!({
            "name": info.name,
            "summary": info.summary,
            "algorithm_version": info.algorithm_version,
            "settings_table": info.table,
            "keeps_front": info.keeps_front,
        })
    };
    json::to_python(py, &Method::all().into_iter().map(describe).collect::<Vec<_>>())
}
