//! Sums over rows that linear models are made from. Sums of folds are subtracted from those of all
//! rows, so that each row is read once.

use rayon::prelude::*;

use super::cholesky::SymmetricMatrix;
use super::linear_model::LinearModel;
use super::rows::TargetRows;

/// Features with mean 0 and deviation 1, in double precision, and the target without its mean.
/// Constant features are zero.
pub(super) struct StandardRows {
    /// The values of each feature.
    pub(super) features: Vec<Vec<f64>>,
    /// The mean and the deviation of each feature.
    scales: Vec<(f64, f64)>,
    /// The target without its mean.
    pub(super) target: Vec<f64>,
    target_mean: f64,
}

impl StandardRows {
    pub(super) fn new(rows: &TargetRows<'_>) -> Self {
        let standard = |index: usize| {
            let values: Vec<f64> = rows.columns.column(index).iter().map(|&x| x.into()).collect();
            let count = values.len().max(1) as f64;
            let mean = values.iter().sum::<f64>() / count;
            let squares: f64 = values.iter().map(|x| (x - mean) * (x - mean)).sum();
            let deviation = (squares / count).sqrt();
            let is_constant = values.windows(2).all(|two| two[0] == two[1]);
            let factor = if is_constant || deviation == 0.0 { 0.0 } else { 1.0 / deviation };
            let scaled = values.into_iter().map(|x| (x - mean) * factor).collect();
            (scaled, (mean, if factor == 0.0 { 0.0 } else { deviation }))
        };
        let count = rows.columns.count();
        let made: Vec<(Vec<f64>, (f64, f64))> = (0..count).into_par_iter().map(standard).collect();
        let (features, scales) = made.into_iter().unzip();
        let target_mean = rows.mean();
        let target = rows.values.iter().map(|value| value - target_mean).collect();
        Self { features, scales, target, target_mean }
    }

    /// The model with these weights of standard features and this bias, for features as they are.
    pub(super) fn model(&self, weights: &[f64], bias: f64) -> LinearModel {
        let mut bias = bias + self.target_mean;
        let mut plain = Vec::with_capacity(weights.len());
        for (weight, (mean, deviation)) in weights.iter().zip(&self.scales) {
            let weight = if *deviation == 0.0 { 0.0 } else { weight / deviation };
            bias -= weight * mean;
            plain.push(weight);
        }
        LinearModel::new(plain, bias)
    }

    /// The error of the model with these weights and bias on each of some rows, squared.
    pub(super) fn squared_errors(&self, weights: &[f64], bias: f64, rows: &[u32]) -> Vec<f64> {
        let mut errors: Vec<f64> = rows.iter().map(|&r| bias - self.target[r as usize]).collect();
        for (weight, values) in weights.iter().zip(&self.features) {
            if *weight != 0.0 {
                for (error, &row) in errors.iter_mut().zip(rows) {
                    *error += weight * values[row as usize];
                }
            }
        }
        errors.iter_mut().for_each(|error| *error *= *error);
        errors
    }
}

/// The sums of products of features, target and one, over some rows.
#[derive(Debug, Clone)]
pub(super) struct Moments {
    rows: f64,
    features: Vec<f64>,
    target: f64,
    /// The products of two features: the lower triangle, row by row.
    products: Vec<Vec<f64>>,
    with_target: Vec<f64>,
}

impl Moments {
    pub(super) fn of(standard: &StandardRows, rows: &[u32]) -> Self {
        let taken = |values: &Vec<f64>| -> Vec<f64> {
            rows.iter().map(|&row| values[row as usize]).collect()
        };
        let features: Vec<Vec<f64>> = standard.features.par_iter().map(taken).collect();
        let target = taken(&standard.target);
        let sum = |values: &Vec<f64>| values.iter().sum::<f64>();
        let products = (0..features.len())
            .into_par_iter()
            .map(|i| (0..=i).map(|j| dot(&features[i], &features[j])).collect());
        Self {
            rows: rows.len() as f64,
            products: products.collect(),
            with_target: features.par_iter().map(|values| dot(values, &target)).collect(),
            features: features.iter().map(sum).collect(),
            target: sum(&target),
        }
    }

    /// The sums over the rows of `self` that are not among those of `part`.
    pub(super) fn without(&self, part: &Self) -> Self {
        let minus = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a - b).collect();
        let products = self.products.iter().zip(&part.products);
        Self {
            rows: self.rows - part.rows,
            features: minus(&self.features, &part.features),
            target: self.target - part.target,
            products: products.map(|(a, b)| minus(a, b)).collect(),
            with_target: minus(&self.with_target, &part.with_target),
        }
    }

    /// The weights that minimise the mean squared error plus `penalty` times the sum of squared
    /// weights, and the bias.
    pub(super) fn solve(&self, penalty: f64, min_pivot: f64) -> (Vec<f64>, f64) {
        let (size, rows) = (self.features.len(), self.rows.max(1.0));
        let means: Vec<f64> = self.features.iter().map(|sum| sum / rows).collect();
        let target_mean = self.target / rows;
        let mut cells = vec![0.0; size * size];
        for (i, products) in self.products.iter().enumerate() {
            for (j, product) in products.iter().enumerate() {
                let cell = product / rows - means[i] * means[j];
                (cells[i * size + j], cells[j * size + i]) = (cell, cell);
            }
        }
        let with_target = self.with_target.iter().zip(&means);
        let right: Vec<f64> =
            with_target.map(|(sum, mean)| sum / rows - mean * target_mean).collect();
        let matrix = SymmetricMatrix { size, cells }.plus_diagonal(penalty);
        let weights = matrix.solve(&right, min_pivot);
        let bias = target_mean - weights.iter().zip(&means).map(|(w, m)| w * m).sum::<f64>();
        (weights, bias)
    }
}

/// The sum of products. Eight sums in place of one let the compiler use vector registers; their
/// order is fixed.
pub(super) fn dot(a: &[f64], b: &[f64]) -> f64 {
    let (a_parts, b_parts) = (a.chunks_exact(8), b.chunks_exact(8));
    let rest: f64 = a_parts.remainder().iter().zip(b_parts.remainder()).map(|(x, y)| x * y).sum();
    let mut sums = [0.0; 8];
    for (a, b) in a_parts.zip(b_parts) {
        for lane in 0..8 {
            sums[lane] += a[lane] * b[lane];
        }
    }
    sums.iter().sum::<f64>() + rest
}
