//! Rows to train on: tuning of weights, and what structure moves ask of the data.

use crate::draft::{Draft, Place};
use crate::verdict::{Judged, Verdict};
use mge_net::gradient::{AdamParams, Candidates, Curvature, DescentParams, Draw, Penalty};
use mge_net::gradient::{adam, descend};
use mge_net::{Columns, EvaluationError, GradientEvaluator, GradientScratch, Loss, Source, Wiring};
use mge_random::{Purpose, Stream};
use std::ops::Range;

/// Rows of which the first train and the rest, if any, validate.
pub(crate) struct Ground {
    evaluator: GradientEvaluator,
    /// How far the values of each input lie apart.
    ranges: Vec<f64>,
    train: Range<usize>,
    held: Range<usize>,
    optimiser: Optimiser,
}

/// A table, before any of its rows are chosen.
#[derive(Clone, Copy)]
pub(crate) struct Rows<'a> {
    pub(crate) columns: Columns<'a>,
    pub(crate) labels: &'a [u32],
    pub(crate) outputs: usize,
    pub(crate) loss: Loss,
}

/// What weights cost while they are tuned.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Price {
    pub(crate) penalty: Penalty,
    /// Whether weights are those of inputs from 0 to 1. Inputs that are rarely far from their mean,
    /// such as pixels at the rim, then cost more: by them, a network learns single rows by heart.
    pub(crate) by_range: bool,
}

/// How weights are tuned.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Optimiser {
    /// L-BFGS, this many iterations at full effort.
    Batch(usize),
    /// Adam, this many epochs at full effort, or enough of them for [`STEPS`].
    Blocks(Option<usize>),
}

/// Most rows times classes that the exact curvature over every class is taken for.
const EXACT_ROWS: usize = 30_000;
/// Adam takes at least so many epochs and steps for a network at full effort.
const EPOCHS: usize = 12;
const STEPS: usize = 1200;
/// Rows that the curvature and the candidates are taken from.
const SAMPLED_ROWS: usize = 12_000;

impl Ground {
    /// Takes the given rows of the columns, in the given order. The first `train` of them train,
    /// the others validate, and so does a block that has both.
    pub(crate) fn new(
        rows: Rows<'_>,
        order: &[u32],
        train: usize,
        optimiser: Optimiser,
    ) -> Result<Self, EvaluationError> {
        let Rows { columns, labels, outputs, loss } = rows;
        let stride = Columns::stride_for(order.len());
        let mut values = vec![0.0; stride * columns.count()];
        for (index, into) in values.chunks_exact_mut(stride).enumerate() {
            let from = columns.column(index);
            for (place, &row) in into.iter_mut().zip(order) {
                *place = from[row as usize];
            }
        }
        let labels: Vec<u32> = order.iter().map(|&row| labels[row as usize]).collect();
        let chosen = Columns::new(&values, order.len(), stride);
        let chosen = chosen.expect("the stride is that of the rows");
        let ranges = (0..chosen.count()).map(|index| range(chosen.column(index))).collect();
        let evaluator = GradientEvaluator::new(chosen, &labels, outputs, loss)?;
        let train = evaluator.blocks_within(train);
        let held = train.end..evaluator.blocks();
        Ok(Self { evaluator, ranges, train, held, optimiser })
    }

    /// What each weight is multiplied by before its price is taken; empty where that is nothing.
    pub(crate) fn units(&self, draft: &Draft, price: Price) -> Vec<f64> {
        if !price.by_range {
            return Vec::new();
        }
        let unit = |place| match place {
            Place::Link(_, Source::Input(input)) => self.ranges[input as usize],
            _ => 1.0,
        };
        draft.places().into_iter().map(unit).collect()
    }

    /// Whether some rows validate.
    pub(crate) fn has_validation(&self) -> bool {
        !self.held.is_empty()
    }

    pub(crate) fn evaluator(&self) -> &GradientEvaluator {
        &self.evaluator
    }

    /// How good a network is on all rows.
    pub(crate) fn judge(&self, draft: &Draft, scratch: &mut GradientScratch) -> Judged {
        self.judge_on(0..self.evaluator.blocks(), draft, scratch)
    }

    /// How good a network is on the validation part, block by block, and on the rows that trained
    /// it.
    pub(crate) fn validate(&self, draft: &Draft, scratch: &mut GradientScratch) -> Verdict {
        let held = self.held.clone().map(|block| self.judge_on(block..block + 1, draft, scratch));
        let held = held.collect();
        let trained = self.judge_on(self.train.clone(), draft, scratch).loss;
        Verdict { held, trained: Some(trained) }
    }

