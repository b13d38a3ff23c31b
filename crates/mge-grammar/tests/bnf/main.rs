//! BNF texts from the outside: parse, bind, derive, trace.

mod errors;
mod hostile;
mod properties;
mod shipped;
mod spacing;
mod syntax;
mod trace;
mod worked_examples;

use mge_grammar::{DecodeOptions, Grammar, MapFailure, Sentence, Shape, Template};

/// Parses and binds a grammar that must be right.
fn grammar(text: &str, features: usize, outputs: usize) -> Grammar {
    let template = Template::parse("test", text).unwrap_or_else(|errors| panic!("{errors}"));
    template.bind(Shape { features, outputs }).expect("every range has entries")
}

/// Maps from the start without wrapping.
fn map(grammar: &Grammar, codons: &[u16]) -> Result<String, MapFailure> {
    let mut sentence = Sentence::default();
    grammar
        .derive(grammar.start(), codons, &DecodeOptions::default(), &mut sentence)
        .map(|_| sentence.text().to_owned())
}

/// All sentences of a grammar whose first rule holds only text, one for each alternative.
fn sentences(text: &str) -> Vec<String> {
    let grammar = grammar(text, 4, 3);
    let count = grammar.alternatives(grammar.start()) as u16;
    (0..count).map(|codon| map(&grammar, &[codon]).expect("one codon suffices")).collect()
}
