//! A table of results, as terminal text, CSV, Markdown or LaTeX.
//!
//! CSV has two columns for a mean and its deviation, in full precision. The other formats round, as
//! in `0.967 ± 0.020`, and mark the best values in bold as in the paper (text: by a star). Columns
//! of details are in CSV and Markdown only, unless all formats are asked to have them.

mod latex;

use crate::TableCell;
use std::fmt::Write;

/// A table of results.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ResultTable {
    /// The label in LaTeX, such as `tab:small`. Without one it has none.
    pub label: String,
    /// The title. In LaTeX, the caption.
    pub title: String,
    /// The heads of the columns.
    pub columns: Vec<TableColumn>,
    /// The rows. Text and LaTeX leave out a first cell that equals the one above.
    pub rows: Vec<Vec<TableCell>>,
    /// Explanations of the columns.
    pub notes: Vec<String>,
    /// Explanations of the columns of details.
    pub detail_notes: Vec<String>,
}

/// The head of a column.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TableColumn {
    /// The text of the head.
    pub title: String,
    /// Whether text and LaTeX leave the column out, because space on a screen or page is limited.
    pub is_detail: bool,
}

impl TableColumn {
    /// A column that only CSV and Markdown show.
    pub fn detail(title: impl Into<String>) -> Self {
        Self { title: title.into(), is_detail: true }
    }
}

impl From<&str> for TableColumn {
    fn from(title: &str) -> Self {
        title.to_owned().into()
    }
}

impl From<String> for TableColumn {
    fn from(title: String) -> Self {
        Self { title, is_detail: false }
    }
}

mge_names::named_enum! {
    /// The format of a table.
    #[derive(Default)]
    pub enum TableFormat: "format" {
        /// Aligned text for a terminal.
        #[default]
        Text = "text",
        /// CSV for programs.
        Csv = "csv",
        /// Markdown for documents.
        Markdown = "markdown",
        /// LaTeX for papers.
        Latex = "latex",
    }
}

impl ResultTable {
    /// The table in a format.
    pub fn in_format(&self, format: TableFormat) -> String {
        match format {
            TableFormat::Text => self.text(),
            TableFormat::Csv => self.csv(),
            TableFormat::Markdown => self.markdown(),
            TableFormat::Latex => self.latex(),
        }
    }

    /// The table with its columns of details in every format.
    pub fn with_details(mut self) -> Self {
        self.columns.iter_mut().for_each(|column| column.is_detail = false);
        self.notes.append(&mut self.detail_notes);
        self
    }

    /// The table without its columns of details.
    pub(crate) fn summary_columns(&self) -> Self {
        let kept = |(column, _): &(usize, &TableCell)| !self.columns[*column].is_detail;
        let row = |row: &Vec<TableCell>| -> Vec<TableCell> {
            row.iter().enumerate().filter(kept).map(|(_, cell)| cell.clone()).collect()
        };
        Self {
            label: self.label.clone(),
            title: self.title.clone(),
            columns: self.columns.iter().filter(|column| !column.is_detail).cloned().collect(),
            rows: self.rows.iter().map(row).collect(),
            notes: self.notes.clone(),
            detail_notes: Vec::new(),
        }
    }

    fn titles(&self) -> Vec<String> {
        self.columns.iter().map(|column| column.title.clone()).collect()
    }

    /// Text for a terminal: aligned columns, a star after the best values.
    pub fn text(&self) -> String {
        self.summary_columns().aligned()
    }

    fn aligned(&self) -> String {
        let shown: Vec<Vec<String>> = self
            .rows
            .iter()
            .enumerate()
            .map(|(index, row)| {
                let cell = |(column, cell): (usize, &TableCell)| match column {
                    0 if self.repeats(index) => String::new(),
                    _ if cell.is_bold() => format!("{}*", cell.show(" ± ")),
                    _ => cell.show(" ± "),
                };
                row.iter().enumerate().map(cell).collect()
            })
            .collect();
        let width = |column: usize| {
            let cells = shown.iter().filter_map(|row| row.get(column));
            let head = self.columns[column].title.chars().count();
            cells.map(|cell| cell.chars().count()).fold(head, usize::max)
        };
        let widths: Vec<usize> = (0..self.columns.len()).map(width).collect();
        let line = |cells: &[String]| {
            let padded: Vec<String> =
                cells.iter().zip(&widths).map(|(cell, &width)| format!("{cell:<width$}")).collect();
            padded.join("  ").trim_end().to_owned() + "\n"
        };
        let mut text = format!("{}\n\n{}", self.title, line(&self.titles()));
        text.extend(shown.iter().map(|row| line(row)));
        if !self.notes.is_empty() {
            text.push('\n');
        }
        text.extend(self.notes.iter().map(|note| format!("{note}\n")));
        text
    }

