//! The rows that a search trains and measures networks on.
//!
//! A [`TrainingSet`] holds chosen rows of a table in a chosen order. The first of them train, and
//! the rest, if any, validate. [`TrainingSet::train`] changes weights. The other methods measure:
//! the score of a network, the gain of missing connections, the Fisher matrix for pruning.

use crate::score::{PartScore, ValidationScores};
use crate::training_data::TrainingData;
use mge_net::gradient::{
    AdamParams, Candidates, FisherMatrix, FisherSampling, LbfgsParams, Penalty, adam, lbfgs,
};
use mge_net::{
    Connection, EvaluationError, GradientEvaluator, GradientScratch, Loss, Source, SparseNetwork,
};
use mge_random::{Purpose, Stream};
use std::ops::Range;

/// Rows to train on, and rows to validate on.
pub(crate) struct TrainingSet {
    evaluator: GradientEvaluator,
    /// The range of the values of each input.
    input_ranges: Vec<f64>,
    /// The blocks that train.
    training: Range<usize>,
    /// The blocks that validate.
    validation: Range<usize>,
    optimiser: Optimiser,
}

/// What training adds to the loss.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Regularization {
    pub(crate) penalty: Penalty,
    /// Whether weights are penalised as if each input went from 0 to 1. Inputs that are rarely far
    /// from their mean, such as pixels at the border, are then penalised more. Without it, networks
    /// use them to memorise single rows.
    pub(crate) range_scaled: bool,
}

/// How long and by which rule weights are trained.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Training {
    pub(crate) regularization: Regularization,
    /// A fraction of the full number of iterations or epochs.
    pub(crate) effort: f64,
    /// Seeds the order of mini-batches.
    pub(crate) seed: u64,
}

/// The algorithm that trains weights.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Optimiser {
    /// L-BFGS with this many iterations at full effort.
    Lbfgs(usize),
    /// Adam with this many epochs at full effort; by default enough for [`MIN_STEPS`].
    Adam(Option<usize>),
}

/// The exact Fisher matrix is taken up to this many rows times classes or outputs.
const MAX_EXACT_ROWS: usize = 30_000;
/// At full effort Adam makes at least this many epochs and steps.
const MIN_EPOCHS: usize = 12;
const MIN_STEPS: usize = 1200;
/// The number of rows that the Fisher matrix and the candidates are taken from.
const SAMPLED_ROWS: usize = 12_000;

impl TrainingSet {
    /// Copies rows of a table, in the given order. The first `training_rows` of them train and the
    /// others validate. A block with rows of both kinds validates.
    pub(crate) fn new(
        data: &TrainingData<'_>,
        rows: &[u32],
        training_rows: usize,
        optimiser: Optimiser,
    ) -> Result<Self, EvaluationError> {
        let evaluator = data.evaluator(rows)?;
        let input_ranges = (0..data.columns.count())
            .map(|index| range(data.columns.column(index), rows))
            .collect();
        let training = evaluator.blocks_covering(training_rows);
        let validation = training.end..evaluator.blocks();
        Ok(Self { evaluator, input_ranges, training, validation, optimiser })
    }

    pub(crate) fn evaluator(&self) -> &GradientEvaluator {
        &self.evaluator
    }

    /// Whether some rows validate.
    pub(crate) fn has_validation(&self) -> bool {
        !self.validation.is_empty()
    }

    /// The score of a network on all rows.
    pub(crate) fn score(
        &self,
        network: &SparseNetwork,
        scratch: &mut GradientScratch,
    ) -> PartScore {
        self.score_on(0..self.evaluator.blocks(), network, scratch)
    }

    /// The scores of a network on each block of the validation part, and its training loss.
    pub(crate) fn validate(
        &self,
        network: &SparseNetwork,
        scratch: &mut GradientScratch,
    ) -> ValidationScores {
        let blocks = self.validation.clone();
        let held_out = blocks.map(|block| self.score_on(block..block + 1, network, scratch));
        let held_out = held_out.collect();
        let training_loss = Some(self.score_on(self.training.clone(), network, scratch).loss);
        ValidationScores { held_out, training_loss }
    }

