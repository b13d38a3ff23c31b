//! From one population to the genomes of the next (sections 3.2 and 3.3): who may have offspring,
//! how many, and with whom.
//!
//! The best genome of all is copied in every generation, whatever its species has come to, so
//! the best loss never rises. Which places copies and offspring take is decided first; then each
//! offspring is made from streams of its own, and in the end new structure is added in order.

use crate::genome::Genome;
use crate::innovation::Innovations;
use crate::params::CheckedNeat;
use crate::species::{Species, allot, fitness};
use crate::state::NeatState;
use crate::vary;
use mge_random::{Purpose, Stream};
use rayon::prelude::*;

/// How one member of the next population comes about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Birth {
    /// A copy of the member at this place.
    Copy(u32),
    /// An offspring of the species with this index.
    Bred(usize),
}

/// Offspring handed to a thread at once: making one takes about a microsecond.
const OFFSPRING_PER_TASK: usize = 16;

/// Makes a generation.
pub(crate) struct Breeder<'a> {
    pub params: &'a CheckedNeat,
    pub state: &'a NeatState,
    pub seed: u64,
}

impl Breeder<'_> {
    /// How many members of the next population each species gives.
    pub fn counts(&self) -> Vec<usize> {
        let (raw, state) = (self.params.raw(), self.state);
        let home = self.home_of_best();
        let allowed = self.allowed(home);
        let mean = |&index: &usize| {
            let members = &state.species[index].members;
            let sum: f64 = members.iter().map(|&m| fitness(state.losses[m as usize])).sum();
            sum / members.len() as f64
        };
        let shares: Vec<f64> = allowed.iter().map(mean).collect();
        let mut counts = vec![0; state.species.len()];
        for (&index, count) in allowed.iter().zip(allot(&shares, raw.population)) {
            counts[index] = count;
        }
        if counts[home] == 0 {
            let richest = (0..counts.len()).max_by_key(|&index| counts[index]).unwrap_or(home);
            counts[richest] -= 1;
            counts[home] = 1;
        }
        counts
    }

    /// The species of the best genome. Its first member is that genome.
    fn home_of_best(&self) -> usize {
        let best = self.state.best_place();
        self.state.species.iter().position(|species| species.members[0] == best).unwrap_or(0)
    }

    /// The species that may have offspring; that of the best genome always may.
    fn allowed(&self, home: usize) -> Vec<usize> {
        let (raw, state) = (self.params.raw(), self.state);
        if state.stagnant_for() > raw.population_stagnation {
            let loss = |&index: &usize| state.losses[state.species[index].members[0] as usize];
            let others = (0..state.species.len()).filter(|&index| index != home);
            let second = others.min_by(|a, b| loss(a).total_cmp(&loss(b)));
            let mut two: Vec<usize> = [home].into_iter().chain(second).collect();
            two.sort_unstable();
            return two;
        }
        let still_improves = |species: &Species| {
            state.generation().saturating_sub(species.improved) < raw.stagnation
        };
        let may = |&index: &usize| index == home || still_improves(&state.species[index]);
        (0..state.species.len()).filter(may).collect()
    }

    /// The species that have offspring, each with a random member that represents it.
    pub fn representatives(&self, counts: &[usize]) -> Vec<(usize, u32)> {
        let draw = |(index, species): (usize, &Species)| {
            // Places after those of the offspring.
            let address = counts.iter().sum::<usize>() + index;
            let mut stream = self.stream(Purpose::Selection, address);
            (index, species.members[stream.index(species.members.len())])
        };
        let species = self.state.species.iter().enumerate();
        species.filter(|&(index, _)| counts[index] > 0).map(draw).collect()
    }

    /// The genomes of the next population.
    pub fn genomes(&self, counts: &[usize], innovations: &mut Innovations) -> Vec<Genome> {
        let births = self.births(counts);
        let make = |(index, birth): (usize, &Birth)| match *birth {
            Birth::Copy(member) => self.state.genomes[member as usize].clone(),
            Birth::Bred(species) => self.offspring(species, index),
        };
        let mut genomes: Vec<Genome> =
            births.par_iter().enumerate().with_min_len(OFFSPRING_PER_TASK).map(make).collect();
        let raw = self.params.raw();
        for (index, (genome, birth)) in genomes.iter_mut().zip(&births).enumerate() {
            if matches!(birth, Birth::Bred(_)) {
                let mut stream = self.stream(Purpose::Mutation, 2 * index + 1);
                if stream.chance(raw.add_node) {
                    vary::add_node(genome, self.params, innovations, &mut stream);
                }
                if stream.chance(raw.add_link) {
                    vary::add_link(genome, self.params, innovations, &mut stream);
                }
            }
        }
        genomes
    }

    fn births(&self, counts: &[usize]) -> Vec<Birth> {
        let mut births = Vec::with_capacity(counts.iter().sum());
        for (index, (species, &count)) in self.state.species.iter().zip(counts).enumerate() {
            let champion = species.members[0];
            let keeps = species.members.len() > self.params.raw().champion_above
                || champion == self.state.best_place();
            let copies = usize::from(keeps).min(count);
            births.extend((0..copies).map(|_| Birth::Copy(champion)));
            births.extend((copies..count).map(|_| Birth::Bred(index)));
        }
        births
    }

    /// An offspring before new structure.
    fn offspring(&self, species: usize, index: usize) -> Genome {
        let (raw, state) = (self.params.raw(), self.state);
        let mut selection = self.stream(Purpose::Selection, index);
        let parent = self.survivor(species, &mut selection);
        let mut child = if selection.chance(raw.mutation_only) {
            state.genomes[parent].clone()
        } else {
            let partner = self.partner(species, &mut selection);
            let [fitter, other] = self.by_fitness(parent, partner).map(|p| &state.genomes[p]);
            let mut crossing = self.stream(Purpose::Crossover, index);
            vary::crossover(fitter, other, raw.inherit_disabled, &mut crossing)
        };
        let mut mutation = self.stream(Purpose::Mutation, 2 * index);
        if mutation.chance(raw.mutate_weights) {
            vary::mutate_weights(&mut child, self.params, &mut mutation);
        }
        if mutation.chance(raw.toggle_link) {
            vary::toggle_link(&mut child, &mut mutation);
        }
        if mutation.chance(raw.reenable_link) {
            vary::reenable_link(&mut child);
        }
        child
    }

    /// A random one of the fittest members of a species.
    fn survivor(&self, species: usize, stream: &mut Stream) -> usize {
        let members = &self.state.species[species].members;
        let survivors = (self.params.raw().survival * members.len() as f64).ceil() as usize;
        members[stream.index(survivors.clamp(1, members.len()))] as usize
    }

    /// The second parent.
    fn partner(&self, species: usize, stream: &mut Stream) -> usize {
        let others = self.state.species.len() - 1;
        let mut home = species;
        if others > 0 && stream.chance(self.params.raw().interspecies) {
            let other = stream.index(others);
            home = other + usize::from(other >= species);
        }
        self.survivor(home, stream)
    }

    /// The fitter parent first; of equals the smaller one, which has proved more with less.
    fn by_fitness(&self, one: usize, other: usize) -> [usize; 2] {
        let key =
            |parent: usize| (self.state.losses[parent], self.state.genomes[parent].links.len());
        let ((loss, size), (other_loss, other_size)) = (key(one), key(other));
        let first = loss.total_cmp(&other_loss).then(size.cmp(&other_size)).is_le();
        if first { [one, other] } else { [other, one] }
    }

    fn stream(&self, purpose: Purpose, index: usize) -> Stream {
        Stream::at(self.seed, purpose, self.state.generation() + 1, index as u64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{NeatParams, NodeId, Shape};
    use mge_evolve::Evaluation;

    const SHAPE: Shape = Shape { inputs: 3, outputs: 1 };

    /// A genome with links from the first few inputs, all with one weight.
    fn genome(links: u32, weight: f32) -> Genome {
        let link = |from| crate::LinkGene {
            innovation: from,
            from: NodeId(from),
            to: SHAPE.output(0),
            weight,
            enabled: true,
        };
        Genome::new(SHAPE, Vec::new(), (0..links).map(link).collect()).unwrap()
    }

    fn params(population: usize) -> CheckedNeat {
        let raw = NeatParams { population, weight_difference: 1.0, ..Default::default() };
        raw.check(SHAPE).unwrap()
    }

    /// A first population: genomes whose weights are far apart are species of their own.
    fn state(members: &[(Genome, f64)], params: &CheckedNeat) -> NeatState {
        let mut state = NeatState::empty(params);
        let losses: Vec<_> = members.iter().map(|&(_, loss)| Evaluation::valid(loss)).collect();
        state.replace(members.iter().map(|(g, _)| g.clone()).collect(), &losses, &[], params);
        state
    }

    #[test]
    fn the_fitter_parent_comes_first_and_of_equals_the_smaller() {
        let params = params(3);
        let members = [(genome(3, 0.0), 0.5), (genome(2, 0.0), 0.5), (genome(1, 0.0), 0.9)];
        let state = state(&members, &params);
        let breeder = Breeder { params: &params, state: &state, seed: 1 };
        assert_eq!(breeder.by_fitness(2, 0), [0, 2]);
        assert_eq!(breeder.by_fitness(0, 2), [0, 2]);
        assert_eq!(breeder.by_fitness(0, 1), [1, 0]);
        assert_eq!(breeder.by_fitness(1, 0), [1, 0]);
    }

    #[test]
    fn places_follow_the_mean_fitness_and_champions_are_copied() {
        let params = params(8);
        let ln = libm::log;
        // Six members of fitness 0.2, one of 0.6 and an invalid one.
        let mut members = vec![(genome(1, 0.0), -ln(0.2)); 6];
        members.extend([(genome(1, 7.0), -ln(0.6)), (genome(1, 7.0), f64::INFINITY)]);
        let state = state(&members, &params);
        assert_eq!(state.species.len(), 2);
        let breeder = Breeder { params: &params, state: &state, seed: 1 };
        // Means 0.2 and 0.3: of eight places 3.2 and 4.8.
        let counts = breeder.counts();
        assert_eq!(counts, [3, 5]);
        let births = breeder.births(&counts);
        assert_eq!(births.len(), 8);
        // A species of six keeps its champion; one of two keeps it as the best of all.
        assert_eq!((births[0], births[3]), (Birth::Copy(0), Birth::Copy(6)));
        assert_eq!(births.iter().filter(|birth| matches!(birth, Birth::Copy(_))).count(), 2);
    }

    #[test]
    fn the_species_of_the_best_has_a_place_even_if_its_share_is_nothing() {
        let params = params(2);
        // Its mean is pulled down by many invalid members.
        let mut members = vec![(genome(1, 0.0), 1.0)];
        members.extend(vec![(genome(1, 0.0), f64::INFINITY); 30]);
        members.push((genome(1, 7.0), 1.1));
        let state = state(&members, &params);
        let breeder = Breeder { params: &params, state: &state, seed: 1 };
        assert_eq!(breeder.counts(), [1, 1]);
        assert_eq!(breeder.births(&[1, 1])[0], Birth::Copy(0));
    }

    #[test]
    fn only_the_fittest_share_of_a_species_is_chosen() {
        let params = params(10);
        let members: Vec<_> = (0..10).map(|i| (genome(1, 0.0), f64::from(10 - i))).collect();
        let state = state(&members, &params);
        let breeder = Breeder { params: &params, state: &state, seed: 1 };
        let chosen = |index| breeder.survivor(0, &mut breeder.stream(Purpose::Selection, index));
        assert!((0..100).map(chosen).all(|place| place >= 8));
    }
}
