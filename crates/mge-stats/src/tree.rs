//! Networks as ordered trees and the edit distance between them: how far a small change of a
//! genotype moves the network (section "Representation Analysis", locality).
//!
//! The distance is the least number of nodes to insert, delete or rename. [`edit_distance`] is
//! APTED (Pawlik and Augsten 2016); [`zhang_shasha`] is its slow, plain twin, and a property test
//! holds the two together.

mod evaluation;
mod plain;

pub use evaluation::{Label, evaluation_tree};
pub use plain::zhang_shasha;

use apted::{APTED, CostModel, Node};

/// An ordered tree with a label at each node.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tree<L> {
    /// The label of the root.
    pub label: L,
    /// The subtrees, in order.
    pub children: Vec<Tree<L>>,
}

impl<L> Tree<L> {
    /// A tree of one node.
    pub fn leaf(label: L) -> Self {
        Self { label, children: Vec::new() }
    }

    /// A root above some trees.
    pub fn node(label: L, children: Vec<Tree<L>>) -> Self {
        Self { label, children }
    }

    /// How many nodes there are.
    pub fn size(&self) -> usize {
        1 + self.children.iter().map(Tree::size).sum::<usize>()
    }
}

/// The least number of nodes to insert, delete or rename that makes one tree the other.
pub fn edit_distance<L: Copy + PartialEq>(one: &Tree<L>, other: &Tree<L>) -> usize {
    if one == other {
        return 0;
    }
    let (one, other) = (as_node(one), as_node(other));
    // Distances are whole numbers far below 2^24, which 32-bit floats hold exactly.
    APTED::new(UnitCosts).compute_edit_distance(&one, &other) as usize
}

fn as_node<L: Copy>(tree: &Tree<L>) -> Node<L> {
    let mut node = Node::new(tree.label);
    tree.children.iter().for_each(|child| node.add_child(as_node(child)));
    node
}

/// Each edit costs one.
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
