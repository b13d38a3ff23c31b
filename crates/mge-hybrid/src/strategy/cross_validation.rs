//! The strategy of small tables: cross-validated training configurations.
//!
//! A hundred rows cannot tell which of two networks is better. They can tell which of two training
//! configurations is. Each configuration trains networks on every fold, and the held-out rows
//! score them.
//!
//! ```text
//! generation t:
//!     C := the t-th of the first configurations, or a mutation of one on the front
//!     for each fold (K, H), in parallel:             K trains, H is held out
//!         for each budget b: S[fold, b] := score on H of run(C, K)[b]
//!     if C is better than the front at any budget:
//!         networks := run(C, all rows)
//!         for each budget b:
//!             if the loss of networks[b] on all rows > mean + 2 standard errors of S[., b]:
//!                 S[., b] := its score on all rows
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
use crate::held_out::HeldOut;
use crate::score::{PartScore, ValidationScores};
use crate::training_config::TrainingConfig;
use crate::training_data::TrainingData;
use crate::training_set::{Optimiser, TrainingSet};
use mge_evolve::ShouldStop;
use mge_net::{EvaluationError, GradientScratch, Network};
use mge_random::{Purpose, Stream};
use rayon::prelude::*;

/// The strategy that compares training configurations by cross-validation.
pub(crate) struct CvStrategy {
    context: SearchContext,
    all_rows: TrainingSet,
    folds: Vec<CvFold>,
}

/// The training rows and the held-out rows of a fold.
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
        let rows = data.targets.rows();
        let all_rows = training_set((0..rows as u32).collect())?;
        let parts = data.folds(settings.cv_folds, settings.cv_repeats(rows), seed);
        let fold = |HeldOut { training, held_out }| {
            Ok(CvFold { training: training_set(training)?, held_out: training_set(held_out)? })
        };
        let folds = parts.into_iter().map(fold).collect::<Result<_, EvaluationError>>()?;
        Ok(Self { context, all_rows, folds })
    }

    /// Evaluates a configuration on all folds. If it is better somewhere, runs it on all rows and
    /// inserts the networks. Returns `false` if it was stopped.
    fn evaluate_config(
        &self,
        front: &mut HybridState,
        config: &TrainingConfig,
        should_stop: ShouldStop<'_>,
    ) -> bool {
        // The folds, and perhaps all rows.
        self.context.begin_generation(self.folds.len() + 1);
        let Some(scores) = self.scores(config, should_stop) else { return false };
        let levels = 0..self.context.levels();
        if !levels.into_iter().any(|level| self.is_better(front, level, &scores[level])) {
            return true;
        }
        let mut scratch = GradientScratch::new();
        let context = self.context.run_context(&self.all_rows, should_stop);
        let Some(networks) = config.run(context, &mut scratch) else { return false };
        for (level, (network, mut scores)) in networks.into_iter().zip(scores).enumerate() {
            // If the training loss of this network is above the cross-validated loss by more than
            // two standard errors, the folds are not representative. Its own score is used
            // instead.
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

    /// Whether scores should replace those of a level. The mean gain over the folds must exceed
    /// `min_z_score` of its standard errors. Otherwise the earlier configuration stays; among the
    /// first configurations that is the simpler one.
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

    /// Returns the network itself: it was trained on all rows.
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
