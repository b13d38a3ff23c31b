//! The size of a network and the cost of one prediction.
//!
//! Operations are counted as in the paper, where 15 connections and 7 neurons cost 58.

use serde::{Deserialize, Serialize};
use std::mem::discriminant;

use crate::activation::Activation;
use crate::network::{Link, Network, Neuron, Source};

/// The size of a network.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Size {
    /// The length of the longest chain of hidden neurons.
    pub hidden_layers: usize,
    /// Hidden neurons.
    pub neurons: usize,
    /// Outputs: one for two classes.
    pub outputs: usize,
    /// All links and biases.
    pub connections: usize,
    /// Distinct inputs in use.
    pub features: usize,
    /// `2 * connections + 4 * (hidden neurons + outputs)`, for one prediction.
    pub operations: usize,
    /// The fraction of the connections of the dense counterpart that are missing: 0 for a dense
    /// network, near 1 for a sparse one.
    ///
    /// The counterpart has the same hidden neurons in the same layers. Each is linked to all inputs,
    /// to all neurons of earlier layers, to a bias and to all outputs. Its outputs have biases if any
    /// output of the network has one, and links to all inputs if any output has one.
    pub sparsity: f64,
}

impl Size {
    /// Measures a network.
    pub fn of(network: &Network) -> Self {
        let layers = layers(network);
        let neurons = network.neurons().len();
        let outputs = network.outputs().len();
        let connections = connections(network);
        let used = used_inputs(network);
        let dense = dense_connections(network, &layers);
        Self {
            hidden_layers: layers.iter().copied().max().unwrap_or(0),
            neurons,
            outputs,
            connections,
            features: used.len(),
            operations: operations(connections, neurons + outputs),
            sparsity: if dense == 0 { 0.0 } else { 1.0 - connections as f64 / dense as f64 },
        }
    }
}

/// The paper's cost of one prediction (decision 15). `neurons` counts hidden neurons and outputs.
fn operations(connections: usize, neurons: usize) -> usize {
    2 * connections + 4 * neurons
}

/// Bytes of a network as a table of 8-bit weights, the form that `mge export --number int8` writes.
///
/// - A link takes its source (one byte if there are at most 255 inputs and neurons, else two or
///   four) and a weight of one byte.
/// - A hidden neuron takes a bias of two bytes, its number of links and its shift. The last two
///   share a byte if all neurons use one integer function and have 1 to 15 links.
/// - An output takes a bias of two bytes and its number of links.
/// - If every neuron feeds exactly one output and nothing else, neurons are grouped by output, and
///   the sources of output links are not stored.
///
/// Code and the tables of activation functions are not counted. Neither are two more bytes for each
/// bias where sums need more than 16 bits, which only the export can tell.
pub fn table_bytes(network: &Network) -> usize {
    const WEIGHT: usize = 1;
    const BIAS: usize = 2;
    let (neurons, outputs) = (network.neurons(), network.outputs());
    let link = bytes_for(network.inputs() + neurons.len()) + WEIGHT;
    let of_neurons = neurons.iter().map(|neuron| neuron.links.len());
    let of_outputs = outputs.iter().map(|output| output.links.len());
    let max_links = of_neurons.clone().chain(of_outputs.clone()).max().unwrap_or(0);
    let count = bytes_for(max_links.max(neurons.len()));
    let same_function = |pair: &[Neuron]| share_function(pair[0].activation, pair[1].activation);
    let is_packed = neurons.windows(2).all(same_function)
        && of_neurons.clone().all(|links| (1..16).contains(&links));
    let head = if is_packed { 1 } else { count + 1 };
    let inside = neurons.len() * (head + BIAS) + of_neurons.sum::<usize>() * link;
    let output_links = of_outputs.sum::<usize>();
    if feeds_one_output_each(network) {
        let has_biases = outputs.iter().any(|output| output.bias.is_some());
        let bias = if has_biases { BIAS } else { 0 };
        return inside + outputs.len() * (count + bias) + output_links * WEIGHT;
    }
    inside + outputs.len() * (count + BIAS) + output_links * link
}

/// Whether integer code computes both activations with the same function.
fn share_function(one: Activation, other: Activation) -> bool {
    match (one.integer_form(), other.integer_form()) {
        (Some(one), Some(other)) => discriminant(&one) == discriminant(&other),
        // Activations without an integer form are counted as if each had its own function.
        _ => one == other,
    }
}

