//! Training on mini-batches, for large data: Adam, one block of rows to a step.
//!
//! Kingma and Ba (2015), "Adam: a method for stochastic optimization". The learning rate falls to
//! zero along half a cosine. The final weights are kept if the objective over all rows is lower
//! than at the start; otherwise the weights of the start are.

use std::ops::Range;

use super::{GradientEvaluator, GradientScratch, Penalty};
use crate::sparse_network::SparseNetwork;

/// Decay rates of the two moment estimates.
const DECAY: (f64, f64) = (0.9, 0.999);

/// Settings of [`adam`].
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct AdamParams<'a> {
    /// Passes over the rows. Default 20.
    pub epochs: usize,
    /// The first learning rate. Default 0.01; lower it for weights that are nearly trained.
    pub rate: f64,
    /// The penalty on weights. Default none.
    pub penalty: Penalty,
    /// A scale for each weight. Steps and penalties see the scaled weight, as if its source were
    /// smaller by that factor. Default: empty, which is one for all.
    pub weight_scales: &'a [f64],
}

impl Default for AdamParams<'_> {
    fn default() -> Self {
        Self { epochs: 20, rate: 0.01, penalty: Penalty::default(), weight_scales: &[] }
    }
}

/// Trains the weights: lowers the mean loss over the rows of some blocks plus the penalty. Returns
/// the objective reached. `shuffle` orders the blocks of each epoch; the rows themselves should be
/// in random order.
///
/// # Panics
/// As [`GradientEvaluator::loss`], and when there are fewer scales than weights.
pub fn adam(
    evaluator: &GradientEvaluator,
    network: &mut SparseNetwork,
    blocks: Range<usize>,
    params: &AdamParams<'_>,
    mut shuffle: impl FnMut(&mut [usize]),
    scratch: &mut GradientScratch,
) -> f64 {
    let is_link = network.is_link();
    let scales = params.weight_scales;
    let scale = |k: usize| if scales.is_empty() { 1.0 } else { scales[k] };
    let start = network.weights();
    let mut weights = start.clone();
    let objective =
        |network: &SparseNetwork, weights: &[f32], scratch: &mut GradientScratch| -> f64 {
            evaluator.loss(network, blocks.clone(), scratch)
                + params.penalty.of_scaled(weights, &is_link, scale)
        };
    let before = objective(network, &weights, scratch);
    let count = weights.len();
    let (mut first, mut second) = (vec![0.0; count], vec![0.0; count]);
    let mut gradient = vec![0.0; count];
    let mut order: Vec<usize> = blocks.clone().collect();
    let steps = params.epochs * order.len();
    let (mut left_first, mut left_second) = (1.0, 1.0);
    let mut step = 0;
    for _ in 0..params.epochs {
        shuffle(&mut order);
        for &block in &order {
            evaluator.gradient(network, [block], scratch, &mut gradient);
            left_first *= DECAY.0;
            left_second *= DECAY.1;
            let turn = std::f64::consts::PI * step as f64 / steps as f64;
            let rate = params.rate * 0.5 * (1.0 + libm::cos(turn));
            for k in 0..count {
                let weight = scale(k) * f64::from(weights[k]);
                let mut g = gradient[k] / scale(k);
                if is_link[k] {
                    let sign = if weight > 0.0 {
                        1.0
                    } else if weight < 0.0 {
                        -1.0
                    } else {
                        0.0
                    };
                    g += params.penalty.l2 * weight + params.penalty.l1 * sign;
                }
                first[k] = DECAY.0 * first[k] + (1.0 - DECAY.0) * g;
                second[k] = DECAY.1 * second[k] + (1.0 - DECAY.1) * g * g;
                let size = (second[k] / (1.0 - left_second)).sqrt() + 1e-8;
                let moved = weight - rate * first[k] / (1.0 - left_first) / size;
                weights[k] = (moved / scale(k)) as f32;
            }
            network.set_weights(&weights);
            step += 1;
        }
    }
    let after = objective(network, &weights, scratch);
    if after < before {
        return after;
    }
    network.set_weights(&start);
    before
}
