//! The strategy of large tables: single networks, compared on a validation part.
//!
//! Some rows are held out. The first generations run training configurations on the other rows.
//! After that every generation makes offspring for each budget.
//!
//! ```text
//! generation t:
//!     if there is a t-th first configuration C:
//!         for each budget b: insert(run(C, training rows)[b], b)
//!         if t = 1: insert the given networks of an earlier search; promote
//!     else:
//!         for each budget b, up to three times, in parallel:
//!             N[b, i] := offspring(b)                (see `offspring`)
//!         insert all N[b, i] at b; promote
//!
//! promote:
//!     for each budget b, ascending:
//!         if T(b - 1) < T(b), or with another penalty V*(b - 1) < V*(b):
//!             copy the network at b - 1 to b      (offspring grow it to that budget)
//! ```
//!
//! `insert(N, b)` replaces the network `M` at budget `b` if `N` is better. With the training loss
//! `T`, the validation loss `V`, the lowest validation loss seen at `b`, `V*`, and the standard
//! error `e` of `V(N) - V*`, block by block:
//!
//! ```text
//! same penalty:       T(N) < T(M)  and  V(N) <= V* + e
//! another penalty:    V(N) < V* - e
//! ```
//!
//! With the same penalty, the many training rows show small improvements, and the validation rows
//! guard against overfitting. Of two penalties, training rows would always favour the lower one.
//! A copied network grows to its new budget in later generations.
//!
//! | symbol | name here |
//! | --- | --- |
//! | `b`, `b - 1` | a level of the [`Budgets`](crate::budgets::Budgets), and the level below |
//! | `C` | `config`, a [`TrainingConfig`] |
//! | `N`, `M` | the network of a [`Candidate`], and of a [`Member`] |
//! | `T` | [`ValidationScores::training_loss`] |
//! | `V`, `V*` | [`ValidationScores::held_out`] of a candidate, and of the front |
//! | `e` | [`Estimate::standard_error`](crate::score::Estimate::standard_error) |

use super::{Candidate, SearchContext, Strategy};
use crate::front::{HybridState, Member};
use crate::held_out::HeldOut;
use crate::score::ValidationScores;
use crate::training_config::TrainingConfig;
use crate::training_data::TrainingData;
use crate::training_set::{Optimiser, Regularization, Training, TrainingSet};
use mge_evolve::ShouldStop;
use mge_net::gradient::Penalty;
use mge_net::{EvaluationError, GradientScratch, Network, SparseNetwork};
use mge_random::{Purpose, Stream};
use rayon::prelude::*;

/// The maximum number of offspring of a level in a generation.
const MAX_OFFSPRING: usize = 3;

/// The strategy that compares offspring on a validation part.
pub(crate) struct HoldOutStrategy {
    pub(super) context: SearchContext,
    /// All rows; the last blocks validate.
    pub(super) rows: TrainingSet,
}

impl HoldOutStrategy {
    pub(crate) fn new(
        data: &TrainingData<'_>,
        context: SearchContext,
    ) -> Result<Self, EvaluationError> {
        let (settings, seed) = (&context.params.0, context.seed);
        let validation_rows = settings.validation_rows(data.targets.rows());
        let HeldOut { training, held_out } = data.hold_out(validation_rows, seed);
        let held_out = data.weighted(held_out, seed);
        let mut order = data.weighted(training, seed);
        let training_rows = order.len();
        order.extend(held_out);
        let rows = TrainingSet::new(data, &order, training_rows, Optimiser::Adam(settings.epochs))?;
        Ok(Self { context, rows })
    }

    /// Runs a configuration and inserts its networks. Returns `false` if it was stopped.
    fn evaluate_config(
        &self,
        front: &mut HybridState,
        config: &TrainingConfig,
        should_stop: ShouldStop<'_>,
    ) -> bool {
        self.context.begin_generation(1);
        let mut scratch = GradientScratch::new();
        let context = self.context.run_context(&self.rows, should_stop);
        let Some(networks) = config.run(context, &mut scratch) else { return false };
        for (level, network) in networks.into_iter().enumerate() {
            let scores = self.rows.validate(&network, &mut scratch);
            self.try_insert(front, level, Candidate { network, config: config.clone(), scores });
        }
        true
    }

    /// Inserts the given networks of an earlier search, each at the lowest budget that it meets.
    /// They are first trained on the training rows alone, since the earlier search may have
    /// trained them on rows that validate here.
    fn insert_given(&self, front: &mut HybridState) {
        let SearchContext { params, budgets, cost_model, first_configs, .. } = &self.context;
        let config = &first_configs[0];
        let mut scratch = GradientScratch::new();
        for network in &params.0.start {
            let mut network = SparseNetwork::from(network);
            let cost = cost_model.cost(&network);
            let level = budgets.all().iter().position(|&budget| cost <= budget);
            if let Some(level) = level
                && params.allows_structure(&network)
            {
                let (regularization, seed) = (config.regularization(), config.seed);
                let training = Training { regularization, effort: 1.0, seed };
                self.rows.train(&mut network, training, &mut scratch);
                let scores = self.rows.validate(&network, &mut scratch);
                let candidate = Candidate { network, config: config.clone(), scores };
                self.try_insert(front, level, candidate);
            }
        }
        promote(front);
    }

