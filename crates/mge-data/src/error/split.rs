//! What is wrong with a way to part rows.

/// Why rows cannot be parted.
#[derive(Debug, thiserror::Error)]
pub enum SplitError {
    /// A share of rows that leaves nothing for one part.
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
    /// A number of folds that cannot be.
    #[error("cannot make {folds} folds of {rows} rows; expected 2 to {rows}")]
    Folds {
        /// The number of folds.
        folds: usize,
        /// The number of rows.
        rows: usize,
    },
}
