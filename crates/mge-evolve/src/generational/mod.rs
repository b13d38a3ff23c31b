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
use mge_threads::par_map;
use serde::Serialize;
use serde::de::DeserializeOwned;

/// How genomes begin and how they vary.
pub trait Representation: Sync {
    /// What evolves. Offspring are copied by [`Clone::clone_from`] into genomes that are no longer
    /// needed, so one that uses their memory saves allocations.
    type Genome: Clone + Send + Sync + Serialize + DeserializeOwned;

    /// A random genome for the first population.
    fn random(&self, stream: &mut Stream) -> Self::Genome;
    /// Recombines two copies of the parents in place.
    fn crossover(&self, one: &mut Self::Genome, other: &mut Self::Genome, stream: &mut Stream);
    /// The same into genomes that are no longer needed: an override may save copies.
    fn recombine(
        &self,
        one: &Self::Genome,
        other: &Self::Genome,
        offspring: [&mut Self::Genome; 2],
        stream: &mut Stream,
    ) {
        let [first, second] = offspring;
        first.clone_from(one);
        second.clone_from(other);
        self.crossover(first, second, stream);
    }
    /// Changes an offspring slightly.
    fn mutate(&self, genome: &mut Self::Genome, stream: &mut Stream);
    /// Whether a genome that was read from a checkpoint is one of this representation.
    fn is_valid(&self, genome: &Self::Genome) -> bool {
        let _ = genome;
        true
    }
}

/// What genomes are worth.
pub trait Evaluate<G>: Sync {
    /// One evaluation per genome, in order. Each is a pure function of its genome; the whole
    /// batch is handed over so that equal work can be shared and spread over threads.
    fn evaluate(&self, genomes: &[G]) -> Vec<Evaluation>;

    /// Changes genomes for the better before they are evaluated, for instance by training what they
    /// map to; their offspring inherit the change. What a genome becomes is a pure function of the
    /// genome and of its own stream, which `streams` gives for its place. The usual way is to
    /// change nothing.
    fn improve(&self, genomes: &mut [G], streams: &(dyn Fn(usize) -> Stream + Sync)) {
        let _ = (genomes, streams);
    }
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

/// Those of one generation.
struct Parents<'a, G> {
    members: &'a [Individual<G>],
    /// Beside the members, so that tournaments look at nothing else.
    losses: &'a [f64],
    /// The offspring's.
    generation: u64,
}

/// Pairs that a thread takes at once: varying one takes a microsecond or two.
const PAIRS_PER_PIECE: usize = 4;

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

    /// The new genomes of a generation get their chance to become better, then their worth.
    fn improve_and_evaluate(&self, genomes: &mut [R::Genome], generation: u64) -> Vec<Evaluation> {
        let streams = |index| self.stream(Purpose::Tuning, generation, index);
        self.evaluator.improve(genomes, &streams);
        self.evaluator.evaluate(genomes)
    }

    /// Makes the offspring of one pair of parents: one, or two.
    fn make_pair(
        &self,
        parents: &Parents<'_, R::Genome>,
        pair: usize,
        offspring: &mut [R::Genome],
    ) {
        let Parents { members, losses, generation } = *parents;
        let mut selection = self.stream(Purpose::Selection, generation, pair);
        let mut pick = || {
            let winner = select::tournament(losses, self.params.tournament(), &mut selection);
            &members[winner].genome
        };
        let (one, other) = (pick(), pick());
        let mut unused = None;
        let [first, second] = match offspring {
            [first, second] => [first, second],
            // The last pair of an odd population: its second offspring goes nowhere.
            [first] => [first, unused.insert(other.clone())],
            _ => return,
        };
        let mut crossover = self.stream(Purpose::Crossover, generation, pair);
        if crossover.chance(self.params.crossover_rate()) {
            self.representation.recombine(one, other, [first, second], &mut crossover);
        } else {
            first.clone_from(one);
            second.clone_from(other);
        }
        let mut mutation = self.stream(Purpose::Mutation, generation, pair);
        self.representation.mutate(first, &mut mutation);
        self.representation.mutate(second, &mut mutation);
    }
}

impl<R: Representation, E: Evaluate<R::Genome>> Search for Generational<R, E> {
    type State = Population<R::Genome>;
    type Solution = R::Genome;

    fn start(&self) -> Self::State {
        let mut genomes = par_map((0..self.params.population()).collect(), |index| {
            let mut stream = self.stream(Purpose::Initialisation, 1, index);
            self.representation.random(&mut stream)
        });
        let evaluations = self.improve_and_evaluate(&mut genomes, 1);
        Population::first(genomes, evaluations)
    }

    fn step(&self, state: &mut Self::State) {
        // The dead of the generation before give their memory.
        let mut offspring = state.take_recycled();
        offspring.resize_with(self.params.population(), || state.best().genome.clone());
        let losses: Vec<f64> = state.members().iter().map(|member| member.loss).collect();
        let generation = state.generation() + 1;
        let parents = &Parents { members: state.members(), losses: &losses, generation };
        let pieces = offspring.chunks_mut(2 * PAIRS_PER_PIECE).enumerate().collect();
        par_map(pieces, |(piece, some)| {
            for (pair, both) in (piece * PAIRS_PER_PIECE..).zip(some.chunks_mut(2)) {
                self.make_pair(parents, pair, both);
            }
        });
        let evaluations = self.improve_and_evaluate(&mut offspring, generation);
        state.replace(offspring, evaluations, self.params.elite_size());
    }

    fn cost_of_start(&self) -> u64 {
        self.params.population() as u64
    }

    fn cost_of_step(&self, _: &Self::State) -> u64 {
        self.params.population() as u64
    }

    fn is_valid_state(&self, state: &Self::State) -> bool {
        let genomes = state.members().iter().map(|member| &member.genome);
        state.is_valid(self.params.population())
            && genomes.into_iter().all(|genome| self.representation.is_valid(genome))
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
