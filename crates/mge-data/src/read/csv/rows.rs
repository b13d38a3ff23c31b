//! Splits text into rows of cells.
//!
//! This is not done by a library for two reasons: a message must name the line that an editor shows,
//! also after blank lines and cells that span lines; and a quotation mark that is never closed must
//! be an error, not a cell that swallows the rest of the file.

use memchr::{memchr, memchr_iter};

use super::BLANKS;
use crate::bad_cell::shorten;
use crate::error::DataError;
use crate::read::Input;

/// The longest row, in bytes. A longer row comes from a quotation mark that is never closed.
const MAX_ROW_BYTES: usize = 64 << 20;

/// Splits the input into rows of cells.
pub(super) struct CsvRows {
    input: Input,
    delimiter: u8,
    /// The line the current row starts on.
    pub(super) line: u64,
    next_line: u64,
    /// The number of blank lines just before the current row.
    pub(super) blanks: u64,
    /// The bytes of the current row.
    raw: Vec<u8>,
    /// The current row's cells, one after the other.
    text: String,
    /// Where each cell ends in `text`.
    ends: Vec<usize>,
}

impl CsvRows {
    pub(super) fn new(input: Input, delimiter: u8) -> Self {
        Self {
            input,
            delimiter,
            line: 0,
            next_line: 1,
            blanks: 0,
            raw: Vec::new(),
            text: String::new(),
            ends: Vec::new(),
        }
    }

    pub(super) fn len(&self) -> usize {
        self.ends.len()
    }

    pub(super) fn cell(&self, index: usize) -> &str {
        let start = if index == 0 { 0 } else { self.ends[index - 1] };
        &self.text[start..self.ends[index]]
    }

    pub(super) fn beginning(&self) -> String {
        String::from_utf8_lossy(&self.raw[..self.raw.len().min(200)]).trim_end().to_owned()
    }

    /// Skips lines above the table.
    pub(super) fn skip(&mut self, lines: usize) -> Result<(), DataError> {
        for _ in 0..lines {
            self.raw.clear();
            self.input.line(&mut self.raw)?;
            self.next_line += 1;
        }
        Ok(())
    }

    /// Goes to the next row that is not blank; false at the end.
    pub(super) fn next(&mut self) -> Result<bool, DataError> {
        self.blanks = 0;
        loop {
            self.raw.clear();
            self.line = self.next_line;
            if self.input.line(&mut self.raw)? == 0 {
                return Ok(false);
            }
            self.next_line += 1;
            if self.line == 1 && self.raw.starts_with(b"\xef\xbb\xbf") {
                self.raw.drain(..3);
            }
            let is_content =
                |&b: &u8| b == self.delimiter && b != BLANKS || !b.is_ascii_whitespace();
            if self.raw.iter().any(is_content) {
                break;
            }
            self.blanks += 1;
        }
        self.text.clear();
        self.ends.clear();
        let is_plain = self.delimiter == BLANKS || memchr(b'"', &self.raw).is_none();
        if is_plain { self.split_plain() } else { self.split_quoted() }
    }

    /// A row without quotation marks: every delimiter ends a cell.
    fn split_plain(&mut self) -> Result<bool, DataError> {
        let Ok(row) = std::str::from_utf8(&self.raw) else {
            return Err(self.not_utf8());
        };
        if self.delimiter == BLANKS {
            let mut rest = row.trim_ascii();
            while !rest.is_empty() {
                let cell;
                (cell, rest) = first_word(rest);
                self.text.push_str(cell);
                self.ends.push(self.text.len());
            }
            return Ok(true);
        }
        let row = row.trim_end_matches(['\n', '\r']);
        let mut start = 0;
        for end in memchr_iter(self.delimiter, row.as_bytes()).chain([row.len()]) {
            self.text.push_str(row[start..end].trim_ascii());
            self.ends.push(self.text.len());
            start = end + 1;
        }
        Ok(true)
    }

    /// A row with quotation marks: inside them, delimiters and line ends are text, and two
    /// marks are one.
    fn split_quoted(&mut self) -> Result<bool, DataError> {
        let mut cells: Vec<u8> = Vec::with_capacity(self.raw.len());
        let mut at = 0;
        loop {
            while matches!(self.raw.get(at), Some(b' ' | b'\t')) && self.raw[at] != self.delimiter {
                at += 1;
            }
            let start = cells.len();
            let mut kept = start;
            if self.raw.get(at) == Some(&b'"') {
                at = self.unquote(at + 1, &mut cells)?;
                kept = cells.len();
            }
            // Text outside quotation marks loses its trailing blanks.
            let rest = &self.raw[at..];
            let end = memchr::memchr2(self.delimiter, b'\n', rest).unwrap_or(rest.len());
            cells.extend_from_slice(&rest[..end]);
            while cells.len() > kept && cells.last().is_some_and(u8::is_ascii_whitespace) {
                cells.pop();
            }
            self.ends.push(cells.len());
            at += end;
            if self.raw.get(at) != Some(&self.delimiter) {
                break;
            }
            at += 1;
        }
        // Check the row itself: joined cells could merge two halves of a character. Cells end at ASCII
        // bytes, so cells of a valid row are valid.
        match (std::str::from_utf8(&self.raw), String::from_utf8(cells)) {
            (Ok(_), Ok(text)) => self.text = text,
            _ => return Err(self.not_utf8()),
        }
        Ok(true)
    }

