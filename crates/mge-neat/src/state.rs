//! The state of a search between two generations: an evaluated population, its species, and the
//! counters that a resumed run needs.

use crate::genome::{Genome, NodeId, NodeKind, Shape};
use crate::innovation::InnovationCounters;
use crate::params::CheckedNeat;
use crate::species::{self, Representative, Species};
use mge_evolve::{Evaluation, Record};
use serde::{Deserialize, Serialize};

/// A population of genomes in species.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct NeatState {
    pub(crate) genomes: Vec<Genome>,
    pub(crate) losses: Vec<f64>,
    pub(crate) species: Vec<Species>,
    pub(crate) counters: InnovationCounters,
    pub(crate) threshold: f64,
    next_species: u64,
    best: u32,
    improved: u64,
    history: Vec<Record>,
}

impl NeatState {
    /// The state before the first population.
    pub(crate) fn empty(params: &CheckedNeat) -> Self {
        Self {
            genomes: Vec::new(),
            losses: Vec::new(),
            species: Vec::new(),
            counters: InnovationCounters::first(params.shape()),
            threshold: params.raw().threshold,
            next_species: 0,
            best: 0,
            improved: 0,
            history: Vec::new(),
        }
    }

    /// The genomes.
    pub fn genomes(&self) -> &[Genome] {
        &self.genomes
    }

    /// The loss of each genome; lower is fitter, infinite is invalid.
    pub fn losses(&self) -> &[f64] {
        &self.losses
    }

    /// The species, the oldest first.
    pub fn species(&self) -> &[Species] {
        &self.species
    }

    /// Genomes closer than this belong to one species in the next generation.
    pub fn threshold(&self) -> f64 {
        self.threshold
    }

    /// The fittest genome.
    pub fn best(&self) -> &Genome {
        &self.genomes[self.best as usize]
    }

    /// The index of the fittest genome.
    pub(crate) fn best_index(&self) -> u32 {
        self.best
    }

    /// The loss of the fittest genome.
    pub fn best_loss(&self) -> f64 {
        self.losses[self.best as usize]
    }

    /// One record for each generation so far.
    pub fn history(&self) -> &[Record] {
        &self.history
    }

    /// Populations evaluated so far.
    pub fn generation(&self) -> u64 {
        self.history.len() as u64
    }

    /// Generations since the best loss last fell.
    pub fn stagnant_for(&self) -> u64 {
        self.generation().saturating_sub(self.improved)
    }

    /// Replaces the population by an evaluated one. `representatives` are the species that had
    /// offspring, each with a genome of the old population that represents it.
    pub(crate) fn replace(
        &mut self,
        genomes: Vec<Genome>,
        evaluations: &[Evaluation],
        representatives: &[Representative],
        params: &CheckedNeat,
    ) {
        let generation = self.generation() + 1;
        let models: Vec<&Genome> =
            representatives.iter().map(|one| &self.genomes[one.genome as usize]).collect();
        let species_of = species::assign(&genomes, &models, self.threshold, params);
        self.losses = evaluations.iter().map(|evaluation| evaluation.loss).collect();
        self.assign_species(&species_of, representatives, generation);
        self.genomes = genomes;
        let best = self.losses.iter().enumerate().min_by(|(_, a), (_, b)| a.total_cmp(b));
        self.best = best.map_or(0, |(index, _)| index as u32);
        if self.history.last().is_none_or(|last| self.best_loss() < last.best_loss) {
            self.improved = generation;
        }
        self.history.push(self.record(generation, evaluations));
        self.adjust_threshold(params);
    }

    /// Replaces the species by those of a new generation. `species_of` has one entry for each
    /// genome: an index into `representatives`, or beyond them for a new species.
    fn assign_species(
        &mut self,
        species_of: &[usize],
        representatives: &[Representative],
        generation: u64,
    ) {
        let before = std::mem::take(&mut self.species);
        for representative in representatives {
            let Species { id, best_loss, improved, .. } = before[representative.species];
            self.species.push(Species { id, members: Vec::new(), best_loss, improved });
        }
        for (member, &index) in species_of.iter().enumerate() {
            if index == self.species.len() {
                let (id, best_loss) = (self.next_species, f64::INFINITY);
                self.next_species += 1;
                let members = Vec::new();
                self.species.push(Species { id, members, best_loss, improved: generation });
            }
            self.species[index].members.push(member as u32);
        }
        self.species.retain(|species| !species.members.is_empty());
        for species in &mut self.species {
            let loss = |&member: &u32| self.losses[member as usize];
            species.members.sort_by(|a, b| loss(a).total_cmp(&loss(b)));
            let best = loss(&species.members[0]);
            if best < species.best_loss {
                (species.best_loss, species.improved) = (best, generation);
            }
        }
    }

