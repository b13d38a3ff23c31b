//! The search itself.
//!
//! Small tables: every generation tries a [`Recipe`]. It is followed on each fold of a repeated
//! cross-validation and judged by the rows that its networks did not see, so a choice is one
//! between ways of making networks, not between networks that happened to suit thirty rows. Where
//! it is the best so far, it is followed once more on all rows.
//!
//! Large tables: the first generations follow recipes on the training part. After that every
//! generation makes one offspring for each rung of the front, from the network there or a
//! neighbour's: connections and sometimes neurons are added, tuned, cut back to the budget and
//! tuned again. It stays if the validation loss fell.

use crate::cut::cut_to;
use crate::draft::Draft;
use crate::front::{Member, pick};
use crate::ground::{Ground, Optimiser};
use crate::grow::{add_neuron, grow_connections};
use crate::params::CheckedParams;
use crate::recipe::Recipe;
use mge_evolve::{Progress, Record, Search};
use mge_net::gradient::Penalty;
use mge_net::{
    Activation, Columns, EvaluationError, GradientScratch, Link, Loss, Network, Source, outputs_for,
};
use mge_random::{Purpose, Stream};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

/// The hybrid method on one table.
pub struct Hybrid {
    params: CheckedParams,
    seed: u64,
    rungs: Vec<usize>,
    /// All rows; on large tables the last blocks validate.
    whole: Ground,
    /// Rows to train on and rows to judge by; empty on large tables.
    folds: Vec<(Ground, Ground)>,
    starts: Vec<Recipe>,
}

/// Where a search stands.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Front {
    /// The best network at each rung, ascending.
    pub members: Vec<Member>,
    /// For each member, the recipe that made it.
    recipes: Vec<Recipe>,
    /// For each member, its loss on the rows held back of each fold; of one validation part on
    /// large tables.
    judged: Vec<Vec<f64>>,
    history: Vec<Record>,
    evaluations: u64,
}

impl Hybrid {
    /// Prepares the method for rows with these labels.
    ///
    /// # Errors
    /// As [`mge_net::BatchEvaluator::new`].
    pub fn new(
        columns: Columns<'_>,
        labels: &[u32],
        classes: usize,
        loss: Loss,
        params: CheckedParams,
        seed: u64,
    ) -> Result<Self, EvaluationError> {
        let rows = labels.len();
        let outputs = outputs_for(classes);
        let settings = &params.0;
        let is_large = rows >= settings.large_rows;
        let mut order: Vec<u32> = (0..rows as u32).collect();
        Stream::at(seed, Purpose::Split, 100, 0).shuffle(&mut order);
        let optimiser = if is_large {
            Optimiser::Blocks(settings.epochs)
        } else {
            Optimiser::Batch(settings.iterations)
        };
        let ground = |order: &[u32], validation: f64| {
            Ground::new(columns, labels, order, outputs, loss, validation, optimiser)
        };
        let mut folds = Vec::new();
        if !is_large {
            for repeat in 0..settings.repeats as u64 {
                Stream::at(seed, Purpose::Split, 101, repeat).shuffle(&mut order);
                // Classes are dealt in turn, so that small ones are in every fold.
                order.sort_by_key(|&row| labels[row as usize]);
                for fold in 0..settings.folds {
                    let dealt = order.iter().enumerate();
                    let (held, kept): (Vec<_>, Vec<_>) =
                        dealt.partition(|(place, _)| place % settings.folds == fold);
                    let rows = |part: Vec<(usize, &u32)>| -> Vec<u32> {
                        part.into_iter().map(|(_, &row)| row).collect()
                    };
                    folds.push((ground(&rows(kept), 0.0)?, ground(&rows(held), 0.0)?));
                }
            }
            order.sort_unstable();
        }
        let whole = ground(&order, if is_large { settings.validation } else { 0.0 })?;
        let rungs = params.rungs(outputs);
        let starts = starts(settings.activations.as_slice(), is_large, outputs, columns.count());
        Ok(Self { params, seed, rungs, whole, folds, starts })
    }

    fn is_large(&self) -> bool {
        self.folds.is_empty()
    }

