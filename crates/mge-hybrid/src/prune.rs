//! Pruning to a budget.
//!
//! [`prune_to_budget`] removes weights, whole neurons or, where features cost, whole features,
//! until the network costs no more than its budget. The target with the lowest loss increase for
//! each unit of cost saved goes first. Up to [`MAX_OBS_WEIGHTS`] weights, the optimal brain surgeon
//! ([`obs`]) chooses, and all other weights move to compensate. Above, every link is judged alone
//! by its [`saliency`], and nothing compensates.

mod obs;
mod saliency;

use crate::cost_model::CostModel;
use crate::training_set::{Regularization, TrainingSet};
use mge_net::{GradientScratch, SparseNetwork};
use obs::ObsPruner;
use saliency::prune_by_saliency;

/// The largest number of weights whose full Fisher matrix is inverted.
const MAX_OBS_WEIGHTS: usize = 700;

/// How a network is pruned.
#[derive(Clone, Copy)]
pub(crate) struct Pruning<'a> {
    pub(crate) training_set: &'a TrainingSet,
    pub(crate) cost_model: CostModel,
    /// The highest cost allowed.
    pub(crate) budget: usize,
    /// The regularization that the network was trained with.
    pub(crate) regularization: Regularization,
    /// Seeds the sample of rows that estimates the curvature.
    pub(crate) seed: u64,
}

/// Prunes until the network costs at most the budget, or nothing is left to remove.
pub(crate) fn prune_to_budget(
    network: &mut SparseNetwork,
    pruning: Pruning<'_>,
    scratch: &mut GradientScratch,
) {
    network.simplify();
    if pruning.cost_model.cost(network) <= pruning.budget {
        return;
    }
    if network.size() > MAX_OBS_WEIGHTS {
        prune_by_saliency(network, pruning, scratch);
    } else {
        ObsPruner::new(network, pruning, scratch).prune(network, pruning.budget);
    }
    network.simplify();
}

#[cfg(test)]
mod tests;
