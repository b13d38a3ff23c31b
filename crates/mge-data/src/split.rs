//! Which rows train and which test.
//!
//! Decision 17 (docs/reference/decisions.md): splits are seeded, shuffled and not stratified;
//! stratification is an option. The seed decides the part of each row. Inside a part, rows are in
//! ascending order.

use std::collections::HashSet;

use mge_random::{Purpose, Stream};
use serde::{Deserialize, Serialize};

use crate::error::{DataError, SplitError};

/// Rows to train on and rows to test on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Split {
    /// Rows to train on, ascending.
    pub train: Vec<u32>,
    /// Rows to test on, ascending.
    pub test: Vec<u32>,
}

/// Addresses of random streams: each kind of split has its own numbers.
const BY_FRACTION: u64 = 0;
const FOLDS: u64 = 1;
const STRATIFIED_FRACTION: u64 = 2;
const STRATIFIED_FOLDS: u64 = 3;
const GROUPED_FRACTION: u64 = 4;
const GROUPED_FOLDS: u64 = 5;

impl Split {
    /// A random `fraction` of the rows to train on, rounded down (569 rows at 0.7 give 398), the
    /// rest to test on.
    pub fn by_fraction(rows: usize, fraction: f64, seed: u64) -> Result<Self, DataError> {
        let train = train_rows(rows, fraction)?;
        let mut order: Vec<u32> = (0..rows as u32).collect();
        Stream::at(seed, Purpose::Split, BY_FRACTION, 0).shuffle(&mut order);
        let test = order.split_off(train);
        Ok(Self::sorted(order, test))
    }

    /// As [`Split::by_fraction`], but each class has the same fraction in both parts, up to
    /// rounding. The parts are as large as those of an unstratified split.
    pub fn stratified(labels: &[u32], fraction: f64, seed: u64) -> Result<Self, DataError> {
        let train_size = train_rows(labels.len(), fraction)?;
        let classes = shuffled_classes(labels, seed, STRATIFIED_FRACTION);
        let mut sizes: Vec<usize> =
            classes.iter().map(|rows| whole_part(rows.len(), fraction)).collect();
        // Rows left over by rounding go to the classes that lost most, ties to the first.
        let mut by_loss: Vec<usize> = (0..classes.len()).collect();
        let loss = |c: usize| classes[c].len() as f64 * fraction - sizes[c] as f64;
        by_loss.sort_by(|&a, &b| loss(b).total_cmp(&loss(a)));
        let left = train_size.saturating_sub(sizes.iter().sum());
        for &class in by_loss.iter().take(left) {
            sizes[class] += 1;
        }
        let (mut train, mut test) = (Vec::new(), Vec::new());
        for (rows, size) in classes.iter().zip(sizes) {
            train.extend_from_slice(&rows[..size]);
            test.extend_from_slice(&rows[size..]);
        }
        Ok(Self::sorted(train, test))
    }

    /// `folds` splits; every row is tested once. Fold sizes differ by one at most.
    pub fn folds(rows: usize, folds: usize, seed: u64) -> Result<Vec<Self>, DataError> {
        let mut order: Vec<u32> = (0..rows as u32).collect();
        Stream::at(seed, Purpose::Split, FOLDS, 0).shuffle(&mut order);
        assign_folds(&order, folds)
    }

    /// As [`Split::folds`], each class spread evenly over the folds.
    pub fn stratified_folds(
        labels: &[u32],
        folds: usize,
        seed: u64,
    ) -> Result<Vec<Self>, DataError> {
        assign_folds(&shuffled_classes(labels, seed, STRATIFIED_FOLDS).concat(), folds)
    }

    /// As [`Split::by_fraction`], but all rows of a group are in one part. Each class has about the
    /// same fraction in both parts if `labels` are given. Parts are as near to their size as the
    /// groups allow.
    ///
    /// # Errors
    /// When a part would be empty, or there is only one group.
    pub fn grouped(
        groups: &[u32],
        labels: Option<&[u32]>,
        fraction: f64,
        seed: u64,
    ) -> Result<Self, DataError> {
        train_rows(groups.len(), fraction)?;
        let parts = [fraction, 1.0 - fraction];
        let part_of = partition(groups, labels, &parts, seed, GROUPED_FRACTION)?;
        Ok(Self::of_part(&part_of, 1))
    }

    /// As [`Split::folds`], but all rows of a group are in one fold. Each class is spread about
    /// evenly if `labels` are given.
    ///
    /// # Errors
    /// When there are fewer groups than folds.
    pub fn grouped_folds(
        groups: &[u32],
        labels: Option<&[u32]>,
        folds: usize,
        seed: u64,
    ) -> Result<Vec<Self>, DataError> {
        if folds < 2 || folds > groups.len() {
            return Err(SplitError::Folds { folds, rows: groups.len() }.into());
        }
        let fractions = vec![1.0 / folds as f64; folds];
        let part_of = partition(groups, labels, &fractions, seed, GROUPED_FOLDS)?;
        Ok((0..folds as u32).map(|fold| Self::of_part(&part_of, fold)).collect())
    }

