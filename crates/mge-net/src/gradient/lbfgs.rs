//! Batch descent for small data: L-BFGS, and OWL-QN where there is an L1 penalty.
//!
//! Nocedal (1980), "Updating quasi-Newton matrices with limited storage"; Andrew and Gao (2007),
//! "Scalable training of L1-regularized log-linear models". Steps are taken only where the
//! objective falls, so the result is never worse than the start.

use super::{GradientEvaluator, GradientScratch, Topology};
use std::collections::VecDeque;
use std::ops::Range;

/// What weights cost besides the loss: `l1 * sum |w| + l2 / 2 * sum w^2` over links. Biases are free.
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

    /// The penalty of these weights, each multiplied by a unit of its own.
    pub fn of_scaled(self, weights: &[f32], is_link: &[bool], unit: impl Fn(usize) -> f64) -> f64 {
        let mut sum = 0.0;
        for k in (0..weights.len()).filter(|&k| is_link[k]) {
            let weight = unit(k) * f64::from(weights[k]);
            sum += self.l1 * weight.abs() + 0.5 * self.l2 * weight * weight;
        }
        sum
    }
}

/// How long and how hard to descend.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LbfgsParams {
    /// Most steps. Default 200; a small network on small data settles in about a hundred.
    pub iterations: usize,
    /// Steps that the estimate of the curvature remembers. Default 10.
    pub memory: usize,
    /// What weights cost.
    pub penalty: Penalty,
    /// Ends when a step gains less than this share of the objective. Default 1e-6; the loss itself
    /// is known to about 1e-7.
    pub tolerance: f64,
}

impl Default for LbfgsParams {
    fn default() -> Self {
        Self { iterations: 200, memory: 10, penalty: Penalty::default(), tolerance: 1e-6 }
    }
}

/// Changes the weights to lower the mean loss over the rows of some blocks plus the penalty, and
/// gives the objective reached.
///
/// # Panics
/// As [`GradientEvaluator::loss`].
pub fn lbfgs(
    evaluator: &GradientEvaluator,
    topology: &Topology,
    weights: &mut [f32],
    blocks: Range<usize>,
    params: &LbfgsParams,
    scratch: &mut GradientScratch,
) -> f64 {
    let is_link = topology.is_link();
    let count = weights.len();
    let mut gradient = vec![0.0; count];
    let measure = |weights: &[f32], gradient: &mut [f64], scratch: &mut GradientScratch| {
        let loss = evaluator.gradient(topology, weights, blocks.clone(), scratch, gradient);
        loss + add_penalty(params.penalty, weights, &is_link, gradient)
    };
    let mut objective = measure(weights, &mut gradient, scratch);
    let mut memory: VecDeque<(Vec<f64>, Vec<f64>, f64)> = VecDeque::new();
    let mut trial = weights.to_vec();
    let mut trial_gradient = vec![0.0; count];
    let mut slow_steps = 0;
    for _ in 0..params.iterations {
        let steepest = pseudo_gradient(weights, &gradient, params.penalty.l1, &is_link);
        let mut direction = direction_of(&steepest, &memory);
        if params.penalty.l1 > 0.0 {
            // Only where the direction agrees with the steepest descent does the model hold.
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
                trial[k] = in_orthant(stepped, weights[k], steepest[k], is_link[k], params) as f32;
            }
            let reached = measure(&trial, &mut trial_gradient, scratch);
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
            memory.push_back((step, change, 1.0 / curvature));
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
    objective
}

/// The value of the penalty; of its derivative only the smooth part is added to the gradient.
fn add_penalty(penalty: Penalty, weights: &[f32], is_link: &[bool], gradient: &mut [f64]) -> f64 {
    if penalty.l2 > 0.0 {
        for k in (0..weights.len()).filter(|&k| is_link[k]) {
            gradient[k] += penalty.l2 * f64::from(weights[k]);
        }
    }
    penalty.of(weights, is_link)
}

/// The steepest ascent among the one-sided derivatives of the objective with its L1 part.
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

/// With an L1 penalty a weight stops at zero instead of changing its sign.
fn in_orthant(
    stepped: f64,
    before: f32,
    steepest: f64,
    is_link: bool,
    params: &LbfgsParams,
) -> f64 {
    if params.penalty.l1 == 0.0 || !is_link {
        return stepped;
    }
    let side = if before == 0.0 { -steepest } else { f64::from(before) };
    if stepped * side > 0.0 { stepped } else { 0.0 }
}

/// The two loops of L-BFGS.
fn direction_of(steepest: &[f64], memory: &VecDeque<(Vec<f64>, Vec<f64>, f64)>) -> Vec<f64> {
    let mut q: Vec<f64> = steepest.iter().map(|g| -g).collect();
    let mut shares = Vec::with_capacity(memory.len());
    for (step, change, rho) in memory.iter().rev() {
        let share = rho * inner(step, &q);
        for (q, change) in q.iter_mut().zip(change) {
            *q -= share * change;
        }
        shares.push(share);
    }
    if let Some((_, change, rho)) = memory.back() {
        let scale = 1.0 / (rho * inner(change, change));
        for q in &mut q {
            *q *= scale;
        }
    }
    for ((step, change, rho), share) in memory.iter().zip(shares.iter().rev()) {
        let back = share - rho * inner(change, &q);
        for (q, step) in q.iter_mut().zip(step) {
            *q += back * step;
        }
    }
    q
}

fn inner(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).fold(0.0, |sum, (a, b)| sum + a * b)
}
