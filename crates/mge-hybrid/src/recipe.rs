//! A recipe: how to come from nothing to a network at every budget. Recipes are what the search
//! varies on small tables, where rows are too few to choose between single structures.

use crate::cut::cut_to;
use crate::draft::Draft;
use crate::ground::{Ground, Price};
use crate::grow::{Growth, grow_connections};
use crate::params::CheckedParams;
use crate::tariff::Tariff;
use mge_evolve::ShouldStop;
use mge_net::gradient::Penalty;
use mge_net::{Activation, GradientScratch};
use mge_random::{Purpose, Stream};
use serde::{Deserialize, Serialize};

/// How the networks of one front are made: a wide start, trained, then cut rung by rung.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Recipe {
    /// Hidden neurons at the start; none makes a logistic regression.
    pub hidden: usize,
    /// What they compute.
    pub activation: Activation,
    /// Neurons for each input that read it alone, so that the start is a sum of curves.
    pub curves: usize,
    /// Whether outputs read inputs directly at the start.
    pub direct: bool,
    /// The L1 penalty of the wide start.
    pub l1: f64,
    /// The L2 penalty, at all times.
    pub l2: f64,
    /// Whether penalties and steps are those of inputs from 0 to 1, on large tables.
    pub by_range: bool,
    /// Times that connections are grown and cut back at each budget.
    pub cycles: usize,
    /// Which of the networks to start from takes the place of a wide start.
    pub from: Option<usize>,
    /// Where the random numbers come from.
    pub seed: u64,
}

/// A way down from a wide network.
#[derive(Clone, Copy)]
struct Descent {
    tariff: Tariff,
    /// The largest budget that is of interest: far above it, cuts are coarser.
    highest: usize,
    budget: usize,
}

impl Recipe {
    /// A network for each rung (budgets, ascending), trained on the ground's rows;
    /// `None` if it was over before the last of them.
    pub(crate) fn follow(
        &self,
        ground: &Ground,
        rungs: &[usize],
        params: &CheckedParams,
        scratch: &mut GradientScratch,
        is_over: ShouldStop<'_>,
    ) -> Option<Vec<Draft>> {
        let limits = params.limits();
        let (start, rest) = (self.start_price(), self.price());
        let mut draft = self.start(ground, &params.0);
        if let Some(most) = limits.max_neurons {
            draft.drop_neurons(most);
        }
        ground.tune(&mut draft, start, 1.0, self.seed, scratch);
        while limits.max_features.is_some_and(|most| draft.features().len() > most) {
            let most = limits.max_features.unwrap_or(0).max(draft.features().len() * 3 / 4);
            draft.drop_features(most);
            ground.tune(&mut draft, start, 0.5, self.seed, scratch);
        }
        let tariff = params.tariff(draft.inputs);
        let cost = |draft: &Draft| tariff.of(draft);
        let highest = rungs.last().copied().unwrap_or(0);
        if let Some(most) = params.most_operations(draft.inputs) {
            let descent = Descent { tariff: Tariff::OPERATIONS, highest: most, budget: most };
            self.come_down(&mut draft, descent, ground, scratch, is_over)?;
        }
        let is_allowed = |draft: &Draft| params.allow_on_front(&draft.network());
        let mut networks = Vec::with_capacity(rungs.len());
        for (place, &rung) in rungs.iter().enumerate().rev() {
            let was = cost(&draft);
            let descent = Descent { tariff, highest, budget: rung };
            self.come_down(&mut draft, descent, ground, scratch, is_over)?;
            if cost(&draft) < was || networks.is_empty() {
                let mut objective = ground.tune(&mut draft, rest, 1.0, self.seed, scratch);
                let left = rung.saturating_sub(cost(&draft)) / tariff.link;
                if was > rung && 5 * tariff.link * left >= rung && !ground.has_validation() {
                    // A whole neuron has fallen and left a fifth of the budget.
                    let growth = Growth { noise: 0.0, ..params.0.growth_of(left) };
                    let mut stream =
                        Stream::at(self.seed, Purpose::Mutation, u64::MAX - 2, place as u64);
                    let mut fuller = draft.clone();
                    grow_connections(&mut fuller, growth, ground, &mut stream, scratch);
                    if cost(&fuller) > rung {
                        // Connections came with features that cost.
                        ground.tune(&mut fuller, rest, 0.5, self.seed, scratch);
                        cut_to(&mut fuller, tariff, rung, ground, rest, self.seed, scratch);
                    }
                    let reached = ground.tune(&mut fuller, rest, 1.0, self.seed, scratch);
                    if is_allowed(&fuller) {
                        (draft, objective) = (fuller, reached);
                    }
                }
                for cycle in 0..self.cycles {
                    if is_over() {
                        return None;
                    }
                    let address = (place * 1000 + cycle) as u64;
                    let mut stream =
                        Stream::at(self.seed, Purpose::Mutation, u64::MAX - 1, address);
                    let mut other = draft.clone();
                    let count = (other.connections() as f64 * params.0.growth).ceil() as usize;
                    let growth = params.0.growth_of(count);
                    grow_connections(&mut other, growth, ground, &mut stream, scratch);
                    ground.tune(&mut other, rest, 0.5, self.seed, scratch);
                    cut_to(&mut other, tariff, rung, ground, rest, self.seed, scratch);
                    let reached = ground.tune(&mut other, rest, 1.0, self.seed, scratch);
                    if reached < objective && is_allowed(&other) {
                        (draft, objective) = (other, reached);
                    }
                }
            }
            networks.push(draft.clone());
        }
        networks.reverse();
        Some(networks)
    }

