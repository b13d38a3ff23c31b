//! The search itself.
//!
//! Small tables: every generation tries a [`Recipe`]. It is followed on each fold of a repeated
//! cross-validation and judged by the rows that its networks did not see, so a choice is one
//! between ways of making networks, not between networks that happened to suit thirty rows. Where
//! it is the best so far, it is followed once more on all rows.
//!
//! Large tables: the first generations follow recipes on the training part. After that every
//! generation makes offspring for each rung of the front, from the network there or a
//! neighbour's: connections and sometimes neurons are added, tuned, cut back to the budget and
//! tuned again. One stays if the loss fell and the validation part agrees.

use crate::draft::Draft;
use crate::front::{Member, pick};
use crate::ground::{Ground, Optimiser, Price, Rows};
use crate::params::{CheckedParams, Rungs};
use crate::recipe::Recipe;
use crate::tariff::{Tariff, smallest_bytes};
use crate::task::{HybridError, Task};
use crate::verdict::{Judged, Verdict};
use mge_evolve::{Progress, Record, Search, ShouldStop};
use mge_net::gradient::Penalty;
use mge_net::{GradientScratch, Network, OutputLink};
use mge_random::{Purpose, Stream};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

/// The hybrid method on one table.
pub struct Hybrid {
    pub(crate) params: CheckedParams,
    pub(crate) seed: u64,
    /// The budgets of the front, and above them some that only serve these.
    pub(crate) rungs: Vec<usize>,
    /// How many of them are the front's.
    wanted: usize,
    pub(crate) tariff: Tariff,
    /// All rows; on large tables the last blocks validate.
    pub(crate) whole: Ground,
    /// Rows to train on and rows to judge by; empty on large tables.
    folds: Vec<(Ground, Ground)>,
    pub(crate) starts: Vec<Recipe>,
}

/// Where a search stands.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Front {
    /// The best network at each rung, ascending.
    pub members: Vec<Member>,
    /// For each member, the recipe that made it.
    pub(crate) recipes: Vec<Recipe>,
    /// For each member, how its recipe did in the folds; on large tables how the best network of the
    /// rung so far did on the validation part, and how well the member itself is trained.
    verdicts: Vec<Verdict>,
    history: Vec<Record>,
    evaluations: u64,
}

impl Front {
    /// Whether the member of a rung and the one below were trained at the same price.
    fn are_alike(&self, place: usize) -> bool {
        self.recipes[place - 1].price() == self.recipes[place].price()
    }

    /// Where a cheaper network is better than the one on the rung above, it stands there too, to be
    /// grown to that budget.
    pub(crate) fn lift(&mut self) {
        for place in 1..self.members.len() {
            if self.verdicts[place - 1].is_ahead(&self.verdicts[place], self.are_alike(place)) {
                let budget = self.members[place].budget;
                self.members[place] = Member { budget, ..self.members[place - 1].clone() };
                self.recipes[place] = self.recipes[place - 1].clone();
                self.verdicts[place] = self.verdicts[place - 1].clone();
            }
        }
    }
}

/// Addresses of the streams that part rows; the facade's own splits have lower ones.
const ORDER: u64 = 100;
const FOLDS: u64 = 101;

