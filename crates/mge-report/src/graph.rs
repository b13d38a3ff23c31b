//! A network as nodes and edges in layers: used inputs, hidden neurons, outputs. The layer of a
//! neuron is the length of the longest path to it. All drawings start from this graph.

use crate::network_diagram::NetworkDiagram;
use mge::net::{Activation, Link, Source};
use std::collections::BTreeMap;
use thiserror::Error;

/// The most nodes of a picture. More are unreadable, and the limit bounds the work for a hostile
/// file.
pub const MAX_NODES: usize = 4000;
/// The most connections of a picture.
pub const MAX_EDGES: usize = 40_000;

/// A network too large for a picture.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("the network has {found} {what}, too many for a picture; expected at most {max}")]
pub struct TooLarge {
    /// Nodes or connections.
    pub what: &'static str,
    /// How many there are.
    pub found: usize,
    /// How many are allowed.
    pub max: usize,
}

/// What a node is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NodeKind {
    /// A feature, by its index.
    Input(usize),
    /// A hidden neuron, by its index.
    Neuron(usize, Activation),
    /// An output, by its index.
    Output(usize),
}

/// A node of the picture.
#[derive(Debug, Clone)]
pub struct GraphNode {
    /// What it is.
    pub kind: NodeKind,
    /// Its layer; inputs are layer 0, outputs the last.
    pub layer: usize,
    /// The outputs it reaches, ascending.
    pub reaches: Vec<usize>,
    /// Its bias, if it has one.
    pub bias: Option<f32>,
}

impl GraphNode {
    /// The module it belongs to: the only output it reaches.
    pub fn module(&self) -> Option<usize> {
        match self.reaches.as_slice() {
            [only] => Some(*only),
            _ => None,
        }
    }

    /// An identifier that is unique in the picture and plain ASCII.
    pub fn id(&self) -> String {
        match self.kind {
            NodeKind::Input(index) => format!("x{}", index + 1),
            NodeKind::Neuron(index, _) => format!("h{}", index + 1),
            NodeKind::Output(index) => format!("o{}", index + 1),
        }
    }
}

/// A connection.
#[derive(Debug, Clone, Copy)]
pub struct GraphEdge {
    /// The node it comes from.
    pub from: usize,
    /// The node it goes to.
    pub to: usize,
    /// Its weight.
    pub weight: f64,
}

/// The network in layers.
#[derive(Debug, Clone)]
pub struct NetworkGraph {
    /// Inputs, hidden neurons, outputs, in this order.
    pub nodes: Vec<GraphNode>,
    /// The connections.
    pub edges: Vec<GraphEdge>,
    /// How many layers there are, inputs and outputs included.
    pub layers: usize,
    /// Connections that are not drawn, since the diagram asks for the strongest ones only.
    pub left_out: usize,
}

impl NetworkGraph {
    /// The graph of a network.
    ///
    /// # Errors
    /// When it is too large for a picture.
    pub fn of(diagram: &NetworkDiagram<'_>) -> Result<Self, TooLarge> {
        let network = diagram.network();
        let (neurons, outputs) = (network.neurons(), network.outputs());
        let units = || {
            let hidden = neurons.iter().map(|neuron| &neuron.links);
            hidden.chain(outputs.iter().map(|output| &output.links))
        };
        let links = units().map(Vec::len).sum::<usize>();
        check("connections", links, MAX_EDGES)?;
        check("neurons and outputs", neurons.len() + outputs.len(), MAX_NODES)?;
        let mut inputs: BTreeMap<usize, usize> = BTreeMap::new();
        for link in units().flatten() {
            if let Source::Input(input) = link.source {
                inputs.insert(input as usize, 0);
            }
        }
        check("nodes", inputs.len() + neurons.len() + outputs.len(), MAX_NODES)?;
        inputs.values_mut().enumerate().for_each(|(node, position)| *position = node);
        let first_hidden = inputs.len();
        let node_of = |link: &Link| match link.source {
            Source::Input(input) => inputs[&(input as usize)],
            Source::Neuron(neuron) => first_hidden + neuron as usize,
        };

        let node = |kind, layer, bias| GraphNode { kind, layer, reaches: Vec::new(), bias };
        let mut nodes: Vec<GraphNode> =
            inputs.keys().map(|&input| node(NodeKind::Input(input), 0, None)).collect();
        for (index, neuron) in neurons.iter().enumerate() {
            let below = neuron.links.iter().map(|link| nodes[node_of(link)].layer).max();
            let layer = below.unwrap_or(0) + 1;
            nodes.push(node(NodeKind::Neuron(index, neuron.activation), layer, neuron.bias));
        }
        let last = nodes.iter().map(|node| node.layer).max().unwrap_or(0) + 1;
        for (index, output) in outputs.iter().enumerate() {
            nodes.push(node(NodeKind::Output(index), last, output.bias));
        }
        let mut edges = Vec::with_capacity(links);
        for (to, links) in (first_hidden..).zip(units()) {
            edges.extend(links.iter().map(|link| GraphEdge {
                from: node_of(link),
                to,
                weight: f64::from(link.weight),
            }));
        }
        let mut graph = Self { nodes, edges, layers: last + 1, left_out: 0 };
        graph.find_reached_outputs();
        if let Some(top) = diagram.top() {
            graph.keep_strongest(top);
        }
        Ok(graph)
    }

