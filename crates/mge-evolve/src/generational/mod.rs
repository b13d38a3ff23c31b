//! Generational evolution (sections "MGE", "Crossover and Mutation" and "Selection Mechanisms"
//! of the paper): tournament, variation in pairs, replacement with elitism.
//!
//! Every random draw comes from a stream addressed by generation and pair, and every evaluation
//! is a pure function of a genome, so a generation is the same for any number of threads.

mod params;
mod population;
mod select;

pub use params::{CheckedGenerational, GenerationalParams, ParamError};
pub use population::{Individual, Population, Record};

use crate::{Progress, Search};
use mge_random::{Purpose, Stream};
use rayon::prelude::*;
use serde::Serialize;
use serde::de::DeserializeOwned;

/// How genomes begin and how they vary.
pub trait Representation: Sync {
    /// What evolves.
    type Genome: Clone + Send + Sync + Serialize + DeserializeOwned;

    /// A random genome for the first population.
    fn random(&self, stream: &mut Stream) -> Self::Genome;
    /// Recombines two copies of the parents in place.
    fn crossover(&self, one: &mut Self::Genome, other: &mut Self::Genome, stream: &mut Stream);
    /// Changes an offspring slightly.
    fn mutate(&self, genome: &mut Self::Genome, stream: &mut Stream);
    /// Whether a genome that was read from a checkpoint is one of this representation.
    fn accepts(&self, genome: &Self::Genome) -> bool {
        let _ = genome;
        true
    }
}

/// What genomes are worth.
pub trait Evaluate<G>: Sync {
    /// One evaluation per genome, in order. Each is a pure function of its genome; the whole
    /// batch is handed over so that equal work can be shared and spread over threads.
    fn evaluate(&self, genomes: &[G]) -> Vec<Evaluation>;
}

/// The worth of one genome.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Evaluation {
    /// Lower is fitter; infinite for an invalid individual.
    pub loss: f64,
    /// Parts of the genome that mapped to nothing.
    pub invalid_parts: u32,
}

impl Evaluation {
    /// A valid individual, all of whose parts mapped. A loss that is not a number is taken as
    /// the worst there is.
    pub fn valid(loss: f64) -> Self {
        Self { loss: if loss.is_nan() { f64::INFINITY } else { loss }, invalid_parts: 0 }
    }

    /// An individual that mapped to nothing.
    pub fn invalid() -> Self {
        Self { loss: f64::INFINITY, invalid_parts: 0 }
    }

    /// The same, with this many parts that mapped to nothing.
    pub fn with_invalid_parts(self, invalid_parts: u32) -> Self {
        Self { invalid_parts, ..self }
    }
}

/// A generational search over one representation and one way to evaluate it.
#[derive(Debug)]
pub struct Generational<R, E> {
    representation: R,
    evaluator: E,
    params: CheckedGenerational,
    seed: u64,
}

/// Pairs handed to a thread at once: varying a pair takes about a microsecond.
const PAIRS_PER_TASK: usize = 16;

impl<R: Representation, E: Evaluate<R::Genome>> Generational<R, E> {
    /// A search with its settings and seed.
    pub fn new(representation: R, evaluator: E, params: CheckedGenerational, seed: u64) -> Self {
        Self { representation, evaluator, params, seed }
    }

    /// The representation.
    pub fn representation(&self) -> &R {
        &self.representation
    }

    /// What genomes are evaluated with.
    pub fn evaluator(&self) -> &E {
        &self.evaluator
    }

    fn stream(&self, purpose: Purpose, generation: u64, index: usize) -> Stream {
        Stream::at(self.seed, purpose, generation, index as u64)
    }

    /// The two offspring of one pair of parents.
    fn offspring_pair(
        &self,
        parents: &Population<R::Genome>,
        generation: u64,
        pair: usize,
    ) -> [R::Genome; 2] {
        let mut selection = self.stream(Purpose::Selection, generation, pair);
        let mut pick = || {
            let winner = select::tournament(parents, self.params.tournament(), &mut selection);
            parents.members()[winner].genome.clone()
        };
        let (mut one, mut other) = (pick(), pick());
        let mut crossover = self.stream(Purpose::Crossover, generation, pair);
        if crossover.chance(self.params.crossover_rate()) {
            self.representation.crossover(&mut one, &mut other, &mut crossover);
        }
        let mut mutation = self.stream(Purpose::Mutation, generation, pair);
        self.representation.mutate(&mut one, &mut mutation);
        self.representation.mutate(&mut other, &mut mutation);
        [one, other]
    }
}

impl<R: Representation, E: Evaluate<R::Genome>> Search for Generational<R, E> {
    type State = Population<R::Genome>;
    type Solution = R::Genome;

    fn start(&self) -> Self::State {
        let genomes: Vec<_> = (0..self.params.population())
            .into_par_iter()
            .with_min_len(PAIRS_PER_TASK)
            .map(|index| {
                let mut stream = self.stream(Purpose::Initialisation, 1, index);
                self.representation.random(&mut stream)
            })
            .collect();
        let evaluations = self.evaluator.evaluate(&genomes);
        Population::first(genomes, evaluations)
    }

    fn step(&self, parents: &mut Self::State) {
        let generation = parents.generation() + 1;
        let size = self.params.population();
        let pairs = 0..size.div_ceil(2);
        let mut offspring = Vec::with_capacity(2 * pairs.len());
        if rayon::current_num_threads() == 1 {
            pairs.for_each(|pair| {
                offspring.extend(self.offspring_pair(parents, generation, pair));
            });
        } else {
            let pairs: Vec<[R::Genome; 2]> = pairs
                .into_par_iter()
                .with_min_len(PAIRS_PER_TASK)
                .map(|pair| self.offspring_pair(parents, generation, pair))
                .collect();
            offspring.extend(pairs.into_iter().flatten());
        }
        offspring.truncate(size);
        let evaluations = self.evaluator.evaluate(&offspring);
        parents.replace(offspring, evaluations, self.params.elite_size());
    }

    fn cost_of_start(&self) -> u64 {
        self.params.population() as u64
    }

    fn cost_of_step(&self, _: &Self::State) -> u64 {
        self.params.population() as u64
    }

    fn accepts(&self, state: &Self::State) -> bool {
        let genomes = state.members().iter().map(|member| &member.genome);
        state.is_sound(self.params.population())
            && genomes.into_iter().all(|genome| self.representation.accepts(genome))
    }

    fn progress(&self, state: &Self::State) -> Progress {
        state.progress()
    }

    fn best<'s>(&self, state: &'s Self::State) -> &'s R::Genome {
        &state.best().genome
    }

    fn diversity(&self, state: &Self::State) -> Option<f64> {
        Some(state.diversity())
    }

    fn history<'s>(&self, state: &'s Self::State) -> &'s [Record] {
        state.history()
    }
}
