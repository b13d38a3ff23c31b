//! Cross-validation: how good the settings are on a table, measured on every row of it.
//!
//! Each fold is a fit of its own, scaler included, so a test row is never seen by the model that
//! answers for it. The final model is then trained on all rows, because more rows make a better
//! model; its test figures are those of the folds together, since no row is left to test it on.
//! A data set with a test part of its own keeps it: folds are made of its training rows, and the
//! final model is measured on the test part.

use crate::fit::{Fit, Fitted, PreparedFit};
use crate::model::{Model, SplitRecord};
use crate::prepare::{Prepared, TestRows};
use crate::{FitError, ResolvedSettings};
use mge_data::{DataError, Loaded, SplitError};
use mge_net::Metrics;
use serde::{Deserialize, Serialize};

/// A cross-validation that is to be done.
///
/// ```
/// let data = mge::data::load("wine", &Default::default())?;
/// let mut settings = mge::Settings { seed: Some(7), ..Default::default() };
/// settings.data.folds = Some(3);
/// settings.stop.generations = Some(1);
/// let resolved = mge::Fit::with(settings).resolve(&data)?;
/// let folds = mge::Folds::new(&data, resolved)?;
/// let fitted = folds.run(|| mge::Fit::new())?;
/// let result = fitted.model.cross_validation.expect("it was done");
/// println!("accuracy {:.3} +- {:.3}", result.accuracy.mean, result.accuracy.deviation);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Folds<'d> {
    data: &'d Loaded,
    settings: ResolvedSettings,
    count: usize,
}

/// The mean of a figure over the folds, and how far single folds are from it.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Spread {
    /// The mean.
    pub mean: f64,
    /// The standard deviation of a sample (divided by folds - 1).
    pub deviation: f64,
}

impl Spread {
    fn of(values: impl Iterator<Item = f64> + Clone) -> Self {
        let count = values.clone().count() as f64;
        let mean = values.clone().sum::<f64>() / count;
        let squares: f64 = values.map(|x| (x - mean) * (x - mean)).sum();
        Self { mean, deviation: (squares / (count - 1.0).max(1.0)).sqrt() }
    }
}

/// What the folds say, each on the rows that it did not train on.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CrossValidation {
    /// How many folds.
    pub folds: usize,
    /// Share of right answers.
    pub accuracy: Spread,
    /// Root mean square error.
    pub rmse: Spread,
    /// Hidden neurons.
    pub neurons: Spread,
    /// Operations of a prediction.
    pub operations: Spread,
    /// The accuracy of each fold.
    pub accuracies: Vec<f64>,
}

impl<'d> Folds<'d> {
    /// Folds of the data's rows, as many as the settings say (10 if they say nothing).
    pub fn new(data: &'d Loaded, mut settings: ResolvedSettings) -> Result<Self, FitError> {
        let count = *settings.data.folds.get_or_insert(10);
        let rows = data.table.rows();
        if count < 2 || count > rows {
            return Err(DataError::from(SplitError::Folds { folds: count, rows }).into());
        }
        Ok(Self { data, settings, count })
    }

    /// How many folds.
    pub fn count(&self) -> usize {
        self.count
    }

    /// The fit of one fold, from 0.
    pub fn prepare<'a>(&self, fold: usize, fit: Fit<'a>) -> Result<PreparedFit<'a>, FitError> {
        self.ready(TestRows::Fold(fold), fit)
    }

    /// The fit of the final model.
    pub fn prepare_final<'a>(&self, fit: Fit<'a>) -> Result<PreparedFit<'a>, FitError> {
        let own_test = self.data.standard_test.is_some();
        self.ready(if own_test { TestRows::Usual } else { TestRows::None }, fit)
    }

    fn ready<'a>(&self, rows: TestRows<'_>, fit: Fit<'a>) -> Result<PreparedFit<'a>, FitError> {
        let prepared = Prepared::new(self.data, rows, &self.settings)?;
        fit.prepare_with(self.data, prepared, self.settings.clone())
    }

    /// Gives the final model what the models of the folds say.
    pub fn conclude(&self, mut last: Fitted, folds: &[Model]) -> Fitted {
        let spread = |figure: fn(&Model) -> f64| Spread::of(folds.iter().map(figure));
        last.model.cross_validation = Some(CrossValidation {
            folds: folds.len(),
            accuracy: spread(|model| model.metrics.test.accuracy),
            rmse: spread(|model| model.metrics.test.rmse),
            neurons: spread(|model| model.size.neurons as f64),
            operations: spread(|model| model.size.operations as f64),
            accuracies: folds.iter().map(|model| model.metrics.test.accuracy).collect(),
        });
        if matches!(last.model.data.split, SplitRecord::Folds { .. }) {
            last.model.metrics.test = together(folds.iter().map(|model| &model.metrics.test));
        }
        last
    }

    /// Does it all, with a new [`Fit`] for each fold and one for the final model.
    pub fn run<'a>(&self, fit: impl Fn() -> Fit<'a>) -> Result<Fitted, FitError> {
        let mut models = Vec::with_capacity(self.count);
        for fold in 0..self.count {
            models.push(self.prepare(fold, fit())?.run()?.model);
        }
        let last = self.prepare_final(fit())?.run()?;
        Ok(self.conclude(last, &models))
    }
}

/// The metrics of several parts as those of all their rows.
fn together<'m>(parts: impl Iterator<Item = &'m Metrics> + Clone) -> Metrics {
    let rows: usize = parts.clone().map(|part| part.rows).sum();
    let mean = |figure: fn(&Metrics) -> f64| {
        let sum: f64 = parts.clone().map(|part| part.rows as f64 * figure(part)).sum();
        sum / rows.max(1) as f64
    };
    let mut confusion: Vec<Vec<u64>> = Vec::new();
    for part in parts.clone() {
        confusion.resize(part.confusion.len(), vec![0; part.confusion.len()]);
        for (all, row) in confusion.iter_mut().zip(&part.confusion) {
            all.iter_mut().zip(row).for_each(|(all, count)| *all += count);
        }
    }
    Metrics {
        rows,
        loss: mean(|part| part.loss),
        accuracy: mean(|part| part.accuracy),
        rmse: mean(|part| part.rmse * part.rmse).sqrt(),
        confusion,
    }
}
