//! The expression tree of a network: the expression that the network computes.
//!
//! ```text
//! network                      one child for each output
//!   sum                        its terms
//!     product
//!       weight
//!       sigmoid                a hidden neuron
//!         sum
//!           product (weight, input) ...
//!           weight             the bias
//! ```
//!
//! A neuron that is read more than once is expanded at its first use. Later uses are leaves, so the
//! tree is no larger than the network.

use super::OrderedTree;
use mge_net::{Activation, Link, Network, Source};

/// The label of a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Label {
    /// The root, above all outputs.
    Network,
    /// A sum of its children.
    Sum,
    /// A weight times its source.
    Product,
    /// A hidden neuron.
    Activation(Activation),
    /// A weight or a bias: the bits of the number.
    Weight(u32),
    /// A feature of the row.
    Input(u32),
    /// A neuron that is expanded elsewhere.
    Neuron(u32),
}

/// Builds the expression tree of a network.
pub fn expression_tree(network: &Network) -> OrderedTree<Label> {
    let mut expanded = vec![false; network.neurons().len()];
    let outputs = network.outputs().iter();
    let sums =
        outputs.map(|output| sum(network, output.bias, &output.links, &mut expanded)).collect();
    OrderedTree::node(Label::Network, sums)
}

fn sum(
    network: &Network,
    bias: Option<f32>,
    links: &[Link],
    expanded: &mut [bool],
) -> OrderedTree<Label> {
    let mut terms: Vec<_> = links.iter().map(|link| product(network, link, expanded)).collect();
    terms.extend(bias.map(weight));
    OrderedTree::node(Label::Sum, terms)
}

fn product(network: &Network, link: &Link, expanded: &mut [bool]) -> OrderedTree<Label> {
    let source = match link.source {
        Source::Input(input) => OrderedTree::leaf(Label::Input(input)),
        Source::Neuron(index) if expanded[index as usize] => {
            OrderedTree::leaf(Label::Neuron(index))
        }
        Source::Neuron(index) => {
            expanded[index as usize] = true;
            let neuron = &network.neurons()[index as usize];
            let inside = sum(network, neuron.bias, &neuron.links, expanded);
            OrderedTree::node(Label::Activation(neuron.activation), vec![inside])
        }
    };
    OrderedTree::node(Label::Product, vec![weight(link.weight), source])
}

fn weight(value: f32) -> OrderedTree<Label> {
    // Adding zero turns minus zero into zero, so that both have the same bits.
    OrderedTree::leaf(Label::Weight((value + 0.0).to_bits()))
}

#[cfg(test)]
mod tests {
    use super::super::edit_distance;
    use super::*;
    use mge_net::{Neuron, Output};

    fn network(weights: &[f32]) -> Network {
        let link =
            |input: usize| Link { source: Source::Input(input as u32), weight: weights[input] };
        let neuron = Neuron {
            activation: Activation::Sigmoid,
            bias: Some(0.5),
            links: (0..weights.len()).map(link).collect(),
        };
        let output =
            Output { bias: None, links: vec![Link { source: Source::Neuron(0), weight: -0.25 }] };
        Network::new(4, vec![neuron], vec![output]).unwrap()
    }

    #[test]
    fn the_distance_counts_changed_weights_and_added_connections() {
        let tree = |weights: &[f32]| expression_tree(&network(weights));
        // network, sum, product, weight, sigmoid, sum, bias and three nodes for each input.
        assert_eq!(tree(&[0.1, 0.2]).size(), 13);
        assert_eq!(edit_distance(&tree(&[0.1, 0.2]), &tree(&[0.1, 0.2])), 0);
        assert_eq!(edit_distance(&tree(&[0.1, 0.2]), &tree(&[0.1, 0.3])), 1);
        assert_eq!(edit_distance(&tree(&[0.1, 0.2]), &tree(&[0.1, 0.2, 0.3])), 3);
    }
}
