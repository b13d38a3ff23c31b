//! Errors of tables, each with what the user can do about it.
//!
//! Each message names the file, the location, what was found and what was expected.

mod catalogue;
mod format;
mod split;
mod target;

pub use catalogue::CatalogueError;
pub use format::FormatError;
pub use split::SplitError;
pub use target::TargetError;

use crate::bad_cell::{BadCell, RaggedRow, shorten};
use crate::nearest::{hint, nearest};
use crate::truncated_list::TruncatedList;

/// Why a table cannot be loaded or used.
#[derive(Debug, thiserror::Error)]
pub enum DataError {
    /// The content violates its format.
    #[error(transparent)]
    Format(#[from] FormatError),
    /// A built-in data set cannot be loaded.
    #[error(transparent)]
    Catalogue(#[from] CatalogueError),
    /// The rows cannot be split.
    #[error(transparent)]
    Split(#[from] SplitError),
    /// The targets cannot be used.
    #[error(transparent)]
    Target(#[from] TargetError),
    /// There is no such file.
    #[error("{file}: no such file")]
    NoSuchFile {
        /// The path as given.
        file: String,
    },
    /// A folder where a file was expected.
    #[error("{file}: is a folder; expected a file")]
    IsFolder {
        /// The path as given.
        file: String,
    },
    /// The operating system refused.
    #[error("{file}: cannot be read: {source}")]
    Io {
        /// The path as given.
        file: String,
        /// The operating system's reason.
        source: std::io::Error,
    },
    /// Compressed data that does not unpack.
    #[error("{file}: the gzip data is damaged or truncated: {source}")]
    Gzip {
        /// The path as given.
        file: String,
        /// What the unpacker says.
        source: std::io::Error,
    },
    /// Nothing in the file.
    #[error("{file}: is empty; expected a header line and rows")]
    Empty {
        /// The path as given.
        file: String,
    },
    /// A header and no rows.
    #[error("{file}: has a header ({}) but no rows", count(*.columns, "column"))]
    HeaderOnly {
        /// The path as given.
        file: String,
        /// How many columns the header names.
        columns: usize,
    },
    /// A first line without the names that a model needs.
    #[error(
        "{file}, line {line}: `{found}` names none of the columns that are needed; \
        expected a header with their names:{columns}"
    )]
    NoHeader {
        /// The path as given.
        file: String,
        /// The line.
        line: u64,
        /// How it begins.
        found: String,
        /// The columns.
        columns: TruncatedList<String>,
    },
    /// Bytes that are not text.
    #[error(
        "{file}, line {line}, byte {byte}: not UTF-8 text: `{found}`; \
        expected UTF-8 (convert the file, for example with iconv)"
    )]
    NotUtf8 {
        /// The path as given.
        file: String,
        /// The line.
        line: u64,
        /// The first bad byte of that line, from 1.
        byte: usize,
        /// The line's beginning, bad bytes shown as the replacement character.
        found: String,
    },
    /// A quotation mark that is never closed.
    #[error("{file}, line {line}: the quotation mark is never closed: `{}`", shorten(.found))]
    OpenQuote {
        /// The path as given.
        file: String,
        /// The line the cell starts on.
        line: u64,
        /// How the row begins.
        found: String,
    },
    /// Rows of another length than the table is wide.
    #[error("{file}: {} of another length than the table, which has {}:{rows}",
        count(.rows.total(), "row"), count(*.expected, "column"))]
    Ragged {
        /// The path as given.
        file: String,
        /// How many columns there are.
        expected: usize,
        /// The rows.
        rows: TruncatedList<RaggedRow>,
    },
    /// Column names that occur more than once.
    #[error("{file}: column names must differ; these occur more than once:{names}")]
    DuplicateColumns {
        /// The path as given.
        file: String,
        /// The names.
        names: TruncatedList<String>,
    },
    /// Columns of a table made by a program differ in length.
    #[error("{file}: column `{column}` has {found} cells; expected {expected}, as in the first")]
    UnequalColumns {
        /// The table's name.
        file: String,
        /// The column.
        column: String,
        /// Its length.
        found: usize,
        /// The first column's length.
        expected: usize,
    },
    /// A table made by a program holds an infinite number.
    #[error("{file}: column `{column}`, row {row} (from 0) is infinite; expected a finite number")]
    InfiniteCell {
        /// The table's name.
        file: String,
        /// The column.
        column: String,
        /// The row, from 0.
        row: usize,
    },
    /// A column that was asked for does not exist.
    #[error("{file}: no column `{wanted}`{}\ncolumns: {}", hint(.nearest), some_of(.known))]
    NoSuchColumn {
        /// The path as given.
        file: String,
        /// The name that was asked for.
        wanted: String,
        /// The most similar name.
        nearest: Option<String>,
        /// The names there are.
        known: Vec<String>,
    },
    /// A model needs columns that the table lacks.
    #[error("{file}: lacks {} that the model needs:{columns}", count(.columns.total(), "column"))]
    MissingColumns {
        /// The path as given.
        file: String,
        /// The columns, each with the nearest name there is.
        columns: TruncatedList<String>,
    },
    /// Two settings that exclude each other.
    #[error("column `{column}` cannot be both {one} and {other}")]
    Contradiction {
        /// The column.
        column: String,
        /// The first setting.
        one: &'static str,
        /// The second setting.
        other: &'static str,
    },
    /// A few cells of text in a column of numbers.
    #[error(
        "{file}: text in a column of numbers:{cells}\n\
        correct the cells, leave them empty if they are unknown, or treat the column as categories \
        (--as-category {column})"
    )]
    TextInNumbers {
        /// The path as given.
        file: String,
        /// The first such column.
        column: String,
        /// The cells.
        cells: TruncatedList<BadCell>,
    },
    /// Numbers that are infinite or too large.
    #[error("{file}: numbers must be finite and below 3.4e38 in size:{cells}")]
    NotFinite {
        /// The path as given.
        file: String,
        /// The cells.
        cells: TruncatedList<BadCell>,
    },
    /// No column of labels, where one is needed.
    #[error("{file}: labels are needed, but no column holds them; name it with --target")]
    NoTarget {
        /// The path as given.
        file: String,
    },
    /// Rows without a label.
    #[error("{file}: {} without a label in column `{target}`:{locations}\n\
        add the labels or remove the rows", count(.locations.total(), "row"))]
    MissingLabels {
        /// The path as given.
        file: String,
        /// The column of labels.
        target: String,
        /// Where the rows stand.
        locations: TruncatedList<String>,
    },
    /// Labels that a model does not know.
    #[error("{file}: unknown labels; expected one of {}:{cells}", some_of(.classes))]
    UnknownLabels {
        /// The path as given.
        file: String,
        /// The classes that are known.
        classes: Vec<String>,
        /// The cells.
        cells: TruncatedList<BadCell>,
    },
    /// Only one class, so there is nothing to learn.
    #[error("{file}: column `{target}` has only one class, `{class}`; expected two or more")]
    OneClass {
        /// The path as given.
        file: String,
        /// The column of labels.
        target: String,
        /// The class.
        class: String,
    },
    /// Not more rows than classes: the target is no class label, or there is nothing to learn from.
    #[error("{file}: {} for {classes} classes in column `{target}`; expected more rows than \
        classes (is it the right column?)", count(*.rows, "row"))]
    TooFewRows {
        /// The path as given, with the part of it if it is one.
        file: String,
        /// The column of labels.
        target: String,
        /// How many rows.
        rows: usize,
        /// How many classes.
        classes: usize,
    },
    /// No column is left to learn from.
    #[error("{file}: no column is left to learn from: {reason}")]
    NoFeatures {
        /// The path as given.
        file: String,
        /// Why.
        reason: String,
    },
    /// More features than a grammar can choose from.
    #[error(
        "{file}: {features} features; at most {max} can be searched\n\
        leave columns out (--drop), or give each category a number (--categories ordinal)"
    )]
    TooManyFeatures {
        /// The path as given.
        file: String,
        /// The number of features.
        features: usize,
        /// The largest number.
        max: usize,
    },
    /// Text in columns that are numbers to a model.
    #[error(
        "{file}: text in columns that were numbers when the model was made:{cells}\n\
        correct the cells, or leave them empty if they are unknown"
    )]
    ExpectedNumbers {
        /// The path as given.
        file: String,
        /// The cells.
        cells: TruncatedList<BadCell>,
    },
    /// More rows than a row number can count.
    #[error("{file}: {rows} rows; at most {max} can be used")]
    TooManyRows {
        /// The path as given.
        file: String,
        /// The rows.
        rows: usize,
        /// The limit.
        max: usize,
    },
}

