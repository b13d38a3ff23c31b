//! Gradient-boosted stumps: a sum of steps, each of one feature (Friedman 2001).
//!
//! Each round adds the step that lowers the squared error most, shortened to a tenth. Steps at the
//! same place become one, so the model is a constant and a list of `if x > threshold, add value`.
//! Validation rows choose the number of rounds.

use mge_net::Columns;
use rayon::prelude::*;

use super::rows::{TargetRows, squared_errors};
use super::{BaselineRegressor, RegressionBaseline};
use crate::PredictionCost;
use crate::bins::{BinnedFeatures, MAX_BINS};
use crate::model_selection::{shuffled, simplest_within_one_error};

pub(super) const BASELINE: RegressionBaseline = RegressionBaseline {
    name: "boosted stumps",
    summary: "A sum of steps, each of one feature, by gradient boosting.",
    max_features: Some(1 << 12),
    fit: |rows, seed| Box::new(BoostedStumps::fit(rows, seed)),
};

/// The fraction of a step that is taken.
const RATE: f64 = 0.1;
/// The largest number of rounds, and how many there are between two candidates.
const MAX_ROUNDS: usize = 500;
const ROUNDS_BETWEEN: usize = 10;
/// Features times rows of a fit; of a larger table a sample of the rows takes part.
const MAX_CELLS: usize = 2_000_000;
const MIN_ROWS: usize = 1_000;

/// A constant and steps.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct BoostedStumps {
    features: usize,
    constant: f64,
    /// In ascending order of feature and threshold.
    steps: Vec<Step>,
}

/// What is added to the prediction above a threshold.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Step {
    feature: usize,
    threshold: f32,
    value: f64,
}

impl BoostedStumps {
    /// Chooses the number of rounds and boosts.
    pub(super) fn fit(rows: &TargetRows<'_>, seed: u64) -> Self {
        let max_rows = (MAX_CELLS / rows.columns.count().max(1)).max(MIN_ROWS);
        let sample;
        let sampled = if rows.len() > max_rows {
            let mut order = shuffled(rows.len(), seed);
            order.truncate(max_rows);
            order.sort_unstable();
            sample = rows.take(&order);
            &sample.rows()
        } else {
            rows
        };
        let splits = sampled.validation_splits(max_rows, seed);
        let scored: Vec<Vec<Vec<f64>>> = splits
            .par_iter()
            .map(|split| {
                let (train, validation) =
                    (sampled.take(&split.train), sampled.take(&split.validation));
                let mut boosting = Boosting::new(&train.rows());
                let mut predicted = vec![boosting.constant; validation.rows().len()];
                let mut errors = vec![squared_errors(&predicted, validation.rows().values)];
                for round in 1..=MAX_ROUNDS {
                    let step = boosting.round();
                    if let Some((feature, bin, low, high)) = step {
                        let threshold = boosting.bins.features()[feature].thresholds[bin];
                        let values = validation.rows().columns.column(feature);
                        for (sum, &x) in predicted.iter_mut().zip(values) {
                            *sum += if x > threshold { high } else { low };
                        }
                    }
                    if round % ROUNDS_BETWEEN == 0 {
                        errors.push(squared_errors(&predicted, validation.rows().values));
                    }
                }
                errors
            })
            .collect();
        let candidates = MAX_ROUNDS / ROUNDS_BETWEEN + 1;
        let of_rounds =
            |index: usize| scored.iter().flat_map(|errors| errors[index].clone()).collect();
        let losses: Vec<Vec<f64>> = (0..candidates).map(of_rounds).collect();
        let rounds = simplest_within_one_error(&losses) * ROUNDS_BETWEEN;
        Self::with_rounds(sampled, rounds)
    }

    /// Boosts for so many rounds.
    pub(super) fn with_rounds(rows: &TargetRows<'_>, rounds: usize) -> Self {
        let mut boosting = Boosting::new(rows);
        let mut steps: Vec<Vec<f64>> =
            boosting.bins.features().iter().map(|f| vec![0.0; f.thresholds.len()]).collect();
        let mut constant = boosting.constant;
        for _ in 0..rounds {
            let Some((feature, bin, low, high)) = boosting.round() else { break };
            constant += low;
            steps[feature][bin] += high - low;
        }
        let mut list = Vec::new();
        for (feature, (values, binned)) in steps.iter().zip(boosting.bins.features()).enumerate() {
            let used = values.iter().zip(&binned.thresholds).filter(|(value, _)| **value != 0.0);
            list.extend(used.map(|(&value, &threshold)| Step { feature, threshold, value }));
        }
        Self { features: rows.columns.count(), constant, steps: list }
    }
}

