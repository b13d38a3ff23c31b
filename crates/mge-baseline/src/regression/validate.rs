//! Predictions of a baseline for rows that did not train it, without the test rows. Reports place
//! their error beside the networks of a front, whose errors are of such rows too.

use super::{RegressionBaseline, ValueRows};
use crate::BaselineError;

/// Of a large table, so many rows take part: the error has two digits then, and costs little
/// beside the fit on all rows.
const MAX_ROWS: usize = 6_000;

/// Predictions for training rows, each by a fit that did not see the row.
#[derive(Debug, Clone, PartialEq)]
pub struct ValidationPredictions {
    /// The rows; of a large table only some.
    pub rows: Vec<u32>,
    /// The predictions of each target, one for each of these rows.
    pub predictions: Vec<Vec<f64>>,
}

impl RegressionBaseline {
    /// Predicts training rows by fits that did not see them: five stratified folds on small tables,
    /// one validation part on large ones. `None` for fewer than two rows. The folds are stratified
    /// by the first target.
    ///
    /// # Errors
    /// As [`RegressionBaseline::fit`].
    pub fn validation_predictions(
        &self,
        rows: &ValueRows<'_>,
        seed: u64,
    ) -> Result<Option<ValidationPredictions>, BaselineError> {
        let Some(first) = rows.targets().next() else { return Ok(None) };
        let mut all = ValidationPredictions {
            rows: Vec::new(),
            predictions: vec![Vec::new(); rows.values().len()],
        };
        for split in first.validation_splits(MAX_ROWS, seed) {
            let columns = rows.columns().select(&split.train);
            let of = |values: &Vec<f64>| split.train.iter().map(|&r| values[r as usize]).collect();
            let values: Vec<Vec<f64>> = rows.values().iter().map(of).collect();
            let fitted = self.fit(&ValueRows::new(&columns, &values)?, seed)?;
            let predicted = fitted.predict(&rows.columns().select(&split.validation));
            for (all, predicted) in all.predictions.iter_mut().zip(predicted) {
                all.extend(predicted);
            }
            all.rows.extend(split.validation);
        }
        Ok((!all.rows.is_empty()).then_some(all))
    }
}
