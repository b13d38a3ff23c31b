//! How good a classifier is on some rows.

use serde::{Deserialize, Serialize};

use crate::error::EvaluationError;
use crate::loss::Loss;
use crate::reference::Probabilities;
use crate::targets::Targets;

/// Loss, accuracy, RMSE and confusion matrix over some rows.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Metrics {
    /// The number of rows. With none, every other number is zero.
    pub rows: usize,
    /// The mean loss.
    pub loss: f64,
    /// The fraction of rows whose most probable class is the true one.
    pub accuracy: f64,
    /// `sqrt(mean of (1 - p of the true class)^2)`. For two classes it is the RMSE of the single
    /// output (decision 6).
    pub rmse: f64,
    /// `confusion[true class][predicted class]`, in rows.
    pub confusion: Vec<Vec<u64>>,
}

impl Metrics {
    /// Compares probabilities with the targets.
    ///
    /// # Errors
    /// When there is not one valid target for each row.
    pub fn of(
        probabilities: &Probabilities,
        targets: Targets<'_>,
        loss: Loss,
    ) -> Result<Self, EvaluationError> {
        let loss = loss.of(probabilities, targets)?;
        let Targets::Classes { labels, .. } = targets;
        let classes = probabilities.classes();
        let mut confusion = vec![vec![0; classes]; classes];
        let mut squares = 0.0;
        for (row, &label) in probabilities.iter().zip(labels) {
            let error = 1.0 - row[label as usize];
            squares += error * error;
            confusion[label as usize][probabilities.link().predicted_class(row)] += 1;
        }
        let rows = labels.len();
        let correct: u64 = (0..classes).map(|class| confusion[class][class]).sum();
        let mean = |sum: f64| sum / rows.max(1) as f64;
        Ok(Self {
            rows,
            loss,
            accuracy: mean(correct as f64),
            rmse: mean(squares).sqrt(),
            confusion,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::targets::OutputLink;

    #[test]
    fn metrics_are_those_computed_by_hand() {
        let rows = vec![0.75, 0.25, 0.5, 0.5, 0.0, 1.0];
        let probabilities = Probabilities::from_values(OutputLink::Logistic, rows);
        let targets = Targets::classes(&[0, 1, 1], 2);
        let metrics = Metrics::of(&probabilities, targets, Loss::MeanSquaredError).unwrap();
        assert_eq!(metrics.rows, 3);
        assert_eq!(metrics.accuracy, 2.0 / 3.0);
        assert_eq!(metrics.confusion, [[1, 0], [1, 1]]);
        assert!((metrics.loss - (0.0625 + 0.25) / 3.0).abs() < 1e-15);
        // For two classes the two measures agree.
        assert!((metrics.rmse - metrics.loss.sqrt()).abs() < 1e-15);
    }

    #[test]
    fn no_rows_give_zero_and_not_nan() {
        let none = Probabilities::from_values(OutputLink::for_classes(3), Vec::new());
        let targets = Targets::classes(&[], 3);
        let metrics = Metrics::of(&none, targets, Loss::CrossEntropy).unwrap();
        assert_eq!((metrics.loss, metrics.accuracy, metrics.rmse), (0.0, 0.0, 0.0));
        assert_eq!(metrics.confusion, vec![vec![0; 3]; 3]);
    }
}
