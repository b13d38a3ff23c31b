//! What is kept of a finished run: one line of the store.

use crate::RunEntry;
use mge::data::Fingerprint;
use mge::evolve::Record;
use mge::net::{Metrics, Size};
use mge::{Fitted, SearchRecord};
use serde::{Deserialize, Serialize};

/// A finished run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RunRecord {
    /// The key of the entry.
    pub key: String,
    /// What was run.
    pub entry: RunEntry,
    /// On the rows that evolution saw.
    pub train: PartFigures,
    /// On the rows that nothing saw.
    pub test: PartFigures,
    /// How large the network is.
    pub size: Size,
    /// How the search went.
    pub search: SearchRecord,
    /// Some generations of the search, the first and the last among them.
    pub curve: Vec<CurvePoint>,
    /// Identifies the data.
    pub fingerprint: Fingerprint,
    /// Seconds of search: with the version the only part that differs between equal runs.
    pub seconds: f64,
    /// The version that ran it.
    pub mge_version: String,
    /// How that version behaves: [`RunEntry::behaviour`].
    #[serde(default)]
    pub behaviour: u32,
}

/// The metrics of one part of the rows.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the names say it")]
pub struct PartFigures {
    pub rows: usize,
    pub accuracy: f64,
    pub rmse: f64,
    pub loss: f64,
}

/// One generation of a search.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct CurvePoint {
    /// Populations evaluated so far.
    pub generation: u64,
    /// Individuals evaluated so far.
    pub evaluations: u64,
    /// Loss of the fittest; `None` while there is no valid individual.
    pub best_loss: Option<f64>,
    /// Individuals so far that mapped to nothing.
    pub invalid_individuals: u64,
}

/// Points that a curve has at most: enough to draw, little enough to keep.
const CURVE_POINTS: usize = 101;

impl RunRecord {
    /// What a fit says.
    pub(crate) fn new(entry: &RunEntry, fitted: Fitted) -> Self {
        let model = fitted.model;
        Self {
            key: entry.key(),
            entry: entry.clone(),
            train: PartFigures::of(&model.metrics.train),
            test: PartFigures::of(&model.metrics.test),
            size: model.size,
            search: model.search,
            curve: curve(&fitted.history),
            fingerprint: model.data.fingerprint,
            seconds: model.run.seconds,
            mge_version: model.run.mge_version,
            behaviour: entry.algorithm_version(),
        }
    }
}

impl PartFigures {
    fn of(metrics: &Metrics) -> Self {
        let Metrics { rows, accuracy, rmse, loss, .. } = *metrics;
        Self { rows, accuracy, rmse, loss }
    }
}

fn curve(history: &[Record]) -> Vec<CurvePoint> {
    let step = history.len().div_ceil(CURVE_POINTS - 1).max(1);
    let mut invalid_individuals = 0;
    let mut points = Vec::new();
    for (place, record) in history.iter().enumerate() {
        invalid_individuals += record.invalid_individuals;
        if place % step == 0 || place + 1 == history.len() {
            points.push(CurvePoint {
                generation: record.generation,
                evaluations: record.evaluations,
                best_loss: Some(record.best_loss).filter(|loss| loss.is_finite()),
                invalid_individuals,
            });
        }
    }
    points
}