    /// Appends a quoted cell that starts at `at`; returns the position behind the closing mark.
    fn unquote(&mut self, mut at: usize, cell: &mut Vec<u8>) -> Result<usize, DataError> {
        loop {
            match memchr(b'"', &self.raw[at..]) {
                Some(found) => {
                    cell.extend_from_slice(&self.raw[at..at + found]);
                    at += found + 1;
                    if self.raw.get(at) != Some(&b'"') {
                        return Ok(at);
                    }
                    cell.push(b'"');
                    at += 1;
                }
                None => {
                    cell.extend_from_slice(&self.raw[at..]);
                    at = self.raw.len();
                    if at > MAX_ROW_BYTES || self.input.line(&mut self.raw)? == 0 {
                        return Err(DataError::OpenQuote {
                            file: self.input.file.clone(),
                            line: self.line,
                            found: self.beginning(),
                        });
                    }
                    self.next_line += 1;
                }
            }
        }
    }

    fn not_utf8(&self) -> DataError {
        let good = std::str::from_utf8(&self.raw).err().map_or(0, |error| error.valid_up_to());
        let line_start = memchr::memrchr(b'\n', &self.raw[..good]).map_or(0, |at| at + 1);
        let shown = &self.raw[line_start..self.raw.len().min(line_start + 200)];
        DataError::NotUtf8 {
            file: self.input.file.clone(),
            line: self.line + memchr_iter(b'\n', &self.raw[..good]).count() as u64,
            byte: good - line_start + 1,
            found: shorten(String::from_utf8_lossy(shown).trim_end()),
        }
    }
}

/// Splits the first word from a line. Blanks in quotation marks do not separate words.
fn first_word(line: &str) -> (&str, &str) {
    let quoted = line.strip_prefix('"').and_then(|rest| rest.split_once('"'));
    let (word, rest) = match quoted {
        Some((word, rest))
            if rest.is_empty() || rest.starts_with(|c: char| c.is_ascii_whitespace()) =>
        {
            (word, rest)
        }
        _ => line.split_at(line.find(|c: char| c.is_ascii_whitespace()).unwrap_or(line.len())),
    };
    (word, rest.trim_ascii_start())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(text: &str) -> Result<Vec<(u64, Vec<String>)>, DataError> {
        let input = Input::new("t.csv".into(), std::io::Cursor::new(text.as_bytes().to_vec()))?;
        let mut rows = CsvRows::new(input, b',');
        let mut all = Vec::new();
        while rows.next()? {
            all.push((rows.line, (0..rows.len()).map(|i| rows.cell(i).to_owned()).collect()));
        }
        Ok(all)
    }

    fn row(line: u64, cells: &[&str]) -> (u64, Vec<String>) {
        (line, cells.iter().map(|cell| cell.to_string()).collect())
    }

    #[test]
    fn quotes_blanks_and_line_ends() {
        let text = "\u{feff}a, b ,c\r\n\r\n\"x,\"\"y\"\"\n z\" ,\"\",1\n,,";
        let expected =
            [row(1, &["a", "b", "c"]), row(3, &["x,\"y\"\n z", "", "1"]), row(5, &["", "", ""])];
        assert_eq!(rows(text).unwrap(), expected);
    }

    #[test]
    fn a_quotation_mark_inside_a_plain_cell_is_text() {
        assert_eq!(rows("5\" pipe,\"a\" b,c").unwrap(), [row(1, &["5\" pipe", "a b", "c"])]);
    }

    #[test]
    fn quoted_blanks_do_not_separate_words() {
        let mut rest = "8   \"ford torino\"\t5\"2 \"open end";
        let mut words = Vec::new();
        while !rest.is_empty() {
            let word;
            (word, rest) = first_word(rest);
            words.push(word);
        }
        assert_eq!(words, ["8", "ford torino", "5\"2", "\"open", "end"]);
    }

    #[test]
    fn an_open_quotation_mark_is_an_error() {
        let error = rows("a,b\n1,\"x\n2,3\n").unwrap_err();
        assert!(matches!(error, DataError::OpenQuote { line: 2, .. }), "{error}");
    }

    #[test]
    fn bad_bytes_are_found_by_line_and_byte() {
        let bytes = b"a,b\n1,\"x\n\xff\"\n".to_vec();
        let input = Input::new("t.csv".into(), std::io::Cursor::new(bytes)).unwrap();
        let mut rows = CsvRows::new(input, b',');
        rows.next().unwrap();
        let error = rows.next().unwrap_err();
        assert!(matches!(error, DataError::NotUtf8 { line: 3, byte: 1, .. }), "{error}");
    }
}
