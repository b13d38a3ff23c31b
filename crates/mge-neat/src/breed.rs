//! From one population to the genomes of the next (sections 3.2 and 3.3).
//!
//! 1. [`Breeder::counts`]: how many offspring each species has.
//! 2. [`Breeder::plan`]: for each member of the next population, whether it is a copy or bred.
//! 3. [`Breeder::breed`]: each offspring before new structure, from random streams of its own, on
//!    any thread.
//! 4. New nodes and links, in the order of the offspring, because they take innovation numbers.
//!
//! The best genome is copied in every generation, even from a species that stagnates. So the best
//! loss never rises.

use crate::genome::Genome;
use crate::innovation::Innovations;
use crate::params::CheckedNeat;
use crate::species::{Representative, Species, apportion, fitness};
use crate::state::NeatState;
use crate::vary;
use mge_random::{Purpose, Stream};
use rayon::prelude::*;

/// How one member of the next population is made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Offspring {
    /// As a copy of the member with this index.
    Copy(u32),
    /// As an offspring of the species with this index.
    Bred(usize),
}

/// Offspring that a thread takes at once. Making one takes about a microsecond.
const OFFSPRING_PER_TASK: usize = 16;

/// Makes the genomes of the next generation.
pub(crate) struct Breeder<'a> {
    pub params: &'a CheckedNeat,
    pub state: &'a NeatState,
    pub seed: u64,
}

