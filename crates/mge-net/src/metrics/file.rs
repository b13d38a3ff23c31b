//! How files have metrics: with the fields of their task only.

use super::{Metrics, ValueMetrics};
use serde::{Deserialize, Serialize};

/// The fields of both tasks; those of the other one are left out.
#[derive(Serialize, Deserialize)]
pub(super) struct MetricsFile {
    rows: usize,
    loss: f64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    accuracy: Option<f64>,
    rmse: f64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    confusion: Option<Vec<Vec<u64>>>,
    #[serde(default, flatten, skip_serializing_if = "Option::is_none")]
    values: Option<ValueMetrics>,
}

impl From<Metrics> for MetricsFile {
    fn from(metrics: Metrics) -> Self {
        let Metrics { rows, loss, accuracy, rmse, confusion, values } = metrics;
        let is_classes = values.is_none();
        Self {
            rows,
            loss,
            accuracy: is_classes.then_some(accuracy),
            rmse,
            confusion: is_classes.then_some(confusion),
            values,
        }
    }
}

impl TryFrom<MetricsFile> for Metrics {
    type Error = &'static str;

    fn try_from(file: MetricsFile) -> Result<Self, Self::Error> {
        let MetricsFile { rows, loss, accuracy, rmse, confusion, values } = file;
        match (accuracy, confusion, values) {
            (Some(accuracy), Some(confusion), None) => {
                Ok(Self { rows, loss, accuracy, rmse, confusion, values: None })
            }
            (None, None, Some(values)) => {
                let (accuracy, confusion) = (values.r2, Vec::new());
                Ok(Self { rows, loss, accuracy, rmse, confusion, values: Some(values) })
            }
            _ => Err("metrics: expected accuracy and confusion, or r2, mae and outputs"),
        }
    }
}
