//! Writes a table as CSV. The file reads back to an equal table.

use std::io::{self, Write};

use crate::cell_text;
use crate::table::{Table, Values};

impl Table {
    /// Writes the table as CSV with a header. Numbers are as short as they can be and read back
    /// to the same bits; missing cells are empty.
    pub fn write_csv(&self, out: &mut impl Write) -> io::Result<()> {
        let names = self.columns().iter().map(|column| quoted(&column.name));
        writeln!(out, "{}", names.collect::<Vec<_>>().join(","))?;
        let mut line = String::new();
        for row in 0..self.rows() {
            line.clear();
            for (index, column) in self.columns().iter().enumerate() {
                if index > 0 {
                    line.push(',');
                }
                match &column.values {
                    Values::Number(cells) if cells[row].is_nan() => {}
                    Values::Number(cells) => line.push_str(&cell_text::write(cells[row])),
                    Values::Text(text) => {
                        line.push_str(&text.get(row).map(quoted).unwrap_or_default())
                    }
                }
            }
            // A blank line would not be read as a row.
            if line.is_empty() {
                line.push_str("\"\"");
            }
            writeln!(out, "{line}")?;
        }
        Ok(())
    }
}

/// The cell as written to a CSV file: in quotation marks if necessary.
pub fn quoted(text: &str) -> String {
    let edge = |c: Option<char>| c.is_none_or(|c| c.is_whitespace() || c == '\u{feff}');
    // Other delimiters too, so that no reader mistakes them for the file's own.
    let special = text.contains([',', '"', '\n', '\r', ';', '\t', '|']);
    // A `#` at the start would look like a comment.
    if special
        || text.starts_with('#')
        || edge(text.chars().next())
        || edge(text.chars().next_back())
    {
        return format!("\"{}\"", text.replace('"', "\"\""));
    }
    text.to_owned()
}
