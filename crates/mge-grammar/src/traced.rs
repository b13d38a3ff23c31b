//! Numbers that remember which numbers of a sentence they were made of.
//!
//! A weight of a neuron is a sum of products of numbers in its sentence. Beside its value stands
//! how fast it changes with each of them, so that a wanted change of the weight can be traced back
//! to the values of the gene that wrote them. This is differentiation in the forward direction
//! (Wengert 1964, "A simple automatic derivative evaluation program").

use crate::neuron::Amount;
use std::ops::Range;

/// A number, and its derivative by each number of the sentence that is in it.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Traced {
    value: f64,
    /// Where a number stands, without its sign, and the derivative by it.
    pub(crate) slopes: Vec<(Range<usize>, f64)>,
}

impl Traced {
    fn scale(&mut self, factor: f64) {
        self.value *= factor;
        self.slopes.iter_mut().for_each(|(_, slope)| *slope *= factor);
    }
}

impl Amount for Traced {
    fn number(value: f64, at: Range<usize>) -> Self {
        Self { value, slopes: vec![(at, 1.0)] }
    }

    fn constant(value: f64) -> Self {
        Self { value, slopes: Vec::new() }
    }

    fn negate(&mut self) {
        self.scale(-1.0);
    }

    fn multiply(&mut self, mut factor: Self) {
        let value = self.value;
        self.scale(factor.value);
        factor.scale(value);
        self.slopes.append(&mut factor.slopes);
    }

    fn add(&mut self, mut term: Self) {
        self.value += term.value;
        self.slopes.append(&mut term.slopes);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::neuron::{Scope, read_amounts};

    #[test]
    fn slopes_are_those_of_sums_of_products() {
        let scope = Scope { features: 3, outputs: 2, references: 0 };
        let text = "(1:-2)(1:3)*sig(-2*4*x1 - 5*x2 + 6*x1 + 7)";
        let amounts = read_amounts::<Traced>(text, scope).unwrap();
        let named = |traced: &Traced| -> Vec<(String, f64)> {
            traced.slopes.iter().map(|(at, slope)| (text[at.clone()].to_owned(), *slope)).collect()
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
