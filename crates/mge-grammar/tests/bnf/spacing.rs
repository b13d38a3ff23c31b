//! The grammar's own spacing, and the one exception between digits.

use super::{grammar, map, sentences};

#[test]
fn white_space_is_kept_as_written() {
    let text = "<a> ::=   a  b   |c d| e\t \tf | g\n   h | i # x\n j |  k  ";
    assert_eq!(sentences(text), ["a  b", "c d", "e f", "g h", "i j", "k"]);
}

#[test]
fn unquoted_space_between_two_digits_is_dropped() {
    let text =
        "<a> ::= 1 2 | 1 a | a 1 | '1 2' | 1' '2 | 1 ' ' 2 | 1 \"\" 2 | 1 . 2 | 1 <e> 2 | <e> 2 <e>
        | 1  <d> | <d>  <d> | x <d> | <d> x | <f> <f> | 1 <e> <e> x
        <d> ::= 7\n<e> ::= ''\n<f> ::= 'é'";
    let expected = [
        "12", "1 a", "a 1", "1 2", "1 2", "1   2", "12", "1 . 2", "12", " 2 ", "17", "77", "x 7",
        "7 x", "é é", "1   x",
    ];
    assert_eq!(sentences(text), expected);
}

#[test]
fn digits_join_across_rules() {
    let g = grammar(
        "<n> ::= <Digit> <Digitlist>\n<Digitlist> ::= <Digit> | <Digit> <Digitlist>\n<Digit> ::= 0..9",
        1,
        1,
    );
    assert_eq!(map(&g, &[4, 1, 0, 0, 2]).unwrap(), "402");
}

#[test]
fn neuron_references_keep_their_space() {
    use mge_grammar::{DecodeOptions, Sentence};
    let g = grammar("<s> ::= 1 <x> 2 <x>\n<x> ::= x1", 1, 1);
    let mut sentence = Sentence::default();
    let options = DecodeOptions { wraps: 0, references: 12 };
    g.derive(g.start(), &[12, 1], &options, &mut sentence).unwrap();
    // The 2 meets the 2 of h12, as digits do.
    assert_eq!(sentence.text(), "1 h122 h1");
}
