//! The contract of all rivals.

use crate::rows::Rows;
use mge_net::{Columns, EvaluationError};
use thiserror::Error;

/// Something that answers with a class.
pub trait Classifier: std::fmt::Debug + Send + Sync {
    /// The class of each row.
    ///
    /// # Panics
    /// When there are not as many columns as in the rows it was made from.
    fn predict(&self, columns: &Columns) -> Vec<u32>;

    /// What it costs.
    fn cost(&self) -> Cost;

    /// The share of rows that it gets right; zero when there are none.
    fn accuracy(&self, rows: &Rows<'_>) -> f64 {
        let answers = self.predict(rows.columns());
        let right = answers.iter().zip(rows.labels()).filter(|(a, b)| a == b).count();
        right as f64 / rows.len().max(1) as f64
    }
}

/// What a classifier costs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cost {
    /// Operations of one prediction, counted as [`mge_net::Size`] does; a comparison is one.
    pub operations: usize,
    /// Bytes of its table, counted as [`mge_net::table_bytes`] does; code is not counted.
    pub bytes: usize,
}

/// A rival that cannot be made.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum BaselineError {
    /// The rows cannot be evaluated.
    #[error(transparent)]
    Evaluation(#[from] EvaluationError),
    /// It would take too long.
    #[error("a linear classifier here has {links} links; expected at most {most}")]
    TooLarge {
        /// Features times outputs.
        links: usize,
        /// The most that is tried.
        most: usize,
    },
}
