//! How good a network is on some rows.

mod file;
mod values;

pub use values::{OutputMetrics, ValueMetrics};

use serde::{Deserialize, Serialize};

use crate::error::EvaluationError;
use crate::loss::Loss;
use crate::reference::Probabilities;
use crate::targets::{OutputLink, Targets};

/// Metrics over some rows: of classes, or of numbers.
///
/// Files have loss, accuracy, RMSE and confusion matrix for classes. For numbers they have loss,
/// RMSE, R2, mean and median absolute error, and the same for each output.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "file::MetricsFile", into = "file::MetricsFile")]
pub struct Metrics {
    /// The number of rows. With none, every other number is zero.
    pub rows: usize,
    /// The mean loss. For numbers it is that of the scaled targets, as the search minimises it.
    pub loss: f64,
    /// How good, at most 1, higher is better. For classes it is the fraction of rows whose most
    /// probable class is the true one; for numbers it is R2.
    pub accuracy: f64,
    /// For classes `sqrt(mean of (1 - p of the true class)^2)`; for two classes that is the RMSE of
    /// the single output (decision 6). For numbers the root of the mean squared error in the units
    /// of the target.
    pub rmse: f64,
    /// `confusion[true class][predicted class]`, in rows; empty for numbers.
    pub confusion: Vec<Vec<u64>>,
    /// The metrics that only numbers have.
    pub values: Option<ValueMetrics>,
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
        let Targets::Classes { labels, .. } = targets else {
            unreachable!("`Loss::of` takes classes only");
        };
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
            values: None,
        })
    }

    /// Metrics of no rows: all numbers are zero.
    pub fn of_no_rows(link: OutputLink) -> Self {
        let classes = link.classes();
        Self {
            rows: 0,
            loss: 0.0,
            accuracy: 0.0,
            rmse: 0.0,
            confusion: vec![vec![0; classes]; classes],
            values: link.is_identity().then(|| ValueMetrics::of(&[], &[], link.outputs())),
        }
    }

    /// Compares predicted numbers with true ones, both in the units of the target and in the layout
    /// of [`Targets::Values`]. `loss` is that of the scaled targets. With several outputs, RMSE and
    /// R2 are means over outputs.
    ///
    /// # Panics
    /// When there is not one prediction for each true number.
    pub fn of_values(predicted: &[f64], truth: &[f64], outputs: usize, loss: f64) -> Self {
        assert_eq!(predicted.len(), truth.len(), "one prediction for each number");
        let values = ValueMetrics::of(predicted, truth, outputs);
        Self {
            rows: truth.len() / outputs.max(1),
            loss,
            accuracy: values.r2,
            rmse: values.rmse(),
            confusion: Vec::new(),
            values: Some(values),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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

    #[test]
    fn metrics_of_numbers_are_those_computed_by_hand() {
        let truth = [1.0, 2.0, 3.0, 6.0, 10.0, 10.0, 10.0, 10.0];
        let predicted = [1.0, 3.0, 1.0, 6.0, 10.0, 10.0, 10.0, 14.0];
        let metrics = Metrics::of_values(&predicted, &truth, 2, 0.5);
        let values = metrics.values.as_ref().unwrap();
        assert_eq!((metrics.rows, metrics.loss, metrics.accuracy), (4, 0.5, values.r2));
        let first = &values.outputs[0];
        assert_eq!(first.rmse, (5.0f64 / 4.0).sqrt());
        assert_eq!((first.mae, first.median_absolute_error), (0.75, 0.5));
        assert!((first.r2 - (1.0 - 5.0 / 14.0)).abs() < 1e-15);
        // A constant target is explained by nothing but itself.
        let second = &values.outputs[1];
        assert_eq!((second.rmse, second.r2, second.median_absolute_error), (2.0, 0.0, 0.0));
        assert_eq!(values.mae, (0.75 + 1.0) / 2.0);
        assert_eq!(metrics.rmse, (first.rmse + second.rmse) / 2.0);
        let perfect = Metrics::of_values(&truth, &truth, 2, 0.0);
        assert_eq!((perfect.accuracy, perfect.rmse), (1.0, 0.0));
    }

    #[test]
    fn files_have_the_metrics_of_their_task() {
        let classes = Metrics::of_no_rows(OutputLink::Logistic);
        let text = serde_json::to_string(&classes).unwrap();
        let expected =
            r#"{"rows":0,"loss":0.0,"accuracy":0.0,"rmse":0.0,"confusion":[[0,0],[0,0]]}"#;
        assert_eq!(text, expected);
        assert_eq!(serde_json::from_str::<Metrics>(&text).unwrap(), classes);
        let values = Metrics::of_values(&[1.0, 2.5], &[1.0, 2.0], 1, 0.25);
        let text = serde_json::to_string(&values).unwrap();
        assert!(text.contains("\"r2\"") && !text.contains("accuracy"), "{text}");
        assert_eq!(serde_json::from_str::<Metrics>(&text).unwrap(), values);
        assert!(serde_json::from_str::<Metrics>(r#"{"rows":1,"loss":0.0}"#).is_err());
        let none = Metrics::of_no_rows(OutputLink::Identity { outputs: 1 });
        assert_eq!((none.rmse, none.accuracy), (0.0, 0.0));
    }
}
