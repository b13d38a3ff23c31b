//! Output deltas: the derivative of the loss by the sum of each output.

use super::SMOOTH_CORNER;
use super::pass::Pass;
use crate::batch::approximate::{exp_of_negative, sigmoid};
use crate::batch::row_loss::{BlockTargets, NO_CLASS};
use crate::batch::value_loss::{BlockValues, SlopeKind, value_slopes};
use crate::loss::Loss;
use mge_columns::LANES;

/// The target of the outputs.
#[derive(Clone, Copy)]
pub(super) enum LossTarget {
    /// The target of the row, with the loss of the evaluator.
    Label,
    /// This class, with the cross-entropy. Deltas are multiplied by the root of its probability, so
    /// that the sum of their squares over all classes is the Fisher information.
    Class(u32),
    /// A class drawn by its probability with this seed, with the cross-entropy.
    Sampled(u64),
    /// One output of numbers: the root of the curvature of the loss. Over all outputs, the squares
    /// of the gradients add up to the Gauss-Newton matrix.
    Output(u32),
    /// All outputs of numbers at once, with the root of the curvature and a sign drawn with this
    /// seed. Products of different outputs cancel on average.
    SampledSigns(u64),
}

impl Pass<'_> {
    /// Computes the output deltas of each row; zero for padding.
    #[inline(always)]
    pub(super) fn output_deltas(&mut self, target: LossTarget) {
        let (start, rows) = self.span();
        let Self { evaluator, network, .. } = *self;
        let loss = evaluator.rows.loss;
        let (neurons, outputs) = (network.neurons().len(), network.outputs().len());
        let sums = &self.scratch.sums.get()[..outputs * rows];
        let deltas = &mut self.scratch.deltas.get_mut()[neurons * rows..][..outputs * rows];
        let classes = match evaluator.rows.targets.block(start, rows) {
            BlockTargets::Classes(targets) => targets.classes,
            BlockTargets::Values(targets) => {
                value_deltas(loss, sums, targets, deltas, target, start);
                return;
            }
        };
        if outputs == 1 {
            single_delta(loss, sums, classes, deltas, target, start);
            return;
        }
        softmax(sums, deltas, rows);
        match (target, loss) {
            (LossTarget::Label, Loss::CrossEntropy) => {
                for (index, p) in deltas.chunks_exact_mut(rows).enumerate() {
                    for (p, &class) in p.iter_mut().zip(classes) {
                        let wanted = if class == index as u32 { 1.0 } else { 0.0 };
                        *p = if class == NO_CLASS { 0.0 } else { *p - wanted };
                    }
                }
            }
            (LossTarget::Label, Loss::MeanSquaredError) => squared_deltas(deltas, classes, outputs),
            (LossTarget::Class(y), _) => {
                for row in 0..rows {
                    let root = if classes[row] == NO_CLASS {
                        0.0
                    } else {
                        deltas[y as usize * rows + row].sqrt()
                    };
                    deltas[y as usize * rows + row] -= 1.0;
                    for output in 0..outputs {
                        deltas[output * rows + row] *= root;
                    }
                }
            }
            (LossTarget::Sampled(seed), _) => {
                for row in 0..rows {
                    if classes[row] == NO_CLASS {
                        for output in 0..outputs {
                            deltas[output * rows + row] = 0.0;
                        }
                        continue;
                    }
                    let mut left = uniform(seed, start + row);
                    let mut drawn = outputs - 1;
                    for output in 0..outputs {
                        left -= deltas[output * rows + row];
                        if left < 0.0 {
                            drawn = output;
                            break;
                        }
                    }
                    deltas[drawn * rows + row] -= 1.0;
                }
            }
            _ => unreachable!("losses and targets of numbers"),
        }
    }
}

