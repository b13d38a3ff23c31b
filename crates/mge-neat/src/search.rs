//! NEAT as a [`Search`].

use crate::breed::Breeder;
use crate::genome::Genome;
use crate::innovation::Innovations;
use crate::params::CheckedNeat;
use crate::state::NeatState;
use crate::vary;
use mge_evolve::{Evaluate, Progress, Record, Search};
use mge_random::{Purpose, Stream};
use rayon::prelude::*;

/// NeuroEvolution of Augmenting Topologies over an evaluator of genomes.
#[derive(Debug)]
pub struct Neat<E> {
    evaluator: E,
    params: CheckedNeat,
    seed: u64,
}

impl<E: Evaluate<Genome>> Neat<E> {
    /// A search with its settings and seed.
    pub fn new(evaluator: E, params: CheckedNeat, seed: u64) -> Self {
        Self { evaluator, params, seed }
    }

    /// The evaluator.
    pub fn evaluator(&self) -> &E {
        &self.evaluator
    }

    /// The settings.
    pub fn params(&self) -> &CheckedNeat {
        &self.params
    }
}

impl<E: Evaluate<Genome>> Search for Neat<E> {
    type State = NeatState;
    type Solution = Genome;

    fn start(&self) -> NeatState {
        let random = |index: usize| {
            let mut stream = Stream::at(self.seed, Purpose::Initialisation, 1, index as u64);
            vary::random(&self.params, &mut stream)
        };
        let genomes: Vec<Genome> =
            (0..self.params.raw().population).into_par_iter().map(random).collect();
        let evaluations = self.evaluator.evaluate(&genomes);
        let mut state = NeatState::empty(&self.params);
        state.replace(genomes, &evaluations, &[], &self.params);
        state
    }

    fn cost_of_start(&self) -> u64 {
        self.params.raw().population as u64
    }

    fn step(&self, state: &mut NeatState) {
        let breeder = Breeder { params: &self.params, state, seed: self.seed };
        let mut innovations = Innovations::new(self.params.shape(), state.counters);
        let counts = breeder.counts();
        let representatives = breeder.representatives(&counts);
        let genomes = breeder.genomes(&counts, &mut innovations);
        let evaluations = self.evaluator.evaluate(&genomes);
        state.counters = innovations.counters();
        state.replace(genomes, &evaluations, &representatives, &self.params);
    }

    /// Copies are evaluated again and count, so that budgets compare with those of other methods.
    fn cost_of_step(&self, _: &NeatState) -> u64 {
        self.params.raw().population as u64
    }

    fn is_valid_state(&self, state: &NeatState) -> bool {
        state.is_valid(&self.params)
    }

    fn progress(&self, state: &NeatState) -> Progress {
        progress_of(state.history())
    }

    fn best<'s>(&self, state: &'s NeatState) -> &'s Genome {
        state.best()
    }

    fn history<'s>(&self, state: &'s NeatState) -> &'s [Record] {
        state.history()
    }
}

/// The progress of the search with this history.
pub(crate) fn progress_of(history: &[Record]) -> Progress {
    let last = history.last();
    Progress {
        generation: history.len() as u64,
        evaluations: last.map_or(0, |record| record.evaluations),
        best_loss: last.map_or(f64::INFINITY, |record| record.best_loss),
        invalid_individuals: history.iter().map(|record| record.invalid_individuals).sum(),
        invalid_parts: history.iter().map(|record| record.invalid_parts).sum(),
    }
}
