//! Rows to train on: tuning of weights, and what structure moves ask of the data.

use crate::draft::Draft;
use crate::teacher::{Labelled, MOST_ROWS};
use mge_net::gradient::{AdamParams, Candidates, Curvature, DescentParams, Draw, Penalty};
use mge_net::gradient::{adam, descend};
use mge_net::{Columns, EvaluationError, GradientEvaluator, GradientScratch, Loss, Wiring};
use mge_random::{Purpose, Stream};
use std::ops::Range;

/// Rows of which the first blocks train and the rest, if any, validate.
pub(crate) struct Ground {
    evaluator: GradientEvaluator,
    train: Range<usize>,
    optimiser: Optimiser,
    loss: Loss,
    /// The rows once more, for a teacher; none where they are too many for one.
    labelled: Option<Labelled>,
}

/// How weights are tuned.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Optimiser {
    /// L-BFGS, this many iterations at full effort.
    Batch(usize),
    /// Adam, this many epochs at full effort.
    Blocks(usize),
}

/// Most weights times rows that the exact curvature over every class is taken for.
const EXACT_ROWS: usize = 30_000;
/// Rows that the curvature and the candidates are taken from.
const SAMPLED_ROWS: usize = 12_000;

impl Ground {
    /// Takes the given rows of the columns, in the given order; about the share `validation` of
    /// the blocks, the last ones, do not train.
    pub(crate) fn new(
        columns: Columns<'_>,
        labels: &[u32],
        order: &[u32],
        outputs: usize,
        loss: Loss,
        validation: f64,
        optimiser: Optimiser,
    ) -> Result<Self, EvaluationError> {
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
        let evaluator = GradientEvaluator::new(chosen, &labels, outputs, loss)?;
        let labelled = (order.len() <= MOST_ROWS).then(|| {
            let features = columns.count();
            let mut all = vec![0.0; features * order.len()];
            for (row, into) in all.chunks_exact_mut(features.max(1)).enumerate() {
                chosen.copy_row(row, into);
            }
            Labelled { features, values: all, labels: labels.clone() }
        });
        let held = (validation * evaluator.blocks() as f64).ceil() as usize;
        let train = 0..evaluator.blocks().saturating_sub(held).max(1);
        Ok(Self { evaluator, train, optimiser, loss, labelled })
    }

    /// These rows and three times as many that a teacher labelled; `None` where there are too
    /// many rows for a teacher.
    pub(crate) fn taught(&self, seed: u64) -> Option<Self> {
        let own = self.labelled.as_ref().filter(|own| own.features > 0)?;
        let mut stream = Stream::at(seed, Purpose::Initialisation, 1, 0);
        let classes = self.evaluator.classes();
        let taught = own.taught(classes, 3 * own.labels.len(), &mut stream);
        let rows = taught.labels.len();
        let stride = Columns::stride_for(rows);
        let mut values = vec![0.0; stride * own.features];
        for (row, from) in taught.values.chunks_exact(own.features).enumerate() {
            for (column, &value) in from.iter().enumerate() {
                values[column * stride + row] = value;
            }
        }
        let columns = Columns::new(&values, rows, stride).ok()?;
        let outputs = self.evaluator.outputs();
        let evaluator =
            GradientEvaluator::new(columns, &taught.labels, outputs, self.loss).ok()?;
        let train = 0..evaluator.blocks();
        Some(Self { evaluator, train, optimiser: self.optimiser, loss: self.loss, labelled: None })
    }

    pub(crate) fn evaluator(&self) -> &GradientEvaluator {
        &self.evaluator
    }

    /// The mean loss over the rows that do not train, or over all if all of them train.
    pub(crate) fn validation_loss(&self, draft: &Draft, scratch: &mut GradientScratch) -> f64 {
        let held = self.train.end..self.evaluator.blocks();
        let (wiring, weights) = Wiring::of(&draft.network());
        let blocks = if held.is_empty() { 0..self.evaluator.blocks() } else { held };
        self.evaluator.loss(&wiring, &weights, blocks, scratch)
    }

    /// Tunes the weights and gives the objective on the training rows. `effort` 1 is the usual
    /// length.
    pub(crate) fn tune(
        &self,
        draft: &mut Draft,
        penalty: Penalty,
        effort: f64,
        seed: u64,
        scratch: &mut GradientScratch,
    ) -> f64 {
        self.tune_on(self.train.clone(), draft, penalty, effort, seed, scratch)
    }

    /// The same on all rows, the validating ones included: for networks whose structure is final.
    pub(crate) fn tune_on_all(
        &self,
        draft: &mut Draft,
        penalty: Penalty,
        effort: f64,
        seed: u64,
        scratch: &mut GradientScratch,
    ) -> f64 {
        self.tune_on(0..self.evaluator.blocks(), draft, penalty, effort, seed, scratch)
    }

    fn tune_on(
        &self,
        blocks: Range<usize>,
        draft: &mut Draft,
        penalty: Penalty,
        effort: f64,
        seed: u64,
        scratch: &mut GradientScratch,
    ) -> f64 {
        let (wiring, mut weights) = Wiring::of(&draft.network());
        let objective = match self.optimiser {
            Optimiser::Batch(iterations) => {
                let iterations = (iterations as f64 * effort).ceil() as usize;
                let params = DescentParams { iterations, penalty, ..Default::default() };
                descend(&self.evaluator, &wiring, &mut weights, blocks, &params, scratch)
            }
            Optimiser::Blocks(epochs) => {
                let epochs = (epochs as f64 * effort).ceil() as usize;
                let params = AdamParams { epochs, rate: 0.01, penalty };
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

    /// The blocks of a sample of the training rows.
    fn sample(&self) -> Range<usize> {
        let rows_of_block = self.evaluator.rows().div_ceil(self.evaluator.blocks()).max(1);
        0..self.train.end.min(SAMPLED_ROWS.div_ceil(rows_of_block))
    }

    pub(crate) fn candidates(&self, draft: &Draft, scratch: &mut GradientScratch) -> Candidates {
        let (wiring, weights) = Wiring::of(&draft.network());
        self.evaluator.candidates(&wiring, &weights, self.sample(), scratch)
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
        self.evaluator.curvature(wiring, weights, self.sample(), draw, scratch)
    }
}
