//! Linear regression with an L1 penalty (the lasso, Tibshirani 1996), which leaves out features.
//!
//! Coordinate descent computes solutions of decreasing strength, the regularization path. Each
//! solution starts from the previous one and trains only features that the strong rule keeps
//! (Tibshirani and others 2012); a last look at all features finds those that it missed. The
//! strongest penalty within one standard error of the best on validation rows is taken.

use rayon::prelude::*;

use super::RegressionBaseline;
use super::linear_model::LinearModel;
use super::moments::{StandardRows, dot};
use super::rows::TargetRows;
use crate::model_selection::simplest_within_one_error;

pub(super) const BASELINE: RegressionBaseline = RegressionBaseline {
    name: "L1 regression",
    summary: "Linear regression with an L1 penalty, which leaves out features.",
    max_features: Some(1 << 14),
    fit: |rows, seed| Box::new(fit(rows, seed)),
};

/// The number of strengths on the path: eight for each power of ten. The first one leaves no
/// feature, the last one is a thousandth of it.
const STRENGTHS: usize = 25;
/// Of a large table, so many rows choose the strength.
const MAX_VALIDATION_ROWS: usize = 20_000;
/// A solution is found when no weight changes by more than this fraction of the target's size.
const TOLERANCE: f64 = 1e-7;
const MAX_SWEEPS: usize = 1_000;

pub(super) fn fit(rows: &TargetRows<'_>, seed: u64) -> LinearModel {
    let standard = StandardRows::new(rows);
    let strengths = strengths(&standard);
    let splits = rows.validation_splits(MAX_VALIDATION_ROWS, seed);
    let scored = splits.par_iter().map(|split| {
        let (train, validation) = (rows.take(&split.train), rows.take(&split.validation));
        let (standard, validation) = (StandardRows::new(&train.rows()), validation.rows());
        let mut path = Path::new(&standard);
        let errors = |strength: &f64| {
            path.next(*strength);
            let model = standard.model(&path.weights, 0.0);
            let predictions = super::BaselineRegressor::predict(&model, validation.columns);
            super::rows::squared_errors(&predictions, validation.values)
        };
        strengths.iter().map(errors).collect::<Vec<Vec<f64>>>()
    });
    let scored: Vec<Vec<Vec<f64>>> = scored.collect();
    let of_strength =
        |index: usize| scored.iter().flat_map(|errors| errors[index].clone()).collect();
    let losses: Vec<Vec<f64>> = (0..strengths.len()).map(of_strength).collect();
    solve(&standard, &strengths[..=simplest_within_one_error(&losses)])
}

/// The model of the last strength.
fn solve(standard: &StandardRows, strengths: &[f64]) -> LinearModel {
    let mut path = Path::new(standard);
    strengths.iter().for_each(|strength| path.next(*strength));
    standard.model(&path.weights, 0.0)
}

/// The model of a chosen strength: what a weight of one adds to half of the mean squared error.
#[cfg(test)]
pub(super) fn with_strength(rows: &TargetRows<'_>, strength: f64) -> LinearModel {
    let standard = StandardRows::new(rows);
    let mut strengths = strengths(&standard);
    strengths.retain(|&s| s > strength);
    strengths.push(strength);
    solve(&standard, &strengths)
}

/// The strengths, the largest first: the smallest one that leaves no feature.
fn strengths(standard: &StandardRows) -> Vec<f64> {
    let rows = standard.target.len().max(1) as f64;
    let slopes = standard.features.par_iter().map(|x| dot(x, &standard.target).abs() / rows);
    let largest = slopes.reduce(|| 0.0, f64::max);
    (0..STRENGTHS).map(|step| largest * libm::exp10(-(step as f64) / 8.0)).collect()
}

/// The solutions so far.
struct Path<'a> {
    standard: &'a StandardRows,
    weights: Vec<f64>,
    /// The target less the prediction.
    residuals: Vec<f64>,
    strength: f64,
    tolerance: f64,
}

impl<'a> Path<'a> {
    fn new(standard: &'a StandardRows) -> Self {
        let rows = standard.target.len().max(1) as f64;
        let size = (dot(&standard.target, &standard.target) / rows).sqrt();
        Self {
            standard,
            weights: vec![0.0; standard.features.len()],
            residuals: standard.target.clone(),
            strength: f64::INFINITY,
            tolerance: TOLERANCE * size,
        }
    }

    /// How much the loss falls as the weight of a feature grows.
    fn slope(&self, feature: usize) -> f64 {
        dot(&self.standard.features[feature], &self.residuals) / self.residuals.len().max(1) as f64
    }

    fn slopes(&self) -> Vec<f64> {
        (0..self.weights.len()).into_par_iter().map(|feature| self.slope(feature)).collect()
    }

    /// Moves to the solution of the next strength.
    fn next(&mut self, strength: f64) {
        // The first strength leaves no feature.
        let previous = if self.strength.is_finite() { self.strength } else { strength };
        let mut threshold = 2.0 * strength - previous;
        let mut is_active = vec![false; self.weights.len()];
        loop {
            let slopes = self.slopes();
            let mut added = false;
            for (feature, slope) in slopes.iter().enumerate() {
                let wanted = self.weights[feature] != 0.0 || slope.abs() > threshold;
                if wanted && !is_active[feature] {
                    (is_active[feature], added) = (true, true);
                }
            }
            if !added {
                break;
            }
            let active: Vec<usize> = (0..is_active.len()).filter(|&f| is_active[f]).collect();
            self.sweep_until_stable(&active, strength);
            // A slope above the strength belongs to a feature that was missed; the factor allows
            // for rounding.
            threshold = strength * (1.0 + 1e-6);
        }
        self.strength = strength;
    }

    /// Coordinate descent over some features.
    fn sweep_until_stable(&mut self, active: &[usize], strength: f64) {
        for _ in 0..MAX_SWEEPS {
            let mut largest = 0.0f64;
            for &feature in active {
                let old = self.weights[feature];
                let aim = self.slope(feature) + old;
                let new = aim.signum() * (aim.abs() - strength).max(0.0);
                let change = new - old;
                if change == 0.0 {
                    continue;
                }
                self.weights[feature] = new;
                let values = &self.standard.features[feature];
                for (residual, x) in self.residuals.iter_mut().zip(values) {
                    *residual -= change * x;
                }
                largest = largest.max(change.abs());
            }
            if largest <= self.tolerance {
                break;
            }
        }
    }
}
