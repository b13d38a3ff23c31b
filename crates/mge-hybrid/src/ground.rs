//! Rows to train on: tuning of weights, and what structure moves ask of the data.

use crate::draft::{Draft, Place};
use crate::verdict::{Judged, Verdict};
use mge_net::gradient::{
    AdamParams, Candidates, FisherMatrix, FisherSampling, LbfgsParams, Penalty,
};
use mge_net::gradient::{adam, lbfgs};
use mge_net::{Columns, EvaluationError, GradientEvaluator, GradientScratch, Loss, OutputLink, Source, Targets, Topology};
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
    pub(crate) columns: &'a Columns,
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
        let labels: Vec<u32> = order.iter().map(|&row| labels[row as usize]).collect();
        let chosen = columns.select(order);
        let ranges = (0..chosen.count()).map(|index| range(chosen.column(index))).collect();
        let targets = Targets::Classes { labels: &labels, link: OutputLink::for_outputs(outputs) };
        let evaluator = GradientEvaluator::new(&chosen, targets, loss)?;
        let train = evaluator.blocks_covering(train);
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
        let (topology, weights) = Topology::of(&draft.network());
        Judged {
            rows: self.evaluator.rows_within(blocks.clone()),
            loss: self.evaluator.loss(&topology, &weights, blocks.clone(), scratch),
            accuracy: self.evaluator.accuracy(&topology, &weights, blocks, scratch),
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
        let rows = (&self.evaluator, self.train.clone());
        self.tune_on(rows, draft, price, effort, seed, scratch)
    }

    /// The same on all rows, the validating ones included, and under a loss of its own: for networks
    /// whose structure is final. What the outputs say is then scaled for the loss of the search.
    pub(crate) fn tune_to_the_end(
        &self,
        loss: Loss,
        draft: &mut Draft,
        price: Price,
        effort: f64,
        seed: u64,
        scratch: &mut GradientScratch,
    ) {
        let evaluator = self.evaluator.with_loss(loss);
        let all = 0..evaluator.blocks();
        self.tune_on((&evaluator, all), draft, price, effort, seed, scratch);
        if loss != self.evaluator.loss_kind() {
            self.scale_outputs(draft, scratch);
        }
    }

    /// Multiplies all weights of the outputs by the number, from a quarter to four, for which the loss
    /// over all rows is lowest. The order of the outputs stays, so that no row changes its class.
    fn scale_outputs(&self, draft: &mut Draft, scratch: &mut GradientScratch) {
        const STEPS: usize = 16;
        let scaled = |exponent: f64| {
            let mut other = draft.clone();
            other.scale_outputs(libm::exp2(exponent) as f32);
            other
        };
        let all = 0..self.evaluator.blocks();
        let mut loss = |exponent: f64| {
            let (topology, weights) = Topology::of(&scaled(exponent).network());
            self.evaluator.loss(&topology, &weights, all.clone(), scratch)
        };
        // There is one lowest point along the factor; a golden section closes in on it.
        let golden = 0.5 * (5.0_f64.sqrt() - 1.0);
        let (mut low, mut high) = (-2.0, 2.0);
        let (mut left, mut right) = (high - golden * (high - low), low + golden * (high - low));
        let (mut of_left, mut of_right) = (loss(left), loss(right));
        for _ in 0..STEPS {
            if of_left < of_right {
                (high, right, of_right) = (right, left, of_left);
                left = high - golden * (high - low);
                of_left = loss(left);
            } else {
                (low, left, of_left) = (left, right, of_right);
                right = low + golden * (high - low);
                of_right = loss(right);
            }
        }
        let best = 0.5 * (low + high);
        if loss(best) < loss(0.0) {
            *draft = scaled(best);
        }
    }

    fn tune_on(
        &self,
        (evaluator, blocks): (&GradientEvaluator, Range<usize>),
        draft: &mut Draft,
        price: Price,
        effort: f64,
        seed: u64,
        scratch: &mut GradientScratch,
    ) -> f64 {
        let (topology, mut weights) = Topology::of(&draft.network());
        let Penalty { l1, l2 } = price.penalty;
        let size = size_of(evaluator);
        let penalty = Penalty { l1: l1 * size, l2: l2 * size };
        let objective = match self.optimiser {
            Optimiser::Batch(iterations) => {
                let iterations = (iterations as f64 * effort).ceil() as usize;
                let params = LbfgsParams { iterations, penalty, ..Default::default() };
                lbfgs(evaluator, &topology, &mut weights, blocks, &params, scratch)
            }
            Optimiser::Blocks(epochs) => {
                let usual = STEPS.div_ceil(blocks.len().max(1)).max(EPOCHS);
                let epochs = (epochs.unwrap_or(usual) as f64 * effort).ceil() as usize;
                let units = self.units(draft, price);
                let params = AdamParams { epochs, rate: 0.01, penalty, units: &units };
                let mut epoch = 0;
                let shuffle = |order: &mut [usize]| {
                    Stream::at(seed, Purpose::Mutation, u64::MAX, epoch).shuffle(order);
                    epoch += 1;
                };
                adam(evaluator, &topology, &mut weights, blocks, &params, shuffle, scratch)
            }
        };
        if let Ok(network) = topology.network(&weights) {
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
        let (topology, weights) = Topology::of(&draft.network());
        self.evaluator.candidates(&topology, &weights, self.sample(seed), scratch)
    }

    /// The derivative of the loss over all training rows by each weight.
    pub(crate) fn derivatives(&self, draft: &Draft, scratch: &mut GradientScratch) -> Vec<f64> {
        let (topology, weights) = Topology::of(&draft.network());
        let mut derivatives = vec![0.0; weights.len()];
        let blocks = self.train.clone();
        self.evaluator.gradient(&topology, &weights, blocks, scratch, &mut derivatives);
        derivatives
    }

    pub(crate) fn curvature(
        &self,
        topology: &Topology,
        weights: &[f32],
        seed: u64,
        scratch: &mut GradientScratch,
    ) -> FisherMatrix {
        let rows = self.evaluator.rows() * self.evaluator.link().classes();
        let draw = if rows <= EXACT_ROWS {
            FisherSampling::Exact
        } else {
            FisherSampling::MonteCarlo(seed)
        };
        self.evaluator.curvature(topology, weights, self.sample(seed), draw, scratch)
    }
}

