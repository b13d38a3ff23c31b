//! Cross-validation: how good the settings are on a table, measured on every row of it.
//!
//! Each fold is a fit of its own, scaling included, so no model sees a row that tests it. The final
//! model is trained on all rows, because more rows make a better model. No row is left to test it
//! on, so its test metrics are those of the folds together. A data set with a test part of its own
//! keeps it: folds are made of its training rows, and the final model is measured on the test part.

use crate::fit::{Fitted, PreparedFit};
use crate::model::{Model, SplitRecord};
use crate::prepared_data::{PreparedData, TestRows};
use crate::run_options::RunOptions;
use crate::{FitError, ResolvedSettings};
use mge_data::{DataError, Loaded, SplitError};
use mge_net::{Metrics, ValueMetrics};
use serde::{Deserialize, Serialize};

/// A cross-validation: the fits of its folds and of the final model.
///
/// ```
/// let data = mge::data::load("wine", &Default::default())?;
/// let mut settings = mge::Settings { seed: Some(7), ..Default::default() };
/// settings.data.folds = Some(3);
/// settings.stop.generations = Some(1);
/// let folds = mge::Folds::new(&data, settings.resolve(&data)?)?;
/// let fitted = folds.run(mge::RunOptions::new())?;
/// let result = fitted.model.cross_validation.expect("there are three folds");
/// println!("accuracy {:.3} +- {:.3}", result.accuracy.mean, result.accuracy.deviation);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Folds<'d> {
    data: &'d Loaded,
    settings: ResolvedSettings,
    count: usize,
}

/// The mean of a metric over the folds, and its standard deviation.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Spread {
    /// The mean.
    pub mean: f64,
    /// The standard deviation of a sample (divided by folds - 1).
    pub deviation: f64,
}

impl Spread {
    pub(crate) fn of(values: impl Iterator<Item = f64> + Clone) -> Self {
        let count = values.clone().count() as f64;
        let mean = values.clone().sum::<f64>() / count;
        let squares: f64 = values.map(|x| (x - mean) * (x - mean)).sum();
        Self { mean, deviation: (squares / (count - 1.0).max(1.0)).sqrt() }
    }
}

/// The metrics of the folds, each on the rows that it did not train on.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CrossValidation {
    /// How many folds.
    pub folds: usize,
    /// The fraction of right answers.
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
    /// Folds of the data's rows. Their number is that of the settings, by default 10.
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
    ///
    /// # Errors
    /// When data or settings cannot be used.
    pub fn prepare<'a>(
        &self,
        fold: usize,
        options: RunOptions<'a>,
    ) -> Result<PreparedFit<'a>, FitError> {
        self.prepare_on(TestRows::Fold(fold), options)
    }

    /// The fit of the final model.
    ///
    /// # Errors
    /// When data or settings cannot be used.
    pub fn prepare_final<'a>(&self, options: RunOptions<'a>) -> Result<PreparedFit<'a>, FitError> {
        let has_test_part = self.data.standard_test.is_some();
        let rows = if has_test_part { TestRows::Default } else { TestRows::None };
        self.prepare_on(rows, options)
    }

    fn prepare_on<'a>(
        &self,
        rows: TestRows<'_>,
        options: RunOptions<'a>,
    ) -> Result<PreparedFit<'a>, FitError> {
        let prepared = PreparedData::new(self.data, rows, &self.settings)?;
        PreparedFit::new(self.data, prepared, self.settings.clone(), options)
    }

    /// Adds the metrics of the folds to the final model.
    fn conclude(&self, mut last: Fitted, folds: &[Model]) -> Fitted {
        let spread = |metric: fn(&Model) -> f64| Spread::of(folds.iter().map(metric));
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

    /// Fits every fold, then the final model. The observers watch all of them.
    ///
    /// # Errors
    /// When data or settings cannot be used, and when a fit finds nothing.
    pub fn run(&self, options: RunOptions<'_>) -> Result<Fitted, FitError> {
        let options = options.split();
        // The models of folds are not kept, so only the final one is compared with baselines.
        let fit_fold = |fold| Ok(self.prepare(fold, options().baselines(false))?.run()?.model);
        self.fit_all(fit_fold, || self.prepare_final(options())?.run())
    }

    /// Does every fold, then the final model, and adds the metrics of the folds to it. The caller
    /// says how: it may keep the models of folds, and need not fit one that it has kept.
    ///
    /// # Errors
    /// The first error of a fit; no further fit begins.
    pub fn fit_all<E>(
        &self,
        fit_fold: impl FnMut(usize) -> Result<Model, E>,
        fit_last: impl FnOnce() -> Result<Fitted, E>,
    ) -> Result<Fitted, E> {
        let models = (0..self.count).map(fit_fold).collect::<Result<Vec<Model>, E>>()?;
        Ok(self.conclude(fit_last()?, &models))
    }
}

/// The metrics of several parts as those of all their rows.
fn together<'m>(parts: impl Iterator<Item = &'m Metrics> + Clone) -> Metrics {
    let rows: usize = parts.clone().map(|part| part.rows).sum();
    let mean = |metric: fn(&Metrics) -> f64| {
        let sum: f64 = parts.clone().map(|part| part.rows as f64 * metric(part)).sum();
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
        values: ValueMetrics::of_parts(parts.filter_map(|p| Some((p.rows, p.values.as_ref()?)))),
    }
}
