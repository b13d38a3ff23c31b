//! Compares the grown tree with a slow twin. The twin tries every border between two values and
//! computes with integers, so equal splits are exactly equal.

use super::*;
use mge_net::Columns;
use proptest::prelude::*;

/// Feature and threshold of the split with the lowest Gini index, found by trying all of them.
fn slow_split(rows: &LabelledRows<'_>, own: &[u32]) -> Option<(usize, f32)> {
    let mut best: Option<((u128, u128), usize, f32)> = None;
    for feature in 0..rows.columns().count() {
        let values = rows.columns().column(feature);
        // Borders lie between values of all rows, not only those of the node.
        let mut all: Vec<f32> = values.to_vec();
        all.sort_by(f32::total_cmp);
        all.dedup();
        for pair in all.windows(2) {
            let threshold = pair[0] / 2.0 + pair[1] / 2.0;
            let side = |low: bool| -> Vec<u128> {
                let is_there = |row: &&u32| (values[**row as usize] <= threshold) == low;
                let mut counts = vec![0; rows.classes()];
                let labels = own.iter().filter(is_there).map(|&row| rows.labels()[row as usize]);
                labels.for_each(|label| counts[label as usize] += 1);
                counts
            };
            let (low, high) = (side(true), side(false));
            let size = |side: &[u128]| side.iter().sum::<u128>();
            let squares = |side: &[u128]| side.iter().map(|count| count * count).sum::<u128>();
            let (n, m) = (size(&low), size(&high));
            if n == 0 || m == 0 {
                continue;
            }
            // The number of rows times one minus the Gini index, as numerator and denominator.
            let found = (squares(&low) * m + squares(&high) * n, n * m);
            if best.is_none_or(|(best, ..)| found.0 * best.1 > best.0 * found.1) {
                best = Some((found, feature, threshold));
            }
        }
    }
    best.map(|(_, feature, threshold)| (feature, threshold))
}

/// Compares each split of a grown tree with that of the slow twin.
fn check(rows: &LabelledRows<'_>, grown: &GrownTree, node: usize, own: &[u32], depth: usize) {
    let classes: std::collections::BTreeSet<u32> =
        own.iter().map(|&row| rows.labels()[row as usize]).collect();
    let slow = slow_split(rows, own).filter(|_| classes.len() > 1 && depth < MAX_DEPTH);
    let split = grown.nodes[node].split.as_ref();
    let fast = split.map(|split| (split.feature, split.threshold));
    assert_eq!(fast, slow, "node {node} with {} rows", own.len());
    if let Some(TreeSplit { feature, threshold, sides, .. }) = split {
        let values = rows.columns().column(*feature);
        let is_low = |row: &u32| values[*row as usize] <= *threshold;
        let (low, high): (Vec<u32>, Vec<u32>) = own.iter().partition(|row| is_low(row));
        check(rows, grown, sides[0], &low, depth + 1);
        check(rows, grown, sides[1], &high, depth + 1);
    }
}

proptest! {
    #[test]
    fn the_tree_equals_that_of_the_slow_twin(
        features in 1usize..5,
        classes in 1usize..4,
        cells in proptest::collection::vec((0u8..10, 0u8..10, 0u8..3, 0u8..10, 0u32..3), 1..60),
    ) {
        let columns = Columns::from_fn(cells.len(), features, |feature, values| {
            for (value, &(a, b, c, d, _)) in values.iter_mut().zip(&cells) {
                *value = f32::from([a, b, c, d][feature]) / 4.0 - 1.0;
            }
        });
        let labels: Vec<u32> = cells.iter().map(|cell| cell.4 % classes as u32).collect();
        let rows = LabelledRows::new(&columns, &labels, classes).unwrap();
        let grown = grow(&rows, &BinnedFeatures::new(&columns));
        let all: Vec<u32> = (0..labels.len() as u32).collect();
        check(&rows, &grown, 0, &all, 0);
    }
}

#[test]
fn purity_is_one_minus_the_gini_index_times_the_rows() {
    let gini = 1.0 - (0.3 * 0.3 + 0.7 * 0.7);
    assert!((purity(&[3, 7]) - 10.0 * (1.0 - gini)).abs() < 1e-12);
    assert_eq!(purity(&[0, 4]), 4.0);
    assert_eq!(purity(&[]), 0.0);
}

#[test]
fn the_best_split_is_first_and_orders_are_consecutive() {
    let rows = 64;
    let values: Vec<f32> = (0..rows).map(|row| row as f32).collect();
    let labels: Vec<u32> =
        (0..rows).map(|row| u32::from(row >= 32) ^ u32::from(row % 16 == 3)).collect();
    let columns = Columns::from_columns([values]).unwrap();
    let rows = LabelledRows::new(&columns, &labels, 2).unwrap();
    let grown = grow(&rows, &BinnedFeatures::new(&columns));
    let root = grown.nodes[0].split.as_ref().unwrap();
    assert_eq!((root.order, root.threshold), (0, 31.5));
    let mut orders: Vec<usize> =
        grown.nodes.iter().filter_map(|node| node.split.as_ref()).map(|s| s.order).collect();
    orders.sort_unstable();
    assert_eq!(orders, (0..grown.splits()).collect::<Vec<_>>());
}
