//! Effect size: how large a difference is, not only whether there is one.

use crate::rank::doubled_ranks;
use crate::{StatsError, check};
use serde::{Deserialize, Serialize};
use std::fmt;

/// Vargha and Delaney's A: the probability that a value of the first sample is larger than one of
/// the second. A tie counts as half.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct EffectSize {
    /// From 0 to 1; 0.5 means no effect.
    pub value: f64,
    /// The size in one word.
    pub magnitude: Magnitude,
}

/// Vargha and Delaney's names for the distance of A from 0.5.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Magnitude {
    /// Below 0.56.
    Negligible,
    /// From 0.56.
    Small,
    /// From 0.64.
    Medium,
    /// From 0.71.
    Large,
}

impl fmt::Display for Magnitude {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Negligible => "negligible",
            Self::Small => "small",
            Self::Medium => "medium",
            Self::Large => "large",
        })
    }
}

/// Computes Vargha and Delaney's A of two samples.
pub fn a12(left: &[f64], right: &[f64]) -> Result<EffectSize, StatsError> {
    check("the first sample", left, 1)?;
    check("the second sample", right, 1)?;
    let ranks = doubled_ranks(&[left, right].concat());
    let (n, m) = (left.len() as f64, right.len() as f64);
    let sum = ranks[..left.len()].iter().sum::<u64>() as f64 / 2.0;
    let value = (sum / n - (n + 1.0) / 2.0) / m;
    let folded = 0.5 + (value - 0.5).abs();
    let magnitude = match folded {
        _ if folded < 0.56 => Magnitude::Negligible,
        _ if folded < 0.64 => Magnitude::Small,
        _ if folded < 0.71 => Magnitude::Medium,
        _ => Magnitude::Large,
    };
    Ok(EffectSize { value, magnitude })
}
