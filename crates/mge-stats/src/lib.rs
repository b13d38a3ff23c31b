//! Statistics for comparing repeated runs, and distances between networks.
//!
//! - [`Summary`] describes a sample: count, mean, deviation, quartiles, confidence interval.
//! - [`signed_rank`] and [`rank_sum`] are Wilcoxon's tests. They are exact for small samples, also
//!   with ties.
//! - [`student_t`], [`welch_t`] and [`one_sample_t`] work on [`Moments`]. A published mean and
//!   deviation can therefore be one of the samples. Each test gives the confidence interval of its
//!   difference.
//! - [`holm`] corrects p-values of many tests; [`a12`] measures the effect size.
//! - [`friedman`] and [`critical_difference`] compare many methods on many data sets.
//! - [`tree`] turns networks into trees and computes the edit distance between them.
//!
//! Tests compare every function with scipy on random, tied, tiny and constant samples
//! (`scripts/scipy-golden.py` writes the expected values). Transcendental functions come from
//! `libm` or from this crate, so a p-value has the same bits on every machine.
//!
//! ```
//! use mge_stats::{Summary, a12, signed_rank};
//!
//! let ours = [0.95, 0.96, 0.97, 0.94, 0.98, 0.99];
//! let theirs = [0.91, 0.95, 0.92, 0.93, 0.90, 0.94];
//! let test = signed_rank(&ours, &theirs)?;
//! assert_eq!(test.p_value, 2.0 / 64.0);
//! assert!(a12(&ours, &theirs)?.value > 0.71);
//! assert_eq!(Summary::of(&ours)?.moments.count, 6);
//! # Ok::<(), mge_stats::StatsError>(())
//! ```

mod effect;
mod friedman;
mod multiple;
mod rank;
mod special;
mod summary;
mod t_test;
pub mod tree;
mod wilcoxon;

pub use effect::{EffectSize, Magnitude, a12};
pub use friedman::{Friedman, critical_difference, friedman};
pub use multiple::holm;
pub use summary::{Interval, Moments, Summary};
pub use t_test::{TTest, one_sample_t, student_t, welch_t};
pub use wilcoxon::{
    Distribution, MAX_EXACT_PAIRS, MAX_EXACT_VALUES, WilcoxonTest, rank_sum, rank_sum_by,
    signed_rank, signed_rank_by,
};

use thiserror::Error;

/// A sample from which a statistic cannot be computed.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum StatsError {
    /// Too few values.
    #[error("{what} has {found} values, expected at least {min}")]
    TooFew {
        /// Which sample.
        what: &'static str,
        /// How many values there are.
        found: usize,
        /// How many values are needed.
        min: usize,
    },
    /// Paired samples of different lengths.
    #[error("paired samples have {left} and {right} values, expected the same number in both")]
    NotPaired {
        /// Values of the first sample.
        left: usize,
        /// Values of the second sample.
        right: usize,
    },
    /// A value that is infinite or NaN.
    #[error("{what} has the value {found}, expected finite numbers")]
    NotFinite {
        /// Which sample.
        what: &'static str,
        /// The value.
        found: f64,
    },
    /// A level that is not strictly between 0 and 1.
    #[error("{what} is {found}, expected a number between 0 and 1")]
    NotAFraction {
        /// Which level.
        what: &'static str,
        /// What was given.
        found: f64,
    },
}

/// Checks that a sample has at least `min` values, all finite.
fn check(what: &'static str, sample: &[f64], min: usize) -> Result<(), StatsError> {
    if sample.len() < min {
        return Err(StatsError::TooFew { what, found: sample.len(), min });
    }
    match sample.iter().find(|value| !value.is_finite()) {
        Some(&found) => Err(StatsError::NotFinite { what, found }),
        None => Ok(()),
    }
}
