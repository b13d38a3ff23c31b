//! Baselines: what simpler models reach on the same rows.
//!
//! They are made from the training rows that the search saw, and measured on the same test rows.
//! They know no class weights. Which ones there are is up to the kind of target.

mod classes;
mod values;

use crate::FitError;
use crate::model::Model;
use crate::prepared_data::PreparedData;
use crate::task::RowTargets;
use crate::{ClassWeight, DataConfig};
use mge_baseline::BaselineError;
use mge_net::table_bytes;
use serde::{Deserialize, Serialize};
use std::path::Path;

/// A simpler model on the same split.
///
/// Accuracies are R2 if the target is a number, as in [`Metrics`](crate::net::Metrics).
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
    /// The errors, if the target is a number.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub errors: Option<BaselineErrors>,
}

/// The errors of a simpler model of numbers, in the units of the target. With several targets they
/// are means over targets.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BaselineErrors {
    /// The root of the mean squared error on training rows.
    pub train_rmse: f64,
    /// The same on training rows that its fit did not see. `None` for a network.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub validation_rmse: Option<f64>,
    /// The same on test rows.
    pub test_rmse: f64,
    /// The mean absolute error on test rows.
    pub test_mae: f64,
    /// The standard error of R2 on the test rows. `None` for a network.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub r2_error: Option<f64>,
}

impl BaselineResult {
    /// The baselines in a file, or none if there is no such file or it holds none.
    pub fn read(path: &Path) -> Vec<Self> {
        let read = || serde_json::from_slice(&std::fs::read(path).ok()?).ok();
        read().unwrap_or_default()
    }

    /// A model in a list of baselines, called `this network`.
    pub fn of(model: &Model) -> Self {
        let (train, test) = (&model.metrics.train, &model.metrics.test);
        let errors = test.values.as_ref().map(|values| BaselineErrors {
            train_rmse: train.rmse,
            validation_rmse: None,
            test_rmse: test.rmse,
            test_mae: values.mae,
            r2_error: None,
        });
        Self {
            name: "this network".to_owned(),
            train_accuracy: model.metrics.train.accuracy,
            validation_accuracy: None,
            test_accuracy: model.metrics.test.accuracy,
            operations: model.size.operations,
            bytes: table_bytes(&model.network),
            errors,
        }
    }

    /// One sentence if some baseline needs neither more operations nor more bytes than the model and
    /// is as good on the test rows: at most one standard error of accuracy or R2 below it. That
    /// error is of the model's accuracy, or of the baseline's R2. With class weights there is no
    /// sentence, since the model was not made for accuracy.
    pub fn remark(baselines: &[Self], model: &Model) -> Option<String> {
        let (own, rows) = (Self::of(model), model.metrics.test.rows);
        if rows == 0 || is_weighted(&model.settings.data) {
            return None;
        }
        let p = own.test_accuracy;
        let of_accuracy = (p * (1.0 - p) / rows as f64).max(0.0).sqrt();
        let error = |c: &Self| c.errors.map_or(of_accuracy, |e| e.r2_error.unwrap_or(0.0));
        let is_simpler = |c: &&Self| c.operations <= own.operations && c.bytes <= own.bytes;
        let simpler = baselines.iter().filter(is_simpler);
        let best = simpler.filter(|c| c.test_accuracy >= p - error(c)).reduce(|a, b| {
            let order = b.test_accuracy.total_cmp(&a.test_accuracy);
            let order = order.then(a.operations.cmp(&b.operations));
            if order.then(a.bytes.cmp(&b.bytes)).is_gt() { b } else { a }
        })?;
        let Self { name, test_accuracy, operations, bytes, .. } = best;
        let word = if *test_accuracy > p + error(best) { "better" } else { "as good" };
        let count = |n: usize, thing| format!("{n} {thing}{}", if n == 1 { "" } else { "s" });
        let cost = [count(*operations, "operation"), count(*bytes, "byte")].join(" and ");
        let figure = match best.errors {
            None => format!("{test_accuracy:.4}"),
            Some(_) if model.network.outputs().len() > 1 => format!("mean R2 {test_accuracy:.4}"),
            Some(errors) => format!("RMSE {}, R2 {test_accuracy:.4}", rounded(errors.test_rmse)),
        };
        Some(format!("{name} is {word} here: {figure} with {cost}"))
    }
}

/// A number in about five digits.
fn rounded(value: f64) -> String {
    if value != 0.0 && !(1e-3..1e6).contains(&value) {
        return format!("{value:.3e}");
    }
    let whole = [10.0, 100.0, 1e3, 1e4].iter().filter(|limit| value >= **limit).count();
    format!("{value:.*}", 4 - whole)
}

fn is_weighted(config: &DataConfig) -> bool {
    config.class_weight != ClassWeight::None
}

/// Makes all baselines. Those that would take too long on so many features are left out.
pub(crate) fn baselines(
    prepared: &PreparedData,
    seed: u64,
) -> Result<Vec<BaselineResult>, FitError> {
    let (train, test) = (&prepared.train, &prepared.test);
    let made = match (&train.targets, &test.targets) {
        (RowTargets::Values(of_train), RowTargets::Values(of_test)) => values::all(
            (&train.columns, of_train.original()),
            (&test.columns, of_test.original()),
            seed,
        ),
        _ => classes::all(train, test, prepared.task.classes().len(), seed),
    };
    let left_in = made.into_iter().filter_map(|made| match made {
        Ok(result) => Some(Ok(result)),
        Err(BaselineError::TooLarge { .. }) => None,
        Err(BaselineError::Evaluation(error)) => Some(Err(FitError::from(error))),
        Err(BaselineError::Value { .. }) => None,
    });
    left_in.collect()
}
