//! Notes, bad cells and layout properties that readers collect while they build columns.

use crate::bad_cell::BadCell;
use crate::error::DataError;
use crate::file_layout::FileLayout;
use crate::note::Note;
use crate::truncated_list::TruncatedList;

/// The findings in the columns of one table.
#[derive(Default)]
pub(crate) struct Findings {
    /// Assumptions.
    pub notes: Vec<Note>,
    /// The layout that later files must share.
    pub layout: FileLayout,
    /// Text in columns of numbers.
    pub(super) text: TruncatedList<BadCell>,
    /// Text in columns that are numbers to a model.
    pub(super) unexpected: TruncatedList<BadCell>,
    /// Numbers that are not finite.
    pub(super) not_finite: TruncatedList<BadCell>,
}

impl Findings {
    /// Findings with these notes.
    pub fn new(notes: Vec<Note>) -> Self {
        Self { notes, ..Self::default() }
    }

    /// The notes and the layout, or an error if there are bad cells.
    pub fn check(self, file: &str) -> Result<(Vec<Note>, FileLayout), DataError> {
        let file = file.to_owned();
        if let Some(first) = self.text.shown().first() {
            let column = first.column.clone();
            return Err(DataError::TextInNumbers { file, column, cells: self.text });
        }
        if !self.unexpected.is_empty() {
            return Err(DataError::ExpectedNumbers { file, cells: self.unexpected });
        }
        if !self.not_finite.is_empty() {
            return Err(DataError::NotFinite { file, cells: self.not_finite });
        }
        Ok((self.notes, self.layout))
    }
}
