//! What the notation means.

use mge_grammar::{BindError, Shape, Template, Warning};

use super::{grammar, map, sentences};

#[test]
fn alternatives_stand_on_one_or_several_lines() {
    let text = "<a> ::= one | two\n  | three\n\n  |\n  four # a comment\n  # another\n  | five";
    assert_eq!(sentences(text), ["one", "two", "three", "four", "five"]);
}

#[test]
fn a_comment_starts_at_a_line_or_after_white_space() {
    assert_eq!(
        sentences("# head\n<a> ::= a#b # c | d\n#e\n| '#' | \"x # y\""),
        ["a#b", "#", "x # y"]
    );
}

#[test]
fn quotes_keep_everything() {
    let text = r#"<a> ::= "a | <b> # c" | 'it''s' | "\\ \" \' \n\t" | '"' | " " | "" | a"b"'c'd"#;
    let expected = ["a | <b> # c", "its", "\\ \" ' \n\t", "\"", " ", "", "abcd"];
    assert_eq!(sentences(text), expected);
}

#[test]
fn an_angle_bracket_that_opens_no_name_is_text() {
    let text = "<a> ::= x < y | x <= y | <> | <1> | a<b | \\n | <<b>> \n<b> ::= -";
    assert_eq!(sentences(text), ["x < y", "x <= y", "<>", "<1>", "a<b", "\\n", "<->"]);
}

#[test]
fn names_may_hold_spaces_dots_and_dashes() {
    assert_eq!(sentences("<a b.c-d_1>::=<_x ><x.y>\n\t<_x> ::= 1\n<x.y>\t::= 2"), ["12"]);
}

#[test]
fn terminals_may_be_glued_to_symbols() {
    let text = "<Node> ::= <Number>, <Number>, *, <TransferFunc>(,<Sum> ,)
        <Number> ::= -0.<Digitlist> | +0.<Digitlist>
        <Digitlist> ::= <Digit> | <Digit><Digitlist>
        <Digit> ::= 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9
        <TransferFunc> ::= sig | tanh
        <Sum> ::= <Number>, *, x<Digit> | <Sum>, +, <Sum>";
    let mapped = map(&grammar(text, 1, 1), &[0, 1, 4, 0, 2, 1, 0, 5, 1, 0, 1, 0, 7, 3]);
    assert_eq!(mapped.unwrap(), "-0.42, +0.5, *, tanh(,+0.7, *, x3 ,)");
}

#[test]
fn ranges_expand_to_alternatives() {
    assert_eq!(sentences("<a> ::= 0..3"), ["0", "1", "2", "3"]);
    assert_eq!(
        sentences("<a> ::= x1..xd | b | output1..outputc"),
        ["x1", "x2", "x3", "x4", "b", "output1", "output2", "output3"]
    );
    assert_eq!(sentences("<a> ::= '0..3' | a..b | x 1..2"), ["0..3", "a..b", "x 1..2"]);
}

#[test]
fn byte_order_mark_and_windows_line_ends_are_fine() {
    assert_eq!(sentences("\u{feff}<a> ::= one\r\n  | two three\r\n # c\r\n"), ["one", "two three"]);
}

#[test]
fn warnings_name_line_and_rule() {
    let text = "<a> ::= <b> | (x1..xd)\n\n<b> ::= 1\n<c> ::= <d>\n<d> ::= 2 | <c>";
    let template = Template::parse("t", text).unwrap();
    let unreachable = |line, name: &str| Warning::Unreachable { line, name: name.to_owned() };
    let range = Warning::RangeInText { line: 1, text: "x1..xd".to_owned() };
    assert_eq!(template.warnings(), [range, unreachable(4, "c"), unreachable(5, "d")]);
    let shown = template.warnings()[1].to_string();
    assert_eq!(shown, "line 4: <c> is never reached from the first rule");
}

#[test]
fn a_grammar_lists_its_symbols() {
    let g = grammar(
        "<s> ::= <x><y><o> | a\n<x> ::= x1..xd\n<y> ::= x2 | x9\n<o> ::= x1 | h\n<u> ::= 0..999",
        4,
        2,
    );
    assert_eq!(g.name(g.start()), "s");
    assert_eq!(g.symbol("y"), g.symbol("<y>"));
    assert_eq!(g.symbol("z"), None);
    assert_eq!(g.nearest_name("<S>"), Some("s"));
    assert_eq!(g.alternatives(g.symbol("x").unwrap()), 4);
    assert_eq!(g.widest(), 4, "unreachable rules do not count");
    let inputs: Vec<&str> = g.input_symbols().map(|symbol| g.name(symbol)).collect();
    assert_eq!(inputs, ["x", "y"]);
    assert_eq!(g.names_beyond_shape(), ["x9"]);
}

#[test]
fn binding_needs_entries_for_every_range() {
    let bind = |text: &str, features, outputs| {
        let template = Template::parse("t", text).unwrap();
        template.bind(Shape { features, outputs }).map(|_| ())
    };
    let range = "x1..xd".to_owned();
    assert_eq!(bind("<a> ::= b\n|x1..xd", 0, 1), Err(BindError::NoFeatures { line: 2, range }));
    assert!(matches!(bind("<a> ::= o1..oc", 1, 0), Err(BindError::NoOutputs { .. })));
    let error = bind("<a> ::= x3..xd", 2, 1).unwrap_err();
    assert_eq!(error.to_string(), "line 1: x3..xd runs backwards, because it ends at 2");
    assert!(matches!(bind("<a> ::= x1..xd", usize::MAX, 1), Err(BindError::TooMany { .. })));
    assert!(matches!(bind("<a> ::= x1..xd", 1_000_001, 1), Err(BindError::TooMany { .. })));
    let many = format!("<a> ::= 0..999999{}", " | 0..999999".repeat(4));
    assert!(matches!(bind(&many, 1, 1), Err(BindError::TooMany { .. })));
    assert_eq!(bind("<a> ::= b", 0, 0), Ok(()), "no range, nothing to expand");
}
