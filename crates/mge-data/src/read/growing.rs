//! A table that grows row by row out of a text format: the one place where rows of the wrong
//! length are collected, cells go to their columns, and wrong cells become errors.

use super::Draft;
use super::column::{ColumnBuilder, Findings};
use super::plan::{Plan, is_index_name};
use crate::error::DataError;
use crate::fault::RaggedRow;
use crate::listed::Listed;
use crate::note::Note;
use crate::table::{Column, Lines, Values};

/// Columns that grow together.
pub(crate) struct Growing {
    names: Vec<String>,
    plan: Plan,
    builders: Vec<Option<ColumnBuilder>>,
    lines: Lines,
    rows: usize,
    ragged: Listed<RaggedRow>,
}

impl Growing {
    /// No rows yet.
    pub fn new(names: Vec<String>, plan: Plan, decimal_comma: bool) -> Self {
        let builder = |wish| ColumnBuilder::new(wish, decimal_comma);
        let builders = plan.wishes.iter().map(|wish| wish.map(builder)).collect();
        let (lines, ragged) = (Lines::None, Listed::default());
        Self { names, plan, builders, lines, rows: 0, ragged }
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
    pub fn finish(self, file: &str, notes: Vec<Note>) -> Result<Draft, DataError> {
        let (file_name, expected) = (file.to_owned(), self.names.len());
        if !self.ragged.is_empty() {
            return Err(DataError::Ragged { file: file_name, expected, rows: self.ragged });
        }
        if self.rows == 0 {
            return Err(DataError::HeaderOnly { file: file_name, columns: expected });
        }
        finish(file, self.names, self.builders, self.plan, self.lines, notes)
    }
}

/// Columns that are complete, as a draft.
pub(crate) fn finish(
    file: &str,
    names: Vec<String>,
    builders: Vec<Option<ColumnBuilder>>,
    plan: Plan,
    lines: Lines,
    notes: Vec<Note>,
) -> Result<Draft, DataError> {
    let mut findings = Findings::new(notes);
    let mut columns = Vec::with_capacity(names.len());
    let width = names.len();
    for (place, (name, builder)) in names.iter().zip(builders).enumerate() {
        let Some(builder) = builder else { continue };
        let column = builder.finish(name, &lines, &plan.form, &mut findings);
        if width > 1 && plan.indexes.contains(&place) && numbers_rows(&column) {
            findings.notes.push(Note::RowNumbers { column: column.name });
        } else {
            columns.push(column);
        }
    }
    let (notes, form) = findings.check(file)?;
    Ok(Draft { columns, target: plan.target, lines, notes, form, test: None })
}

/// Whether a column only numbers the rows: by its name, or because its cells are whole numbers
/// that all differ.
fn numbers_rows(column: &Column) -> bool {
    let Values::Number(cells) = &column.values else {
        return is_index_name(&column.name);
    };
    let counts = |from: f32| cells.iter().zip(0..).all(|(&cell, row)| cell == from + row as f32);
    if is_index_name(&column.name) || counts(0.0) || counts(1.0) {
        return true;
    }
    let mut sorted = cells.clone();
    sorted.sort_unstable_by(f32::total_cmp);
    cells.iter().all(|cell| cell.fract() == 0.0) && sorted.windows(2).all(|two| two[0] < two[1])
}
