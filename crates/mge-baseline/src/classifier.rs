//! The contract of all baselines.

use crate::rows::LabelledRows;
use mge_net::{Columns, EvaluationError};
use thiserror::Error;

/// A fitted baseline: it predicts a class for each row.
pub trait BaselineClassifier: std::fmt::Debug + Send + Sync {
    /// Predicts the class of each row.
    ///
    /// # Panics
    /// When the number of columns differs from that of the training rows.
    fn predict(&self, columns: &Columns) -> Vec<u32>;

    /// The cost of one prediction.
    fn cost(&self) -> PredictionCost;

    /// The fraction of rows that it predicts correctly; zero when there are no rows.
    fn accuracy(&self, rows: &LabelledRows<'_>) -> f64 {
        let predictions = self.predict(rows.columns());
        let correct = predictions.iter().zip(rows.labels()).filter(|(a, b)| a == b).count();
        correct as f64 / rows.len().max(1) as f64
    }
}

/// The cost of one prediction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PredictionCost {
    /// Operations, counted as [`mge_net::Size`] counts them. A comparison is one operation.
    pub operations: usize,
    /// Bytes of the parameter table, counted as [`mge_net::table_bytes`] counts them. Code does not
    /// count.
    pub bytes: usize,
}

/// A baseline that cannot be fitted.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum BaselineError {
    /// The rows cannot be evaluated.
    #[error(transparent)]
    Evaluation(#[from] EvaluationError),
    /// A target of numbers has a value that is not finite.
    #[error("row {row}: the value of target {target} is {value}; expected a finite number")]
    Value {
        /// The row, from 0.
        row: usize,
        /// The target, from 0.
        target: usize,
        /// The value.
        value: f64,
    },
    /// The fit would take too long.
    #[error("{name} has {links} links on this table; expected at most {max}")]
    TooLarge {
        /// The name of the baseline.
        name: &'static str,
        /// Features times outputs.
        links: usize,
        /// The largest number that is fitted.
        max: usize,
    },
}
