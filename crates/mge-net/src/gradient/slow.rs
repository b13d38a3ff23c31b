//! The slow, obvious gradient, one row at a time in `f64`: the twin that tests hold the fast one to.

use super::topology::Topology;
use crate::loss::Loss;
use crate::network::{Network, Source};
use crate::reference;
use crate::targets::Targets;
use mge_columns::Columns;

/// The derivative of the mean loss by each weight, in the order of [`Topology`].
///
/// # Panics
/// When the network has another number of inputs than there are columns, or a label is no class.
pub fn slow_gradient(
    network: &Network,
    columns: &Columns,
    targets: Targets<'_>,
    loss: Loss,
) -> Vec<f64> {
    let Targets::Classes { labels, .. } = targets;
    let (topology, weights) = Topology::of(network);
    let mut gradient = vec![0.0; weights.len()];
    let mut row = vec![0.0; columns.count()];
    for (index, &label) in labels.iter().enumerate() {
        columns.copy_row(index, &mut row);
        let p = reference::probabilities(network, targets.link(), &row);
        let deltas = output_deltas(&p, topology.outputs(), label as usize, loss);
        add_row(&topology, &weights, network, &row, &deltas, &mut gradient);
    }
    for derivative in &mut gradient {
        *derivative /= labels.len().max(1) as f64;
    }
    gradient
}

fn add_row(
    topology: &Topology,
    weights: &[f32],
    network: &Network,
    row: &[f32],
    output_deltas: &[f64],
    gradient: &mut [f64],
) {
    let mut values = Vec::new();
    let mut slopes = Vec::new();
    let read = |source: Source, values: &[f64]| match source {
        Source::Input(input) => f64::from(row[input as usize]),
        Source::Neuron(neuron) => values[neuron as usize],
    };
    for neuron in network.neurons() {
        let terms = neuron.links.iter();
        let sum: f64 = f64::from(neuron.bias.unwrap_or(0.0))
            + terms.map(|l| f64::from(l.weight) * read(l.source, &values)).sum::<f64>();
        values.push(neuron.activation.apply(sum));
        slopes.push(neuron.activation.derivative(sum));
    }
    let mut deltas = vec![0.0; topology.neurons()];
    deltas.extend_from_slice(output_deltas);
    for index in (0..topology.units()).rev() {
        let (unit, sources) = topology.unit(index);
        if index < topology.neurons() {
            deltas[index] *= slopes[index];
        }
        if unit.has_bias {
            gradient[unit.first] += deltas[index];
        }
        for (place, &source) in sources.iter().enumerate() {
            let place = unit.first_link() + place;
            gradient[place] += deltas[index] * read(source, &values);
            if let Source::Neuron(neuron) = source {
                deltas[neuron as usize] += deltas[index] * f64::from(weights[place]);
            }
        }
    }
}

fn output_deltas(p: &[f64], outputs: usize, label: usize, loss: Loss) -> Vec<f64> {
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
    }
}