impl Hybrid {
    /// Prepares the method for a table.
    ///
    /// # Errors
    /// As [`mge_net::BatchEvaluator::new`], and when a network to start from does not fit.
    pub fn new(task: Task<'_>, params: CheckedParams, seed: u64) -> Result<Self, HybridError> {
        let Task { columns, labels, classes, loss, is_balanced } = task;
        let outputs = OutputLink::for_classes(classes).outputs();
        let rows = Rows { columns, labels, outputs, loss };
        let settings = &params.0;
        let least = 4 * outputs + 2;
        if let Some(found) = settings.max_ops.filter(|&most| most < least) {
            return Err(HybridError::Budget { found, least });
        }
        let smallest = smallest_bytes(columns.count(), outputs);
        if let Some(found) = settings.max_bytes.filter(|&most| most < smallest) {
            return Err(HybridError::Bytes { found, least: smallest });
        }
        let expected = (columns.count(), outputs);
        for network in &settings.start {
            let found = (network.inputs(), network.outputs().len());
            if found != expected {
                return Err(HybridError::Start { found, expected });
            }
        }
        let chosen = |mut part: Vec<u32>, seed: u64| {
            if is_balanced {
                balance(&mut part, labels);
                Stream::at(seed, Purpose::Split, ORDER, 1).shuffle(&mut part);
            }
            part
        };
        let mut order: Vec<u32> = (0..labels.len() as u32).collect();
        let is_large = settings.is_large(order.len());
        let mut folds = Vec::new();
        let whole = if is_large {
            Stream::at(seed, Purpose::Split, ORDER, 0).shuffle(&mut order);
            let held = settings.validation_rows(order.len());
            let held = chosen(order.split_off(order.len() - held), seed);
            let mut order = chosen(order, seed);
            let train = order.len();
            order.extend(held);
            Ground::new(rows, &order, train, Optimiser::Blocks(settings.epochs))?
        } else {
            let optimiser = Optimiser::Batch(settings.iterations);
            let ground = |part: Vec<u32>| {
                let part = chosen(part, seed);
                Ground::new(rows, &part, part.len(), optimiser)
            };
            let whole = ground(order.clone())?;
            let usual = if order.len() < 1000 { 2 } else { 1 };
            for repeat in 0..settings.repeats.unwrap_or(usual) as u64 {
                Stream::at(seed, Purpose::Split, FOLDS, repeat).shuffle(&mut order);
                // Classes are dealt in turn, so that small ones are in every fold.
                order.sort_by_key(|&row| labels[row as usize]);
                for fold in 0..settings.folds {
                    let is_held = |place: usize| place % settings.folds == fold;
                    let part = |held: bool| -> Vec<u32> {
                        let places = 0..order.len();
                        places.filter(|&k| is_held(k) == held).map(|k| order[k]).collect()
                    };
                    folds.push((ground(part(false))?, ground(part(true))?));
                }
            }
            whole
        };
        let Rungs { front: mut rungs, above } = params.rungs(columns.count(), outputs, is_large);
        let wanted = rungs.len();
        rungs.extend(above);
        let starts = Recipe::starts(settings, is_large, labels.len(), expected);
        let tariff = params.tariff(columns.count());
        Ok(Self { params, seed, rungs, wanted, tariff, whole, folds, starts })
    }

    pub(crate) fn is_large(&self) -> bool {
        self.folds.is_empty()
    }

    /// The budgets of the front, ascending.
    pub fn rungs(&self) -> &[usize] {
        &self.rungs[..self.wanted]
    }