#[inline(always)]
fn value_deltas(
    loss: Loss,
    sums: &[f32],
    targets: BlockValues<'_>,
    deltas: &mut [f32],
    target: LossTarget,
    start: usize,
) {
    let corner = SMOOTH_CORNER as f32;
    let kind = match target {
        LossTarget::Label => SlopeKind::Slope,
        _ => SlopeKind::RootOfCurvature,
    };
    value_slopes(loss, kind, sums, targets, corner, deltas);
    let rows = targets.rows();
    for (output, deltas) in deltas.chunks_exact_mut(rows).enumerate() {
        match target {
            LossTarget::Output(own) if own as usize != output => deltas.fill(0.0),
            LossTarget::SampledSigns(seed) => {
                let seed = seed.wrapping_add(output as u64);
                for (row, delta) in deltas.iter_mut().enumerate() {
                    *delta = if uniform(seed, start + row) < 0.5 { -*delta } else { *delta };
                }
            }
            _ => {}
        }
    }
}

/// A random number in [0, 1) for a row, by the finaliser of splitmix64.
fn uniform(seed: u64, row: usize) -> f32 {
    let mut bits = seed ^ (row as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    ((bits ^ (bits >> 31)) >> 40) as f32 * (1.0 / (1u32 << 24) as f32)
}

#[inline(always)]
fn single_delta(
    loss: Loss,
    sums: &[f32],
    classes: &[u32],
    deltas: &mut [f32],
    target: LossTarget,
    start: usize,
) {
    for (row, (delta, (&sum, &class))) in
        deltas.iter_mut().zip(sums.iter().zip(classes)).enumerate()
    {
        let p = sigmoid(sum);
        let wanted = if class == 0 { 0.0 } else { 1.0 };
        let value = match (target, loss) {
            (LossTarget::Label, Loss::CrossEntropy) => p - wanted,
            (LossTarget::Label, Loss::MeanSquaredError) => 2.0 * (p - wanted) * p * (1.0 - p),
            (LossTarget::Class(0), _) => p * (1.0 - p).sqrt(),
            (LossTarget::Class(_), _) => (p - 1.0) * p.sqrt(),
            (LossTarget::Sampled(seed), _) => {
                p - if uniform(seed, start + row) < p { 1.0 } else { 0.0 }
            }
            _ => unreachable!("losses and targets of numbers"),
        };
        *delta = if class == NO_CLASS { 0.0 } else { value };
    }
}

/// Computes probabilities from sums.
#[inline(always)]
fn softmax(sums: &[f32], into: &mut [f32], rows: usize) {
    let outputs = sums.len() / rows;
    // In groups of lanes, so that the largest sum and the total stay in registers.
    for group in (0..rows).step_by(LANES) {
        let mut largest = [f32::NEG_INFINITY; LANES];
        for output in 0..outputs {
            let own = &sums[output * rows + group..][..LANES];
            for lane in 0..LANES {
                largest[lane] = if own[lane] > largest[lane] { own[lane] } else { largest[lane] };
            }
        }
        let mut total = [0.0f32; LANES];
        for output in 0..outputs {
            let own = &sums[output * rows + group..][..LANES];
            let into = &mut into[output * rows + group..][..LANES];
            for lane in 0..LANES {
                into[lane] = exp_of_negative(own[lane] - largest[lane]);
                total[lane] += into[lane];
            }
        }
        for total in &mut total {
            *total = 1.0 / *total;
        }
        for output in 0..outputs {
            let own = &mut into[output * rows + group..][..LANES];
            for lane in 0..LANES {
                own[lane] *= total[lane];
            }
        }
    }
}

/// Replaces probabilities by the derivative of the mean squared error through the softmax.
#[inline(always)]
fn squared_deltas(deltas: &mut [f32], classes: &[u32], outputs: usize) {
    let rows = classes.len();
    let scale = 2.0 / outputs as f32;
    for (row, &class) in classes.iter().enumerate() {
        let miss = |output: usize, p: f32| p - if class == output as u32 { 1.0 } else { 0.0 };
        let mut mean = 0.0;
        for output in 0..outputs {
            let p = deltas[output * rows + row];
            mean += miss(output, p) * p;
        }
        let scale = if class == NO_CLASS { 0.0 } else { scale };
        for output in 0..outputs {
            let p = deltas[output * rows + row];
            deltas[output * rows + row] = scale * p * (miss(output, p) - mean);
        }
    }
}
