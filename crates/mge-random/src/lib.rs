//! Addressed random streams.
//!
//! No two parts of the workspace share a generator. Code that needs random numbers asks for the
//! [`Stream`] at an address: a seed, a [`Purpose`], a generation and an index. The address alone
//! determines every number. So results do not depend on the number of threads or on the order in
//! which they finish.
//!
//! The generator is xoshiro256++. The conversions from bits to numbers are part of this crate, so
//! that a new version of a dependency cannot change a published result. Golden tests pin them.
//!
//! ```
//! use mge_random::{Purpose, Stream};
//!
//! let mut one = Stream::at(42, Purpose::Mutation, 7, 3);
//! let mut same = Stream::at(42, Purpose::Mutation, 7, 3);
//! let mut other = Stream::at(42, Purpose::Mutation, 7, 4);
//! let (a, b, c) = (one.below(1000), same.below(1000), other.below(1000));
//! assert_eq!(a, b);
//! assert_ne!(a, c);
//! ```

mod groups;

use rand_core::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// What a stream is for. Two purposes never share numbers, also at the same point of a run.
///
/// The numbers are part of the reproducibility contract: append new ones, never change old ones.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[repr(u64)]
pub enum Purpose {
    /// The split of the rows into a training and a test part.
    Split = 1,
    /// The first population.
    Initialisation = 2,
    /// Tournaments.
    Selection = 3,
    /// Whether and where crossover happens.
    Crossover = 4,
    /// Mutations of an offspring.
    Mutation = 5,
    /// The seed of a run without a given one.
    Seed = 6,
    /// Which offspring are tuned before they are evaluated, and on which rows.
    Tuning = 7,
    /// The rows of a generated data set.
    DataSet = 8,
    /// The shuffles of a column that measure its importance.
    Importance = 9,
}

/// A reproducible source of random numbers, identified by its address.
#[derive(Debug, Clone)]
pub struct Stream {
    generator: Xoshiro256PlusPlus,
}

impl Stream {
    /// The stream at an address.
    pub fn at(seed: u64, purpose: Purpose, generation: u64, index: u64) -> Self {
        let mut key = mix(seed ^ 0x6d67_655f_7365_6564);
        for part in [purpose as u64, generation, index] {
            key = mix(key ^ mix(part.wrapping_add(0x9e37_79b9_7f4a_7c15)));
        }
        Self { generator: Xoshiro256PlusPlus::seed_from_u64(key) }
    }

    /// The next 64 random bits.
    #[inline]
    pub fn bits(&mut self) -> u64 {
        self.generator.next_u64()
    }

    /// An integer in `0..bound`, without bias (Lemire 2019, "Fast random integer generation in an
    /// interval").
    ///
    /// # Panics
    /// When `bound` is zero.
    #[inline]
    pub fn below(&mut self, bound: u64) -> u64 {
        assert!(bound > 0, "the bound must be positive");
        let mut product = u128::from(self.bits()) * u128::from(bound);
        if (product as u64) < bound {
            let threshold = bound.wrapping_neg() % bound;
            while (product as u64) < threshold {
                product = u128::from(self.bits()) * u128::from(bound);
            }
        }
        (product >> 64) as u64
    }

    /// An index in `0..len`.
    ///
    /// # Panics
    /// When `len` is zero.
    #[inline]
    pub fn index(&mut self, len: usize) -> usize {
        self.below(len as u64) as usize
    }

    /// A real number in `[0, 1)` with 53 random bits.
    #[inline]
    pub fn unit(&mut self) -> f64 {
        (self.bits() >> 11) as f64 * (1.0 / (1u64 << 53) as f64)
    }

    /// True with the given probability.
    #[inline]
    pub fn chance(&mut self, probability: f64) -> bool {
        self.unit() < probability
    }

    /// A sample of the standard normal distribution (Marsaglia and Bray 1964, polar method). The second
    /// number of each pair is dropped, so that a stream has no state but that of its generator.
    pub fn normal(&mut self) -> f64 {
        loop {
            let (x, y) = (2.0 * self.unit() - 1.0, 2.0 * self.unit() - 1.0);
            let square = x * x + y * y;
            if square > 0.0 && square < 1.0 {
                return x * (-2.0 * libm::log(square) / square).sqrt();
            }
        }
    }

    /// A sample of the geometric distribution: how many trials fail before the first success, where
    /// each trial succeeds with `probability`. To visit the items of a long list with a small
    /// probability, this needs one draw for each hit and not one for each item.
    #[inline]
    pub fn failures_before_success(&mut self, probability: f64) -> u64 {
        self.failures(Trials::new(probability))
    }

