//! A small decision tree: CART with the Gini index (Breiman and others 1984).
//!
//! It grows best split first, so the tree with fewer leaves is always a part of that with more,
//! and one number tells how large it is. That number is chosen on rows held back. Splits are
//! looked for between at most [`MOST_BINS`] quantile bins of a feature; a feature with no more
//! distinct values than that loses nothing. Of equal splits the first feature and then the lowest
//! threshold is taken.

mod bins;
mod grow;

use crate::choose::{partings, simplest_within_one_error};
use crate::{Classifier, Cost, Rows};
use bins::Bins;
use grow::{Grown, Split, grow};
use mge_net::Columns;
use rayon::prelude::*;

pub use bins::MOST_BINS;

/// Most comparisons from the root to a leaf.
pub const MOST_DEPTH: usize = 5;

/// A decision tree.
#[derive(Debug, Clone, PartialEq)]
pub struct Tree {
    features: usize,
    root: Node,
}

#[derive(Debug, Clone, PartialEq)]
enum Node {
    Leaf(u32),
    /// Rows with a value up to the threshold go to the first side.
    Inner {
        feature: usize,
        threshold: f32,
        sides: Box<[Node; 2]>,
    },
}

impl Tree {
    /// Chooses the number of leaves and grows a tree.
    pub fn fit(rows: &Rows<'_>, seed: u64) -> Self {
        let judged = partings(rows, usize::MAX, seed).into_par_iter().map(|part| {
            let (train, held) = (rows.take(&part.train), rows.take(&part.held));
            errors(&grow(&train.rows(), &Bins::new(train.rows().columns())), &held.rows())
        });
        let judged: Vec<Vec<Vec<f64>>> = judged.collect();
        let most = judged.iter().map(Vec::len).max().unwrap_or(0);
        // A fold whose tree was done earlier answers with that tree.
        let of_size = |splits: usize| {
            let of_fold = |sizes: &Vec<Vec<f64>>| sizes[splits.min(sizes.len() - 1)].clone();
            judged.iter().flat_map(of_fold).collect()
        };
        let losses: Vec<Vec<f64>> = (0..most).map(of_size).collect();
        Self::of(&grow(rows, &Bins::new(rows.columns())), simplest_within_one_error(&losses))
    }

    /// The first splits of a grown tree, without those whose sides all answer the same.
    fn of(grown: &Grown, splits: usize) -> Self {
        Self { features: grown.features, root: Node::of(grown, 0, splits) }
    }

    /// How many leaves.
    pub fn leaves(&self) -> usize {
        self.root.leaves()
    }

    /// Comparisons on the longest way.
    pub fn depth(&self) -> usize {
        self.root.depth()
    }
}

impl Node {
    fn of(grown: &Grown, index: usize, splits: usize) -> Self {
        let node = &grown.nodes[index];
        match &node.split {
            Some(Split { feature, threshold, sides, order, .. }) if *order < splits => {
                let sides = sides.map(|side| Self::of(grown, side, splits));
                match &sides {
                    [Node::Leaf(low), Node::Leaf(high)] if low == high => Node::Leaf(*low),
                    _ => {
                        let (feature, threshold) = (*feature, *threshold);
                        Node::Inner { feature, threshold, sides: Box::new(sides) }
                    }
                }
            }
            _ => Node::Leaf(node.class),
        }
    }

    fn leaves(&self) -> usize {
        match self {
            Node::Leaf(_) => 1,
            Node::Inner { sides, .. } => sides.iter().map(Node::leaves).sum(),
        }
    }

    fn depth(&self) -> usize {
        match self {
            Node::Leaf(_) => 0,
            Node::Inner { sides, .. } => 1 + sides[0].depth().max(sides[1].depth()),
        }
    }

    fn class(&self, value: impl Fn(usize) -> f32) -> u32 {
        let mut node = self;
        loop {
            match node {
                Node::Leaf(class) => return *class,
                Node::Inner { feature, threshold, sides } => {
                    node = &sides[usize::from(value(*feature) > *threshold)];
                }
            }
        }
    }
}

/// For each number of splits, whether each row is wrong (1) or right (0).
fn errors(grown: &Grown, held: &Rows<'_>) -> Vec<Vec<f64>> {
    let wrong = |splits: usize| {
        let answers = Tree::of(grown, splits).predict(held.columns());
        let pairs = answers.iter().zip(held.labels());
        pairs.map(|(answer, label)| f64::from(u8::from(answer != label))).collect()
    };
    (0..=grown.splits()).map(wrong).collect()
}

impl Classifier for Tree {
    fn predict(&self, columns: &Columns) -> Vec<u32> {
        assert_eq!(columns.count(), self.features, "features of the tree and of the rows");
        let class = |row: usize| self.root.class(|feature| columns.column(feature)[row]);
        (0..columns.rows()).map(class).collect()
    }

    /// One operation for each comparison on the longest way. An inner node is its feature (one
    /// byte, two beyond 256 features), a threshold of four bytes and one byte for where its second
    /// side begins; a leaf is one byte.
    fn cost(&self) -> Cost {
        let feature = if self.features <= 256 { 1 } else { 2 };
        let leaves = self.leaves();
        Cost { operations: self.depth(), bytes: (leaves - 1) * (feature + 5) + leaves }
    }
}
