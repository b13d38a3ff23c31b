//! Baselines: what simpler models reach on the same rows.
//!
//! They are made from the training rows that the search saw, and measured on the same test rows.
//! They know no class weights. Which ones there are is up to the kind of target.

use crate::FitError;
use crate::model::Model;
use crate::prepared_data::{Part, PreparedData};
use crate::{ClassWeight, DataConfig};
use mge_baseline::{Baseline, BaselineError, LabelledRows};
use mge_net::{EvaluationError, table_bytes};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use std::path::Path;

/// A simpler model on the same split.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BaselineResult {
    /// Its name.
    pub name: String,
    /// The fraction of training rows that it gets right.
    pub train_accuracy: f64,
    /// The fraction of right answers on training rows that its fit did not see. `None` for a network
    /// and in older files.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub validation_accuracy: Option<f64>,
    /// The fraction of test rows that it gets right.
    pub test_accuracy: f64,
    /// Operations of one prediction, counted as those of networks. A comparison is one.
    pub operations: usize,
    /// Bytes of its table, see [`table_bytes`].
    pub bytes: usize,
}

impl BaselineResult {
    /// The baselines in a file, or none if there is no such file or it holds none.
    pub fn read(path: &Path) -> Vec<Self> {
        let read = || serde_json::from_slice(&std::fs::read(path).ok()?).ok();
        read().unwrap_or_default()
    }

    /// A model in a list of baselines, called `this network`.
    pub fn of(model: &Model) -> Self {
        Self {
            name: "this network".to_owned(),
            train_accuracy: model.metrics.train.accuracy,
            validation_accuracy: None,
            test_accuracy: model.metrics.test.accuracy,
            operations: model.size.operations,
            bytes: table_bytes(&model.network),
        }
    }

    /// One sentence if some baseline needs neither more operations nor more bytes than the model and
    /// is as good on the test rows: at most one standard error of the model's accuracy below it.
    /// With class weights there is none, since the model was not made for accuracy.
    pub fn remark(baselines: &[Self], model: &Model) -> Option<String> {
        let (own, rows) = (Self::of(model), model.metrics.test.rows);
        if rows == 0 || is_weighted(&model.settings.data) {
            return None;
        }
        let p = own.test_accuracy;
        let error = (p * (1.0 - p) / rows as f64).sqrt();
        let is_simpler = |c: &&Self| c.operations <= own.operations && c.bytes <= own.bytes;
        let simpler = baselines.iter().filter(is_simpler);
        let best = simpler.filter(|c| c.test_accuracy >= p - error).reduce(|a, b| {
            let order = b.test_accuracy.total_cmp(&a.test_accuracy);
            let order = order.then(a.operations.cmp(&b.operations));
            if order.then(a.bytes.cmp(&b.bytes)).is_gt() { b } else { a }
        })?;
        let Self { name, test_accuracy, operations, bytes, .. } = best;
        let word = if *test_accuracy > p + error { "better" } else { "as good" };
        let count = |n: usize, thing| format!("{n} {thing}{}", if n == 1 { "" } else { "s" });
        let cost = [count(*operations, "operation"), count(*bytes, "byte")].join(" and ");
        Some(format!("{name} is {word} here: {test_accuracy:.4} with {cost}"))
    }
}

fn is_weighted(config: &DataConfig) -> bool {
    config.class_weight != ClassWeight::None || config.weight.is_some()
}

/// Makes all baselines. Those that would take too long on so many features are left out.
pub(crate) fn baselines(
    prepared: &PreparedData,
    seed: u64,
) -> Result<Vec<BaselineResult>, FitError> {
    let classes = prepared.task.classes().len();
    let rows = |part| rows(part, classes);
    let (train, test) = (rows(&prepared.train)?, rows(&prepared.test)?);
    let made = prepared.task.kind().baselines().par_iter().map(|baseline| {
        match baseline.fit(&train, seed) {
            Ok(classifier) => {
                let cost = classifier.cost();
                Ok(Some(BaselineResult {
                    name: baseline.name.to_owned(),
                    train_accuracy: classifier.accuracy(&train),
                    validation_accuracy: validated(baseline, &train, seed),
                    test_accuracy: classifier.accuracy(&test),
                    operations: cost.operations,
                    bytes: cost.bytes,
                }))
            }
            Err(BaselineError::TooLarge { .. }) => Ok(None),
            Err(BaselineError::Evaluation(error)) => Err(FitError::from(error)),
        }
    });
    let made = made.collect::<Result<Vec<Option<BaselineResult>>, FitError>>()?;
    Ok(made.into_iter().flatten().collect())
}

/// A validation that fails says nothing about the fit, so it gives no figure.
fn validated(baseline: &Baseline, rows: &LabelledRows<'_>, seed: u64) -> Option<f64> {
    baseline.validation_accuracy(rows, seed).ok().flatten()
}

fn rows(part: &Part, classes: usize) -> Result<LabelledRows<'_>, EvaluationError> {
    LabelledRows::new(&part.columns, &part.labels, classes)
}
