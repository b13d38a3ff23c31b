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

    /// A sentence about the most accurate baseline if it is more accurate than the model on the test
    /// rows, and one if a baseline that needs neither more operations nor more bytes is as good: at
    /// most one standard error of accuracy or R2 below it. That error is of the model's accuracy, or
    /// of the baseline's R2. `None` where neither holds. With class weights there is none, since the
    /// model was not made for accuracy.
    pub fn remark(baselines: &[Self], model: &Model) -> Option<String> {
        let (own, rows) = (Self::of(model), model.metrics.test.rows);
        if rows == 0 || is_weighted(&model.settings.data) {
            return None;
        }
        let p = own.test_accuracy;
        let of_accuracy = (p * (1.0 - p) / rows as f64).max(0.0).sqrt();
        let error = |c: &Self| c.errors.map_or(of_accuracy, |e| e.r2_error.unwrap_or(0.0));
        let better = Self::best(baselines.iter().filter(|c| c.test_accuracy > p));
        let is_simpler = |c: &&Self| c.operations <= own.operations && c.bytes <= own.bytes;
        let is_as_good = |c: &&Self| c.test_accuracy >= p - error(c);
        let simpler = Self::best(baselines.iter().filter(is_simpler).filter(is_as_good));
        let simpler = simpler.filter(|simpler| better.is_none_or(|better| better != *simpler));
        let outputs = model.network.outputs().len();
        let better = better.map(|c| {
            let error = error(c);
            let chance = if c.test_accuracy <= p + error {
                format!("; within one standard error, {error:.4}")
            } else {
                String::new()
            };
            let (name, figure, cost) = (&c.name, c.figure(outputs), c.cost());
            let own = own.figure(outputs);
            format!("{name} is more accurate here: {figure} against {own}, with {cost}{chance}")
        });
        let simpler = simpler.map(|c| {
            let (name, figure, cost) = (&c.name, c.figure(outputs), c.cost());
            format!("{name} is as good here: {figure} with {cost}")
        });
        let sentences: Vec<String> = better.into_iter().chain(simpler).collect();
        (!sentences.is_empty()).then(|| sentences.join("\n"))
    }

    /// The most accurate; of equals that with the fewest operations, then bytes.
    fn best<'b>(baselines: impl Iterator<Item = &'b Self>) -> Option<&'b Self> {
        baselines.reduce(|a, b| {
            let order = b.test_accuracy.total_cmp(&a.test_accuracy);
            let order = order.then(a.operations.cmp(&b.operations));
            if order.then(a.bytes.cmp(&b.bytes)).is_gt() { b } else { a }
        })
    }

    /// The accuracy; of numbers RMSE and R2, or the mean R2 of several outputs.
    fn figure(&self, outputs: usize) -> String {
        match self.errors {
            None => format!("{:.4}", self.test_accuracy),
            Some(_) if outputs > 1 => format!("mean R2 {:.4}", self.test_accuracy),
            Some(e) => format!("RMSE {}, R2 {:.4}", rounded(e.test_rmse), self.test_accuracy),
        }
    }

    /// `12 operations and 1 byte`.
    fn cost(&self) -> String {
        let count = |n: usize, thing| format!("{n} {thing}{}", if n == 1 { "" } else { "s" });
        [count(self.operations, "operation"), count(self.bytes, "byte")].join(" and ")
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
    config.class_weight != ClassWeight::None || config.weight.is_some()
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
