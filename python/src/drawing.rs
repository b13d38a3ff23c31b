//! Pictures of networks.

use crate::error::Kind;
use crate::model::Model;
use mge_report::{NetworkDiagram, Style, Theme};
use pyo3::prelude::*;

/// A network as SVG. `theme` is `light` or `dark`.
#[pyfunction]
pub fn svg(model: &Model, theme: &str) -> PyResult<String> {
    let diagram = NetworkDiagram::of(model.get());
    mge_report::svg(&diagram, Style::Own(named(theme)?)).map_err(|e| Kind::Model.error(e))
}

/// A network for Graphviz.
#[pyfunction]
pub fn dot(model: &Model, theme: &str) -> PyResult<String> {
    let diagram = NetworkDiagram::of(model.get());
    mge_report::dot(&diagram, named(theme)?).map_err(|error| Kind::Model.error(error))
}

/// A network as text, `width` characters wide.
#[pyfunction]
pub fn terminal(model: &Model, width: usize) -> PyResult<String> {
    let diagram = NetworkDiagram::of(model.get());
    mge_report::terminal(&diagram, width).map_err(|error| Kind::Model.error(error))
}

fn named(theme: &str) -> PyResult<Theme> {
    match theme {
        "light" => Ok(Theme::Light),
        "dark" => Ok(Theme::Dark),
        _ => {
            let message = format!("theme is `{theme}`, expected light or dark");
            Err(Kind::Settings.message(message))
        }
    }
}