impl Breeder<'_> {
    /// How many members of the next population come from each species: in proportion to its mean
    /// fitness, and at least one from the species of the best genome.
    pub fn counts(&self) -> Vec<usize> {
        let (raw, state) = (self.params.raw(), self.state);
        let champion = self.champion_species();
        let allowed = self.allowed(champion);
        let mean = |&index: &usize| {
            let members = &state.species[index].members;
            let sum: f64 = members.iter().map(|&m| fitness(state.losses[m as usize])).sum();
            sum / members.len() as f64
        };
        let fitness_of_species: Vec<f64> = allowed.iter().map(mean).collect();
        let mut counts = vec![0; state.species.len()];
        let apportioned = apportion(&fitness_of_species, raw.population);
        for (&index, count) in allowed.iter().zip(apportioned) {
            counts[index] = count;
        }
        if counts[champion] == 0 {
            let largest = (0..counts.len()).max_by_key(|&index| counts[index]).unwrap_or(champion);
            counts[largest] -= 1;
            counts[champion] = 1;
        }
        counts
    }

    /// The species of the best genome. Its first member is that genome.
    fn champion_species(&self) -> usize {
        let best = self.state.best_index();
        self.state.species.iter().position(|species| species.members[0] == best).unwrap_or(0)
    }

    /// The species that may have offspring. The species of the best genome always may.
    fn allowed(&self, champion: usize) -> Vec<usize> {
        let (raw, state) = (self.params.raw(), self.state);
        if state.stagnant_for() > raw.population_stagnation {
            let loss = |&index: &usize| state.losses[state.species[index].members[0] as usize];
            let others = (0..state.species.len()).filter(|&index| index != champion);
            let second = others.min_by(|a, b| loss(a).total_cmp(&loss(b)));
            let mut two: Vec<usize> = [champion].into_iter().chain(second).collect();
            two.sort_unstable();
            return two;
        }
        let still_improves = |species: &Species| {
            state.generation().saturating_sub(species.improved) < raw.stagnation
        };
        let may = |&index: &usize| index == champion || still_improves(&state.species[index]);
        (0..state.species.len()).filter(may).collect()
    }

    /// The species that have offspring, each with a random member that represents it.
    pub fn representatives(&self, counts: &[usize]) -> Vec<Representative> {
        let draw = |(index, species): (usize, &Species)| {
            // The addresses of the offspring come before.
            let address = counts.iter().sum::<usize>() + index;
            let mut stream = self.stream(Purpose::Selection, address);
            let genome = species.members[stream.index(species.members.len())];
            Representative { species: index, genome }
        };
        let species = self.state.species.iter().enumerate();
        species.filter(|&(index, _)| counts[index] > 0).map(draw).collect()
    }

    /// The genomes of the next population.
    pub fn genomes(&self, counts: &[usize], innovations: &mut Innovations) -> Vec<Genome> {
        let plan = self.plan(counts);
        let make = |(index, offspring): (usize, &Offspring)| match *offspring {
            Offspring::Copy(member) => self.state.genomes[member as usize].clone(),
            Offspring::Bred(species) => self.breed(species, index),
        };
        let mut genomes: Vec<Genome> =
            plan.par_iter().enumerate().with_min_len(OFFSPRING_PER_TASK).map(make).collect();
        let raw = self.params.raw();
        for (index, (genome, offspring)) in genomes.iter_mut().zip(&plan).enumerate() {
            if matches!(offspring, Offspring::Bred(_)) {
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

    /// How each member of the next population is made. Large species copy their champion.
    fn plan(&self, counts: &[usize]) -> Vec<Offspring> {
        let mut plan = Vec::with_capacity(counts.iter().sum());
        for (index, (species, &count)) in self.state.species.iter().zip(counts).enumerate() {
            let champion = species.members[0];
            let keeps = species.members.len() > self.params.raw().champion_above
                || champion == self.state.best_index();
            let copies = usize::from(keeps).min(count);
            plan.extend((0..copies).map(|_| Offspring::Copy(champion)));
            plan.extend((copies..count).map(|_| Offspring::Bred(index)));
        }
        plan
    }

    /// Makes an offspring, without new structure.
    fn breed(&self, species: usize, index: usize) -> Genome {
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

    /// A random member among the fittest of a species.
    fn survivor(&self, species: usize, stream: &mut Stream) -> usize {
        let members = &self.state.species[species].members;
        let survivors = (self.params.raw().survival * members.len() as f64).ceil() as usize;
        members[stream.index(survivors.clamp(1, members.len()))] as usize
    }

    /// The second parent, sometimes from another species.
    fn partner(&self, species: usize, stream: &mut Stream) -> usize {
        let others = self.state.species.len() - 1;
        let mut partner_species = species;
        if others > 0 && stream.chance(self.params.raw().interspecies) {
            let other = stream.index(others);
            partner_species = other + usize::from(other >= species);
        }
        self.survivor(partner_species, stream)
    }

    /// The fitter parent first. Among equals the one with fewer links comes first.
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
    fn the_fitter_parent_comes_first_and_among_equals_the_smaller() {
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
    fn offspring_follow_the_mean_fitness_and_champions_are_copied() {
        let params = params(8);
        let ln = libm::log;
        // Six members of fitness 0.2, one of 0.6 and an invalid one.
        let mut members = vec![(genome(1, 0.0), -ln(0.2)); 6];
        members.extend([(genome(1, 7.0), -ln(0.6)), (genome(1, 7.0), f64::INFINITY)]);
        let state = state(&members, &params);
        assert_eq!(state.species.len(), 2);
        let breeder = Breeder { params: &params, state: &state, seed: 1 };
        // Means 0.2 and 0.3: 3.2 and 4.8 of eight offspring.
        let counts = breeder.counts();
        assert_eq!(counts, [3, 5]);
        let plan = breeder.plan(&counts);
        assert_eq!(plan.len(), 8);
        // The species of six copies its champion. The species of two copies the best genome.
        assert_eq!((plan[0], plan[3]), (Offspring::Copy(0), Offspring::Copy(6)));
        let copies = plan.iter().filter(|offspring| matches!(offspring, Offspring::Copy(_)));
        assert_eq!(copies.count(), 2);
    }

    #[test]
    fn the_species_of_the_best_genome_always_has_offspring() {
        let params = params(2);
        // Its mean is pulled down by many invalid members.
        let mut members = vec![(genome(1, 0.0), 1.0)];
        members.extend(vec![(genome(1, 0.0), f64::INFINITY); 30]);
        members.push((genome(1, 7.0), 1.1));
        let state = state(&members, &params);
        let breeder = Breeder { params: &params, state: &state, seed: 1 };
        assert_eq!(breeder.counts(), [1, 1]);
        assert_eq!(breeder.plan(&[1, 1])[0], Offspring::Copy(0));
    }

    #[test]
    fn only_the_fittest_fraction_of_a_species_has_offspring() {
        let params = params(10);
        let members: Vec<_> = (0..10).map(|i| (genome(1, 0.0), f64::from(10 - i))).collect();
        let state = state(&members, &params);
        let breeder = Breeder { params: &params, state: &state, seed: 1 };
        let chosen = |index| breeder.survivor(0, &mut breeder.stream(Purpose::Selection, index));
        assert!((0..100).map(chosen).all(|member| member >= 8));
    }
}
