//! From bytes to columns: one file for each format behind one small trait.
//!
//! A [`Reader`] recognises its format by the first bytes, or else by the file name's ending. It
//! turns an [`Input`] into a [`ParsedTable`]. All formats share four modules:
//!
//! - `input` decompresses the bytes and reports the errors of the operating system.
//! - `column_plan` applies the user's options to the columns of the file.
//! - `column` infers each column's kind from its text cells.
//! - `value` takes cells from formats that declare types.

mod arff;
mod column;
mod column_plan;
mod csv;
mod idx;
mod input;
mod libsvm;
mod line_reader;
mod memory;
mod npy;
mod npz;
#[cfg(feature = "parquet")]
mod parquet;
#[cfg(not(feature = "parquet"))]
#[path = "read/no_parquet.rs"]
mod parquet;
mod sidecar;
mod table_builder;
mod unsupported;
mod value;
mod zip;

pub(crate) use idx::read_pair;
pub(crate) use input::Input;
pub use memory::{Cells, load_columns};

use crate::error::DataError;
use crate::file_layout::FileLayout;
use crate::note::Note;
use crate::options::LoadOptions;
use crate::table::{Column, LineNumbers};

/// What a reader returns for a file.
pub(crate) struct ParsedTable {
    /// The columns, in the file's order.
    pub columns: Vec<Column>,
    /// The target columns that were named or found.
    pub targets: Vec<String>,
    /// The line of each row.
    pub lines: LineNumbers,
    /// The assumptions that the reader made.
    pub notes: Vec<Note>,
    /// What later files must share with this one.
    pub layout: FileLayout,
    /// The columns of a test part, if the file has one.
    pub test: Option<Vec<Column>>,
}

/// One file format.
pub(crate) trait Reader: Sync {
    /// Whether a file that begins with `head` (up to 64 KiB) is of this format.
    fn recognises(&self, head: &[u8]) -> bool;

    /// The endings of its file names, in lower case and without `.gz`.
    fn endings(&self) -> &'static [&'static str];

    /// Reads the whole input.
    fn read(&self, input: Input, options: &LoadOptions) -> Result<ParsedTable, DataError>;
}

/// The formats, the most specific first. The last one accepts everything.
const READERS: [&dyn Reader; 7] =
    [&parquet::Parquet, &npy::Npy, &npz::Npz, &idx::Idx, &arff::Arff, &libsvm::LibSvm, &csv::Csv];

/// Reads an input in the format of its content, or else of its name.
pub(crate) fn read(input: Input, options: &LoadOptions) -> Result<ParsedTable, DataError> {
    if input.head().is_empty() {
        return Err(DataError::Empty { file: input.file });
    }
    let name = input.plain_name();
    let (csv, others) = READERS.split_last().expect("a constant list");
    let by_content = others.iter().find(|reader| reader.recognises(input.head()));
    let by_name = || {
        let ends = |reader: &&&dyn Reader| reader.endings().iter().any(|end| name.ends_with(end));
        others.iter().find(ends)
    };
    by_content.or_else(by_name).unwrap_or(csv).read(input, options)
}
