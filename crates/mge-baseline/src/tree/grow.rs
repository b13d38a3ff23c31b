//! Growing a tree, the best split of all leaves first.

use super::MOST_DEPTH;
use super::bins::{Bins, Feature, MOST_BINS};
use crate::Rows;
use crate::majority::most_frequent;
use rayon::prelude::*;

/// A tree with all splits down to [`MOST_DEPTH`].
pub(super) struct Grown {
    pub(super) features: usize,
    /// The root comes first.
    pub(super) nodes: Vec<GrownNode>,
}

pub(super) struct GrownNode {
    /// The most frequent class of its rows.
    pub(super) class: u32,
    pub(super) split: Option<Split>,
}

pub(super) struct Split {
    pub(super) feature: usize,
    pub(super) threshold: f32,
    /// The nodes of rows up to the threshold and beyond it.
    pub(super) sides: [usize; 2],
    /// How many splits were made before.
    pub(super) order: usize,
}

impl Grown {
    pub(super) fn splits(&self) -> usize {
        self.nodes.iter().filter(|node| node.split.is_some()).count()
    }
}

/// A leaf that could be split.
struct Open {
    node: usize,
    depth: usize,
    rows: Vec<u32>,
    best: Candidate,
}

/// A split that could be made.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Candidate {
    feature: usize,
    /// The last bin of the first side.
    bin: u8,
    /// See [`purity`], of both sides together.
    purity: f64,
    /// How much purer the sides are than the whole.
    gain: f64,
}

/// Two splits differ only if they differ by more than rounding.
fn is_better(a: f64, than: f64) -> bool {
    a > than + 1e-12 * than.abs()
}

/// Rows that a row of the same node meets with its own class, summed over the rows: `n` times one
/// minus the Gini index. Among splits of the same rows the largest sum has the lowest Gini index.
fn purity(counts: &[u32]) -> f64 {
    let (mut squares, mut rows) = (0u64, 0u64);
    for &count in counts {
        squares += u64::from(count) * u64::from(count);
        rows += u64::from(count);
    }
    squares as f64 / rows.max(1) as f64
}

/// Grows a tree on all rows.
pub(super) fn grow(rows: &Rows<'_>, bins: &Bins) -> Grown {
    let search = Search { labels: rows.labels(), classes: rows.classes(), bins };
    let mut grown = Grown { features: rows.columns().count(), nodes: Vec::new() };
    let mut open: Vec<Open> = Vec::new();
    let all = (0..rows.len() as u32).collect();
    open.extend(search.add(&mut grown, 0, all));
    let mut order = 0;
    while let Some(place) = best_of(&open) {
        let Open { node, depth, rows, best: Candidate { feature, bin, .. } } =
            open.swap_remove(place);
        let of_feature = &bins.features()[feature];
        let is_low = |row: &u32| of_feature.of_row[*row as usize] <= bin;
        let (low, high): (Vec<u32>, Vec<u32>) = rows.into_iter().partition(is_low);
        let sides = [low, high].map(|side| {
            let index = grown.nodes.len();
            open.extend(search.add(&mut grown, depth + 1, side));
            index
        });
        let threshold = of_feature.thresholds[bin as usize];
        grown.nodes[node].split = Some(Split { feature, threshold, sides, order });
        order += 1;
    }
    grown
}

/// The leaf that gains most, the oldest among equals.
fn best_of(open: &[Open]) -> Option<usize> {
    (0..open.len()).reduce(|a, b| {
        let (gain_a, gain_b) = (open[a].best.gain, open[b].best.gain);
        let is_older = open[b].node < open[a].node;
        if is_better(gain_b, gain_a) || (is_older && !is_better(gain_a, gain_b)) { b } else { a }
    })
}

struct Search<'a> {
    labels: &'a [u32],
    classes: usize,
    bins: &'a Bins,
}

impl Search<'_> {
    /// Adds a leaf, and gives it back if it can be split.
    fn add(&self, grown: &mut Grown, depth: usize, rows: Vec<u32>) -> Option<Open> {
        let mut counts = vec![0u32; self.classes];
        rows.iter().for_each(|&row| counts[self.labels[row as usize] as usize] += 1);
        let sizes: Vec<usize> = counts.iter().map(|&count| count as usize).collect();
        let node = grown.nodes.len();
        grown.nodes.push(GrownNode { class: most_frequent(&sizes), split: None });
        let is_pure = sizes.iter().filter(|&&size| size > 0).count() < 2;
        if is_pure || depth == MOST_DEPTH {
            return None;
        }
        Some(Open { node, depth, best: self.best_split(&rows, &counts)?, rows })
    }

    /// The purest split, the first among equals.
    fn best_split(&self, rows: &[u32], counts: &[u32]) -> Option<Candidate> {
        let features = self.bins.features();
        let room = || vec![0u32; MOST_BINS * self.classes];
        let found: Vec<Option<Candidate>> = (0..features.len())
            .into_par_iter()
            .with_min_len(4)
            .map_init(room, |in_bins, feature| {
                self.best_of_feature(feature, &features[feature], rows, counts, in_bins)
            })
            .collect();
        found.into_iter().flatten().reduce(|a, b| if is_better(b.purity, a.purity) { b } else { a })
    }

    fn best_of_feature(
        &self,
        feature: usize,
        of_feature: &Feature,
        rows: &[u32],
        counts: &[u32],
        in_bins: &mut [u32],
    ) -> Option<Candidate> {
        let bins = of_feature.thresholds.len() + 1;
        let in_bins = &mut in_bins[..bins * self.classes];
        in_bins.fill(0);
        for &row in rows {
            let bin = usize::from(of_feature.of_row[row as usize]);
            in_bins[bin * self.classes + self.labels[row as usize] as usize] += 1;
        }
        let mut low = vec![0u32; self.classes];
        let mut high = counts.to_vec();
        let mut best: Option<Candidate> = None;
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
            let purity_here = purity(&low) + purity(&high);
            if best.is_none_or(|best| is_better(purity_here, best.purity)) {
                let gain = purity_here - purity(counts);
                let bin = bin as u8;
                best = Some(Candidate { feature, bin, purity: purity_here, gain });
            }
        }
        best
    }
}

#[cfg(test)]
mod tests;
