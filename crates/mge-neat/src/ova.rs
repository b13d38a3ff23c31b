//! One-versus-all NEAT (McDonnell and others 2018): one binary search for each class, "this class
//! or not". The class whose network gives the largest output wins.
//!
//! The searches are independent, each with a seed of its own. They step together, so budget,
//! history and checkpoints are those of one search. Evaluations are the sum over all searches; the
//! loss is the mean of their best losses.

use crate::genome::{Genome, Shape};
use crate::map::{Mapper, Workspace};
use crate::params::{CheckedNeat, NeatParamError};
use crate::search::{Neat, progress_of};
use crate::state::NeatState;
use mge_evolve::{Evaluate, Progress, Record, Search};
use mge_net::{Link, Network, Neuron, Output, Source, merge_links};
use mge_random::{Purpose, Stream};
use serde::{Deserialize, Serialize};

/// One binary genome for each class.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct OvaGenome {
    /// The genome of each class.
    pub classes: Vec<Genome>,
}

/// The state of all searches.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct OvaState {
    searches: Vec<NeatState>,
    best: OvaGenome,
    history: Vec<Record>,
}

/// One NEAT for each class.
#[derive(Debug)]
pub struct OvaNeat<E> {
    searches: Vec<Neat<E>>,
}

impl<E: Evaluate<Genome>> OvaNeat<E> {
    /// A search with one evaluator for each class, whose labels are 1 for the class and 0 for all
    /// others. The settings are those of each binary search, checked for a single output.
    ///
    /// # Errors
    /// When there are fewer than two classes, or the settings are for several outputs.
    pub fn new(
        evaluators: Vec<E>,
        params: &CheckedNeat,
        seed: u64,
    ) -> Result<Self, NeatParamError> {
        if evaluators.len() < 2 {
            return Err(NeatParamError::Classes { found: evaluators.len() });
        }
        if params.shape().outputs != 1 {
            return Err(NeatParamError::NotBinary { outputs: params.shape().outputs });
        }
        let search = |(class, evaluator): (u64, E)| {
            let seed = Stream::at(seed, Purpose::Seed, 0, class).bits();
            Neat::new(evaluator, params.clone(), seed)
        };
        Ok(Self { searches: (0..).zip(evaluators).map(search).collect() })
    }

    /// The binary searches, class by class.
    pub fn searches(&self) -> &[Neat<E>] {
        &self.searches
    }
}

impl OvaState {
    /// The state of each binary search, class by class.
    pub fn searches(&self) -> &[NeatState] {
        &self.searches
    }

    /// One record for each generation so far, over all searches.
    pub fn history(&self) -> &[Record] {
        &self.history
    }

    fn of(searches: Vec<NeatState>, mut history: Vec<Record>) -> Self {
        history.push(merged_record(&searches, history.len()));
        let classes = searches.iter().map(|search| search.best().clone()).collect();
        Self { searches, best: OvaGenome { classes }, history }
    }
}

/// The record of one generation over all searches.
fn merged_record(searches: &[NeatState], generation: usize) -> Record {
    let records = || searches.iter().map(|search| &search.history()[generation]);
    let mean =
        |value: fn(&Record) -> f64| records().map(value).sum::<f64>() / searches.len() as f64;
    let sum = |value: fn(&Record) -> u64| records().map(value).sum();
    Record {
        generation: generation as u64 + 1,
        evaluations: sum(|record| record.evaluations),
        best_loss: mean(|record| record.best_loss),
        mean_loss: mean(|record| record.mean_loss),
        invalid_individuals: sum(|record| record.invalid_individuals),
        invalid_parts: sum(|record| record.invalid_parts),
    }
}

impl<E: Evaluate<Genome>> Search for OvaNeat<E> {
    type State = OvaState;
    type Solution = OvaGenome;

    fn start(&self) -> OvaState {
        OvaState::of(self.searches.iter().map(Search::start).collect(), Vec::new())
    }

    fn cost_of_start(&self) -> u64 {
        self.searches.iter().map(Search::cost_of_start).sum()
    }

    // One search after the other: each uses all threads. Stepped at once, evaluators that hold a
    // lock could wait for each other.
    fn step(&self, state: &mut OvaState) {
        for (search, state) in self.searches.iter().zip(&mut state.searches) {
            search.step(state);
        }
        let (searches, history) =
            (std::mem::take(&mut state.searches), std::mem::take(&mut state.history));
        *state = OvaState::of(searches, history);
    }

    fn cost_of_step(&self, state: &OvaState) -> u64 {
        self.searches.iter().zip(&state.searches).map(|(search, s)| search.cost_of_step(s)).sum()
    }

    fn is_valid_state(&self, state: &OvaState) -> bool {
        let generations = state.history.len();
        let in_step = |search: &NeatState| search.history().len() == generations;
        let is_valid = |(search, state): (&Neat<E>, &NeatState)| search.is_valid_state(state);
        state.searches.len() == self.searches.len()
            && generations > 0
            && state.searches.iter().all(in_step)
            && self.searches.iter().zip(&state.searches).all(is_valid)
            && state.best.classes.iter().eq(state.searches.iter().map(NeatState::best))
            && (0..generations).all(|g| state.history[g] == merged_record(&state.searches, g))
    }

    fn progress(&self, state: &OvaState) -> Progress {
        progress_of(&state.history)
    }

    fn best<'s>(&self, state: &'s OvaState) -> &'s OvaGenome {
        &state.best
    }

    fn history<'s>(&self, state: &'s OvaState) -> &'s [Record] {
        state.history()
    }
}

impl OvaGenome {
    /// The networks of all classes as one network with an output for each class. For two classes
    /// it has a single output, the difference of the two.
    ///
    /// `None` when the genome of a class maps to nothing, or the network is too large.
    ///
    /// # Panics
    /// May panic for genomes of another shape than the mapper's.
    pub fn map(&self, mapper: &Mapper, workspace: &mut Workspace) -> Option<Network> {
        let Shape { inputs, .. } = mapper.shape();
        let (mut neurons, mut outputs) = (Vec::<Neuron>::new(), Vec::<Output>::new());
        for genome in &self.classes {
            let network = mapper.map(genome, workspace)?;
            let offset = neurons.len() as u32;
            let moved =
                |links: &[Link]| links.iter().map(|&link| offset_source(link, offset)).collect();
            neurons.extend(
                network.neurons().iter().map(|n| Neuron { links: moved(&n.links), ..n.clone() }),
            );
            outputs.extend(
                network.outputs().iter().map(|o| Output { bias: o.bias, links: moved(&o.links) }),
            );
        }
        if let [not, is] = outputs.as_slice() {
            outputs = vec![difference(is, not)];
        }
        Network::new(inputs, neurons, outputs).ok()
    }
}

/// The same link in a network with this many more neurons before its own.
fn offset_source(link: Link, offset: u32) -> Link {
    let source = match link.source {
        Source::Neuron(index) => Source::Neuron(index + offset),
        input => input,
    };
    Link { source, ..link }
}

/// The output of a class minus that of its complement.
fn difference(is: &Output, not: &Output) -> Output {
    let negative = not.links.iter().map(|link| Link { weight: -link.weight, ..*link });
    let bias = match (is.bias, not.bias) {
        (None, None) => None,
        (is, not) => Some(is.unwrap_or(0.0) - not.unwrap_or(0.0)),
    };
    Output { bias, links: merge_links(is.links.iter().copied().chain(negative)) }
}