    /// Makes offspring of all levels and inserts them. Returns `false` if it was stopped.
    fn breed(&self, front: &mut HybridState, generation: u64, should_stop: ShouldStop<'_>) -> bool {
        let levels = self.levels_to_breed();
        let parents = &*front;
        let progress = &self.context.progress;
        progress.begin(levels.len());
        let make = |(index, &level): (usize, &usize)| -> Option<Candidate> {
            let stream = Stream::at(self.context.seed, Purpose::Mutation, generation, index as u64);
            let offspring = self.offspring(parents, level, stream, should_stop);
            progress.advance();
            offspring
        };
        let offspring: Vec<Option<Candidate>> = levels.par_iter().enumerate().map(make).collect();
        if should_stop() {
            return false;
        }
        for (level, candidate) in levels.into_iter().zip(offspring) {
            if let Some(candidate) = candidate {
                self.try_insert(front, level, candidate);
            }
        }
        promote(front);
        true
    }

    /// The level of each offspring. Cheap networks train faster, so low levels have more
    /// offspring: the highest budget divided by their own, rounded up, at most [`MAX_OFFSPRING`].
    /// The most expensive come first, so that no thread waits for them at the end.
    fn levels_to_breed(&self) -> Vec<usize> {
        let budgets = &self.context.budgets;
        let all = budgets.all();
        let count = |level: usize| budgets.highest().div_ceil(all[level]).min(MAX_OFFSPRING);
        let of_level = |level: usize| std::iter::repeat_n(level, count(level));
        (0..all.len()).rev().flat_map(of_level).collect()
    }

    /// Replaces the network of a level if the candidate is better.
    fn try_insert(&self, front: &mut HybridState, level: usize, candidate: Candidate) {
        if !is_better(front, level, &candidate) {
            return;
        }
        let mut entry = self.context.entry(level, candidate);
        // The lowest validation loss seen stays the one to beat.
        if let Some(old) = front.scores.get(level)
            && old.loss().mean < entry.member.loss
        {
            entry.scores.held_out.clone_from(&old.held_out);
        }
        front.put(level, entry);
    }
}

/// Whether a candidate should replace the network of a level; see the module.
fn is_better(front: &HybridState, level: usize, candidate: &Candidate) -> bool {
    let Some(old) = front.scores.get(level) else { return true };
    let new = &candidate.scores;
    let gain = new.gain_over(old);
    if front.configs[level].regularization() != candidate.config.regularization() {
        return gain.mean > gain.standard_error;
    }
    new.training_loss < old.training_loss && gain.mean >= -gain.standard_error
}

/// Copies the network of a level to the level above if it is better there. Offspring then grow it
/// to that budget.
fn promote(front: &mut HybridState) {
    for level in 1..front.members.len() {
        let (below, own) = (&front.scores[level - 1], &front.scores[level]);
        if should_promote(below, own, front.same_penalty(level - 1, level)) {
            front.copy_from_below(level);
        }
    }
}

/// Whether the network of the level below is better than the one of a level.
fn should_promote(below: &ValidationScores, own: &ValidationScores, same_penalty: bool) -> bool {
    if same_penalty {
        below.training_loss < own.training_loss
    } else {
        below.gain_over(own).mean > 0.0
    }
}

impl Strategy for HoldOutStrategy {
    fn run_generation(
        &self,
        front: &mut HybridState,
        generation: u64,
        should_stop: ShouldStop<'_>,
    ) -> bool {
        let Some(config) = self.context.first_config(generation) else {
            return self.breed(front, generation, should_stop);
        };
        let is_done = self.evaluate_config(front, config, should_stop);
        if is_done && generation == 1 {
            self.insert_given(front);
        }
        is_done
    }

    fn cost_of_generation(&self, generation: u64) -> u64 {
        match self.context.first_config(generation) {
            Some(_) => self.context.levels() as u64,
            None => self.levels_to_breed().len() as u64,
        }
    }

    /// Trains the network on all rows, including the validation part.
    fn refit(&self, member: &Member) -> Network {
        let mut network = SparseNetwork::from(&member.network);
        let penalty = Penalty { l1: 0.0, l2: member.l2 };
        let regularization = Regularization { penalty, range_scaled: member.range_scaled };
        let training = Training { regularization, effort: 2.0, seed: self.context.seed };
        let evaluator = self.rows.evaluator();
        let loss = if evaluator.link().is_identity() {
            evaluator.loss_kind()
        } else {
            self.context.params.0.refit_loss
        };
        self.rows.final_refit(loss, &mut network, training, &mut GradientScratch::new());
        network.to_network().expect("training keeps weights finite")
    }

    fn all_rows(&self) -> &TrainingSet {
        &self.rows
    }

    fn context(&self) -> &SearchContext {
        &self.context
    }
}

#[cfg(test)]
mod tests;
