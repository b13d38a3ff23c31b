//! Offspring on large tables: some for each rung and generation.
//!
//! A parent from the rung or near it is rearranged, grown, tuned, cut half-way back, tuned, cut to
//! the budget and tuned again.

use crate::cut::cut_to;
use crate::draft::Draft;
use crate::grow::grow_connections;
use crate::moves::rearrange;
use crate::recipe::Recipe;
use crate::search::{Front, Hybrid};
use crate::tariff::Tariff;
use crate::verdict::Verdict;
use mge_evolve::ShouldStop;
use mge_net::GradientScratch;
use mge_random::{Purpose, Stream};
use rayon::prelude::*;

/// Most offspring of a rung in a generation.
const MOST_OFFSPRING: usize = 3;

/// A network for a rung.
struct Offspring {
    draft: Draft,
    recipe: Recipe,
    verdict: Verdict,
}

impl Hybrid {
    /// One offspring for the highest rung, more for cheaper ones; they stay where they are better,
    /// see [`Hybrid::is_better`]. Gives up if it is over before all of them are made.
    pub(crate) fn breed(
        &self,
        front: &mut Front,
        generation: u64,
        is_over: ShouldStop<'_>,
    ) -> bool {
        let places: Vec<usize> = self.places_to_breed();
        let make = |(index, &place): (usize, &usize)| -> Option<Offspring> {
            let stream = Stream::at(self.seed, Purpose::Mutation, generation, index as u64);
            self.offspring(front, place, stream, is_over)
        };
        let offspring: Vec<Option<Offspring>> = places.par_iter().enumerate().map(make).collect();
        if is_over() {
            return false;
        }
        for (place, offspring) in places.into_iter().zip(offspring) {
            if let Some(Offspring { draft, recipe, verdict }) = offspring {
                self.offer(front, place, &draft, verdict, &recipe);
            }
        }
        front.lift();
        true
    }

    /// Rungs, as often as each is bred: as many times as it goes into the highest, rounded up, since
    /// smaller networks take less time. The dearest come first, so that no thread waits for them.
    pub(crate) fn places_to_breed(&self) -> Vec<usize> {
        let highest = self.rungs.last().copied().unwrap_or(0);
        let times = |place: usize| highest.div_ceil(self.rungs[place]).min(MOST_OFFSPRING);
        let of_rung = |place: usize| std::iter::repeat_n(place, times(place));
        (0..self.rungs.len()).rev().flat_map(of_rung).collect()
    }

    /// `None` if it has more parts than it may, or it was over before it was tuned for the last time.
    fn offspring(
        &self,
        front: &Front,
        place: usize,
        mut stream: Stream,
        is_over: ShouldStop<'_>,
    ) -> Option<Offspring> {
        let (settings, ground, tariff) = (&self.params.0, &self.whole, self.tariff);
        let stream = &mut stream;
        let go_on = || (!is_over()).then_some(());
        go_on()?;
        let scratch = &mut GradientScratch::new();
        let seed = stream.bits();
        let last = self.rungs.len() - 1;
        let parent = match stream.unit() {
            x if x < 0.1 => (place + 1).min(last),
            x if x < 0.15 => place.saturating_sub(1),
            _ => place,
        };
        let rung = self.rungs[place];
        let recipe = self.repriced(&front.recipes[place], stream);
        let price = recipe.price();
        let mut draft = Draft::of(&front.members[parent].network);
        let other = &front.members[stream.index(self.rungs.len())].network;
        rearrange(&mut draft, other, settings, ground, stream, scratch);
        let target = rung as f64 * (1.0 + settings.growth * (0.5 + stream.unit()));
        let missing = ((target - tariff.of(&draft) as f64) / tariff.link as f64).max(0.0) as usize;
        let growth = settings.growth_of(missing);
        grow_connections(&mut draft, growth, ground, stream, scratch);
        go_on()?;
        ground.tune(&mut draft, price, 0.7, seed, scratch);
        go_on()?;
        let between = (rung + tariff.of(&draft)) / 2;
        cut_to(&mut draft, tariff, between.max(rung), ground, price, seed, scratch);
        ground.tune(&mut draft, price, 0.3, seed ^ 1, scratch);
        go_on()?;
        cut_to(&mut draft, tariff, rung, ground, price, seed ^ 2, scratch);
        if let Some(most) = self.params.most_operations(draft.inputs) {
            cut_to(&mut draft, Tariff::OPERATIONS, most, ground, price, seed ^ 2, scratch);
        }
        ground.tune(&mut draft, price, 1.0, seed ^ 3, scratch);
        if !self.params.allow_on_front(&draft.network()) {
            return None;
        }
        let verdict = ground.validate(&draft, scratch);
        Some(Offspring { draft, recipe, verdict })
    }

    /// Now and then another penalty, near the old one or that of one of the first recipes: what
    /// suits the wide start may bind a network that is at its best.
    fn repriced(&self, recipe: &Recipe, stream: &mut Stream) -> Recipe {
        let mut recipe = recipe.clone();
        if stream.chance(0.03) {
            let other = &self.starts[stream.index(self.starts.len())];
            (recipe.l2, recipe.by_range) = (other.l2, other.by_range);
        } else if stream.chance(0.07) {
            recipe.l2 *= libm::exp(4.0 * (stream.unit() - 0.5));
        }
        recipe
    }
}
