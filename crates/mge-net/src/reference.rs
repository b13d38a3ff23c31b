//! The slow, simple evaluator ("Neural Network Execution" in the paper), in `f64` with `libm`.
//!
//! Tests compare the fast evaluator with it. All printed numbers come from it: predictions,
//! accuracy, the loss of a finished model. It gives the same bits on every machine. Probabilities
//! are never NaN, also when a hostile network overflows.

use crate::error::EvaluationError;
use crate::network::{Link, Network, Source};
use crate::targets::{OutputLink, clamped};
use mge_columns::Columns;

/// The probability of each class for each row.
#[derive(Debug, Clone, PartialEq)]
pub struct Probabilities {
    link: OutputLink,
    values: Vec<f64>,
}

impl Probabilities {
    /// Takes the values row by row, one for each class of the link.
    ///
    /// # Panics
    /// When the link has no classes, or the last row is incomplete.
    pub fn from_values(link: OutputLink, values: Vec<f64>) -> Self {
        let classes = link.classes();
        assert!(classes > 0 && values.len().is_multiple_of(classes), "whole rows of {classes}");
        Self { link, values }
    }

    /// What the outputs that they were computed from mean.
    pub fn link(&self) -> OutputLink {
        self.link
    }

    /// The predicted class of each row.
    pub fn predicted_classes(&self) -> impl ExactSizeIterator<Item = usize> {
        self.iter().map(|row| self.link.predicted_class(row))
    }

    /// How many rows there are.
    pub fn rows(&self) -> usize {
        self.values.len() / self.classes()
    }

    /// How many classes there are.
    pub fn classes(&self) -> usize {
        self.link.classes()
    }

    /// One probability for each class.
    ///
    /// # Panics
    /// When there is no such row.
    pub fn row(&self, index: usize) -> &[f64] {
        &self.values[index * self.classes()..][..self.classes()]
    }

    /// The rows, in order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &[f64]> {
        self.values.chunks_exact(self.classes())
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

/// The probability of each class for one row.
///
/// # Panics
/// When the row does not have one value for each input of the network, or the network does not
/// have the outputs of the link.
pub fn probabilities(network: &Network, link: OutputLink, row: &[f32]) -> Vec<f64> {
    assert_eq!(network.outputs().len(), link.outputs(), "outputs of network and link");
    let mut into = vec![0.0; link.classes()];
    link.probabilities(&outputs(network, row), &mut into);
    into
}

/// The probability of each class for all rows.
///
/// # Errors
/// When the data does not have as many columns as the network has inputs, or the network does not
/// have the outputs of the link.
pub fn probabilities_of(
    network: &Network,
    link: OutputLink,
    columns: &Columns,
) -> Result<Probabilities, EvaluationError> {
    let (expected, found) = (network.inputs(), columns.count());
    if expected != found {
        return Err(EvaluationError::Features { expected, found });
    }
    let (expected, found) = (link.outputs(), network.outputs().len());
    if expected != found {
        return Err(EvaluationError::OutputCount { found, expected });
    }
    let classes = link.classes();
    let mut values = vec![0.0; columns.rows() * classes];
    let mut sums = vec![0.0; network.outputs().len()];
    let mut hidden = Vec::with_capacity(network.neurons().len());
    for (row, into) in values.chunks_exact_mut(classes).enumerate() {
        forward(network, |input| columns.column(input)[row], &mut hidden, &mut sums);
        link.probabilities(&sums, into);
    }
    Ok(Probabilities { link, values })
}

/// The predicted number of each output for all rows, in the layout of [`Targets::Values`]. Never
/// NaN.
///
/// # Errors
/// When the data does not have as many columns as the network has inputs.
///
/// [`Targets::Values`]: crate::Targets::Values
pub fn values_of(network: &Network, columns: &Columns) -> Result<Vec<f64>, EvaluationError> {
    let (expected, found) = (network.inputs(), columns.count());
    if expected != found {
        return Err(EvaluationError::Features { expected, found });
    }
    let rows = columns.rows();
    let mut values = vec![0.0; rows * network.outputs().len()];
    let mut sums = vec![0.0; network.outputs().len()];
    let mut hidden = Vec::with_capacity(network.neurons().len());
    for row in 0..rows {
        forward(network, |input| columns.column(input)[row], &mut hidden, &mut sums);
        for (output, &sum) in sums.iter().enumerate() {
            values[output * rows + row] = clamped(sum);
        }
    }
    Ok(values)
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
        let p = probabilities(&network, OutputLink::Logistic, &[1.0, 0.5]);
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
        let softmax = OutputLink::for_classes(3);
        let all = probabilities_of(&network, softmax, &columns).unwrap();
        assert_eq!((all.rows(), all.classes()), (3, 3));
        assert_eq!(all.row(0), [1.0 / 3.0; 3]);
        assert_eq!(all.row(1), [1.0, 0.0, 0.0]);
        assert_eq!(all.predicted_classes().collect::<Vec<_>>(), [0, 0, 1]);
        assert_eq!(all.row(1), probabilities(&network, softmax, &[1000.0]));
        let wide = Columns::from_columns([[0.0; 3], [0.0; 3]]).unwrap();
        assert_eq!(
            probabilities_of(&network, softmax, &wide),
            Err(EvaluationError::Features { expected: 1, found: 2 })
        );
        assert_eq!(
            probabilities_of(&network, OutputLink::Logistic, &columns),
            Err(EvaluationError::OutputCount { found: 3, expected: 1 })
        );
    }

    #[test]
    fn numbers_are_the_sums_output_by_output() {
        let output =
            |weight, bias| Output { bias: Some(bias), links: vec![link(Source::Input(0), weight)] };
        let network = Network::new(1, vec![], vec![output(2.0, 0.5), output(-1.0, 0.0)]).unwrap();
        let columns = Columns::from_columns([[0.0, 1.0, 10.0]]).unwrap();
        let values = values_of(&network, &columns).unwrap();
        assert_eq!(values, [0.5, 2.5, 20.5, 0.0, -1.0, -10.0]);
        let wide = Columns::from_columns([[0.0; 3], [0.0; 3]]).unwrap();
        assert_eq!(
            values_of(&network, &wide),
            Err(EvaluationError::Features { expected: 1, found: 2 })
        );
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
        assert_eq!(probabilities(&network, OutputLink::Logistic, &[1.0]), [0.5, 0.5]);
        let columns = Columns::from_columns([[1.0]]).unwrap();
        assert_eq!(values_of(&network, &columns), Ok(vec![0.0]));
    }
}
