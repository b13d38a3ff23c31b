//! The report of a fit as one HTML page.

use crate::error::Kind;
use crate::model::Model;
use mge::{NetworkFront, RunPlan, RunSource};
use mge_report::ReportData;
use pyo3::prelude::*;
use serde::de::DeserializeOwned;
use std::path::PathBuf;

/// Writes the page. `front`, `history`, `baselines` and `run` are JSON, as the fit left them.
#[pyfunction]
#[pyo3(signature = (model, path, *, name, front, history, baselines, run))]
#[allow(clippy::too_many_arguments, reason = "called by keyword, from one place")]
pub fn report(
    py: Python<'_>,
    model: &Model,
    path: PathBuf,
    name: String,
    front: Option<Vec<u8>>,
    history: &str,
    baselines: &str,
    run: &str,
) -> PyResult<()> {
    let model = model.get();
    let source = RunSource {
        data: model.data.name.clone(),
        fingerprint: model.data.fingerprint.clone(),
        data_dir: None,
        test: None,
        target: Some(model.target.clone()),
    };
    let front = front.map(|bytes| {
        serde_json::from_slice::<NetworkFront>(&bytes).map_err(|error| Kind::Model.error(error))
    });
    let mut plan = RunPlan::new(source, model.settings.clone());
    plan.record = read(run)?;
    let data = ReportData {
        name,
        folder: path.parent().unwrap_or(&path).to_owned(),
        plan,
        model: model.clone(),
        history: read(history)?,
        curves: Vec::new(),
        front: front.transpose()?,
        baselines: read(baselines)?,
        calibration: None,
        devices: Vec::new(),
    };
    py.detach(|| {
        let page = mge_report::report(&data).map_err(|error| Kind::Model.error(error))?;
        mge_io::write_atomically(&path, page.as_bytes()).map_err(|error| {
            Kind::Model.message(format!("cannot write {}: {error}", path.display()))
        })
    })
}

fn read<T: DeserializeOwned>(json: &str) -> PyResult<T> {
    serde_json::from_str(json).map_err(|error| Kind::Model.error(error))
}