    /// The budgets of the front, ascending.
    pub fn rungs(&self) -> &[usize] {
        &self.rungs
    }

    /// The front, each network tuned once more on all rows, those of the validation part included.
    pub fn finished(&self, front: &Front) -> Vec<Member> {
        let refit = |member: &Member| Member { network: self.refit(member), ..member.clone() };
        front.members.par_iter().map(refit).collect()
    }

    /// The network of a member, tuned once more on all rows; the same network on small tables,
    /// where all rows have trained it.
    pub fn refit(&self, member: &Member) -> Network {
        if !self.is_large() {
            return member.network.clone();
        }
        let mut draft = Draft::of(&member.network);
        let penalty = Penalty { l1: 0.0, l2: member.l2 };
        let mut scratch = GradientScratch::new();
        self.whole.tune_on_all(&mut draft, penalty, 2.0, self.seed, &mut scratch);
        draft.network()
    }

    /// The accuracy of a network on all rows.
    pub fn accuracy(&self, network: &Network) -> f64 {
        self.whole.evaluator().batch().accuracy(network, &mut mge_net::Scratch::new())
    }

    fn evaluations_of(&self, generation: u64) -> u64 {
        if self.is_large() && generation > self.starts.len() as u64 {
            self.rungs.len() as u64
        } else {
            ((self.folds.len() + 1) * self.rungs.len()) as u64
        }
    }

    fn try_recipe(&self, front: &mut Front, recipe: &Recipe) {
        let (rungs, limits) = (&self.rungs, self.params.limits());
        if self.is_large() {
            let mut scratch = GradientScratch::new();
            let drafts = recipe.follow(&self.whole, rungs, &limits, &mut scratch);
            for (place, draft) in drafts.iter().enumerate() {
                let loss = self.whole.validation_loss(draft, &mut scratch);
                self.offer(front, place, draft, vec![loss], recipe);
            }
            return;
        }
        let judge = |(kept, held): &(Ground, Ground)| -> Vec<f64> {
            let mut scratch = GradientScratch::new();
            let drafts = recipe.follow(kept, rungs, &limits, &mut scratch);
            drafts.iter().map(|draft| held.validation_loss(draft, &mut scratch)).collect()
        };
        let by_fold: Vec<Vec<f64>> = self.folds.par_iter().map(judge).collect();
        let of_rung = |place: usize| by_fold.iter().map(|fold| fold[place]).collect();
        let judged: Vec<Vec<f64>> = (0..rungs.len()).map(of_rung).collect();
        if !(0..rungs.len()).any(|place| self.is_better(front, place, &judged[place])) {
            return;
        }
        let drafts = recipe.follow(&self.whole, rungs, &limits, &mut GradientScratch::new());
        for (place, (draft, judged)) in drafts.iter().zip(judged).enumerate() {
            self.offer(front, place, draft, judged, recipe);
        }
    }

    /// Whether a network or recipe with these losses should take a rung over. Folds are compared
    /// one by one: a difference that changes from fold to fold is chance, and the one that came
    /// first, the simpler one among the first recipes, stays.
    fn is_better(&self, front: &Front, place: usize, judged: &[f64]) -> bool {
        let Some(present) = front.judged.get(place) else { return true };
        let gains: Vec<f64> = present.iter().zip(judged).map(|(old, new)| old - new).collect();
        let (gain, error) = mean_and_error(&gains);
        gain > self.params.0.caution * error
    }

    /// Puts a network on its rung if it is better than what is there.
    fn offer(
        &self,
        front: &mut Front,
        place: usize,
        draft: &Draft,
        judged: Vec<f64>,
        recipe: &Recipe,
    ) {
        if !self.is_better(front, place, &judged) {
            return;
        }
        let (loss, standard_error) = mean_and_error(&judged);
        let member = Member {
            budget: self.rungs[place],
            operations: draft.operations(),
            loss,
            standard_error,
            l2: recipe.l2,
            network: draft.network(),
        };
        if place >= front.members.len() {
            front.members.push(member);
            front.recipes.push(recipe.clone());
            front.judged.push(judged);
        } else {
            front.members[place] = member;
            front.recipes[place] = recipe.clone();
            front.judged[place] = judged;
        }
    }