    /// Keeps the strongest connections, of equals the first, and the nodes at their ends. Outputs
    /// stay, and what a node reaches is still that of the whole network.
    fn keep_strongest(&mut self, top: usize) {
        let mut order: Vec<usize> = (0..self.edges.len()).collect();
        let size = |edge: usize| self.edges[edge].weight.abs();
        order.sort_by(|&a, &b| size(b).total_cmp(&size(a)).then(a.cmp(&b)));
        self.left_out = self.edges.len().saturating_sub(top);
        order.truncate(top);
        order.sort_unstable();
        let edges: Vec<GraphEdge> = order.into_iter().map(|edge| self.edges[edge]).collect();
        let mut kept: Vec<bool> =
            self.nodes.iter().map(|node| matches!(node.kind, NodeKind::Output(_))).collect();
        for edge in &edges {
            (kept[edge.from], kept[edge.to]) = (true, true);
        }
        let mut positions = vec![0; kept.len()];
        let mut next = 0;
        for (position, &is_kept) in positions.iter_mut().zip(&kept) {
            *position = next;
            next += usize::from(is_kept);
        }
        let edge = |edge: GraphEdge| GraphEdge {
            from: positions[edge.from],
            to: positions[edge.to],
            ..edge
        };
        self.edges = edges.into_iter().map(edge).collect();
        let mut index = 0;
        self.nodes.retain(|_| {
            index += 1;
            kept[index - 1]
        });
    }

    /// Finds the outputs that each node reaches, in one pass backwards.
    fn find_reached_outputs(&mut self) {
        let words = self.outputs().count().div_ceil(64);
        let mut reached = vec![vec![0u64; words]; self.nodes.len()];
        for (node, reached) in self.nodes.iter().zip(&mut reached) {
            if let NodeKind::Output(output) = node.kind {
                reached[output / 64] |= 1 << (output % 64);
            }
        }
        // Edges are sorted by their target, and targets are in topological order.
        for edge in self.edges.iter().rev() {
            // A target comes after its source.
            let (sources, targets) = reached.split_at_mut(edge.to);
            for (source, target) in sources[edge.from].iter_mut().zip(&targets[0]) {
                *source |= target;
            }
        }
        for (node, bits) in self.nodes.iter_mut().zip(reached) {
            node.reaches = (0..64 * words)
                .filter(|output| bits[output / 64] >> (output % 64) & 1 == 1)
                .collect();
        }
    }

    /// The outputs' nodes.
    pub fn outputs(&self) -> impl Iterator<Item = &GraphNode> {
        self.nodes.iter().filter(|node| matches!(node.kind, NodeKind::Output(_)))
    }

    /// The largest absolute weight; 1 if there is none.
    pub fn max_weight(&self) -> f64 {
        let largest = self.edges.iter().map(|edge| edge.weight.abs()).fold(0.0, f64::max);
        if largest > 0.0 { largest } else { 1.0 }
    }

    /// The name of a node.
    pub fn name(&self, node: usize, diagram: &NetworkDiagram<'_>) -> String {
        match self.nodes[node].kind {
            NodeKind::Input(input) => diagram.feature(input).to_owned(),
            NodeKind::Neuron(index, _) => format!("neuron {}", index + 1),
            NodeKind::Output(index) => diagram.class_label(index),
        }
    }
}

fn check(what: &'static str, found: usize, max: usize) -> Result<(), TooLarge> {
    if found > max { Err(TooLarge { what, found, max }) } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples;

    #[test]
    fn the_strongest_connections_are_kept_with_their_nodes() {
        let sample = samples::layered(5, 40, 2, 3);
        let whole = NetworkGraph::of(&sample.diagram()).unwrap();
        let part = NetworkGraph::of(&sample.diagram().with_top(12)).unwrap();
        assert_eq!((part.edges.len(), part.left_out), (12, whole.edges.len() - 12));
        let weakest = part.edges.iter().map(|edge| edge.weight.abs()).fold(f64::INFINITY, f64::min);
        let stronger = whole.edges.iter().filter(|edge| edge.weight.abs() > weakest).count();
        assert!(stronger < 12, "{stronger} are stronger than the weakest that is kept");
        let is_joined = |node: usize| part.edges.iter().any(|e| e.from == node || e.to == node);
        let inner = part.nodes.iter().enumerate();
        let mut inner = inner.filter(|(_, node)| !matches!(node.kind, NodeKind::Output(_)));
        assert!(inner.all(|(index, _)| is_joined(index)));
        assert_eq!(part.outputs().count(), 3);
        let all = NetworkGraph::of(&sample.diagram().with_top(10_000)).unwrap();
        assert_eq!((all.nodes.len(), all.left_out), (whole.nodes.len(), 0));
    }
}
