//! The result of a run: one line of the store.

use crate::RunEntry;
use mge::data::Fingerprint;
use mge::evolve::Record;
use mge::net::{Metrics, Size};
use mge::{Fitted, SearchRecord};
use serde::{Deserialize, Serialize};

/// A finished run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct FinishedRun {
    /// The key of the run: [`RunEntry::key`].
    pub key: String,
    /// The run.
    pub entry: RunEntry,
    /// The metrics on the training rows.
    pub train: SplitMetrics,
    /// The metrics on the test rows, which training does not see.
    pub test: SplitMetrics,
    /// The size of the network.
    pub size: Size,
    /// A summary of the search.
    pub search: SearchRecord,
    /// The learning curve: some generations of the search, including the first and the last.
    pub curve: Vec<LearningCurvePoint>,
    /// The fingerprint of the data.
    pub fingerprint: Fingerprint,
    /// Seconds of search. Only this and the version differ between equal runs.
    pub seconds: f64,
    /// The program version that ran it.
    pub mge_version: String,
    /// The algorithm version of the method: [`RunEntry::algorithm_version`].
    #[serde(default, alias = "behaviour")]
    pub algorithm_version: u32,
}

/// The metrics of one part of the rows. If the target is a number, `accuracy` is R2, and errors are
/// in the units of the target.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the names say it")]
pub struct SplitMetrics {
    pub rows: usize,
    pub accuracy: f64,
    pub rmse: f64,
    pub loss: f64,
    /// The mean absolute error; `None` for classes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mae: Option<f64>,
    /// The median absolute error; `None` for classes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub median_absolute_error: Option<f64>,
}

/// One generation of a search.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct LearningCurvePoint {
    /// Generations so far.
    pub generation: u64,
    /// Individuals evaluated so far.
    pub evaluations: u64,
    /// The loss of the fittest individual; `None` while there is no valid one.
    pub best_loss: Option<f64>,
    /// Individuals so far that map to no network.
    pub invalid_individuals: u64,
}

/// The largest number of points of a learning curve: enough for a chart, and small in the store.
const MAX_CURVE_POINTS: usize = 101;

impl FinishedRun {
    /// Whether the target is a number.
    pub fn is_regression(&self) -> bool {
        self.test.mae.is_some()
    }

    /// The record of a completed fit.
    pub(crate) fn new(entry: &RunEntry, fitted: Fitted) -> Self {
        let model = fitted.model;
        Self {
            key: entry.key(),
            entry: entry.clone(),
            train: SplitMetrics::of(&model.metrics.train),
            test: SplitMetrics::of(&model.metrics.test),
            size: model.size,
            search: model.search,
            curve: curve(&fitted.history),
            fingerprint: model.data.fingerprint,
            seconds: fitted.run.seconds,
            mge_version: fitted.run.mge_version,
            algorithm_version: entry.algorithm_version(),
        }
    }
}

impl SplitMetrics {
    fn of(metrics: &Metrics) -> Self {
        let Metrics { rows, accuracy, rmse, loss, .. } = *metrics;
        let mae = metrics.values.as_ref().map(|values| values.mae);
        let median_absolute_error =
            metrics.values.as_ref().map(|values| values.median_absolute_error);
        Self { rows, accuracy, rmse, loss, mae, median_absolute_error }
    }
}

fn curve(history: &[Record]) -> Vec<LearningCurvePoint> {
    let step = history.len().div_ceil(MAX_CURVE_POINTS - 1).max(1);
    let mut invalid_individuals = 0;
    let mut points = Vec::new();
    for (index, record) in history.iter().enumerate() {
        invalid_individuals += record.invalid_individuals;
        if index % step == 0 || index + 1 == history.len() {
            points.push(LearningCurvePoint {
                generation: record.generation,
                evaluations: record.evaluations,
                best_loss: Some(record.best_loss).filter(|loss| loss.is_finite()),
                invalid_individuals,
            });
        }
    }
    points
}
