//! One block of rows, forwards and backwards. Everything is `inline(always)`, so that
//! [`dispatch`](crate::batch::dispatch) compiles it once for each SIMD level.

use super::sums::{dots, total};
use super::topology::Topology;
use super::{GradientEvaluator, GradientScratch};
use crate::batch::dispatch::Kernel;
use crate::batch::row_loss::{self, BlockTargets};
use crate::batch::unit::weighted_sum;
use crate::network::Source;

pub(super) use super::output::Aim;

/// A network on one block of rows. Each step uses what the ones before it left in the scratch.
pub(super) struct Pass<'a> {
    pub(super) evaluator: &'a GradientEvaluator,
    pub(super) topology: &'a Topology,
    pub(super) weights: &'a [f32],
    pub(super) block: usize,
    pub(super) scratch: &'a mut GradientScratch,
}

/// The sum of the loss over the rows of a block.
pub(super) struct LossOnly<'a>(pub(super) Pass<'a>);

impl Kernel for LossOnly<'_> {
    type Output = f64;

    #[inline(always)]
    fn run(mut self) -> f64 {
        self.0.forwards(false);
        self.0.loss()
    }
}

/// How many rows of a block are right.
pub(super) struct RightRows<'a>(pub(super) Pass<'a>);

impl Kernel for RightRows<'_> {
    type Output = u64;

    #[inline(always)]
    fn run(mut self) -> u64 {
        self.0.forwards(false);
        let (targets, sums, rows) = self.0.targets_and_sums();
        row_loss::correct_rows(sums, targets, rows)
    }
}

/// The sum of the loss over the rows of a block, and its gradient, which is added to what is there.
pub(super) struct LossAndGradient<'a> {
    pub(super) pass: Pass<'a>,
    pub(super) gradient: &'a mut [f64],
}

impl Kernel for LossAndGradient<'_> {
    type Output = f64;

    #[inline(always)]
    fn run(self) -> f64 {
        let Self { mut pass, gradient } = self;
        pass.forward_backward(Aim::Label);
        pass.add_gradient(gradient);
        pass.loss()
    }
}

