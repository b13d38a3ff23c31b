//! The cells and rows that errors name.

use std::fmt;

/// A cell that does not fit its column.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BadCell {
    /// The location of the row: `line 12` or `row 11`.
    pub location: String,
    /// The column's name.
    pub column: String,
    /// The cell's text.
    pub found: String,
}

impl fmt::Display for BadCell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}, column `{}`: `{}`", self.location, self.column, shorten(&self.found))
    }
}

/// A row with too few or too many cells.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RaggedRow {
    /// The line it starts on.
    pub line: u64,
    /// The number of its cells.
    pub found: usize,
    /// Its first characters.
    pub text: String,
}

impl fmt::Display for RaggedRow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let cells = if self.found == 1 { "cell" } else { "cells" };
        write!(f, "line {}: {} {cells}: `{}`", self.line, self.found, shorten(&self.text))
    }
}

/// Truncates long text for an error message.
pub(crate) fn shorten(text: &str) -> String {
    const MAX_CHARS: usize = 60;
    let one_line = text.replace(['\n', '\r', '\t'], " ");
    match one_line.char_indices().nth(MAX_CHARS) {
        None => one_line,
        Some((cut, _)) => format!("{}...", &one_line[..cut]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_cells_are_truncated_between_characters() {
        let text = "ä".repeat(100);
        assert_eq!(shorten(&text), format!("{}...", "ä".repeat(60)));
    }
}
