//! The typed table: what a file holds, before anything is encoded or scaled.
//!
//! Invariants: all columns are equally long, their names differ, numbers are finite or missing
//! (NaN), and a text column's categories are exactly the values that occur, in
//! [natural order](crate::order::natural). Two files with the same content therefore give equal
//! tables, whatever their format.

use std::collections::HashSet;

use crate::error::DataError;
use crate::form::FileForm;
use crate::text::Text;

/// What a column holds, as it was found in the data.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// Numbers.
    Number,
    /// Text with two values that mean yes and no (`true`/`false`, `yes`/`no`, `t`/`f`, `y`/`n`).
    Boolean,
    /// Text.
    Category,
}

impl Kind {
    /// The name in files and on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Number => "number",
            Kind::Boolean => "boolean",
            Kind::Category => "category",
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
    pub fn kind(&self) -> Kind {
        match self {
            Values::Number(_) => Kind::Number,
            Values::Text(text) if text.as_boolean().is_some() => Kind::Boolean,
            Values::Text(_) => Kind::Category,
        }
    }

    /// How many cells are missing.
    pub fn missing(&self) -> usize {
        match self {
            Values::Number(cells) => cells.iter().filter(|x| x.is_nan()).count(),
            Values::Text(text) => text.codes().iter().filter(|&&c| c == Text::MISSING).count(),
        }
    }

    fn take(&self, rows: &[u32]) -> Self {
        match self {
            Values::Number(cells) => {
                Values::Number(rows.iter().map(|&row| cells[row as usize]).collect())
            }
            Values::Text(text) => Values::Text(text.take(rows)),
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

/// Where each row stands in its file, for messages.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Lines {
    /// The format has no lines.
    #[default]
    None,
    /// Row 0 stands on this line, and every row takes one line.
    From(u64),
    /// One line number for each row.
    Listed(Vec<u64>),
}

impl Lines {
    /// The line that row `row` starts on.
    pub fn of(&self, row: usize) -> Option<u64> {
        match self {
            Lines::None => None,
            Lines::From(first) => Some(first + row as u64),
            Lines::Listed(lines) => lines.get(row).copied(),
        }
    }

    /// Where a row stands, in words: `line 12`, or `row 11` (from 1) without lines.
    pub fn place(&self, row: usize) -> String {
        match self.of(row) {
            Some(line) => format!("line {line}"),
            None => format!("row {}", row + 1),
        }
    }

    /// Notes the line of the next row; `row` rows were noted before.
    pub(crate) fn push(&mut self, row: usize, line: u64) {
        match self {
            Lines::None => *self = Lines::From(line),
            Lines::From(first) if *first + row as u64 == line => {}
            Lines::From(first) => {
                let mut lines: Vec<u64> = (0..row as u64).map(|before| *first + before).collect();
                lines.push(line);
                *self = Lines::Listed(lines);
            }
            Lines::Listed(lines) => lines.push(line),
        }
    }
}

/// A table of equally long, differently named columns.
#[derive(Debug, Clone)]
pub struct Table {
    name: String,
    columns: Vec<Column>,
    rows: usize,
    lines: Lines,
    form: FileForm,
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
        Ok(Self { name, columns, rows, lines: Lines::None, form: FileForm::default() })
    }

    /// The same table, knowing the line of each row and how the file was written.
    pub(crate) fn of_file(mut self, lines: Lines, form: FileForm) -> Self {
        (self.lines, self.form) = (lines, form);
        self
    }

    /// How the file was written, for reading others like it.
    pub fn form(&self) -> &FileForm {
        &self.form
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

    /// The place of a column.
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

    /// Where a row stands, in words: `line 12`, or `row 11` (from 1) without lines.
    pub fn place(&self, row: usize) -> String {
        self.lines.place(row)
    }

    /// A table of the chosen rows, in the given order.
    ///
    /// # Panics
    /// When a row is out of range.
    pub fn take(&self, rows: &[u32]) -> Self {
        let columns = self
            .columns
            .iter()
            .map(|column| Column { name: column.name.clone(), values: column.values.take(rows) })
            .collect();
        let lines = match &self.lines {
            Lines::None => Lines::None,
            lines => Lines::Listed(
                rows.iter().map(|&row| lines.of(row as usize).unwrap_or_default()).collect(),
            ),
        };
        let (name, form) = (self.name.clone(), self.form.clone());
        Self { name, columns, rows: rows.len(), lines, form }
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
    fn lines_stay_small_until_a_row_takes_two() {
        let mut lines = Lines::None;
        lines.push(0, 2);
        lines.push(1, 3);
        assert_eq!(lines, Lines::From(2));
        lines.push(2, 5);
        assert_eq!(lines, Lines::Listed(vec![2, 3, 5]));
        assert_eq!(lines.of(2), Some(5));
    }

    #[test]
    fn taking_rows_drops_categories_that_no_longer_occur() {
        let text = Text::from_cells([Some("b"), Some("a"), None, Some("b")]);
        let column = Column { name: "t".into(), values: Values::Text(text) };
        let table = Table::new("t", vec![column]).unwrap().take(&[3, 2]);
        let Values::Text(text) = &table.columns()[0].values else { panic!("a text column") };
        assert_eq!(text.categories(), ["b"]);
        assert_eq!(text.codes(), [0, Text::MISSING]);
    }
}
