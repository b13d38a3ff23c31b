//! Printing: results to standard output, everything else to standard error.

use mge_report::clean;
use miette::{Diagnostic, GraphicalReportHandler, GraphicalTheme, LabeledSpan, SourceCode};
use serde::Serialize;
use std::fmt;
use std::io::{self, ErrorKind, IsTerminal, Write};

/// Writes a result to standard output. A reader that went away (`| head`) is no error.
pub fn out(text: &str) -> miette::Result<()> {
    bytes(text.as_bytes())
}

/// Writes a result that is no text to standard output.
pub fn bytes(bytes: &[u8]) -> miette::Result<()> {
    let mut stdout = io::stdout().lock();
    match stdout.write_all(bytes).and_then(|()| stdout.flush()) {
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
        result => result.map_err(|e| miette::miette!("cannot write to standard output: {e}")),
    }
}

/// Writes one JSON object to standard output.
pub fn json(value: &impl Serialize) -> miette::Result<()> {
    let text = serde_json::to_string_pretty(value)
        .map_err(|error| miette::miette!("cannot write the result as JSON: {error}"))?;
    out(&(text + "\n"))
}

/// Tells something beside the result. Names, labels and paths in it are the user's and may be
/// anybody's: what could steer the terminal is taken out.
pub fn note(text: impl std::fmt::Display) {
    raw_note(&harmless(&text.to_string()));
}

/// A text of several lines without what could steer the terminal.
pub fn harmless(text: &str) -> String {
    let lines: Vec<String> = text.split('\n').map(clean).collect();
    lines.join("\n")
}

fn raw_note(text: &str) {
    // Nobody is left to tell when standard error is gone.
    let _ = writeln!(io::stderr().lock(), "{text}");
}

/// An error with its causes; one that points into a text is drawn with that text.
pub fn error(error: &miette::Report) {
    note(format_args!("error: {error}"));
    if let Some(drawing) = drawing(error) {
        return raw_note(&drawing);
    }
    let mut said = error.to_string();
    for cause in error.chain().skip(1) {
        let cause = cause.to_string();
        // Many messages include their cause already.
        if !said.contains(&cause) {
            note(format_args!("  caused by: {cause}"));
            said = cause;
        }
    }
    if let Some(help) = error.help() {
        note(format_args!("  help: {help}"));
    }
}

/// The text that an error points into, with the places marked.
fn drawing(error: &miette::Report) -> Option<String> {
    let diagnostic: &dyn Diagnostic = error.as_ref();
    diagnostic.source_code()?;
    let theme = if io::stderr().is_terminal() {
        GraphicalTheme::unicode()
    } else {
        GraphicalTheme::unicode_nocolor()
    };
    let mut text = String::new();
    let handler = GraphicalReportHandler::new_themed(theme).with_width(100);
    handler.render_report(&mut text, &Marked(diagnostic)).ok()?;
    Some(text.trim_end().to_owned())
}

/// The marks of a diagnostic without its message, which is printed already.
#[derive(Debug)]
struct Marked<'a>(&'a dyn Diagnostic);

impl fmt::Display for Marked<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("here:")
    }
}

impl std::error::Error for Marked<'_> {}

impl Diagnostic for Marked<'_> {
    fn source_code(&self) -> Option<&dyn SourceCode> {
        self.0.source_code()
    }

    fn labels(&self) -> Option<Box<dyn Iterator<Item = LabeledSpan> + '_>> {
        self.0.labels()
    }
}

/// `1 row`, `2 rows`.
pub fn count(number: usize, thing: &str) -> String {
    format!("{number} {thing}{}", if number == 1 { "" } else { "s" })
}

/// Two aligned columns, each value in one line and harmless.
pub fn table(rows: &[(&str, String)]) -> String {
    let width = rows.iter().map(|(name, _)| name.chars().count()).max().unwrap_or(0);
    rows.iter().map(|(name, value)| format!("{name:<width$}  {}\n", clean(value))).collect()
}

/// Who was taken for whom: true classes down, answers across.
pub fn confusion(classes: &[String], counts: &[Vec<u64>]) -> String {
    let cells = counts.iter().flatten().map(u64::to_string).map(|text| text.len());
    let classes: Vec<String> = classes.iter().map(|name| clean(name)).collect();
    let names = classes.iter().map(|name| name.chars().count());
    let width = cells.chain(names.clone()).max().unwrap_or(1);
    let label = names.max().unwrap_or(1).max("true, answer".len());
    let mut text = format!("{:<label$}", "true, answer");
    for class in &classes {
        text += &format!("  {class:>width$}");
    }
    text.push('\n');
    for (class, row) in classes.iter().zip(counts) {
        text += &format!("{class:<label$}");
        for cell in row {
            text += &format!("  {cell:>width$}");
        }
        text.push('\n');
    }
    text
}