/// Bytes of a number from 0 to `largest`.
fn bytes_for(largest: usize) -> usize {
    match largest {
        0..=255 => 1,
        256..=65_535 => 2,
        _ => 4,
    }
}

/// Whether there are hidden neurons, and each of them feeds one output and nothing else.
fn feeds_one_output_each(network: &Network) -> bool {
    let mut fed = vec![0; network.neurons().len()];
    for link in network.outputs().iter().flat_map(|output| &output.links) {
        match link.source {
            Source::Input(_) => return false,
            Source::Neuron(neuron) => fed[neuron as usize] += 1,
        }
    }
    let mut inside = network.neurons().iter().flat_map(|neuron| &neuron.links);
    !fed.is_empty() && fed.iter().all(|&times| times == 1) && inside.all(|l| input_of(l).is_some())
}

/// The inputs that each output depends on, directly or through hidden neurons, in ascending order.
/// In a modular network these are the features of each module.
pub fn module_features(network: &Network) -> Vec<Vec<u32>> {
    let neurons = network.neurons();
    // The last output that visited each neuron and input. This is cheaper than a set for each output.
    let mut neuron_visited_by = vec![usize::MAX; neurons.len()];
    let mut input_visited_by = vec![usize::MAX; network.inputs()];
    let mut pending: Vec<&[Link]> = Vec::new();
    let mut modules = Vec::with_capacity(network.outputs().len());
    for (index, output) in network.outputs().iter().enumerate() {
        let mut features = Vec::new();
        pending.push(&output.links);
        while let Some(links) = pending.pop() {
            for link in links {
                match link.source {
                    Source::Input(input) => {
                        if std::mem::replace(&mut input_visited_by[input as usize], index) != index
                        {
                            features.push(input);
                        }
                    }
                    Source::Neuron(neuron) => {
                        if std::mem::replace(&mut neuron_visited_by[neuron as usize], index)
                            != index
                        {
                            pending.push(&neurons[neuron as usize].links);
                        }
                    }
                }
            }
        }
        features.sort_unstable();
        modules.push(features);
    }
    modules
}

fn all_links(network: &Network) -> impl Iterator<Item = &Link> {
    let hidden = network.neurons().iter().flat_map(|neuron| &neuron.links);
    hidden.chain(network.outputs().iter().flat_map(|output| &output.links))
}

/// The inputs that a network reads, ascending.
pub(crate) fn used_inputs(network: &Network) -> Vec<u32> {
    let mut used: Vec<u32> = all_links(network).filter_map(input_of).collect();
    used.sort_unstable();
    used.dedup();
    used
}

fn input_of(link: &Link) -> Option<u32> {
    match link.source {
        Source::Input(input) => Some(input),
        Source::Neuron(_) => None,
    }
}

fn connections(network: &Network) -> usize {
    let biases = network.neurons().iter().filter(|neuron| neuron.bias.is_some()).count()
        + network.outputs().iter().filter(|output| output.bias.is_some()).count();
    all_links(network).count() + biases
}

/// The layer of each hidden neuron, from 1: one more than the highest layer of its sources.
fn layers(network: &Network) -> Vec<usize> {
    let mut layers: Vec<usize> = Vec::with_capacity(network.neurons().len());
    for neuron in network.neurons() {
        let below = neuron.links.iter().filter_map(|link| match link.source {
            Source::Input(_) => None,
            Source::Neuron(index) => Some(layers[index as usize]),
        });
        layers.push(1 + below.max().unwrap_or(0));
    }
    layers
}

