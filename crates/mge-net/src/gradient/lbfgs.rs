//! Training on all rows at once, for small data: L-BFGS, and OWL-QN where there is an L1 penalty.
//!
//! Nocedal (1980), "Updating quasi-Newton matrices with limited storage"; Andrew and Gao (2007),
//! "Scalable training of L1-regularized log-linear models". A step is taken only where the
//! objective falls, so the result is never worse than the start.

use super::{GradientEvaluator, GradientScratch};
use crate::sparse_network::SparseNetwork;
use std::collections::VecDeque;
use std::ops::Range;

/// The penalty `l1 * sum |w| + l2 / 2 * sum w^2` over the weights of links. Biases are free.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Penalty {
    /// Drives weights to zero. Default 0.
    pub l1: f64,
    /// Keeps weights small. Default 0.
    pub l2: f64,
}

impl Penalty {
    /// The penalty of these weights.
    pub fn of(self, weights: &[f32], is_link: &[bool]) -> f64 {
        self.of_scaled(weights, is_link, |_| 1.0)
    }

    /// The penalty of these weights, each multiplied by a scale of its own.
    pub fn of_scaled(self, weights: &[f32], is_link: &[bool], scale: impl Fn(usize) -> f64) -> f64 {
        let mut sum = 0.0;
        for k in (0..weights.len()).filter(|&k| is_link[k]) {
            let weight = scale(k) * f64::from(weights[k]);
            sum += self.l1 * weight.abs() + 0.5 * self.l2 * weight * weight;
        }
        sum
    }
}

/// Settings of [`lbfgs`].
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LbfgsParams {
    /// The maximum number of steps. Default 200; a small network on small data needs about 100.
    pub iterations: usize,
    /// How many steps the estimate of the curvature is made from. Default 10.
    pub memory: usize,
    /// The penalty on weights. Default none.
    pub penalty: Penalty,
    /// Training ends after three steps that each gain less than this fraction of the objective.
    /// Default 1e-6; the loss itself is accurate to about 1e-7.
    pub tolerance: f64,
}

impl Default for LbfgsParams {
    fn default() -> Self {
        Self { iterations: 200, memory: 10, penalty: Penalty::default(), tolerance: 1e-6 }
    }
}

/// One step and the change of the gradient along it.
struct CurvaturePair {
    step: Vec<f64>,
    change: Vec<f64>,
    /// One over their inner product.
    rho: f64,
}

/// Trains the weights: lowers the mean loss over the rows of some blocks plus the penalty. Returns
/// the objective reached.
///
/// # Panics
/// As [`GradientEvaluator::loss`].
pub fn lbfgs(
    evaluator: &GradientEvaluator,
    network: &mut SparseNetwork,
    blocks: Range<usize>,
    params: &LbfgsParams,
    scratch: &mut GradientScratch,
) -> f64 {
    let is_link = network.is_link();
    let mut weights = network.weights();
    let count = weights.len();
    let mut gradient = vec![0.0; count];
    let mut measure = |weights: &[f32], gradient: &mut [f64]| {
        network.set_weights(weights);
        let loss = evaluator.gradient(network, blocks.clone(), scratch, gradient);
        loss + add_penalty(params.penalty, weights, &is_link, gradient)
    };
    let mut objective = measure(&weights, &mut gradient);
    let mut memory: VecDeque<CurvaturePair> = VecDeque::new();
    let mut trial = weights.clone();
    let mut trial_gradient = vec![0.0; count];
    let mut slow_steps = 0;
    for _ in 0..params.iterations {
        let steepest = pseudo_gradient(&weights, &gradient, params.penalty.l1, &is_link);
        let mut direction = quasi_newton_direction(&steepest, &memory);
        if params.penalty.l1 > 0.0 {
            // The model holds only where the direction agrees with the steepest descent.
            for (d, &g) in direction.iter_mut().zip(&steepest) {
                if *d * -g <= 0.0 {
                    *d = 0.0;
                }
            }
        }
        let mut fall = inner(&direction, &steepest);
        if fall >= 0.0 || !fall.is_finite() {
            memory.clear();
            direction = steepest.iter().map(|g| -g).collect();
            fall = -inner(&steepest, &steepest);
        }
        if fall > -1e-14 {
            break;
        }
        let mut length = if memory.is_empty() { (1.0 / (-fall).sqrt()).min(1.0) } else { 1.0 };
        let mut accepted = None;
        for _ in 0..20 {
            for k in 0..count {
                let stepped = f64::from(weights[k]) + length * direction[k];
                let may_stop = is_link[k] && params.penalty.l1 > 0.0;
                let next =
                    if may_stop { in_orthant(stepped, weights[k], steepest[k]) } else { stepped };
                trial[k] = next as f32;
            }
            let reached = measure(&trial, &mut trial_gradient);
            if reached.is_finite() && reached <= objective + 1e-4 * length * fall {
                accepted = Some(reached);
                break;
            }
            length *= 0.5;
        }
        let Some(reached) = accepted else {
            if memory.is_empty() {
                break;
            }
            memory.clear();
            continue;
        };
        let step: Vec<f64> =
            (0..count).map(|k| f64::from(trial[k]) - f64::from(weights[k])).collect();
        let change: Vec<f64> = (0..count).map(|k| trial_gradient[k] - gradient[k]).collect();
        let curvature = inner(&step, &change);
        if curvature > 1e-10 * inner(&change, &change).max(1e-30) {
            if memory.len() == params.memory {
                memory.pop_front();
            }
            memory.push_back(CurvaturePair { step, change, rho: 1.0 / curvature });
        }
        weights.copy_from_slice(&trial);
        std::mem::swap(&mut gradient, &mut trial_gradient);
        let gain = objective - reached;
        objective = reached;
        slow_steps = if gain < params.tolerance * (objective + 1e-3) { slow_steps + 1 } else { 0 };
        if slow_steps == 3 {
            break;
        }
    }
    network.set_weights(&weights);
    objective
}

