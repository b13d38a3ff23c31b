//! One network over all rows: neurons forwards, then the sums of the outputs, block by block.
//!
//! Everything here is `inline(always)`, so that [`dispatch`](super::dispatch) compiles it once
//! for each SIMD level. Rows are independent, every operation is plain IEEE `f32` in a written
//! order, and sums of contributions are integers: the bits do not depend on the level.

use super::approximate::{ROUND_F32, ROUND_F64, gauss, relu, sigmoid, sin, tanh, tanh25};
use super::bound::{self, NARROW, RESOLUTION, STEPS};
use super::row_loss;
use super::{BatchEvaluator, Scratch};
use crate::activation::Activation;
use crate::network::{Link, Network, Output, Source};

/// Bits of [`ROUND_F32`]: what a rounded value has too much.
const ROUND_BITS: i32 = ROUND_F32.to_bits() as i32;

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
#[inline(always)]
pub(super) fn total_loss(
    evaluator: &BatchEvaluator,
    network: &Network,
    scratch: &mut Scratch,
) -> f64 {
    let fits = bound::fits(network, &evaluator.column_max, &mut scratch.largest);
    let outputs = network.outputs();
    let mut total = 0.0;
    for (start, rows) in evaluator.blocks.spans() {
        let inputs = evaluator.blocks.block(start, rows);
        let hidden = &mut scratch.hidden.get_mut()[..network.neurons().len() * rows];
        for (index, neuron) in network.neurons().iter().enumerate() {
            let (earlier, rest) = hidden.split_at_mut(index * rows);
            let sources = Sources { inputs, hidden: earlier, rows };
            let values = &mut rest[..rows];
            weighted_sum(values, neuron.bias, &neuron.links, sources);
            activate(values, neuron.activation);
        }
        let sources = Sources { inputs, hidden, rows };
        let sums = &mut scratch.sums.get_mut()[..outputs.len() * rows];
        for (output, sums) in outputs.iter().zip(sums.chunks_exact_mut(rows)) {
            if fits {
                let steps = &mut scratch.steps[..rows];
                let widest =
                    |source| bound::source_bound(source, &evaluator.column_max, &scratch.largest);
                add_contributions(steps, output, sources, widest);
                for (sum, &steps) in sums.iter_mut().zip(&*steps) {
                    *sum = steps as f32 * RESOLUTION;
                }
            } else {
                wide_sum(sums, &mut scratch.wide[..rows], output, sources);
            }
        }
        let targets = evaluator.targets.block(start, rows);
        total += row_loss::block_loss(evaluator.loss, sums, targets, &mut scratch.rows);
    }
    total
}

/// The bias, then the links in order, four to a pass so that the running sum stays in a register.
#[inline(always)]
fn weighted_sum(into: &mut [f32], bias: Option<f32>, links: &[Link], sources: Sources<'_>) {
    let (first, rest) = links.split_at(links.len().min(4));
    let bias = bias.unwrap_or(0.0);
    match first {
        [] => into.fill(bias),
        [a] => pass(into, |_| bias, [a], sources),
        [a, b] => pass(into, |_| bias, [a, b], sources),
        [a, b, c] => pass(into, |_| bias, [a, b, c], sources),
        [a, b, c, d, ..] => pass(into, |_| bias, [a, b, c, d], sources),
    }
    let (fours, rest) = rest.as_chunks::<4>();
    for [a, b, c, d] in fours {
        pass(into, |sum| sum, [a, b, c, d], sources);
    }
    for link in rest {
        pass(into, |sum| sum, [link], sources);
    }
}

#[inline(always)]
fn pass<const N: usize>(
    into: &mut [f32],
    start: impl Fn(f32) -> f32,
    links: [&Link; N],
    sources: Sources<'_>,
) {
    let rows = into.len();
    let columns = links.map(|link| &sources.get(link.source)[..rows]);
    let weights = links.map(|link| link.weight);
    for row in 0..rows {
        let mut sum = start(into[row]);
        for link in 0..N {
            sum += weights[link] * columns[link][row];
        }
        into[row] = sum;
    }
}

#[inline(always)]
fn activate(values: &mut [f32], activation: Activation) {
    match activation {
        Activation::Sigmoid => values.iter_mut().for_each(|value| *value = sigmoid(*value)),
        Activation::Tanh => values.iter_mut().for_each(|value| *value = tanh(*value)),
        Activation::Tanh25 => values.iter_mut().for_each(|value| *value = tanh25(*value)),
        Activation::Relu => values.iter_mut().for_each(|value| *value = relu(*value)),
        Activation::Sin => values.iter_mut().for_each(|value| *value = sin(*value)),
        Activation::Gauss => values.iter_mut().for_each(|value| *value = gauss(*value)),
        Activation::Identity => {}
    }
}

/// The output's sum in steps: each contribution is rounded to a whole number of them.
#[inline(always)]
fn add_contributions(
    into: &mut [i32],
    output: &Output,
    sources: Sources<'_>,
    widest: impl Fn(Source) -> f64,
) {
    into.fill(steps_of(f64::from(output.bias.unwrap_or(0.0) * STEPS)));
    for link in &output.links {
        let scale = link.weight * STEPS;
        let values = sources.get(link.source);
        if f64::from(link.weight.abs()) * widest(link.source) < NARROW {
            for (sum, &value) in into.iter_mut().zip(values) {
                let steps = (scale * value + ROUND_F32).to_bits() as i32;
                *sum = sum.wrapping_add(steps.wrapping_sub(ROUND_BITS));
            }
        } else {
            for (sum, &value) in into.iter_mut().zip(values) {
                *sum = sum.wrapping_add(steps_of(f64::from(scale * value)));
            }
        }
    }
}

/// Rounds to the nearest whole number, ties to even, for any size that fits 32 bits.
#[inline(always)]
fn steps_of(value: f64) -> i32 {
    (value + ROUND_F64).to_bits() as i32
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
