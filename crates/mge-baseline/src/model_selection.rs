//! Model selection: validation splits and the one-standard-error rule (Breiman and others 1984,
//! "Classification and regression trees", section 3.4.3).

use crate::rows::LabelledRows;
use mge_random::{Purpose, Stream};

/// Tables with at least this many rows use one validation part instead of folds.
pub(crate) const LARGE_TABLE_ROWS: usize = 4_000;
const FOLDS: usize = 5;

/// Addresses of the random streams that shuffle rows and blocks. Splits and searches use lower
/// ones.
const ROW_ORDER_STREAM: u64 = 200;
const BLOCK_ORDER_STREAM: u64 = 201;

/// Indices of rows to train on and of rows to validate on.
pub(crate) struct ValidationSplit {
    pub(crate) train: Vec<u32>,
    pub(crate) validation: Vec<u32>,
}

/// The indices of all rows in random order.
pub(crate) fn shuffled(rows: usize, seed: u64) -> Vec<u32> {
    let mut order: Vec<u32> = (0..rows as u32).collect();
    Stream::at(seed, Purpose::Split, ROW_ORDER_STREAM, 0).shuffle(&mut order);
    order
}

/// Shuffles the blocks of an epoch.
pub(crate) fn shuffle_blocks(seed: u64, epoch: u64, order: &mut [usize]) {
    Stream::at(seed, Purpose::Split, BLOCK_ORDER_STREAM, epoch).shuffle(order);
}

/// Splits the rows for validation. Small tables give five stratified folds. Large tables give one
/// split of at most `max_rows` rows, a fifth of them for validation. Fewer than two rows give none.
pub(crate) fn validation_splits(
    rows: &LabelledRows<'_>,
    max_rows: usize,
    seed: u64,
) -> Vec<ValidationSplit> {
    stratified_splits(rows.labels(), max_rows, seed)
}

/// As [`validation_splits`], for rows of these strata.
pub(crate) fn stratified_splits(
    strata: &[u32],
    max_rows: usize,
    seed: u64,
) -> Vec<ValidationSplit> {
    let mut order = shuffled(strata.len(), seed);
    if order.len() >= LARGE_TABLE_ROWS {
        order.truncate(max_rows);
        let validation = order.split_off(order.len() - order.len() / FOLDS);
        return vec![ValidationSplit { train: order, validation }];
    }
    // Rows sorted by stratum go to the folds in turn, so that every fold has rows of small strata.
    order.sort_by_key(|&row| strata[row as usize]);
    let folds = if order.len() < 2 { 0 } else { FOLDS.min(order.len()) };
    let of_fold = |fold: usize| {
        let part = |is_validation: bool| {
            let rows = order.iter().enumerate();
            let of_part = rows.filter(|(index, _)| (index % folds == fold) == is_validation);
            of_part.map(|(_, &row)| row).collect()
        };
        ValidationSplit { train: part(false), validation: part(true) }
    };
    (0..folds).map(of_fold).collect()
}

/// The first candidate whose mean loss is within one standard error of the lowest mean loss.
/// `losses[candidate]` holds the loss of each validation row; candidates go from simple to complex.
pub(crate) fn simplest_within_one_error(losses: &[Vec<f64>]) -> usize {
    let mean = |losses: &Vec<f64>| losses.iter().sum::<f64>() / losses.len().max(1) as f64;
    let means: Vec<f64> = losses.iter().map(mean).collect();
    let mut best = 0;
    for (candidate, mean) in means.iter().enumerate() {
        if *mean < means[best] {
            best = candidate;
        }
    }
    let limit = means.get(best).map_or(0.0, |mean| mean + standard_error(&losses[best]));
    means.iter().position(|&mean| mean <= limit).unwrap_or(0)
}

/// The candidate with the lowest mean loss, the first among equals.
pub(crate) fn best(losses: &[Vec<f64>]) -> usize {
    let sum = |candidate: usize| losses[candidate].iter().sum::<f64>();
    (0..losses.len()).reduce(|a, b| if sum(b) < sum(a) { b } else { a }).unwrap_or(0)
}

/// The standard error of the mean of a sample.
pub(crate) fn standard_error(values: &[f64]) -> f64 {
    let count = values.len() as f64;
    if count < 2.0 {
        return 0.0;
    }
    let mean = values.iter().sum::<f64>() / count;
    let squares: f64 = values.iter().map(|value| (value - mean) * (value - mean)).sum();
    (squares / (count - 1.0) / count).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;
    use mge_net::Columns;

    /// Calls `test` with rows of these labels and one constant feature.
    fn with_rows<T>(labels: &[u32], test: impl FnOnce(&LabelledRows<'_>) -> T) -> T {
        let columns = Columns::from_fn(labels.len(), 1, |_, _| ());
        test(&LabelledRows::new(&columns, labels, 3).unwrap())
    }

    #[test]
    fn every_row_validates_once_and_folds_are_stratified() {
        let labels: Vec<u32> = (0..53).map(|row| u32::from(row % 10 == 0)).collect();
        let parts = with_rows(&labels, |rows| validation_splits(rows, usize::MAX, 3));
        let mut validation: Vec<u32> =
            parts.iter().flat_map(|part| part.validation.clone()).collect();
        validation.sort_unstable();
        assert_eq!(validation, (0..53).collect::<Vec<u32>>());
        for part in &parts {
            assert_eq!(part.train.len() + part.validation.len(), 53);
            let rare = part.validation.iter().filter(|&&row| labels[row as usize] == 1).count();
            assert!((1..=2).contains(&rare), "{rare}");
        }
    }

    #[test]
    fn large_tables_have_one_split_and_tiny_tables_few_folds() {
        let parts = with_rows(&[0; LARGE_TABLE_ROWS], |rows| validation_splits(rows, 1000, 3));
        let sizes: Vec<_> =
            parts.iter().map(|part| (part.train.len(), part.validation.len())).collect();
        assert_eq!(sizes, [(800, 200)]);
        assert_eq!(with_rows(&[0, 1], |rows| validation_splits(rows, 9, 3)).len(), 2);
        assert_eq!(with_rows(&[0], |rows| validation_splits(rows, 9, 3)).len(), 0);
    }

    #[test]
    fn the_simplest_candidate_within_one_standard_error_wins() {
        let wavy = |mean: f64| (0..100).map(|i| mean + f64::from(i % 2)).collect::<Vec<f64>>();
        // One standard error is about 0.05.
        let losses = [wavy(0.3), wavy(0.04), wavy(0.0), wavy(0.01)];
        assert_eq!(simplest_within_one_error(&losses), 1);
        assert_eq!(simplest_within_one_error(&[vec![], vec![]]), 0);
        assert_eq!(simplest_within_one_error(&[vec![0.5], vec![0.2]]), 1);
    }
}
