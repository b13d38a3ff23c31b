//! Student's and Welch's t-tests, computed from moments. A published mean and deviation therefore
//! serves as a sample. Each test also gives the confidence interval of the difference.

use crate::rank::TIE;
use crate::special::{student_two_sided, student_two_sided_quantile};
use crate::{Interval, Moments, StatsError};
use serde::{Deserialize, Serialize};

/// The result of a two-sided t-test.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct TTest {
    /// The first mean minus the second.
    pub difference: f64,
    /// The standard error of that difference.
    pub standard_error: f64,
    /// The difference divided by its standard error. Infinite when both samples are constant and
    /// differ.
    pub t: f64,
    /// Degrees of freedom.
    pub freedom: f64,
    /// The two-sided p-value; 1 when the means are equal.
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

    /// Whether the samples vary at all. For constant samples t is infinite or 0 / 0, and the
    /// p-value is meaningless.
    pub fn has_spread(&self) -> bool {
        // Rounding makes the standard error of constant samples tiny instead of 0.
        self.standard_error > TIE * self.difference.abs()
    }

    /// The confidence interval of the difference at this level, for example 0.95. It assumes values
    /// that are about normal.
    ///
    /// # Errors
    /// When the level is not between 0 and 1.
    pub fn confidence(&self, level: f64) -> Result<Interval, StatsError> {
        if !(level > 0.0 && level < 1.0) {
            return Err(StatsError::NotAFraction { what: "the confidence level", found: level });
        }
        let half = student_two_sided_quantile(1.0 - level, self.freedom) * self.standard_error;
        Ok(Interval { low: self.difference - half, high: self.difference + half })
    }
}

/// The count of a sample that must have at least `min` values.
fn checked_count(what: &'static str, sample: &Moments, min: usize) -> Result<f64, StatsError> {
    if sample.count < min {
        return Err(StatsError::TooFew { what, found: sample.count, min });
    }
    Ok(sample.count as f64)
}

/// Student's test of two samples, assuming equal variances.
pub fn student_t(left: &Moments, right: &Moments) -> Result<TTest, StatsError> {
    let (n, m) = (
        checked_count("the first sample", left, 1)?,
        checked_count("the second sample", right, 1)?,
    );
    let freedom = n + m - 2.0;
    if freedom < 1.0 {
        return Err(StatsError::TooFew { what: "both samples together", found: 2, min: 3 });
    }
    let squares =
        (n - 1.0) * left.deviation * left.deviation + (m - 1.0) * right.deviation * right.deviation;
    let error = (squares / freedom * (1.0 / n + 1.0 / m)).sqrt();
    Ok(TTest::new(left.mean - right.mean, error, freedom))
}

/// Welch's test of two samples, whose variances may differ.
pub fn welch_t(left: &Moments, right: &Moments) -> Result<TTest, StatsError> {
    let (n, m) = (
        checked_count("the first sample", left, 2)?,
        checked_count("the second sample", right, 2)?,
    );
    let (a, b) = (left.deviation * left.deviation / n, right.deviation * right.deviation / m);
    let error = (a + b).sqrt();
    // The p-value of two constant samples does not depend on the degrees of freedom.
    let freedom = if a + b > 0.0 {
        (a + b) * (a + b) / (a * a / (n - 1.0) + b * b / (m - 1.0))
    } else {
        n + m - 2.0
    };
    Ok(TTest::new(left.mean - right.mean, error, freedom))
}

/// Student's test of one sample against a fixed mean. Ten runs give the nine degrees of freedom of
/// the paper.
pub fn one_sample_t(sample: &Moments, mean: f64) -> Result<TTest, StatsError> {
    let n = checked_count("the sample", sample, 2)?;
    Ok(TTest::new(sample.mean - mean, sample.standard_error(), n - 1.0))
}
