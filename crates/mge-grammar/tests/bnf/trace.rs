//! What a user sees of a mapping.

use mge_grammar::{DecodeOptions, shipped};

use super::grammar;

#[test]
fn steps_show_the_left_most_symbol_and_its_codon() {
    let g = grammar("<start> ::= <exp>\n<exp> ::= 0 | 1 <exp>", 1, 1);
    let trace = g.trace(g.start(), &[11, 5, 73, 8, 15, 20, 30], &DecodeOptions::default());
    let expected = "\
step  codon         form
   1  -             [<start>]
   2  11 mod 2 = 1  [<exp>]
   3  5 mod 2 = 1   1 [<exp>]
   4  73 mod 2 = 1  11 [<exp>]
   5  8 mod 2 = 0   111 [<exp>]
                    1110
4 of 7 codons used";
    assert_eq!(trace.to_string(), expected);
    assert_eq!(trace.sentence(), Some("1110"));
    assert_eq!(trace.steps[1].codon, Some((0, 11)));
}

#[test]
fn the_tree_is_indented() {
    let g = grammar("<s> ::= (<a>) <a>\n<a> ::= x1 | y", 1, 1);
    let trace = g.trace(g.start(), &[3, 2], &DecodeOptions::default());
    let expected = "\
<s>
  \"(\"
  <a>  3 mod 2 = 1
    \"y\"
  \")\"
  <a>  2 mod 2 = 0
    \"x1\"";
    assert_eq!(trace.tree.to_string(), expected);
}

#[test]
fn a_failure_shows_the_symbol_that_was_not_replaced() {
    let g = grammar("<s> ::= <a>,<a>\n<a> ::= x | y", 1, 1);
    let trace = g.trace(g.start(), &[3], &DecodeOptions::default());
    let shown = trace.to_string();
    let end = "y,<a>\nran out of codons after 1: <a> still had to be replaced";
    assert!(shown.ends_with(end), "{shown}");
    assert!(trace.tree.to_string().ends_with("  <a>  not replaced"), "{}", trace.tree);
    assert_eq!(trace.sentence(), None);
}

#[test]
fn a_trace_shows_wraps_and_references() {
    let g = grammar(shipped::MGE.text, 1, 1);
    let trace =
        g.trace(g.start(), &[0, 0, 0, 0, 0, 0, 0, 3], &DecodeOptions { wraps: 1, references: 2 });
    let shown = trace.to_string();
    assert!(shown.contains("3 mod 3 = 0"), "{shown}");
    assert!(shown.ends_with("11 of 8 codons used, the gene was read again once"), "{shown}");
}
