//! A small regression tree: CART by squared error (Breiman and others 1984).
//!
//! The tree grows best split first, so a tree with fewer splits is a part of every tree with more.
//! Model selection on validation rows chooses the number of splits. Thresholds lie between quantile
//! bins, as in the [tree of classes](crate::DecisionTree).

use mge_net::Columns;
use rayon::prelude::*;

use super::rows::{TargetRows, squared_errors};
use super::{BaselineRegressor, RegressionBaseline};
use crate::PredictionCost;
use crate::bins::{BinnedFeatures, MAX_BINS};
use crate::model_selection::simplest_within_one_error;

pub(super) const BASELINE: RegressionBaseline = RegressionBaseline {
    name: "small tree",
    summary: "A regression tree of at most five comparisons for each row.",
    max_features: None,
    fit: |rows, seed| Box::new(RegressionTree::fit(rows, seed)),
};

/// The largest number of comparisons from the root to a leaf.
const MAX_DEPTH: usize = 5;

/// A tree. The first node is the root.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct RegressionTree {
    features: usize,
    nodes: Vec<TreeNode>,
    /// Splits that are used, in the order in which they were made.
    splits: usize,
}

#[derive(Debug, Clone, PartialEq)]
struct TreeNode {
    /// The mean of its rows.
    value: f64,
    depth: usize,
    split: Option<TreeSplit>,
}

#[derive(Debug, Clone, Copy, PartialEq)]
struct TreeSplit {
    feature: usize,
    threshold: f32,
    /// The nodes for rows up to the threshold and above it.
    sides: [usize; 2],
    /// The number of splits that were made before this one.
    order: usize,
}

impl RegressionTree {
    /// Chooses the number of splits and grows a tree.
    pub(super) fn fit(rows: &TargetRows<'_>, seed: u64) -> Self {
        let splits = rows.validation_splits(usize::MAX, seed);
        let scored: Vec<Vec<Vec<f64>>> = splits
            .par_iter()
            .map(|split| {
                let (train, validation) = (rows.take(&split.train), rows.take(&split.validation));
                let grown = Self::grow(&train.rows());
                let validation = validation.rows();
                let errors = |splits: usize| {
                    let predicted = grown.with_splits(splits).predict(validation.columns);
                    squared_errors(&predicted, validation.values)
                };
                (0..=grown.splits).map(errors).collect()
            })
            .collect();
        let sizes = scored.iter().map(Vec::len).max().unwrap_or(0);
        // A fold whose tree has fewer splits counts with its largest tree.
        let of_size = |splits: usize| {
            let of_fold = |errors: &Vec<Vec<f64>>| errors[splits.min(errors.len() - 1)].clone();
            scored.iter().flat_map(of_fold).collect()
        };
        let losses: Vec<Vec<f64>> = (0..sizes).map(of_size).collect();
        Self::grow(rows).with_splits(simplest_within_one_error(&losses))
    }

    /// The tree of the first splits.
    pub(super) fn with_splits(&self, splits: usize) -> Self {
        Self { splits: splits.min(self.splits), ..self.clone() }
    }

    /// The tree with all splits down to [`MAX_DEPTH`].
    pub(super) fn grow(rows: &TargetRows<'_>) -> Self {
        // Sums of differences from the mean keep their digits where values are large.
        let mean = rows.mean();
        let target: Vec<f64> = rows.values.iter().map(|value| value - mean).collect();
        let finder = SplitFinder { target: &target, bins: &BinnedFeatures::new(rows.columns) };
        let mut tree = Self { features: rows.columns.count(), nodes: Vec::new(), splits: 0 };
        let mut open: Vec<OpenLeaf> = Vec::new();
        let all = (0..rows.len() as u32).collect();
        open.extend(finder.add(&mut tree, 0, all));
        while let Some(index) = best_leaf(&open) {
            let OpenLeaf { node, rows, best } = open.swap_remove(index);
            let binned = &finder.bins.features()[best.feature];
            let is_low = |row: &u32| binned.of_row[*row as usize] <= best.bin;
            let (low, high): (Vec<u32>, Vec<u32>) = rows.into_iter().partition(is_low);
            let depth = tree.nodes[node].depth + 1;
            let sides = [low, high].map(|side| {
                let index = tree.nodes.len();
                open.extend(finder.add(&mut tree, depth, side));
                index
            });
            let threshold = binned.thresholds[best.bin as usize];
            let (feature, order) = (best.feature, tree.splits);
            tree.nodes[node].split = Some(TreeSplit { feature, threshold, sides, order });
            tree.splits += 1;
        }
        tree.nodes.iter_mut().for_each(|node| node.value += mean);
        tree
    }

    fn split_of(&self, node: usize) -> Option<&TreeSplit> {
        self.nodes[node].split.as_ref().filter(|split| split.order < self.splits)
    }

