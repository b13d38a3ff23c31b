//! Every feature in at most 64 bins of about equally many rows, so that a split search counts
//! rows instead of sorting them.

use mge_net::Columns;
use rayon::prelude::*;

/// Most bins of a feature.
pub const MOST_BINS: usize = 64;

/// The bin of every value.
pub(super) struct Bins {
    features: Vec<Feature>,
}

/// One feature.
pub(super) struct Feature {
    /// Between two bins; one fewer than there are bins, ascending.
    pub(super) thresholds: Vec<f32>,
    /// The bin of each row.
    pub(super) of_row: Vec<u8>,
}

impl Bins {
    pub(super) fn new(columns: &Columns) -> Self {
        let features = (0..columns.count()).into_par_iter();
        Self { features: features.map(|index| Feature::new(columns.column(index))).collect() }
    }

    pub(super) fn features(&self) -> &[Feature] {
        &self.features
    }
}

impl Feature {
    fn new(values: &[f32]) -> Self {
        let thresholds = thresholds(values);
        let bin = |value: &f32| thresholds.partition_point(|threshold| *threshold < *value) as u8;
        Self { of_row: values.iter().map(bin).collect(), thresholds }
    }
}

/// Borders between bins: every distinct value has a bin of its own if there are few enough.
fn thresholds(values: &[f32]) -> Vec<f32> {
    let mut sorted = values.to_vec();
    sorted.sort_unstable_by(f32::total_cmp);
    // Zero and minus zero are one value.
    let runs: Vec<(f32, usize)> =
        sorted.chunk_by(|a, b| a == b).map(|run| (run[0], run.len())).collect();
    let mut thresholds = Vec::new();
    let (mut in_bin, mut left) = (0, values.len());
    for (place, pair) in runs.windows(2).enumerate() {
        let ((low, count), (high, _)) = (pair[0], pair[1]);
        in_bin += count;
        let bins_left = MOST_BINS - thresholds.len();
        let is_full = in_bin * bins_left >= left;
        let is_room = runs.len() - place <= bins_left;
        if (is_full || is_room) && bins_left > 1 {
            thresholds.push(between(low, high));
            left -= in_bin;
            in_bin = 0;
        }
    }
    thresholds
}

/// The middle, or the lower one where there is nothing between.
fn between(low: f32, high: f32) -> f32 {
    let middle = low * 0.5 + high * 0.5;
    if middle > low && middle < high { middle } else { low }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn neighbours_are_parted_and_constants_are_not() {
        let next = 1.0f32.next_up();
        assert_eq!(thresholds(&[next, 1.0, next]), [1.0]);
        assert_eq!(thresholds(&[f32::MAX, f32::MIN]), [0.0]);
        assert!(thresholds(&[2.0; 9]).is_empty());
        assert!(thresholds(&[0.0, -0.0]).is_empty());
        assert!(thresholds(&[]).is_empty());
    }

    #[test]
    fn a_frequent_value_leaves_the_other_bins_to_the_rest() {
        let values: Vec<f32> =
            (0..10_000).map(|i| if i % 5 > 0 { 0.0 } else { i as f32 }).collect();
        let thresholds = thresholds(&values);
        assert_eq!(thresholds.len(), MOST_BINS - 1);
        assert_eq!(thresholds[0], 2.5);
        let above: Vec<f32> = thresholds.windows(2).map(|pair| pair[1] - pair[0]).collect();
        assert!(above.iter().all(|width| (100.0..300.0).contains(width)), "{above:?}");
    }

    proptest! {
        #[test]
        fn bins_keep_the_order_and_few_values_keep_apart(
            values in proptest::collection::vec(-40i8..40, 1..300),
        ) {
            let values: Vec<f32> = values.into_iter().map(|v| f32::from(v) / 8.0).collect();
            let feature = Feature::new(&values);
            let mut distinct = values.clone();
            distinct.sort_unstable_by(f32::total_cmp);
            distinct.dedup();
            prop_assert!(feature.thresholds.len() < MOST_BINS);
            if distinct.len() <= MOST_BINS {
                prop_assert_eq!(feature.thresholds.len() + 1, distinct.len());
            }
            for (a, bin_a) in values.iter().zip(&feature.of_row) {
                for (b, bin_b) in values.iter().zip(&feature.of_row) {
                    prop_assert!(a > b || bin_a <= bin_b);
                }
            }
        }
    }
}
