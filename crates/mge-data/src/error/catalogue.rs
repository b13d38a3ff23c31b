//! Errors of built-in data sets.

use crate::nearest::hint;
use crate::truncated_list::TruncatedList;

/// Why a built-in data set cannot be loaded.
#[derive(Debug, thiserror::Error)]
pub enum CatalogueError {
    /// Neither a file nor a built-in data set.
    #[error("`{name}` is neither a file nor a built-in data set{}\nbuilt in: {}",
        hint(.nearest), .known.join(", "))]
    UnknownName {
        /// The name as given.
        name: String,
        /// The most similar built-in name.
        nearest: Option<String>,
        /// All built-in names.
        known: Vec<&'static str>,
    },
    /// A built-in data set that is not part of the program, and its file is nowhere.
    #[error(
        "data set `{dataset}` is not part of the program and needs the file `{file}`; \
        looked in:{paths}\nput it there, or name its folder with --data-dir or MGE_DATA_DIR"
    )]
    DatasetFileMissing {
        /// The built-in name.
        dataset: &'static str,
        /// The file that is missing.
        file: String,
        /// Every path that was tried.
        paths: TruncatedList<String>,
    },
    /// A file in a data folder does not hold the expected data set.
    #[error("{file}: not the data set `{dataset}`: expected {expected}, found {found}")]
    NotTheDataset {
        /// The file.
        file: String,
        /// The built-in name.
        dataset: &'static str,
        /// The catalogue's shape.
        expected: String,
        /// The file's shape.
        found: String,
    },
}
