//! The slow, simple evaluator ("Neural Network Execution" in the paper), in `f64` with `libm`.
//!
//! Tests compare the fast evaluator with it. All printed numbers come from it: predictions,
//! accuracy, the loss of a finished model. It gives the same bits on every machine. Probabilities
//! are never NaN, also when a hostile network overflows.

use crate::error::EvaluationError;
use crate::network::{Link, Network, Source, classes_of};
use mge_columns::Columns;

/// Sums are clamped to this absolute value, so that the difference of two sums is finite.
const MAX_SUM: f64 = 1e300;

/// The probability of each class for each row.
#[derive(Debug, Clone, PartialEq)]
pub struct Probabilities {
    classes: usize,
    values: Vec<f64>,
}

impl Probabilities {
    /// Takes the values row by row, `classes` for each row.
    ///
    /// # Panics
    /// When `classes` is zero, or the last row is incomplete.
    pub fn from_values(classes: usize, values: Vec<f64>) -> Self {
        assert!(classes > 0 && values.len().is_multiple_of(classes), "whole rows of {classes}");
        Self { classes, values }
    }

    /// How many rows there are.
    pub fn rows(&self) -> usize {
        self.values.len() / self.classes
    }

    /// How many classes there are.
    pub fn classes(&self) -> usize {
        self.classes
    }

    /// One probability for each class.
    ///
    /// # Panics
    /// When there is no such row.
    pub fn row(&self, index: usize) -> &[f64] {
        &self.values[index * self.classes..][..self.classes]
    }

    /// The rows, in order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &[f64]> {
        self.values.chunks_exact(self.classes)
    }
}

/// The sum of each output for one row, before softmax or sigmoid.
///
/// # Panics
/// When the row does not have one value for each input of the network.
pub fn outputs(network: &Network, row: &[f32]) -> Vec<f64> {
    assert_eq!(row.len(), network.inputs(), "one value for each input");
    let mut sums = vec![0.0; network.outputs().len()];
    let mut hidden = Vec::with_capacity(network.neurons().len());
    forward(network, |input| row[input], &mut hidden, &mut sums);
    sums
}

/// The probability of each class for one row; two of them for a network with one output.
///
/// # Panics
/// When the row does not have one value for each input of the network.
pub fn probabilities(network: &Network, row: &[f32]) -> Vec<f64> {
    let mut into = vec![0.0; network.classes()];
    normalise(&outputs(network, row), &mut into);
    into
}

/// The probability of each class for all rows.
///
/// # Errors
/// When the data does not have as many columns as the network has inputs.
pub fn probabilities_of(
    network: &Network,
    columns: &Columns,
) -> Result<Probabilities, EvaluationError> {
    let (expected, found) = (network.inputs(), columns.count());
    if expected != found {
        return Err(EvaluationError::Features { expected, found });
    }
    let classes = network.classes();
    let mut values = vec![0.0; columns.rows() * classes];
    let mut sums = vec![0.0; network.outputs().len()];
    let mut hidden = Vec::with_capacity(network.neurons().len());
    for (row, into) in values.chunks_exact_mut(classes).enumerate() {
        forward(network, |input| columns.column(input)[row], &mut hidden, &mut sums);
        normalise(&sums, into);
    }
    Ok(Probabilities { classes, values })
}

/// The class with the highest probability; of equal ones, the class with the lowest index. So a
/// single output predicts class 1 only if its probability is above one half.
pub fn class(probabilities: &[f64]) -> usize {
    let mut best = 0;
    for (index, &p) in probabilities.iter().enumerate() {
        if p > probabilities[best] {
            best = index;
        }
    }
    best
}

/// The forward pass: computes the neurons in order, then the sum of each output.
fn forward(
    network: &Network,
    input: impl Fn(usize) -> f32,
    hidden: &mut Vec<f64>,
    sums: &mut [f64],
) {
    // The bias comes last, as in the printed formula, so that both have the same bits.
    let total = |links: &[Link], bias: Option<f32>, hidden: &[f64]| {
        let value = |source: Source| match source {
            Source::Input(index) => f64::from(input(index as usize)),
            Source::Neuron(index) => hidden[index as usize],
        };
        let terms = links.iter().map(|link| f64::from(link.weight) * value(link.source));
        terms.fold(0.0, |sum, term| sum + term) + f64::from(bias.unwrap_or(0.0))
    };
    hidden.clear();
    for neuron in network.neurons() {
        let sum = total(&neuron.links, neuron.bias, hidden);
        hidden.push(neuron.activation.apply(sum));
    }
    for (output, into) in network.outputs().iter().zip(sums) {
        *into = total(&output.links, output.bias, hidden);
    }
}

