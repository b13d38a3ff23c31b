//! The lines of a text format that has one thing on each line: ARFF, LIBSVM.

use super::Input;
use crate::bad_cell::shorten;
use crate::error::{DataError, FormatError};

/// The lines of a file, as text without blanks around it.
pub(super) struct LineReader<'a> {
    input: &'a mut Input,
    format: &'static str,
    raw: Vec<u8>,
    /// The number of the current line, from 1.
    pub number: u64,
}

impl<'a> LineReader<'a> {
    /// Before the first line.
    pub fn new(input: &'a mut Input, format: &'static str) -> Self {
        Self { input, format, raw: Vec::new(), number: 0 }
    }

    /// Goes to the next line; false at the end.
    pub fn next(&mut self) -> Result<bool, DataError> {
        self.raw.clear();
        self.number += 1;
        Ok(self.input.line(&mut self.raw)? > 0)
    }

    /// The current line.
    pub fn text(&self) -> Result<&str, DataError> {
        let text = std::str::from_utf8(&self.raw).map_err(|error| DataError::NotUtf8 {
            file: self.input.file.clone(),
            line: self.number,
            byte: error.valid_up_to() + 1,
            found: shorten(String::from_utf8_lossy(&self.raw).trim_end()),
        })?;
        Ok(text.trim_start_matches('\u{feff}').trim())
    }

    /// The error that something in the current line is not as the format wants it.
    pub fn wrong(&self, found: String, expected: &'static str) -> DataError {
        let (file, line) = (self.input.file.clone(), self.number);
        FormatError::BadLine { file, line, format: self.format, found, expected }.into()
    }

    /// The error that a quotation mark of the current line is never closed.
    pub fn open_quote(&self) -> DataError {
        let found = String::from_utf8_lossy(&self.raw).trim().to_owned();
        DataError::OpenQuote { file: self.input.file.clone(), line: self.number, found }
    }
}
