//! How a search uses the rows of its table: one of two strategies, by the number of rows.
//!
//! - [`CvStrategy`], on small tables, compares training configurations over folds.
//! - [`HoldOutStrategy`], on large tables, compares single networks on a validation part.
//!
//! Both fill the same [`HybridState`], one generation at a time.

mod cross_validation;
mod hold_out;
mod offspring;

pub(crate) use cross_validation::CvStrategy;
pub(crate) use hold_out::HoldOutStrategy;

use crate::budgets::Budgets;
use crate::cost_model::CostModel;
use crate::front::{FrontEntry, HybridState, Member};
use crate::params::CheckedParams;
use crate::score::ValidationScores;
use crate::training_config::{RunContext, TrainingConfig};
use crate::training_set::TrainingSet;
use mge_evolve::{GenerationProgress, ShouldStop};
use mge_net::{Network, SparseNetwork};
use std::sync::Arc;

/// How a search changes its front in each generation. [`Hybrid`](crate::Hybrid) calls it.
pub(crate) trait Strategy: Send + Sync {
    /// Runs a generation, counted from 1; the first one fills an empty front. If it is stopped
    /// before its end, returns `false` and leaves the front as it was.
    fn run_generation(
        &self,
        front: &mut HybridState,
        generation: u64,
        should_stop: ShouldStop<'_>,
    ) -> bool;

    /// The evaluations that a generation counts: the largest number of networks that it may train
    /// to the end.
    fn cost_of_generation(&self, generation: u64) -> u64;

    /// The network of a member after the search: trained on all rows.
    fn refit(&self, member: &Member) -> Network;

    /// All rows.
    fn all_rows(&self) -> &TrainingSet;

    /// What both strategies share.
    fn context(&self) -> &SearchContext;
}

/// What both strategies share.
pub(crate) struct SearchContext {
    pub(crate) params: CheckedParams,
    pub(crate) seed: u64,
    pub(crate) budgets: Budgets,
    pub(crate) cost_model: CostModel,
    /// The configurations of the first generations, one each.
    pub(crate) first_configs: Vec<TrainingConfig>,
    /// How much of the current generation is done.
    pub(crate) progress: Arc<GenerationProgress>,
}

/// A network that may replace the one at a level of the front.
pub(crate) struct Candidate {
    pub(crate) network: SparseNetwork,
    pub(crate) config: TrainingConfig,
    pub(crate) scores: ValidationScores,
}

impl SearchContext {
    /// For tables of three features and three classes.
    #[cfg(test)]
    fn for_tests(params: CheckedParams, first_configs: Vec<TrainingConfig>) -> Self {
        let budgets = Budgets::new(&params, 3, 3, first_configs[0].l1 > 0.0);
        let cost_model = params.cost_model(3);
        let progress = Arc::default();
        Self { params, seed: 5, budgets, cost_model, first_configs, progress }
    }

    /// Announces a generation of so many runs of a configuration.
    fn begin_generation(&self, runs: usize) {
        self.progress.begin(runs * TrainingConfig::steps(self.levels()));
    }

    /// The number of budget levels, auxiliary ones included.
    fn levels(&self) -> usize {
        self.budgets.all().len()
    }

    /// The configuration of a generation, counted from 1; `None` after the first ones.
    fn first_config(&self, generation: u64) -> Option<&TrainingConfig> {
        self.first_configs.get(generation as usize - 1)
    }

    fn run_context<'a>(
        &'a self,
        training_set: &'a TrainingSet,
        should_stop: ShouldStop<'a>,
    ) -> RunContext<'a> {
        RunContext {
            training_set,
            budgets: self.budgets.all(),
            params: &self.params,
            should_stop,
            progress: &self.progress,
        }
    }

    /// Makes the front entry of a candidate at a level. Here its network becomes a [`Network`].
    fn entry(&self, level: usize, candidate: Candidate) -> FrontEntry {
        let Candidate { network, config, scores } = candidate;
        let loss = scores.loss();
        let member = Member {
            budget: self.budgets.all()[level],
            operations: CostModel::OPERATIONS.cost(&network),
            cost: (self.cost_model != CostModel::OPERATIONS)
                .then(|| self.cost_model.cost(&network)),
            loss: loss.mean,
            standard_error: loss.standard_error,
            accuracy: scores.accuracy().mean,
            l2: config.l2,
            range_scaled: config.range_scaled,
            network: network
                .to_network()
                .expect("edits keep networks well formed, training finite"),
        };
        FrontEntry { member, config, scores }
    }
}