    fn judge_on(
        &self,
        blocks: Range<usize>,
        draft: &Draft,
        scratch: &mut GradientScratch,
    ) -> Judged {
        let (wiring, weights) = Wiring::of(&draft.network());
        Judged {
            rows: self.evaluator.rows_within(blocks.clone()),
            loss: self.evaluator.loss(&wiring, &weights, blocks.clone(), scratch),
            accuracy: self.evaluator.accuracy(&wiring, &weights, blocks, scratch),
        }
    }

    /// Tunes the weights and gives the objective on the training rows. `effort` 1 is the usual
    /// length.
    pub(crate) fn tune(
        &self,
        draft: &mut Draft,
        price: Price,
        effort: f64,
        seed: u64,
        scratch: &mut GradientScratch,
    ) -> f64 {
        self.tune_on(self.train.clone(), draft, price, effort, seed, scratch)
    }

    /// The same on all rows, the validating ones included: for networks whose structure is final.
    pub(crate) fn tune_on_all(
        &self,
        draft: &mut Draft,
        price: Price,
        effort: f64,
        seed: u64,
        scratch: &mut GradientScratch,
    ) -> f64 {
        self.tune_on(0..self.evaluator.blocks(), draft, price, effort, seed, scratch)
    }

    fn tune_on(
        &self,
        blocks: Range<usize>,
        draft: &mut Draft,
        price: Price,
        effort: f64,
        seed: u64,
        scratch: &mut GradientScratch,
    ) -> f64 {
        let (wiring, mut weights) = Wiring::of(&draft.network());
        let objective = match self.optimiser {
            Optimiser::Batch(iterations) => {
                let iterations = (iterations as f64 * effort).ceil() as usize;
                let penalty = price.penalty;
                let params = DescentParams { iterations, penalty, ..Default::default() };
                descend(&self.evaluator, &wiring, &mut weights, blocks, &params, scratch)
            }
            Optimiser::Blocks(epochs) => {
                let usual = STEPS.div_ceil(blocks.len().max(1)).max(EPOCHS);
                let epochs = (epochs.unwrap_or(usual) as f64 * effort).ceil() as usize;
                let units = self.units(draft, price);
                let params =
                    AdamParams { epochs, rate: 0.01, penalty: price.penalty, units: &units };
                let mut epoch = 0;
                let shuffle = |order: &mut [usize]| {
                    Stream::at(seed, Purpose::Mutation, u64::MAX, epoch).shuffle(order);
                    epoch += 1;
                };
                adam(&self.evaluator, &wiring, &mut weights, blocks, &params, shuffle, scratch)
            }
        };
        if let Ok(network) = wiring.network(&weights) {
            *draft = Draft::of(&network);
        }
        objective
    }

    /// The blocks of a sample of the training rows, which are in no order. Another one for each
    /// seed: structures that are chosen by the same rows again and again suit those rows alone.
    fn sample(&self, seed: u64) -> Range<usize> {
        let rows_of_block = self.evaluator.rows().div_ceil(self.evaluator.blocks()).max(1);
        let count = self.train.end.min(SAMPLED_ROWS.div_ceil(rows_of_block));
        let spare = self.train.end - count;
        let start = Stream::at(seed, Purpose::Mutation, u64::MAX, u64::MAX).index(spare + 1);
        start..start + count
    }

    /// Whether there are more training rows than a sample has.
    pub(crate) fn is_sampled(&self) -> bool {
        self.sample(0).len() < self.train.len()
    }

    /// What connections that do not exist would bring, by a sample of the rows.
    pub(crate) fn candidates(
        &self,
        draft: &Draft,
        seed: u64,
        scratch: &mut GradientScratch,
    ) -> Candidates {
        let (wiring, weights) = Wiring::of(&draft.network());
        self.evaluator.candidates(&wiring, &weights, self.sample(seed), scratch)
    }

    /// The derivative of the loss over all training rows by each weight.
    pub(crate) fn derivatives(&self, draft: &Draft, scratch: &mut GradientScratch) -> Vec<f64> {
        let (wiring, weights) = Wiring::of(&draft.network());
        let mut derivatives = vec![0.0; weights.len()];
        let blocks = self.train.clone();
        self.evaluator.gradient(&wiring, &weights, blocks, scratch, &mut derivatives);
        derivatives
    }

    pub(crate) fn curvature(
        &self,
        wiring: &Wiring,
        weights: &[f32],
        seed: u64,
        scratch: &mut GradientScratch,
    ) -> Curvature {
        let rows = self.evaluator.rows() * self.evaluator.classes();
        let draw = if rows <= EXACT_ROWS { Draw::Every } else { Draw::One(seed) };
        self.evaluator.curvature(wiring, weights, self.sample(seed), draw, scratch)
    }
}

/// The largest value less the smallest, or one where all are equal.
fn range(values: &[f32]) -> f64 {
    let least = values.iter().copied().fold(f32::INFINITY, f32::min);
    let most = values.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let range = f64::from(most) - f64::from(least);
    if range > 0.0 && range.is_finite() { range } else { 1.0 }
}
