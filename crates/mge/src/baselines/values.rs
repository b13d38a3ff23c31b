//! The simpler models of numbers.

use super::{BaselineErrors, BaselineResult};
use mge_baseline::{BaselineError, REGRESSION_BASELINES, RegressionBaseline, ValueRows};
use mge_net::{Columns, Metrics};
use rayon::prelude::*;

/// Features, and the values of each target.
type Rows<'a> = (&'a Columns, &'a [Vec<f64>]);

/// The results of all baselines, in their order.
pub(super) fn all(
    train: Rows<'_>,
    test: Rows<'_>,
    seed: u64,
) -> Vec<Result<BaselineResult, BaselineError>> {
    REGRESSION_BASELINES.par_iter().map(|baseline| one(baseline, train, test, seed)).collect()
}

fn one(
    baseline: &RegressionBaseline,
    train: Rows<'_>,
    test: Rows<'_>,
    seed: u64,
) -> Result<BaselineResult, BaselineError> {
    let rows = ValueRows::new(train.0, train.1)?;
    let fitted = baseline.fit(&rows, seed)?;
    let on_train = metrics(&fitted.predict(train.0), train.1);
    let on_validation = validated(baseline, &rows, seed);
    let predicted = fitted.predict(test.0);
    let on_test = metrics(&predicted, test.1);
    let cost = fitted.cost();
    Ok(BaselineResult {
        name: baseline.name.to_owned(),
        train_accuracy: on_train.accuracy,
        validation_accuracy: on_validation.as_ref().map(|metrics| metrics.accuracy),
        test_accuracy: on_test.accuracy,
        operations: cost.operations,
        bytes: cost.bytes,
        errors: Some(BaselineErrors {
            train_rmse: on_train.rmse,
            validation_rmse: on_validation.as_ref().map(|metrics| metrics.rmse),
            test_rmse: on_test.rmse,
            test_mae: on_test.values.map_or(0.0, |values| values.mae),
            r2_error: Some(r2_error(&predicted, test.1)),
        }),
    })
}

/// Both by target.
fn metrics(predicted: &[Vec<f64>], truth: &[Vec<f64>]) -> Metrics {
    Metrics::of_values(&predicted.concat(), &truth.concat(), truth.len(), 0.0)
}

/// A validation that fails says nothing about the fit, so it gives no figure.
fn validated(baseline: &RegressionBaseline, rows: &ValueRows<'_>, seed: u64) -> Option<Metrics> {
    let found = baseline.validation_predictions(rows, seed).ok().flatten()?;
    let of = |values: &Vec<f64>| found.rows.iter().map(|&row| values[row as usize]).collect();
    let truth: Vec<Vec<f64>> = rows.values().iter().map(of).collect();
    Some(metrics(&found.predictions, &truth))
}

/// The standard error of R2: R2 is one minus the mean over rows of the squared error, each over the
/// variance of its target.
fn r2_error(predicted: &[Vec<f64>], truth: &[Vec<f64>]) -> f64 {
    let rows = truth.first().map_or(0, Vec::len);
    if rows < 2 {
        return 0.0;
    }
    let count = rows as f64;
    let mut errors = vec![0.0; rows];
    for (predicted, truth) in predicted.iter().zip(truth) {
        let mean = truth.iter().sum::<f64>() / count;
        let variance = truth.iter().map(|t| (t - mean) * (t - mean)).sum::<f64>() / count;
        if variance > 0.0 {
            for ((error, p), t) in errors.iter_mut().zip(predicted).zip(truth) {
                *error += (p - t) * (p - t) / variance;
            }
        }
    }
    let mean = errors.iter().sum::<f64>() / count;
    let squares: f64 = errors.iter().map(|error| (error - mean) * (error - mean)).sum();
    (squares / (count - 1.0) / count).sqrt() / truth.len() as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_standard_error_of_r2_is_that_of_a_mean() {
        // Squared errors over the variance of 2.5: 0, 0.4, 0, 1.6.
        let truth = [vec![0.0, 1.0, 3.0, 4.0]];
        let error = r2_error(&[vec![0.0, 2.0, 3.0, 6.0]], &truth);
        let expected = ((0.25 + 0.01 + 0.25 + 1.21) / 3.0 / 4.0f64).sqrt();
        assert!((error - expected).abs() < 1e-12, "{error} {expected}");
        assert_eq!(r2_error(&truth, &truth), 0.0);
        assert_eq!(r2_error(&[vec![1.0]], &[vec![2.0]]), 0.0);
    }
}
