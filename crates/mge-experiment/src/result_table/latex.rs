//! A table as LaTeX, with the lines of the package `booktabs`, a caption and a label.

use super::ResultTable;
use crate::TableCell;

impl ResultTable {
    /// LaTeX for papers: a `table` with caption, label and notes. It needs `\usepackage{booktabs}`.
    /// Bold and plus-minus are as in the paper.
    pub fn latex(&self) -> String {
        self.summary_columns().environment()
    }

    fn environment(&self) -> String {
        let mut text =
            String::from("% Needs \\usepackage{booktabs}.\n\\begin{table}\n\\centering\n");
        text += &format!("\\caption{{{}}}\n", escaped(&self.title));
        if !self.label.is_empty() {
            text += &format!("\\label{{{}}}\n", label(&self.label));
        }
        text += &format!("\\begin{{tabular}}{{{}}}\n\\toprule\n", "l".repeat(self.columns.len()));
        text += &line(self.titles().iter().map(|title| escaped(title)).collect());
        text += "\\midrule\n";
        for (index, row) in self.rows.iter().enumerate() {
            if index > 0 && !self.repeats(index) {
                text += "\\addlinespace\n";
            }
            let cell = |(column, cell): (usize, &TableCell)| match cell {
                _ if column == 0 && self.repeats(index) => String::new(),
                TableCell::Number { bold: true, .. } => {
                    format!("\\textbf{{{}}}", cell.show("$\\pm$"))
                }
                TableCell::Number { .. } => cell.show("$\\pm$"),
                other => escaped(&other.show("")),
            };
            text += &line(row.iter().enumerate().map(cell).collect());
        }
        text += "\\bottomrule\n\\end{tabular}\n";
        if !self.notes.is_empty() {
            let notes: Vec<String> = self.notes.iter().map(|note| escaped(note)).collect();
            let notes = notes.join("\n\n");
            text += &format!("\n\\medskip\n\\parbox{{\\linewidth}}{{\\footnotesize\n{notes}}}\n");
        }
        text + "\\end{table}\n"
    }
}

fn line(cells: Vec<String>) -> String {
    cells.join(" & ") + " \\\\\n"
}

/// Text that LaTeX shows as it is.
fn escaped(text: &str) -> String {
    let mut out = String::new();
    for letter in text.chars() {
        match letter {
            '%' | '&' | '#' | '_' | '$' | '{' | '}' => out.extend(['\\', letter]),
            '\\' => out.push_str("\\textbackslash{}"),
            '~' => out.push_str("\\textasciitilde{}"),
            '^' => out.push_str("\\textasciicircum{}"),
            '<' | '>' | '|' => out.extend(['$', letter, '$']),
            '±' => out.push_str("$\\pm$"),
            other => out.push(other),
        }
    }
    out
}

/// A name as a label may have it.
fn label(name: &str) -> String {
    let keep = |letter: char| letter.is_ascii_alphanumeric() || "-:.".contains(letter);
    name.chars().map(|letter| if keep(letter) { letter } else { '-' }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_has_caption_label_lines_and_notes() {
        let mean = |mean, bold| TableCell::Number { mean, deviation: Some(0.02), digits: 3, bold };
        let table = ResultTable {
            label: "tab:two_methods".to_owned(),
            title: "Two methods: average ± deviation".to_owned(),
            columns: ["Data set", "Method", "Acc._t"].map(Into::into).to_vec(),
            rows: vec![
                vec!["a_b".into(), "mge, wide".into(), mean(0.96712, true)],
                vec!["a_b".into(), "mu".into(), mean(0.9, false)],
                vec!["c".into(), "mu".into(), TableCell::P(1e-20)],
            ],
            notes: vec!["A note.".to_owned(), "100 %.".to_owned()],
            detail_notes: Vec::new(),
        };
        let expected = "% Needs \\usepackage{booktabs}.
\\begin{table}
\\centering
\\caption{Two methods: average $\\pm$ deviation}
\\label{tab:two-methods}
\\begin{tabular}{lll}
\\toprule
Data set & Method & Acc.\\_t \\\\
\\midrule
a\\_b & mge, wide & \\textbf{0.967$\\pm$0.020} \\\\
 & mu & 0.900$\\pm$0.020 \\\\
\\addlinespace
c & mu & $<$1e-15 \\\\
\\bottomrule
\\end{tabular}

\\medskip
\\parbox{\\linewidth}{\\footnotesize
A note.

100 \\%.}
\\end{table}
";
        assert_eq!(table.latex(), expected);
    }
}