    /// The members that are not above the front.
    fn wanted<'f>(&self, front: &'f Front) -> &'f [Member] {
        &front.members[..self.wanted]
    }

    /// The front, each network tuned once more on all rows, those of the validation part included.
    pub fn finished(&self, front: &Front) -> Vec<Member> {
        let members = self.wanted(front);
        // A network may stand on several rungs that follow each other.
        let is_same = |a: &Member, b: &Member| {
            a.network == b.network && a.l2 == b.l2 && a.by_range == b.by_range
        };
        let distinct: Vec<&[Member]> = members.chunk_by(is_same).collect();
        let refit = |alike: &&[Member]| -> Vec<Member> {
            let network = self.refit(&alike[0]);
            let refitted = |member: &Member| Member { network: network.clone(), ..member.clone() };
            alike.iter().map(refitted).collect()
        };
        distinct.par_iter().flat_map_iter(refit).collect()
    }

    /// The network of a member, tuned once more on all rows; the same network on small tables,
    /// where all rows have trained it.
    pub fn refit(&self, member: &Member) -> Network {
        if !self.is_large() {
            return member.network.clone();
        }
        let mut draft = Draft::of(&member.network);
        let penalty = Penalty { l1: 0.0, l2: member.l2 };
        let price = Price { penalty, by_range: member.by_range };
        let (loss, mut scratch) = (self.params.0.last_loss, GradientScratch::new());
        self.whole.tune_to_the_end(loss, &mut draft, price, 2.0, self.seed, &mut scratch);
        draft.network()
    }

    /// The member that the settings ask for; `None` when none keeps their limits.
    pub fn pick<'m>(&self, members: &'m [Member]) -> Option<&'m Member> {
        pick(members, &self.params.limits(), self.params.pick())
    }

    /// The accuracy of a network on all rows.
    pub fn accuracy(&self, network: &Network) -> f64 {
        self.whole.evaluator().batch().accuracy(network, &mut mge_net::Scratch::new())
    }

    /// Networks that a recipe trains to the end; on large tables there are no folds.
    fn cost_of_recipe(&self) -> u64 {
        ((self.folds.len() + 1) * self.rungs.len()) as u64
    }

    /// Networks that a generation trains to the end.
    fn cost_of_generation(&self, generation: u64) -> u64 {
        if self.is_large() && generation > self.starts.len() as u64 {
            self.places_to_breed().len() as u64
        } else {
            self.cost_of_recipe()
        }
    }

    /// Whether the recipe was followed to its end.
    fn try_recipe(&self, front: &mut Front, recipe: &Recipe, is_over: ShouldStop<'_>) -> bool {
        let (rungs, params) = (&self.rungs, &self.params);
        if self.is_large() {
            let mut scratch = GradientScratch::new();
            let drafts = recipe.follow(&self.whole, rungs, params, &mut scratch, is_over);
            let Some(drafts) = drafts else { return false };
            for (place, draft) in drafts.iter().enumerate() {
                let verdict = self.whole.validate(draft, &mut scratch);
                self.offer(front, place, draft, verdict, recipe);
            }
            return true;
        }
        let judge = |(kept, held): &(Ground, Ground)| -> Option<Vec<Judged>> {
            let mut scratch = GradientScratch::new();
            let drafts = recipe.follow(kept, rungs, params, &mut scratch, is_over)?;
            Some(drafts.iter().map(|draft| held.judge(draft, &mut scratch)).collect())
        };
        let by_fold: Option<Vec<Vec<Judged>>> = self.folds.par_iter().map(judge).collect();
        let Some(by_fold) = by_fold else { return false };
        let of_rung = |place: usize| {
            let held = by_fold.iter().map(|fold| fold[place]).collect();
            Verdict { held, trained: None }
        };
        let verdicts: Vec<Verdict> = (0..rungs.len()).map(of_rung).collect();
        if !(0..rungs.len()).any(|place| self.is_better(front, place, &verdicts[place], recipe)) {
            return true;
        }
        let mut scratch = GradientScratch::new();
        let drafts = recipe.follow(&self.whole, rungs, params, &mut scratch, is_over);
        let Some(drafts) = drafts else { return false };
        for (place, (draft, mut verdict)) in drafts.iter().zip(verdicts).enumerate() {
            // The folds speak for a network that is like theirs, and one that knows its own rows
            // worse than they knew others' is not.
            let own = self.whole.judge(draft, &mut scratch);
            let (loss, error) = verdict.mean(|part| part.loss);
            if own.loss > loss + 2.0 * error {
                verdict.held.fill(own);
            }
            self.offer(front, place, draft, verdict, recipe);
        }
        true
    }

    /// Whether a network or recipe should take a rung over.
    ///
    /// Small tables: folds are compared one by one. A difference that changes from fold to fold is
    /// chance, and the recipe that came first, the simpler one among the first, stays.
    ///
    /// Large tables: networks of equal cost are compared by the rows that train, which are many
    /// and tell small steps forward from chance. The validation part has to agree: its loss may not
    /// be above the lowest one seen on the rung by more than the standard error of the difference.
    /// Where penalties differ, the training rows would favour the lower one, and the validation part
    /// decides alone: its loss has to be lower by that standard error.
    pub(crate) fn is_better(
        &self,
        front: &Front,
        place: usize,
        new: &Verdict,
        recipe: &Recipe,
    ) -> bool {
        let Some(old) = front.verdicts.get(place) else { return true };
        let (gain, error) = new.gain_over(old);
        match (old.trained, new.trained) {
            (Some(_), Some(_)) if front.recipes[place].price() != recipe.price() => gain > error,
            (Some(old), Some(new)) => new < old && gain >= -error,
            _ => gain > self.params.0.caution * error,
        }
    }

    /// Puts a network on its rung if it is better than what is there.
    pub(crate) fn offer(
        &self,
        front: &mut Front,
        place: usize,
        draft: &Draft,
        mut verdict: Verdict,
        recipe: &Recipe,
    ) {
        if !self.is_better(front, place, &verdict, recipe) {
            return;
        }
        let (loss, standard_error) = verdict.mean(|part| part.loss);
        let (accuracy, _) = verdict.mean(|part| part.accuracy);
        let member = Member {
            budget: self.rungs[place],
            operations: Tariff::OPERATIONS.of(draft),
            cost: (self.tariff != Tariff::OPERATIONS).then(|| self.tariff.of(draft)),
            loss,
            standard_error,
            accuracy,
            l2: recipe.l2,
            by_range: recipe.by_range,
            network: draft.network(),
        };
        if place >= front.members.len() {
            front.members.push(member);
            front.recipes.push(recipe.clone());
            front.verdicts.push(verdict);
        } else {
            if self.is_large() && front.verdicts[place].mean(|part| part.loss).0 < loss {
                verdict.held.clone_from(&front.verdicts[place].held);
            }
            front.members[place] = member;
            front.recipes[place] = recipe.clone();
            front.verdicts[place] = verdict;
        }
    }

    /// Puts the networks to start from on their rungs where they are better.
    fn offer_known(&self, front: &mut Front) {
        let mut scratch = GradientScratch::new();
        for network in &self.params.0.start {
            let mut draft = Draft::of(network);
            let place = self.rungs.iter().position(|&rung| self.tariff.of(&draft) <= rung);
            if let Some(place) = place
                && self.params.allow_on_front(network)
            {
                // All rows have tuned it, those that validate here as well.
                let recipe = &self.starts[0];
                self.whole.tune(&mut draft, recipe.price(), 1.0, recipe.seed, &mut scratch);
                let verdict = self.whole.validate(&draft, &mut scratch);
                self.offer(front, place, &draft, verdict, &self.starts[0]);
            }
        }
        front.lift();
    }

    fn note(&self, front: &mut Front, generation: u64) {
        front.evaluations += self.cost_of_generation(generation);
        let losses = self.wanted(front).iter().map(|member| member.loss);
        let mean = losses.clone().sum::<f64>() / self.wanted as f64;
        let best = losses.fold(f64::INFINITY, f64::min);
        front.history.push(Record {
            generation,
            evaluations: front.evaluations,
            best_loss: best,
            mean_loss: mean,
            invalid_individuals: 0,
            invalid_parts: 0,
        });
    }
}

