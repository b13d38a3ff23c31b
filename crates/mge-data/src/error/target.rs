//! Errors of numeric targets, and of lists of targets.

use crate::bad_cell::BadCell;
use crate::truncated_list::TruncatedList;

/// Why target columns cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum TargetError {
    /// A target column that is named twice.
    #[error("column `{column}` is named twice as a target")]
    Twice {
        /// The column.
        column: String,
    },
    /// Several targets where classes are asked for.
    #[error("{file}: {} targets ({}); classes need one target, and several targets must be numbers",
        .targets.len(), .targets.join(", "))]
    SeveralClasses {
        /// The table.
        file: String,
        /// The target columns.
        targets: Vec<String>,
    },
    /// Text in a target of numbers.
    #[error(
        "{file}: text in a target that is to be a number:{cells}\n\
        correct the cells or remove the rows; if the target names classes, use --task classify"
    )]
    Text {
        /// The table.
        file: String,
        /// The cells.
        cells: TruncatedList<BadCell>,
    },
    /// Rows without a value.
    #[error("{file}: {} without a number in target `{target}`:{locations}\n\
        add the numbers or remove the rows", super::count(.locations.total(), "row"))]
    Missing {
        /// The table.
        file: String,
        /// The target column.
        target: String,
        /// Where the rows stand.
        locations: TruncatedList<String>,
    },
    /// Numbers whose squares are too large, or that are infinite.
    #[error(
        "{file}: numbers of a target must be finite and at most 1e18 in size:{cells}\n\
        if these are no errors, divide the column by a power of ten"
    )]
    TooLarge {
        /// The table.
        file: String,
        /// The cells.
        cells: TruncatedList<BadCell>,
    },
    /// All values are equal.
    #[error("{part}: target `{target}` is {value} in every row; expected two or more values")]
    Constant {
        /// The table, or a part of it.
        part: String,
        /// The target column.
        target: String,
        /// The value.
        value: f64,
    },
    /// Values so near to each other that 32-bit numbers cannot tell them apart.
    #[error(
        "{part}: the numbers of target `{target}` differ only beyond the seven digits that a \
        network computes with (mean {mean}, deviation {deviation:.3e}); subtract their common part"
    )]
    Indistinct {
        /// The table, or a part of it.
        part: String,
        /// The target column.
        target: String,
        /// Their mean.
        mean: f64,
        /// Their standard deviation.
        deviation: f64,
    },
    /// Values that are too small to be squared.
    #[error(
        "{part}: the numbers of target `{target}` differ by too little (deviation {deviation:.3e}); \
        expected at least 1e-18: multiply the column by a power of ten"
    )]
    TooSmall {
        /// The table, or a part of it.
        part: String,
        /// The target column.
        target: String,
        /// Their standard deviation.
        deviation: f64,
    },
    /// Too few rows to learn numbers from.
    #[error("{part}: {} for target `{target}`; expected at least {min}",
        super::count(*rows, "row"))]
    TooFewRows {
        /// The table, or a part of it.
        part: String,
        /// The target column.
        target: String,
        /// How many rows.
        rows: usize,
        /// The smallest number of rows.
        min: usize,
    },
}
