//! The strategy of small tables: cross-validated training configurations.
//!
//! A hundred rows are too few to choose between two networks. They are enough to choose between two
//! ways of making networks: each is run on every fold, and scored on the rows that did not train its
//! networks.
//!
//! ```text
//! generation t:
//!     C := the t-th of the first configurations, or a mutation of one on the front
//!     for each fold (K, H), in parallel:             K trains, H is held out
//!         for each budget b: S[fold, b] := score on H of run(C, K)[b]
//!     if C is better than the front at any budget:
//!         networks := run(C, all rows)
//!         for each budget b:
//!             if the training loss of networks[b] is above the mean of S[., b] by more than two
//!                 standard errors: S[., b] := its score on its training rows
//!             if S[., b] is better than the scores of the front at b:
//!                 front[b] := networks[b]
//! ```
//!
//! | symbol | name here |
//! | --- | --- |
//! | `t` | the generation |
//! | `b` | a level of the [`Budgets`](crate::budgets::Budgets) |
//! | `C` | `config`, a [`TrainingConfig`](crate::training_config::TrainingConfig) |
//! | `K`, `H` | [`CvFold::training`], [`CvFold::held_out`] |
//! | `S[., b]` | [`ValidationScores`] of level `b` |
//! | "better" | [`CvStrategy::is_better`] |

use super::{Candidate, SearchContext, Strategy};
use crate::front::{HybridState, Member};
use crate::score::{PartScore, ValidationScores};
use crate::training_config::TrainingConfig;
use crate::training_data::TrainingData;
use crate::training_set::{Optimiser, TrainingSet};
use mge_evolve::ShouldStop;
use mge_net::{EvaluationError, GradientScratch, Network};
use mge_random::{Purpose, Stream};
use rayon::prelude::*;

/// The index of the streams that deal rows to folds. The splits of data sets have lower ones.
const FOLD_STREAM: u64 = 101;

/// A search by cross-validated training configurations.
pub(crate) struct CvStrategy {
    context: SearchContext,
    all_rows: TrainingSet,
    folds: Vec<CvFold>,
}

/// Rows that train, and rows that judge.
struct CvFold {
    training: TrainingSet,
    held_out: TrainingSet,
}

impl CvStrategy {
    pub(crate) fn new(
        data: &TrainingData<'_>,
        context: SearchContext,
    ) -> Result<Self, EvaluationError> {
        let (settings, seed) = (&context.params.0, context.seed);
        let training_set = |rows: Vec<u32>| {
            let rows = data.weighted(rows, seed);
            TrainingSet::new(data, &rows, rows.len(), Optimiser::Lbfgs(settings.iterations))
        };
        let mut order: Vec<u32> = (0..data.targets.rows() as u32).collect();
        let all_rows = training_set(order.clone())?;
        let mut folds = Vec::new();
        for repeat in 0..settings.cv_repeats(order.len()) {
            Stream::at(seed, Purpose::Split, FOLD_STREAM, repeat).shuffle(&mut order);
            data.stratify(&mut order);
            for fold in 0..settings.cv_folds {
                let part = |held_out: bool| -> Vec<u32> {
                    let is_in_part = |k: &usize| (k % settings.cv_folds == fold) == held_out;
                    (0..order.len()).filter(is_in_part).map(|k| order[k]).collect()
                };
                let (training, held_out) = (training_set(part(false))?, training_set(part(true))?);
                folds.push(CvFold { training, held_out });
            }
        }
        Ok(Self { context, all_rows, folds })
    }

    /// Evaluates a configuration on all folds, and inserts the networks that it makes of all rows.
    fn evaluate_config(
        &self,
        front: &mut HybridState,
        config: &TrainingConfig,
        should_stop: ShouldStop<'_>,
    ) -> bool {
        let Some(scores) = self.scores(config, should_stop) else { return false };
        let levels = 0..self.context.levels();
        if !levels.into_iter().any(|level| self.is_better(front, level, &scores[level])) {
            return true;
        }
        let mut scratch = GradientScratch::new();
        let context = self.context.run_context(&self.all_rows, should_stop);
        let Some(networks) = config.run(context, &mut scratch) else { return false };
        for (level, (network, mut scores)) in networks.into_iter().zip(scores).enumerate() {
            // The folds stand for networks like this one. If it does worse on the rows that trained
            // it than theirs did on unseen rows, they do not, and its own score replaces theirs.
            let own = self.all_rows.score(&network, &mut scratch);
            let loss = scores.loss();
            if own.loss > loss.mean + 2.0 * loss.standard_error {
                scores.held_out.fill(own);
            }
            if self.is_better(front, level, &scores) {
                let candidate = Candidate { network, config: config.clone(), scores };
                front.put(level, self.context.entry(level, candidate));
            }
        }
        true
    }

    /// The scores of a configuration at each level, fold by fold; `None` if it was stopped.
    fn scores(
        &self,
        config: &TrainingConfig,
        should_stop: ShouldStop<'_>,
    ) -> Option<Vec<ValidationScores>> {
        let score_fold = |fold: &CvFold| -> Option<Vec<PartScore>> {
            let mut scratch = GradientScratch::new();
            let context = self.context.run_context(&fold.training, should_stop);
            let networks = config.run(context, &mut scratch)?;
            let score = |network| fold.held_out.score(network, &mut scratch);
            Some(networks.iter().map(score).collect())
        };
        let by_fold: Option<Vec<Vec<PartScore>>> = self.folds.par_iter().map(score_fold).collect();
        let by_fold = by_fold?;
        let of_level = |level: usize| {
            let held_out = by_fold.iter().map(|fold| fold[level]).collect();
            ValidationScores { held_out, training_loss: None }
        };
        Some((0..self.context.levels()).map(of_level).collect())
    }

    /// Whether scores should replace those of a level. Folds are compared one by one: a difference
    /// that changes from fold to fold is chance, and the configuration that came first stays. It is
    /// the simpler one among the first.
    fn is_better(&self, front: &HybridState, level: usize, new: &ValidationScores) -> bool {
        let Some(old) = front.scores.get(level) else { return true };
        let gain = new.gain_over(old);
        gain.mean > self.context.params.0.min_z_score * gain.standard_error
    }
}

impl Strategy for CvStrategy {
    fn run_generation(
        &self,
        front: &mut HybridState,
        generation: u64,
        should_stop: ShouldStop<'_>,
    ) -> bool {
        let SearchContext { params, seed, .. } = &self.context;
        if let Some(config) = self.context.first_config(generation) {
            return self.evaluate_config(front, config, should_stop);
        }
        let mut stream = Stream::at(*seed, Purpose::Mutation, generation, 0);
        let level = stream.index(front.configs.len());
        let config = front.configs[level].mutated(&mut stream, &params.0.activations);
        self.evaluate_config(front, &config, should_stop)
    }

    fn cost_of_generation(&self, _generation: u64) -> u64 {
        ((self.folds.len() + 1) * self.context.levels()) as u64
    }

    /// All rows have trained the network already.
    fn refit(&self, member: &Member) -> Network {
        member.network.clone()
    }

    fn all_rows(&self) -> &TrainingSet {
        &self.all_rows
    }

    fn context(&self) -> &SearchContext {
        &self.context
    }
}

#[cfg(test)]
mod tests;
