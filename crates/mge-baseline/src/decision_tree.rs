//! A small decision tree: CART with the Gini index (Breiman and others 1984).
//!
//! The tree grows best split first, so a tree with fewer splits is a part of every tree with more.
//! Model selection on validation rows chooses the number of splits. Thresholds lie between at most
//! [`MAX_BINS`](crate::bins::MAX_BINS) quantile bins of a feature, which is exact for a feature with no more
//! distinct values than that. Among equal splits, the first feature and then the lowest threshold
//! wins.

mod grow;

use crate::baseline::{Baseline, FitFunction};
use crate::bins::BinnedFeatures;
use crate::model_selection::{simplest_within_one_error, validation_splits};
use crate::{BaselineClassifier, LabelledRows, PredictionCost};
use grow::{GrownTree, TreeSplit, grow};
use mge_net::Columns;
use rayon::prelude::*;

pub(crate) const BASELINE: Baseline = Baseline {
    name: "small tree",
    summary: "A decision tree of at most five comparisons for each row.",
    max_links: None,
    fit: FitFunction::Classes(|rows, seed| Ok(Box::new(DecisionTree::fit(rows, seed)))),
};

/// The largest number of comparisons from the root to a leaf.
const MAX_DEPTH: usize = 5;

/// A decision tree.
#[derive(Debug, Clone, PartialEq)]
pub struct DecisionTree {
    features: usize,
    root: TreeNode,
}

#[derive(Debug, Clone, PartialEq)]
enum TreeNode {
    /// Predicts this class.
    Leaf(u32),
    /// Rows with a value up to the threshold go to the first side, others to the second.
    Inner { feature: usize, threshold: f32, sides: Box<[TreeNode; 2]> },
}

impl DecisionTree {
    /// Chooses the number of leaves and grows a tree.
    pub fn fit(rows: &LabelledRows<'_>, seed: u64) -> Self {
        let scored = validation_splits(rows, usize::MAX, seed).into_par_iter().map(|split| {
            let (train, validation) = (rows.take(&split.train), rows.take(&split.validation));
            let bins = BinnedFeatures::new(train.rows().columns());
            errors(&grow(&train.rows(), &bins), &validation.rows())
        });
        let scored: Vec<Vec<Vec<f64>>> = scored.collect();
        let sizes = scored.iter().map(Vec::len).max().unwrap_or(0);
        // A fold whose tree has fewer splits counts with its largest tree.
        let of_size = |splits: usize| {
            let of_fold = |errors: &Vec<Vec<f64>>| errors[splits.min(errors.len() - 1)].clone();
            scored.iter().flat_map(of_fold).collect()
        };
        let losses: Vec<Vec<f64>> = (0..sizes).map(of_size).collect();
        let grown = grow(rows, &BinnedFeatures::new(rows.columns()));
        Self::with_splits(&grown, simplest_within_one_error(&losses))
    }

    /// Keeps the first splits of a grown tree, without those whose sides predict the same class.
    fn with_splits(grown: &GrownTree, splits: usize) -> Self {
        Self { features: grown.features, root: TreeNode::with_splits(grown, 0, splits) }
    }

    /// The number of leaves.
    pub fn leaves(&self) -> usize {
        self.root.leaves()
    }

    /// The number of comparisons on the longest path.
    pub fn depth(&self) -> usize {
        self.root.depth()
    }
}

impl TreeNode {
    fn with_splits(grown: &GrownTree, index: usize, splits: usize) -> Self {
        let node = &grown.nodes[index];
        match &node.split {
            Some(TreeSplit { feature, threshold, sides, order, .. }) if *order < splits => {
                let sides = sides.map(|side| Self::with_splits(grown, side, splits));
                match &sides {
                    [TreeNode::Leaf(low), TreeNode::Leaf(high)] if low == high => {
                        TreeNode::Leaf(*low)
                    }
                    _ => {
                        let (feature, threshold) = (*feature, *threshold);
                        TreeNode::Inner { feature, threshold, sides: Box::new(sides) }
                    }
                }
            }
            _ => TreeNode::Leaf(node.class),
        }
    }

    fn leaves(&self) -> usize {
        match self {
            TreeNode::Leaf(_) => 1,
            TreeNode::Inner { sides, .. } => sides.iter().map(TreeNode::leaves).sum(),
        }
    }

    fn depth(&self) -> usize {
        match self {
            TreeNode::Leaf(_) => 0,
            TreeNode::Inner { sides, .. } => 1 + sides[0].depth().max(sides[1].depth()),
        }
    }

    fn class(&self, value: impl Fn(usize) -> f32) -> u32 {
        let mut node = self;
        loop {
            match node {
                TreeNode::Leaf(class) => return *class,
                TreeNode::Inner { feature, threshold, sides } => {
                    node = &sides[usize::from(value(*feature) > *threshold)];
                }
            }
        }
    }
}

/// For each number of splits, whether the prediction of each validation row is wrong (1) or right
/// (0).
fn errors(grown: &GrownTree, validation: &LabelledRows<'_>) -> Vec<Vec<f64>> {
    let wrong = |splits: usize| {
        let predictions = DecisionTree::with_splits(grown, splits).predict(validation.columns());
        let pairs = predictions.iter().zip(validation.labels());
        pairs.map(|(prediction, label)| f64::from(u8::from(prediction != label))).collect()
    };
    (0..=grown.splits()).map(wrong).collect()
}

impl BaselineClassifier for DecisionTree {
    fn predict(&self, columns: &Columns) -> Vec<u32> {
        assert_eq!(columns.count(), self.features, "columns must match the training rows");
        let class = |row: usize| self.root.class(|feature| columns.column(feature)[row]);
        (0..columns.rows()).map(class).collect()
    }

    /// One operation for each comparison on the longest path. An inner node takes one byte for its
    /// feature (two beyond 256 features), four for its threshold and one for the position of its
    /// second side. A leaf takes one byte.
    fn cost(&self) -> PredictionCost {
        let feature = if self.features <= 256 { 1 } else { 2 };
        let leaves = self.leaves();
        PredictionCost { operations: self.depth(), bytes: (leaves - 1) * (feature + 5) + leaves }
    }
}
