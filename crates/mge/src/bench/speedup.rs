//! How much faster the same work is done another way, when the machine is never the same twice.
//!
//! The least time of each way would be unfair to several threads: a moment in which one processor
//! is undisturbed comes often, one in which all of them are comes seldom. So the work is done both
//! ways one after the other, again and again, and the ratios of the pairs are what is looked at.

/// Work that was done both ways.
#[derive(Debug, Default)]
pub(super) struct Speedup {
    /// Seconds one way and the other.
    pairs: Vec<(f64, f64)>,
}

impl Speedup {
    /// Does the work both ways; each of them tells its seconds. Who goes first changes every time,
    /// so that a machine that gets faster or slower favours nobody.
    pub(super) fn measure(&mut self, one: impl FnOnce() -> f64, other: impl FnOnce() -> f64) {
        let pair = if self.pairs.len().is_multiple_of(2) {
            let first = one();
            (first, other())
        } else {
            let first = other();
            (one(), first)
        };
        self.pairs.push(pair);
    }

    /// One way and the other, of all pairs together.
    pub(super) fn seconds(&self) -> (f64, f64) {
        let (one, other): (Vec<f64>, Vec<f64>) = self.pairs.iter().copied().unzip();
        (one.iter().sum(), other.iter().sum())
    }

    /// The median of the ratios.
    pub(super) fn median(&self) -> f64 {
        let mut ratios: Vec<f64> = self.pairs.iter().map(|&(one, other)| one / other).collect();
        ratios.sort_by(f64::total_cmp);
        let middle = ratios.len() / 2;
        match ratios.as_slice() {
            [] => f64::NAN,
            ratios if ratios.len().is_multiple_of(2) => (ratios[middle - 1] + ratios[middle]) / 2.0,
            ratios => ratios[middle],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_disturbed_pair_does_not_matter() {
        let of = |pairs: &[(f64, f64)]| Speedup { pairs: pairs.to_vec() }.median();
        assert_eq!(of(&[(2.0, 1.0), (3.0, 2.0), (1.0, 90.0)]), 1.5);
        assert_eq!(of(&[(2.0, 1.0), (3.0, 2.0)]), 1.75);
        assert!(of(&[]).is_nan());
    }

    #[test]
    fn both_ways_take_turns_at_going_first() {
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
