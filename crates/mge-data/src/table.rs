//! The typed table: the content of a file, before encoding and scaling.
//!
//! Invariants: all columns are equally long, their names differ, numbers are finite or missing
//! (NaN), and a text column's categories are exactly the values that occur, in
//! [natural order](crate::order::natural). Two files with the same content therefore give equal
//! tables, whatever their format.

use std::collections::HashSet;

use crate::error::DataError;
use crate::file_layout::FileLayout;
use crate::text_column::Text;

/// The kind of a column, as found in the data.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ColumnKind {
    /// Numbers.
    Number,
    /// Text with two values that mean yes and no (`true`/`false`, `yes`/`no`, `t`/`f`, `y`/`n`).
    Boolean,
    /// Text.
    Category,
}

impl ColumnKind {
    /// The name in files and on the command line.
    pub fn name(self) -> &'static str {
        match self {
            ColumnKind::Number => "number",
            ColumnKind::Boolean => "boolean",
            ColumnKind::Category => "category",
        }
    }
}

/// The cells of one column.
#[derive(Debug, Clone)]
pub enum Values {
    /// Numbers; NaN is a missing cell. Infinite values never occur.
    Number(Vec<f32>),
    /// Text, each distinct value stored once.
    Text(Text),
}

impl Values {
    /// How many cells there are.
    pub fn len(&self) -> usize {
        match self {
            Values::Number(cells) => cells.len(),
            Values::Text(text) => text.codes().len(),
        }
    }

    /// Whether there are no cells.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// What the column holds.
    pub fn kind(&self) -> ColumnKind {
        match self {
            Values::Number(_) => ColumnKind::Number,
            Values::Text(text) if text.as_boolean().is_some() => ColumnKind::Boolean,
            Values::Text(_) => ColumnKind::Category,
        }
    }

    /// How many cells are missing.
    pub fn missing(&self) -> usize {
        match self {
            Values::Number(cells) => cells.iter().filter(|x| x.is_nan()).count(),
            Values::Text(text) => text.codes().iter().filter(|&&c| c == Text::MISSING).count(),
        }
    }

    fn select(&self, rows: &[u32]) -> Self {
        match self {
            Values::Number(cells) => {
                Values::Number(rows.iter().map(|&row| cells[row as usize]).collect())
            }
            Values::Text(text) => Values::Text(text.select(rows)),
        }
    }
}

/// Equal bit for bit, a missing number being equal to a missing number.
impl PartialEq for Values {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Values::Number(a), Values::Number(b)) => {
                a.len() == b.len()
                    && a.iter()
                        .zip(b)
                        .all(|(x, y)| x.to_bits() == y.to_bits() || x.is_nan() && y.is_nan())
            }
            (Values::Text(a), Values::Text(b)) => a == b,
            _ => false,
        }
    }
}

/// A named column.
#[derive(Debug, Clone, PartialEq)]
pub struct Column {
    /// The name, as in the file's header.
    pub name: String,
    /// The cells, one for each row.
    pub values: Values,
}

/// The line of each row in its file, for messages.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) enum LineNumbers {
    /// The format has no lines.
    #[default]
    None,
    /// Row 0 is on this line, and every row takes one line.
    From(u64),
    /// One line number for each row.
    TruncatedList(Vec<u64>),
}

impl LineNumbers {
    /// The line that row `row` starts on.
    pub fn of(&self, row: usize) -> Option<u64> {
        match self {
            LineNumbers::None => None,
            LineNumbers::From(first) => Some(first + row as u64),
            LineNumbers::TruncatedList(lines) => lines.get(row).copied(),
        }
    }

    /// The location of a row in words: `line 12`, or `row 11` (from 1) without lines.
    pub fn location(&self, row: usize) -> String {
        match self.of(row) {
            Some(line) => format!("line {line}"),
            None => format!("row {}", row + 1),
        }
    }

    /// Appends the line of the next row; `row` rows came before.
    pub(crate) fn push(&mut self, row: usize, line: u64) {
        match self {
            LineNumbers::None => *self = LineNumbers::From(line),
            LineNumbers::From(first) if *first + row as u64 == line => {}
            LineNumbers::From(first) => {
                let mut lines: Vec<u64> = (0..row as u64).map(|before| *first + before).collect();
                lines.push(line);
                *self = LineNumbers::TruncatedList(lines);
            }
            LineNumbers::TruncatedList(lines) => lines.push(line),
        }
    }
}

/// A table of equally long, differently named columns.
#[derive(Debug, Clone)]
pub struct Table {
    name: String,
    columns: Vec<Column>,
    rows: usize,
    lines: LineNumbers,
    layout: FileLayout,
    decimal_comma: bool,
}

/// Tables are equal when their columns are; the name and the file they came from do not count.
impl PartialEq for Table {
    fn eq(&self, other: &Self) -> bool {
        self.rows == other.rows && self.columns == other.columns
    }
}

