//! From bytes to columns: one file for each format behind one small trait.
//!
//! A [`Reader`] recognises its format by the first bytes, failing that by the file's ending, and
//! turns an [`Input`] into a [`Draft`]. What all formats share is done once: unpacking and errors
//! of the operating system in `input`, finding each column's kind in `column`, cells that have a
//! type already in `datum`, the user's wishes in `plan`.

mod arff;
mod beside;
mod column;
mod csv;
mod datum;
mod foreign;
mod growing;
mod idx;
mod input;
mod libsvm;
mod lines;
mod npy;
mod npz;
#[cfg(feature = "parquet")]
mod parquet;
#[cfg(not(feature = "parquet"))]
#[path = "read/no_parquet.rs"]
mod parquet;
mod plan;
mod zip;

pub(crate) use idx::read_pair;
pub(crate) use input::Input;

use crate::error::DataError;
use crate::form::FileForm;
use crate::note::Note;
use crate::options::LoadOptions;
use crate::table::{Column, Lines};

/// What a reader makes of a file.
pub(crate) struct Draft {
    /// The columns, in the file's order.
    pub columns: Vec<Column>,
    /// The column of labels, if one was wished for or found.
    pub target: Option<String>,
    /// Where each row stands.
    pub lines: Lines,
    /// What was understood or assumed.
    pub notes: Vec<Note>,
    /// What later files must share.
    pub form: FileForm,
    /// The columns of a test part, if the file has one.
    pub test: Option<Vec<Column>>,
}

/// One file format.
pub(crate) trait Reader: Sync {
    /// Whether a file that begins with `head` (up to 64 KiB) is of this format.
    fn recognises(&self, head: &[u8]) -> bool;

    /// How the names of its files end, `.gz` taken away, in lower case.
    fn endings(&self) -> &'static [&'static str];

    /// Reads the whole input.
    fn read(&self, input: Input, options: &LoadOptions) -> Result<Draft, DataError>;
}

/// The formats, the most telling first; the last one takes everything.
const READERS: [&dyn Reader; 7] =
    [&parquet::Parquet, &npy::Npy, &npz::Npz, &idx::Idx, &arff::Arff, &libsvm::LibSvm, &csv::Csv];

/// Reads an input in the format that its content shows, or else its name.
pub(crate) fn read(input: Input, options: &LoadOptions) -> Result<Draft, DataError> {
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