/// About how large a loss is beside the cross-entropy, for which penalties are meant: the squared
/// error is a mean over classes, and smaller by as much.
fn size_of(evaluator: &GradientEvaluator) -> f64 {
    match evaluator.loss_kind() {
        Loss::CrossEntropy => 1.0,
        Loss::MeanSquaredError => 1.0 / evaluator.link().classes() as f64,
    }
}

/// The largest value less the smallest, or one where all are equal.
fn range(values: &[f32]) -> f64 {
    let least = values.iter().copied().fold(f32::INFINITY, f32::min);
    let most = values.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let range = f64::from(most) - f64::from(least);
    if range > 0.0 && range.is_finite() { range } else { 1.0 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use mge_net::{Link, Output};

    #[test]
    fn outputs_are_scaled_for_the_loss_and_no_row_changes_its_class() {
        let rows = 300;
        let mut stream = Stream::at(1, Purpose::Seed, 0, 0);
        let columns = Columns::from_fn(rows, 1, |_, values| {
            values.fill_with(|| (4.0 * stream.unit() - 2.0) as f32);
        });
        // The log-odds of the second class are the input itself.
        let odds = |x: f32| 1.0 / (1.0 + libm::exp(-f64::from(x)));
        let labels: Vec<u32> =
            columns.column(0).iter().map(|&x| u32::from(stream.unit() < odds(x))).collect();
        let known =
            Rows { columns: &columns, labels: &labels, outputs: 1, loss: Loss::CrossEntropy };
        let order: Vec<u32> = (0..rows as u32).collect();
        let ground = Ground::new(known, &order, rows, Optimiser::Batch(1)).expect("valid rows");
        let scratch = &mut GradientScratch::new();
        for weight in [0.3, 1.0, 3.5] {
            let links = vec![Link { source: Source::Input(0), weight }];
            let outputs = vec![Output { bias: Some(0.1 * weight), links }];
            let mut draft = Draft { inputs: 1, neurons: Vec::new(), outputs };
            let before = ground.judge(&draft, scratch);
            ground.scale_outputs(&mut draft, scratch);
            let after = ground.judge(&draft, scratch);
            assert_eq!(before.accuracy, after.accuracy);
            assert!(after.loss <= before.loss);
            let found = draft.outputs[0].links[0].weight;
            assert!((0.7..1.4).contains(&found), "{weight} became {found}");
        }
    }
}
