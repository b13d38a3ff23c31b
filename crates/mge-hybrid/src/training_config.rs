//! A training configuration: how to make a network for every budget, from nothing.
//!
//! ```text
//! run(config, rows, budgets):
//!     N := the start network (a wide one with random weights, or one of an earlier search)
//!     train N with the L1 and L2 penalty
//!     for each budget B, from the highest to the lowest:
//!         while cost(N) > B:                          prune_stepwise
//!             prune N to 3/4 of its cost, or to B
//!             train N briefly
//!         train N with the L2 penalty alone
//!         if removed neurons left much of B unused: add connections, train again
//!         repeat `regrowth_cycles` times:
//!             grow some connections, train, prune to B, train; keep the result if it is better
//!         networks[B] := N
//! ```

use crate::cost_model::CostModel;
use crate::grow::{Growth, grow_connections};
use crate::params::CheckedParams;
use crate::prune::{Pruning, prune_to_budget};
use crate::training_set::{Regularization, Training, TrainingSet};
use mge_evolve::{GenerationProgress, ShouldStop};
use mge_net::gradient::Penalty;
use mge_net::{Activation, GradientScratch, SparseNetwork};
use mge_random::{Purpose, Stream};
use serde::{Deserialize, Serialize};

/// How the networks of one front are made.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct TrainingConfig {
    /// Hidden neurons at the start; none makes a logistic regression.
    pub(crate) hidden_neurons: usize,
    /// Their activation.
    pub(crate) activation: Activation,
    /// For each input, the number of neurons that read only this input. With no
    /// other hidden neurons the start network is a generalised additive model.
    pub(crate) curves_per_input: usize,
    /// Whether outputs read inputs directly at the start.
    pub(crate) direct_links: bool,
    /// The L1 penalty of the start network.
    pub(crate) l1: f64,
    /// The L2 penalty, at all times.
    pub(crate) l2: f64,
    /// Whether penalties and steps are scaled by the ranges of the inputs, on large tables.
    pub(crate) range_scaled: bool,
    /// How often connections are grown and pruned at each budget.
    pub(crate) regrowth_cycles: usize,
    /// The index of a given network that replaces the wide start.
    pub(crate) warm_start: Option<usize>,
    /// Seeds all random numbers.
    pub(crate) seed: u64,
}

/// What a configuration runs on.
#[derive(Clone, Copy)]
pub(crate) struct RunContext<'a> {
    pub(crate) training_set: &'a TrainingSet,
    /// The cost limit of each network, ascending.
    pub(crate) budgets: &'a [usize],
    pub(crate) params: &'a CheckedParams,
    pub(crate) should_stop: ShouldStop<'a>,
    /// Counts the steps of the run; see [`TrainingConfig::steps`].
    pub(crate) progress: &'a GenerationProgress,
}

/// A limit that a network is pruned to.
#[derive(Clone, Copy)]
struct CostLimit {
    cost_model: CostModel,
    budget: usize,
    /// The highest budget. Far above it, pruning steps are coarser.
    highest: usize,
}

impl TrainingConfig {
    /// The steps of a run: the start network, and a network for each budget.
    pub(crate) fn steps(budgets: usize) -> usize {
        budgets + 1
    }

    /// A network for each budget, trained on the training rows; `None` if it was stopped before the
    /// last one.
    pub(crate) fn run(
        &self,
        context: RunContext<'_>,
        scratch: &mut GradientScratch,
    ) -> Option<Vec<SparseNetwork>> {
        let RunContext { training_set, budgets, params, .. } = context;
        let mut network = self.trained_start(context, scratch);
        context.progress.advance();
        let cost_model = params.cost_model(network.inputs());
        let highest = budgets.last().copied().unwrap_or(0);
        if let Some(budget) = params.max_operations(network.inputs()) {
            let limit = CostLimit { cost_model: CostModel::OPERATIONS, budget, highest: budget };
            self.prune_stepwise(&mut network, limit, context, scratch)?;
        }
        let mut networks = Vec::with_capacity(budgets.len());
        for (level, &budget) in budgets.iter().enumerate().rev() {
            let cost_before = cost_model.cost(&network);
            let limit = CostLimit { cost_model, budget, highest };
            self.prune_stepwise(&mut network, limit, context, scratch)?;
            if cost_model.cost(&network) < cost_before || networks.is_empty() {
                let mut objective = training_set.train(&mut network, self.training(1.0), scratch);
                let unused = budget.saturating_sub(cost_model.cost(&network)) / cost_model.link;
                // Removed neurons left at least a fifth of the budget unused.
                let is_much = 5 * cost_model.link * unused >= budget;
                if cost_before > budget && is_much && !training_set.has_validation() {
                    let growth = Growth { noise: 0.0, ..params.0.growth(unused) };
                    let mut stream =
                        Stream::at(self.seed, Purpose::Mutation, u64::MAX - 2, level as u64);
                    let refilled =
                        self.refilled(&network, limit, growth, context, &mut stream, scratch);
                    if params.allows_structure(&refilled.network) {
                        Trained { network, objective } = refilled;
                    }
                }
                for cycle in 0..self.regrowth_cycles {
                    if (context.should_stop)() {
                        return None;
                    }
                    let index = (level * 1000 + cycle) as u64;
                    let mut stream = Stream::at(self.seed, Purpose::Mutation, u64::MAX - 1, index);
                    let regrown = self.regrown(&network, limit, context, &mut stream, scratch);
                    if regrown.objective < objective && params.allows_structure(&regrown.network) {
                        Trained { network, objective } = regrown;
                    }
                }
            }
            networks.push(network.clone());
            context.progress.advance();
        }
        networks.reverse();
        Some(networks)
    }

