//! What a fit tells those who watch it: the events of the run, with the best network at hand.

use crate::Resolved;
use crate::fitness::Fitness;
use mge_data::Dropped;
use mge_evolve::{CheckpointError, Event, Observer, Progress, StopReason};
use mge_grammar::mge::Genotype;
use mge_net::Network;
use std::path::Path;

/// Something that happened in a fit.
#[non_exhaustive]
#[allow(missing_docs, reason = "the names say it; the variants are documented")]
pub enum FitEvent<'a> {
    /// All that is known before the search starts.
    Planned {
        settings: &'a Resolved,
        classes: &'a [String],
        features: usize,
        /// Columns left out, constant ones for example.
        dropped: &'a [Dropped],
        train_rows: usize,
        test_rows: usize,
        codon_bits: u32,
        threads: usize,
    },
    /// The first population stands, new or read from a checkpoint.
    Started { resumed: bool, progress: &'a Progress },
    /// A better network than all before.
    Improved { progress: &'a Progress, best: Best<'a> },
    /// A generation is done.
    Generation { progress: &'a Progress, seconds: f64, best: Best<'a> },
    /// A checkpoint is safely on disk.
    CheckpointWritten { path: &'a Path },
    /// A checkpoint could not be written; the last good one stays, the search goes on.
    CheckpointFailed { error: &'a CheckpointError },
    /// The search is over.
    Finished { reason: StopReason, progress: &'a Progress },
}

/// The best individual so far. What it maps to is worked out only when asked for.
#[derive(Clone, Copy)]
pub struct Best<'a> {
    genotype: &'a Genotype,
    fitness: &'a Fitness,
}

impl Best<'_> {
    /// Its genes.
    pub fn genotype(&self) -> &Genotype {
        self.genotype
    }

    /// Its network, or `None` while no valid individual was found.
    pub fn network(&self) -> Option<Network> {
        self.fitness.network(self.genotype)
    }

    /// The share of training rows that a network gets right.
    pub fn train_accuracy(&self, network: &Network) -> f64 {
        self.fitness.train_accuracy(network)
    }
}

/// Somebody who watches a fit. Every `FnMut(&FitEvent) + Send` is one.
pub trait FitObserver: Send {
    /// Called for each event, in order.
    fn observe(&mut self, event: &FitEvent<'_>);
}

impl<F: FnMut(&FitEvent<'_>) + Send> FitObserver for F {
    fn observe(&mut self, event: &FitEvent<'_>) {
        self(event);
    }
}

/// Passes the events of a run on as those of a fit.
pub(crate) struct Watcher<'a> {
    fitness: &'a Fitness,
    observers: Vec<Box<dyn FitObserver + 'a>>,
}

impl<'a> Watcher<'a> {
    pub fn new(fitness: &'a Fitness, observers: Vec<Box<dyn FitObserver + 'a>>) -> Self {
        Self { fitness, observers }
    }

    pub fn announce(&mut self, event: &FitEvent<'_>) {
        for observer in &mut self.observers {
            observer.observe(event);
        }
    }
}

impl Observer<Genotype> for Watcher<'_> {
    fn observe(&mut self, event: &Event<'_, Genotype>) {
        let fitness = self.fitness;
        let best = |genotype| Best { genotype, fitness };
        let event = match *event {
            Event::Started { resumed, progress } => FitEvent::Started { resumed, progress },
            Event::Improved { progress, best: genotype } => {
                FitEvent::Improved { progress, best: best(genotype) }
            }
            Event::Generation { progress, seconds, best: genotype } => {
                FitEvent::Generation { progress, seconds, best: best(genotype) }
            }
            Event::CheckpointWritten { path } => FitEvent::CheckpointWritten { path },
            Event::CheckpointFailed { error } => FitEvent::CheckpointFailed { error },
            Event::Finished { reason, progress } => FitEvent::Finished { reason, progress },
            _ => return,
        };
        self.announce(&event);
    }
}
