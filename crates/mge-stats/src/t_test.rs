//! Student's and Welch's t, from moments: a published mean and deviation is as good as a sample.

use crate::special::student_two_sided;
use crate::{Moments, StatsError};
use serde::{Deserialize, Serialize};

/// The result of a test; both sides of the alternative count.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct TTest {
    /// The difference of the means in units of its standard error. Infinite when both samples
    /// are constant and differ.
    pub t: f64,
    /// Degrees of freedom.
    pub freedom: f64,
    /// Two-sided; 1 when the means are equal.
    pub p_value: f64,
}

impl TTest {
    fn new(difference: f64, error: f64, freedom: f64) -> Self {
        if difference == 0.0 {
            return Self { t: 0.0, freedom, p_value: 1.0 };
        }
        let t = difference / error;
        Self { t, freedom, p_value: student_two_sided(t, freedom) }
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