/// The state of boosting.
struct Boosting {
    bins: BinnedFeatures,
    constant: f64,
    /// The target less the prediction.
    residuals: Vec<f64>,
    /// The rows of each bin of each feature.
    counts: Vec<Vec<u32>>,
}

impl Boosting {
    fn new(rows: &TargetRows<'_>) -> Self {
        let (bins, constant) = (BinnedFeatures::new(rows.columns), rows.mean());
        let counts = bins.features().iter().map(|feature| {
            let mut counts = vec![0; MAX_BINS];
            feature.of_row.iter().for_each(|&bin| counts[usize::from(bin)] += 1);
            counts
        });
        let counts = counts.collect();
        let residuals = rows.values.iter().map(|value| value - constant).collect();
        Self { bins, constant, residuals, counts }
    }

    /// Adds the best step: its feature, its bin, and what rows up to that bin and above it get.
    fn round(&mut self) -> Option<(usize, usize, f64, f64)> {
        let features = (0..self.bins.features().len()).into_par_iter().with_min_len(8);
        let found: Vec<Option<(f64, usize, f64, f64)>> =
            features.map(|feature| self.best_of(feature)).collect();
        let mut best: Option<(usize, (f64, usize, f64, f64))> = None;
        for (feature, found) in found.into_iter().enumerate() {
            if let Some(found) = found
                && best.is_none_or(|(_, best)| found.0 > best.0 * (1.0 + 1e-12))
            {
                best = Some((feature, found));
            }
        }
        let (feature, (_, bin, low, high)) = best?;
        let (low, high) = (RATE * low, RATE * high);
        let of_row = &self.bins.features()[feature].of_row;
        for (residual, &row_bin) in self.residuals.iter_mut().zip(of_row) {
            *residual -= if usize::from(row_bin) > bin { high } else { low };
        }
        Some((feature, bin, low, high))
    }

    /// The best border of one feature: the fall of squared errors, the bin, and the means.
    fn best_of(&self, feature: usize) -> Option<(f64, usize, f64, f64)> {
        let binned = &self.bins.features()[feature];
        let mut sums = [0.0f64; MAX_BINS];
        for (&bin, residual) in binned.of_row.iter().zip(&self.residuals) {
            sums[usize::from(bin)] += residual;
        }
        let rows = self.residuals.len() as f64;
        let all: f64 = sums.iter().sum();
        let (mut count, mut sum) = (0.0, 0.0);
        let mut best: Option<(f64, usize, f64, f64)> = None;
        let bins = self.counts[feature].iter().zip(&sums).take(binned.thresholds.len());
        for (bin, (own_count, own_sum)) in bins.enumerate() {
            count += f64::from(*own_count);
            sum += own_sum;
            let rest = rows - count;
            if count == 0.0 || rest == 0.0 {
                continue;
            }
            let (low, high) = (sum / count, (all - sum) / rest);
            let gain = sum * low + (all - sum) * high;
            if gain > 0.0 && best.is_none_or(|best| gain > best.0 * (1.0 + 1e-12)) {
                best = Some((gain, bin, low, high));
            }
        }
        best
    }
}

impl BaselineRegressor for BoostedStumps {
    fn predict(&self, columns: &Columns) -> Vec<f64> {
        assert_eq!(columns.count(), self.features, "columns must match the training rows");
        let mut sums = vec![self.constant; columns.rows()];
        for step in &self.steps {
            for (sum, &x) in sums.iter_mut().zip(columns.column(step.feature)) {
                *sum += if x > step.threshold { step.value } else { 0.0 };
            }
        }
        sums
    }

    /// Two operations for each step, a comparison and an addition. A step takes one byte for its
    /// feature (two beyond 256 features), four for its threshold and four for its value; the
    /// constant takes four.
    fn cost(&self) -> PredictionCost {
        let feature = if self.features <= 256 { 1 } else { 2 };
        let steps = self.steps.len();
        PredictionCost { operations: 2 * steps, bytes: steps * (feature + 8) + 4 }
    }
}