/// Returns the penalty and adds the derivative of its smooth part to the gradient.
fn add_penalty(penalty: Penalty, weights: &[f32], is_link: &[bool], gradient: &mut [f64]) -> f64 {
    if penalty.l2 > 0.0 {
        for k in (0..weights.len()).filter(|&k| is_link[k]) {
            gradient[k] += penalty.l2 * f64::from(weights[k]);
        }
    }
    penalty.of(weights, is_link)
}

/// The pseudo-gradient of OWL-QN: the steepest ascent among the one-sided derivatives of the
/// objective with its L1 part.
fn pseudo_gradient(weights: &[f32], gradient: &[f64], l1: f64, is_link: &[bool]) -> Vec<f64> {
    let of = |k: usize| {
        let g = gradient[k];
        if l1 == 0.0 || !is_link[k] {
            g
        } else if weights[k] > 0.0 {
            g + l1
        } else if weights[k] < 0.0 {
            g - l1
        } else if g + l1 < 0.0 {
            g + l1
        } else if g - l1 > 0.0 {
            g - l1
        } else {
            0.0
        }
    };
    (0..weights.len()).map(of).collect()
}

/// The step of OWL-QN for a weight with an L1 penalty: it stops at zero instead of changing sign.
fn in_orthant(stepped: f64, before: f32, steepest: f64) -> f64 {
    let side = if before == 0.0 { -steepest } else { f64::from(before) };
    if stepped * side > 0.0 { stepped } else { 0.0 }
}

/// The two-loop recursion of L-BFGS.
fn quasi_newton_direction(steepest: &[f64], memory: &VecDeque<CurvaturePair>) -> Vec<f64> {
    let mut q: Vec<f64> = steepest.iter().map(|g| -g).collect();
    let mut alphas = Vec::with_capacity(memory.len());
    for CurvaturePair { step, change, rho } in memory.iter().rev() {
        let alpha = rho * inner(step, &q);
        for (q, change) in q.iter_mut().zip(change) {
            *q -= alpha * change;
        }
        alphas.push(alpha);
    }
    if let Some(CurvaturePair { change, rho, .. }) = memory.back() {
        let scale = 1.0 / (rho * inner(change, change));
        for q in &mut q {
            *q *= scale;
        }
    }
    for (CurvaturePair { step, change, rho }, alpha) in memory.iter().zip(alphas.iter().rev()) {
        let correction = alpha - rho * inner(change, &q);
        for (q, step) in q.iter_mut().zip(step) {
            *q += correction * step;
        }
    }
    q
}

fn inner(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).fold(0.0, |sum, (a, b)| sum + a * b)
}