    /// The first `fraction` of the rows train, the last ones test, in the order of `ranks`. Rows of
    /// equal rank are in one part: the test part, unless no other row would train.
    ///
    /// # Errors
    /// When a part would be empty, or all ranks are equal.
    pub fn by_time(ranks: &[u32], fraction: f64) -> Result<Self, DataError> {
        let train = train_rows(ranks.len(), fraction)?;
        let mut ascending = ranks.to_vec();
        ascending.sort_unstable();
        let first = ascending[0];
        let later = ascending[ascending.partition_point(|&rank| rank == first)..].first();
        let Some(&second) = later else {
            return Err(SplitError::OneTime { rows: ranks.len() }.into());
        };
        let cut = ascending[train].max(second);
        let rows = 0..ranks.len() as u32;
        let (test, train) = rows.partition(|&row| ranks[row as usize] >= cut);
        Ok(Self { train, test })
    }

    /// Tests on the rows of one part, trains on the others.
    fn of_part(part_of: &[u32], part: u32) -> Self {
        let rows = 0..part_of.len() as u32;
        let (test, train) = rows.partition(|&row| part_of[row as usize] == part);
        Self { train, test }
    }

    /// All rows train; the test rows are in another table.
    pub fn all_train(rows: usize) -> Self {
        Self { train: (0..rows as u32).collect(), test: Vec::new() }
    }

    fn sorted(mut train: Vec<u32>, mut test: Vec<u32>) -> Self {
        train.sort_unstable();
        test.sort_unstable();
        Self { train, test }
    }
}

fn train_rows(rows: usize, fraction: f64) -> Result<usize, DataError> {
    if !(fraction > 0.0 && fraction < 1.0) {
        return Err(SplitError::Fraction { fraction }.into());
    }
    let train = whole_part(rows, fraction);
    let test = rows - train;
    if train == 0 || test == 0 {
        return Err(SplitError::EmptyPart { rows, fraction, train, test }.into());
    }
    Ok(train)
}

/// The part of each row, all rows of a group in the same one.
fn partition(
    groups: &[u32],
    labels: Option<&[u32]>,
    fractions: &[f64],
    seed: u64,
    purpose: u64,
) -> Result<Vec<u32>, DataError> {
    let different: HashSet<u32> = groups.iter().copied().collect();
    if different.len() < fractions.len() {
        return Err(SplitError::Groups { groups: different.len(), parts: fractions.len() }.into());
    }
    let one_kind;
    let kinds = match labels {
        Some(labels) => labels,
        None => {
            one_kind = vec![0; groups.len()];
            &one_kind
        }
    };
    let mut stream = Stream::at(seed, Purpose::Split, purpose, 0);
    Ok(stream.partition_groups(groups, kinds, fractions))
}

/// Rounded down, but 0.7 of 270 is 189 even where the product falls just short of it.
fn whole_part(rows: usize, fraction: f64) -> usize {
    ((rows as f64 * fraction + 1e-9).floor() as usize).min(rows)
}

/// The rows of each class, shuffled.
fn shuffled_classes(labels: &[u32], seed: u64, purpose: u64) -> Vec<Vec<u32>> {
    let count = labels.iter().max().map_or(0, |&max| max as usize + 1);
    let mut classes = vec![Vec::new(); count];
    for (row, &label) in labels.iter().enumerate() {
        classes[label as usize].push(row as u32);
    }
    for (class, rows) in classes.iter_mut().enumerate() {
        Stream::at(seed, Purpose::Split, purpose, class as u64).shuffle(rows);
    }
    classes
}

