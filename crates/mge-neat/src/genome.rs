//! The genome (Stanley and Miikkulainen 2002, section 3.1): node genes and link genes, each link
//! with the innovation number that says which structural mutation it came from.
//!
//! Inputs, the bias and the outputs exist in every genome, so only hidden neurons are listed.
//! Invariants: links are sorted by innovation number, no number and no pair of ends occurs twice,
//! hidden nodes are sorted, every end of a link exists, and no link enters an input or the bias.
//! Links may form cycles: the type knows nothing of the order of evaluation.

use mge_net::{MAX_INPUTS, MAX_LINKS, MAX_OUTPUTS};
use serde::{Deserialize, Serialize};

/// How many features a task has and how many outputs it needs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Shape {
    /// Features of a row.
    pub inputs: usize,
    /// Outputs: one for two classes, else one for each class.
    pub outputs: usize,
}

/// The number of a node. Inputs come first, then the bias, the outputs and the hidden neurons in
/// the order in which mutations added them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct NodeId(pub u32);

/// The kind of a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NodeKind {
    /// A feature, counted from 0.
    Input(u32),
    /// The constant one.
    Bias,
    /// An output, counted from 0.
    Output(u32),
    /// A hidden neuron.
    Hidden,
}

impl Shape {
    /// Whether networks of this shape can exist, fully connected ones too.
    pub(crate) fn is_possible(self) -> bool {
        (1..=MAX_INPUTS).contains(&self.inputs)
            && (1..=MAX_OUTPUTS).contains(&self.outputs)
            && self.direct_links() <= MAX_LINKS
    }

    /// The bias node.
    pub fn bias(self) -> NodeId {
        NodeId(self.inputs as u32)
    }

    /// The node of an output.
    pub fn output(self, index: usize) -> NodeId {
        NodeId((self.inputs + 1 + index) as u32)
    }

    /// The number of the first hidden neuron of a run.
    pub fn first_hidden(self) -> NodeId {
        NodeId((self.inputs + 1 + self.outputs) as u32)
    }

    /// The kind of a node.
    pub fn kind(self, node: NodeId) -> NodeKind {
        let (bias, hidden) = (self.bias(), self.first_hidden());
        if node < bias {
            NodeKind::Input(node.0)
        } else if node == bias {
            NodeKind::Bias
        } else if node < hidden {
            NodeKind::Output(node.0 - bias.0 - 1)
        } else {
            NodeKind::Hidden
        }
    }

    /// Links from every input and the bias to every output.
    pub fn direct_links(self) -> usize {
        (self.inputs + 1) * self.outputs
    }

    /// The innovation number of a link from an input or the bias to an output. It is fixed before
    /// evolution starts, so such a link always has the same number.
    pub fn direct_innovation(self, from: NodeId, to: NodeId) -> Option<u32> {
        match self.kind(to) {
            NodeKind::Output(output) if from <= self.bias() => {
                Some(output * (self.inputs as u32 + 1) + from.0)
            }
            _ => None,
        }
    }
}

/// A link gene.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct LinkGene {
    /// The number of the structural mutation that made it.
    pub innovation: u32,
    /// Where it starts.
    pub from: NodeId,
    /// Where it ends.
    pub to: NodeId,
    /// The weight, before it is multiplied by the slope of the sigmoid.
    pub weight: f32,
    /// Whether it is expressed.
    pub enabled: bool,
}

/// A genome: node genes and link genes. All link genes have different ends and numbers.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Genome {
    pub(crate) hidden: Vec<NodeId>,
    pub(crate) links: Vec<LinkGene>,
}

impl Genome {
    /// A genome from its genes, in any order.
    ///
    /// `None` when they break an invariant of genomes of this shape.
    pub fn new(shape: Shape, mut hidden: Vec<NodeId>, mut links: Vec<LinkGene>) -> Option<Self> {
        hidden.sort_unstable();
        links.sort_unstable_by_key(|link| link.innovation);
        let genome = Self { hidden, links };
        genome.is_valid(shape).then_some(genome)
    }

    /// The node genes of the hidden neurons, sorted.
    pub fn hidden(&self) -> &[NodeId] {
        &self.hidden
    }

    /// The link genes, sorted by innovation number.
    pub fn links(&self) -> &[LinkGene] {
        &self.links
    }

    /// Whether a node is part of the genome.
    pub fn has_node(&self, shape: Shape, node: NodeId) -> bool {
        node < shape.first_hidden() || self.hidden.binary_search(&node).is_ok()
    }