    /// One offspring for each rung of a large table's front.
    fn cycle(&self, front: &mut Front, generation: u64) {
        let places: Vec<usize> = (0..self.rungs.len()).collect();
        let offspring: Vec<(Draft, f64)> =
            places.into_par_iter().map(|place| self.offspring(front, place, generation)).collect();
        for (place, (draft, loss)) in offspring.iter().enumerate() {
            let recipe = front.recipes[place].clone();
            self.offer(front, place, draft, vec![*loss], &recipe);
        }
    }

    fn offspring(&self, front: &Front, place: usize, generation: u64) -> (Draft, f64) {
        let settings = &self.params.0;
        let mut stream = Stream::at(self.seed, Purpose::Mutation, generation, place as u64);
        let stream = &mut stream;
        let seed = stream.bits();
        let mut scratch = GradientScratch::new();
        let scratch = &mut scratch;
        let last = self.rungs.len() - 1;
        let parent = match stream.unit() {
            x if x < 0.25 => (place + 1).min(last),
            x if x < 0.35 => (place + 2).min(last),
            x if x < 0.5 => place.saturating_sub(1),
            _ => place,
        };
        let rung = self.rungs[place];
        let penalty = Penalty { l1: 0.0, l2: front.recipes[place].l2 };
        let mut draft = Draft::of(&front.members[parent].network);
        if stream.chance(0.15) {
            let other = stream.index(self.rungs.len());
            take_neuron(&mut draft, &front.members[other].network, stream);
        }
        if stream.chance(0.3) {
            let usual = settings.activations[stream.index(settings.activations.len())];
            let activation = match draft.neurons.first() {
                Some(neuron) if stream.chance(0.7) => neuron.activation,
                _ => usual,
            };
            add_neuron(&mut draft, activation, 12, &self.whole, stream, scratch);
        } else if !draft.neurons.is_empty() && stream.chance(0.15) {
            let neuron = stream.index(draft.neurons.len());
            draft.split(neuron, |weight| weight * (0.5 + stream.unit()) as f32);
        }
        let target = rung as f64 * (1.0 + settings.growth * (0.5 + stream.unit()));
        let missing = ((target - draft.operations() as f64) / 2.0).max(4.0) as usize;
        grow_connections(&mut draft, missing, settings.noise, &self.whole, stream, scratch);
        self.whole.tune(&mut draft, penalty, 0.7, seed, scratch);
        let between = (rung + draft.operations()) / 2;
        cut_to(&mut draft, between.max(rung), &self.whole, penalty, seed, scratch);
        self.whole.tune(&mut draft, penalty, 0.3, seed ^ 1, scratch);
        cut_to(&mut draft, rung, &self.whole, penalty, seed ^ 2, scratch);
        self.whole.tune(&mut draft, penalty, 1.0, seed ^ 3, scratch);
        if !self.params.limits().allow_parts(&draft.network()) {
            return (draft, f64::INFINITY);
        }
        let loss = self.whole.validation_loss(&draft, scratch);
        (draft, loss)
    }

    fn note(&self, front: &mut Front, generation: u64) {
        front.evaluations += self.evaluations_of(generation);
        let losses = front.members.iter().map(|member| member.loss);
        let mean = losses.clone().sum::<f64>() / front.members.len() as f64;
        front.history.push(Record {
            generation,
            evaluations: front.evaluations,
            best_loss: losses.fold(f64::INFINITY, f64::min),
            mean_loss: mean,
            invalid_individuals: 0,
            invalid_parts: 0,
        });
    }
}

/// The mean, and its standard error; none of one value.
fn mean_and_error(values: &[f64]) -> (f64, f64) {
    let count = values.len() as f64;
    let mean = values.iter().sum::<f64>() / count;
    let squares: f64 = values.iter().map(|value| (value - mean) * (value - mean)).sum();
    (mean, (squares / (count * (count - 1.0).max(1.0))).sqrt())
}