/// Assigns rows to folds in turn.
fn assign_folds(order: &[u32], folds: usize) -> Result<Vec<Split>, DataError> {
    if folds < 2 || folds > order.len() {
        return Err(SplitError::Folds { folds, rows: order.len() }.into());
    }
    let fold = |this: usize| {
        let rows = order.iter().enumerate();
        let (test, train): (Vec<_>, Vec<_>) = rows.partition(|(index, _)| index % folds == this);
        let rows = |part: Vec<(usize, &u32)>| part.into_iter().map(|(_, &row)| row).collect();
        Split::sorted(rows(train), rows(test))
    };
    Ok((0..folds).map(fold).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn part_sizes_match_the_authors_files() {
        let cases =
            [(240, 168), (569, 398), (351, 245), (208, 145), (270, 189), (178, 124), (1000, 700)];
        for (rows, train) in cases {
            let split = Split::by_fraction(rows, 0.7, 1).unwrap();
            assert_eq!((split.train.len(), split.test.len()), (train, rows - train));
        }
        assert_eq!(Split::by_fraction(1797, 0.9, 1).unwrap().train.len(), 1617);
    }

    #[test]
    fn the_split_of_a_seed_never_changes() {
        let split = Split::by_fraction(10, 0.7, 42).unwrap();
        assert_eq!(split.test, [1, 6, 9]);
    }

    #[test]
    fn empty_parts_are_errors() {
        for fraction in [0.0, 1.0, -0.1, 1.5, f64::NAN] {
            let error = Split::by_fraction(100, fraction, 1);
            assert!(
                matches!(error, Err(DataError::Split(SplitError::Fraction { .. }))),
                "{fraction}"
            );
        }
        assert!(matches!(
            Split::by_fraction(1, 0.7, 1),
            Err(DataError::Split(SplitError::EmptyPart { .. }))
        ));
        for folds in [0, 1, 11] {
            assert!(
                matches!(
                    Split::folds(10, folds, 1),
                    Err(DataError::Split(SplitError::Folds { .. }))
                ),
                "{folds}"
            );
        }
    }

    #[test]
    fn groups_are_never_divided() {
        let groups: Vec<u32> = (0..90).map(|row| row % 13).collect();
        let labels: Vec<u32> = groups.iter().map(|group| group % 2).collect();
        for seed in 0..10 {
            for labels in [None, Some(&labels[..])] {
                let one = Split::grouped(&groups, labels, 0.7, seed).unwrap();
                let folds = Split::grouped_folds(&groups, labels, 4, seed).unwrap();
                for split in folds.iter().chain([&one]) {
                    assert!(is_partition(split, 90));
                    let of = |rows: &[u32]| -> HashSet<u32> {
                        rows.iter().map(|&row| groups[row as usize]).collect()
                    };
                    assert!(of(&split.train).is_disjoint(&of(&split.test)), "seed {seed}");
                }
                assert!(one.train.len().abs_diff(63) <= 4, "seed {seed}: {}", one.train.len());
            }
        }
        let error = Split::grouped_folds(&groups, None, 14, 1).unwrap_err().to_string();
        assert!(error.contains("in 13 groups, expected at least 14"), "{error}");
        assert!(Split::grouped(&[0; 9], None, 0.5, 1).is_err());
    }

    #[test]
    fn the_last_rows_test() {
        let split = Split::by_time(&[5, 1, 2, 3, 0, 4], 0.5).unwrap();
        assert_eq!((split.train, split.test), (vec![1, 2, 4], vec![0, 3, 5]));
        // Equal times stay together.
        let split = Split::by_time(&[0, 1, 1, 1, 1, 2], 0.7).unwrap();
        assert_eq!(split.train, [0]);
        let split = Split::by_time(&[0, 0, 0, 0, 1, 0], 0.5).unwrap();
        assert_eq!(split.test, [4]);
        assert!(Split::by_time(&[3; 9], 0.5).is_err());
    }

    fn is_partition(split: &Split, rows: usize) -> bool {
        let mut all = [&split.train[..], &split.test[..]].concat();
        all.sort_unstable();
        all == (0..rows as u32).collect::<Vec<_>>()
    }

    proptest! {
        #[test]
        fn every_row_is_in_exactly_one_part(
            labels in proptest::collection::vec(0u32..5, 2..300),
            fraction in 0.01f64..0.99,
            seed: u64,
        ) {
            let rows = labels.len();
            if let Ok(split) = Split::by_fraction(rows, fraction, seed) {
                prop_assert!(is_partition(&split, rows));
                let stratified = Split::stratified(&labels, fraction, seed).unwrap();
                prop_assert!(is_partition(&stratified, rows));
                prop_assert_eq!(stratified.train.len(), split.train.len());
                for class in 0..5 {
                    let of = |part: &[u32]| {
                        part.iter().filter(|&&row| labels[row as usize] == class).count() as f64
                    };
                    let all = of(&split.train) + of(&split.test);
                    prop_assert!((of(&stratified.train) - all * fraction).abs() <= 1.0 + 1e-6);
                }
            }
        }

        #[test]
        fn every_row_is_tested_once(
            labels in proptest::collection::vec(0u32..5, 2..300),
            folds in 2usize..12,
            seed: u64,
        ) {
            let folds = folds.min(labels.len());
            for splits in [
                Split::folds(labels.len(), folds, seed).unwrap(),
                Split::stratified_folds(&labels, folds, seed).unwrap(),
            ] {
                let mut tested: Vec<u32> = splits.iter().flat_map(|s| s.test.clone()).collect();
                tested.sort_unstable();
                prop_assert_eq!(tested, (0..labels.len() as u32).collect::<Vec<_>>());
                for split in &splits {
                    prop_assert!(is_partition(split, labels.len()));
                    prop_assert!(split.test.len().abs_diff(labels.len() / folds) <= 1);
                }
            }
        }
    }
}
