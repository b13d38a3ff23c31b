//! What a sample says: moments, quartiles, and where its mean lies.

use crate::{StatsError, check, one_sample_t};
use serde::{Deserialize, Serialize};

/// Count, mean and deviation: all that a published table gives of a sample.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Moments {
    /// How many values.
    pub count: usize,
    /// Their mean.
    pub mean: f64,
    /// The standard deviation of a sample (divided by count - 1); 0 for one value.
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
    pub least: f64,
    /// A quarter of the values lie below (linear interpolation, as numpy does by default).
    pub lower_quartile: f64,
    /// Half of the values lie below.
    pub median: f64,
    /// Three quarters of the values lie below.
    pub upper_quartile: f64,
    /// The largest value.
    pub most: f64,
}

impl Moments {
    /// The deviation, of more than one value: of a single one nobody knows it.
    pub fn known_deviation(&self) -> Option<f64> {
        (self.count > 1).then_some(self.deviation)
    }

    /// The moments of a sample.
    pub fn of(sample: &[f64]) -> Result<Self, StatsError> {
        check("the sample", sample, 1)?;
        let count = sample.len() as f64;
        let mean = sample.iter().sum::<f64>() / count;
        // A constant sample has deviation 0, whatever rounding does to its mean.
        let is_constant = sample.iter().all(|value| *value == sample[0]);
        if is_constant {
            return Ok(Self { count: sample.len(), mean: sample[0], deviation: 0.0 });
        }
        let squares: f64 = sample.iter().map(|x| (x - mean) * (x - mean)).sum();
        let deviation = (squares / (count - 1.0)).sqrt();
        Ok(Self { count: sample.len(), mean, deviation })
    }

    /// The deviation of the mean.
    pub fn standard_error(&self) -> f64 {
        self.deviation / (self.count as f64).sqrt()
    }

    /// Where the true mean lies with this confidence (0.95, say), if values are about normal:
    /// Student's interval. An error for fewer than two values.
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
        let at = |share: f64| {
            let place = share * (sorted.len() - 1) as f64;
            let (below, part) = (place.floor() as usize, place - place.floor());
            let above = (below + 1).min(sorted.len() - 1);
            sorted[below] + part * (sorted[above] - sorted[below])
        };
        Ok(Self {
            moments,
            least: at(0.0),
            lower_quartile: at(0.25),
            median: at(0.5),
            upper_quartile: at(0.75),
            most: at(1.0),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_value_and_no_value() {
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