    fn score_on(
        &self,
        blocks: Range<usize>,
        network: &SparseNetwork,
        scratch: &mut GradientScratch,
    ) -> PartScore {
        PartScore {
            rows: self.evaluator.rows_within(blocks.clone()),
            loss: self.evaluator.loss(network, blocks.clone(), scratch),
            accuracy: self.evaluator.accuracy(network, blocks, scratch),
        }
    }

    /// Trains the weights on the training rows and returns the objective reached.
    pub(crate) fn train(
        &self,
        network: &mut SparseNetwork,
        training: Training,
        scratch: &mut GradientScratch,
    ) -> f64 {
        self.train_on(&self.evaluator, self.training.clone(), network, training, scratch)
    }

    /// Trains a network of final structure on all rows, those that validate included, with a loss
    /// of its own. Its outputs are then scaled for the loss of the search.
    pub(crate) fn final_refit(
        &self,
        loss: Loss,
        network: &mut SparseNetwork,
        training: Training,
        scratch: &mut GradientScratch,
    ) {
        let evaluator = self.evaluator.with_loss(loss);
        let all = 0..evaluator.blocks();
        self.train_on(&evaluator, all, network, training, scratch);
        if loss != self.evaluator.loss_kind() {
            self.scale_outputs(network, scratch);
        }
    }

    fn train_on(
        &self,
        evaluator: &GradientEvaluator,
        blocks: Range<usize>,
        network: &mut SparseNetwork,
        training: Training,
        scratch: &mut GradientScratch,
    ) -> f64 {
        let Training { regularization, effort, seed } = training;
        let scale = penalty_scale(evaluator);
        let Penalty { l1, l2 } = regularization.penalty;
        let penalty = Penalty { l1: l1 * scale, l2: l2 * scale };
        let before = network.weights();
        let objective = match self.optimiser {
            Optimiser::Lbfgs(iterations) => {
                let iterations = (iterations as f64 * effort).ceil() as usize;
                let params = LbfgsParams { iterations, penalty, ..Default::default() };
                lbfgs(evaluator, network, blocks, &params, scratch)
            }
            Optimiser::Adam(epochs) => {
                let default = MIN_STEPS.div_ceil(blocks.len().max(1)).max(MIN_EPOCHS);
                let epochs = (epochs.unwrap_or(default) as f64 * effort).ceil() as usize;
                let weight_scales = &self.weight_scales(network, regularization);
                let params = AdamParams { epochs, rate: 0.01, penalty, weight_scales };
                let mut epoch = 0;
                let shuffle = |order: &mut [usize]| {
                    Stream::at(seed, Purpose::Mutation, u64::MAX, epoch).shuffle(order);
                    epoch += 1;
                };
                adam(evaluator, network, blocks, &params, shuffle, scratch)
            }
        };
        if !network.is_finite() {
            network.set_weights(&before);
        }
        objective
    }

    /// The scale of each weight for steps and penalties; empty if all scales are one.
    pub(crate) fn weight_scales(
        &self,
        network: &SparseNetwork,
        regularization: Regularization,
    ) -> Vec<f64> {
        if !regularization.range_scaled {
            return Vec::new();
        }
        let scale = |connection| match connection {
            Connection::Link { source: Source::Input(input), .. } => {
                self.input_ranges[input as usize]
            }
            _ => 1.0,
        };
        network.connections().into_iter().map(scale).collect()
    }

