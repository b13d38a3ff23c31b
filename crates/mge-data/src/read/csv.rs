//! Text with a row on each line: commas, tabs, semicolons, bars or blanks; quotes, a byte order
//! mark, any line end, with or without a header.

mod dialect;
mod rows;

use super::column_plan::{ColumnPlan, default_name};
use super::table_builder::TableBuilder;
use super::{Input, ParsedTable, Reader, unsupported};
use crate::bad_cell::{RaggedRow, shorten};
use crate::error::DataError;
use crate::note::Note;
use crate::options::LoadOptions;
use dialect::{Dialect, FirstRow};
use rows::CsvRows;

/// The delimiter that means any number of blanks.
const BLANKS: u8 = b' ';

pub(crate) struct Csv;

impl Reader for Csv {
    fn recognises(&self, _head: &[u8]) -> bool {
        true
    }

    fn endings(&self) -> &'static [&'static str] {
        &[".csv", ".tsv", ".tab", ".txt"]
    }

    fn read(&self, input: Input, options: &LoadOptions) -> Result<ParsedTable, DataError> {
        let file = input.file.clone();
        unsupported::refuse(&file, input.head())?;
        let dialect = Dialect::find(input.head(), &input.plain_name(), options);
        let mut notes = dialect.notes();
        let mut rows = CsvRows::new(input, dialect.delimiter);
        rows.skip(dialect.preamble)?;
        if !rows.next()? {
            return Err(DataError::Empty { file });
        }
        let mut blanks = BlankLines::default();
        blanks.count(&rows);
        let default_names = || (0..rows.len()).map(default_name).collect();
        let (names, has_header) = match dialect.first_row {
            FirstRow::Names => (header(&rows, dialect.is_marked, &mut notes), true),
            FirstRow::NumericNames => {
                notes.push(Note::NumericHeader { row: shorten(&rows.beginning()) });
                (header(&rows, dialect.is_marked, &mut notes), true)
            }
            FirstRow::Data => (default_names(), false),
            FirstRow::OtherNames => {
                notes.push(Note::HeaderSkipped { row: shorten(&rows.beginning()) });
                (default_names(), true)
            }
            FirstRow::NotTheNames => {
                let (line, found) = (rows.line, shorten(&rows.beginning()));
                let columns = options.expected.keys().cloned().collect();
                return Err(DataError::NoHeader { file, line, found, columns });
            }
        };
        let is_index = rows.len() > 1 && has_header && matches!(rows.cell(0), "" | "Unnamed: 0");
        let index = is_index.then_some(0);
        let plan = ColumnPlan::with_index(&file, &names, index, options, &mut notes)?;
        let mut table = TableBuilder::new(names, plan, dialect.delimiter == b';');
        let mut more = if has_header { rows.next()? } else { true };
        let mut started = has_header;
        while more {
            if started {
                blanks.count(&rows);
                // In a table of one column a blank line is a row whose cell is missing.
                if table.width() == 1 {
                    blanks.lines_before(&rows).for_each(|line| table.push_row(line, |_| ""));
                }
            }
            started = true;
            if rows.len() == table.width() {
                table.push_row(rows.line, |index| rows.cell(index));
            } else {
                let (line, found) = (rows.line, rows.len());
                table.push_ragged(|| RaggedRow { line, found, text: rows.beginning() });
            }
            more = rows.next()?;
        }
        notes.extend(blanks.note(table.width() == 1));
        let mut parsed = table.finish(&file, notes)?;
        parsed.layout.header =
            Some(!matches!(dialect.first_row, FirstRow::Data | FirstRow::OtherNames));
        Ok(parsed)
    }
}

/// Counts blank lines between rows. Those at the end of the file do not matter.
#[derive(Default)]
struct BlankLines {
    lines: u64,
    first: u64,
}

impl BlankLines {
    /// The blank lines just before the current row.
    fn lines_before(&self, rows: &CsvRows) -> std::ops::Range<u64> {
        rows.line - rows.blanks..rows.line
    }

    fn count(&mut self, rows: &CsvRows) {
        if self.lines == 0 {
            self.first = rows.line - rows.blanks;
        }
        self.lines += rows.blanks;
    }

    fn note(&self, are_rows: bool) -> Option<Note> {
        let (lines, first) = (self.lines, self.first);
        (lines > 0).then_some(Note::BlankLines { lines, first, are_rows })
    }
}

impl Dialect {
    /// Notes about unusual properties.
    fn notes(&self) -> Vec<Note> {
        let mut notes = Vec::new();
        if self.comments > 0 {
            notes.push(Note::Comments { lines: self.comments });
        }
        let name = match self.delimiter {
            b',' => None,
            b'\t' => Some("tabs".to_owned()),
            b';' => Some("semicolons".to_owned()),
            b'|' => Some("bars".to_owned()),
            BLANKS => Some("blanks".to_owned()),
            other => Some(format!("`{}`", char::from(other))),
        };
        notes.extend(name.map(|delimiter| Note::Delimiter { delimiter }));
        if self.decimal_comma {
            notes.push(Note::DecimalComma);
        }
        if self.first_row == FirstRow::Data {
            notes.push(Note::NoHeader);
        }
        notes
    }
}

/// The column names. An empty one gets a default name. A leading comment mark is removed.
fn header(rows: &CsvRows, is_marked: bool, notes: &mut Vec<Note>) -> Vec<String> {
    let mut names: Vec<String> = Vec::with_capacity(rows.len());
    for index in 0..rows.len() {
        let name = rows.cell(index);
        let mark = if index == 0 && is_marked { "# " } else { "" };
        let name = name.strip_prefix(mark).unwrap_or(name);
        if name.is_empty() {
            let name = default_name(index);
            notes.push(Note::UnnamedColumn { position: index + 1, name: name.clone() });
            names.push(name);
        } else {
            names.push(name.to_owned());
        }
    }
    names
}
