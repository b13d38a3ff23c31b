//! Divides each feature into at most 64 bins with about equally many rows. The search for a split
//! then counts rows per bin in place of sorting them.

use mge_net::Columns;
use rayon::prelude::*;

/// The largest number of bins of a feature.
pub(crate) const MAX_BINS: usize = 64;

/// All features of some rows, divided into bins.
pub(crate) struct BinnedFeatures {
    features: Vec<BinnedFeature>,
}

/// One feature, divided into bins.
pub(crate) struct BinnedFeature {
    /// The borders between bins in ascending order, one fewer than there are bins.
    pub(crate) thresholds: Vec<f32>,
    /// The bin of each row.
    pub(crate) of_row: Vec<u8>,
}

impl BinnedFeatures {
    pub(crate) fn new(columns: &Columns) -> Self {
        let features = (0..columns.count()).into_par_iter();
        Self { features: features.map(|index| BinnedFeature::new(columns.column(index))).collect() }
    }

    pub(crate) fn features(&self) -> &[BinnedFeature] {
        &self.features
    }
}

impl BinnedFeature {
    fn new(values: &[f32]) -> Self {
        let thresholds = thresholds(values);
        let bin = |value: &f32| thresholds.partition_point(|threshold| *threshold < *value) as u8;
        Self { of_row: values.iter().map(bin).collect(), thresholds }
    }
}

/// The borders between bins. Each distinct value has its own bin if there are few enough.
fn thresholds(values: &[f32]) -> Vec<f32> {
    let mut sorted = values.to_vec();
    sorted.sort_unstable_by(f32::total_cmp);
    // Comparing by `==` makes zero and minus zero one value.
    let runs: Vec<(f32, usize)> =
        sorted.chunk_by(|a, b| a == b).map(|run| (run[0], run.len())).collect();
    let mut thresholds = Vec::new();
    let (mut in_bin, mut left) = (0, values.len());
    for (index, pair) in runs.windows(2).enumerate() {
        let ((low, count), (high, _)) = (pair[0], pair[1]);
        in_bin += count;
        let bins_left = MAX_BINS - thresholds.len();
        let is_full = in_bin * bins_left >= left;
        let all_fit = runs.len() - index <= bins_left;
        if (is_full || all_fit) && bins_left > 1 {
            thresholds.push(between(low, high));
            left -= in_bin;
            in_bin = 0;
        }
    }
    thresholds
}

/// The midpoint, or the lower value if no number lies between the two.
fn between(low: f32, high: f32) -> f32 {
    let middle = low * 0.5 + high * 0.5;
    if middle > low && middle < high { middle } else { low }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn adjacent_values_are_separated_and_constants_have_one_bin() {
        let next = 1.0f32.next_up();
        assert_eq!(thresholds(&[next, 1.0, next]), [1.0]);
        assert_eq!(thresholds(&[f32::MAX, f32::MIN]), [0.0]);
        assert!(thresholds(&[2.0; 9]).is_empty());
        assert!(thresholds(&[0.0, -0.0]).is_empty());
        assert!(thresholds(&[]).is_empty());
    }

    #[test]
    fn a_frequent_value_takes_one_bin_only() {
        let values: Vec<f32> =
            (0..10_000).map(|i| if i % 5 > 0 { 0.0 } else { i as f32 }).collect();
        let thresholds = thresholds(&values);
        assert_eq!(thresholds.len(), MAX_BINS - 1);
        assert_eq!(thresholds[0], 2.5);
        let above: Vec<f32> = thresholds.windows(2).map(|pair| pair[1] - pair[0]).collect();
        assert!(above.iter().all(|width| (100.0..300.0).contains(width)), "{above:?}");
    }

    proptest! {
        #[test]
        fn bins_keep_the_order_and_few_values_have_their_own_bins(
            values in proptest::collection::vec(-40i8..40, 1..300),
        ) {
            let values: Vec<f32> = values.into_iter().map(|v| f32::from(v) / 8.0).collect();
            let feature = BinnedFeature::new(&values);
            let mut distinct = values.clone();
            distinct.sort_unstable_by(f32::total_cmp);
            distinct.dedup();
            prop_assert!(feature.thresholds.len() < MAX_BINS);
            if distinct.len() <= MAX_BINS {
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
