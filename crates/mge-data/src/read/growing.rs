//! A table that grows row by row out of a text format: the one place where rows of the wrong
//! length are collected, cells go to their columns, and wrong cells become errors.

use super::Draft;
use super::column::{ColumnBuilder, Faults};
use super::plan::Plan;
use crate::error::DataError;
use crate::fault::RaggedRow;
use crate::listed::Listed;
use crate::note::Note;
use crate::table::Lines;

/// Columns that grow together.
pub(crate) struct Growing {
    names: Vec<String>,
    target: Option<String>,
    builders: Vec<Option<ColumnBuilder>>,
    lines: Lines,
    rows: usize,
    ragged: Listed<RaggedRow>,
}

impl Growing {
    /// No rows yet.
    pub fn new(names: Vec<String>, plan: Plan, decimal_comma: bool) -> Self {
        let builder = |wish| ColumnBuilder::new(wish, decimal_comma);
        let builders = plan.wishes.into_iter().map(|wish| wish.map(builder)).collect();
        let (lines, ragged) = (Lines::None, Listed::default());
        Self { names, target: plan.target, builders, lines, rows: 0, ragged }
    }

    /// How many columns a row must have.
    pub fn width(&self) -> usize {
        self.names.len()
    }

    /// Adds a row of [`Growing::width`] cells that starts on this line.
    pub fn row<'a>(&mut self, line: u64, cell: impl Fn(usize) -> &'a str) {
        for (place, builder) in self.builders.iter_mut().enumerate() {
            if let Some(builder) = builder {
                builder.push(cell(place));
            }
        }
        self.lines.push(self.rows, line);
        self.rows += 1;
    }

    /// Counts a row of another length.
    pub fn ragged(&mut self, row: impl FnOnce() -> RaggedRow) {
        self.ragged.add(row);
    }

    /// The table, or everything of the first kind that is wrong with it.
    pub fn finish(self, file: &str, mut notes: Vec<Note>) -> Result<Draft, DataError> {
        let (file_name, expected) = (file.to_owned(), self.names.len());
        if !self.ragged.is_empty() {
            return Err(DataError::Ragged { file: file_name, expected, rows: self.ragged });
        }
        if self.rows == 0 {
            return Err(DataError::HeaderOnly { file: file_name, columns: expected });
        }
        finish(file, self.names, self.builders, self.target, self.lines, &mut notes)
            .map(|draft| Draft { notes, ..draft })
    }
}

/// Columns that are complete, as a draft without its notes.
pub(crate) fn finish(
    file: &str,
    names: Vec<String>,
    builders: Vec<Option<ColumnBuilder>>,
    target: Option<String>,
    lines: Lines,
    notes: &mut Vec<Note>,
) -> Result<Draft, DataError> {
    let mut faults = Faults::default();
    let columns = names
        .iter()
        .zip(builders)
        .filter_map(|(name, builder)| Some(builder?.finish(name, &lines, &mut faults, notes)))
        .collect();
    faults.check(file)?;
    Ok(Draft { columns, target, lines, notes: Vec::new(), test: None })
}
