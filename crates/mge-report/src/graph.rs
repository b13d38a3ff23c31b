//! A network as nodes and edges in layers: inputs that are used, hidden neurons by the longest
//! chain that leads to them, outputs. Everything that is drawn is drawn from this.

use crate::subject::NetworkDiagram;
use mge::net::{Activation, Link, Source};
use std::collections::BTreeMap;
use thiserror::Error;

/// Most nodes that a picture has. Nobody can read more, and the work stays in bounds for a
/// hostile file.
pub const MOST_NODES: usize = 4000;
/// Most connections that a picture has.
pub const MOST_EDGES: usize = 40_000;

/// A network too large for a picture.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("the network has {found} {what}, too many for a picture; expected at most {most}")]
pub struct TooLarge {
    /// Nodes or connections.
    pub what: &'static str,
    /// How many there are.
    pub found: usize,
    /// How many may be.
    pub most: usize,
}

/// What a node is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A feature, by its place.
    Input(usize),
    /// A hidden neuron, by its place.
    Neuron(usize, Activation),
    /// An output, by its place.
    Output(usize),
}

/// A node of the picture.
#[derive(Debug, Clone)]
pub struct Node {
    /// What it is.
    pub kind: Kind,
    /// Its layer; inputs are layer 0, outputs the last.
    pub layer: usize,
    /// The outputs it reaches, ascending.
    pub reaches: Vec<usize>,
    /// Its bias, if it has one.
    pub bias: Option<f32>,
}

impl Node {
    /// The module it belongs to: the only output it reaches.
    pub fn module(&self) -> Option<usize> {
        match self.reaches.as_slice() {
            [only] => Some(*only),
            _ => None,
        }
    }

    /// A name that is unique in the picture and safe everywhere.
    pub fn id(&self) -> String {
        match self.kind {
            Kind::Input(place) => format!("x{}", place + 1),
            Kind::Neuron(place, _) => format!("h{}", place + 1),
            Kind::Output(place) => format!("o{}", place + 1),
        }
    }
}

/// A connection.
#[derive(Debug, Clone, Copy)]
pub struct Edge {
    /// The node it comes from.
    pub from: usize,
    /// The node it goes to.
    pub to: usize,
    /// Its weight.
    pub weight: f64,
}

/// The network in layers.
#[derive(Debug, Clone)]
pub struct Graph {
    /// Inputs, hidden neurons, outputs, in this order.
    pub nodes: Vec<Node>,
    /// The connections.
    pub edges: Vec<Edge>,
    /// How many layers there are, inputs and outputs included.
    pub layers: usize,
}

impl Graph {
    /// Takes a network apart.
    ///
    /// # Errors
    /// When it is too large for a picture.
    pub fn of(subject: &NetworkDiagram<'_>) -> Result<Self, TooLarge> {
        let network = subject.network();
        let (neurons, outputs) = (network.neurons(), network.outputs());
        let units = || {
            let hidden = neurons.iter().map(|neuron| &neuron.links);
            hidden.chain(outputs.iter().map(|output| &output.links))
        };
        let links = units().map(Vec::len).sum::<usize>();
        check("connections", links, MOST_EDGES)?;
        check("neurons and outputs", neurons.len() + outputs.len(), MOST_NODES)?;
        let mut inputs: BTreeMap<usize, usize> = BTreeMap::new();
        for link in units().flatten() {
            if let Source::Input(input) = link.source {
                inputs.insert(input as usize, 0);
            }
        }
        check("nodes", inputs.len() + neurons.len() + outputs.len(), MOST_NODES)?;
        inputs.values_mut().enumerate().for_each(|(node, place)| *place = node);
        let first_hidden = inputs.len();
        let node_of = |link: &Link| match link.source {
            Source::Input(input) => inputs[&(input as usize)],
            Source::Neuron(neuron) => first_hidden + neuron as usize,
        };

        let node = |kind, layer, bias| Node { kind, layer, reaches: Vec::new(), bias };
        let mut nodes: Vec<Node> =
            inputs.keys().map(|&input| node(Kind::Input(input), 0, None)).collect();
        for (place, neuron) in neurons.iter().enumerate() {
            let below = neuron.links.iter().map(|link| nodes[node_of(link)].layer).max();
            let layer = below.unwrap_or(0) + 1;
            nodes.push(node(Kind::Neuron(place, neuron.activation), layer, neuron.bias));
        }
        let last = nodes.iter().map(|node| node.layer).max().unwrap_or(0) + 1;
        for (place, output) in outputs.iter().enumerate() {
            nodes.push(node(Kind::Output(place), last, output.bias));
        }
        let mut edges = Vec::with_capacity(links);
        for (to, links) in (first_hidden..).zip(units()) {
            edges.extend(links.iter().map(|link| Edge {
                from: node_of(link),
                to,
                weight: f64::from(link.weight),
            }));
        }
        let mut graph = Self { nodes, edges, layers: last + 1 };
        graph.find_reached();
        Ok(graph)
    }

    /// Walks backwards once: a node reaches what its successors reach.
    fn find_reached(&mut self) {
        let words = self.outputs().count().div_ceil(64);
        let mut reached = vec![vec![0u64; words]; self.nodes.len()];
        for (index, node) in self.nodes.iter().enumerate() {
            if let Kind::Output(place) = node.kind {
                reached[index][place / 64] |= 1 << (place % 64);
            }
        }
        // Edges are sorted by their target, and targets stand in topological order.
        for edge in self.edges.iter().rev() {
            // A target stands behind its source.
            let (sources, targets) = reached.split_at_mut(edge.to);
            for (source, target) in sources[edge.from].iter_mut().zip(&targets[0]) {
                *source |= target;
            }
        }
        for (node, bits) in self.nodes.iter_mut().zip(reached) {
            node.reaches =
                (0..64 * words).filter(|place| bits[place / 64] >> (place % 64) & 1 == 1).collect();
        }
    }

    /// The outputs' nodes.
    pub fn outputs(&self) -> impl Iterator<Item = &Node> {
        self.nodes.iter().filter(|node| matches!(node.kind, Kind::Output(_)))
    }

    /// The largest size of a weight; 1 if there is none.
    pub fn heaviest(&self) -> f64 {
        let most = self.edges.iter().map(|edge| edge.weight.abs()).fold(0.0, f64::max);
        if most > 0.0 { most } else { 1.0 }
    }

    /// What a node is called.
    pub fn name(&self, node: usize, subject: &NetworkDiagram<'_>) -> String {
        match self.nodes[node].kind {
            Kind::Input(input) => subject.feature(input).to_owned(),
            Kind::Neuron(place, _) => format!("neuron {}", place + 1),
            Kind::Output(place) => subject.speaks_for(place),
        }
    }
}

fn check(what: &'static str, found: usize, most: usize) -> Result<(), TooLarge> {
    if found > most { Err(TooLarge { what, found, most }) } else { Ok(()) }
}
