//! Cutting back to a budget by the optimal brain surgeon (Hassibi and Stork 1993).
//!
//! The weight, or the whole neuron, whose removal costs the least loss for each operation saved
//! goes first, and all others move to make up for it. Where there are too many weights for that,
//! each is judged by itself and nothing makes up for it.

use crate::draft::{Draft, Place};
use crate::ground::{Ground, Price};
use crate::tariff::Tariff;
use mge_net::gradient::invert;
use mge_net::{GradientScratch, Link, Source, Topology};

/// Most weights that the full curvature is inverted for.
const MOST_WEIGHTS: usize = 700;

/// Cuts until the draft costs at most `budget` or nothing is left to cut.
pub(crate) fn cut_to(
    draft: &mut Draft,
    tariff: Tariff,
    budget: usize,
    ground: &Ground,
    price: Price,
    seed: u64,
    scratch: &mut GradientScratch,
) {
    draft.tidy();
    if tariff.of(draft) <= budget {
        return;
    }
    if draft.connections() > MOST_WEIGHTS {
        cut_cheapest(draft, tariff, budget, ground, seed, scratch);
    } else {
        Surgeon::new(draft, tariff, ground, price, seed, scratch).cut(draft, budget);
    }
    draft.tidy();
}

/// Cuts links by what each of them would cost alone, `w^2 F / 2` (LeCun, Denker and Solla 1990);
/// a neuron falls with its last link.
fn cut_cheapest(
    draft: &mut Draft,
    tariff: Tariff,
    budget: usize,
    ground: &Ground,
    seed: u64,
    scratch: &mut GradientScratch,
) {
    let candidates = ground.candidates(draft, seed, scratch);
    let mut costs = Vec::new();
    for unit in 0..draft.units() {
        for (place, link) in draft.unit_mut(unit).1.iter().enumerate() {
            let curvature = candidates.curvature(unit, candidates.place_of(link.source));
            let weight = f64::from(link.weight);
            costs.push((weight * weight * curvature, unit, place));
        }
    }
    costs.sort_by(|a, b| a.0.total_cmp(&b.0).then((a.1, a.2).cmp(&(b.1, b.2))));
    // A network of the same structure with ranks for weights: neurons that fall renumber others,
    // and ranks stay with their links.
    let mut ranked = draft.clone();
    for (rank, &(_, unit, place)) in costs.iter().enumerate() {
        ranked.unit_mut(unit).1[place].weight = (rank + 1) as f32;
    }
    let mut whole = ranked.clone();
    let mut gone = 0;
    while tariff.of(&ranked) > budget && gone < costs.len() {
        // Neurons fall with their last link, so a part of the surplus is enough for one round.
        gone += (tariff.of(&ranked) - budget).div_ceil(2 * (tariff.link + tariff.feature));
        ranked.retain_links(|link| link.weight > gone as f32);
        ranked.tidy();
    }
    for unit in 0..draft.units() {
        let mut ranks = whole.unit_mut(unit).1.iter();
        let is_kept = |_: &Link| ranks.next().is_some_and(|link| link.weight > gone as f32);
        draft.unit_mut(unit).1.retain(is_kept);
    }
}

/// The weights with the inverse of their curvature.
struct Surgeon {
    size: usize,
    inverse: Vec<f64>,
    weights: Vec<f64>,
    places: Vec<Place>,
    is_alive: Vec<bool>,
    tariff: Tariff,
    neurons: usize,
    /// Weights that read each input, where features have a price.
    reads: Vec<Vec<usize>>,
    /// Weights that read each neuron, and its own.
    feeds: Vec<Vec<usize>>,
    own: Vec<Vec<usize>>,
    neuron_alive: Vec<bool>,
}

/// What to remove.
#[derive(Clone, Copy)]
enum Victim {
    Weight(usize),
    Neuron(usize),
    Feature(usize),
}

impl Surgeon {
    fn new(
        draft: &Draft,
        tariff: Tariff,
        ground: &Ground,
        price: Price,
        seed: u64,
        scratch: &mut GradientScratch,
    ) -> Self {
        let (topology, weights) = Topology::of(&draft.network());
        let size = weights.len();
        let curvature = ground.curvature(&topology, &weights, seed, scratch);
        let mean = curvature.diagonal().sum::<f64>() / size as f64;
        let units = ground.units(draft, price);
        let l2 = |k: usize| price.penalty.l2 * units.get(k).map_or(1.0, |unit| unit * unit);
        let own = |(k, is_link): (usize, bool)| if is_link { l2(k) } else { 0.0 };
        let own = topology.is_link().into_iter().enumerate().map(own);
        let damping: Vec<f64> = own.map(|l2| l2 + 1e-4 * mean + 1e-9).collect();
        let neurons = draft.neurons.len();
        let places = draft.places();
        let (mut feeds, mut own) = (vec![Vec::new(); neurons], vec![Vec::new(); neurons]);
        let mut reads = vec![Vec::new(); if tariff.feature > 0 { draft.inputs } else { 0 }];
        for (weight, place) in places.iter().enumerate() {
            let (Place::Bias(unit) | Place::Link(unit, _)) = *place;
            if unit < neurons {
                own[unit].push(weight);
            }
            match *place {
                Place::Link(_, Source::Neuron(neuron)) => feeds[neuron as usize].push(weight),
                Place::Link(_, Source::Input(input)) if tariff.feature > 0 => {
                    reads[input as usize].push(weight);
                }
                _ => {}
            }
        }
        Self {
            size,
            inverse: curvature.into_inverse(&damping),
            weights: weights.iter().map(|&weight| f64::from(weight)).collect(),
            places,
            is_alive: vec![true; size],
            tariff,
            neurons,
            reads,
            feeds,
            own,
            neuron_alive: vec![true; neurons],
        }
    }

