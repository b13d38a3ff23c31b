//! Dual numbers: a value and its derivatives (forward-mode automatic differentiation; Wengert 1964,
//! "A simple automatic derivative evaluation program").
//!
//! A weight of a neuron is a sum of products of numbers in its sentence. As a dual number it knows
//! its derivative by each of them. So a change of the weight can be distributed to the gene values
//! that wrote these numbers ([`WeightOrigins`](crate::mge::WeightOrigins)).

use crate::neuron::Amount;
use std::ops::Range;

/// A number, and its derivative by each number of the sentence that it depends on.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct DualNumber {
    value: f64,
    /// The bytes of a number in the sentence, without its sign, and the derivative by it.
    pub(crate) derivatives: Vec<(Range<usize>, f64)>,
}

impl DualNumber {
    fn scale(&mut self, factor: f64) {
        self.value *= factor;
        self.derivatives.iter_mut().for_each(|(_, derivative)| *derivative *= factor);
    }
}

impl Amount for DualNumber {
    fn number(value: f64, at: Range<usize>) -> Self {
        Self { value, derivatives: vec![(at, 1.0)] }
    }

    fn constant(value: f64) -> Self {
        Self { value, derivatives: Vec::new() }
    }

    fn negate(&mut self) {
        self.scale(-1.0);
    }

    fn multiply(&mut self, mut factor: Self) {
        let value = self.value;
        self.scale(factor.value);
        factor.scale(value);
        self.derivatives.append(&mut factor.derivatives);
    }

    fn add(&mut self, mut term: Self) {
        self.value += term.value;
        self.derivatives.append(&mut term.derivatives);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::neuron::{Scope, read_amounts};

    #[test]
    fn derivatives_of_sums_of_products() {
        let scope = Scope { features: 3, outputs: 2, references: 0 };
        let text = "(1:-2)(1:3)*sig(-2*4*x1 - 5*x2 + 6*x1 + 7)";
        let amounts = read_amounts::<DualNumber>(text, scope).unwrap();
        let named = |number: &DualNumber| -> Vec<(String, f64)> {
            let derivatives = number.derivatives.iter();
            derivatives.map(|(at, slope)| (text[at.clone()].to_owned(), *slope)).collect()
        };
        let expect = |list: &[(&str, f64)]| -> Vec<(String, f64)> {
            list.iter().map(|(name, slope)| ((*name).to_owned(), *slope)).collect()
        };
        assert_eq!(named(&amounts.outputs[0].1), expect(&[("2", -1.0), ("3", 1.0)]));
        let (bias, links) = amounts.sum;
        assert_eq!(bias.as_ref().map(named), Some(expect(&[("7", 1.0)])));
        assert_eq!(named(&links[0].1), expect(&[("2", -4.0), ("4", -2.0), ("6", 1.0)]));
        assert_eq!(named(&links[1].1), expect(&[("5", -1.0)]));
        assert_eq!(links[0].1.value, -2.0);
    }
}
