//! One block of rows through a network, forward and backward.
//!
//! Everything is `inline(always)`, so that [`dispatch`](crate::batch::dispatch) compiles it once
//! for each SIMD level.

use super::sums::{dots, total};
use super::{GradientEvaluator, GradientScratch, SMOOTH_CORNER};
use crate::batch::dispatch::Kernel;
use crate::batch::row_loss::{self, BlockTargets};
use crate::batch::unit::weighted_sum;
use crate::network::{Link, Source};
use crate::sparse_network::SparseNetwork;

pub(super) use super::output_deltas::LossTarget;

/// A network on one block of rows. Each step uses what the steps before it left in the scratch.
pub(super) struct Pass<'a> {
    pub(super) evaluator: &'a GradientEvaluator,
    pub(super) network: &'a SparseNetwork,
    pub(super) block: usize,
    pub(super) scratch: &'a mut GradientScratch,
}

/// The sum of the loss over the rows of a block.
pub(super) struct LossOnly<'a>(pub(super) Pass<'a>);

impl Kernel for LossOnly<'_> {
    type Output = f64;

    #[inline(always)]
    fn run(mut self) -> f64 {
        self.0.forward(false);
        self.0.loss()
    }
}

/// How many rows of a block are classified correctly.
pub(super) struct RightRows<'a>(pub(super) Pass<'a>);

impl Kernel for RightRows<'_> {
    type Output = u64;

    #[inline(always)]
    fn run(mut self) -> u64 {
        self.0.forward(false);
        let (targets, sums, rows) = self.0.targets_and_sums();
        row_loss::correct_rows(sums, targets.classes(), rows)
    }
}

/// The sum of the loss over the rows of a block. Its gradient is added to the one given.
pub(super) struct LossAndGradient<'a> {
    pub(super) pass: Pass<'a>,
    pub(super) gradient: &'a mut [f64],
}

impl Kernel for LossAndGradient<'_> {
    type Output = f64;

    #[inline(always)]
    fn run(self) -> f64 {
        let Self { mut pass, gradient } = self;
        pass.forward_backward(LossTarget::Label);
        pass.add_gradient(gradient);
        pass.loss()
    }
}

impl Pass<'_> {
    /// The first row of the block, and how many rows it has with its padding.
    #[inline(always)]
    pub(super) fn span(&self) -> (usize, usize) {
        self.evaluator.spans[self.block]
    }

    /// Computes neuron values, activation derivatives, output sums and the deltas of all units.
    #[inline(always)]
    pub(super) fn forward_backward(&mut self, target: LossTarget) {
        self.forward(true);
        self.output_deltas(target);
        self.backward();
    }

    /// Computes neuron values and output sums, and activation derivatives if asked for.
    #[inline(always)]
    fn forward(&mut self, with_derivatives: bool) {
        let (start, rows) = self.span();
        let Self { evaluator, network, .. } = *self;
        let hidden = network.neurons().len();
        let inputs = evaluator.rows.blocks.block(start, rows);
        let values = self.scratch.values.get_mut();
        let derivatives = self.scratch.derivatives.get_mut();
        let sums = self.scratch.sums.get_mut();
        for index in 0..network.units() {
            let unit = network.unit(index);
            let (earlier, rest) = values.split_at_mut(index.min(hidden) * rows);
            let is_hidden = index < hidden;
            let into = if is_hidden {
                &mut rest[..rows]
            } else {
                &mut sums[(index - hidden) * rows..][..rows]
            };
            let read = |link: &Link| (column(link.source, inputs, earlier, rows), link.weight);
            weighted_sum(into, unit.bias, unit.links, read);
            if is_hidden {
                if with_derivatives {
                    let derivatives = &mut derivatives[index * rows..][..rows];
                    derivatives.copy_from_slice(into);
                    unit.activation.apply_fast(into);
                    unit.activation.derive_fast(into, derivatives);
                } else {
                    unit.activation.apply_fast(into);
                }
            }
        }
    }

    /// Propagates the deltas of the outputs to the neurons.
    #[inline(always)]
    fn backward(&mut self) {
        let (_, rows) = self.span();
        let network = self.network;
        let hidden = network.neurons().len();
        let deltas = self.scratch.deltas.get_mut();
        let derivatives = self.scratch.derivatives.get();
        deltas[..hidden * rows].fill(0.0);
        for index in (0..network.units()).rev() {
            let (earlier, own) = deltas.split_at_mut(index * rows);
            let own = &mut own[..rows];
            if index < hidden {
                for (delta, &slope) in own.iter_mut().zip(&derivatives[index * rows..][..rows]) {
                    *delta *= slope;
                }
            }
            for &Link { source, weight } in network.unit(index).links {
                if let Source::Neuron(neuron) = source {
                    let into = &mut earlier[neuron as usize * rows..][..rows];
                    for (sum, &delta) in into.iter_mut().zip(&own[..rows]) {
                        *sum += weight * delta;
                    }
                }
            }
        }
    }

    #[inline(always)]
    fn add_gradient(&self, gradient: &mut [f64]) {
        let (start, rows) = self.span();
        let Self { evaluator, network, scratch, .. } = self;
        let inputs = evaluator.rows.blocks.block(start, rows);
        let hidden = scratch.values.get();
        let read = |link: &Link| column(link.source, inputs, hidden, rows);
        let mut first = 0;
        for index in 0..network.units() {
            let unit = network.unit(index);
            let delta = &scratch.deltas.get()[index * rows..][..rows];
            if unit.bias.is_some() {
                gradient[first] += total(delta);
                first += 1;
            }
            let into = &mut gradient[first..][..unit.links.len()];
            first += unit.links.len();
            let (fours, rest) = unit.links.as_chunks::<4>();
            let (into_fours, into_rest) = into.as_chunks_mut::<4>();
            for ([a, b, c, d], into) in fours.iter().zip(into_fours) {
                let products = dots(delta, [read(a), read(b), read(c), read(d)]);
                for k in 0..4 {
                    into[k] += products[k];
                }
            }
            for (link, into) in rest.iter().zip(into_rest) {
                *into += dots(delta, [read(link)])[0];
            }
        }
    }

    /// The sum of the loss; overwrites the output sums.
    #[inline(always)]
    fn loss(&mut self) -> f64 {
        let loss = self.evaluator.rows.loss;
        let (targets, sums, rows) = self.targets_and_sums();
        row_loss::block_loss(loss, sums, targets, SMOOTH_CORNER as f32, rows)
    }

    #[inline(always)]
    fn targets_and_sums(&mut self) -> (BlockTargets<'_>, &mut [f32], &mut row_loss::RowScratch) {
        let (start, rows) = self.span();
        let targets = self.evaluator.rows.targets.block(start, rows);
        let sums = &mut self.scratch.sums.get_mut()[..self.evaluator.rows.outputs * rows];
        (targets, sums, &mut self.scratch.rows)
    }
}

/// The values of a source.
#[inline(always)]
pub(super) fn column<'a>(
    source: Source,
    inputs: &'a [f32],
    hidden: &'a [f32],
    rows: usize,
) -> &'a [f32] {
    let (values, index) = match source {
        Source::Input(index) => (inputs, index),
        Source::Neuron(index) => (hidden, index),
    };
    &values[index as usize * rows..][..rows]
}