/// Turns sums into probabilities: by the sigmoid of a single output, else by softmax (decision 5).
fn normalise(sums: &[f64], into: &mut [f64]) {
    debug_assert_eq!(into.len(), classes_of(sums.len()));
    let clamped = |sum: f64| {
        if sum.is_nan() { 0.0 } else { sum.clamp(-MAX_SUM, MAX_SUM) }
    };
    if let [sum] = *sums {
        // Computed separately, since 1 - p would lose the digits of a small p.
        into[0] = 1.0 / (1.0 + libm::exp(clamped(sum)));
        into[1] = 1.0 / (1.0 + libm::exp(-clamped(sum)));
        return;
    }
    let largest = sums.iter().map(|&sum| clamped(sum)).fold(f64::NEG_INFINITY, f64::max);
    let mut total = 0.0;
    for (p, &sum) in into.iter_mut().zip(sums) {
        *p = libm::exp(clamped(sum) - largest);
        total += *p;
    }
    for p in into {
        *p /= total;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Activation, Neuron, Output};

    fn link(source: Source, weight: f32) -> Link {
        Link { source, weight }
    }

    /// h0 = sig(x0 - 0.5 x1 + 0.25), h1 = relu(2 h0 - x1).
    fn neurons() -> Vec<Neuron> {
        let first = vec![link(Source::Input(0), 1.0), link(Source::Input(1), -0.5)];
        let second = vec![link(Source::Neuron(0), 2.0), link(Source::Input(1), -1.0)];
        vec![
            Neuron { activation: Activation::Sigmoid, bias: Some(0.25), links: first },
            Neuron { activation: Activation::Relu, bias: None, links: second },
        ]
    }

    #[test]
    fn two_layers_are_computed_as_by_hand() {
        let output = Output { bias: Some(-1.0), links: vec![link(Source::Neuron(1), 3.0)] };
        let network = Network::new(2, neurons(), vec![output]).unwrap();
        let h0 = 1.0 / (1.0 + libm::exp(-(1.0 - 0.25 + 0.25)));
        let z = 3.0 * (2.0 * h0 - 0.5) - 1.0;
        assert_eq!(outputs(&network, &[1.0, 0.5]), [z]);
        let p = probabilities(&network, &[1.0, 0.5]);
        assert_eq!(p[1], 1.0 / (1.0 + libm::exp(-z)));
        assert!((p[0] + p[1] - 1.0).abs() < 1e-15);
        // The relu is zero here, so only the bias is left.
        assert_eq!(outputs(&network, &[0.0, 9.0]), [-1.0]);
    }

    #[test]
    fn softmax_applies_to_every_row() {
        let output = |weight| Output { bias: None, links: vec![link(Source::Input(0), weight)] };
        let network =
            Network::new(1, vec![], vec![output(1.0), output(-1.0), output(0.0)]).unwrap();
        let columns = Columns::from_columns([[0.0, 1000.0, -1000.0]]).unwrap();
        let all = probabilities_of(&network, &columns).unwrap();
        assert_eq!((all.rows(), all.classes()), (3, 3));
        assert_eq!(all.row(0), [1.0 / 3.0; 3]);
        assert_eq!(all.row(1), [1.0, 0.0, 0.0]);
        assert_eq!(all.iter().map(class).collect::<Vec<_>>(), [0, 0, 1]);
        assert_eq!(all.row(1), probabilities(&network, &[1000.0]));
        let wide = Columns::from_columns([[0.0; 3], [0.0; 3]]).unwrap();
        assert_eq!(
            probabilities_of(&network, &wide),
            Err(EvaluationError::Features { expected: 1, found: 2 })
        );
    }

    #[test]
    fn equal_probabilities_give_the_first_class() {
        assert_eq!(class(&[0.5, 0.5]), 0);
        assert_eq!(class(&[0.2, 0.4, 0.4]), 1);
    }

    #[test]
    fn overflow_gives_no_nan() {
        // A chain that passes even f64: (3e38)^9, then the difference of two infinities.
        let mut neurons = Vec::new();
        for index in 0..9 {
            let source = if index == 0 { Source::Input(0) } else { Source::Neuron(index - 1) };
            let links = vec![link(source, 3e38)];
            neurons.push(Neuron { activation: Activation::Identity, bias: None, links });
        }
        let minus = vec![link(Source::Neuron(8), -1.0)];
        neurons.push(Neuron { activation: Activation::Identity, bias: None, links: minus });
        let both = vec![link(Source::Neuron(8), 1.0), link(Source::Neuron(9), 1.0)];
        let outputs = vec![Output { bias: None, links: both }];
        let network = Network::new(1, neurons, outputs).unwrap();
        assert!(super::outputs(&network, &[1.0])[0].is_nan());
        assert_eq!(probabilities(&network, &[1.0]), [0.5, 0.5]);
    }
}
