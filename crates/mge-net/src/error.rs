//! Errors of evaluators: network, rows and labels do not fit together.

use thiserror::Error;

use crate::simd::LevelError;

/// Why rows cannot be evaluated.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum EvaluationError {
    /// The data has another number of features than the network.
    #[error("the network expects {expected} features, but the data has {found}")]
    Features {
        /// What the network expects.
        expected: usize,
        /// What the data has.
        found: usize,
    },
    /// There is not one label for each row.
    #[error("{labels} labels for {rows} rows; expected one label for each row")]
    Labels {
        /// How many labels there are.
        labels: usize,
        /// How many rows there are.
        rows: usize,
    },
    /// There is not one number for each row and output.
    #[error("{values} target values for {rows} rows of {outputs}; expected {}", rows * outputs)]
    Values {
        /// How many numbers there are.
        values: usize,
        /// How many a row has.
        outputs: usize,
        /// How many rows there are.
        rows: usize,
    },
    /// A target is infinite or NaN.
    #[error("row {row}, target {output}: {value} (counted from 0); expected a finite number")]
    TargetNotFinite {
        /// The row, counted from 0.
        row: usize,
        /// The output, counted from 0.
        output: usize,
        /// The value.
        value: f32,
    },
    /// The loss is not one of these targets, or its parameter is out of range.
    #[error("loss {loss} does not fit the targets; expected one of {expected}")]
    Loss {
        /// The loss.
        loss: crate::Loss,
        /// The names of those that fit.
        expected: String,
    },
    /// A label is not the index of a class.
    #[error("row {row}: label {label} is out of range; expected 0 to {}", classes - 1)]
    NoSuchClass {
        /// The row, counted from 0.
        row: usize,
        /// Its label.
        label: u32,
        /// How many classes there are.
        classes: usize,
    },
    /// A value is infinite or NaN.
    #[error("row {row}, column {column}: {value} (counted from 0); expected a finite number")]
    NotFinite {
        /// The row, counted from 0.
        row: usize,
        /// The column, counted from 0.
        column: usize,
        /// The value.
        value: f32,
    },
    /// No network can have this number of outputs.
    #[error("{outputs} outputs; expected 1 to {}", crate::MAX_OUTPUTS)]
    Outputs {
        /// The number.
        outputs: usize,
    },
    /// The network has another number of outputs than its meaning asks for.
    #[error("the network has {found} outputs, expected {expected}")]
    OutputCount {
        /// What the network has.
        found: usize,
        /// What the output link asks for.
        expected: usize,
    },
    /// The predictions are about another number of classes than the targets.
    #[error("the predictions have {found} classes, but the targets have {expected}")]
    ClassCount {
        /// Classes of the predictions.
        found: usize,
        /// Classes of the targets.
        expected: usize,
    },
    /// Class weights for targets that are numbers.
    #[error("numbers have no classes to balance; expected targets that are classes")]
    NothingToBalance,
    /// The requested SIMD level cannot be used.
    #[error(transparent)]
    Level(#[from] LevelError),
}
