//! A model: what it needs, what it is, and its predictions.

use crate::columns::RawTable;
use crate::error::Kind;
use crate::json;
use crate::predict::{self, RowValues, Wanted};
use mge::data::RawColumn;
use mge::net::{Network, table_bytes};
use numpy::{PyArray1, PyArray2, PyArrayMethods};
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use serde_json::json;
use std::path::PathBuf;

/// A model in memory. It never changes, so threads may share it.
#[pyclass(frozen, module = "mge._mge")]
pub struct Model {
    model: mge::Model,
}

impl Model {
    pub fn new(model: mge::Model) -> Self {
        Self { model }
    }

    pub fn get(&self) -> &mge::Model {
        &self.model
    }
}

/// One number for each class and row, and notes on categories that the training rows did not have.
type Predictions<'py> = (Bound<'py, PyArray2<f64>>, Vec<String>);

#[pymethods]
impl Model {
    /// Reads a model from JSON; `name` is what messages call it.
    #[staticmethod]
    fn from_json(name: &str, json: &[u8]) -> PyResult<Self> {
        let model = mge::Model::from_json(name, json).map_err(|error| Kind::Model.error(error))?;
        Ok(Self { model })
    }

    /// The model file.
    fn to_json<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, self.model.to_json().as_bytes())
    }

    /// Writes the model file, whole or not at all.
    fn save(&self, path: PathBuf) -> PyResult<()> {
        self.model.save(&path).map_err(|error| Kind::Model.error(error))
    }

    /// Class names, in the order of the network's answers.
    #[getter]
    fn classes(&self) -> Vec<String> {
        self.model.classes.clone()
    }

    /// The name of the target column.
    #[getter]
    fn target(&self) -> &str {
        &self.model.target
    }

    /// The name of the training data.
    #[getter]
    fn data_name(&self) -> &str {
        &self.model.data.name
    }

    /// Whether users named the columns of the training data.
    #[getter]
    fn has_names(&self) -> bool {
        self.model.data.form.header == Some(true)
    }

    /// Raw columns: name, kind, categories, and whether the network reads them.
    fn columns<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let used = self.used_columns();
        let describe = |column: &RawColumn| {
            json!({
                "name": column.name(),
                "kind": column.kind().name(),
                "categories": column.categories(),
                "used": used.contains(&column.name()),
            })
        };
        let columns = self.model.preprocess.columns().iter().map(describe);
        json::to_python(py, &columns.collect::<Vec<_>>())
    }

    /// Columns without a feature, each with the reason.
    fn dropped(&self) -> Vec<(String, String)> {
        let dropped = self.model.preprocess.dropped().iter();
        dropped.map(|one| (one.column.clone(), one.reason.to_string())).collect()
    }

    /// Inputs of the network: name, raw column, offset, factor, and whether it reads them.
    fn features<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let used = inputs(&self.model.network);
        let features = self.model.preprocess.features().iter().enumerate().map(|(index, one)| {
            json!({
                "name": one.name,
                "column": one.column,
                "encoding": one.encoding,
                "offset": one.offset,
                "factor": one.factor,
                "used": used.contains(&index),
            })
        });
        json::to_python(py, &features.collect::<Vec<_>>())
    }

    /// Sizes of the network.
    fn size<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let mut size = serde_json::to_value(self.model.size).unwrap_or_default();
        size["bytes"] = json!(table_bytes(&self.model.network));
        json::to_python(py, &size)
    }

    /// The network: neurons, outputs and links.
    fn network<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        json::to_python(py, &self.model.network)
    }

    /// The network whose sums are in the units of the targets. Of classes the network as it is.
    fn network_in_units<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        json::to_python(py, &self.model.network_in_units())
    }

    /// The target columns.
    #[getter]
    fn targets(&self) -> Vec<String> {
        self.model.target_columns()
    }

    /// Metrics on the training rows and the test rows.
    fn metrics<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        json::to_python(py, &self.model.metrics)
    }

    /// The settings of the fit, every default filled in.
    fn settings<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        json::to_python(py, &self.model.settings)
    }

    /// How the search went.
    fn search<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        json::to_python(py, &self.model.search)
    }

    /// The seed of the split and the search.
    #[getter]
    fn seed(&self) -> u64 {
        self.model.settings.seed
    }

    /// The most likely class of each row, as its position in [`Model::classes`].
    fn predict<'py>(
        &self,
        py: Python<'py>,
        table: RawTable<'py>,
        threads: usize,
    ) -> PyResult<(Bound<'py, PyArray1<i64>>, Vec<String>)> {
        let found = predict::classes(&self.model, py, table, threads)?;
        Ok((PyArray1::from_vec(py, found.values), found.unseen))
    }

    /// The probability of each class, in the order of [`Model::classes`], bit for bit as the command
    /// line prints it.
    fn probabilities<'py>(
        &self,
        py: Python<'py>,
        table: RawTable<'py>,
        threads: usize,
    ) -> PyResult<Predictions<'py>> {
        matrix(py, predict::numbers(&self.model, py, table, threads, Wanted::Probabilities)?)
    }

    /// The numbers of each row, in the units of the targets.
    fn values<'py>(
        &self,
        py: Python<'py>,
        table: RawTable<'py>,
        threads: usize,
    ) -> PyResult<Predictions<'py>> {
        matrix(py, predict::numbers(&self.model, py, table, threads, Wanted::Values)?)
    }

    /// The sum of each output, before softmax or sigmoid.
    fn outputs<'py>(
        &self,
        py: Python<'py>,
        table: RawTable<'py>,
        threads: usize,
    ) -> PyResult<Predictions<'py>> {
        matrix(py, predict::numbers(&self.model, py, table, threads, Wanted::Outputs)?)
    }
}

fn matrix<'py>(py: Python<'py>, found: RowValues<f64>) -> PyResult<Predictions<'py>> {
    let RowValues { values, rows, unseen } = found;
    let shape = [rows, values.len() / rows.max(1)];
    Ok((PyArray1::from_vec(py, values).reshape(shape)?, unseen))
}

impl Model {
    /// The raw columns that the network depends on.
    fn used_columns(&self) -> Vec<&str> {
        let used = inputs(&self.model.network);
        let features = self.model.preprocess.features();
        used.into_iter().map(|index| features[index].column.as_str()).collect()
    }
}

/// The inputs that a network reads, each once.
pub fn inputs(network: &Network) -> Vec<usize> {
    let mut used: Vec<usize> = mge::net::module_features(network)
        .into_iter()
        .flatten()
        .map(|input| input as usize)
        .collect();
    used.sort_unstable();
    used.dedup();
    used
}
