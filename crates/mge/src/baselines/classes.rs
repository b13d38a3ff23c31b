//! The simpler models of classes.

use super::BaselineResult;
use crate::prepared_data::Part;
use mge_baseline::{BASELINES, Baseline, BaselineError, LabelledRows};
use mge_net::EvaluationError;
use rayon::prelude::*;

/// The results of all baselines, in their order.
pub(super) fn all(
    train: &Part,
    test: &Part,
    classes: usize,
    seed: u64,
) -> Vec<Result<BaselineResult, BaselineError>> {
    let made = BASELINES.par_iter().map(|baseline| {
        let (train, test) = (rows(train, classes)?, rows(test, classes)?);
        let classifier = baseline.fit(&train, seed)?;
        let cost = classifier.cost();
        Ok(BaselineResult {
            name: baseline.name.to_owned(),
            train_accuracy: classifier.accuracy(&train),
            validation_accuracy: validated(baseline, &train, seed),
            test_accuracy: classifier.accuracy(&test),
            operations: cost.operations,
            bytes: cost.bytes,
            errors: None,
        })
    });
    made.collect()
}

/// A validation that fails says nothing about the fit, so it gives no figure.
fn validated(baseline: &Baseline, rows: &LabelledRows<'_>, seed: u64) -> Option<f64> {
    baseline.validation_accuracy(rows, seed).ok().flatten()
}

fn rows(part: &Part, classes: usize) -> Result<LabelledRows<'_>, EvaluationError> {
    LabelledRows::new(&part.columns, part.targets.labels(), classes)
}
