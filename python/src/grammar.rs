//! Grammars and what genes derive to.

use crate::error::Kind;
use crate::json;
use mge::GrammarText;
use mge::grammar::{DecodeOptions, Grammar, Sentence, Shape, Template, shipped};
use pyo3::prelude::*;
use serde_json::json;

/// The shipped grammars: name, title, text.
#[pyfunction]
pub fn grammars(py: Python<'_>) -> PyResult<Bound<'_, PyAny>> {
    let all = shipped::ALL.iter().chain(&shipped::NETWORKS);
    let describe = all.map(|one| json!({ "name": one.name, "title": one.title, "text": one.text }));
    json::to_python(py, &describe.collect::<Vec<_>>())
}

/// The name and text of a shipped grammar or of a file.
#[pyfunction]
pub fn find_grammar(name: std::path::PathBuf) -> PyResult<(String, String)> {
    let found = GrammarText::find(&name).map_err(|error| Kind::Settings.error(error))?;
    Ok((found.name, found.text))
}

/// Checks a grammar. Returns its rules with their alternatives, and warnings.
#[pyfunction]
pub fn check_grammar<'py>(
    py: Python<'py>,
    name: &str,
    text: &str,
    features: usize,
    outputs: usize,
) -> PyResult<Bound<'py, PyAny>> {
    let template = template(name, text)?;
    let warnings: Vec<String> = template.warnings().iter().map(ToString::to_string).collect();
    let grammar = bind(&template, features, outputs)?;
    let rules = grammar.symbols().map(|symbol| {
        json!({ "name": grammar.name(symbol), "alternatives": grammar.alternatives(symbol) })
    });
    let rules: Vec<_> = rules.collect();
    json::to_python(py, &json!({ "rules": rules, "warnings": warnings }))
}

/// What codons derive to: the sentence, and the steps of the derivation as text.
#[pyfunction]
#[pyo3(signature = (name, text, codons, *, features, outputs, start, wraps, references))]
#[allow(clippy::too_many_arguments, reason = "called by keyword, from one place")]
pub fn map_gene(
    name: &str,
    text: &str,
    codons: Vec<u16>,
    features: usize,
    outputs: usize,
    start: Option<&str>,
    wraps: u32,
    references: usize,
) -> PyResult<(String, String)> {
    let grammar = bind(&template(name, text)?, features, outputs)?;
    let start = match start {
        None => grammar.start(),
        Some(name) => grammar.symbol(name).ok_or_else(|| {
            let nearest = grammar.nearest_name(name);
            let hint = nearest.map(|name| format!("; did you mean <{name}>?")).unwrap_or_default();
            Kind::Settings.message(format!("the grammar has no <{name}>{hint}"))
        })?,
    };
    let options = DecodeOptions { wraps, references };
    let mut sentence = Sentence::default();
    match grammar.derive(start, &codons, &options, &mut sentence) {
        Ok(_) => {
            let steps = grammar.trace(start, &codons, &options).to_string();
            Ok((sentence.text().to_string(), steps))
        }
        Err(failure) => {
            let reason = grammar.explain(failure);
            Err(Kind::Search.message(format!("the gene does not map: {reason}")))
        }
    }
}

pub fn template(name: &str, text: &str) -> PyResult<Template> {
    Template::parse(name, text).map_err(|error| Kind::Settings.error(error))
}

pub fn bind(template: &Template, features: usize, outputs: usize) -> PyResult<Grammar> {
    template.bind(Shape { features, outputs }).map_err(|error| Kind::Settings.error(error))
}
