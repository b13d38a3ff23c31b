//! From bytes to columns: one file for each format behind one small trait.
//!
//! A [`Reader`] recognises its format by the first bytes and the file's ending, and turns an
//! [`Input`] into a [`Draft`]. What all formats share is done once: unpacking and errors of the
//! operating system in `input`, finding each column's kind in `column`, the user's wishes in `plan`.

mod column;
mod csv;
mod idx;
mod input;
mod plan;

pub(crate) use idx::{read_images, read_labels};
pub(crate) use input::Input;
pub(crate) use plan::Plan;

use crate::error::DataError;
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
}

/// One file format.
pub(crate) trait Reader: Sync {
    /// Whether a file that begins with `head` and is called `name` (no `.gz`, lower case) is of
    /// this format.
    fn recognises(&self, head: &[u8], name: &str) -> bool;

    /// Reads the whole input.
    fn read(&self, input: Input, options: &LoadOptions) -> Result<Draft, DataError>;
}

/// The formats, the most telling first; the last one takes everything.
const READERS: [&dyn Reader; 2] = [&idx::Idx, &csv::Csv];

/// Reads an input in the format that its content and name show.
pub(crate) fn read(mut input: Input, options: &LoadOptions) -> Result<Draft, DataError> {
    let head = input.head()?;
    if head.is_empty() {
        return Err(DataError::Empty { file: input.file });
    }
    let name = input.plain_name();
    let reader = READERS.iter().find(|reader| reader.recognises(&head, &name));
    reader.unwrap_or(&READERS[READERS.len() - 1]).read(input, options)
}
