//! The fast derivation equals its slow twin, and no text and no gene ever makes either panic.

use mge_grammar::{DecodeOptions, Grammar, Sentence, Shape, Template};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;

/// Maps from every rule both ways and compares everything that both tell.
fn twins_agree(grammar: &Grammar, codons: &[u16], options: &DecodeOptions) {
    let mut sentence = Sentence::default();
    for start in grammar.symbols().take(8) {
        let fast = grammar.derive(start, codons, options, &mut sentence);
        let slow = grammar.trace(start, codons, options);
        assert_eq!(fast, slow.outcome);
        if fast.is_ok() {
            assert_eq!(Some(sentence.text()), slow.sentence());
        }
        // Printing must not panic either.
        let _ = (slow.to_string(), slow.tree.to_string());
    }
}

fn codons() -> impl Strategy<Value = Vec<u16>> {
    prop_oneof![vec(0..256u16, 0..40), vec(any::<u16>(), 0..40)]
}

fn options() -> impl Strategy<Value = DecodeOptions> {
    (0..4u32, 0..4usize).prop_map(|(wraps, references)| DecodeOptions { wraps, references })
}

/// A grammar that is right: up to six rules of random pieces, each with one alternative of text
/// last, so that every derivation can end.
fn valid_grammar() -> impl Strategy<Value = String> {
    let piece = select(vec![
        "<r0>", "<r1>", "<r2>", "<r3>", "<r4>", "<r5>", " ", "  ", "\t", "\n ", "1", "2", "a",
        "' '", "\"\"", "\"3\"", "-0.", "é", "<", "<r1>", "<r3>", "<r5>",
    ]);
    let written = vec(piece, 0..7).prop_map(|pieces| {
        let text = pieces.concat();
        if text.trim().is_empty() { "\"\"".to_owned() } else { text }
    });
    let range = select(vec!["0..9", "x1..xd", "o1..oc", "5..7", "x1", "x2"]);
    let alternative = prop_oneof![4 => written, 1 => range.prop_map(str::to_owned)];
    let last = select(vec!["7", "b", "\"\"", "x1..xd", " 1 2 ", "x1"]);
    let rule = (vec(alternative, 0..4), last);
    vec(rule, 6).prop_map(|rules| {
        let rule = |(number, (mut alternatives, last)): (usize, (Vec<String>, &str))| {
            alternatives.push(last.to_owned());
            format!("<r{number}> ::= {}\n", alternatives.join("|"))
        };
        rules.into_iter().enumerate().map(rule).collect()
    })
}

/// Text that looks like a grammar and mostly is none.
fn grammar_like() -> impl Strategy<Value = String> {
    let token = select(vec![
        "<a> ::= ",
        "\n<b> ::= ",
        "\n<c>::=",
        "<a>",
        "<b>",
        "<c>",
        "<d>",
        "|",
        " | ",
        " ",
        "\n",
        "\t",
        "'",
        "\"",
        "\\",
        "\\n",
        "#",
        " # c\n",
        "::=",
        "<",
        ">",
        "0..9",
        "x1..xd",
        "9..1",
        "..",
        "1",
        "x",
        "é",
        "\r\n",
        "\u{feff}",
        "\"\"",
        "(",
        "-0.",
    ]);
    vec(token, 0..40).prop_map(|tokens| tokens.concat())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(8000))]

    #[test]
    fn derive_equals_trace(
        text in valid_grammar(), codons in codons(), options in options(),
        features in 1..5usize, outputs in 1..4usize,
    ) {
        let template = Template::parse("p", &text).unwrap_or_else(|errors| panic!("{errors}\n{text}"));
        twins_agree(&template.bind(Shape { features, outputs }).unwrap(), &codons, &options);
    }

    #[test]
    fn grammar_like_text_never_panics(
        text in grammar_like(), codons in codons(), options in options(), features in 0..3usize,
    ) {
        match Template::parse("p", &text) {
            Err(errors) => {
                prop_assert!(!errors.errors().is_empty());
                prop_assert!(errors.to_string().starts_with("p: line "));
            }
            Ok(template) => {
                if let Ok(grammar) = template.bind(Shape { features, outputs: 2 }) {
                    twins_agree(&grammar, &codons, &options);
                }
            }
        }
    }

    #[test]
    fn arbitrary_text_never_panics(text in any::<String>(), tail in any::<String>()) {
        let _ = Template::parse("p", &text);
        let _ = Template::parse("p", &format!("<a> ::= {tail}"));
    }
}
