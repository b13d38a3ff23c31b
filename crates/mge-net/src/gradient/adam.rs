//! Mini-batch descent for large data: Adam, one block of rows to a step.
//!
//! Kingma and Ba (2015), "Adam: a method for stochastic optimization". The step length falls to
//! zero along half a cosine. The weights of the end are kept if the objective over all rows is
//! lower than at the start, else those of the start.

use std::ops::Range;

use super::{GradientEvaluator, GradientScratch, Penalty, Topology};

/// How long and how hard to descend.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct AdamParams<'a> {
    /// Passes over the rows. Default 20.
    pub epochs: usize,
    /// The first step length. Default 0.01; lower it for weights that are nearly settled.
    pub rate: f64,
    /// What weights cost.
    pub penalty: Penalty,
    /// For each weight what it is multiplied by before steps and penalties look at it, as if its
    /// source were smaller by as much. Default: empty, which is one for all.
    pub units: &'a [f64],
}

impl Default for AdamParams<'_> {
    fn default() -> Self {
        Self { epochs: 20, rate: 0.01, penalty: Penalty::default(), units: &[] }
    }
}

/// Changes the weights to lower the mean loss over the rows of some blocks plus the penalty, and
/// gives the objective reached. `shuffle` puts the blocks of each epoch into an order; rows should
/// be in no order of their own.
///
/// # Panics
/// As [`GradientEvaluator::loss`], and when there are fewer units than weights.
pub fn adam(
    evaluator: &GradientEvaluator,
    topology: &Topology,
    weights: &mut [f32],
    blocks: Range<usize>,
    params: &AdamParams<'_>,
    mut shuffle: impl FnMut(&mut [usize]),
    scratch: &mut GradientScratch,
) -> f64 {
    const MEMORY: (f64, f64) = (0.9, 0.999);
    let is_link = topology.is_link();
    let unit = |k: usize| if params.units.is_empty() { 1.0 } else { params.units[k] };
    let start = weights.to_vec();
    let objective = |weights: &[f32], scratch: &mut GradientScratch| {
        evaluator.loss(topology, weights, blocks.clone(), scratch)
            + params.penalty.of_scaled(weights, &is_link, unit)
    };
    let before = objective(weights, scratch);
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
            evaluator.gradient(topology, weights, [block], scratch, &mut gradient);
            left_first *= MEMORY.0;
            left_second *= MEMORY.1;
            let turn = std::f64::consts::PI * step as f64 / steps as f64;
            let rate = params.rate * 0.5 * (1.0 + libm::cos(turn));
            for k in 0..count {
                let weight = unit(k) * f64::from(weights[k]);
                let mut g = gradient[k] / unit(k);
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
                first[k] = MEMORY.0 * first[k] + (1.0 - MEMORY.0) * g;
                second[k] = MEMORY.1 * second[k] + (1.0 - MEMORY.1) * g * g;
                let size = (second[k] / (1.0 - left_second)).sqrt() + 1e-8;
                let moved = weight - rate * first[k] / (1.0 - left_first) / size;
                weights[k] = (moved / unit(k)) as f32;
            }
            step += 1;
        }
    }
    let after = objective(weights, scratch);
    if after < before {
        return after;
    }
    weights.copy_from_slice(&start);
    before
}
