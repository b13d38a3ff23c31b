//! A table for people and programs: terminal text, CSV, Markdown, LaTeX.
//!
//! In CSV a figure has two columns, mean and deviation, in full precision; elsewhere it reads
//! `0.967 ± 0.020`, rounded, and the best ones are bold as in the paper (in text: a star).

use std::fmt::{self, Write};
use std::str::FromStr;
use thiserror::Error;

/// A table.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Sheet {
    /// What it shows.
    pub title: String,
    /// The heads of the columns.
    pub columns: Vec<String>,
    /// The rows; a first cell that repeats the one above is shown once in text and LaTeX.
    pub rows: Vec<Vec<Cell>>,
    /// What must be known to read it.
    pub notes: Vec<String>,
}

/// A cell.
#[derive(Debug, Clone, PartialEq)]
pub enum Cell {
    /// Words.
    Text(String),
    /// A number with its deviation, if it is a mean.
    Figure {
        /// The number.
        mean: f64,
        /// The standard deviation of the sample.
        deviation: Option<f64>,
        /// Digits behind the point.
        digits: usize,
        /// Whether it is among the best.
        bold: bool,
    },
    /// Nothing.
    Empty,
}

impl Cell {
    /// A plain number.
    pub fn number(mean: f64, digits: usize) -> Self {
        Self::Figure { mean, deviation: None, digits, bold: false }
    }

    /// A p-value: small ones in powers of ten, and none smaller than the arithmetic behind it.
    pub fn p_value(p: f64) -> Self {
        Self::Text(Self::p_text(p))
    }

    /// A p-value in running text: small ones are not 0.000.
    pub(crate) fn p_text(p: f64) -> String {
        match p {
            p if p < 1e-15 => "<1e-15".to_owned(),
            p if p < 0.0005 => format!("{p:.0e}"),
            p => format!("{p:.3}"),
        }
    }

    fn show(&self, between: &str) -> String {
        match self {
            Self::Text(text) => text.clone(),
            Self::Empty => String::new(),
            Self::Figure { mean, deviation: None, digits, .. } => format!("{mean:.digits$}"),
            Self::Figure { mean, deviation: Some(deviation), digits, .. } => {
                format!("{mean:.digits$}{between}{deviation:.digits$}")
            }
        }
    }

    fn is_bold(&self) -> bool {
        matches!(self, Self::Figure { bold: true, .. })
    }
}

impl From<&str> for Cell {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl From<String> for Cell {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

/// How a table is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Format {
    /// For a terminal.
    #[default]
    Text,
    /// For programs.
    Csv,
    /// For documents.
    Markdown,
    /// For papers.
    Latex,
}

/// A name that is no format.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("unknown format `{found}`; expected text, csv, markdown or latex")]
pub struct UnknownFormat {
    found: String,
}

impl FromStr for Format {
    type Err = UnknownFormat;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text {
            "text" => Ok(Self::Text),
            "csv" => Ok(Self::Csv),
            "markdown" => Ok(Self::Markdown),
            "latex" => Ok(Self::Latex),
            _ => Err(UnknownFormat { found: text.to_owned() }),
        }
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Text => "text",
            Self::Csv => "csv",
            Self::Markdown => "markdown",
            Self::Latex => "latex",
        })
    }
}

impl Sheet {
    /// The table in a format.
    pub fn in_format(&self, format: Format) -> String {
        match format {
            Format::Text => self.text(),
            Format::Csv => self.csv(),
            Format::Markdown => self.markdown(),
            Format::Latex => self.latex(),
        }
    }

    /// For a terminal: aligned columns, a star behind the best.
    pub fn text(&self) -> String {
        let shown: Vec<Vec<String>> = self
            .rows
            .iter()
            .enumerate()
            .map(|(index, row)| {
                let cell = |(column, cell): (usize, &Cell)| match column {
                    0 if self.repeats(index) => String::new(),
                    _ if cell.is_bold() => format!("{}*", cell.show(" ± ")),
                    _ => cell.show(" ± "),
                };
                row.iter().enumerate().map(cell).collect()
            })
            .collect();
        let width = |column: usize| {
            let cells = shown.iter().filter_map(|row| row.get(column));
            let head = self.columns[column].chars().count();
            cells.map(|cell| cell.chars().count()).fold(head, usize::max)
        };
        let widths: Vec<usize> = (0..self.columns.len()).map(width).collect();
        let line = |cells: &[String]| {
            let padded: Vec<String> =
                cells.iter().zip(&widths).map(|(cell, &width)| format!("{cell:<width$}")).collect();
            padded.join("  ").trim_end().to_owned() + "\n"
        };
        let mut text = format!("{}\n\n{}", self.title, line(&self.columns));
        text.extend(shown.iter().map(|row| line(row)));
        if !self.notes.is_empty() {
            text.push('\n');
        }
        text.extend(self.notes.iter().map(|note| format!("{note}\n")));
        text
    }