    fn cut(mut self, draft: &mut Draft, budget: usize) {
        let mut cost = self.tariff.of(draft);
        let mut round = 0;
        let mut groups: Vec<(f64, Victim)> = Vec::new();
        while cost > budget {
            // What a neuron or a feature costs changes slowly; weights are looked at every time.
            let over = cost - budget;
            if round % 4 == 0 {
                groups = self.groups(over);
            }
            round += 1;
            let of_weight = |k: usize| {
                let loss = self.weights[k] * self.weights[k] / self.inverse[k * self.size + k];
                // A bias may be free, and then it stays.
                let saved = self.worth(Victim::Weight(k), over);
                (saved > 0).then_some((0.5 * loss / saved as f64, Victim::Weight(k)))
            };
            let weights = (0..self.size).filter(|&k| self.is_alive[k]).filter_map(of_weight);
            let standing = groups.iter().copied().filter(|&(_, victim)| self.is_there(victim));
            let least = weights.chain(standing).min_by(|a, b| a.0.total_cmp(&b.0));
            let Some((_, victim)) = least else { break };
            cost -= self.saved_by(victim);
            match victim {
                Victim::Weight(k) => match self.only_feed(k) {
                    Some(neuron) => self.remove_neuron(neuron),
                    None => self.remove(k),
                },
                Victim::Neuron(neuron) => self.remove_neuron(neuron),
                Victim::Feature(input) => {
                    for k in self.alive(&self.reads[input]) {
                        self.remove(k);
                    }
                }
            }
        }
        self.write(draft);
        // Dead neurons are there until the draft is tidied.
        let dead = self.neuron_alive.iter().filter(|&&is_alive| !is_alive).count();
        debug_assert_eq!(cost + dead * self.tariff.neuron, self.tariff.of(draft));
    }

    /// What a removal is worth. Features may cost many times what is still too much, and are not to
    /// fall for a trifle.
    fn worth(&self, victim: Victim, over: usize) -> usize {
        let saved = self.saved_by(victim);
        if self.tariff.feature > 0 { saved.min(over) } else { saved }
    }

    /// Neurons, and features that have a price, with the loss for each unit of cost that is worth
    /// saving.
    fn groups(&self, over: usize) -> Vec<(f64, Victim)> {
        let neurons = (0..self.neurons).map(|neuron| (&self.feeds[neuron], Victim::Neuron(neuron)));
        let features = self.reads.iter().enumerate();
        let features = features.map(|(input, reads)| (reads, Victim::Feature(input)));
        let groups = neurons.chain(features).filter(|&(_, victim)| self.is_there(victim));
        let loss = |(links, victim): (&Vec<usize>, Victim)| {
            (self.cost_of(&self.alive(links)) / self.worth(victim, over) as f64, victim)
        };
        groups.map(loss).collect()
    }

    fn is_there(&self, victim: Victim) -> bool {
        match victim {
            Victim::Weight(k) => self.is_alive[k],
            Victim::Neuron(neuron) => self.neuron_alive[neuron],
            Victim::Feature(input) => self.reads[input].iter().any(|&k| self.is_alive[k]),
        }
    }

    /// By how much a removal lowers the cost.
    fn saved_by(&self, victim: Victim) -> usize {
        match victim {
            Victim::Weight(k) => match self.only_feed(k) {
                Some(neuron) => self.saved_by(Victim::Neuron(neuron)),
                None => self.price_of(&[k]),
            },
            Victim::Neuron(neuron) => {
                let gone: Vec<usize> =
                    self.feeds[neuron].iter().chain(&self.own[neuron]).copied().collect();
                self.price_of(&self.alive(&gone)) + self.tariff.neuron
            }
            Victim::Feature(input) => self.price_of(&self.alive(&self.reads[input])),
        }
    }

    /// What these weights cost, with the features that nothing else reads.
    fn price_of(&self, gone: &[usize]) -> usize {
        let of_weight = |&k: &usize| match self.places[k] {
            Place::Bias(_) => self.tariff.bias,
            Place::Link(..) => self.tariff.link,
        };
        gone.iter().map(of_weight).sum::<usize>() + self.tariff.feature * self.freed_by(gone)
    }

