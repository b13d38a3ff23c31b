//! What comes to light while columns are made: wrong cells, assumptions, how the file is written.

use crate::error::DataError;
use crate::fault::BadCell;
use crate::form::FileForm;
use crate::listed::Listed;
use crate::note::Note;

/// Everything that was found in the columns of one table.
#[derive(Default)]
pub(crate) struct Findings {
    /// What was assumed.
    pub notes: Vec<Note>,
    /// What later files must share.
    pub form: FileForm,
    /// Text in columns of numbers.
    pub(super) text: Listed<BadCell>,
    /// Text in columns that are numbers to a model.
    pub(super) unexpected: Listed<BadCell>,
    /// Numbers that are not finite.
    pub(super) endless: Listed<BadCell>,
}

impl Findings {
    /// Nothing yet but these notes.
    pub fn new(notes: Vec<Note>) -> Self {
        Self { notes, ..Self::default() }
    }

    /// Notes and form, or the error if a cell was wrong.
    pub fn check(self, file: &str) -> Result<(Vec<Note>, FileForm), DataError> {
        let file = file.to_owned();
        if let Some(first) = self.text.shown().first() {
            let column = first.column.clone();
            return Err(DataError::TextInNumbers { file, column, cells: self.text });
        }
        if !self.unexpected.is_empty() {
            return Err(DataError::ExpectedNumbers { file, cells: self.unexpected });
        }
        if !self.endless.is_empty() {
            return Err(DataError::NotFinite { file, cells: self.endless });
        }
        Ok((self.notes, self.form))
    }
}
