//! Friedman's test: many methods on many data sets (Demsar 2006, "Statistical comparisons of
//! classifiers over multiple data sets").

use crate::rank::{doubled_ranks, tie_term};
use crate::special::{chi_square_tail, f_tail, studentized_range_quantile};
use crate::{StatsError, check};
use serde::{Deserialize, Serialize};

/// The result of Friedman's test, with the mean ranks that it compares.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Friedman {
    /// The mean rank of each method; rank 1 is the largest value.
    pub mean_ranks: Vec<f64>,
    /// The number of data sets.
    pub blocks: usize,
    /// Friedman's chi-square, corrected for ties.
    pub chi_square: f64,
    /// The p-value of chi-square.
    pub p_value: f64,
    /// Iman and Davenport's F, which is less conservative. Infinite when all blocks agree.
    pub f: f64,
    /// The p-value of F; formally 0 when F is infinite.
    pub f_p_value: f64,
}

impl Friedman {
    /// Degrees of freedom of F. The first one is also that of chi-square.
    pub fn freedom(&self) -> (usize, usize) {
        let numerator = self.mean_ranks.len().saturating_sub(1);
        (numerator, numerator * self.blocks.saturating_sub(1))
    }
}

/// Runs Friedman's test on `blocks[data set][method]`. Larger values are better.
pub fn friedman(blocks: &[Vec<f64>]) -> Result<Friedman, StatsError> {
    if blocks.len() < 2 {
        let found = blocks.len();
        return Err(StatsError::TooFew { what: "the list of data sets", found, min: 2 });
    }
    let methods = blocks[0].len();
    let mut sums = vec![0.0; methods];
    let mut ties = 0.0;
    for block in blocks {
        check("the list of methods", block, 2)?;
        if block.len() != methods {
            return Err(StatsError::NotPaired { left: methods, right: block.len() });
        }
        let negated: Vec<f64> = block.iter().map(|value| -value).collect();
        let ranks = doubled_ranks(&negated);
        ties += tie_term(&ranks);
        sums.iter_mut().zip(&ranks).for_each(|(sum, rank)| *sum += *rank as f64 / 2.0);
    }
    let (n, k) = (blocks.len() as f64, methods as f64);
    let squares: f64 = sums.iter().map(|sum| sum * sum).sum();
    let correction = 1.0 - ties / (n * k * (k * k - 1.0));
    let raw = 12.0 / (n * k * (k + 1.0)) * squares - 3.0 * n * (k + 1.0);
    // The correction is zero when all values of every block are tied: no evidence of a difference.
    let chi_square = if correction > 0.0 { (raw / correction).max(0.0) } else { 0.0 };
    let f = (n - 1.0) * chi_square / (n * (k - 1.0) - chi_square).max(0.0);
    Ok(Friedman {
        mean_ranks: sums.iter().map(|sum| sum / n).collect(),
        blocks: blocks.len(),
        chi_square,
        p_value: chi_square_tail(chi_square, k - 1.0),
        f,
        f_p_value: f_tail(f, k - 1.0, (k - 1.0) * (n - 1.0)),
    })
}

/// Nemenyi's critical difference for `methods` compared on `blocks` data sets. Methods whose mean
/// ranks are further apart differ at this significance level.
pub fn critical_difference(methods: usize, blocks: usize, level: f64) -> Result<f64, StatsError> {
    for (what, found, min) in
        [("the list of methods", methods, 2), ("the list of data sets", blocks, 1)]
    {
        if found < min {
            return Err(StatsError::TooFew { what, found, min });
        }
    }
    if !(level > 0.0 && level < 1.0) {
        return Err(StatsError::NotAFraction { what: "the significance level", found: level });
    }
    let k = methods as f64;
    let q = studentized_range_quantile(level, methods) / std::f64::consts::SQRT_2;
    Ok(q * (k * (k + 1.0) / (6.0 * blocks as f64)).sqrt())
}
