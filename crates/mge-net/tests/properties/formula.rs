//! The printed formula has the value of the network, bit by bit.

use std::collections::BTreeMap;

use mge_net::{Activation, Formula, reference};
use proptest::collection::vec;
use proptest::prelude::*;

use crate::networks::{Shape, any_network};

/// Evaluates `a*name - b*sig(...) + c`, left to right.
struct Reader<'a> {
    rest: &'a str,
    names: &'a BTreeMap<String, f64>,
}

impl Reader<'_> {
    fn take(&mut self, token: &str) -> bool {
        match self.rest.strip_prefix(token) {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }

    fn word(&mut self, of: impl Fn(char) -> bool) -> &str {
        let end = self.rest.find(|c| !of(c)).unwrap_or(self.rest.len());
        let (word, rest) = self.rest.split_at(end);
        self.rest = rest;
        word
    }

    fn sum(&mut self) -> f64 {
        let mut negative = self.take("-");
        let mut sum = 0.0;
        loop {
            let term = self.term();
            sum = if negative { sum - term } else { sum + term };
            negative = self.take(" - ");
            if !negative && !self.take(" + ") {
                return sum;
            }
        }
    }

    fn term(&mut self) -> f64 {
        let mut number = self.word(|c| c.is_ascii_digit() || c == '.').to_owned();
        if self.take("e") {
            number.push('e');
            number.push_str(self.word(|c| c.is_ascii_digit() || c == '-'));
        }
        let number = f64::from(number.parse::<f32>().expect("a number"));
        if self.take("*") { number * self.factor() } else { number }
    }

    fn factor(&mut self) -> f64 {
        let word = self.word(|c| c.is_ascii_alphanumeric()).to_owned();
        if !self.take("(") {
            return self.names[&word];
        }
        let activation: Activation = word.parse().expect("an activation");
        let inner = self.sum();
        assert!(self.take(")"), "a closing bracket before `{}`", self.rest);
        activation.apply(inner)
    }
}

fn value(text: &str, names: &BTreeMap<String, f64>) -> f64 {
    let mut reader = Reader { rest: text, names };
    // A definition is `sig(...)` alone; an output is a sum.
    let starts_with_letter = text.starts_with(|c: char| c.is_ascii_alphabetic());
    let value = if starts_with_letter { reader.factor() } else { reader.sum() };
    assert_eq!(reader.rest, "", "all of `{text}` is read");
    value
}

proptest! {
    #[test]
    fn the_formula_has_the_value_of_the_network(
        network in prop_oneof![
            any_network(Shape::default()),
            any_network(Shape { neurons: 30, links: 40, weight: 1e-4 }),
            any_network(Shape { neurons: 4, links: 3, weight: 1e8 }),
        ],
        row in vec(-4f32..4.0, 6),
    ) {
        let row = &row[..network.inputs()];
        let formula = Formula::of(&network);
        let inputs = row.iter().enumerate();
        let mut names: BTreeMap<String, f64> =
            inputs.map(|(index, &x)| (format!("x{}", index + 1), f64::from(x))).collect();
        for (name, text) in &formula.definitions {
            let value = value(text, &names);
            prop_assert!(names.insert(name.clone(), value).is_none(), "{} is new", name);
        }
        let values: Vec<f64> = formula.outputs.iter().map(|text| value(text, &names)).collect();
        prop_assert_eq!(values, reference::outputs(&network, row), "{}", formula);
    }
}
