//! The private extension `mge._mge` of the Python package.
//!
//! It is thin: columns of arrays become tables, settings come as JSON, and results go back as bytes,
//! numbers and lists. The estimators, their parameters and their plots are Python, in `mge/`.
//!
//! - [`columns`] reads arrays into tables.
//! - [`fit`] runs a search on a thread of its own, while this one listens to Ctrl-C and callbacks.
//! - [`model`] predicts and describes.
//! - [`command_line`] is the program `mge`.

mod columns;
mod command_line;
mod drawing;
mod error;
mod events;
mod evolution;
#[cfg(feature = "research")]
mod experiment;
mod export;
mod fit;
mod front;
mod grammar;
mod json;
mod model;
mod network;
mod predict;
mod report;
mod settings;

use pyo3::prelude::*;

/// The module. Its objects are frozen or local to a call, so it needs no GIL of its own.
#[pymodule(gil_used = false)]
fn _mge(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add_class::<evolution::Evolution>()?;
    module.add_class::<model::Model>()?;
    module.add_class::<network::Phenotype>()?;
    module.add_function(wrap_pyfunction!(command_line::run, module)?)?;
    module.add_function(wrap_pyfunction!(drawing::dot, module)?)?;
    module.add_function(wrap_pyfunction!(drawing::svg, module)?)?;
    module.add_function(wrap_pyfunction!(drawing::terminal, module)?)?;
    module.add_function(wrap_pyfunction!(export::device_cost, module)?)?;
    module.add_function(wrap_pyfunction!(export::export, module)?)?;
    module.add_function(wrap_pyfunction!(export::targets, module)?)?;
    module.add_function(wrap_pyfunction!(fit::fit, module)?)?;
    module.add_function(wrap_pyfunction!(front::front, module)?)?;
    module.add_function(wrap_pyfunction!(front::pick, module)?)?;
    module.add_function(wrap_pyfunction!(grammar::check_grammar, module)?)?;
    module.add_function(wrap_pyfunction!(grammar::find_grammar, module)?)?;
    module.add_function(wrap_pyfunction!(grammar::grammars, module)?)?;
    module.add_function(wrap_pyfunction!(grammar::map_gene, module)?)?;
    #[cfg(feature = "research")]
    module.add_function(wrap_pyfunction!(experiment::run_plan, module)?)?;
    module.add_function(wrap_pyfunction!(report::report, module)?)?;
    module.add_function(wrap_pyfunction!(settings::check_settings, module)?)?;
    module.add_function(wrap_pyfunction!(settings::methods, module)?)?;
    Ok(())
}