impl Pass<'_> {
    /// The first row of the block, and how many it has with its padding.
    #[inline(always)]
    pub(super) fn span(&self) -> (usize, usize) {
        self.evaluator.spans[self.block]
    }

    /// Values, slopes, sums and the deltas of all units, against `aim`.
    #[inline(always)]
    pub(super) fn forward_backward(&mut self, aim: Aim) {
        self.forwards(true);
        self.output_deltas(aim);
        self.backwards();
    }

    /// Fills the values of the neurons, their slopes if wanted, and the sums of the outputs.
    #[inline(always)]
    fn forwards(&mut self, with_slopes: bool) {
        let (start, rows) = self.span();
        let Self { evaluator, topology, weights, .. } = *self;
        let inputs = evaluator.rows.blocks.block(start, rows);
        let all = self.scratch.values.get_mut();
        let slopes = self.scratch.slopes.get_mut();
        let sums = self.scratch.sums.get_mut();
        for index in 0..topology.units() {
            let (unit, sources) = topology.unit(index);
            let (earlier, rest) = all.split_at_mut(index.min(topology.neurons()) * rows);
            let bias = unit.has_bias.then(|| weights[unit.first]);
            let own = &weights[unit.first_link()..][..sources.len()];
            let is_hidden = index < topology.neurons();
            let into = if is_hidden {
                &mut rest[..rows]
            } else {
                &mut sums[(index - topology.neurons()) * rows..][..rows]
            };
            // A weight and its source lie in two lists, so links are read by their place.
            let places: Places = Places { sources, weights: own };
            weighted_links(into, bias, places, inputs, earlier, rows);
            if is_hidden {
                if with_slopes {
                    let slopes = &mut slopes[index * rows..][..rows];
                    slopes.copy_from_slice(into);
                    unit.activation.apply_fast(into);
                    unit.activation.derive_fast(into, slopes);
                } else {
                    unit.activation.apply_fast(into);
                }
            }
        }
    }

    /// Hands the deltas of the outputs down to the neurons.
    #[inline(always)]
    fn backwards(&mut self) {
        let (_, rows) = self.span();
        let Self { topology, weights, .. } = *self;
        let deltas = self.scratch.deltas.get_mut();
        let slopes = self.scratch.slopes.get();
        deltas[..topology.neurons() * rows].fill(0.0);
        for index in (0..topology.units()).rev() {
            let (unit, sources) = topology.unit(index);
            let (earlier, own) = deltas.split_at_mut(index * rows);
            let own = &mut own[..rows];
            if index < topology.neurons() {
                for (delta, &slope) in own.iter_mut().zip(&slopes[index * rows..][..rows]) {
                    *delta *= slope;
                }
            }
            for (&source, &weight) in sources.iter().zip(&weights[unit.first_link()..]) {
                if let Source::Neuron(neuron) = source {
                    let into = &mut earlier[neuron as usize * rows..][..rows];
                    add_links(into, [(own, weight)]);
                }
            }
        }
    }

    #[inline(always)]
    fn add_gradient(&self, gradient: &mut [f64]) {
        let (start, rows) = self.span();
        let Self { evaluator, topology, scratch, .. } = self;
        let inputs = evaluator.rows.blocks.block(start, rows);
        let hidden = scratch.values.get();
        for index in 0..topology.units() {
            let (unit, sources) = topology.unit(index);
            let delta = &scratch.deltas.get()[index * rows..][..rows];
            if unit.has_bias {
                gradient[unit.first] += total(delta);
            }
            let into = &mut gradient[unit.first_link()..][..sources.len()];
            let read = |source: Source| column(source, inputs, hidden, rows);
            let (fours, rest) = sources.as_chunks::<4>();
            let (into_fours, into_rest) = into.as_chunks_mut::<4>();
            for (&[a, b, c, d], into) in fours.iter().zip(into_fours) {
                let products = dots(delta, [read(a), read(b), read(c), read(d)]);
                for k in 0..4 {
                    into[k] += products[k];
                }
            }
            for (&source, into) in rest.iter().zip(into_rest) {
                *into += dots(delta, [read(source)])[0];
            }
        }
    }

    /// Uses the sums up.
    #[inline(always)]
    fn loss(&mut self) -> f64 {
        let loss = self.evaluator.rows.loss;
        let (targets, sums, rows) = self.targets_and_sums();
        row_loss::block_loss(loss, sums, targets, rows)
    }

    #[inline(always)]
    fn targets_and_sums(&mut self) -> (BlockTargets<'_>, &mut [f32], &mut row_loss::RowScratch) {
        let (start, rows) = self.span();
        let targets = self.evaluator.rows.targets.block(start, rows);
        let sums = &mut self.scratch.sums.get_mut()[..self.evaluator.rows.outputs * rows];
        (targets, sums, &mut self.scratch.rows)
    }
}

#[derive(Clone, Copy)]
struct Places<'a> {
    sources: &'a [Source],
    weights: &'a [f32],
}

#[inline(always)]
fn weighted_links(
    into: &mut [f32],
    bias: Option<f32>,
    places: Places<'_>,
    inputs: &[f32],
    hidden: &[f32],
    rows: usize,
) {
    let mut next = 0;
    let mut bias = bias;
    // Eight links at a time: `weighted_sum` takes them by reference.
    loop {
        let count = (places.sources.len() - next).min(8);
        let mut links = [(Source::Input(0), 0.0f32); 8];
        for (k, link) in links[..count].iter_mut().enumerate() {
            *link = (places.sources[next + k], places.weights[next + k]);
        }
        let read =
            |&(source, weight): &(Source, f32)| (column(source, inputs, hidden, rows), weight);
        if next == 0 {
            weighted_sum(into, bias.take(), &links[..count], read);
        } else {
            let (fours, rest) = links[..count].as_chunks::<4>();
            for four in fours {
                add_links(into, [read(&four[0]), read(&four[1]), read(&four[2]), read(&four[3])]);
            }
            for link in rest {
                add_links(into, [read(link)]);
            }
        }
        next += count;
        if next >= places.sources.len() {
            return;
        }
    }
}

#[inline(always)]
fn add_links<const N: usize>(into: &mut [f32], links: [(&[f32], f32); N]) {
    let rows = into.len();
    let links = links.map(|(column, weight)| (&column[..rows], weight));
    for row in 0..rows {
        let mut sum = into[row];
        for (column, weight) in links {
            sum += weight * column[row];
        }
        into[row] = sum;
    }
}

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
