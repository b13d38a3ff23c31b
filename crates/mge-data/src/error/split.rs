//! Errors of splits.

/// Why rows cannot be split.
#[derive(Debug, thiserror::Error)]
pub enum SplitError {
    /// A fraction that leaves one part empty.
    #[error("the training part must be a fraction between 0 and 1, both excluded; got {fraction}")]
    Fraction {
        /// The fraction.
        fraction: f64,
    },
    /// A split with an empty part.
    #[error(
        "{rows} rows at a training fraction of {fraction} leave {train} to train on and \
        {test} to test on; expected at least one each"
    )]
    EmptyPart {
        /// All rows.
        rows: usize,
        /// The fraction.
        fraction: f64,
        /// Rows to train on.
        train: usize,
        /// Rows to test on.
        test: usize,
    },
    /// An impossible number of folds.
    #[error("cannot make {folds} folds of {rows} rows; expected 2 to {rows}")]
    Folds {
        /// The number of folds.
        folds: usize,
        /// The number of rows.
        rows: usize,
    },
}
