//! A network by itself, without preprocessing: what a user's own fitness function receives.

use crate::error::Kind;
use crate::json;
use mge::net::{Formula, Network as Inner, Size, reference, table_bytes};
use numpy::{PyArray1, PyArray2, PyArrayMethods, PyReadonlyArray2};
use pyo3::prelude::*;
use serde_json::json;

/// A network that maps features to the sums of its outputs.
#[pyclass(frozen, module = "mge._mge")]
pub struct Phenotype {
    network: Inner,
}

impl Phenotype {
    pub fn new(network: Inner) -> Self {
        Self { network }
    }
}

#[pymethods]
impl Phenotype {
    /// A network from JSON, as `to_json` writes it.
    #[staticmethod]
    fn from_json(json: &str) -> PyResult<Self> {
        let network = serde_json::from_str(json).map_err(|error| Kind::Model.error(error))?;
        Ok(Self { network })
    }

    /// The network as JSON.
    fn to_json(&self) -> PyResult<String> {
        serde_json::to_string(&self.network).map_err(|error| Kind::Model.error(error))
    }

    /// The sum of each output for each row of a matrix of single precision.
    fn outputs<'py>(
        &self,
        py: Python<'py>,
        rows: PyReadonlyArray2<'py, f32>,
    ) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let rows = rows.as_array();
        let (count, inputs) = (rows.nrows(), rows.ncols());
        if inputs != self.network.inputs() {
            let expected = self.network.inputs();
            let message = format!("X has {inputs} features, expected {expected}");
            return Err(Kind::Data.message(message));
        }
        let outputs = self.network.outputs().len();
        let values: Vec<f64> = py.detach(|| {
            let mut row = vec![0.0; inputs];
            let mut values = Vec::with_capacity(count * outputs);
            for cells in rows.rows() {
                row.iter_mut().zip(cells).for_each(|(value, cell)| *value = *cell);
                values.extend(reference::outputs(&self.network, &row));
            }
            values
        });
        PyArray1::from_vec(py, values).reshape([count, outputs])
    }

    /// Sizes of the network.
    fn size<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let mut size = serde_json::to_value(Size::of(&self.network)).unwrap_or_default();
        size["bytes"] = json!(table_bytes(&self.network));
        json::to_python(py, &size)
    }

    /// Neurons, outputs and links.
    fn parts<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        json::to_python(py, &self.network)
    }

    /// The formula of each output.
    fn formula(&self) -> String {
        Formula::of(&self.network).to_string()
    }

    fn __repr__(&self) -> String {
        let Size { neurons, connections, features, operations, .. } = Size::of(&self.network);
        format!(
            "<Phenotype: {neurons} hidden neurons, {connections} connections, {features} features, \
             {operations} operations>"
        )
    }
}