    /// How many features nothing would read without these weights.
    fn freed_by(&self, gone: &[usize]) -> usize {
        if self.reads.is_empty() {
            return 0;
        }
        let mut inputs: Vec<usize> = Vec::new();
        for &k in gone {
            if let Place::Link(_, Source::Input(input)) = self.places[k] {
                inputs.push(input as usize);
            }
        }
        inputs.sort_unstable();
        inputs.dedup();
        let is_free = |input: &usize| {
            let mut readers = self.reads[*input].iter().filter(|&&k| self.is_alive[k]);
            readers.all(|k| gone.contains(k))
        };
        inputs.iter().filter(|input| is_free(input)).count()
    }

    fn alive(&self, list: &[usize]) -> Vec<usize> {
        list.iter().copied().filter(|&k| self.is_alive[k]).collect()
    }

    /// The neuron that falls with this weight, because nothing else reads it.
    fn only_feed(&self, k: usize) -> Option<usize> {
        let Place::Link(_, Source::Neuron(neuron)) = self.places[k] else { return None };
        let neuron = neuron as usize;
        let others = self.feeds[neuron].iter().filter(|&&j| self.is_alive[j]).count();
        (others == 1).then_some(neuron)
    }

    /// What it costs to set these weights to zero: `w' (inverse of their part)^-1 w / 2`.
    fn cost_of(&self, list: &[usize]) -> f64 {
        let count = list.len();
        let mut part = vec![0.0; count * count];
        for (row, &a) in list.iter().enumerate() {
            for (column, &b) in list.iter().enumerate() {
                part[row * count + column] = self.inverse[a * self.size + b];
            }
        }
        invert(&mut part, count);
        let mut cost = 0.0;
        for (row, &a) in list.iter().enumerate() {
            for (column, &b) in list.iter().enumerate() {
                cost += self.weights[a] * part[row * count + column] * self.weights[b];
            }
        }
        0.5 * cost.max(0.0)
    }

    fn remove_neuron(&mut self, neuron: usize) {
        self.neuron_alive[neuron] = false;
        for k in self.alive(&self.feeds[neuron]) {
            self.remove(k);
        }
        // Without a reader its own weights have no effect: nothing needs to make up for them.
        for k in self.alive(&self.own[neuron]) {
            self.weights[k] = 0.0;
            self.remove(k);
        }
    }

    /// Sets a weight to zero for good; the others move, and the inverse forgets it.
    fn remove(&mut self, gone: usize) {
        let size = self.size;
        self.is_alive[gone] = false;
        let row: Vec<f64> = self.inverse[gone * size..][..size].to_vec();
        let pivot = row[gone];
        if pivot > 0.0 {
            let share = self.weights[gone] / pivot;
            for k in 0..size {
                if !self.is_alive[k] {
                    continue;
                }
                self.weights[k] -= share * row[k];
                let factor = row[k] / pivot;
                if factor != 0.0 {
                    let own = &mut self.inverse[k * size..][..size];
                    for (value, &from) in own.iter_mut().zip(&row) {
                        *value -= factor * from;
                    }
                }
            }
        }
        self.weights[gone] = 0.0;
    }

    fn write(&self, draft: &mut Draft) {
        let mut kept = vec![(None, Vec::new()); draft.units()];
        for k in (0..self.size).filter(|&k| self.is_alive[k]) {
            let weight = self.weights[k] as f32;
            match self.places[k] {
                Place::Bias(unit) => kept[unit].0 = Some(weight),
                Place::Link(unit, source) => kept[unit].1.push(Link { source, weight }),
            }
        }
        for (unit, (new_bias, new_links)) in kept.into_iter().enumerate() {
            let (bias, links) = draft.unit_mut(unit);
            (*bias, *links) = (new_bias, new_links);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ground::{Optimiser, Rows};
    use mge_net::{Columns, Loss, Output};

    #[test]
    fn the_cheapest_link_goes_whatever_the_size_of_its_weight() {
        // The second input is a hundred times the first, so its small weight does more.
        let rows = 32;
        let first: Vec<f32> = (0..rows).map(|row| (row % 5) as f32 - 2.0).collect();
        let second = (0..rows).map(|row| 100.0 * ((row % 7) as f32 - 3.0)).collect();
        let columns = Columns::from_columns([first, second]).expect("equal lengths");
        let labels: Vec<u32> = (0..rows as u32).map(|row| row % 2).collect();
        let rows =
            Rows { columns: &columns, labels: &labels, outputs: 1, loss: Loss::CrossEntropy };
        let order: Vec<u32> = (0..32).collect();
        let ground = Ground::new(rows, &order, 32, Optimiser::Batch(1)).expect("valid rows");
        let link = |input, weight| Link { source: Source::Input(input), weight };
        let links = vec![link(0, 0.1), link(1, 0.02)];
        let outputs = vec![Output { bias: Some(0.0), links }];
        let mut draft = Draft { inputs: 2, neurons: Vec::new(), outputs };
        let scratch = &mut GradientScratch::new();
        cut_cheapest(&mut draft, Tariff::OPERATIONS, 8, &ground, 1, scratch);
        assert_eq!(draft.outputs[0].links, vec![link(1, 0.02)]);
    }
}
