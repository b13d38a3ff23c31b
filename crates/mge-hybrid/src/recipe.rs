//! A recipe: how to come from nothing to a network at every budget. Recipes are what the search
//! varies on small tables, where rows are too few to choose between single structures.

use crate::cut::cut_to;
use crate::draft::Draft;
use crate::front::Limits;
use crate::ground::Ground;
use crate::grow::grow_connections;
use mge_net::gradient::Penalty;
use mge_net::{Activation, GradientScratch, Link, Output, Source};
use mge_random::{Purpose, Stream};
use serde::{Deserialize, Serialize};

/// How the networks of one front are made: a wide start, trained, then cut rung by rung.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Recipe {
    /// Hidden neurons at the start; none makes a logistic regression.
    pub hidden: usize,
    /// What they compute.
    pub activation: Activation,
    /// Whether outputs read inputs directly at the start.
    pub direct: bool,
    /// The L1 penalty of the wide start.
    pub l1: f64,
    /// The L2 penalty, at all times.
    pub l2: f64,
    /// Whether rows made up between real ones and labelled by a teacher train as well.
    pub teacher: bool,
    /// Times that connections are grown and cut back at each budget.
    pub cycles: usize,
    /// Where the random numbers come from.
    pub seed: u64,
}

/// Share of the connections that a cycle adds.
const GROWTH: f64 = 0.35;

impl Recipe {
    /// A network for each rung (budgets in operations, ascending), trained on the ground's rows.
    pub(crate) fn follow(
        &self,
        ground: &Ground,
        rungs: &[usize],
        limits: &Limits,
        scratch: &mut GradientScratch,
    ) -> Vec<Draft> {
        let rest = Penalty { l1: 0.0, l2: self.l2 };
        let start = Penalty { l1: self.l1, l2: self.l2 };
        let taught = if self.teacher { ground.taught(self.seed) } else { None };
        let ground = taught.as_ref().unwrap_or(ground);
        let mut draft = self.wide(ground);
        if let Some(most) = limits.max_neurons {
            draft.drop_neurons(most);
        }
        ground.tune(&mut draft, start, 1.0, self.seed, scratch);
        while limits.max_features.is_some_and(|most| draft.features().len() > most) {
            let most = limits.max_features.unwrap_or(0).max(draft.features().len() * 3 / 4);
            draft.drop_features(most);
            ground.tune(&mut draft, start, 0.5, self.seed, scratch);
        }
        let highest = rungs.last().copied().unwrap_or(0);
        let mut networks = Vec::with_capacity(rungs.len());
        for (place, &rung) in rungs.iter().enumerate().rev() {
            let was = draft.operations();
            while draft.operations() > rung {
                let now = draft.operations();
                let next = if now > 4 * highest { now / 2 } else { now * 3 / 4 };
                let penalty = if next > 3 * highest { start } else { rest };
                cut_to(&mut draft, next.max(rung), ground, penalty, self.seed, scratch);
                if draft.operations() > rung {
                    ground.tune(&mut draft, penalty, 0.3, self.seed, scratch);
                } else if draft.operations() == now {
                    break;
                }
            }
            if draft.operations() < was || networks.is_empty() {
                let mut objective = ground.tune(&mut draft, rest, 1.0, self.seed, scratch);
                for cycle in 0..self.cycles {
                    let address = (place * 1000 + cycle) as u64;
                    let mut stream =
                        Stream::at(self.seed, Purpose::Mutation, u64::MAX - 1, address);
                    let mut other = draft.clone();
                    let count = (other.connections() as f64 * GROWTH).ceil() as usize;
                    grow_connections(&mut other, count, 0.5, ground, &mut stream, scratch);
                    ground.tune(&mut other, rest, 0.5, self.seed, scratch);
                    cut_to(&mut other, rung, ground, rest, self.seed, scratch);
                    let reached = ground.tune(&mut other, rest, 1.0, self.seed, scratch);
                    if reached < objective && limits.allow_parts(&other.network()) {
                        (draft, objective) = (other, reached);
                    }
                }
            }
            networks.push(draft.clone());
        }
        networks.reverse();
        networks
    }

    /// Everything linked to everything, with small random weights.
    fn wide(&self, ground: &Ground) -> Draft {
        let (inputs, count) = (ground.evaluator().inputs(), ground.evaluator().outputs());
        let mut stream = Stream::at(self.seed, Purpose::Initialisation, 0, 0);
        let mut link = |source: Source, width: f64| Link {
            source,
            weight: ((2.0 * stream.unit() - 1.0) * width) as f32,
        };
        let outputs = (0..count).map(|_| {
            let links = if self.direct || self.hidden == 0 {
                (0..inputs as u32).map(|input| link(Source::Input(input), 0.01)).collect()
            } else {
                Vec::new()
            };
            Output { bias: Some(0.0), links }
        });
        let mut draft = Draft { inputs, neurons: Vec::new(), outputs: outputs.collect() };
        let width = (3.0 / inputs.max(1) as f64).sqrt();
        let width_out = (3.0 / self.hidden.max(1) as f64).sqrt();
        for _ in 0..self.hidden {
            let links: Vec<Link> =
                (0..inputs as u32).map(|input| link(Source::Input(input), width)).collect();
            let bias = link(Source::Input(0), 1.0).weight;
            let feeds: Vec<(usize, f32)> =
                (0..count).map(|k| (k, link(Source::Input(0), width_out).weight)).collect();
            draft.push_neuron(self.activation, Some(bias), links, feeds);
        }
        draft
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
                5 => recipe.teacher = !recipe.teacher,
                4 => recipe.direct = !recipe.direct,
                _ => recipe.cycles = stream.index(4),
            }
        }
        recipe.l2 = recipe.l2.clamp(1e-6, 1.0);
        recipe
    }
}
