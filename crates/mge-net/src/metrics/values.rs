//! What only numbers have: R2, mean and median absolute error, over all outputs and for each.

use serde::{Deserialize, Serialize};

/// The metrics of numbers, in the units of the targets.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ValueMetrics {
    /// One minus the squared errors over the squared deviations from the mean of these rows: 1 is
    /// perfect, 0 is as good as that mean. The mean over outputs.
    pub r2: f64,
    /// The mean absolute error; the mean over outputs.
    pub mae: f64,
    /// The median absolute error; the mean over outputs.
    pub median_absolute_error: f64,
    /// The same for each output.
    pub outputs: Vec<OutputMetrics>,
}

/// The metrics of one output, in the units of its target.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct OutputMetrics {
    /// The root of the mean squared error.
    pub rmse: f64,
    /// One minus the squared errors over the squared deviations from the mean. Where all targets
    /// are equal it is 1 for perfect predictions, else 0.
    pub r2: f64,
    /// The mean absolute error.
    pub mae: f64,
    /// The median absolute error.
    pub median_absolute_error: f64,
}

impl ValueMetrics {
    /// Of predicted and true numbers, output by output.
    pub(super) fn of(predicted: &[f64], truth: &[f64], outputs: usize) -> Self {
        let rows = truth.len() / outputs.max(1);
        let of_output = |output: usize| {
            let own = output * rows..(output + 1) * rows;
            OutputMetrics::of(&predicted[own.clone()], &truth[own])
        };
        let outputs: Vec<OutputMetrics> = (0..outputs).map(of_output).collect();
        let mean = |metric: fn(&OutputMetrics) -> f64| {
            outputs.iter().map(metric).fold(0.0, |sum, x| sum + x) / outputs.len().max(1) as f64
        };
        Self {
            r2: mean(|output| output.r2),
            mae: mean(|output| output.mae),
            median_absolute_error: mean(|output| output.median_absolute_error),
            outputs,
        }
    }

    /// Those of several parts, such as folds, from the rows and the metrics of each. All are means
    /// weighted by rows; of RMSE, the root of the mean square. `None` of no parts.
    pub fn of_parts<'m>(parts: impl Iterator<Item = (usize, &'m Self)> + Clone) -> Option<Self> {
        let first = parts.clone().next()?.1;
        let rows: usize = parts.clone().map(|(rows, _)| rows).sum();
        let mean = |metric: &dyn Fn(&Self) -> f64| {
            let sum = parts.clone().fold(0.0, |sum, (rows, part)| sum + rows as f64 * metric(part));
            sum / rows.max(1) as f64
        };
        let of_output = |output: usize| OutputMetrics {
            rmse: mean(&|part| part.outputs[output].rmse * part.outputs[output].rmse).sqrt(),
            r2: mean(&|part| part.outputs[output].r2),
            mae: mean(&|part| part.outputs[output].mae),
            median_absolute_error: mean(&|part| part.outputs[output].median_absolute_error),
        };
        Some(Self {
            r2: mean(&|part| part.r2),
            mae: mean(&|part| part.mae),
            median_absolute_error: mean(&|part| part.median_absolute_error),
            outputs: (0..first.outputs.len()).map(of_output).collect(),
        })
    }

    /// The mean over outputs.
    pub(super) fn rmse(&self) -> f64 {
        let sum = self.outputs.iter().fold(0.0, |sum, output| sum + output.rmse);
        sum / self.outputs.len().max(1) as f64
    }
}

impl OutputMetrics {
    fn of(predicted: &[f64], truth: &[f64]) -> Self {
        let rows = truth.len().max(1) as f64;
        let errors = predicted.iter().zip(truth).map(|(p, t)| p - t);
        let mut absolute: Vec<f64> = errors.map(finite).collect();
        let squares = absolute.iter().fold(0.0, |sum, error| sum + error * error);
        let mean = truth.iter().fold(0.0, |sum, value| sum + value / rows);
        let deviations = truth.iter().map(|value| finite(value - mean));
        let variance = deviations.fold(0.0, |sum, deviation| sum + deviation * deviation);
        let r2 = if truth.is_empty() {
            0.0
        } else if variance > 0.0 {
            1.0 - squares / variance
        } else {
            f64::from(u8::from(squares == 0.0))
        };
        let mae = absolute.iter().fold(0.0, |sum, error| sum + error) / rows;
        absolute.sort_by(f64::total_cmp);
        let middle = absolute.len() / 2;
        let median_absolute_error = match absolute.len() {
            0 => 0.0,
            odd if odd % 2 == 1 => absolute[middle],
            _ => 0.5 * (absolute[middle - 1] + absolute[middle]),
        };
        Self { rmse: (squares / rows).sqrt(), r2: r2.max(-MAX_R2), mae, median_absolute_error }
    }
}

/// R2 has no lower bound, and a file has no infinity.
const MAX_R2: f64 = 1e300;

/// The absolute value, small enough that its square over all rows is finite.
fn finite(value: f64) -> f64 {
    value.abs().min(1e140)
}