    /// The largest depth below a node.
    fn depth(&self, node: usize) -> usize {
        match self.split_of(node) {
            None => 0,
            Some(split) => 1 + self.depth(split.sides[0]).max(self.depth(split.sides[1])),
        }
    }
}

/// A leaf that can be split, with its best split.
struct OpenLeaf {
    node: usize,
    rows: Vec<u32>,
    best: CandidateSplit,
}

#[derive(Debug, Clone, Copy)]
struct CandidateSplit {
    feature: usize,
    /// The last bin of the first side.
    bin: u8,
    /// By how much the sum of squared errors falls.
    gain: f64,
}

/// Whether `a` exceeds `b` by more than rounding.
fn is_better(a: f64, b: f64) -> bool {
    a > b + 1e-12 * b.abs()
}

/// The index of the leaf with the largest gain, the oldest among equals.
fn best_leaf(open: &[OpenLeaf]) -> Option<usize> {
    (0..open.len()).reduce(|a, b| {
        let (gain_a, gain_b) = (open[a].best.gain, open[b].best.gain);
        let is_older = open[b].node < open[a].node;
        if is_better(gain_b, gain_a) || (is_older && !is_better(gain_a, gain_b)) { b } else { a }
    })
}

struct SplitFinder<'a> {
    target: &'a [f64],
    bins: &'a BinnedFeatures,
}

impl SplitFinder<'_> {
    /// Adds a leaf to the tree. Returns it if it can be split.
    fn add(&self, tree: &mut RegressionTree, depth: usize, rows: Vec<u32>) -> Option<OpenLeaf> {
        let sum: f64 = rows.iter().map(|&row| self.target[row as usize]).sum();
        let node = tree.nodes.len();
        let value = sum / rows.len().max(1) as f64;
        tree.nodes.push(TreeNode { value, depth, split: None });
        if depth == MAX_DEPTH {
            return None;
        }
        // A gain of rounding errors alone is none.
        let squares: f64 = rows.iter().map(|&row| self.target[row as usize].powi(2)).sum();
        let best = self.best_split(&rows, sum).filter(|best| best.gain > 1e-12 * squares)?;
        Some(OpenLeaf { node, rows, best })
    }

    /// The split with the largest gain, the first among equals.
    fn best_split(&self, rows: &[u32], sum: f64) -> Option<CandidateSplit> {
        let features = 0..self.bins.features().len();
        let found: Vec<Option<CandidateSplit>> = features
            .into_par_iter()
            .with_min_len(4)
            .map(|feature| self.best_split_of_feature(feature, rows, sum))
            .collect();
        found.into_iter().flatten().reduce(|a, b| if is_better(b.gain, a.gain) { b } else { a })
    }

    fn best_split_of_feature(
        &self,
        feature: usize,
        rows: &[u32],
        sum: f64,
    ) -> Option<CandidateSplit> {
        let binned = &self.bins.features()[feature];
        let mut sums = [(0u32, 0.0f64); MAX_BINS];
        for &row in rows {
            let (count, sum) = &mut sums[usize::from(binned.of_row[row as usize])];
            *count += 1;
            *sum += self.target[row as usize];
        }
        let all = rows.len() as u32;
        let whole = sum * sum / f64::from(all.max(1));
        let (mut low_count, mut low_sum) = (0, 0.0);
        let mut best: Option<CandidateSplit> = None;
        for (bin, &(count, of_bin)) in sums.iter().enumerate().take(binned.thresholds.len()) {
            if count == 0 {
                continue;
            }
            (low_count, low_sum) = (low_count + count, low_sum + of_bin);
            let (high_count, high_sum) = (all - low_count, sum - low_sum);
            if high_count == 0 {
                break;
            }
            let gain = low_sum * low_sum / f64::from(low_count)
                + high_sum * high_sum / f64::from(high_count)
                - whole;
            if best.is_none_or(|best| is_better(gain, best.gain)) {
                best = Some(CandidateSplit { feature, bin: bin as u8, gain });
            }
        }
        best
    }
}

impl BaselineRegressor for RegressionTree {
    fn predict(&self, columns: &Columns) -> Vec<f64> {
        assert_eq!(columns.count(), self.features, "columns must match the training rows");
        let value = |row: usize| {
            let mut node = 0;
            while let Some(split) = self.split_of(node) {
                let is_high = columns.column(split.feature)[row] > split.threshold;
                node = split.sides[usize::from(is_high)];
            }
            self.nodes[node].value
        };
        (0..columns.rows()).map(value).collect()
    }

    /// One operation for each comparison on the longest path. An inner node takes one byte for its
    /// feature (two beyond 256 features), four for its threshold and one for the position of its
    /// second side. A leaf takes four bytes.
    fn cost(&self) -> PredictionCost {
        let feature = if self.features <= 256 { 1 } else { 2 };
        let bytes = self.splits * (feature + 5) + (self.splits + 1) * 4;
        PredictionCost { operations: self.depth(0), bytes }
    }
}
