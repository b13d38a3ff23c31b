//! Every mistake has a line, a column and a way out.

use mge_grammar::Template;
use mge_grammar::bnf::{BnfError, Problem};

/// Messages without the name in front.
fn messages(text: &str) -> Vec<String> {
    let errors = Template::parse("g.bnf", text).expect_err(text);
    errors.errors().iter().map(|error| error.to_string()).collect()
}

#[track_caller]
fn one(text: &str, message: &str) {
    assert_eq!(messages(text), [message]);
}

#[test]
fn an_undefined_symbol_gets_a_suggestion() {
    one(
        "<S> ::= <weight>\n\n   | é <weigth>*<weigth>\n<weight> ::= 1",
        "line 3, column 8: <weigth> is used but never defined; did you mean <weight>?",
    );
    one("<S> ::= a | <other>", "line 1, column 13: <other> is used but never defined");
}

#[test]
fn empty_rules_and_alternatives_are_errors() {
    let empty = "has nothing after ::=; write \"\" for empty text";
    let hole = "has an empty alternative beside |; write \"\" for empty text";
    let hint = " (a # after white space starts a comment; quote it to keep it)";
    one("<a> ::=", &format!("line 1, column 1: <a> {empty}"));
    one("<a> ::= <b>\n<b> ::=\n<c> ::= 1", &format!("line 2, column 1: <b> {empty}"));
    one("<a> ::= #.##", &format!("line 1, column 1: <a> {empty}{hint}"));
    one("<a> ::= x || y", &format!("line 1, column 11: <a> {hole}"));
    one("<a> ::= x |\n\n", &format!("line 1, column 11: <a> {hole}"));
    one("<a> ::= | x", &format!("line 1, column 9: <a> {hole}"));
    one("<a> ::= x | # y", &format!("line 1, column 11: <a> {hole}{hint}"));
}

#[test]
fn a_duplicate_rule_names_the_line_of_the_first() {
    one(
        "<a> ::= <b>\n<b> ::= 1\n<b> ::= 2",
        "line 3, column 1: <b> is defined twice, first in line 2; join the alternatives with |",
    );
}

#[test]
fn rules_that_never_end_are_named() {
    one(
        "<a> ::= <b> | <c>\n<b> ::= x <b> | <b> <d>\n<c> ::= 1\n<d> ::= (<b>)",
        "line 2, column 1: <b>, <d> can never end: every alternative leads back into a rule that \
         never ends",
    );
    let all = messages("<a> ::= <a>");
    assert!(all[0].starts_with("line 1, column 1: <a> can never end"), "{all:?}");
}

#[test]
fn unclosed_quotes_and_unknown_escapes_are_errors() {
    one(
        "<a> ::= b | 'c | d\n | e",
        "line 1, column 13: the quote ' is not closed in its line; write \\n for a line break",
    );
    one(
        "<a> ::= \"c\\",
        "line 1, column 9: the quote \" is not closed in its line; write \\n for a line break",
    );
    one(
        r#"<a> ::= "c\d""#,
        "line 1, column 11: \\d is no known escape; inside quotes use \\\\ \\\" \\' \\n or \\t",
    );
}

#[test]
fn text_before_the_first_rule_is_an_error() {
    let before = "text before the first rule; a rule is written <name> ::= ..., a comment # ...";
    one("# fine\n Sum ::= 1\n<a> ::= 1", &format!("line 2, column 2: {before}"));
    let none = "no rule at all; a rule is written <name> ::= one | another";
    one("", &format!("line 1, column 1: {none}"));
    one("# only a comment", &format!("line 1, column 1: {none}"));
    assert_eq!(messages("hello").len(), 2);
    one(
        "<a> ::= 1\nb ::= 2",
        "line 2, column 3: ::= inside an alternative; start the rule on its own line as <name> ::= \
         ..., or quote it",
    );
}

#[test]
fn invalid_ranges_are_errors() {
    one("<a> ::= 9..0", "line 1, column 9: the range 9..0 runs backwards");
    one(
        "<a> ::= 1 | 0..1000000",
        "line 1, column 13: the range 0..1000000 has more than 1000000 entries",
    );
    one(
        "<a> ::= x1..y2",
        "line 1, column 9: x1..y2 looks like a range, but its two ends do not match; write it like \
         x1..x9, or quote it to keep it as text",
    );
}

#[test]
fn all_mistakes_are_reported_together_in_order() {
    let text = "<a> ::= <b> | 9..0\n<a> ::= <c> |";
    let errors = Template::parse("g.bnf", text).unwrap_err();
    let shown = errors.to_string();
    assert_eq!(shown.lines().count(), 5, "{shown}");
    assert!(shown.lines().all(|line| line.starts_with("g.bnf: line ")), "{shown}");
    let spans = errors.errors().iter().flat_map(|e| [Some(&e.span), e.related.as_ref()]);
    let marked: Vec<&str> = spans.flatten().map(|span| &text[span.clone()]).collect();
    // The duplicate marks both rules.
    assert_eq!(marked, ["<b>", "9..0", "<a>", "<a>", "<c>", "|"]);
    assert_eq!((errors.name(), errors.source_text()), ("g.bnf", text));
}

#[test]
fn at_most_a_hundred_mistakes_are_reported() {
    let text: String = (0..250).map(|n| format!("<a{n}> ::= <b{n}>\n")).collect();
    let errors = Template::parse("g", &text).unwrap_err();
    assert_eq!(errors.errors().len(), 100);
    assert!(errors.to_string().ends_with("g: and 150 more"));
    let suggested =
        |e: &&BnfError| matches!(&e.problem, Problem::Undefined { nearest: Some(_), .. });
    assert_eq!(errors.errors().iter().filter(suggested).count(), 20);
}

/// The guide shows a broken file and its report; both must stay true.
#[test]
fn the_guide_shows_the_real_report() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/how-to/define-a-grammar.md");
    let guide = std::fs::read_to_string(path).unwrap();
    let block = |before: &str| {
        let rest = guide.split_once(&format!("{before}\n\n```\n")).unwrap().1;
        rest.split_once("\n```").unwrap().0
    };
    let errors = Template::parse("my.bnf", block("For this file")).unwrap_err();
    assert_eq!(errors.to_string(), block("the report is"));
}
