//! Errors of file formats.

/// A file whose content violates its format.
#[derive(Debug, thiserror::Error)]
pub enum FormatError {
    /// A line that the format does not allow.
    #[error("{file}, line {line}: not valid {format}: `{found}`; expected {expected}")]
    BadLine {
        /// The path as given.
        file: String,
        /// The line.
        line: u64,
        /// The format's name.
        format: &'static str,
        /// What was found.
        found: String,
        /// What was expected.
        expected: &'static str,
    },
    /// A binary file with an invalid header.
    #[error("{file}: not a valid {format} file: {found}; expected {expected}")]
    BadHeader {
        /// The path as given.
        file: String,
        /// The format's name.
        format: &'static str,
        /// What was found.
        found: String,
        /// What was expected.
        expected: String,
    },
    /// A binary file that is shorter or longer than its header says.
    #[error("{file}: the {format} header declares {expected} bytes of data; found {found}")]
    WrongLength {
        /// The path as given.
        file: String,
        /// The format's name.
        format: &'static str,
        /// The bytes that the header declares.
        expected: u64,
        /// The bytes that were found; `more` if there are too many.
        found: String,
    },
    /// Images and labels of different counts.
    #[error("{file}: {images} images, but {labels} labels in {label_file}")]
    UnequalParts {
        /// The images.
        file: String,
        /// The labels.
        label_file: String,
        /// How many images.
        images: usize,
        /// How many labels.
        labels: usize,
    },
    /// A table that would not fit into memory.
    #[error("{file}: {rows} rows of {columns} columns are too much; expected at most {max} cells")]
    TooLarge {
        /// The path as given.
        file: String,
        /// The rows.
        rows: usize,
        /// The columns.
        columns: usize,
        /// The largest number of cells.
        max: u64,
    },
    /// A file in a format that is not supported.
    #[error(
        "{file}: is {found}, which is not supported; {remedy} (supported: CSV, TSV, ARFF, NPY, NPZ, \
        Parquet, LIBSVM and IDX)"
    )]
    Unsupported {
        /// The path as given.
        file: String,
        /// What it is.
        found: &'static str,
        /// What to do.
        remedy: &'static str,
    },
}
