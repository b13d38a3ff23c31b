//! Hostile texts and genes: large, deep, endless. They must cost linear time and no stack.

use mge_grammar::{DERIVATION_LIMIT, DecodeOptions, MapFailure, Sentence, Shape, Template};

use super::{grammar, map};

const TOO_LONG: MapFailure = MapFailure::TooLong { limit: DERIVATION_LIMIT };

#[test]
fn reading_megabytes_takes_linear_time() {
    const MANY: usize = 300_000;
    let line = |line: &str| line.repeat(MANY);
    let numbered = |make: &dyn Fn(usize) -> String| (0..MANY / 3).map(make).collect::<String>();
    let hostile = [
        line("<"),
        line("<a"),
        line("<a> ::= "),
        line("<a> ::= b\n"),
        format!("<a> ::= {}", line("<a>")),
        format!("<a> ::= {}", line("<b> ")),
        format!("<a> ::= {}", line("|")),
        format!("<a> ::= {}", line("'\n")),
        format!("<a> ::= {}", line("\"\" ")),
        format!("<a> ::= {}", line("\\\"")),
        format!("<a> ::= \"{}\"", line("\\\\")),
        format!("<a> ::= {}", line("\n# c")),
        format!("<a> ::= b{}<c>", line(" \n\t")),
        format!("<a> ::= b{}", line("|x1..y2")),
        format!("<a> ::= b{}", line("|(1..2)")),
        format!("<{}> ::= <{}>", line("a"), line("a")),
        numbered(&|n| format!("<a{n}> ::= <b{n}>\n")),
        numbered(&|n| format!("<a{n}> ::= <a{}> | x\n", n + 1)),
        numbered(&|n| format!("<a{n}> ::= <a{}>\n", n.saturating_sub(1))),
    ];
    for text in hostile {
        if let Ok(template) = Template::parse("hostile", &text) {
            let grammar = template.bind(Shape { features: 2, outputs: 2 }).unwrap();
            let _ = map(&grammar, &[1, 2, 3]);
        }
    }
}

#[test]
fn a_chain_of_rules_does_not_use_the_stack() {
    const RULES: usize = 200_000;
    let mut text: String = (0..RULES).map(|n| format!("<r{n}> ::= <r{}> \"\"\n", n + 1)).collect();
    text.push_str(&format!("<r{RULES}> ::= end"));
    let g = grammar(&text, 1, 1);
    assert!(map(&g, &[]).unwrap().starts_with("end"));
    let trace = g.trace(g.start(), &[], &DecodeOptions::default());
    assert_eq!(trace.sentence().map(|s| &s[..3]), Some("end"));
    assert_eq!(trace.steps.len() + trace.steps_left_out, RULES + 1);
    assert!(trace.tree.to_string().lines().count() <= 100_001);
}

#[test]
fn exponential_chains_stop_at_the_limit() {
    let mut text: String = (0..60).map(|n| format!("<r{n}> ::= <r{0}><r{0}>\n", n + 1)).collect();
    for end in ["\"\"", "x"] {
        text.push_str(&format!("<r60> ::= {end}"));
        let g = grammar(&text, 1, 1);
        assert_eq!(map(&g, &[]), Err(TOO_LONG));
        assert_eq!(g.trace(g.start(), &[], &DecodeOptions::default()).outcome, Err(TOO_LONG));
        text.truncate(text.len() - end.len() - "<r60> ::= ".len());
    }
}

#[test]
fn endless_wrapping_stops_at_the_limit() {
    let many = "<s>".repeat(1000);
    for text in ["<s> ::= a | b <s>", "<s> ::= a | <s>", &format!("<s> ::= a | {many}")] {
        let g = grammar(text, 1, 1);
        let options = DecodeOptions { wraps: u32::MAX, references: usize::MAX };
        let mut sentence = Sentence::default();
        assert_eq!(g.derive(g.start(), &[1], &options, &mut sentence), Err(TOO_LONG));
        assert!(sentence.text().len() <= DERIVATION_LIMIT as usize);
        assert_eq!(g.trace(g.start(), &[1], &options).outcome, Err(TOO_LONG));
    }
}

#[test]
fn a_large_data_set_is_bound_and_mapped() {
    let g = grammar("<x> ::= x1..xd", 1_000_000, 1);
    assert_eq!(g.widest(), 1_000_000);
    assert_eq!(map(&g, &[u16::MAX]).unwrap(), "x65536");
}

#[test]
fn a_text_that_is_too_big_is_refused() {
    let text = format!("<a> ::= {}", "b".repeat(mge_grammar::bnf::MAX_BYTES));
    let errors = Template::parse("big", &text).unwrap_err();
    assert!(errors.to_string().contains("more than the 16777216 a grammar may have"));
}
