//! The budgets of a search: the cost limits of the networks on the front.

use crate::cost_model::{CostModel, Objective, operations_of_bytes};
use crate::params::CheckedParams;

/// The budgets of a search, ascending. A budget is named by its level, its index here.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Budgets {
    all: Vec<usize>,
    on_front: usize,
}

/// Auxiliary budgets are at most this many times the highest budget of the front.
const MAX_HEADROOM: f64 = 3.0;
/// Auxiliary budgets are at most this fraction of the default highest budget.
const MAX_OF_DEFAULT: f64 = 0.75;

impl Budgets {
    /// The budgets for networks with this many inputs and outputs.
    ///
    /// Large tables have auxiliary budgets above those of the front. A network that is pruned level
    /// by level from there, and improved at each, is better than one pruned at once to the highest
    /// budget.
    pub(crate) fn new(
        params: &CheckedParams,
        inputs: usize,
        outputs: usize,
        is_large_table: bool,
    ) -> Self {
        let settings = &params.0;
        let cost_model = params.cost_model(inputs);
        let default = if outputs == 1 { 300 } else { (150 * outputs).min(2000) };
        let min = min_cost(cost_model, outputs);
        let in_bytes =
            |operations: usize| operations * cost_model.link / CostModel::OPERATIONS.link;
        let max_ops = settings.max_ops.unwrap_or(default);
        let mut highest = match settings.objective {
            Objective::Operations => max_ops,
            Objective::Bytes => settings.max_bytes.unwrap_or_else(|| in_bytes(max_ops)),
        };
        let mut on_front: Vec<usize> = settings.budgets.clone();
        if let Some(bytes) = settings.max_bytes {
            // Budgets are close to the limit, and none is far above. The bytes of a network, or the
            // operations for these bytes, are known only approximately.
            let about = match settings.objective {
                Objective::Operations => operations_of_bytes(bytes, inputs, outputs),
                Objective::Bytes => bytes,
            };
            let about = about.max(min) as f64;
            let fractions = [0.8, 0.87, 0.93, 1.0, 1.07];
            on_front.extend(fractions.map(|fraction| (fraction * about) as usize));
            highest = highest.min((1.3 * about) as usize);
        }
        // The cost of features is added to what a network may cost otherwise.
        highest += cost_model.feature * inputs.min(highest / cost_model.link);
        let ratio = settings.budget_ratio.unwrap_or(if is_large_table { 1.4 } else { 1.2 });
        let mut budget = min.max(8).min(highest) as f64;
        while (budget as usize) < highest {
            on_front.push(budget as usize);
            budget = (budget * ratio).max(budget + 2.0);
        }
        on_front.push(highest);
        on_front.retain(|&budget| budget <= highest && (budget >= min || budget == highest));
        on_front.sort_unstable();
        on_front.dedup();
        let mut auxiliary = Vec::new();
        if is_large_table && cost_model == CostModel::OPERATIONS {
            let max = (MAX_OF_DEFAULT * default as f64).min(MAX_HEADROOM * highest as f64) as usize;
            let mut budget = highest as f64 * ratio;
            while (budget as usize) < max {
                auxiliary.push(budget as usize);
                budget *= ratio;
            }
            auxiliary.extend((max > highest).then_some(max));
        }
        let count = on_front.len();
        Self { all: on_front.into_iter().chain(auxiliary).collect(), on_front: count }
    }

    /// All budgets, the auxiliary ones included.
    pub(crate) fn all(&self) -> &[usize] {
        &self.all
    }

    /// The budgets of the front.
    pub(crate) fn on_front(&self) -> &[usize] {
        &self.all[..self.on_front]
    }

    pub(crate) fn highest(&self) -> usize {
        self.all.last().copied().unwrap_or(0)
    }
}

/// The cost of the smallest useful network: one link for each output, and one feature.
fn min_cost(cost_model: CostModel, outputs: usize) -> usize {
    (cost_model.link + cost_model.output) * outputs + cost_model.feature
}

#[cfg(test)]
mod tests;