fn dense_connections(network: &Network, layers: &[usize]) -> usize {
    let outputs = network.outputs();
    let mut sizes = vec![0; layers.iter().copied().max().unwrap_or(0) + 1];
    for &layer in layers {
        sizes[layer] += 1;
    }
    let (mut hidden, mut earlier) = (0, 0);
    for size in sizes {
        hidden += size * (network.inputs() + earlier + 1);
        earlier += size;
    }
    let direct = outputs.iter().flat_map(|output| &output.links).any(|l| input_of(l).is_some());
    let biased = outputs.iter().any(|output| output.bias.is_some());
    let each_output =
        layers.len() + if direct { network.inputs() } else { 0 } + if biased { 1 } else { 0 };
    hidden + outputs.len() * each_output
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Output;

    fn links(sources: &[Source]) -> Vec<Link> {
        sources.iter().map(|&source| Link { source, weight: 0.5 }).collect()
    }

    fn neuron(sources: &[Source]) -> Neuron {
        Neuron { activation: Activation::Sigmoid, bias: Some(0.1), links: links(sources) }
    }

    fn output(sources: &[Source]) -> Output {
        Output { bias: None, links: links(sources) }
    }

    use Source::{Input as I, Neuron as N};

    #[test]
    fn the_example_of_the_paper_costs_58_operations() {
        assert_eq!(operations(15, 7), 58);
        // Four hidden neurons, three outputs, 7 inputs + 4 biases + 4 output links.
        let neurons = vec![
            neuron(&[I(0), I(1)]),
            neuron(&[I(2), I(3)]),
            neuron(&[I(0), I(1)]),
            neuron(&[I(4)]),
        ];
        let outputs = vec![output(&[N(0), N(1)]), output(&[N(2)]), output(&[N(3)])];
        let size = Size::of(&Network::new(6, neurons, outputs).unwrap());
        assert_eq!((size.connections, size.neurons, size.outputs), (15, 4, 3));
        assert_eq!(size.operations, 58);
        assert_eq!((size.hidden_layers, size.features), (1, 5));
        assert_eq!(size.sparsity, 1.0 - 15.0 / (4.0 * 7.0 + 4.0 * 3.0));
    }

    #[test]
    fn layers_follow_the_longest_chain() {
        let neurons =
            vec![neuron(&[I(0)]), neuron(&[I(1)]), neuron(&[N(0)]), neuron(&[N(2), N(1)])];
        let outputs = vec![output(&[N(3)]), output(&[N(1), I(0)])];
        let network = Network::new(3, neurons, outputs).unwrap();
        let size = Size::of(&network);
        assert_eq!(size.hidden_layers, 3);
        // 2 * (3 + 1) + (3 + 2 + 1) + (3 + 3 + 1) hidden, 2 * (4 + 3) to the outputs.
        assert_eq!(size.sparsity, 1.0 - 12.0 / 35.0);
        assert_eq!(module_features(&network), [vec![0, 1], vec![0, 1]]);
    }

    #[test]
    fn a_dense_and_an_empty_network_have_sparsity_zero() {
        let dense = Network::new(2, vec![neuron(&[I(0), I(1)])], vec![output(&[N(0)])]).unwrap();
        assert_eq!(Size::of(&dense).sparsity, 0.0);
        let empty = Network::new(2, vec![], vec![output(&[])]).unwrap();
        let size = Size::of(&empty);
        assert_eq!((size.sparsity, size.operations, size.hidden_layers), (0.0, 4, 0));
        assert_eq!(module_features(&empty), [Vec::<u32>::new()]);
    }

    #[test]
    fn table_bytes_count_the_exported_table() {
        // Logistic regression on 30 features: a count, a bias, 30 sources and weights.
        let all: Vec<Source> = (0..30).map(I).collect();
        let linear = Output { bias: Some(1.0), links: links(&all) };
        let network = |inputs| Network::new(inputs, vec![], vec![linear.clone()]).unwrap();
        assert_eq!(table_bytes(&network(30)), 1 + 2 + 30 * 2);
        assert_eq!(table_bytes(&network(784)), 1 + 2 + 30 * 3);
        // Each neuron feeds one output: neurons are grouped by output.
        let neurons = vec![neuron(&[I(0), I(1)]), neuron(&[I(2)])];
        let grouped = Network::new(3, neurons.clone(), vec![output(&[N(0), N(1)])]).unwrap();
        assert_eq!(table_bytes(&grouped), 2 * (1 + 2) + 3 * 2 + 1 + 2);
        // A direct link needs the general form. Two functions need a byte for the shift.
        let mixed = Network::new(3, neurons.clone(), vec![output(&[N(0), N(1), I(0)])]).unwrap();
        assert_eq!(table_bytes(&mixed), 2 * (1 + 2) + 3 * 2 + (1 + 2) + 3 * 2);
        let mut two_functions = neurons;
        two_functions[0].activation = Activation::Relu;
        let two_functions = Network::new(3, two_functions, vec![output(&[N(0), N(1)])]).unwrap();
        assert_eq!(table_bytes(&two_functions), 2 * (2 + 2) + 3 * 2 + 1 + 2);
    }

    #[test]
    fn modules_list_only_their_own_features() {
        let neurons = vec![neuron(&[I(5), I(2)]), neuron(&[I(1)])];
        let outputs = vec![output(&[N(0)]), output(&[N(1)]), output(&[])];
        let network = Network::new(6, neurons, outputs).unwrap();
        assert_eq!(module_features(&network), [vec![2, 5], vec![1], vec![]]);
    }
}
