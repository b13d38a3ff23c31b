//! Which rows are held out to compare networks: single rows, whole groups, or the last rows.

use crate::training_data::{ORDER_STREAM, TrainingData};
use mge_random::{Purpose, Stream};
use std::collections::HashSet;

/// The index of the streams that assign rows to folds. The splits of data sets have lower ones.
const FOLD_STREAM: u64 = 101;
/// The index of the streams that assign groups to parts.
const GROUP_STREAM: u64 = 102;

/// How rows depend on each other.
///
/// With fewer than two groups, or two different times, single rows are held out.
#[derive(Debug, Clone, Copy, Default)]
pub enum Dependence<'a> {
    /// Not at all.
    #[default]
    Independent,
    /// Each row has the number of its group, from 0. Groups are held out whole.
    Groups(&'a [u32]),
    /// Each row has the rank of its time. Later rows are held out from earlier ones.
    Time(&'a [u32]),
}

/// The rows that train and the rows that are held out.
#[derive(Debug, PartialEq)]
pub(crate) struct HeldOut {
    pub(crate) training: Vec<u32>,
    pub(crate) held_out: Vec<u32>,
}

impl TrainingData<'_> {
    /// Holds out about `count` rows of a large table. Both parts are in random order.
    pub(crate) fn hold_out(&self, count: usize, seed: u64) -> HeldOut {
        let mut order: Vec<u32> = (0..self.targets.rows() as u32).collect();
        Stream::at(seed, Purpose::Split, ORDER_STREAM, 0).shuffle(&mut order);
        let is_held_out: Vec<bool> = match self.usable_dependence() {
            Dependence::Independent => {
                let held_out = order.split_off(order.len() - count);
                return HeldOut { training: order, held_out };
            }
            Dependence::Groups(groups) => {
                let fraction = count as f64 / order.len() as f64;
                let mut stream = Stream::at(seed, Purpose::Split, GROUP_STREAM, 0);
                let parts = [1.0 - fraction, fraction];
                let parts = stream.partition_groups(groups, &self.kinds(), &parts);
                parts.iter().map(|&part| part == 1).collect()
            }
            Dependence::Time(ranks) => {
                let cuts = time_cuts(ranks, &[ranks.len() - count]);
                let cut = cuts.first().copied().unwrap_or(0);
                ranks.iter().map(|&rank| rank >= cut).collect()
            }
        };
        let (held_out, training) = order.into_iter().partition(|&row| is_held_out[row as usize]);
        HeldOut { training, held_out }
    }

    /// The folds of a small table: `count` of them, drawn `repeats` times.
    ///
    /// Groups are spread over at most as many folds as there are groups. In the order of time, each
    /// fold holds out a later part than the one before and trains on all rows before it. Such folds
    /// are not drawn, so they are not repeated.
    pub(crate) fn folds(&self, count: usize, repeats: u64, seed: u64) -> Vec<HeldOut> {
        match self.usable_dependence() {
            Dependence::Independent => self.folds_of_rows(count, repeats, seed),
            Dependence::Groups(groups) => {
                let count = count.min(different(groups));
                let (fractions, kinds) = (vec![1.0 / count as f64; count], self.kinds());
                let mut folds = Vec::new();
                for repeat in 0..repeats {
                    let mut stream = Stream::at(seed, Purpose::Split, GROUP_STREAM, repeat);
                    let part_of = stream.partition_groups(groups, &kinds, &fractions);
                    folds.extend((0..count as u32).map(|fold| by(&part_of, |part| part == fold)));
                }
                folds
            }
            Dependence::Time(ranks) => {
                let rows = ranks.len();
                let cuts: Vec<usize> = (1..=count).map(|k| k * rows / (count + 1)).collect();
                let cuts = time_cuts(ranks, &cuts);
                let end = |fold: usize| cuts.get(fold + 1).copied().unwrap_or(u32::MAX);
                let fold = |fold: usize| {
                    let HeldOut { training, held_out } = by(ranks, |rank| rank >= cuts[fold]);
                    let is_before = |row: &u32| ranks[*row as usize] < end(fold);
                    HeldOut { training, held_out: held_out.into_iter().filter(is_before).collect() }
                };
                (0..cuts.len()).map(fold).collect()
            }
        }
    }

    fn folds_of_rows(&self, count: usize, repeats: u64, seed: u64) -> Vec<HeldOut> {
        let mut order: Vec<u32> = (0..self.targets.rows() as u32).collect();
        let mut folds = Vec::new();
        for repeat in 0..repeats {
            Stream::at(seed, Purpose::Split, FOLD_STREAM, repeat).shuffle(&mut order);
            self.stratify(&mut order);
            for fold in 0..count {
                let part = |held_out: bool| -> Vec<u32> {
                    let is_in_part = |k: &usize| (k % count == fold) == held_out;
                    (0..order.len()).filter(is_in_part).map(|k| order[k]).collect()
                };
                folds.push(HeldOut { training: part(false), held_out: part(true) });
            }
        }
        folds
    }

    fn usable_dependence(&self) -> Dependence<'_> {
        match self.dependence {
            Dependence::Groups(keys) | Dependence::Time(keys) if different(keys) < 2 => {
                Dependence::Independent
            }
            dependence => dependence,
        }
    }
}