/// Copies a neuron of another network, with its readers.
fn take_neuron(draft: &mut Draft, other: &Network, stream: &mut Stream) {
    if other.neurons().is_empty() {
        return;
    }
    let index = stream.index(other.neurons().len());
    let neuron = &other.neurons()[index];
    if neuron.links.iter().any(|link| matches!(link.source, Source::Neuron(_))) {
        return;
    }
    let reader = |(output, unit): (usize, &mge_net::Output)| {
        let is_own = |link: &&Link| link.source == Source::Neuron(index as u32);
        unit.links.iter().find(is_own).map(|link| (output, 0.5 * link.weight))
    };
    let feeds: Vec<(usize, f32)> = other.outputs().iter().enumerate().filter_map(reader).collect();
    draft.push_neuron(neuron.activation, neuron.bias, neuron.links.clone(), feeds);
}

/// The recipes that are tried before any is varied.
fn starts(
    activations: &[Activation],
    is_large: bool,
    outputs: usize,
    inputs: usize,
) -> Vec<Recipe> {
    let first = activations[0];
    let recipe = |hidden, activation, direct, l2| Recipe {
        hidden,
        activation,
        direct,
        l1: 0.0,
        l2,
        teacher: false,
        cycles: 0,
        seed: 1,
    };
    if is_large {
        let hidden = (2 * outputs).clamp(8, 32);
        let wide = Recipe { l1: 1e-4, ..recipe(hidden, first, true, 1e-6) };
        let linear = Recipe { l1: 1e-4, ..recipe(0, first, true, 1e-6) };
        return vec![wide, linear];
    }
    let width = if inputs * outputs > 300 { 12 } else { 6 };
    let mut starts = Vec::new();
    for l2 in [0.003, 0.03] {
        starts.push(recipe(0, first, true, l2));
        for &activation in activations {
            starts.push(recipe(width, activation, true, l2));
        }
        starts.push(recipe(width, first, false, l2));
    }
    for l2 in [0.001, 0.01] {
        starts.push(Recipe { teacher: true, ..recipe(width, first, true, l2) });
        starts.push(Recipe { teacher: true, ..recipe(width, first, false, l2) });
    }
    starts
}

impl Search for Hybrid {
    type State = Front;
    type Solution = Member;

    fn start(&self) -> Front {
        let mut front = Front::default();
        self.try_recipe(&mut front, &self.starts[0]);
        self.note(&mut front, 1);
        front
    }

    fn cost_of_start(&self) -> u64 {
        self.evaluations_of(1)
    }

    fn step(&self, front: &mut Front) {
        let generation = front.history.len() as u64 + 1;
        match self.starts.get(generation as usize - 1) {
            Some(recipe) => self.try_recipe(front, recipe),
            None if self.is_large() => self.cycle(front, generation),
            None => {
                let mut stream = Stream::at(self.seed, Purpose::Mutation, generation, 0);
                let place = stream.index(front.recipes.len());
                let recipe = front.recipes[place].mutated(&mut stream, &self.params.0.activations);
                self.try_recipe(front, &recipe);
            }
        }
        self.note(front, generation);
    }

    fn cost_of_step(&self, front: &Front) -> u64 {
        self.evaluations_of(front.history.len() as u64 + 1)
    }

    fn accepts(&self, front: &Front) -> bool {
        let fits = |member: &Member| {
            member.network.inputs() == self.whole.evaluator().inputs()
                && member.network.outputs().len() == self.whole.evaluator().outputs()
        };
        front.members.len() == self.rungs.len()
            && front.recipes.len() == self.rungs.len()
            && front.judged.len() == self.rungs.len()
            && !front.history.is_empty()
            && front.members.iter().all(fits)
    }

    fn progress(&self, front: &Front) -> Progress {
        let last = front.history.last();
        Progress {
            generation: front.history.len() as u64,
            evaluations: front.evaluations,
            best_loss: last.map_or(f64::INFINITY, |record| record.best_loss),
            invalid_individuals: 0,
            invalid_parts: 0,
        }
    }

    fn best<'s>(&self, front: &'s Front) -> &'s Member {
        let picked = pick(&front.members, &self.params.limits(), self.params.pick());
        picked.or(front.members.first()).expect("every rung has a network from the first generation on")
    }

    fn history<'s>(&self, front: &'s Front) -> &'s [Record] {
        &front.history
    }
}
