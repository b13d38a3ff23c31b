//! What was understood or assumed on the way, so that nothing is guessed in silence.

use std::fmt;

/// One thing that a reader assumed or that a user should know.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
#[serde(tag = "note", rename_all = "snake_case")]
pub enum Note {
    /// No target was named.
    TargetGuessed {
        /// The column that was taken.
        column: String,
        /// Whether its name told, or only its place.
        by_name: bool,
    },
    /// A column of text in which some cells are numbers.
    MixedColumn {
        /// The column.
        column: String,
        /// The share of numbers.
        share: f64,
    },
    /// A column without a name in the header.
    UnnamedColumn {
        /// Its place, from 1.
        place: usize,
        /// The name that it got.
        name: String,
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
            Note::MixedColumn { column, share } => write!(
                f,
                "column `{column}` is taken as categories, though {:.0} % of it are numbers",
                100.0 * share
            ),
            Note::UnnamedColumn { place, name } => {
                write!(f, "column {place} has no name in the header and is called `{name}`")
            }
            Note::DataFolder { file } => write!(f, "read from {file}"),
        }
    }
}
