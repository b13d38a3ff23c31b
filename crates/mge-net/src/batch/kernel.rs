//! One network over all rows: neurons forwards, then the sums of the outputs, block by block.
//!
//! Everything here is `inline(always)`, so that [`dispatch`](super::dispatch) compiles it once
//! for each SIMD level. Rows are independent, every operation is plain IEEE `f32` in a written
//! order, and sums of contributions are integers: the bits do not depend on the level.

use super::bound::{self, RESOLUTION, Range};
use super::dispatch::Kernel;
use super::row_loss::{self, InARow};
use super::unit::{Term, activate, add_contributions, weighted_sum};
use super::{BatchEvaluator, Scratch};
use crate::network::{Network, Output, Source};

/// Sums that are too large for fixed point are held inside this, so that differences of two of
/// them stay finite.
const LARGEST_SUM: f64 = 1e30;

/// The values of all sources over the rows of one block.
#[derive(Clone, Copy)]
struct Sources<'a> {
    inputs: &'a [f32],
    hidden: &'a [f32],
    rows: usize,
}

impl<'a> Sources<'a> {
    #[inline(always)]
    fn get(self, source: Source) -> &'a [f32] {
        let (values, index) = match source {
            Source::Input(index) => (self.inputs, index),
            Source::Neuron(index) => (self.hidden, index),
        };
        &values[index as usize * self.rows..][..self.rows]
    }
}

/// The sum of the loss over all rows.
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
        let range = bound::range(network, &evaluator.column_max, &mut scratch.largest);
        let outputs = network.outputs().len();
        let mut total = 0.0;
        for (start, rows) in evaluator.blocks.spans() {
            let targets = evaluator.targets.block(start, rows);
            let inputs = evaluator.blocks.block(start, rows);
            hidden_values(network, inputs, rows, scratch);
            let sources = Sources { inputs, hidden: scratch.hidden.get(), rows };
            let widest =
                |source| bound::source_bound(source, &evaluator.column_max, &scratch.largest);
            let values = &mut scratch.sums.get_mut()[..outputs * rows];
            if range == Range::Tame {
                let mut own_steps = 0;
                let steps = &mut scratch.steps.get_mut()[..rows];
                for (index, powers) in values.chunks_exact_mut(rows).enumerate() {
                    add_steps(steps, &network.outputs()[index], sources, widest);
                    own_steps += row_loss::powers_of(steps, index as u32, targets, powers);
                }
                total += row_loss::tame_block_loss(
                    evaluator.loss,
                    outputs,
                    &InARow { values, rows },
                    own_steps,
                    targets,
                    &mut scratch.rows,
                );
                continue;
            }
            let (steps, wide) = (&mut scratch.steps.get_mut()[..rows], &mut scratch.wide[..rows]);
            output_sums(network, range, sources, widest, values, steps, wide);
            total += row_loss::block_loss(evaluator.loss, values, targets, &mut scratch.rows);
        }
        total
    }
}

/// How many rows are right.
pub(super) struct RightRows<'a> {
    pub(super) evaluator: &'a BatchEvaluator,
    pub(super) network: &'a Network,
    pub(super) scratch: &'a mut Scratch,
}

impl Kernel for RightRows<'_> {
    type Output = u64;

    #[inline(always)]
    fn run(self) -> u64 {
        let Self { evaluator, network, scratch } = self;
        let range = bound::range(network, &evaluator.column_max, &mut scratch.largest);
        let outputs = network.outputs().len();
        let mut right = 0;
        for (start, rows) in evaluator.blocks.spans() {
            let inputs = evaluator.blocks.block(start, rows);
            hidden_values(network, inputs, rows, scratch);
            let sources = Sources { inputs, hidden: scratch.hidden.get(), rows };
            let widest =
                |source| bound::source_bound(source, &evaluator.column_max, &scratch.largest);
            let sums = &mut scratch.sums.get_mut()[..outputs * rows];
            let (steps, wide) = (&mut scratch.steps.get_mut()[..rows], &mut scratch.wide[..rows]);
            output_sums(network, range, sources, widest, sums, steps, wide);
            let targets = evaluator.targets.block(start, rows);
            right += row_loss::right_rows(sums, targets, &mut scratch.rows);
        }
        right
    }
}

/// Fills the hidden values of one block.
#[inline(always)]
fn hidden_values(network: &Network, inputs: &[f32], rows: usize, scratch: &mut Scratch) {
    let hidden = &mut scratch.hidden.get_mut()[..network.neurons().len() * rows];
    for (index, neuron) in network.neurons().iter().enumerate() {
        let (earlier, rest) = hidden.split_at_mut(index * rows);
        let sources = Sources { inputs, hidden: earlier, rows };
        let values = &mut rest[..rows];
        let read = |link: &crate::network::Link| (sources.get(link.source), link.weight);
        weighted_sum(values, neuron.bias, &neuron.links, read);
        activate(values, neuron.activation);
    }
}

/// Fills the plain sums of all outputs for one block.
#[inline(always)]
fn output_sums(
    network: &Network,
    range: Range,
    sources: Sources<'_>,
    widest: impl Fn(Source) -> f64 + Copy,
    sums: &mut [f32],
    steps: &mut [i32],
    wide: &mut [f64],
) {
    for (output, sums) in network.outputs().iter().zip(sums.chunks_exact_mut(sources.rows)) {
        if range == Range::Wide {
            wide_sum(sums, wide, output, sources);
        } else {
            add_steps(steps, output, sources, widest);
            for (sum, &steps) in sums.iter_mut().zip(&*steps) {
                *sum = steps as f32 * RESOLUTION;
            }
        }
    }
}

/// The output's sum in steps.
#[inline(always)]
fn add_steps(
    steps: &mut [i32],
    output: &Output,
    sources: Sources<'_>,
    widest: impl Fn(Source) -> f64,
) {
    add_contributions(steps, output.bias, &output.links, |link| Term {
        values: sources.get(link.source),
        weight: link.weight,
        is_narrow: bound::is_narrow(link.weight, widest(link.source)),
    });
}

/// The output's sum where steps would overflow.
#[inline(always)]
fn wide_sum(into: &mut [f32], wide: &mut [f64], output: &Output, sources: Sources<'_>) {
    wide.fill(f64::from(output.bias.unwrap_or(0.0)));
    for link in &output.links {
        let weight = f64::from(link.weight);
        for (sum, &value) in wide.iter_mut().zip(sources.get(link.source)) {
            *sum += weight * f64::from(value);
        }
    }
    for (into, &sum) in into.iter_mut().zip(&*wide) {
        let sum = if sum.is_nan() { 0.0 } else { sum.clamp(-LARGEST_SUM, LARGEST_SUM) };
        *into = sum as f32;
    }
}
