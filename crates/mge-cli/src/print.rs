//! Printing: results to standard output, everything else to standard error.

use crate::colour;
use annotate_snippets::renderer::DecorStyle;
use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};
use mge::FitError;
use mge::grammar::BnfErrors;
use mge_report::clean;
use serde::Serialize;
use std::io::{self, ErrorKind, Write};
use std::path::Path;

/// Writes a result to standard output. A reader that went away (`| head`) is no error.
pub fn out(text: &str) -> anyhow::Result<()> {
    bytes(text.as_bytes())
}

/// Writes a result that is no text to standard output.
pub fn bytes(bytes: &[u8]) -> anyhow::Result<()> {
    let mut stdout = io::stdout().lock();
    match stdout.write_all(bytes).and_then(|()| stdout.flush()) {
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
        result => result.map_err(|e| anyhow::anyhow!("cannot write to standard output: {e}")),
    }
}

/// Writes a result to a file, whole or not at all, or to standard output.
pub fn to(file: Option<&Path>, text: &str) -> anyhow::Result<()> {
    match file {
        None => out(text),
        Some(file) => mge_io::write_atomically(file, text.as_bytes())
            .map_err(|error| anyhow::anyhow!("cannot write {}: {error}", file.display())),
    }
}

/// Writes one JSON object to standard output.
pub fn json(value: &impl Serialize) -> anyhow::Result<()> {
    let text = serde_json::to_string_pretty(value)
        .map_err(|error| anyhow::anyhow!("cannot write the result as JSON: {error}"))?;
    out(&(text + "\n"))
}

/// Tells something beside the result. Names, labels and paths in it are the user's and may be
/// anybody's: what could steer the terminal is taken out.
pub fn note(text: impl std::fmt::Display) {
    let text = harmless(&text.to_string());
    raw_note(&if colour::on_stderr() { colour::marked(&text) } else { text });
}

/// A number in up to six digits.
pub fn short(value: f64) -> String {
    let size = value.abs();
    if size != 0.0 && !(1e-4..1e9).contains(&size) {
        return format!("{value:.4e}");
    }
    let whole = if size < 1.0 { 0 } else { size.log10() as usize };
    let text = format!("{value:.*}", 5usize.saturating_sub(whole));
    match text.contains('.') {
        true => text.trim_end_matches('0').trim_end_matches('.').to_owned(),
        false => text,
    }
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
pub fn error(error: &anyhow::Error) {
    note(format_args!("error: {error}"));
    if let Some(errors) = error.chain().find_map(grammar_errors) {
        return raw_note(&marked_source(errors));
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
}

/// The mistakes of a grammar, if the error is about one.
fn grammar_errors<'e>(error: &'e (dyn std::error::Error + 'static)) -> Option<&'e BnfErrors> {
    match error.downcast_ref::<FitError>() {
        Some(FitError::Grammar(errors)) => Some(errors),
        _ => error.downcast_ref::<BnfErrors>(),
    }
}

/// The lines of a grammar that have mistakes, with the places marked.
fn marked_source(errors: &BnfErrors) -> String {
    // One byte for one byte, so that the spans stay right.
    let visible = |c: char| if c.is_ascii_control() && c != '\n' { ' ' } else { c };
    let source: String = errors.source_text().chars().map(visible).collect();
    let mut snippet = Snippet::source(source).path(clean(errors.name()));
    for error in errors.errors() {
        let label = clean(&error.problem.to_string());
        let primary = AnnotationKind::Primary.span(error.span.clone()).label(label);
        let related = error.related.clone();
        let related = related.map(|span| AnnotationKind::Context.span(span).label("the first one"));
        snippet = snippet.annotation(primary).annotations(related);
    }
    let renderer = if colour::on_stderr() { Renderer::styled() } else { Renderer::plain() };
    let group = Group::with_level(Level::ERROR).element(snippet);
    renderer.decor_style(DecorStyle::Unicode).render(&[group])
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

/// A table with a head, aligned; the columns of these indices to the right.
pub fn columns<const N: usize>(rows: &[[String; N]], right: &[usize]) -> String {
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max();
    let widths: Vec<usize> = (0..N).map(|column| width(column).unwrap_or(0)).collect();
    let mut text = String::new();
    for row in rows {
        let cells = row.iter().zip(&widths).enumerate().map(|(column, (cell, &width))| {
            if right.contains(&column) {
                format!("{cell:>width$}")
            } else {
                format!("{cell:<width$}")
            }
        });
        text += cells.collect::<Vec<_>>().join("  ").trim_end();
        text.push('\n');
    }
    text
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