    /// CSV for programs.
    pub fn csv(&self) -> String {
        // A column has two values if any of its cells has two.
        let names: Vec<[Option<&str>; 2]> = (0..self.columns.len())
            .map(|column| {
                let cells = self.rows.iter().filter_map(|row| row.get(column));
                let mut names = cells.map(TableCell::value_names);
                names.find(|names| names[1].is_some()).unwrap_or_default()
            })
            .collect();
        let mut head = Vec::new();
        for (TableColumn { title, .. }, names) in self.columns.iter().zip(&names) {
            let [first, second] = names.map(|name| name.map(|name| format!("{title} {name}")));
            head.push(quoted(first.as_ref().unwrap_or(title)));
            head.extend(second.as_deref().map(quoted));
        }
        let mut lines = vec![head.join(",")];
        for row in &self.rows {
            let mut cells = Vec::new();
            for (column, names) in names.iter().enumerate() {
                let (first, second) = row.get(column).unwrap_or(&TableCell::Empty).values();
                cells.push(quoted(&first));
                if names[1].is_some() {
                    cells.push(quoted(&second));
                }
            }
            lines.push(cells.join(","));
        }
        lines.join("\n") + "\n"
    }

    /// Markdown for documents.
    pub fn markdown(&self) -> String {
        let line = |cells: Vec<String>| format!("| {} |\n", cells.join(" | "));
        let mut text = format!("{}\n\n", self.title);
        text += &line(self.titles());
        text += &line(self.columns.iter().map(|_| "---".to_owned()).collect());
        for row in &self.rows {
            let cell = |cell: &TableCell| match cell.is_bold() {
                true => format!("**{}**", cell.show(" ± ")),
                false => cell.show(" ± ").replace('|', "\\|"),
            };
            text += &line(row.iter().map(cell).collect());
        }
        for note in self.notes.iter().chain(&self.detail_notes) {
            let _ = write!(text, "\n{note}\n");
        }
        text
    }

    /// Whether the first cell of a row equals that of the row above.
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
    use mge_stats::Interval;

    fn example() -> ResultTable {
        let mean = |mean, bold| TableCell::Number { mean, deviation: Some(0.02), digits: 3, bold };
        ResultTable {
            title: "Two methods".to_owned(),
            columns: ["Data set", "Method", "Acc."].map(TableColumn::from).to_vec(),
            rows: vec![
                vec!["a_b".into(), "mge, wide".into(), mean(0.96712, true)],
                vec!["a_b".into(), "mu".into(), mean(0.9, false)],
            ],
            notes: vec!["A note.".to_owned()],
            ..ResultTable::default()
        }
    }

    #[test]
    fn details_are_in_csv_and_markdown_only() {
        let mut table = example();
        table.columns.insert(2, TableColumn::detail("Range"));
        let range = Some(Interval { low: 0.25, high: 0.5 });
        table.rows[0].insert(2, TableCell::Interval { range, digits: 2 });
        table.rows[1].insert(2, TableCell::Interval { range: None, digits: 2 });
        table.detail_notes.push("A range.".to_owned());
        assert_eq!((table.text(), table.latex()), (example().text(), example().latex()));
        assert_eq!(
            table.csv(),
            "Data set,Method,Range low,Range high,Acc.,Acc. deviation\n\
             a_b,\"mge, wide\",0.25,0.5,0.96712,0.02\na_b,mu,,,0.9,0.02\n"
        );
        let markdown = table.markdown();
        assert!(markdown.contains("| [0.25, 0.50] |") && markdown.ends_with("A range.\n"));
        let text = table.with_details().text();
        assert!(text.contains("mge, wide  [0.25, 0.50]") && text.ends_with("A range.\n"), "{text}");
    }

    #[test]
    fn a_table_has_four_formats() {
        assert_eq!(
            example().text(),
            "Two methods\n\n\
             Data set  Method     Acc.\n\
             a_b       mge, wide  0.967 ± 0.020*\n          \
             mu         0.900 ± 0.020\n\nA note.\n"
        );
        assert_eq!(
            example().csv(),
            "Data set,Method,Acc.,Acc. deviation\n\
             a_b,\"mge, wide\",0.96712,0.02\na_b,mu,0.9,0.02\n"
        );
        assert_eq!(
            example().markdown(),
            "Two methods\n\n| Data set | Method | Acc. |\n| --- | --- | --- |\n\
             | a_b | mge, wide | **0.967 ± 0.020** |\n| a_b | mu | 0.900 ± 0.020 |\n\nA note.\n"
        );
    }
}
