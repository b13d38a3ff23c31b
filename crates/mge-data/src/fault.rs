//! The single cells and rows that errors point at.

use std::fmt;

/// A cell that is not what its column wants.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BadCell {
    /// Where the row stands: `line 12` or `row 11`.
    pub place: String,
    /// The column's name.
    pub column: String,
    /// The cell's text.
    pub found: String,
}

impl fmt::Display for BadCell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}, column `{}`: `{}`", self.place, self.column, shorten(&self.found))
    }
}

/// A row with too few or too many cells.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RaggedRow {
    /// The line it starts on.
    pub line: u64,
    /// How many cells it has.
    pub found: usize,
    /// How it begins.
    pub text: String,
}

impl fmt::Display for RaggedRow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let cells = if self.found == 1 { "cell" } else { "cells" };
        write!(f, "line {}: {} {cells}: `{}`", self.line, self.found, shorten(&self.text))
    }
}

/// Long text is cut, so that a message stays a message.
pub(crate) fn shorten(text: &str) -> String {
    const MOST: usize = 60;
    let one_line = text.replace(['\n', '\r', '\t'], " ");
    match one_line.char_indices().nth(MOST) {
        None => one_line,
        Some((cut, _)) => format!("{}...", &one_line[..cut]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_cells_are_cut_between_characters() {
        let text = "ä".repeat(100);
        assert_eq!(shorten(&text), format!("{}...", "ä".repeat(60)));
    }
}
