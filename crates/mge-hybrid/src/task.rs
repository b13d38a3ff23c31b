//! What a search is asked to do, and why it cannot.

use mge_net::{Columns, EvaluationError, Loss};
use thiserror::Error;

/// A table, with what is asked of a network on it.
#[derive(Debug, Clone, Copy)]
pub struct Task<'a> {
    /// The features, scaled to about the same size.
    pub columns: &'a Columns,
    /// The class of each row.
    pub labels: &'a [u32],
    /// How many classes there are.
    pub classes: usize,
    /// What is minimised.
    pub loss: Loss,
    /// Whether all classes count the same, however few rows they have. Rows of small classes are
    /// then repeated.
    pub is_balanced: bool,
}

/// A search that cannot be made.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum HybridError {
    /// The table cannot be evaluated.
    #[error(transparent)]
    Evaluation(#[from] EvaluationError),
    /// Fewer operations than any network needs.
    #[error(
        "max_ops is {found}, expected at least {least}: each of the outputs costs four operations, \
         and one connection two"
    )]
    Budget {
        /// The limit.
        found: usize,
        /// What the smallest network costs.
        least: usize,
    },
    /// Fewer bytes than any network needs.
    #[error(
        "max_bytes is {found}, expected at least {least}: what a network with a single connection \
         takes as a table of 8-bit weights"
    )]
    Bytes {
        /// The limit.
        found: usize,
        /// What the smallest network takes.
        least: usize,
    },
    /// A network to start from that is none for this table.
    #[error(
        "a network to start from has {} features and {} outputs, expected {} and {} as in the data",
        found.0, found.1, expected.0, expected.1
    )]
    Start {
        /// Features and outputs of the network.
        found: (usize, usize),
        /// Those of the data.
        expected: (usize, usize),
    },
}
