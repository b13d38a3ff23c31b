//! Statistics of repeated runs, and distances between networks.
//!
//! - [`Summary`]: count, mean, deviation, quartiles, confidence interval of the mean;
//! - [`signed_rank`], [`rank_sum`]: Wilcoxon's tests, exact where that is possible, ties included;
//! - [`student_t`], [`welch_t`], [`one_sample_t`]: from [`Moments`], so that a published mean and
//!   deviation can be one of the samples; each with the confidence interval of its difference;
//! - [`holm`]: correction for many tests; [`a12`]: effect size;
//! - [`friedman`] and [`critical_difference`]: many methods on many data sets;
//! - [`tree`]: networks as trees and the edit distance between them.
//!
//! Every function is checked against scipy on random, tied, tiny and constant samples
//! (`scripts/scipy-golden.py` writes the expected values). All transcendental functions are
//! those of `libm` or written here, so a p-value has the same bits on every machine.
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

pub use effect::{Effect, Magnitude, a12};
pub use friedman::{Friedman, critical_difference, friedman};
pub use multiple::holm;
pub use summary::{Interval, Moments, Summary};
pub use t_test::{TTest, one_sample_t, student_t, welch_t};
pub use wilcoxon::{
    Distribution, MOST_EXACT_PAIRS, MOST_EXACT_VALUES, WilcoxonTest, rank_sum, rank_sum_by,
    signed_rank, signed_rank_by,
};

use thiserror::Error;

/// Samples that a statistic cannot be computed of.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum StatsError {
    /// Too few values.
    #[error("{what} has {found} values, expected at least {least}")]
    TooFew {
        /// Which sample.
        what: &'static str,
        /// How many there are.
        found: usize,
        /// How many are needed.
        least: usize,
    },
    /// Paired samples of different lengths.
    #[error("paired samples have {left} and {right} values, expected as many in both")]
    NotPaired {
        /// Values of the first.
        left: usize,
        /// Values of the second.
        right: usize,
    },
    /// A value that is no number.
    #[error("{what} has the value {found}, expected finite numbers")]
    NotFinite {
        /// Which sample.
        what: &'static str,
        /// The value.
        found: f64,
    },
    /// A share out of range.
    #[error("{what} is {found}, expected a number between 0 and 1")]
    Share {
        /// What it is.
        what: &'static str,
        /// What was given.
        found: f64,
    },
}

/// Checks that a sample has at least `least` values, all finite.
fn check(what: &'static str, sample: &[f64], least: usize) -> Result<(), StatsError> {
    if sample.len() < least {
        return Err(StatsError::TooFew { what, found: sample.len(), least });
    }
    match sample.iter().find(|value| !value.is_finite()) {
        Some(&found) => Err(StatsError::NotFinite { what, found }),
        None => Ok(()),
    }
}
