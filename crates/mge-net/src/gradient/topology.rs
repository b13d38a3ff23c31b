//! A network without its weights: what is linked to what, and which weight belongs where.
//!
//! Weights lie unit after unit, hidden neurons first; inside a unit the bias, if there is one,
//! and then the links in order.

use crate::activation::Activation;
use crate::network::{Link, Network, NetworkError, Neuron, Output, Source};
use std::ops::Range;

/// What is linked to what.
#[derive(Debug, Clone, PartialEq)]
pub struct Topology {
    inputs: usize,
    neurons: usize,
    units: Vec<SparseLayout>,
    sources: Vec<Source>,
    weights: usize,
}

/// One neuron or output.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct SparseLayout {
    /// Outputs are sums, so theirs is the identity.
    pub(super) activation: Activation,
    pub(super) has_bias: bool,
    /// The first weight: the bias if there is one, else that of the first link.
    pub(super) first: usize,
    links: Range<usize>,
}

impl SparseLayout {
    /// The weight of the first link.
    #[inline(always)]
    pub(super) fn first_link(&self) -> usize {
        self.first + usize::from(self.has_bias)
    }
}

impl Topology {
    /// The topology of a network, and its weights.
    pub fn of(network: &Network) -> (Self, Vec<f32>) {
        let mut topology = Self {
            inputs: network.inputs(),
            neurons: network.neurons().len(),
            units: Vec::new(),
            sources: Vec::new(),
            weights: 0,
        };
        let mut weights = Vec::new();
        for neuron in network.neurons() {
            topology.push(neuron.activation, neuron.bias, &neuron.links, &mut weights);
        }
        for output in network.outputs() {
            topology.push(Activation::Identity, output.bias, &output.links, &mut weights);
        }
        (topology, weights)
    }

    fn push(
        &mut self,
        activation: Activation,
        bias: Option<f32>,
        links: &[Link],
        weights: &mut Vec<f32>,
    ) {
        let first = weights.len();
        weights.extend(bias);
        weights.extend(links.iter().map(|link| link.weight));
        let start = self.sources.len();
        self.sources.extend(links.iter().map(|link| link.source));
        let links = start..self.sources.len();
        self.units.push(SparseLayout { activation, has_bias: bias.is_some(), first, links });
        self.weights = weights.len();
    }

    /// The network with these weights.
    ///
    /// # Errors
    /// When a weight is not finite.
    ///
    /// # Panics
    /// When there are not as many weights as the topology has.
    pub fn network(&self, weights: &[f32]) -> Result<Network, NetworkError> {
        assert_eq!(weights.len(), self.weights, "weights of the topology");
        let parts = |unit: &SparseLayout| {
            let bias = unit.has_bias.then(|| weights[unit.first]);
            let links = self.sources[unit.links.clone()].iter().zip(&weights[unit.first_link()..]);
            let links = links.map(|(&source, &weight)| Link { source, weight });
            (bias, links.collect::<Vec<Link>>())
        };
        let (hidden, outputs) = self.units.split_at(self.neurons);
        let neuron = |unit: &SparseLayout| {
            let (bias, links) = parts(unit);
            Neuron { activation: unit.activation, bias, links }
        };
        let output = |unit: &SparseLayout| {
            let (bias, links) = parts(unit);
            Output { bias, links }
        };
        let neurons = hidden.iter().map(neuron).collect();
        Network::new(self.inputs, neurons, outputs.iter().map(output).collect())
    }

    /// Features of a row.
    pub fn inputs(&self) -> usize {
        self.inputs
    }

    /// Hidden neurons.
    pub fn neurons(&self) -> usize {
        self.neurons
    }

    /// Outputs.
    pub fn outputs(&self) -> usize {
        self.units.len() - self.neurons
    }

    /// All weights, biases included.
    pub fn weights(&self) -> usize {
        self.weights
    }

    /// Whether each weight belongs to a link. Those that do not are biases, which penalties
    /// leave alone.
    pub fn is_link(&self) -> Vec<bool> {
        let mut is_link = vec![true; self.weights];
        for unit in self.units.iter().filter(|unit| unit.has_bias) {
            is_link[unit.first] = false;
        }
        is_link
    }

    #[inline(always)]
    pub(super) fn unit(&self, index: usize) -> (&SparseLayout, &[Source]) {
        let unit = &self.units[index];
        (unit, &self.sources[unit.links.clone()])
    }

    pub(super) fn units(&self) -> usize {
        self.units.len()
    }
}
