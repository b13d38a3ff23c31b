//! The slow gradient, one row at a time in `f64`: the twin that tests hold the fast one to.

use super::SMOOTH_CORNER;
use crate::loss::Loss;
use crate::network::{Link, Network, Source};
use crate::reference;
use crate::sparse_network::SparseNetwork;
use crate::targets::Targets;
use mge_columns::Columns;

/// The derivative of the mean loss by each weight, in the order of [`SparseNetwork::weights`].
///
/// # Panics
/// When the network has another number of inputs than there are columns, or a label is no class.
pub fn slow_gradient(
    network: &Network,
    columns: &Columns,
    targets: Targets<'_>,
    loss: Loss,
) -> Vec<f64> {
    let sparse = SparseNetwork::from(network);
    let mut gradient = vec![0.0; sparse.size()];
    let mut row = vec![0.0; columns.count()];
    let rows = targets.rows();
    for index in 0..rows {
        columns.copy_row(index, &mut row);
        let deltas = match targets {
            Targets::Classes { labels, link } => {
                let p = reference::probabilities(network, link, &row);
                class_deltas(&p, network.outputs().len(), labels[index] as usize, loss)
            }
            Targets::Values { values, outputs } => {
                let errors = errors_of_row(network, &row, values, outputs, index, rows);
                let slope = |error| loss.slope_of_error(error, SMOOTH_CORNER) / outputs as f64;
                errors.into_iter().map(slope).collect()
            }
        };
        add_row(network, &sparse, &row, deltas, &mut gradient);
    }
    for derivative in &mut gradient {
        *derivative /= rows.max(1) as f64;
    }
    gradient
}

/// The mean loss that [`slow_gradient`] differentiates: with rounded corners, as
/// [`SMOOTH_CORNER`] says.
///
/// # Panics
/// As [`slow_gradient`], and when the loss does not fit the targets.
pub fn slow_loss(network: &Network, columns: &Columns, targets: Targets<'_>, loss: Loss) -> f64 {
    let rows = targets.rows();
    let mut row = vec![0.0; columns.count()];
    let mut total = 0.0;
    for index in 0..rows {
        columns.copy_row(index, &mut row);
        total += match targets {
            Targets::Classes { labels, link } => {
                loss.of_row(&reference::probabilities(network, link, &row), labels[index] as usize)
            }
            Targets::Values { values, outputs } => {
                let errors = errors_of_row(network, &row, values, outputs, index, rows);
                let sum: f64 = errors.iter().map(|&e| loss.of_error(e, SMOOTH_CORNER)).sum();
                sum / outputs as f64
            }
        };
    }
    total / rows.max(1) as f64
}

fn errors_of_row(
    network: &Network,
    row: &[f32],
    values: &[f32],
    outputs: usize,
    index: usize,
    rows: usize,
) -> Vec<f64> {
    let sums = reference::outputs(network, row);
    (0..outputs).map(|output| sums[output] - f64::from(values[output * rows + index])).collect()
}

fn add_row(
    network: &Network,
    sparse: &SparseNetwork,
    row: &[f32],
    output_deltas: Vec<f64>,
    gradient: &mut [f64],
) {
    let neurons = network.neurons().len();
    let mut values = Vec::new();
    let mut derivatives = Vec::new();
    let read = |source: Source, values: &[f64]| match source {
        Source::Input(input) => f64::from(row[input as usize]),
        Source::Neuron(neuron) => values[neuron as usize],
    };
    for neuron in network.neurons() {
        let terms = neuron.links.iter();
        let sum: f64 = f64::from(neuron.bias.unwrap_or(0.0))
            + terms.map(|l| f64::from(l.weight) * read(l.source, &values)).sum::<f64>();
        values.push(neuron.activation.apply(sum));
        derivatives.push(neuron.activation.derivative(sum));
    }
    let mut deltas = vec![0.0; neurons];
    deltas.extend(output_deltas);
    // The weights of a unit end where those of the next one begin.
    let mut end = gradient.len();
    for index in (0..sparse.units()).rev() {
        let unit = sparse.unit(index);
        let first = end - unit.weights();
        let first_link = end - unit.links.len();
        end = first;
        if index < neurons {
            deltas[index] *= derivatives[index];
        }
        if unit.bias.is_some() {
            gradient[first] += deltas[index];
        }
        for (&Link { source, weight }, into) in unit.links.iter().zip(&mut gradient[first_link..]) {
            *into += deltas[index] * read(source, &values);
            if let Source::Neuron(neuron) = source {
                deltas[neuron as usize] += deltas[index] * f64::from(weight);
            }
        }
    }
}

fn class_deltas(p: &[f64], outputs: usize, label: usize, loss: Loss) -> Vec<f64> {
    let miss = |class: usize| p[class] - if class == label { 1.0 } else { 0.0 };
    match (loss, outputs) {
        (Loss::CrossEntropy, 1) => vec![miss(1)],
        (Loss::CrossEntropy, _) => (0..outputs).map(miss).collect(),
        (Loss::MeanSquaredError, 1) => vec![2.0 * miss(1) * p[0] * p[1]],
        (Loss::MeanSquaredError, _) => {
            let mean: f64 = (0..outputs).map(|class| miss(class) * p[class]).sum();
            let scale = 2.0 / outputs as f64;
            (0..outputs).map(|class| scale * p[class] * (miss(class) - mean)).collect()
        }
        (other, _) => panic!("{other} is no loss of classes"),
    }
}