    /// Cuts to a budget in steps, and tunes between them; `None` if it was over before.
    fn come_down(
        &self,
        draft: &mut Draft,
        Descent { tariff, highest, budget }: Descent,
        ground: &Ground,
        scratch: &mut GradientScratch,
        is_over: ShouldStop<'_>,
    ) -> Option<()> {
        while tariff.of(draft) > budget {
            if is_over() {
                return None;
            }
            let now = tariff.of(draft);
            let next = if now > 4 * highest { now / 2 } else { now * 3 / 4 };
            let price = if next > 3 * highest { self.start_price() } else { self.price() };
            cut_to(draft, tariff, next.max(budget), ground, price, self.seed, scratch);
            if tariff.of(draft) == now {
                break;
            }
            if tariff.of(draft) > budget {
                ground.tune(draft, price, 0.3, self.seed, scratch);
            }
        }
        Some(())
    }

    /// What weights cost in the wide start.
    fn start_price(&self) -> Price {
        Price { penalty: Penalty { l1: self.l1, l2: self.l2 }, ..self.price() }
    }

    /// What weights cost once the wide start is behind.
    pub(crate) fn price(&self) -> Price {
        Price { penalty: Penalty { l1: 0.0, l2: self.l2 }, by_range: self.by_range }
    }

    /// A recipe near this one.
    pub(crate) fn mutated(&self, stream: &mut Stream, activations: &[Activation]) -> Self {
        let mut recipe = Self { seed: stream.below(1 << 32), ..self.clone() };
        for _ in 0..1 + stream.index(2) {
            match stream.index(7) {
                0 | 1 => recipe.l2 *= libm::exp(3.0 * (stream.unit() - 0.5)),
                2 => {
                    let by = 1 + stream.index(3);
                    recipe.hidden = if stream.chance(0.5) {
                        recipe.hidden + by
                    } else {
                        recipe.hidden.saturating_sub(by)
                    };
                }
                3 => recipe.activation = activations[stream.index(activations.len())],
                4 => recipe.direct = !recipe.direct,
                5 => recipe.curves = stream.index(3),
                _ => recipe.cycles = stream.index(4),
            }
        }
        recipe.l2 = recipe.l2.clamp(1e-6, 1.0);
        recipe
    }
}