    /// Whether there is a link between two nodes, enabled or not.
    pub fn has_link(&self, from: NodeId, to: NodeId) -> bool {
        self.links.iter().any(|link| link.from == from && link.to == to)
    }

    /// Whether a path of links, enabled or not, leads from `from` to `to`.
    pub(crate) fn leads_to(&self, from: NodeId, to: NodeId) -> bool {
        let mut reached = vec![from];
        let mut next = 0;
        while let Some(&node) = reached.get(next) {
            if node == to {
                return true;
            }
            for link in self.links.iter().filter(|link| link.from == node) {
                if !reached.contains(&link.to) {
                    reached.push(link.to);
                }
            }
            next += 1;
        }
        false
    }

    /// Inserts a link by its innovation number.
    pub(crate) fn insert(&mut self, link: LinkGene) {
        let index = self.links.partition_point(|known| known.innovation < link.innovation);
        self.links.insert(index, link);
    }

    /// Whether the invariants of genomes of this shape hold.
    pub(crate) fn is_valid(&self, shape: Shape) -> bool {
        let ends_exist = |link: &LinkGene| {
            let enters = matches!(shape.kind(link.to), NodeKind::Output(_) | NodeKind::Hidden);
            enters && self.has_node(shape, link.from) && self.has_node(shape, link.to)
        };
        let mut pairs: Vec<_> = self.links.iter().map(|link| (link.from, link.to)).collect();
        pairs.sort_unstable();
        self.hidden.is_sorted_by(|a, b| a < b)
            && self.hidden.first().is_none_or(|&first| first >= shape.first_hidden())
            && self.links.is_sorted_by(|a, b| a.innovation < b.innovation)
            && pairs.is_sorted_by(|a, b| a < b)
            && self.links.iter().all(|link| link.weight.is_finite() && ends_exist(link))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SHAPE: Shape = Shape { inputs: 2, outputs: 2 };

    fn link(innovation: u32, from: u32, to: u32) -> LinkGene {
        LinkGene { innovation, from: NodeId(from), to: NodeId(to), weight: 1.0, enabled: true }
    }

    #[test]
    fn nodes_are_numbered_inputs_bias_outputs_hidden() {
        let kinds: Vec<_> = (0..6).map(|node| SHAPE.kind(NodeId(node))).collect();
        use NodeKind::*;
        assert_eq!(kinds, [Input(0), Input(1), Bias, Output(0), Output(1), Hidden]);
        assert_eq!(SHAPE.direct_innovation(NodeId(2), NodeId(4)), Some(5));
        assert_eq!(SHAPE.direct_innovation(NodeId(2), NodeId(5)), None);
        assert_eq!(SHAPE.direct_links(), 6);
    }

    #[test]
    fn invalid_genes_are_refused() {
        let new = |hidden: &[u32], links: Vec<LinkGene>| {
            Genome::new(SHAPE, hidden.iter().map(|&id| NodeId(id)).collect(), links)
        };
        assert!(new(&[6, 5], vec![link(8, 5, 3), link(7, 0, 5)]).is_some());
        assert!(new(&[5], vec![link(7, 0, 5), link(8, 5, 5)]).is_some(), "a loop is possible");
        assert!(new(&[4], vec![]).is_none(), "an output is not hidden");
        assert!(new(&[5, 5], vec![]).is_none(), "a node twice");
        assert!(new(&[], vec![link(7, 0, 5)]).is_none(), "no such node");
        assert!(new(&[], vec![link(7, 3, 0)]).is_none(), "a link into an input");
        assert!(new(&[], vec![link(7, 0, 3), link(7, 1, 3)]).is_none(), "a number twice");
        assert!(new(&[], vec![link(7, 0, 3), link(8, 0, 3)]).is_none(), "two ends twice");
        assert!(new(&[], vec![LinkGene { weight: f32::NAN, ..link(7, 0, 3) }]).is_none());
    }

    #[test]
    fn a_path_may_use_disabled_links() {
        let off = LinkGene { enabled: false, ..link(8, 5, 6) };
        let hidden = vec![NodeId(5), NodeId(6)];
        let genome = Genome::new(SHAPE, hidden, vec![link(7, 0, 5), off, link(9, 6, 3)]).unwrap();
        assert!(genome.leads_to(NodeId(0), NodeId(3)));
        assert!(!genome.leads_to(NodeId(6), NodeId(5)));
    }
}
