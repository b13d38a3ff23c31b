//! One network over all rows, block by block: the neurons in order, then the sums of the outputs.
//!
//! Everything here is `inline(always)`, so that [`dispatch`](super::dispatch) compiles it once
//! for each SIMD level. Rows are independent, every operation is IEEE `f32` in a fixed order, and
//! sums of contributions are integers. So the bits do not depend on the level.

use super::bound::{self, RESOLUTION, SumRange};
use super::dispatch::Kernel;
use super::row_loss::{self, BlockTargets, ContiguousExps};
use super::unit::{Term, add_contributions, weighted_sum};
use super::{BatchEvaluator, Scratch};
use crate::network::{Network, Output, Source};

/// Sums beyond fixed point are clamped to this absolute value, so that the difference of two sums
/// is finite.
const MAX_SUM: f64 = 1e30;

/// The values of all sources over the rows of one block.
#[derive(Clone, Copy)]
struct SourceValues<'a> {
    inputs: &'a [f32],
    hidden: &'a [f32],
    rows: usize,
}

impl<'a> SourceValues<'a> {
    #[inline(always)]
    fn get(self, source: Source) -> &'a [f32] {
        let (values, index) = match source {
            Source::Input(index) => (self.inputs, index),
            Source::Neuron(index) => (self.hidden, index),
        };
        &values[index as usize * self.rows..][..self.rows]
    }
}

/// The total loss over all rows.
pub(super) struct TotalLoss<'a> {
    pub(super) evaluator: &'a BatchEvaluator,
    pub(super) network: &'a Network,
    pub(super) scratch: &'a mut Scratch,
}

impl Kernel for TotalLoss<'_> {
    type Output = f64;

    #[inline(always)]
    fn run(self) -> f64 {
        let Self { evaluator, network, scratch } = self;
        let range = bound::sum_range(
            network,
            evaluator.link,
            &evaluator.column_max,
            &mut scratch.max_values,
        );
        let outputs = network.outputs().len();
        let mut total = 0.0;
        for (start, rows) in evaluator.blocks.spans() {
            let inputs = evaluator.blocks.block(start, rows);
            hidden_values(network, inputs, rows, scratch);
            let sources = SourceValues { inputs, hidden: scratch.hidden.get(), rows };
            let source_bound =
                |source| bound::source_bound(source, &evaluator.column_max, &scratch.max_values);
            let values = &mut scratch.sums.get_mut()[..outputs * rows];
            let targets = evaluator.targets.block(start, rows);
            if let (SumRange::Small, BlockTargets::Classes(targets)) = (range, targets) {
                let mut true_class_sum = 0;
                let steps = &mut scratch.steps.get_mut()[..rows];
                for (index, exps) in values.chunks_exact_mut(rows).enumerate() {
                    add_steps(steps, &network.outputs()[index], sources, source_bound);
                    true_class_sum += row_loss::exp_sums(steps, index as u32, targets, exps);
                }
                total += row_loss::softmax_loss_unshifted(
                    evaluator.loss,
                    outputs,
                    &ContiguousExps { values, rows },
                    true_class_sum,
                    targets,
                    &mut scratch.rows,
                );
                continue;
            }
            let (steps, wide) = (&mut scratch.steps.get_mut()[..rows], &mut scratch.wide[..rows]);
            output_sums(network, range, sources, source_bound, values, steps, wide);
            let rows = &mut scratch.rows;
            total += row_loss::block_loss(evaluator.loss, values, targets, 0.0, rows);
        }
        total
    }
}

/// How many rows are classified correctly.
pub(super) struct CorrectRows<'a> {
    pub(super) evaluator: &'a BatchEvaluator,
    pub(super) network: &'a Network,
    pub(super) scratch: &'a mut Scratch,
}

impl Kernel for CorrectRows<'_> {
    type Output = u64;

    #[inline(always)]
    fn run(self) -> u64 {
        let Self { evaluator, network, scratch } = self;
        let range = bound::sum_range(
            network,
            evaluator.link,
            &evaluator.column_max,
            &mut scratch.max_values,
        );
        let outputs = network.outputs().len();
        let mut correct = 0;
        for (start, rows) in evaluator.blocks.spans() {
            let inputs = evaluator.blocks.block(start, rows);
            hidden_values(network, inputs, rows, scratch);
            let sources = SourceValues { inputs, hidden: scratch.hidden.get(), rows };
            let source_bound =
                |source| bound::source_bound(source, &evaluator.column_max, &scratch.max_values);
            let sums = &mut scratch.sums.get_mut()[..outputs * rows];
            let (steps, wide) = (&mut scratch.steps.get_mut()[..rows], &mut scratch.wide[..rows]);
            output_sums(network, range, sources, source_bound, sums, steps, wide);
            let BlockTargets::Classes(targets) = evaluator.targets.block(start, rows) else {
                unreachable!("numbers are not right or wrong");
            };
            correct += row_loss::correct_rows(sums, targets, &mut scratch.rows);
        }
        correct
    }
}

/// Computes the hidden values of one block.
#[inline(always)]
fn hidden_values(network: &Network, inputs: &[f32], rows: usize, scratch: &mut Scratch) {
    let hidden = &mut scratch.hidden.get_mut()[..network.neurons().len() * rows];
    for (index, neuron) in network.neurons().iter().enumerate() {
        let (earlier, rest) = hidden.split_at_mut(index * rows);
        let sources = SourceValues { inputs, hidden: earlier, rows };
        let values = &mut rest[..rows];
        let read = |link: &crate::network::Link| (sources.get(link.source), link.weight);
        weighted_sum(values, neuron.bias, &neuron.links, read);
        neuron.activation.apply_fast(values);
    }
}

/// Computes the sums of all outputs for one block.
#[inline(always)]
fn output_sums(
    network: &Network,
    range: SumRange,
    sources: SourceValues<'_>,
    source_bound: impl Fn(Source) -> f64 + Copy,
    sums: &mut [f32],
    steps: &mut [i32],
    wide: &mut [f64],
) {
    for (output, sums) in network.outputs().iter().zip(sums.chunks_exact_mut(sources.rows)) {
        if range == SumRange::Float {
            float_sum(sums, wide, output, sources);
        } else {
            add_steps(steps, output, sources, source_bound);
            for (sum, &steps) in sums.iter_mut().zip(&*steps) {
                *sum = steps as f32 * RESOLUTION;
            }
        }
    }
}

/// The sum of an output, in steps.
#[inline(always)]
fn add_steps(
    steps: &mut [i32],
    output: &Output,
    sources: SourceValues<'_>,
    source_bound: impl Fn(Source) -> f64,
) {
    add_contributions(steps, output.bias, &output.links, |link| Term {
        values: sources.get(link.source),
        weight: link.weight,
        is_narrow: bound::is_narrow(link.weight, source_bound(link.source)),
    });
}

/// The sum of an output in `f64`, for sums that fixed point may not hold.
#[inline(always)]
fn float_sum(into: &mut [f32], wide: &mut [f64], output: &Output, sources: SourceValues<'_>) {
    wide.fill(f64::from(output.bias.unwrap_or(0.0)));
    for link in &output.links {
        let weight = f64::from(link.weight);
        for (sum, &value) in wide.iter_mut().zip(sources.get(link.source)) {
            *sum += weight * f64::from(value);
        }
    }
    for (into, &sum) in into.iter_mut().zip(&*wide) {
        let sum = if sum.is_nan() { 0.0 } else { sum.clamp(-MAX_SUM, MAX_SUM) };
        *into = sum as f32;
    }
}
