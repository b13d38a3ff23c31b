//! Student's and Welch's t, from moments: a published mean and deviation is as good as a sample.
//! A test and the interval of its difference are two views of the same three numbers.

use crate::rank::TIE;
use crate::special::{student_two_sided, student_two_sided_quantile};
use crate::{Interval, Moments, StatsError};
use serde::{Deserialize, Serialize};

/// The result of a test; both sides of the alternative count.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct TTest {
    /// The first mean minus the second.
    pub difference: f64,
    /// The deviation of that difference.
    pub standard_error: f64,
    /// The difference in units of its standard error. Infinite when both samples are constant and
    /// differ.
    pub t: f64,
    /// Degrees of freedom.
    pub freedom: f64,
    /// Two-sided; 1 when the means are equal.
    pub p_value: f64,
}

impl TTest {
    fn new(difference: f64, standard_error: f64, freedom: f64) -> Self {
        let (t, p_value) = if difference == 0.0 {
            (0.0, 1.0)
        } else {
            let t = difference / standard_error;
            (t, student_two_sided(t, freedom))
        };
        Self { difference, standard_error, t, freedom, p_value }
    }

    /// Whether anything varied. Constant samples have no deviation to measure a difference with: t
    /// is infinite or 0 / 0, and the p-value that formally follows says nothing.
    pub fn has_spread(&self) -> bool {
        // Equal differences of quotients differ in their last bits.
        self.standard_error > TIE * self.difference.abs()
    }

    /// Where the true difference lies with this confidence (0.95, say), if values are about normal.
    pub fn confidence(&self, level: f64) -> Result<Interval, StatsError> {
        if !(level > 0.0 && level < 1.0) {
            return Err(StatsError::Share { what: "the confidence level", found: level });
        }
        let half = student_two_sided_quantile(1.0 - level, self.freedom) * self.standard_error;
        Ok(Interval { low: self.difference - half, high: self.difference + half })
    }
}

fn need(what: &'static str, sample: &Moments, least: usize) -> Result<f64, StatsError> {
    if sample.count < least {
        return Err(StatsError::TooFew { what, found: sample.count, least });
    }
    Ok(sample.count as f64)
}

/// Student's test of two samples that are taken to have the same variance.
pub fn student_t(left: &Moments, right: &Moments) -> Result<TTest, StatsError> {
    let (n, m) = (need("the first sample", left, 1)?, need("the second sample", right, 1)?);
    let freedom = n + m - 2.0;
    if freedom < 1.0 {
        return Err(StatsError::TooFew { what: "both samples together", found: 2, least: 3 });
    }
    let squares =
        (n - 1.0) * left.deviation * left.deviation + (m - 1.0) * right.deviation * right.deviation;
    let error = (squares / freedom * (1.0 / n + 1.0 / m)).sqrt();
    Ok(TTest::new(left.mean - right.mean, error, freedom))
}

/// Welch's test of two samples whose variances may differ.
pub fn welch_t(left: &Moments, right: &Moments) -> Result<TTest, StatsError> {
    let (n, m) = (need("the first sample", left, 2)?, need("the second sample", right, 2)?);
    let (a, b) = (left.deviation * left.deviation / n, right.deviation * right.deviation / m);
    let error = (a + b).sqrt();
    // Two constant samples: any number of degrees gives the same p-value.
    let freedom = if a + b > 0.0 {
        (a + b) * (a + b) / (a * a / (n - 1.0) + b * b / (m - 1.0))
    } else {
        n + m - 2.0
    };
    Ok(TTest::new(left.mean - right.mean, error, freedom))
}

/// Student's test of one sample against a fixed mean; 10 runs have the 9 degrees of freedom that
/// the paper names.
pub fn one_sample_t(sample: &Moments, mean: f64) -> Result<TTest, StatsError> {
    let n = need("the sample", sample, 2)?;
    Ok(TTest::new(sample.mean - mean, sample.standard_error(), n - 1.0))
}
