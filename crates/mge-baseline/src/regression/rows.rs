//! Checked rows with numeric targets. Baselines rely on the checks and repeat none of them.

use mge_net::{Columns, EvaluationError};

use crate::BaselineError;
use crate::model_selection::{ValidationSplit, stratified_splits};

/// Quantiles that each fold has about equally many rows of.
const MAX_STRATA: usize = 10;

/// Features and numeric targets of some rows.
#[derive(Debug, Clone, Copy)]
pub struct ValueRows<'a> {
    columns: &'a Columns,
    values: &'a [Vec<f64>],
}

impl<'a> ValueRows<'a> {
    /// Checks the rows. `values` has a list for each target.
    ///
    /// # Errors
    /// When there is no target, a target has not one value for each row, or a number is not finite.
    pub fn new(columns: &'a Columns, values: &'a [Vec<f64>]) -> Result<Self, BaselineError> {
        if values.is_empty() {
            return Err(EvaluationError::Outputs { outputs: 0 }.into());
        }
        for (target, values) in values.iter().enumerate() {
            if values.len() != columns.rows() {
                let (labels, rows) = (values.len(), columns.rows());
                return Err(EvaluationError::Labels { labels, rows }.into());
            }
            if let Some(row) = values.iter().position(|value| !value.is_finite()) {
                return Err(BaselineError::Value { row, target, value: values[row] });
            }
        }
        for column in 0..columns.count() {
            let values = columns.column(column);
            if let Some(row) = values.iter().position(|value| !value.is_finite()) {
                return Err(EvaluationError::NotFinite { row, column, value: values[row] }.into());
            }
        }
        Ok(Self { columns, values })
    }

    /// The features.
    pub fn columns(&self) -> &'a Columns {
        self.columns
    }

    /// The values of each target.
    pub fn values(&self) -> &'a [Vec<f64>] {
        self.values
    }

    /// The number of rows.
    pub fn len(&self) -> usize {
        self.columns.rows()
    }

    /// Whether there are no rows.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    pub(crate) fn targets(&self) -> impl Iterator<Item = TargetRows<'a>> {
        let columns = self.columns;
        self.values.iter().map(move |values| TargetRows { columns, values })
    }
}

/// Features and the values of one target.
#[derive(Debug, Clone, Copy)]
pub(crate) struct TargetRows<'a> {
    pub(crate) columns: &'a Columns,
    pub(crate) values: &'a [f64],
}

impl TargetRows<'_> {
    pub(crate) fn len(&self) -> usize {
        self.values.len()
    }

    /// The mean value; zero without rows.
    pub(crate) fn mean(&self) -> f64 {
        self.values.iter().sum::<f64>() / self.len().max(1) as f64
    }

    /// Rows to train on and rows to validate on, stratified by quantiles of the target.
    pub(crate) fn validation_splits(&self, max_rows: usize, seed: u64) -> Vec<ValidationSplit> {
        let mut order: Vec<u32> = (0..self.len() as u32).collect();
        let value = |row: u32| self.values[row as usize];
        order.sort_by(|&a, &b| value(a).total_cmp(&value(b)));
        let mut strata = vec![0; self.len()];
        for (rank, &row) in order.iter().enumerate() {
            strata[row as usize] = (rank * MAX_STRATA / self.len()) as u32;
        }
        stratified_splits(&strata, max_rows, seed)
    }

    /// Copies some of the rows, in this order.
    pub(crate) fn take(&self, order: &[u32]) -> OwnedTargetRows {
        let values = order.iter().map(|&row| self.values[row as usize]).collect();
        OwnedTargetRows { columns: self.columns.select(order), values }
    }
}

/// A copy of some rows.
pub(crate) struct OwnedTargetRows {
    columns: Columns,
    values: Vec<f64>,
}

impl OwnedTargetRows {
    pub(crate) fn rows(&self) -> TargetRows<'_> {
        TargetRows { columns: &self.columns, values: &self.values }
    }
}

/// The squared error of each prediction.
pub(crate) fn squared_errors(predictions: &[f64], values: &[f64]) -> Vec<f64> {
    predictions.iter().zip(values).map(|(a, b)| (a - b) * (a - b)).collect()
}