    /// Multiplies all weights of the outputs by the factor, from 1/4 to 4, with the lowest loss
    /// over all rows. No row changes its class, since the order of the outputs stays.
    fn scale_outputs(&self, network: &mut SparseNetwork, scratch: &mut GradientScratch) {
        const STEPS: usize = 16;
        let scaled = |exponent: f64| {
            let mut other = network.clone();
            other.scale_outputs(libm::exp2(exponent) as f32);
            other.zero_non_finite();
            other
        };
        let all = 0..self.evaluator.blocks();
        let mut loss = |exponent: f64| self.evaluator.loss(&scaled(exponent), all.clone(), scratch);
        // The loss has one minimum along the factor; a golden-section search finds it.
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
            *network = scaled(best);
        }
    }

    /// The blocks of a sample of the training rows, which are in random order. Each seed gives
    /// another sample: a structure that is always chosen by the same rows would overfit them.
    fn sample(&self, seed: u64) -> Range<usize> {
        let rows_of_block = self.evaluator.rows().div_ceil(self.evaluator.blocks()).max(1);
        let count = self.training.end.min(SAMPLED_ROWS.div_ceil(rows_of_block));
        let spare = self.training.end - count;
        let start = Stream::at(seed, Purpose::Mutation, u64::MAX, u64::MAX).index(spare + 1);
        start..start + count
    }

    /// Whether there are more training rows than a sample has.
    pub(crate) fn is_sampled(&self) -> bool {
        self.sample(0).len() < self.training.len()
    }

    /// What missing connections would gain, by a sample of the training rows.
    pub(crate) fn candidates(
        &self,
        network: &SparseNetwork,
        seed: u64,
        scratch: &mut GradientScratch,
    ) -> Candidates {
        self.evaluator.candidates(network, self.sample(seed), scratch)
    }

    /// The derivative of the loss over all training rows by each weight.
    pub(crate) fn gradient(
        &self,
        network: &SparseNetwork,
        scratch: &mut GradientScratch,
    ) -> Vec<f64> {
        let mut gradient = vec![0.0; network.size()];
        self.evaluator.gradient(network, self.training.clone(), scratch, &mut gradient);
        gradient
    }

    /// The Fisher matrix, by a sample of the training rows.
    pub(crate) fn fisher_matrix(
        &self,
        network: &SparseNetwork,
        seed: u64,
        scratch: &mut GradientScratch,
    ) -> FisherMatrix {
        let link = self.evaluator.link();
        let rows = self.evaluator.rows() * link.classes().max(link.outputs());
        let sampling = if rows <= MAX_EXACT_ROWS {
            FisherSampling::Exact
        } else {
            FisherSampling::MonteCarlo(seed)
        };
        self.evaluator.fisher_matrix(network, self.sample(seed), sampling, scratch)
    }
}

/// The size of a loss relative to the cross-entropy, for which penalties are chosen. The squared
/// error is a mean over classes, and smaller by that factor; losses of numbers are means over
/// outputs. Of numbers with deviation 1, a good network leaves errors of about one half: there the
/// losses have about these sizes.
fn penalty_scale(evaluator: &GradientEvaluator) -> f64 {
    let link = evaluator.link();
    let of_one = match evaluator.loss_kind() {
        Loss::CrossEntropy => return 1.0,
        Loss::MeanSquaredError if !link.is_identity() => return 1.0 / link.classes() as f64,
        Loss::MeanSquaredError => 1.0,
        Loss::MeanAbsoluteError => 1.0,
        Loss::Huber { .. } | Loss::Pinball { .. } => 0.5,
    };
    of_one / link.outputs() as f64
}

/// The largest value of some rows less the smallest, or one where all are equal.
fn range(column: &[f32], rows: &[u32]) -> f64 {
    let values = rows.iter().map(|&row| column[row as usize]);
    let min = values.clone().fold(f32::INFINITY, f32::min);
    let max = values.fold(f32::NEG_INFINITY, f32::max);
    let range = f64::from(max) - f64::from(min);
    if range > 0.0 && range.is_finite() { range } else { 1.0 }
}

#[cfg(test)]
mod tests;