    /// Moves the threshold so that the number of species comes nearer to its target.
    fn adjust_threshold(&mut self, params: &CheckedNeat) {
        let (raw, count) = (params.raw(), self.species.len());
        if let Some(target) = raw.species {
            if count > target {
                self.threshold += raw.threshold_step;
            } else if count < target {
                self.threshold = (self.threshold - raw.threshold_step).max(raw.threshold_step);
            }
        }
    }

    fn record(&self, generation: u64, evaluations: &[Evaluation]) -> Record {
        let valid = || self.losses.iter().filter(|loss| loss.is_finite());
        let count = valid().count();
        let mean_loss =
            if count == 0 { f64::INFINITY } else { valid().sum::<f64>() / count as f64 };
        Record {
            generation,
            evaluations: generation * self.losses.len() as u64,
            best_loss: self.best_loss(),
            mean_loss,
            invalid_individuals: (self.losses.len() - count) as u64,
            invalid_parts: evaluations.iter().map(|e| u64::from(e.invalid_parts)).sum(),
        }
    }

    /// Whether a search with these settings can have this state.
    pub(crate) fn is_valid(&self, params: &CheckedNeat) -> bool {
        let size = params.raw().population;
        let best = self.losses.iter().copied().min_by(f64::total_cmp);
        self.genomes.len() == size
            && self.losses.len() == size
            && self.losses.iter().all(|loss| !loss.is_nan())
            && self.losses.get(self.best as usize).copied() == best
            && self.threshold.is_finite()
            && self.threshold > 0.0
            && self.history.last().map(|last| last.best_loss) == best
            && self.improved <= self.generation()
            && self.history.iter().zip(1..).all(|(record, generation)| {
                record.generation == generation && record.evaluations == generation * size as u64
            })
            && self.genes_are_valid(params)
            && self.species_are_valid()
    }

    fn genes_are_valid(&self, params: &CheckedNeat) -> bool {
        let (first, counters) = (InnovationCounters::first(params.shape()), self.counters);
        let limit = params.raw().weight_limit as f32;
        let is_valid = |genome: &Genome| {
            genome.is_valid(params.shape())
                && genome.hidden.last().is_none_or(|node| node.0 < counters.node)
                && genome.links.iter().all(|link| {
                    let direct = params.shape().direct_innovation(link.from, link.to);
                    let number = link.innovation;
                    link.weight.abs() <= limit
                        && number < counters.link
                        && direct.map_or(number >= first.link, |direct| direct == number)
                })
                && (params.raw().recurrent || is_feed_forward(genome, params.shape()))
        };
        // An innovation number has the same pair of ends in all genomes.
        let links = self.genomes.iter().flat_map(|genome| &genome.links);
        let mut ends: Vec<(u32, NodeId, NodeId)> =
            links.map(|link| (link.innovation, link.from, link.to)).collect();
        ends.sort_unstable();
        ends.dedup();
        counters.link >= first.link
            && counters.node >= first.node
            && self.genomes.iter().all(is_valid)
            && ends.is_sorted_by(|a, b| a.0 < b.0)
    }

    fn species_are_valid(&self) -> bool {
        let mut members: Vec<u32> =
            self.species.iter().flat_map(|species| species.members.iter().copied()).collect();
        members.sort_unstable();
        let is_valid = |species: &Species| {
            let losses = species.members.iter().map(|&member| self.losses[member as usize]);
            !species.members.is_empty()
                && losses.is_sorted_by(|a, b| a.total_cmp(b).is_le())
                && !species.best_loss.is_nan()
                && species.improved <= self.generation()
                && species.id < self.next_species
        };
        members.iter().copied().eq(0..self.genomes.len() as u32)
            && self.species.iter().all(is_valid)
            && self.species.is_sorted_by(|a, b| a.id < b.id)
            && self.next_species < u64::MAX / 2
    }
}

/// Whether the links of a genome, enabled or not, form no cycle and leave no output.
fn is_feed_forward(genome: &Genome, shape: Shape) -> bool {
    genome.links.iter().all(|link| match shape.kind(link.from) {
        NodeKind::Input(_) | NodeKind::Bias => true,
        NodeKind::Output(_) => false,
        NodeKind::Hidden => !genome.leads_to(link.to, link.from),
    })
}
