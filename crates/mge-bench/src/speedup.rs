//! How much faster the same work is done another way, on a machine whose speed varies.
//!
//! The shortest time of each way would be unfair to several threads: one processor is undisturbed
//! more often than all of them are. So the work is done both ways in alternating pairs, and the
//! median of the pairs' ratios counts. Pairs during which a virtual machine lost its processors to
//! others are left out: a processor that is away for some milliseconds makes all threads wait.

use super::clock::stolen_ticks;

/// Work that was done both ways.
#[derive(Debug, Default)]
pub(super) struct Speedup {
    pairs: Vec<Pair>,
}

#[derive(Debug, Clone, Copy)]
struct Pair {
    /// Seconds one way and the other.
    seconds: (f64, f64),
    is_undisturbed: bool,
}

impl Speedup {
    /// Does the work both ways; each returns its seconds. The order changes every time, so that a
    /// machine that gets faster or slower favours neither.
    pub(super) fn measure(&mut self, one: impl FnOnce() -> f64, other: impl FnOnce() -> f64) {
        let stolen = stolen_ticks();
        let seconds = if self.pairs.len().is_multiple_of(2) {
            let first = one();
            (first, other())
        } else {
            let first = other();
            (one(), first)
        };
        self.pairs.push(Pair { seconds, is_undisturbed: stolen_ticks() == stolen });
    }

    /// The seconds of both ways, of all pairs together.
    pub(super) fn seconds(&self) -> (f64, f64) {
        let (one, other): (Vec<f64>, Vec<f64>) = self.pairs.iter().map(|pair| pair.seconds).unzip();
        (one.iter().sum(), other.iter().sum())
    }

    /// The median of the ratios of undisturbed pairs, or of all pairs where less than a quarter of
    /// them is undisturbed.
    pub(super) fn median(&self) -> f64 {
        let ratio = |pair: &Pair| pair.seconds.0 / pair.seconds.1;
        let mut ratios: Vec<f64> = self.counted().map(ratio).collect();
        ratios.sort_by(f64::total_cmp);
        let middle = ratios.len() / 2;
        match ratios.as_slice() {
            [] => f64::NAN,
            ratios if ratios.len().is_multiple_of(2) => (ratios[middle - 1] + ratios[middle]) / 2.0,
            ratios => ratios[middle],
        }
    }

    /// Which pairs the median is of, in words.
    pub(super) fn pairs(&self) -> String {
        let (all, undisturbed) = (self.pairs.len(), self.undisturbed());
        if self.counted().count() == all && undisturbed < all {
            format!("median of all {all} pairs, of which {undisturbed} were undisturbed")
        } else {
            format!("median of {undisturbed} undisturbed pairs of {all}")
        }
    }

    fn undisturbed(&self) -> usize {
        self.pairs.iter().filter(|pair| pair.is_undisturbed).count()
    }

    fn counted(&self) -> impl Iterator<Item = &Pair> {
        let takes_all = 4 * self.undisturbed() < self.pairs.len();
        self.pairs.iter().filter(move |pair| takes_all || pair.is_undisturbed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(pairs: &[(f64, f64, bool)]) -> Speedup {
        let pair = |&(one, other, is_undisturbed): &(f64, f64, bool)| Pair {
            seconds: (one, other),
            is_undisturbed,
        };
        Speedup { pairs: pairs.iter().map(pair).collect() }
    }

    #[test]
    fn one_outlier_changes_nothing() {
        let three = of(&[(2.0, 1.0, true), (3.0, 2.0, true), (1.0, 90.0, true)]);
        assert_eq!(three.median(), 1.5);
        assert_eq!(of(&[(2.0, 1.0, true), (3.0, 2.0, true)]).median(), 1.75);
        assert!(of(&[]).median().is_nan());
    }

    #[test]
    fn disturbed_pairs_count_only_if_few_are_undisturbed() {
        let (good, bad) = ((2.0, 1.0, true), (1.0, 1.0, false));
        let some = of(&[good, bad, bad, bad]);
        assert_eq!(some.median(), 2.0);
        assert_eq!(some.pairs(), "median of 1 undisturbed pairs of 4");
        let few = of(&[good, bad, bad, bad, bad]);
        assert_eq!(few.median(), 1.0);
        assert_eq!(few.pairs(), "median of all 5 pairs, of which 1 were undisturbed");
    }

    #[test]
    fn the_order_of_both_ways_alternates() {
        let order = std::cell::RefCell::new(String::new());
        let way = |name: char, seconds| {
            order.borrow_mut().push(name);
            seconds
        };
        let mut speedup = Speedup::default();
        for _ in 0..3 {
            speedup.measure(|| way('a', 4.0), || way('b', 1.0));
        }
        assert_eq!(order.into_inner(), "abbaab");
        assert_eq!(speedup.seconds(), (12.0, 3.0));
        assert_eq!(speedup.median(), 4.0);
    }
}
