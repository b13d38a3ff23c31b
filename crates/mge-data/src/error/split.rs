//! Errors of splits.

use crate::bad_cell::BadCell;
use crate::truncated_list::TruncatedList;

/// Why rows cannot be split.
#[derive(Debug, thiserror::Error)]
pub enum SplitError {
    /// A fraction that leaves one part empty.
    #[error("the training part must be a fraction above 0 and up to 1; got {fraction}")]
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
    /// Too few groups for the parts.
    #[error(
        "the rows are in {}, expected at least {parts}: each part needs a group of its own",
        super::count(*groups, "group")
    )]
    Groups {
        /// The number of groups.
        groups: usize,
        /// The number of parts.
        parts: usize,
    },
    /// All rows have the same time.
    #[error("all {rows} rows have the same time; expected at least two different ones")]
    OneTime {
        /// The number of rows.
        rows: usize,
    },
    /// Rows without a group or a time.
    #[error("{file}: column `{column}` is empty in {}; expected {expected}:{locations}",
        super::count(locations.total(), "row"))]
    MissingCells {
        /// The table.
        file: String,
        /// The column.
        column: String,
        /// What was expected.
        expected: &'static str,
        /// Where.
        locations: TruncatedList<String>,
    },
    /// Cells that are no time.
    #[error(
        "{file}: column `{column}` orders the rows, expected numbers or dates such as 2024-05-31 or \
         2024-05-31 14:05:00; {} not:{cells}",
        if cells.total() == 1 { "one cell is".to_owned() } else { format!("{} cells are", cells.total()) }
    )]
    NoTime {
        /// The table.
        file: String,
        /// The column.
        column: String,
        /// The cells.
        cells: TruncatedList<BadCell>,
    },
    /// Numbers and dates in one column.
    #[error("{file}: column `{column}` holds numbers and dates; expected one of them")]
    MixedTimes {
        /// The table.
        file: String,
        /// The column.
        column: String,
    },
    /// Cells that are no weight.
    #[error(
        "{file}: column `{column}` weighs the rows, expected numbers from 0 on; {} not:{cells}",
        if cells.total() == 1 { "one cell is".to_owned() } else { format!("{} cells are", cells.total()) }
    )]
    NoWeight {
        /// The table.
        file: String,
        /// The column.
        column: String,
        /// The cells.
        cells: TruncatedList<BadCell>,
    },
}
