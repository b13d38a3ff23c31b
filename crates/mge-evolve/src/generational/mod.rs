//! Generational evolution (sections "MGE", "Crossover and Mutation" and "Selection Mechanisms"
//! of the paper).
//!
//! One generation has four steps:
//!
//! 1. Tournaments select two parents for each pair of offspring.
//! 2. The parents are crossed or copied, and both offspring are mutated.
//! 3. The offspring are improved (if the evaluator does so) and evaluated.
//! 4. The best of the old population and of the offspring form the next one.
//!
//! Every random number comes from a stream whose address is the generation and the pair. Every
//! evaluation is a pure function of a genome. So the number of threads changes nothing.

mod params;
mod population;
mod select;

pub use params::{CheckedGenerational, GenerationalParamError, GenerationalParams};
pub use population::{Individual, Population, Record};

use crate::{Progress, Search};
use mge_random::{Purpose, Stream};
use mge_threads::par_map;
use serde::Serialize;
use serde::de::DeserializeOwned;

/// What evolves: how genomes are made and how they vary. Three functions are required: `random`,
/// `crossover` and `mutate`.
///
/// All random numbers must come from the given stream. Then a seed always gives the same run, on
/// any number of threads.
pub trait Representation: Sync {
    /// The genome. [`Generational`] copies parents by [`Clone::clone_from`] into genomes that are
    /// no longer needed. A `clone_from` that reuses their memory saves allocations.
    type Genome: Clone + Send + Sync + Serialize + DeserializeOwned;

    /// Makes a random genome for the first population.
    fn random(&self, stream: &mut Stream) -> Self::Genome;

    /// Recombines two genomes in place. On entry they are copies of the parents, on return they are
    /// the offspring.
    fn crossover(&self, one: &mut Self::Genome, other: &mut Self::Genome, stream: &mut Stream);

    /// Writes the offspring of two parents into two genomes whose content is not needed.
    ///
    /// The default copies the parents and calls [`crossover`](Self::crossover). Override it only to
    /// save the copies; it must draw the same random numbers and give the same offspring.
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

    /// Mutates an offspring. It is called for each offspring, crossed or copied.
    fn mutate(&self, genome: &mut Self::Genome, stream: &mut Stream);

    /// Whether a genome that was read from a checkpoint belongs to this representation. The default
    /// accepts all.
    fn is_valid(&self, genome: &Self::Genome) -> bool {
        let _ = genome;
        true
    }
}

/// How genomes are scored. Only `evaluate` is required.
pub trait Evaluate<G>: Sync {
    /// Returns one evaluation for each genome, in order.
    ///
    /// Each evaluation must be a pure function of its genome. The whole batch is passed so that
    /// an implementation can share equal work and use several threads.
    fn evaluate(&self, genomes: &[G]) -> Vec<Evaluation>;

    /// Improves new genomes before they are evaluated, for instance by training the networks they
    /// map to. Their offspring inherit the change (Lamarckian evolution).
    ///
    /// The new genome at an index must be a pure function of the old one and of `streams(index)`.
    /// The default changes nothing.
    fn improve(&self, genomes: &mut [G], streams: &(dyn Fn(usize) -> Stream + Sync)) {
        let _ = (genomes, streams);
    }
}

/// The score of one genome.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Evaluation {
    /// Lower is fitter; infinite for an invalid individual.
    pub loss: f64,
    /// Parts of the genome that mapped to nothing.
    pub invalid_parts: u32,
}

impl Evaluation {
    /// A valid individual, all of whose parts mapped. NaN counts as the worst loss.
    pub fn valid(loss: f64) -> Self {
        Self { loss: if loss.is_nan() { f64::INFINITY } else { loss }, invalid_parts: 0 }
    }

    /// An individual that mapped to nothing.
    pub fn invalid() -> Self {
        Self { loss: f64::INFINITY, invalid_parts: 0 }
    }

    /// The same evaluation with this many parts that mapped to nothing.
    pub fn with_invalid_parts(self, invalid_parts: u32) -> Self {
        Self { invalid_parts, ..self }
    }
}

/// The generational [`Search`] over a representation and an evaluator.
#[derive(Debug)]
pub struct Generational<R, E> {
    representation: R,
    evaluator: E,
    params: CheckedGenerational,
    seed: u64,
}

/// The possible parents of one generation.
struct Parents<'a, G> {
    members: &'a [Individual<G>],
    /// The losses of the members, in a list of their own: tournaments read nothing else.
    losses: &'a [f64],
    /// The generation of the offspring.
    generation: u64,
}

/// Pairs that a thread takes at once. Varying a pair takes a microsecond or two.
const PAIRS_PER_CHUNK: usize = 4;

impl<R: Representation, E: Evaluate<R::Genome>> Generational<R, E> {
    /// A search with its settings and seed.
    pub fn new(representation: R, evaluator: E, params: CheckedGenerational, seed: u64) -> Self {
        Self { representation, evaluator, params, seed }
    }

    /// The representation.
    pub fn representation(&self) -> &R {
        &self.representation
    }

    /// The evaluator.
    pub fn evaluator(&self) -> &E {
        &self.evaluator
    }

    fn stream(&self, purpose: Purpose, generation: u64, index: usize) -> Stream {
        Stream::at(self.seed, purpose, generation, index as u64)
    }

    /// Improves and then evaluates the new genomes of a generation.
    fn improve_and_evaluate(&self, genomes: &mut [R::Genome], generation: u64) -> Vec<Evaluation> {
        let streams = |index| self.stream(Purpose::Tuning, generation, index);
        self.evaluator.improve(genomes, &streams);
        self.evaluator.evaluate(genomes)
    }

    /// Makes the offspring of one pair of parents: two, or one at the end of an odd population.
    fn make_pair(
        &self,
        parents: &Parents<'_, R::Genome>,
        pair: usize,
        offspring: &mut [R::Genome],
    ) {
        let Parents { members, losses, generation } = *parents;
        let mut selection = self.stream(Purpose::Selection, generation, pair);
        let mut select_parent = || {
            let winner = select::tournament(losses, self.params.tournament(), &mut selection);
            &members[winner].genome
        };
        let (one, other) = (select_parent(), select_parent());
        let mut unused = None;
        let [first, second] = match offspring {
            [first, second] => [first, second],
            // The last pair of an odd population: its second offspring is dropped.
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
        // Offspring reuse the memory of genomes that were replaced.
        let mut offspring = state.take_recycled();
        offspring.resize_with(self.params.population(), || state.best().genome.clone());
        let losses: Vec<f64> = state.members().iter().map(|member| member.loss).collect();
        let generation = state.generation() + 1;
        let parents = &Parents { members: state.members(), losses: &losses, generation };
        let chunks = offspring.chunks_mut(2 * PAIRS_PER_CHUNK).enumerate().collect();
        par_map(chunks, |(chunk, genomes)| {
            for (pair, both) in (chunk * PAIRS_PER_CHUNK..).zip(genomes.chunks_mut(2)) {
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
