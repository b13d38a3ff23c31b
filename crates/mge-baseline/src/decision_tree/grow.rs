//! Grows a tree by repeatedly applying the best split of all leaves.

use super::MAX_DEPTH;
use crate::LabelledRows;
use crate::bins::{BinnedFeature, BinnedFeatures, MAX_BINS};
use crate::majority_class::largest_class;
use rayon::prelude::*;

/// A tree with all splits down to [`MAX_DEPTH`].
pub(super) struct GrownTree {
    pub(super) features: usize,
    /// The first node is the root.
    pub(super) nodes: Vec<GrownNode>,
}

pub(super) struct GrownNode {
    /// The most frequent class of its rows.
    pub(super) class: u32,
    pub(super) split: Option<TreeSplit>,
}

pub(super) struct TreeSplit {
    pub(super) feature: usize,
    pub(super) threshold: f32,
    /// The indices of the nodes for rows up to the threshold and above it.
    pub(super) sides: [usize; 2],
    /// The number of splits that were applied before this one.
    pub(super) order: usize,
}

impl GrownTree {
    pub(super) fn splits(&self) -> usize {
        self.nodes.iter().filter(|node| node.split.is_some()).count()
    }
}

/// A leaf that can be split, with its best split.
struct SplittableLeaf {
    node: usize,
    depth: usize,
    rows: Vec<u32>,
    best: CandidateSplit,
}

/// A possible split of a leaf.
#[derive(Debug, Clone, Copy, PartialEq)]
struct CandidateSplit {
    feature: usize,
    /// The last bin of the first side.
    bin: u8,
    /// The [`purity`] of both sides together.
    purity: f64,
    /// The purity of the sides minus that of the leaf.
    gain: f64,
}

/// Whether `a` exceeds `b` by more than rounding.
fn is_better(a: f64, b: f64) -> bool {
    a > b + 1e-12 * b.abs()
}

/// The purity of a node: the number of rows times one minus the Gini index. Among splits of the
/// same rows, the one with the largest sum of both sides has the lowest Gini index.
fn purity(counts: &[u32]) -> f64 {
    let (mut squares, mut rows) = (0u64, 0u64);
    for &count in counts {
        squares += u64::from(count) * u64::from(count);
        rows += u64::from(count);
    }
    squares as f64 / rows.max(1) as f64
}

/// Grows a tree on all rows.
pub(super) fn grow(rows: &LabelledRows<'_>, bins: &BinnedFeatures) -> GrownTree {
    let finder = SplitFinder { labels: rows.labels(), classes: rows.classes(), bins };
    let mut grown = GrownTree { features: rows.columns().count(), nodes: Vec::new() };
    let mut open: Vec<SplittableLeaf> = Vec::new();
    let all = (0..rows.len() as u32).collect();
    open.extend(finder.add(&mut grown, 0, all));
    let mut order = 0;
    while let Some(index) = best_leaf(&open) {
        let SplittableLeaf { node, depth, rows, best: CandidateSplit { feature, bin, .. } } =
            open.swap_remove(index);
        let binned = &bins.features()[feature];
        let is_low = |row: &u32| binned.of_row[*row as usize] <= bin;
        let (low, high): (Vec<u32>, Vec<u32>) = rows.into_iter().partition(is_low);
        let sides = [low, high].map(|side| {
            let index = grown.nodes.len();
            open.extend(finder.add(&mut grown, depth + 1, side));
            index
        });
        let threshold = binned.thresholds[bin as usize];
        grown.nodes[node].split = Some(TreeSplit { feature, threshold, sides, order });
        order += 1;
    }
    grown
}

/// The index of the leaf with the largest gain, the oldest among equals.
fn best_leaf(open: &[SplittableLeaf]) -> Option<usize> {
    (0..open.len()).reduce(|a, b| {
        let (gain_a, gain_b) = (open[a].best.gain, open[b].best.gain);
        let is_older = open[b].node < open[a].node;
        if is_better(gain_b, gain_a) || (is_older && !is_better(gain_a, gain_b)) { b } else { a }
    })
}

/// Finds the best split of a leaf.
struct SplitFinder<'a> {
    labels: &'a [u32],
    classes: usize,
    bins: &'a BinnedFeatures,
}

impl SplitFinder<'_> {
    /// Adds a leaf to the tree. Returns it if it can be split.
    fn add(&self, grown: &mut GrownTree, depth: usize, rows: Vec<u32>) -> Option<SplittableLeaf> {
        let mut counts = vec![0u32; self.classes];
        rows.iter().for_each(|&row| counts[self.labels[row as usize] as usize] += 1);
        let sizes: Vec<usize> = counts.iter().map(|&count| count as usize).collect();
        let node = grown.nodes.len();
        grown.nodes.push(GrownNode { class: largest_class(&sizes), split: None });
        let is_pure = sizes.iter().filter(|&&size| size > 0).count() < 2;
        if is_pure || depth == MAX_DEPTH {
            return None;
        }
        let best = self.best_split(&rows, &counts)?;
        Some(SplittableLeaf { node, depth, best, rows })
    }

    /// The purest split of these rows, the first among equals.
    fn best_split(&self, rows: &[u32], counts: &[u32]) -> Option<CandidateSplit> {
        let features = self.bins.features();
        let buffer = || vec![0u32; MAX_BINS * self.classes];
        let found: Vec<Option<CandidateSplit>> = (0..features.len())
            .into_par_iter()
            .with_min_len(4)
            .map_init(buffer, |in_bins, feature| {
                self.best_split_of_feature(feature, &features[feature], rows, counts, in_bins)
            })
            .collect();
        found.into_iter().flatten().reduce(|a, b| if is_better(b.purity, a.purity) { b } else { a })
    }

    /// The purest split by one feature. `in_bins` is a buffer for the class counts of each bin.
    fn best_split_of_feature(
        &self,
        feature: usize,
        binned: &BinnedFeature,
        rows: &[u32],
        counts: &[u32],
        in_bins: &mut [u32],
    ) -> Option<CandidateSplit> {
        let bins = binned.thresholds.len() + 1;
        let in_bins = &mut in_bins[..bins * self.classes];
        in_bins.fill(0);
        for &row in rows {
            let bin = usize::from(binned.of_row[row as usize]);
            in_bins[bin * self.classes + self.labels[row as usize] as usize] += 1;
        }
        let mut low = vec![0u32; self.classes];
        let mut high = counts.to_vec();
        let mut best: Option<CandidateSplit> = None;
        for (bin, own) in in_bins.chunks_exact(self.classes).enumerate().take(bins - 1) {
            if own.iter().all(|&count| count == 0) {
                continue;
            }
            for (class, &count) in own.iter().enumerate() {
                low[class] += count;
                high[class] -= count;
            }
            if high.iter().all(|&count| count == 0) {
                break;
            }
            let split_purity = purity(&low) + purity(&high);
            if best.is_none_or(|best| is_better(split_purity, best.purity)) {
                let gain = split_purity - purity(counts);
                let bin = bin as u8;
                best = Some(CandidateSplit { feature, bin, purity: split_purity, gain });
            }
        }
        best
    }
}

#[cfg(test)]
mod tests;
