//! Offspring on large tables: one for each rung and generation.
//!
//! A parent from the rung or near it is grown, tuned, cut half-way back, tuned, cut to the budget
//! and tuned again. New neurons follow the gradient, are split off from others, or come from the
//! network of another rung.

use crate::cut::cut_to;
use crate::draft::Draft;
use crate::grow::{add_neuron, grow_connections};
use crate::recipe::Recipe;
use crate::search::{Front, Hybrid};
use crate::verdict::Verdict;
use mge_net::{GradientScratch, Link, Network, Output, Source};
use mge_random::{Purpose, Stream};
use rayon::prelude::*;

/// A network for a rung.
struct Offspring {
    draft: Draft,
    recipe: Recipe,
    verdict: Verdict,
}

impl Hybrid {
    /// One offspring for each rung; it stays where it is better, see [`Hybrid::is_better`].
    pub(crate) fn breed(&self, front: &mut Front, generation: u64) {
        let rungs = (0..self.rungs.len()).into_par_iter();
        let offspring: Vec<Option<Offspring>> =
            rungs.map(|place| self.offspring(front, place, generation)).collect();
        for (place, offspring) in offspring.into_iter().enumerate() {
            if let Some(Offspring { draft, recipe, verdict }) = offspring {
                self.offer(front, place, &draft, verdict, &recipe);
            }
        }
        front.lift();
    }

    /// `None` if it has more parts than it may.
    fn offspring(&self, front: &Front, place: usize, generation: u64) -> Option<Offspring> {
        let (settings, ground) = (&self.params.0, &self.whole);
        let stream = &mut Stream::at(self.seed, Purpose::Mutation, generation, place as u64);
        let scratch = &mut GradientScratch::new();
        let seed = stream.bits();
        let last = self.rungs.len() - 1;
        let parent = match stream.unit() {
            x if x < 0.2 => (place + 1).min(last),
            x if x < 0.3 => place.saturating_sub(1),
            _ => place,
        };
        let rung = self.rungs[place];
        let recipe = self.repriced(&front.recipes[place], stream);
        let price = recipe.price();
        let mut draft = Draft::of(&front.members[parent].network);
        if stream.chance(settings.exchange) {
            let other = stream.index(self.rungs.len());
            take_neuron(&mut draft, &front.members[other].network, stream);
        }
        if stream.chance(settings.new_neurons) {
            let usual = settings.activations[stream.index(settings.activations.len())];
            let activation = match draft.neurons.first() {
                Some(neuron) if stream.chance(0.7) => neuron.activation,
                _ => usual,
            };
            add_neuron(&mut draft, activation, !settings.modular, ground, stream, scratch);
        } else if !draft.neurons.is_empty() && stream.chance(0.5 * settings.new_neurons) {
            let neuron = stream.index(draft.neurons.len());
            draft.split(neuron, |weight| weight * (0.5 + stream.unit()) as f32);
        }
        let target = rung as f64 * (1.0 + settings.growth * (0.5 + stream.unit()));
        let missing = ((target - draft.operations() as f64) / 2.0).max(0.0) as usize;
        let growth = settings.growth_of(missing);
        grow_connections(&mut draft, growth, ground, stream, scratch);
        ground.tune(&mut draft, price, 0.7, seed, scratch);
        let between = (rung + draft.operations()) / 2;
        cut_to(&mut draft, between.max(rung), ground, price, seed, scratch);
        ground.tune(&mut draft, price, 0.3, seed ^ 1, scratch);
        cut_to(&mut draft, rung, ground, price, seed ^ 2, scratch);
        ground.tune(&mut draft, price, 1.0, seed ^ 3, scratch);
        if !self.params.limits().allow_parts(&draft.network()) {
            return None;
        }
        let verdict = ground.validate(&draft, scratch);
        Some(Offspring { draft, recipe, verdict })
    }

    /// Now and then another penalty, near the old one or that of one of the first recipes: what
    /// suits the wide start may bind a network that is at its best.
    fn repriced(&self, recipe: &Recipe, stream: &mut Stream) -> Recipe {
        let mut recipe = recipe.clone();
        if stream.chance(0.1) {
            let other = &self.starts[stream.index(self.starts.len())];
            (recipe.l2, recipe.by_range) = (other.l2, other.by_range);
        } else if stream.chance(0.25) {
            recipe.l2 *= libm::exp(4.0 * (stream.unit() - 0.5));
        }
        recipe
    }
}

/// Copies a neuron of another network, with its readers. One that reads neurons is left alone.
fn take_neuron(draft: &mut Draft, other: &Network, stream: &mut Stream) {
    if other.neurons().is_empty() {
        return;
    }
    let index = stream.index(other.neurons().len());
    let neuron = &other.neurons()[index];
    if neuron.links.iter().any(|link| matches!(link.source, Source::Neuron(_))) {
        return;
    }
    let reader = |(output, unit): (usize, &Output)| {
        let is_own = |link: &&Link| link.source == Source::Neuron(index as u32);
        unit.links.iter().find(is_own).map(|link| (output, 0.5 * link.weight))
    };
    let feeds: Vec<(usize, f32)> = other.outputs().iter().enumerate().filter_map(reader).collect();
    draft.push_neuron(neuron.activation, neuron.bias, neuron.links.clone(), feeds);
}
