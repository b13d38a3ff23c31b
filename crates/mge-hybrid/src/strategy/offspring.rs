//! How an offspring is made, on large tables.
//!
//! ```text
//! offspring(b):
//!     P := the network at budget b, or, rarely, at a level next to it
//!     L := the penalty at b, or, rarely, another one
//!     N := P after structural mutation and crossover with a random network of the front
//!     grow N by connections to 1.15 to 1.45 times b          (with `growth` 0.3)
//!     train N;  prune N half-way back to b;  train N;  prune N to b;  train N    (with penalty L)
//!     drop N if it exceeds a limit on neurons, features or operations
//! ```

use super::{Candidate, HoldOutStrategy, SearchContext};
use crate::cost_model::CostModel;
use crate::front::HybridState;
use crate::grow::grow_connections;
use crate::moves::mutate_structure;
use crate::prune::{Pruning, prune_to_budget};
use crate::training_config::TrainingConfig;
use crate::training_set::Training;
use mge_evolve::ShouldStop;
use mge_net::{GradientScratch, SparseNetwork};
use mge_random::Stream;

/// The probabilities that the parent is of the level above or below.
const PARENT_ABOVE: f64 = 0.1;
const PARENT_BELOW: f64 = 0.05;

/// The probabilities that an offspring takes the penalty of one of the first configurations, or one
/// near its own.
const OTHER_PENALTY: f64 = 0.03;
const NEAR_PENALTY: f64 = 0.07;

impl HoldOutStrategy {
    /// An offspring for a level; `None` if its structure exceeds a limit, or if it was stopped.
    pub(super) fn offspring(
        &self,
        front: &HybridState,
        level: usize,
        mut stream: Stream,
        should_stop: ShouldStop<'_>,
    ) -> Option<Candidate> {
        let SearchContext { params, budgets, cost_model, .. } = &self.context;
        let (settings, training_set, cost_model) = (&params.0, &self.rows, *cost_model);
        let stream = &mut stream;
        let go_on = || (!should_stop()).then_some(());
        go_on()?;
        let scratch = &mut GradientScratch::new();
        let seed = stream.bits();
        let parent = self.parent_level(level, stream);
        let budget = budgets.all()[level];
        let config = self.mutate_penalty(&front.configs[level], stream);
        let regularization = config.regularization();
        let mut network = SparseNetwork::from(&front.members[parent].network);
        let other = &front.members[stream.index(self.context.levels())].network;
        mutate_structure(&mut network, other, settings, training_set, stream, scratch);

        let target = budget as f64 * (1.0 + settings.growth * (0.5 + stream.unit()));
        let missing = (target - cost_model.cost(&network) as f64) / cost_model.link as f64;
        let growth = settings.growth(missing.max(0.0) as usize);
        grow_connections(&mut network, growth, training_set, stream, scratch);

        let training = |effort, seed| Training { regularization, effort, seed };
        let pruning = |cost_model, budget, seed| Pruning {
            training_set,
            cost_model,
            budget,
            regularization,
            seed,
        };
        go_on()?;
        training_set.train(&mut network, training(0.7, seed), scratch);
        go_on()?;
        let half_way = (budget + cost_model.cost(&network)) / 2;
        prune_to_budget(&mut network, pruning(cost_model, half_way.max(budget), seed), scratch);
        training_set.train(&mut network, training(0.3, seed ^ 1), scratch);
        go_on()?;
        prune_to_budget(&mut network, pruning(cost_model, budget, seed ^ 2), scratch);
        if let Some(max) = params.max_operations(network.inputs()) {
            let limit = pruning(CostModel::OPERATIONS, max, seed ^ 2);
            prune_to_budget(&mut network, limit, scratch);
        }
        training_set.train(&mut network, training(1.0, seed ^ 3), scratch);
        if !params.allows_structure(&network) {
            return None;
        }
        let scores = training_set.validate(&network, scratch);
        Some(Candidate { network, config, scores })
    }

    fn parent_level(&self, level: usize, stream: &mut Stream) -> usize {
        match stream.unit() {
            x if x < PARENT_ABOVE => (level + 1).min(self.context.levels() - 1),
            x if x < PARENT_ABOVE + PARENT_BELOW => level.saturating_sub(1),
            _ => level,
        }
    }

    /// The configuration, rarely with another penalty. The penalty that suits a wide start network
    /// may be too strong for a network of few connections.
    fn mutate_penalty(&self, config: &TrainingConfig, stream: &mut Stream) -> TrainingConfig {
        let first_configs = &self.context.first_configs;
        let mut config = config.clone();
        if stream.chance(OTHER_PENALTY) {
            let other = &first_configs[stream.index(first_configs.len())];
            (config.l2, config.range_scaled) = (other.l2, other.range_scaled);
        } else if stream.chance(NEAR_PENALTY) {
            config.l2 *= libm::exp(4.0 * (stream.unit() - 0.5));
        }
        config
    }
}
