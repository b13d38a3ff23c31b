//! Networks as ordered trees, and the edit distance between trees. The locality analysis measures
//! with it how far a small change of a genotype moves the network (section "Representation
//! Analysis").
//!
//! The distance is the smallest number of nodes to insert, delete or rename. [`edit_distance`] is
//! APTED (Pawlik and Augsten 2016). [`zhang_shasha()`] is its slow, simple twin; a property test
//! compares the two.

mod expression_tree;
mod zhang_shasha;

pub use expression_tree::{Label, expression_tree};
pub use zhang_shasha::zhang_shasha;

use apted::{APTED, CostModel, Node};

/// An ordered tree with a label at each node.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OrderedTree<L> {
    /// The label of the root.
    pub label: L,
    /// The subtrees, in order.
    pub children: Vec<OrderedTree<L>>,
}

impl<L> OrderedTree<L> {
    /// A tree of one node.
    pub fn leaf(label: L) -> Self {
        Self { label, children: Vec::new() }
    }

    /// A root with these subtrees.
    pub fn node(label: L, children: Vec<OrderedTree<L>>) -> Self {
        Self { label, children }
    }

    /// The number of nodes.
    pub fn size(&self) -> usize {
        1 + self.children.iter().map(OrderedTree::size).sum::<usize>()
    }
}

/// The smallest number of nodes to insert, delete or rename that turns one tree into the other.
pub fn edit_distance<L: Copy + PartialEq>(one: &OrderedTree<L>, other: &OrderedTree<L>) -> usize {
    if one == other {
        return 0;
    }
    let (one, other) = (as_node(one), as_node(other));
    // Distances are integers far below 2^24, so `f32` holds them exactly.
    APTED::new(UnitCosts).compute_edit_distance(&one, &other) as usize
}

fn as_node<L: Copy>(tree: &OrderedTree<L>) -> Node<L> {
    let mut node = Node::new(tree.label);
    tree.children.iter().for_each(|child| node.add_child(as_node(child)));
    node
}

/// Every edit costs one.
struct UnitCosts;

impl<L: PartialEq> CostModel<L> for UnitCosts {
    fn del(&self, _: &Node<L>) -> f32 {
        1.0
    }

    fn ins(&self, _: &Node<L>) -> f32 {
        1.0
    }

    fn ren(&self, one: &Node<L>, other: &Node<L>) -> f32 {
        if one.node_data() == other.node_data() { 0.0 } else { 1.0 }
    }
}
