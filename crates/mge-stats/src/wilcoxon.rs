//! Wilcoxon's two-sided tests: signed-rank for paired runs, rank-sum (Mann and Whitney) for
//! independent runs.
//!
//! Tied values share mid-ranks. Pairs without a difference are left out (Wilcoxon's own rule). The
//! exact distribution enumerates all assignments of the observed ranks, so ties need no
//! approximation. It is used for up to 200 pairs, or up to 120 values of both samples. Larger
//! samples use the normal approximation with tie correction and continuity correction.

use crate::rank::{doubled_ranks, tie_term, tolerance};
use crate::special::normal_tail;
use crate::{StatsError, check};
use serde::{Deserialize, Serialize};

/// The largest number of pairs for which [`signed_rank`] is exact.
pub const MAX_EXACT_PAIRS: usize = 200;
/// The largest number of values, of both samples together, for which [`rank_sum`] is exact.
pub const MAX_EXACT_VALUES: usize = 120;

/// The distribution that gives a p-value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Distribution {
    /// All assignments of the ranks, enumerated.
    Exact,
    /// The normal approximation, corrected for ties and continuity.
    Normal,
}

/// The result of a two-sided Wilcoxon test.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct WilcoxonTest {
    /// Signed-rank: the sum of the ranks of positive differences. Rank-sum: the number of pairs
    /// that the first sample wins (U); a tie counts as half.
    pub statistic: f64,
    /// The two-sided p-value; 1 when there is no difference at all.
    pub p_value: f64,
    /// The distribution that gave the p-value.
    pub distribution: Distribution,
    /// The number of pairs or values that were ranked; pairs without a difference are not.
    #[serde(alias = "used")]
    pub sample_size: usize,
}

/// The signed-rank test of paired samples. The null hypothesis: the differences are symmetric
/// around zero.
pub fn signed_rank(left: &[f64], right: &[f64]) -> Result<WilcoxonTest, StatsError> {
    let exact = left.len() <= MAX_EXACT_PAIRS;
    signed_rank_by(left, right, if exact { Distribution::Exact } else { Distribution::Normal })
}

/// [`signed_rank`] with a chosen distribution. The exact one takes cubic time and quadratic memory
/// in the number of pairs.
pub fn signed_rank_by(
    left: &[f64],
    right: &[f64],
    distribution: Distribution,
) -> Result<WilcoxonTest, StatsError> {
    check("the first sample", left, 1)?;
    check("the second sample", right, 1)?;
    if left.len() != right.len() {
        return Err(StatsError::NotPaired { left: left.len(), right: right.len() });
    }
    let zero = tolerance(left).max(tolerance(right));
    let differences: Vec<f64> =
        left.iter().zip(right).map(|(a, b)| a - b).filter(|d| d.abs() > zero).collect();
    let sizes: Vec<f64> = differences.iter().map(|d| d.abs()).collect();
    let ranks = doubled_ranks(&sizes);
    let positive = differences.iter().zip(&ranks).filter(|(d, _)| **d > 0.0);
    let sum: u64 = positive.map(|(_, rank)| rank).sum();
    let p_value = match distribution {
        _ if ranks.is_empty() => 1.0,
        Distribution::Exact => two_sided(&sign_distribution(&ranks), sum),
        Distribution::Normal => {
            let count = ranks.len() as f64;
            let mean = count * (count + 1.0) / 4.0;
            let variance = count * (count + 1.0) * (2.0 * count + 1.0) / 24.0;
            normal_two_sided(sum as f64 / 2.0 - mean, variance - tie_term(&ranks) / 48.0)
        }
    };
    Ok(WilcoxonTest {
        statistic: sum as f64 / 2.0,
        p_value,
        distribution,
        sample_size: ranks.len(),
    })
}

/// The rank-sum test of independent samples. The null hypothesis: neither sample tends to be
/// larger.
pub fn rank_sum(left: &[f64], right: &[f64]) -> Result<WilcoxonTest, StatsError> {
    let exact = left.len() + right.len() <= MAX_EXACT_VALUES;
    rank_sum_by(left, right, if exact { Distribution::Exact } else { Distribution::Normal })
}

/// [`rank_sum`] with a chosen distribution. The exact one takes time in the fourth power of the
/// number of values.
pub fn rank_sum_by(
    left: &[f64],
    right: &[f64],
    distribution: Distribution,
) -> Result<WilcoxonTest, StatsError> {
    check("the first sample", left, 1)?;
    check("the second sample", right, 1)?;
    let all = [left, right].concat();
    let ranks = doubled_ranks(&all);
    let sum: u64 = ranks[..left.len()].iter().sum();
    let (first, second) = (left.len() as f64, right.len() as f64);
    let wins = sum as f64 / 2.0 - first * (first + 1.0) / 2.0;
    let p_value = match distribution {
        Distribution::Exact => two_sided(&subset_distribution(&ranks, left.len()), sum),
        Distribution::Normal => {
            let count = first + second;
            let ties = tie_term(&ranks) / (count * (count - 1.0));
            normal_two_sided(
                wins - first * second / 2.0,
                first * second / 12.0 * (count + 1.0 - ties),
            )
        }
    };
    Ok(WilcoxonTest { statistic: wins, p_value, distribution, sample_size: all.len() })
}

/// The probability of each sum of ranks when each rank is included with probability one half.
fn sign_distribution(ranks: &[u64]) -> Vec<f64> {
    let max_sum: u64 = ranks.iter().sum();
    let mut probabilities = vec![0.0; max_sum as usize + 1];
    probabilities[0] = 1.0;
    let mut reached = 0;
    for &rank in ranks {
        let rank = rank as usize;
        reached += rank;
        for sum in (0..=reached).rev() {
            let with = if sum >= rank { probabilities[sum - rank] } else { 0.0 };
            probabilities[sum] = 0.5 * (probabilities[sum] + with);
        }
    }
    probabilities
}

/// The probability of each sum of `size` ranks when all subsets of `size` ranks are equally likely.
fn subset_distribution(ranks: &[u64], size: usize) -> Vec<f64> {
    let max_sum: u64 = ranks.iter().sum();
    let mut counts = vec![vec![0.0_f64; max_sum as usize + 1]; size + 1];
    counts[0][0] = 1.0;
    for (taken, &rank) in ranks.iter().enumerate() {
        let rank = rank as usize;
        for chosen in (1..=size.min(taken + 1)).rev() {
            let (fewer, same) = counts.split_at_mut(chosen);
            let (fewer, same) = (&fewer[chosen - 1], &mut same[0]);
            for (sum, ways) in same.iter_mut().enumerate().skip(rank) {
                *ways += fewer[sum - rank];
            }
        }
    }
    let mut counts = counts.swap_remove(size);
    let all: f64 = counts.iter().sum();
    counts.iter_mut().for_each(|ways| *ways /= all);
    counts
}

/// Twice the smaller tail; both tails include the observed sum.
fn two_sided(probabilities: &[f64], observed: u64) -> f64 {
    let observed = observed as usize;
    let below: f64 = probabilities[..=observed].iter().sum();
    let above: f64 = probabilities[observed..].iter().sum();
    (2.0 * below.min(above)).min(1.0)
}

fn normal_two_sided(deviation: f64, variance: f64) -> f64 {
    if variance <= 0.0 {
        return 1.0;
    }
    let corrected = (deviation.abs() - 0.5).max(0.0);
    (2.0 * normal_tail(corrected / variance.sqrt())).min(1.0)
}
