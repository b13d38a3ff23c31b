//! Addressed random streams.
//!
//! Nothing in this project shares a generator. Whoever needs randomness asks for the [`Stream`]
//! at an address: a seed, a [`Purpose`], a generation and an index. The address alone decides
//! every number, so results do not depend on how many threads run or in which order they finish.
//!
//! The generator is named (xoshiro256++) and the conversions from bits to numbers are written
//! here, so that a new version of a dependency cannot change a published result. Golden tests
//! pin them.
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

use rand_core::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// What a stream is for. Two purposes never share numbers, even at the same place in a run.
///
/// The discriminants are part of the reproducibility contract: never renumber, only append.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[repr(u64)]
pub enum Purpose {
    /// Shuffling rows into a training and a test part.
    Split = 1,
    /// The first population.
    Initialisation = 2,
    /// Tournaments.
    Selection = 3,
    /// Whether and where two parents are crossed.
    Crossover = 4,
    /// Changes to an offspring.
    Mutation = 5,
    /// A seed for a run whose user named none.
    Seed = 6,
    /// Which offspring are tuned before they are evaluated, and on which rows.
    Tuning = 7,
}

/// A reproducible source of random numbers, found by its address.
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

    /// A whole number in `0..bound`, without bias (Lemire 2019, "Fast random integer generation
    /// in an interval").
    ///
    /// # Panics
    /// When `bound` is zero: there is no such number.
    #[inline]
    pub fn below(&mut self, bound: u64) -> u64 {
        assert!(bound > 0, "no whole number is below zero");
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

    /// A number of the standard normal distribution (Marsaglia and Bray 1964, the polar method).
    /// The second number of each pair is dropped, so that a stream has no memory but its place.
    pub fn normal(&mut self) -> f64 {
        loop {
            let (x, y) = (2.0 * self.unit() - 1.0, 2.0 * self.unit() - 1.0);
            let square = x * x + y * y;
            if square > 0.0 && square < 1.0 {
                return x * (-2.0 * libm::log(square) / square).sqrt();
            }
        }
    }

    /// How many trials fail before the first success, each succeeding with `probability`:
    /// a geometric number. Visiting every position of a long list with a small probability costs
    /// one draw for each hit this way, not one for each position.
    #[inline]
    pub fn failures_before_success(&mut self, probability: f64) -> u64 {
        self.failures(Trials::new(probability))
    }

    /// The same, for trials that are prepared once and drawn often.
    #[inline]
    pub fn failures(&mut self, trials: Trials) -> u64 {
        match trials.log_of_failure {
            Some(log_of_failure) => {
                // In (0, 1], so the logarithm is finite.
                let luck = 1.0 - self.unit();
                let about = near_log(luck) * trials.per_log;
                let (whole, slack) = (about as u64, trials.slack);
                let beyond = about - whole as f64;
                if beyond > slack && beyond < 1.0 - slack {
                    return whole;
                }
                // Too near a whole number to tell; the cast saturates.
                (libm::log(luck) / log_of_failure) as u64
            }
            None => trials.always,
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

/// Independent trials of one probability, for [`Stream::failures`].
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Trials {
    log_of_failure: Option<f64>,
    /// One over that.
    per_log: f64,
    /// More than [`near_log`] and its rounding can put a quotient off.
    slack: f64,
    /// The answer where there is nothing to draw.
    always: u64,
}

impl Trials {
    /// Trials that succeed with `probability`.
    #[inline]
    pub fn new(probability: f64) -> Self {
        if probability >= 1.0 {
            return Self { log_of_failure: None, per_log: 0.0, slack: 0.0, always: 0 };
        }
        if probability <= 0.0 {
            return Self { log_of_failure: None, per_log: 0.0, slack: 0.0, always: u64::MAX };
        }
        let log_of_failure = libm::log1p(-probability);
        let per_log = 1.0 / log_of_failure;
        let slack = 2e-9 * per_log.abs();
        Self { log_of_failure: Some(log_of_failure), per_log, slack, always: 0 }
    }
}

/// The natural logarithm of a normal number, within 1e-9 for numbers in `[2^-53, 1]`: the
/// exponent, and five terms of the series of the area tangent. It only decides what needs no
/// better one, so it costs a third of one and changes no number.
#[inline]
fn near_log(x: f64) -> f64 {
    const ROOT_OF_HALF: u64 = std::f64::consts::FRAC_1_SQRT_2.to_bits();
    let exponent = (x.to_bits().wrapping_sub(ROOT_OF_HALF) as i64) >> 52;
    let m = f64::from_bits(x.to_bits().wrapping_sub((exponent << 52) as u64));
    let s = (m - 1.0) / (m + 1.0);
    let square = s * s;
    let series = 1.0 / 5.0 + square * (1.0 / 7.0 + square * (1.0 / 9.0));
    let series = 1.0 + square * (1.0 / 3.0 + square * series);
    exponent as f64 * std::f64::consts::LN_2 + 2.0 * s * series
}

/// The finaliser of splitmix64: a bijection that spreads every bit over all others.
fn mix(mut bits: u64) -> u64 {
    bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    bits ^ (bits >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quick_failures_are_those_of_the_logarithm() {
        let rates = [1e-300, 1e-15, 1e-9, 1e-6, 0.0005, 0.001, 0.0015, 0.005, 0.1, 0.5, 0.9, 0.999];
        for (index, rate) in (0..).zip(rates) {
            let trials = Trials::new(rate);
            let mut stream = Stream::at(3, Purpose::Mutation, 0, index);
            for _ in 0..50_000 {
                let luck = 1.0 - stream.clone().unit();
                let expected = (libm::log(luck) / libm::log1p(-rate)) as u64;
                assert_eq!(stream.failures(trials), expected, "{rate} {luck}");
            }
        }
    }

    #[test]
    fn the_near_logarithm_is_near() {
        let mut stream = Stream::at(3, Purpose::Mutation, 1, 0);
        let edges = (0..=53).map(|power| 1.0 / (1u64 << power) as f64);
        let halves = (0..53).map(|power| std::f64::consts::FRAC_1_SQRT_2 / (1u64 << power) as f64);
        let random = (0..100_000).map(|_| 1.0 - stream.unit());
        for x in edges.chain(halves).chain(random) {
            assert!((near_log(x) - libm::log(x)).abs() < 1e-9, "{x}");
        }
    }
}