    /// Like [`Stream::failures_before_success`], for trials that are prepared once and drawn often.
    #[inline]
    pub fn failures(&mut self, trials: Trials) -> u64 {
        match trials.log_of_failure {
            Some(log_of_failure) => {
                // In (0, 1], so the logarithm is finite.
                let uniform = 1.0 - self.unit();
                let estimate = approx_log(uniform) * trials.inverse_log;
                let (integer, max_error) = (estimate as u64, trials.max_error);
                let fraction = estimate - integer as f64;
                if fraction > max_error && fraction < 1.0 - max_error {
                    return integer;
                }
                // The estimate is too near an integer. The cast saturates.
                (libm::log(uniform) / log_of_failure) as u64
            }
            None => trials.constant,
        }
    }

    /// Shuffles in place (Fisher and Yates).
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            let pick = self.index(last + 1);
            items.swap(last, pick);
        }
    }
}

/// Independent trials with one probability, for [`Stream::failures`].
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Trials {
    log_of_failure: Option<f64>,
    /// `1 / log_of_failure`.
    inverse_log: f64,
    /// A bound on the error of the quotient that [`approx_log`] and rounding cause.
    max_error: f64,
    /// The result for probabilities 0 and 1.
    constant: u64,
}

impl Trials {
    /// Trials that succeed with `probability`.
    #[inline]
    pub fn new(probability: f64) -> Self {
        if probability >= 1.0 {
            return Self { log_of_failure: None, inverse_log: 0.0, max_error: 0.0, constant: 0 };
        }
        if probability <= 0.0 {
            return Self {
                log_of_failure: None,
                inverse_log: 0.0,
                max_error: 0.0,
                constant: u64::MAX,
            };
        }
        let log_of_failure = libm::log1p(-probability);
        let inverse_log = 1.0 / log_of_failure;
        let max_error = 2e-9 * inverse_log.abs();
        Self { log_of_failure: Some(log_of_failure), inverse_log, max_error, constant: 0 }
    }
}

/// The natural logarithm of a normal number, within 1e-9 for numbers in `[2^-53, 1]`. It adds the
/// exponent and five terms of the series of the inverse hyperbolic tangent, at a third of the cost
/// of `libm::log`. It only decides cases that need no better precision, so it changes no result.
#[inline]
fn approx_log(x: f64) -> f64 {
    const ROOT_OF_HALF: u64 = std::f64::consts::FRAC_1_SQRT_2.to_bits();
    let exponent = (x.to_bits().wrapping_sub(ROOT_OF_HALF) as i64) >> 52;
    let m = f64::from_bits(x.to_bits().wrapping_sub((exponent << 52) as u64));
    let s = (m - 1.0) / (m + 1.0);
    let square = s * s;
    let series = 1.0 / 5.0 + square * (1.0 / 7.0 + square * (1.0 / 9.0));
    let series = 1.0 + square * (1.0 / 3.0 + square * series);
    exponent as f64 * std::f64::consts::LN_2 + 2.0 * s * series
}

/// The finalizer of splitmix64: a bijection that mixes every bit into all others.
fn mix(mut bits: u64) -> u64 {
    bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    bits ^ (bits >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fast_failures_equal_those_of_the_exact_logarithm() {
        let rates = [1e-300, 1e-15, 1e-9, 1e-6, 0.0005, 0.001, 0.0015, 0.005, 0.1, 0.5, 0.9, 0.999];
        for (index, rate) in (0..).zip(rates) {
            let trials = Trials::new(rate);
            let mut stream = Stream::at(3, Purpose::Mutation, 0, index);
            for _ in 0..50_000 {
                let uniform = 1.0 - stream.clone().unit();
                let expected = (libm::log(uniform) / libm::log1p(-rate)) as u64;
                assert_eq!(stream.failures(trials), expected, "{rate} {uniform}");
            }
        }
    }

    #[test]
    fn the_approximate_logarithm_is_within_its_error() {
        let mut stream = Stream::at(3, Purpose::Mutation, 1, 0);
        let edges = (0..=53).map(|power| 1.0 / (1u64 << power) as f64);
        let halves = (0..53).map(|power| std::f64::consts::FRAC_1_SQRT_2 / (1u64 << power) as f64);
        let random = (0..100_000).map(|_| 1.0 - stream.unit());
        for x in edges.chain(halves).chain(random) {
            assert!((approx_log(x) - libm::log(x)).abs() < 1e-9, "{x}");
        }
    }
}