/// Repeats rows of small classes until each has as many as the largest.
fn balance(part: &mut Vec<u32>, labels: &[u32]) {
    let label = |row: u32| labels[row as usize] as usize;
    let classes = part.iter().map(|&row| label(row) + 1).max().unwrap_or(0);
    let mut of_class = vec![Vec::new(); classes];
    for &row in part.iter() {
        of_class[label(row)].push(row);
    }
    let most = of_class.iter().map(Vec::len).max().unwrap_or(0);
    for own in of_class.iter().filter(|own| !own.is_empty()) {
        part.extend(own.iter().cycle().take(most - own.len()));
    }
}

impl Search for Hybrid {
    type State = Front;
    type Solution = Member;

    fn start(&self) -> Front {
        let mut front = Front::default();
        self.try_recipe(&mut front, &self.starts[0], &|| false);
        if self.is_large() {
            self.offer_known(&mut front);
        }
        self.note(&mut front, 1);
        front
    }

    fn cost_of_start(&self) -> u64 {
        self.cost_of_recipe()
    }

    fn step(&self, front: &mut Front) {
        self.try_step(front, &|| false);
    }

    fn try_step(&self, front: &mut Front, is_over: ShouldStop<'_>) -> bool {
        let generation = front.history.len() as u64 + 1;
        let is_done = match self.starts.get(generation as usize - 1) {
            Some(recipe) => self.try_recipe(front, recipe, is_over),
            None if self.is_large() => self.breed(front, generation, is_over),
            None => {
                let mut stream = Stream::at(self.seed, Purpose::Mutation, generation, 0);
                let place = stream.index(front.recipes.len());
                let recipe = front.recipes[place].mutated(&mut stream, &self.params.0.activations);
                self.try_recipe(front, &recipe, is_over)
            }
        };
        if is_done {
            self.note(front, generation);
        }
        is_done
    }

    fn cost_of_step(&self, front: &Front) -> u64 {
        self.cost_of_generation(front.history.len() as u64 + 1)
    }

    fn is_valid_state(&self, front: &Front) -> bool {
        let fits = |member: &Member| {
            member.network.inputs() == self.whole.evaluator().inputs()
                && member.network.outputs().len() == self.whole.evaluator().outputs()
        };
        front.members.len() == self.rungs.len()
            && front.recipes.len() == self.rungs.len()
            && front.verdicts.len() == self.rungs.len()
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
        let picked = self.pick(self.wanted(front)).or(front.members.first());
        picked.expect("every rung has a network from the first generation on")
    }

    fn history<'s>(&self, front: &'s Front) -> &'s [Record] {
        &front.history
    }
}
