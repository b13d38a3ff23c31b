//! How simple is simple enough: parts that judge, and the one-standard-error rule (Breiman and
//! others 1984, "Classification and regression trees", section 3.4.3).

use crate::rows::Rows;
use mge_random::{Purpose, Stream};

/// From so many rows on, one validation part judges instead of folds.
pub(crate) const LARGE_ROWS: usize = 4_000;
const FOLDS: usize = 5;

/// Addresses of the streams that order rows; those of splits and searches are lower.
const ORDER: u64 = 200;
const BLOCKS: u64 = 201;

/// Rows to train on and rows to judge by.
pub(crate) struct Parting {
    pub(crate) train: Vec<u32>,
    pub(crate) held: Vec<u32>,
}

/// All rows in an order that says nothing.
pub(crate) fn shuffled(rows: usize, seed: u64) -> Vec<u32> {
    let mut order: Vec<u32> = (0..rows as u32).collect();
    Stream::at(seed, Purpose::Split, ORDER, 0).shuffle(&mut order);
    order
}

/// Puts the blocks of an epoch into an order.
pub(crate) fn shuffle_blocks(seed: u64, epoch: u64, order: &mut [usize]) {
    Stream::at(seed, Purpose::Split, BLOCKS, epoch).shuffle(order);
}

/// Five folds with an even share of each class; of a large table one part, a fifth of the rows
/// held back, with `most` rows altogether. Fewer than two rows cannot be parted.
pub(crate) fn partings(rows: &Rows<'_>, most: usize, seed: u64) -> Vec<Parting> {
    let mut order = shuffled(rows.len(), seed);
    if order.len() >= LARGE_ROWS {
        order.truncate(most);
        let held = order.split_off(order.len() - order.len() / FOLDS);
        return vec![Parting { train: order, held }];
    }
    // Classes are dealt in turn, so that small ones are in every fold.
    order.sort_by_key(|&row| rows.labels()[row as usize]);
    let folds = if order.len() < 2 { 0 } else { FOLDS.min(order.len()) };
    let of_fold = |fold: usize| {
        let part = |held: bool| {
            let places = order.iter().enumerate();
            places.filter(|(place, _)| (place % folds == fold) == held).map(|(_, &r)| r).collect()
        };
        Parting { train: part(false), held: part(true) }
    };
    (0..folds).map(of_fold).collect()
}

/// The first candidate whose mean loss is within one standard error of the lowest. Candidates go
/// from simple to complex; each has a loss for every row that was held back, in the same order.
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

/// Of the mean of a sample.
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

    fn with_rows<T>(labels: &[u32], test: impl FnOnce(&Rows<'_>) -> T) -> T {
        let columns = Columns::from_fn(labels.len(), 1, |_, _| ());
        test(&Rows::new(&columns, labels, 3).unwrap())
    }

    #[test]
    fn every_row_is_held_back_once_and_classes_are_dealt_evenly() {
        let labels: Vec<u32> = (0..53).map(|row| u32::from(row % 10 == 0)).collect();
        let parts = with_rows(&labels, |rows| partings(rows, usize::MAX, 3));
        let mut held: Vec<u32> = parts.iter().flat_map(|part| part.held.clone()).collect();
        held.sort_unstable();
        assert_eq!(held, (0..53).collect::<Vec<u32>>());
        for part in &parts {
            assert_eq!(part.train.len() + part.held.len(), 53);
            let rare = part.held.iter().filter(|&&row| labels[row as usize] == 1).count();
            assert!((1..=2).contains(&rare), "{rare}");
        }
    }

    #[test]
    fn large_tables_have_one_part_and_tiny_ones_few() {
        let parts = with_rows(&[0; LARGE_ROWS], |rows| partings(rows, 1000, 3));
        let sizes: Vec<_> = parts.iter().map(|part| (part.train.len(), part.held.len())).collect();
        assert_eq!(sizes, [(800, 200)]);
        assert_eq!(with_rows(&[0, 1], |rows| partings(rows, 9, 3)).len(), 2);
        assert_eq!(with_rows(&[0], |rows| partings(rows, 9, 3)).len(), 0);
    }

    #[test]
    fn the_simplest_of_those_that_differ_by_chance() {
        let wavy = |mean: f64| (0..100).map(|i| mean + f64::from(i % 2)).collect::<Vec<f64>>();
        // One standard error is about 0.05.
        let losses = [wavy(0.3), wavy(0.04), wavy(0.0), wavy(0.01)];
        assert_eq!(simplest_within_one_error(&losses), 1);
        assert_eq!(simplest_within_one_error(&[vec![], vec![]]), 0);
        assert_eq!(simplest_within_one_error(&[vec![0.5], vec![0.2]]), 1);
    }
}
