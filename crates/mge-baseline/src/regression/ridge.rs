//! Ridge regression: least squares with a penalty on squared weights of standardised features
//! (Hoerl and Kennard 1970). Cross-validation chooses the strength with the lowest error.

use rayon::prelude::*;

use super::RegressionBaseline;
use super::linear_model::LinearModel;
use super::linear_regression::MAX_FEATURES;
use super::moments::{Moments, StandardRows};
use super::rows::TargetRows;
use crate::model_selection::best;

pub(super) const BASELINE: RegressionBaseline = RegressionBaseline {
    name: "ridge regression",
    summary: "Linear regression with an L2 penalty, which shrinks weights.",
    max_features: Some(MAX_FEATURES),
    fit: |rows, seed| Box::new(fit(rows, seed)),
};

/// The number of strengths: two for each power of ten, from 100 down to 0.0001.
const STRENGTHS: usize = 13;
/// A penalty makes every feature independent of the others.
const MIN_PIVOT: f64 = 1e-14;

/// The strengths, the largest first. A strength is what a weight of one adds to the mean squared
/// error.
fn strengths() -> Vec<f64> {
    (0..STRENGTHS).map(|step| libm::exp10(2.0 - step as f64 / 2.0)).collect()
}

pub(super) fn fit(rows: &TargetRows<'_>, seed: u64) -> LinearModel {
    let standard = StandardRows::new(rows);
    let all: Vec<u32> = (0..rows.len() as u32).collect();
    let moments = Moments::of(&standard, &all);
    let splits = rows.validation_splits(usize::MAX, seed);
    let of_split = |split: &crate::model_selection::ValidationSplit| -> Vec<Vec<f64>> {
        let train = moments.without(&Moments::of(&standard, &split.validation));
        let errors = |strength: f64| {
            let (weights, bias) = train.solve(strength, MIN_PIVOT);
            standard.squared_errors(&weights, bias, &split.validation)
        };
        strengths().into_iter().map(errors).collect()
    };
    let scored: Vec<Vec<Vec<f64>>> = splits.par_iter().map(of_split).collect();
    let of_strength =
        |index: usize| scored.iter().flat_map(|errors| errors[index].clone()).collect();
    let losses: Vec<Vec<f64>> = (0..STRENGTHS).map(of_strength).collect();
    let (weights, bias) = moments.solve(strengths()[best(&losses)], MIN_PIVOT);
    standard.model(&weights, bias)
}

/// The model of a chosen strength.
#[cfg(test)]
pub(super) fn with_strength(rows: &TargetRows<'_>, strength: f64) -> LinearModel {
    let standard = StandardRows::new(rows);
    let all: Vec<u32> = (0..rows.len() as u32).collect();
    let (weights, bias) = Moments::of(&standard, &all).solve(strength, MIN_PIVOT);
    standard.model(&weights, bias)
}
