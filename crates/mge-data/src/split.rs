//! Which rows train and which test.
//!
//! Decision 17 (docs/reference/decisions.md): splits are seeded, shuffled and not stratified;
//! stratification is an option. The seed decides the part of each row. Inside a part, rows are in ascending order.

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