fn different(keys: &[u32]) -> usize {
    keys.iter().collect::<HashSet<_>>().len()
}

/// The rows whose key is held out, and the others.
fn by(keys: &[u32], is_held_out: impl Fn(u32) -> bool) -> HeldOut {
    let rows = 0..keys.len() as u32;
    let (held_out, training) = rows.partition(|&row| is_held_out(keys[row as usize]));
    HeldOut { training, held_out }
}

/// The ranks at some positions of the ascending order, each once, and never the lowest rank. So
/// rows of equal time are in one part, and no part is empty. If two ranks differ, there is at least
/// one cut.
fn time_cuts(ranks: &[u32], positions: &[usize]) -> Vec<u32> {
    let mut ascending = ranks.to_vec();
    ascending.sort_unstable();
    let first = ascending[0];
    let second = ascending[ascending.partition_point(|&rank| rank == first)];
    let mut cuts: Vec<u32> =
        positions.iter().map(|&position| ascending[position].max(second)).collect();
    cuts.dedup();
    cuts
}

#[cfg(test)]
mod tests {
    use super::*;
    use mge_net::{Columns, Loss, Targets};

    fn with<R>(dependence: Dependence<'_>, look: impl FnOnce(TrainingData<'_>) -> R) -> R {
        let labels: Vec<u32> = (0..60).map(|row| row % 3).collect();
        let columns = &Columns::from_fn(60, 0, |_, _| ());
        let targets = Targets::classes(&labels, 3);
        let loss = Loss::CrossEntropy;
        look(TrainingData { columns, targets, loss, is_balanced: false, dependence })
    }

    #[test]
    fn groups_are_held_out_whole() {
        let groups: Vec<u32> = (0..60).map(|row| row / 4).collect();
        with(Dependence::Groups(&groups), |data| {
            let folds = data.folds(5, 2, 7);
            assert_eq!(folds.len(), 10);
            for HeldOut { training, held_out } in folds.iter().chain([&data.hold_out(15, 7)]) {
                assert_eq!(training.len() + held_out.len(), 60);
                let of = |rows: &[u32]| -> HashSet<u32> {
                    rows.iter().map(|&row| groups[row as usize]).collect()
                };
                assert!(of(training).is_disjoint(&of(held_out)));
                assert!((8..=16).contains(&held_out.len()), "{}", held_out.len());
            }
        });
        // Three groups make no five folds.
        let groups: Vec<u32> = (0..60).map(|row| row / 20).collect();
        assert_eq!(with(Dependence::Groups(&groups), |data| data.folds(5, 1, 7)).len(), 3);
    }

    #[test]
    fn later_rows_are_held_out() {
        let ranks: Vec<u32> = (0..60).map(|row| (59 - row) / 2).collect();
        with(Dependence::Time(&ranks), |data| {
            let folds = data.folds(5, 2, 7);
            assert_eq!(folds.len(), 5);
            for HeldOut { training, held_out } in folds.iter().chain([&data.hold_out(15, 7)]) {
                let rank = |row: &u32| ranks[*row as usize];
                let latest = training.iter().map(rank).max().unwrap();
                let earliest = held_out.iter().map(rank).min().unwrap();
                assert!(latest < earliest && held_out.len() >= 8);
            }
        });
    }

    #[test]
    fn a_single_group_or_time_holds_out_rows() {
        let same = [4; 60];
        let rows = with(Dependence::Independent, |data| data.folds(5, 2, 7));
        for dependence in [Dependence::Groups(&same), Dependence::Time(&same)] {
            assert_eq!(with(dependence, |data| data.folds(5, 2, 7)), rows);
            assert_eq!(with(dependence, |data| data.hold_out(20, 7)).held_out.len(), 20);
        }
        // Most rows at one time: still two parts.
        let mut ranks = [1; 60];
        ranks[9] = 0;
        let parts = with(Dependence::Time(&ranks), |data| data.hold_out(20, 7));
        assert_eq!(parts.training, [9]);
    }
}
