//! The front of a fit: listed, and another network of it picked.

use crate::error::Kind;
use crate::json;
use crate::model::Model;
use mge::hybrid::HybridParams;
use mge::net::{Size, table_bytes};
use mge::{FrontNetwork, MethodTable, NetworkFront, PartMetrics};
use pyo3::prelude::*;
use serde_json::{Map, Value, json};

fn read(front: &[u8]) -> PyResult<NetworkFront> {
    serde_json::from_slice(front).map_err(|error| Kind::Model.error(error))
}

/// The networks of a front, by rising cost, with their validation figures. The one of `model` is
/// marked.
#[pyfunction]
pub fn front<'py>(py: Python<'py>, front: &[u8], model: &Model) -> PyResult<Bound<'py, PyAny>> {
    let line = |point: &FrontNetwork| {
        let member = &point.member;
        let size = Size::of(&member.network);
        json!({
            "operations": size.operations,
            "bytes": table_bytes(&member.network),
            "features": size.features,
            "neurons": size.neurons,
            "cost": member.cost(),
            "loss": member.loss,
            "standard_error": member.standard_error,
            "accuracy": member.accuracy,
            "picked": member.network == model.get().network,
        })
    };
    json::to_python(py, &read(front)?.points.iter().map(line).collect::<Vec<_>>())
}

/// The model with the network of the front that limits and rule pick. What `wanted` (JSON) does not
/// say is as in the settings of the fit. `metrics` are those of all networks of the front.
#[pyfunction]
pub fn pick(
    py: Python<'_>,
    model: &Model,
    front: &[u8],
    metrics: &[u8],
    wanted: &str,
) -> PyResult<Model> {
    let model = model.get();
    let front = read(front)?;
    let metrics: Vec<Option<PartMetrics>> =
        serde_json::from_slice(metrics).map_err(|error| Kind::Model.error(error))?;
    let wanted: Map<String, Value> =
        serde_json::from_str(wanted).map_err(|error| Kind::Settings.error(error))?;
    py.detach(|| {
        let own = model.settings.method.get::<HybridParams>().cloned().unwrap_or_default();
        let mut table = MethodTable::default();
        wanted.into_iter().for_each(|(name, value)| table.set(&name, value));
        let params = table.apply(&own).map_err(|error| Kind::Settings.error(error))?;
        let params = params.check().map_err(|error| Kind::Settings.error(error))?;
        let picked = front.pick(&params.limits(), params.pick()).ok_or_else(|| {
            let smallest = front.points.iter().min_by_key(|point| point.member.operations);
            let smallest = smallest.map(|point| {
                let network = &point.member.network;
                let (operations, bytes) = (point.member.operations, table_bytes(network));
                format!("; the smallest has {operations} operations and {bytes} bytes")
            });
            let smallest = smallest.unwrap_or_default();
            Kind::Search.message(format!("no network of the front keeps the limits{smallest}"))
        })?;
        let index = front.points.iter().position(|point| point == picked).unwrap_or_default();
        let metrics = metrics.into_iter().nth(index).flatten().ok_or_else(|| {
            Kind::Model.message("the front has no metrics of its networks".to_owned())
        })?;
        Ok(Model::new(model.clone().with_network(&picked.member, metrics)))
    })
}