impl DataError {
    pub(crate) fn no_such_column<'a>(
        file: &str,
        wanted: &str,
        names: impl Iterator<Item = &'a str>,
    ) -> Self {
        let known: Vec<String> = names.map(str::to_owned).collect();
        Self::NoSuchColumn {
            file: file.to_owned(),
            wanted: wanted.to_owned(),
            nearest: nearest(wanted, known.iter().map(String::as_str)).map(str::to_owned),
            known,
        }
    }
}

/// `1 row`, `2 rows`.
pub(crate) fn count(n: usize, thing: &str) -> String {
    if n == 1 { format!("1 {thing}") } else { format!("{n} {thing}s") }
}

/// The first names of a long list.
fn some_of(names: &[String]) -> String {
    const MAX_NAMES: usize = 12;
    let mut text = names.iter().take(MAX_NAMES).map(|n| shorten(n)).collect::<Vec<_>>().join(", ");
    if names.len() > MAX_NAMES {
        text.push_str(&format!(", ... ({} in all)", names.len()));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wrong_column_name_gets_the_nearest() {
        let error = DataError::no_such_column("a.csv", "clas", ["x", "class"].into_iter());
        assert_eq!(
            error.to_string(),
            "a.csv: no column `clas`; did you mean `class`?\ncolumns: x, class"
        );
    }
}
