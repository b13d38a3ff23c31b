//! Builds a table row by row from a text format.
//!
//! It collects rows of the wrong length, passes cells to their columns, and reports bad cells.

use super::ParsedTable;
use super::column::{ColumnBuilder, Findings};
use super::column_plan::{ColumnPlan, is_index_name};
use crate::bad_cell::RaggedRow;
use crate::error::DataError;
use crate::note::Note;
use crate::table::{Column, LineNumbers, Values};
use crate::truncated_list::TruncatedList;

/// The columns of a table under construction.
pub(crate) struct TableBuilder {
    names: Vec<String>,
    plan: ColumnPlan,
    builders: Vec<Option<ColumnBuilder>>,
    lines: LineNumbers,
    rows: usize,
    ragged: TruncatedList<RaggedRow>,
}

impl TableBuilder {
    /// A table without rows.
    pub fn new(names: Vec<String>, plan: ColumnPlan, decimal_comma: bool) -> Self {
        let builder = |hint| ColumnBuilder::new(hint, decimal_comma);
        let builders = plan.hints.iter().map(|hint| hint.map(builder)).collect();
        let (lines, ragged) = (LineNumbers::None, TruncatedList::default());
        Self { names, plan, builders, lines, rows: 0, ragged }
    }

    /// The number of cells that a row must have.
    pub fn width(&self) -> usize {
        self.names.len()
    }

    /// Appends a row of [`TableBuilder::width`] cells that starts on this line.
    pub fn push_row<'a>(&mut self, line: u64, cell: impl Fn(usize) -> &'a str) {
        for (index, builder) in self.builders.iter_mut().enumerate() {
            if let Some(builder) = builder {
                builder.push(cell(index));
            }
        }
        self.lines.push(self.rows, line);
        self.rows += 1;
    }

    /// Records a row of another length.
    pub fn push_ragged(&mut self, row: impl FnOnce() -> RaggedRow) {
        self.ragged.add(row);
    }

    /// The table, or all errors of the first kind that occurs.
    pub fn finish(self, file: &str, notes: Vec<Note>) -> Result<ParsedTable, DataError> {
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

/// Assembles finished columns into a table.
pub(crate) fn finish(
    file: &str,
    names: Vec<String>,
    builders: Vec<Option<ColumnBuilder>>,
    plan: ColumnPlan,
    lines: LineNumbers,
    notes: Vec<Note>,
) -> Result<ParsedTable, DataError> {
    let mut findings = Findings::new(notes);
    let mut columns = Vec::with_capacity(names.len());
    let width = names.len();
    for (index, (name, builder)) in names.iter().zip(builders).enumerate() {
        let Some(builder) = builder else { continue };
        let column = builder.finish(name, &lines, &plan.layout, &mut findings);
        if width > 1 && plan.row_number_columns.contains(&index) && numbers_rows(&column) {
            findings.notes.push(Note::RowNumbers { column: column.name });
        } else {
            columns.push(column);
        }
    }
    let (notes, layout) = findings.check(file)?;
    Ok(ParsedTable { columns, targets: plan.targets, lines, notes, layout, test: None })
}

/// Whether a column only numbers the rows: by its name, or because its cells are distinct whole
/// numbers.
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