    /// The start network, trained, within the limits on neurons and features.
    fn trained_start(
        &self,
        context: RunContext<'_>,
        scratch: &mut GradientScratch,
    ) -> SparseNetwork {
        let RunContext { training_set, params, .. } = context;
        let limits = params.limits();
        let regularization = self.start_regularization();
        let training = |effort| Training { regularization, effort, seed: self.seed };
        let mut network = self.start_network(training_set, &params.0);
        if let Some(max) = limits.max_neurons {
            network.truncate_neurons(max);
        }
        training_set.train(&mut network, training(1.0), scratch);
        while limits.max_features.is_some_and(|max| network.features().len() > max) {
            let next = network.features().len() * 3 / 4;
            network.keep_features(next.max(limits.max_features.unwrap_or(0)));
            training_set.train(&mut network, training(0.5), scratch);
        }
        network
    }

    /// Prunes to a budget in steps and trains between them; `None` if it was stopped.
    fn prune_stepwise(
        &self,
        network: &mut SparseNetwork,
        limit: CostLimit,
        context: RunContext<'_>,
        scratch: &mut GradientScratch,
    ) -> Option<()> {
        let CostLimit { cost_model, budget, highest } = limit;
        let training_set = context.training_set;
        while cost_model.cost(network) > budget {
            if (context.should_stop)() {
                return None;
            }
            let cost = cost_model.cost(network);
            let next = if cost > 4 * highest { cost / 2 } else { cost * 3 / 4 };
            let regularization = if next > 3 * highest {
                self.start_regularization()
            } else {
                self.regularization()
            };
            let (budget_of_step, seed) = (next.max(budget), self.seed);
            let pruning =
                Pruning { training_set, cost_model, budget: budget_of_step, regularization, seed };
            prune_to_budget(network, pruning, scratch);
            if cost_model.cost(network) == cost {
                break;
            }
            if cost_model.cost(network) > budget {
                training_set.train(
                    network,
                    Training { regularization, effort: 0.3, seed },
                    scratch,
                );
            }
        }
        Some(())
    }

    /// A copy with more connections, in place of those that were removed with a whole neuron.
    fn refilled(
        &self,
        network: &SparseNetwork,
        limit: CostLimit,
        growth: Growth,
        context: RunContext<'_>,
        stream: &mut Stream,
        scratch: &mut GradientScratch,
    ) -> Trained {
        let training_set = context.training_set;
        let mut network = network.clone();
        grow_connections(&mut network, growth, training_set, stream, scratch);
        if limit.cost_model.cost(&network) > limit.budget {
            // The features of the new connections cost too.
            training_set.train(&mut network, self.training(0.5), scratch);
            prune_to_budget(&mut network, self.pruning(limit, training_set), scratch);
        }
        let objective = training_set.train(&mut network, self.training(1.0), scratch);
        Trained { network, objective }
    }

    /// A copy that was grown, trained, pruned back to its budget and trained again.
    fn regrown(
        &self,
        network: &SparseNetwork,
        limit: CostLimit,
        context: RunContext<'_>,
        stream: &mut Stream,
        scratch: &mut GradientScratch,
    ) -> Trained {
        let RunContext { training_set, params, .. } = context;
        let mut network = network.clone();
        let count = (network.size() as f64 * params.0.growth).ceil() as usize;
        grow_connections(&mut network, params.0.growth(count), training_set, stream, scratch);
        training_set.train(&mut network, self.training(0.5), scratch);
        prune_to_budget(&mut network, self.pruning(limit, training_set), scratch);
        let objective = training_set.train(&mut network, self.training(1.0), scratch);
        Trained { network, objective }
    }

    fn pruning<'a>(&self, limit: CostLimit, training_set: &'a TrainingSet) -> Pruning<'a> {
        Pruning {
            training_set,
            cost_model: limit.cost_model,
            budget: limit.budget,
            regularization: self.regularization(),
            seed: self.seed,
        }
    }

    fn training(&self, effort: f64) -> Training {
        Training { regularization: self.regularization(), effort, seed: self.seed }
    }

    /// The regularization of the start network.
    fn start_regularization(&self) -> Regularization {
        Regularization { penalty: Penalty { l1: self.l1, l2: self.l2 }, ..self.regularization() }
    }

    /// The regularization of all later networks.
    pub(crate) fn regularization(&self) -> Regularization {
        let penalty = Penalty { l1: 0.0, l2: self.l2 };
        Regularization { penalty, range_scaled: self.range_scaled }
    }

    /// A configuration near this one.
    pub(crate) fn mutated(&self, stream: &mut Stream, activations: &[Activation]) -> Self {
        let mut config = Self { seed: stream.below(1 << 32), ..self.clone() };
        for _ in 0..1 + stream.index(2) {
            match stream.index(7) {
                0 | 1 => config.l2 *= libm::exp(3.0 * (stream.unit() - 0.5)),
                2 => {
                    let step = 1 + stream.index(3);
                    config.hidden_neurons = if stream.chance(0.5) {
                        config.hidden_neurons + step
                    } else {
                        config.hidden_neurons.saturating_sub(step)
                    };
                }
                3 => config.activation = activations[stream.index(activations.len())],
                4 => config.direct_links = !config.direct_links,
                5 => config.curves_per_input = stream.index(3),
                _ => config.regrowth_cycles = stream.index(4),
            }
        }
        config.l2 = config.l2.clamp(1e-6, 1.0);
        config
    }
}

/// A network and the objective that its training reached.
struct Trained {
    network: SparseNetwork,
    objective: f64,
}

#[cfg(test)]
mod tests;
