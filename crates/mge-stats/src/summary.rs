//! Descriptive statistics of a sample: moments, quartiles, and the confidence interval of the mean.

use crate::{StatsError, check, one_sample_t};
use serde::{Deserialize, Serialize};

/// Count, mean and deviation of a sample. Published tables usually give no more than that.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Moments {
    /// The number of values.
    pub count: usize,
    /// The mean.
    pub mean: f64,
    /// The sample standard deviation (divisor count - 1); 0 for a single value.
    pub deviation: f64,
}

/// An interval of a real number.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Interval {
    /// The lower end.
    pub low: f64,
    /// The upper end.
    pub high: f64,
}

/// Moments and order statistics of a sample.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Summary {
    /// Count, mean and deviation.
    pub moments: Moments,
    /// The smallest value.
    #[serde(alias = "least")]
    pub min: f64,
    /// A quarter of the values lie below. Interpolated linearly, as numpy does by default.
    pub lower_quartile: f64,
    /// Half of the values lie below.
    pub median: f64,
    /// Three quarters of the values lie below.
    pub upper_quartile: f64,
    /// The largest value.
    #[serde(alias = "most")]
    pub max: f64,
}

impl Moments {
    /// The deviation, or `None` for a single value, which tells nothing about it.
    pub fn known_deviation(&self) -> Option<f64> {
        (self.count > 1).then_some(self.deviation)
    }

    /// Computes the moments of a sample.
    pub fn of(sample: &[f64]) -> Result<Self, StatsError> {
        check("the sample", sample, 1)?;
        let count = sample.len() as f64;
        let mean = sample.iter().sum::<f64>() / count;
        // The deviation of a constant sample is exactly 0, even if its mean is rounded.
        let is_constant = sample.iter().all(|value| *value == sample[0]);
        if is_constant {
            return Ok(Self { count: sample.len(), mean: sample[0], deviation: 0.0 });
        }
        let squares: f64 = sample.iter().map(|x| (x - mean) * (x - mean)).sum();
        let deviation = (squares / (count - 1.0)).sqrt();
        Ok(Self { count: sample.len(), mean, deviation })
    }

    /// The standard error of the mean.
    pub fn standard_error(&self) -> f64 {
        self.deviation / (self.count as f64).sqrt()
    }

    /// Student's confidence interval of the mean at this level, for example 0.95. It assumes values
    /// that are about normal.
    ///
    /// # Errors
    /// When there are fewer than two values, or the level is not between 0 and 1.
    pub fn confidence(&self, level: f64) -> Result<Interval, StatsError> {
        one_sample_t(self, 0.0)?.confidence(level)
    }
}

impl Summary {
    /// Summarises a sample.
    pub fn of(sample: &[f64]) -> Result<Self, StatsError> {
        let moments = Moments::of(sample)?;
        let mut sorted = sample.to_vec();
        sorted.sort_by(f64::total_cmp);
        let quantile = |fraction: f64| {
            let position = fraction * (sorted.len() - 1) as f64;
            let (below, part) = (position.floor() as usize, position - position.floor());
            let above = (below + 1).min(sorted.len() - 1);
            sorted[below] + part * (sorted[above] - sorted[below])
        };
        Ok(Self {
            moments,
            min: quantile(0.0),
            lower_quartile: quantile(0.25),
            median: quantile(0.5),
            upper_quartile: quantile(0.75),
            max: quantile(1.0),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_single_value_has_no_interval_and_no_value_is_an_error() {
        let one = Moments::of(&[3.0]).unwrap();
        assert_eq!(one.known_deviation(), None);
        assert_eq!((one.mean, one.deviation), (3.0, 0.0));
        let error = one.confidence(0.95).unwrap_err();
        assert_eq!(error.to_string(), "the sample has 1 values, expected at least 2");
        let error = Moments::of(&[]).unwrap_err();
        assert_eq!(error.to_string(), "the sample has 0 values, expected at least 1");
        assert!(Moments::of(&[1.0, 2.0]).unwrap().confidence(1.0).is_err());
        assert!(Moments::of(&[1.0, f64::NAN]).is_err());
    }
}
