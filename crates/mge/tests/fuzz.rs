//! Hostile grammars and models: an error or something that works, never a panic.
//!
//! Seeds are the shipped grammars, the files under `tests/corpus`, and a model made on the spot.
//! `MGE_FUZZ_CASES=100000` makes a long round.

#![allow(clippy::unwrap_used)]

#[path = "../../mge-data/tests/fuzz/change.rs"]
mod change;

use change::{change, config};
use mge::Model;
use mge::data::{Loaded, load};
use mge::grammar::{Shape, Template, shipped};
use proptest::prelude::*;
use std::path::Path;
use std::sync::OnceLock;

/// The files of one folder of the corpus, sorted.
fn corpus(folder: &str) -> Vec<Vec<u8>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpus").join(folder);
    let mut paths: Vec<_> = std::fs::read_dir(folder).unwrap().map(|f| f.unwrap().path()).collect();
    paths.sort();
    paths.iter().map(|path| std::fs::read(path).unwrap()).collect()
}

fn grammars() -> &'static [Vec<u8>] {
    static SEEDS: OnceLock<Vec<Vec<u8>>> = OnceLock::new();
    SEEDS.get_or_init(|| {
        let shipped = shipped::ALL.iter().map(|grammar| grammar.text.as_bytes().to_vec());
        corpus("bnf").into_iter().chain(shipped).collect()
    })
}

/// A model, and the table that it was made from.
fn model() -> &'static (Vec<u8>, Loaded) {
    static SEED: OnceLock<(Vec<u8>, Loaded)> = OnceLock::new();
    SEED.get_or_init(|| {
        let data = load("credit", &Default::default()).unwrap();
        let fit = mge::Fit::new().method(mge::Method::MGE).population(20).generations(3).seed(1);
        (fit.run(&data).unwrap().model.to_json().into_bytes(), data)
    })
}

/// Parses, binds and draws the grammar.
fn use_grammar(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    if let Ok(template) = Template::parse("fuzz.bnf", &text) {
        for (features, outputs) in [(1, 1), (30, 3)] {
            let _ = template.bind(Shape { features, outputs });
        }
    }
}

/// Reads the model and predicts with it.
fn use_model(bytes: &[u8], data: &Loaded) {
    if let Ok(model) = Model::from_json("fuzz.json", bytes) {
        let _ = model.predict(&data.table);
        let again = Model::from_json("again.json", model.to_json().as_bytes());
        assert_eq!(again.unwrap(), model, "what was read can be written and read");
    }
}

#[test]
fn files_that_were_trouble() {
    grammars().iter().for_each(|grammar| use_grammar(grammar));
    corpus("model").iter().for_each(|bytes| use_model(bytes, &model().1));
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn changed_grammars(seed: prop::sample::Index, changes in prop::collection::vec(change(), 1..6)) {
        let mut bytes = grammars()[seed.index(grammars().len())].clone();
        changes.iter().for_each(|change| change.apply(&mut bytes));
        use_grammar(&bytes);
    }

    #[test]
    fn any_text_as_grammar(text in "[<>a-z:=|'\"@.0-9 \n\r\t#%-]{0,120}") {
        use_grammar(text.as_bytes());
    }

    #[test]
    fn any_bytes(bytes: Vec<u8>) {
        use_grammar(&bytes);
        use_model(&bytes, &model().1);
    }
}

proptest! {
    // A model is long to read.
    #![proptest_config(ProptestConfig::with_cases(config().cases / 4))]

    #[test]
    fn changed_models(changes in prop::collection::vec(change(), 1..4)) {
        let (bytes, data) = model();
        let mut bytes = bytes.clone();
        changes.iter().for_each(|change| change.apply(&mut bytes));
        use_model(&bytes, data);
    }

    #[test]
    fn changed_numbers(position: prop::sample::Index, number in any::<f64>()) {
        let (bytes, data) = model();
        let text = String::from_utf8(bytes.clone()).unwrap();
        let digits: Vec<usize> =
            text.match_indices(": ").map(|(at, _)| at + 2).filter(|&at| {
                text.as_bytes()[at].is_ascii_digit()
            }).collect();
        let at = digits[position.index(digits.len())];
        let end = at + text[at..].find([',', '\n', '}']).unwrap();
        let changed = format!("{}{number}{}", &text[..at], &text[end..]);
        use_model(changed.as_bytes(), data);
    }
}
