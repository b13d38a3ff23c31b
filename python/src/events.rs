//! Events of a search as dicts.

use mge::EventRecord;
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// The event as a dict, with its name under `event`.
pub fn to_python<'py>(py: Python<'py>, record: &EventRecord) -> PyResult<Bound<'py, PyAny>> {
    let dict = crate::json::to_python(py, &record.entries)?;
    dict.cast::<PyDict>()?.set_item("event", record.event)?;
    Ok(dict)
}