    /// For programs.
    pub fn csv(&self) -> String {
        let spread: Vec<bool> = (0..self.columns.len())
            .map(|column| {
                let has_deviation = |row: &Vec<Cell>| {
                    matches!(row.get(column), Some(Cell::Figure { deviation: Some(_), .. }))
                };
                self.rows.iter().any(has_deviation)
            })
            .collect();
        let mut lines = vec![];
        let mut head = Vec::new();
        for (name, &spread) in self.columns.iter().zip(&spread) {
            head.push(quoted(name));
            if spread {
                head.push(quoted(&format!("{name} deviation")));
            }
        }
        lines.push(head.join(","));
        for row in &self.rows {
            let mut cells = Vec::new();
            for (cell, &spread) in row.iter().zip(&spread) {
                let (value, deviation) = match cell {
                    Cell::Figure { mean, deviation, .. } => {
                        (mean.to_string(), deviation.map(|d| d.to_string()).unwrap_or_default())
                    }
                    other => (quoted(&other.show("")), String::new()),
                };
                cells.push(value);
                if spread {
                    cells.push(deviation);
                }
            }
            lines.push(cells.join(","));
        }
        lines.join("\n") + "\n"
    }

    /// For documents.
    pub fn markdown(&self) -> String {
        let line = |cells: Vec<String>| format!("| {} |\n", cells.join(" | "));
        let mut text = format!("{}\n\n", self.title);
        text += &line(self.columns.clone());
        text += &line(self.columns.iter().map(|_| "---".to_owned()).collect());
        for row in &self.rows {
            let cell = |cell: &Cell| match cell.is_bold() {
                true => format!("**{}**", cell.show(" ± ")),
                false => cell.show(" ± ").replace('|', "\\|"),
            };
            text += &line(row.iter().map(cell).collect());
        }
        for note in &self.notes {
            let _ = write!(text, "\n{note}\n");
        }
        text
    }

    /// For papers: a `tabular`, with the paper's bold and plus-minus.
    pub fn latex(&self) -> String {
        let escape = |text: &str| {
            let mut out = String::new();
            for letter in text.chars() {
                match letter {
                    '%' | '&' | '#' | '_' | '$' | '{' | '}' => out.extend(['\\', letter]),
                    '\\' => out.push_str("\\textbackslash{}"),
                    '~' => out.push_str("\\textasciitilde{}"),
                    '^' => out.push_str("\\textasciicircum{}"),
                    other => out.push(other),
                }
            }
            out
        };
        let line = |cells: Vec<String>| cells.join(" & ") + " \\\\\n";
        let mut text = format!("% {}\n\\begin{{tabular}}{{l", self.title);
        text += &"|l".repeat(self.columns.len().saturating_sub(1));
        text += "} \\hline\n";
        text += &line(self.columns.iter().map(|name| escape(name)).collect());
        for (index, row) in self.rows.iter().enumerate() {
            if !self.repeats(index) {
                text += "\\hline\n";
            }
            let cell = |(column, cell): (usize, &Cell)| match cell {
                _ if column == 0 && self.repeats(index) => String::new(),
                Cell::Figure { bold: true, .. } => format!("\\textbf{{{}}}", cell.show("$\\pm$")),
                Cell::Figure { .. } => cell.show("$\\pm$"),
                other => escape(&other.show("")),
            };
            text += &line(row.iter().enumerate().map(cell).collect());
        }
        text += "\\hline\n\\end{tabular}\n";
        text.extend(self.notes.iter().map(|note| format!("% {note}\n")));
        text
    }

    /// Whether the first cell of a row is that of the row above.
    fn repeats(&self, row: usize) -> bool {
        row > 0 && self.rows[row].first() == self.rows[row - 1].first()
    }
}

fn quoted(text: &str) -> String {
    if text.contains([',', '"', '\n']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sheet() -> Sheet {
        let figure = |mean, bold| Cell::Figure { mean, deviation: Some(0.02), digits: 3, bold };
        Sheet {
            title: "Two methods".to_owned(),
            columns: ["Data set", "Method", "Acc."].map(String::from).to_vec(),
            rows: vec![
                vec!["a_b".into(), "mge, wide".into(), figure(0.96712, true)],
                vec!["a_b".into(), "mu".into(), figure(0.9, false)],
            ],
            notes: vec!["A note.".to_owned()],
        }
    }

    #[test]
    fn the_four_formats() {
        assert_eq!(
            sheet().text(),
            "Two methods\n\n\
             Data set  Method     Acc.\n\
             a_b       mge, wide  0.967 ± 0.020*\n          \
             mu         0.900 ± 0.020\n\nA note.\n"
        );
        assert_eq!(
            sheet().csv(),
            "Data set,Method,Acc.,Acc. deviation\n\
             a_b,\"mge, wide\",0.96712,0.02\na_b,mu,0.9,0.02\n"
        );
        assert_eq!(
            sheet().markdown(),
            "Two methods\n\n| Data set | Method | Acc. |\n| --- | --- | --- |\n\
             | a_b | mge, wide | **0.967 ± 0.020** |\n| a_b | mu | 0.900 ± 0.020 |\n\nA note.\n"
        );
        assert_eq!(
            sheet().latex(),
            "% Two methods\n\\begin{tabular}{l|l|l} \\hline\n\
             Data set & Method & Acc. \\\\\n\\hline\n\
             a\\_b & mge, wide & \\textbf{0.967$\\pm$0.020} \\\\\n \
             & mu & 0.900$\\pm$0.020 \\\\\n\\hline\n\\end{tabular}\n% A note.\n"
        );
    }
}
