//! The examples that the paper's text gives, and what random genes of its grammar look like.

use std::collections::BTreeMap;

use mge_grammar::{DecodeOptions, MapFailure, Sentence, shipped};
use mge_random::{Purpose, Stream};

use super::{grammar, map};

/// Grammar G1 of section 2.
const G1: &str = "<start> ::= <exp>\n<exp> ::= 0 | 1 <exp>";

/// The grammar of section 5.3.1: three outputs, weights of one digit, one output for each neuron.
const SIMPLIFIED: &str = "<S> ::= <OutputNeuron>:<Digit>*sig(<Sum> + <Digit>*1)
    <Sum> ::= <Digit>*<xnList> | <Sum> + <Digit>*<xnList>
    <Digit> ::= 0..9
    <OutputNeuron> ::= 1..c
    <xnList> ::= x1..xd";

#[test]
fn g1_maps_to_1110_with_three_codons_unused() {
    let g = grammar(G1, 1, 1);
    let mut sentence = Sentence::default();
    let gene = [11, 5, 73, 8, 15, 20, 30];
    let derived = g.derive(g.start(), &gene, &DecodeOptions::default(), &mut sentence).unwrap();
    assert_eq!(sentence.text(), "1110");
    assert_eq!(gene.len() - derived.codons_used, 3);
    assert_eq!(map(&g, &[4, 5, 73, 8, 15, 20, 30]).unwrap(), "0");
}

/// Only the parity of a codon counts, so the 128 patterns of seven codons stand for all genes.
#[test]
fn g1_sentences_halve_in_probability_and_one_in_128_is_invalid() {
    let g = grammar(G1, 1, 1);
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for pattern in 0..128u16 {
        let gene: Vec<u16> = (0..7).map(|index| (pattern >> index) & 1).collect();
        *counts.entry(map(&g, &gene).unwrap_or_else(|_| "invalid".to_owned())).or_default() += 1;
    }
    for ones in 0..7 {
        assert_eq!(counts[&format!("{}0", "1".repeat(ones))], 64 >> ones);
    }
    assert_eq!(counts["invalid"], 1);
    assert_eq!(counts.len(), 8);
}

#[test]
fn running_out_of_codons_is_a_typed_failure() {
    let g = grammar(G1, 1, 1);
    let symbol = g.symbol("exp").unwrap();
    let failure = map(&g, &[1, 3]).unwrap_err();
    assert_eq!(failure, MapFailure::OutOfCodons { used: 2, symbol });
    let words = g.explain(failure);
    assert_eq!(words, "ran out of codons after 2: <exp> still had to be replaced");
}

#[test]
fn wrapping_reads_the_gene_again() {
    let g = grammar("<s> ::= <b><b><b>\n<b> ::= 0 | 1", 1, 1);
    let mut sentence = Sentence::default();
    let mut derive = |gene: &[u16], wraps| {
        let options = DecodeOptions { wraps, references: 0 };
        let derived = g.derive(g.start(), gene, &options, &mut sentence);
        derived.map(|d| (sentence.text().to_owned(), d.codons_used, d.wraps_used))
    };
    assert_eq!(derive(&[1, 0], 1), Ok(("101".to_owned(), 3, 1)));
    assert_eq!(derive(&[1], 2), Ok(("111".to_owned(), 3, 2)));
    assert_eq!(derive(&[0, 1, 1], 5), Ok(("011".to_owned(), 3, 0)));
    assert!(matches!(derive(&[1], 1), Err(MapFailure::OutOfCodons { used: 2, .. })));
    assert!(matches!(derive(&[], 9), Err(MapFailure::OutOfCodons { used: 0, .. })));
}

#[test]
fn the_papers_neuron_with_first_codon_9() {
    let g = grammar(SIMPLIFIED, 4, 3);
    let gene = [9, 12, 1, 0, 5, 0, 21, 5, 3, 200];
    assert_eq!(map(&g, &gene).unwrap(), "1:2*sig(5*x1 + 1*x2 + 3*1)");
}

#[test]
fn first_codon_9_with_three_outputs_chooses_output1() {
    let g = grammar(shipped::MGE.text, 30, 3);
    let mut gene = vec![0; 40];
    gene[0] = 9;
    assert_eq!(map(&g, &gene).unwrap(), "(output1:+0.0) * sig(+0.0*x1 + +0.0)");
}

#[test]
fn references_follow_the_features() {
    let g = grammar(shipped::MGE.text, 30, 1);
    let mut sentence = Sentence::default();
    let options = DecodeOptions { wraps: 0, references: 2 };
    // Weight +0.0, one input +0.0*h2 (codon 31 of 30 + 2 inputs), bias +0.0.
    let gene = [0, 0, 0, 0, 0, 0, 0, 31, 0, 0, 0];
    g.derive(g.start(), &gene, &options, &mut sentence).unwrap();
    assert_eq!(sentence.text(), "(output1:+0.0) * sig(+0.0*h2 + +0.0)");
}

#[test]
fn random_genes_of_the_modular_grammar() {
    const GENES: u64 = 20_000;
    let g = grammar(shipped::MGE.text, 30, 1);
    let mut sentence = Sentence::default();
    let (mut valid, mut inputs, mut codons) = (0.0, 0.0, 0.0);
    for index in 0..GENES {
        let mut stream = Stream::at(2021, Purpose::Initialisation, 0, index);
        let gene: Vec<u16> = (0..100).map(|_| stream.below(256) as u16).collect();
        let derived = g.derive(g.start(), &gene, &DecodeOptions::default(), &mut sentence);
        if let Ok(derived) = derived {
            valid += 1.0;
            inputs += sentence.text().matches("*x").count() as f64;
            codons += derived.codons_used as f64;
        }
    }
    assert!(valid / GENES as f64 > 0.999, "valid share {}", valid / GENES as f64);
    assert!((inputs / valid - 2.0f64).abs() < 0.05, "inputs {}", inputs / valid);
    assert!((codons / valid - 24.0f64).abs() < 0.5, "codons {}", codons / valid);
}
