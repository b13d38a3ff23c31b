//! Linear regression by least squares on all features. Of features that depend on each other, the
//! later ones are left out.

use super::RegressionBaseline;
use super::linear_model::LinearModel;
use super::moments::{Moments, StandardRows};
use super::rows::TargetRows;

pub(super) const BASELINE: RegressionBaseline = RegressionBaseline {
    name: "linear regression",
    summary: "Least squares on all features.",
    max_features: Some(MAX_FEATURES),
    fit: |rows, _| Box::new(fit(rows)),
};

/// The time of a fit grows with the cube of the features; beyond so many it takes minutes.
pub(super) const MAX_FEATURES: usize = 512;
/// A feature of which others leave less than this fraction of variance depends on them.
const MIN_PIVOT: f64 = 1e-9;

pub(super) fn fit(rows: &TargetRows<'_>) -> LinearModel {
    let standard = StandardRows::new(rows);
    let all: Vec<u32> = (0..rows.len() as u32).collect();
    let (weights, bias) = Moments::of(&standard, &all).solve(0.0, MIN_PIVOT);
    standard.model(&weights, bias)
}
