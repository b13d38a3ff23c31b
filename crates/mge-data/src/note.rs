//! The assumptions of readers, so that no guess is silent.

use std::fmt;

use crate::error::count;

/// An assumption of a reader, or another fact that the user should know.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
#[serde(tag = "note", rename_all = "snake_case")]
pub enum Note {
    /// No target was named.
    TargetGuessed {
        /// The column that was taken.
        column: String,
        /// Whether it was chosen by its name or by its position.
        by_name: bool,
    },
    /// A column of text in which some cells are numbers.
    MixedColumn {
        /// The column.
        column: String,
        /// The fraction of numbers.
        fraction: f64,
    },
    /// A word that stands for missing cells in a column of numbers.
    TakenAsMissing {
        /// The column.
        column: String,
        /// The word.
        word: String,
        /// How many cells.
        cells: usize,
    },
    /// A column of numbers in which words for yes and no count as 1 and 0.
    BooleansAsNumbers {
        /// The column.
        column: String,
    },
    /// A column of numbers whose differences are too small for 32-bit numbers.
    Indistinct {
        /// The column.
        column: String,
    },
    /// A column that the file declares as text and that holds only numbers.
    NumbersAsText {
        /// The column.
        column: String,
    },
    /// Values that the file does not declare; they are kept.
    Undeclared {
        /// The column.
        column: String,
        /// How many cells.
        cells: usize,
    },
    /// A column without a name in the header.
    UnnamedColumn {
        /// Its position, from 1.
        position: usize,
        /// The name that it got.
        name: String,
    },
    /// A column that only numbers the rows; it is left out.
    RowNumbers {
        /// The column.
        column: String,
    },
    /// Cells are not separated by commas.
    Delimiter {
        /// The separator.
        delimiter: String,
    },
    /// Numbers have a decimal comma.
    DecimalComma,
    /// The first row holds data, not names.
    NoHeader,
    /// The first row is taken as names, though some are numbers.
    NumericHeader {
        /// The row.
        row: String,
    },
    /// The first row names columns that the model knows by their positions.
    HeaderSkipped {
        /// The row.
        row: String,
    },
    /// Comments above the table.
    Comments {
        /// How many lines.
        lines: usize,
    },
    /// Blank lines between rows.
    BlankLines {
        /// How many.
        lines: u64,
        /// The first of them, from 1.
        first: u64,
        /// Whether they are rows, as in a table of one column, or are skipped.
        are_rows: bool,
    },
    /// The labels are in a separate file next to the named one.
    LabelFile {
        /// The file.
        file: String,
    },
    /// A format that counts features from 1, in a file that counts from 0.
    CountsFromZero,
    /// A part of the file that is not used.
    Ignored {
        /// What it is, and how much of it.
        what: String,
    },
    /// The arrays of an archive that were taken.
    Arrays {
        /// The features.
        features: String,
        /// The labels.
        labels: String,
    },
    /// The arrays of an archive that are its test part.
    TestArrays {
        /// The features.
        features: String,
        /// The labels.
        labels: String,
    },
    /// A built-in data set came from a data folder.
    DataFolder {
        /// The file.
        file: String,
    },
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Note::TargetGuessed { column, by_name: true } => {
                write!(f, "the labels are taken from column `{column}`, by its name")
            }
            Note::TargetGuessed { column, by_name: false } => {
                write!(f, "the labels are taken from the last column, `{column}`")
            }
            Note::MixedColumn { column, fraction } => write!(
                f,
                "column `{column}` is taken as categories, though {:.0} % of it are numbers",
                100.0 * fraction
            ),
            Note::TakenAsMissing { column, word, cells } => write!(
                f,
                "column `{column}` is numbers, so its {} `{word}` {} taken as missing",
                count(*cells, "cell"),
                if *cells == 1 { "is" } else { "are" }
            ),
            Note::BooleansAsNumbers { column } => write!(
                f,
                "column `{column}` is numbers, so its words for yes and no are taken as 1 and 0"
            ),
            Note::Indistinct { column } => write!(
                f,
                "column `{column}`: its numbers differ only beyond the seven digits that are kept, \
                 so they are all equal; subtract their common part, or take them as categories \
                 (--as-category)"
            ),
            Note::NumbersAsText { column } => write!(
                f,
                "column `{column}` is declared as text but holds only numbers, and is taken as such"
            ),
            Note::Undeclared { column, cells } => write!(
                f,
                "column `{column}`: {} with values that the file does not declare",
                count(*cells, "cell")
            ),
            Note::UnnamedColumn { position, name } => {
                write!(f, "column {position} has no name in the header and is called `{name}`")
            }
            Note::RowNumbers { column } => {
                write!(f, "column `{column}` only numbers the rows and is left out")
            }
            Note::Delimiter { delimiter } => write!(f, "cells are separated by {delimiter}"),
            Note::DecimalComma => f.write_str("numbers have a decimal comma"),
            Note::NoHeader => f.write_str(
                "the first row is taken as data, so the columns are called column_1, column_2, ...",
            ),
            Note::NumericHeader { row } => {
                write!(f, "the first row is taken as names, though it has numbers: `{row}`")
            }
            Note::HeaderSkipped { row } => write!(
                f,
                "the first row is taken as a header, and columns are found by position, since \
                 the model was made from a table without names: `{row}`"
            ),
            Note::Comments { lines } => {
                let lines = count(*lines, "line");
                write!(f, "{lines} above the table with a # in front: skipped")
            }
            Note::BlankLines { lines, first, are_rows } => {
                let lines = count(*lines as usize, "blank line");
                let taken = if *are_rows { "taken as rows without a value" } else { "skipped" };
                write!(f, "{lines} between rows: {taken} (the first is line {first})")
            }
            Note::LabelFile { file } => write!(f, "the labels are read from {file}"),
            Note::CountsFromZero => {
                f.write_str("the file counts features from 0; number 0 is called column_1")
            }
            Note::Ignored { what } => write!(f, "{what}"),
            Note::Arrays { features, labels } => {
                write!(f, "the features are array `{features}`, the labels array `{labels}`")
            }
            Note::TestArrays { features, labels } => {
                write!(f, "the test rows are arrays `{features}` and `{labels}`")
            }
            Note::DataFolder { file } => write!(f, "read from {file}"),
        }
    }
}
