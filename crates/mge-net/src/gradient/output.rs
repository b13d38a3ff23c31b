//! What the outputs of a network owe: the derivative of the loss by their sums.

use super::pass::Pass;
use crate::batch::approximate::{exp_of_negative, sigmoid};
use crate::batch::row_loss::NO_CLASS;
use crate::loss::Loss;
use mge_columns::LANES;

/// What the outputs are compared with.
#[derive(Clone, Copy)]
pub(super) enum Aim {
    /// The label, under the evaluator's loss.
    Label,
    /// Class `y`, under the cross-entropy, times the root of its probability: the sum over `y` of
    /// the squares is the Fisher information.
    Class(u32),
    /// A class drawn by its probability, with the numbers of this seed, under the cross-entropy.
    Drawn(u64),
}

impl Pass<'_> {
    /// The derivative of the loss by the sum of each output; zero where there is no row.
    #[inline(always)]
    pub(super) fn output_deltas(&mut self, aim: Aim) {
        let (start, rows) = self.span();
        let Self { evaluator, topology, .. } = *self;
        let loss = evaluator.rows.loss;
        let classes = evaluator.rows.targets.block(start, rows).classes;
        let outputs = topology.outputs();
        let sums = &self.scratch.sums.get()[..outputs * rows];
        let deltas =
            &mut self.scratch.deltas.get_mut()[topology.neurons() * rows..][..outputs * rows];
        if outputs == 1 {
            single_delta(loss, sums, classes, deltas, aim, start);
            return;
        }
        soft_max(sums, deltas, rows);
        match (aim, loss) {
            (Aim::Label, Loss::CrossEntropy) => {
                for (index, p) in deltas.chunks_exact_mut(rows).enumerate() {
                    for (p, &class) in p.iter_mut().zip(classes) {
                        let target = if class == index as u32 { 1.0 } else { 0.0 };
                        *p = if class == NO_CLASS { 0.0 } else { *p - target };
                    }
                }
            }
            (Aim::Label, Loss::MeanSquaredError) => squared_deltas(deltas, classes, outputs),
            (Aim::Class(y), _) => {
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
            (Aim::Drawn(seed), _) => {
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
        }
    }
}

/// A number in [0, 1) for a row, by the finaliser of splitmix64.
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
    aim: Aim,
    start: usize,
) {
    for (row, (delta, (&sum, &class))) in
        deltas.iter_mut().zip(sums.iter().zip(classes)).enumerate()
    {
        let p = sigmoid(sum);
        let target = if class == 0 { 0.0 } else { 1.0 };
        let value = match (aim, loss) {
            (Aim::Label, Loss::CrossEntropy) => p - target,
            (Aim::Label, Loss::MeanSquaredError) => 2.0 * (p - target) * p * (1.0 - p),
            (Aim::Class(0), _) => p * (1.0 - p).sqrt(),
            (Aim::Class(_), _) => (p - 1.0) * p.sqrt(),
            (Aim::Drawn(seed), _) => p - if uniform(seed, start + row) < p { 1.0 } else { 0.0 },
        };
        *delta = if class == NO_CLASS { 0.0 } else { value };
    }
}

/// Probabilities from sums.
#[inline(always)]
fn soft_max(sums: &[f32], into: &mut [f32], rows: usize) {
    let outputs = sums.len() / rows;
    // Groups of lanes, so that the largest and the total stay in registers.
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
            let place = &mut into[output * rows + group..][..LANES];
            for lane in 0..LANES {
                place[lane] = exp_of_negative(own[lane] - largest[lane]);
                total[lane] += place[lane];
            }
        }
        for total in &mut total {
            *total = 1.0 / *total;
        }
        for output in 0..outputs {
            let place = &mut into[output * rows + group..][..LANES];
            for lane in 0..LANES {
                place[lane] *= total[lane];
            }
        }
    }
}

/// The derivative of the mean of squares through the soft-max, from probabilities.
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
