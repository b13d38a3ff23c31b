//! The mean: the error that every other model must stay below.

use mge_net::Columns;

use super::rows::TargetRows;
use super::{BaselineRegressor, RegressionBaseline};
use crate::PredictionCost;

pub(super) const BASELINE: RegressionBaseline = RegressionBaseline {
    name: "mean",
    summary: "Always predicts the mean of the training rows.",
    max_features: None,
    fit: |rows, _| Box::new(Mean::fit(rows)),
};

/// Predicts one value for every row.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Mean {
    value: f64,
}

impl Mean {
    pub(super) fn fit(rows: &TargetRows<'_>) -> Self {
        Self { value: rows.mean() }
    }
}

impl BaselineRegressor for Mean {
    fn predict(&self, columns: &Columns) -> Vec<f64> {
        vec![self.value; columns.rows()]
    }

    /// No operation, and four bytes for the value.
    fn cost(&self) -> PredictionCost {
        PredictionCost { operations: 0, bytes: 4 }
    }
}
