//! Scores on rows that did not train a network, and how two of them compare.

use serde::{Deserialize, Serialize};

/// How good a network is on some rows.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub(crate) struct PartScore {
    pub(crate) rows: usize,
    pub(crate) loss: f64,
    pub(crate) accuracy: f64,
}

/// The scores of a network, or of a training configuration.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct ValidationScores {
    /// On the held-out rows of each fold, or on each block of the validation part.
    pub(crate) held_out: Vec<PartScore>,
    /// The loss on the training rows, where there is a validation part.
    pub(crate) training_loss: Option<f64>,
}

/// A mean and its standard error.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Estimate {
    pub(crate) mean: f64,
    pub(crate) standard_error: f64,
}

impl ValidationScores {
    /// The loss over all held-out rows.
    pub(crate) fn loss(&self) -> Estimate {
        Estimate::of(self.held_out.iter().map(|part| (part.loss, part.rows)))
    }

    /// The accuracy over all held-out rows.
    pub(crate) fn accuracy(&self) -> Estimate {
        Estimate::of(self.held_out.iter().map(|part| (part.accuracy, part.rows)))
    }

    /// By how much the held-out loss is lower than another's. Parts are compared one by one, so the
    /// standard error is that of the paired differences.
    pub(crate) fn gain_over(&self, other: &Self) -> Estimate {
        let parts = other.held_out.iter().zip(&self.held_out);
        Estimate::of(parts.map(|(other, own)| (other.loss - own.loss, own.rows)))
    }
}

impl Estimate {
    /// The mean of values, each weighted by its rows. The standard error of one value is zero.
    fn of(values: impl Iterator<Item = (f64, usize)> + Clone) -> Self {
        let count = values.clone().count() as f64;
        let all_rows = values.clone().map(|(_, rows)| rows as f64).sum::<f64>();
        let fraction = |rows: usize| rows as f64 / all_rows;
        let mean = values.clone().map(|(value, rows)| fraction(rows) * value).sum::<f64>();
        let square = |(value, rows): (f64, usize)| {
            let part = fraction(rows) * (value - mean);
            part * part
        };
        let squares: f64 = values.map(square).sum();
        Self { mean, standard_error: (squares * count / (count - 1.0).max(1.0)).sqrt() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scores(losses: &[(f64, usize)]) -> ValidationScores {
        let score = |&(loss, rows): &(f64, usize)| PartScore { rows, loss, accuracy: 1.0 - loss };
        let held_out = losses.iter().map(score).collect();
        ValidationScores { held_out, training_loss: None }
    }

    #[test]
    fn means_are_weighted_by_rows() {
        let scores = scores(&[(0.2, 30), (0.6, 10)]);
        assert!((scores.loss().mean - 0.3).abs() < 1e-12);
        assert!((scores.accuracy().mean - 0.7).abs() < 1e-12);
    }

    #[test]
    fn the_standard_error_of_equal_parts_is_the_deviation_over_the_root_of_their_number() {
        let losses = [0.1, 0.4, 0.3, 0.6];
        let estimate = scores(&losses.map(|loss| (loss, 25))).loss();
        let mean = 0.35;
        let variance = losses.map(|loss: f64| (loss - mean).powi(2)).iter().sum::<f64>() / 3.0;
        assert!((estimate.mean - mean).abs() < 1e-12);
        assert!((estimate.standard_error - (variance / 4.0).sqrt()).abs() < 1e-12);
        assert_eq!(scores(&[(0.5, 9)]).loss().standard_error, 0.0);
    }

    #[test]
    fn a_constant_gain_has_no_standard_error_although_folds_differ() {
        let (better, worse) =
            (scores(&[(0.25, 10), (0.75, 10)]), scores(&[(0.375, 10), (0.875, 10)]));
        let gain = better.gain_over(&worse);
        assert_eq!(gain, Estimate { mean: 0.125, standard_error: 0.0 });
        assert!(better.loss().standard_error > 0.2);
        assert_eq!(worse.gain_over(&better).mean, -0.125);
    }
}
