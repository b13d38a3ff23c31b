//! What is wrong with a file's format.

/// A file whose content is not as its format wants it.
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
    /// A binary file whose header makes no sense.
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
    #[error("{file}: the {format} header promises {expected} bytes of data; found {found}")]
    WrongLength {
        /// The path as given.
        file: String,
        /// The format's name.
        format: &'static str,
        /// The bytes the header promises.
        expected: u64,
        /// The bytes there are, or one more than promised when there are more.
        found: String,
    },
    /// Images and labels that do not belong together.
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
    #[error("{file}: {rows} rows of {columns} columns are too much; expected at most {most} cells")]
    TooLarge {
        /// The path as given.
        file: String,
        /// The rows.
        rows: usize,
        /// The columns.
        columns: usize,
        /// The most cells.
        most: u64,
    },
    /// A file that is no table.
    #[error(
        "{file}: is {found}, which is not read; {remedy} (CSV, TSV, ARFF, NPY, NPZ, Parquet, \
        LIBSVM and IDX are read)"
    )]
    Foreign {
        /// The path as given.
        file: String,
        /// What it is.
        found: &'static str,
        /// What to do.
        remedy: &'static str,
    },
}