impl Table {
    /// A table of these columns. `name` is what messages call it: a file or a built-in name.
    pub fn new(name: impl Into<String>, columns: Vec<Column>) -> Result<Self, DataError> {
        let name = name.into();
        let rows = columns.first().map_or(0, |column| column.values.len());
        let mut seen = HashSet::new();
        for column in &columns {
            if !seen.insert(column.name.as_str()) {
                let names = std::iter::once(column.name.clone()).collect();
                return Err(DataError::DuplicateColumns { file: name, names });
            }
            if column.values.len() != rows {
                return Err(DataError::UnequalColumns {
                    file: name,
                    column: column.name.clone(),
                    found: column.values.len(),
                    expected: rows,
                });
            }
            if let Values::Number(cells) = &column.values
                && let Some(row) = cells.iter().position(|x| x.is_infinite())
            {
                return Err(DataError::InfiniteCell {
                    file: name,
                    column: column.name.clone(),
                    row,
                });
            }
        }
        let (lines, layout) = (LineNumbers::None, FileLayout::default());
        Ok(Self { name, columns, rows, lines, layout, decimal_comma: false })
    }

    /// The same table with the line of each row, the layout of its file, and whether its numbers
    /// have a decimal comma.
    pub(crate) fn of_file(
        mut self,
        lines: LineNumbers,
        layout: FileLayout,
        decimal_comma: bool,
    ) -> Self {
        (self.lines, self.layout, self.decimal_comma) = (lines, layout, decimal_comma);
        self
    }

    /// Whether numbers of the file have a decimal comma. Cells of targets keep their text.
    pub(crate) fn has_decimal_comma(&self) -> bool {
        self.decimal_comma
    }

    /// The layout of the file, for reading other files like it.
    pub fn layout(&self) -> &FileLayout {
        &self.layout
    }

    /// What messages call the table: the file as the user named it, or the built-in name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The columns, in the file's order.
    pub fn columns(&self) -> &[Column] {
        &self.columns
    }

    /// How many rows there are.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// The index of a column.
    pub fn position(&self, name: &str) -> Option<usize> {
        self.columns.iter().position(|column| column.name == name)
    }

    /// The column with this name; the error names the nearest one.
    pub fn column(&self, name: &str) -> Result<&Column, DataError> {
        self.columns.iter().find(|column| column.name == name).ok_or_else(|| {
            DataError::no_such_column(
                &self.name,
                name,
                self.columns.iter().map(|c| c.name.as_str()),
            )
        })
    }

    /// The line of the file that a row starts on, when the format has lines.
    pub fn line(&self, row: usize) -> Option<u64> {
        self.lines.of(row)
    }

    /// The location of a row in words: `line 12`, or `row 11` (from 1) without lines.
    pub fn location(&self, row: usize) -> String {
        self.lines.location(row)
    }

    /// A table of the chosen rows, in the given order.
    ///
    /// # Panics
    /// When a row is out of range.
    pub fn select(&self, rows: &[u32]) -> Self {
        let columns = self
            .columns
            .iter()
            .map(|column| Column { name: column.name.clone(), values: column.values.select(rows) })
            .collect();
        let lines = match &self.lines {
            LineNumbers::None => LineNumbers::None,
            lines => LineNumbers::TruncatedList(
                rows.iter().map(|&row| lines.of(row as usize).unwrap_or_default()).collect(),
            ),
        };
        let (name, layout) = (self.name.clone(), self.layout.clone());
        let decimal_comma = self.decimal_comma;
        Self { name, columns, rows: rows.len(), lines, layout, decimal_comma }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn number(name: &str, cells: &[f32]) -> Column {
        Column { name: name.into(), values: Values::Number(cells.to_vec()) }
    }

    #[test]
    fn unequal_or_repeated_columns_are_refused() {
        let unequal = Table::new("t", vec![number("a", &[1.0]), number("b", &[])]);
        assert!(matches!(unequal, Err(DataError::UnequalColumns { .. })));
        let repeated = Table::new("t", vec![number("a", &[1.0]), number("a", &[1.0])]);
        assert!(matches!(repeated, Err(DataError::DuplicateColumns { .. })));
        let infinite = Table::new("t", vec![number("a", &[f32::INFINITY])]);
        assert!(matches!(infinite, Err(DataError::InfiniteCell { .. })));
    }

    #[test]
    fn line_numbers_are_compact_while_rows_take_one_line() {
        let mut lines = LineNumbers::None;
        lines.push(0, 2);
        lines.push(1, 3);
        assert_eq!(lines, LineNumbers::From(2));
        lines.push(2, 5);
        assert_eq!(lines, LineNumbers::TruncatedList(vec![2, 3, 5]));
        assert_eq!(lines.of(2), Some(5));
    }

    #[test]
    fn selecting_rows_drops_unused_categories() {
        let text = Text::from_cells([Some("b"), Some("a"), None, Some("b")]);
        let column = Column { name: "t".into(), values: Values::Text(text) };
        let table = Table::new("t", vec![column]).unwrap().select(&[3, 2]);
        let Values::Text(text) = &table.columns()[0].values else { panic!("a text column") };
        assert_eq!(text.categories(), ["b"]);
        assert_eq!(text.codes(), [0, Text::MISSING]);
    }
}
