//! What a fit tells those who watch it: the events of the run, with the best network at hand.

use crate::ResolvedSettings;
use mge_data::Dropped;
use mge_evolve::{CheckpointError, Event, Observer, Progress, StopReason};
use mge_net::{BatchEvaluator, Network, Scratch};
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

/// Something that happened in a fit.
#[non_exhaustive]
#[allow(missing_docs, reason = "the names say it; the variants are documented")]
pub enum FitEvent<'a> {
    /// All that is known before the search starts.
    Planned {
        settings: &'a ResolvedSettings,
        classes: &'a [String],
        features: usize,
        /// Columns left out, constant ones for example.
        dropped: &'a [Dropped],
        train_rows: usize,
        test_rows: usize,
        /// Bits of a codon, where the method has codons.
        codon_bits: Option<u32>,
        threads: usize,
    },
    /// The first population stands, new or read from a checkpoint.
    Started { resumed: bool, progress: &'a Progress },
    /// A better network than all before.
    Improved { progress: &'a Progress, best: Best<'a> },
    /// How different the individuals of a generation are, from 0 (all alike) to 1, where the
    /// method can tell. Comes before its `Improved` and `Generation`.
    Diversity { progress: &'a Progress, share: f64 },
    /// A generation is done.
    Generation { progress: &'a Progress, seconds: f64, best: Best<'a> },
    /// A checkpoint is safely on disk.
    CheckpointWritten { path: &'a Path },
    /// A checkpoint could not be written; the last good one stays, the search goes on.
    CheckpointFailed { error: &'a CheckpointError },
    /// The search is over.
    Finished { reason: StopReason, progress: &'a Progress },
    /// Simpler classifiers are made, to compare with; nothing comes after it.
    Comparing,
}

/// The best individual so far. What it maps to is worked out only when asked for.
#[derive(Clone, Copy)]
pub struct Best<'a> {
    individual: &'a dyn Individual,
}

impl Best<'_> {
    /// Its network, or `None` while no valid individual was found.
    pub fn network(&self) -> Option<Network> {
        self.individual.network()
    }

    /// The share of training rows that a network gets right.
    pub fn train_accuracy(&self, network: &Network) -> f64 {
        self.individual.train_accuracy(network)
    }
}

/// A genome together with what knows its network.
trait Individual {
    fn network(&self) -> Option<Network>;
    fn train_accuracy(&self, network: &Network) -> f64;
}

struct Known<'a, G> {
    genome: &'a G,
    networks: &'a Networks<'a, G>,
}

impl<G> Individual for Known<'_, G> {
    fn network(&self) -> Option<Network> {
        (self.networks.of)(self.genome)
    }

    fn train_accuracy(&self, network: &Network) -> f64 {
        self.networks.rows.accuracy(network, &mut Scratch::new())
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

/// Tells everybody.
pub(crate) fn announce(observers: &mut [Box<dyn FitObserver + '_>], event: &FitEvent<'_>) {
    for observer in observers {
        observer.observe(event);
    }
}

/// Observers that watch the search and what comes after it.
pub(crate) struct SharedObservers<'a> {
    observers: Arc<Mutex<Vec<Box<dyn FitObserver + 'a>>>>,
}

impl<'a> SharedObservers<'a> {
    pub fn new(observers: Vec<Box<dyn FitObserver + 'a>>) -> Self {
        Self { observers: Arc::new(Mutex::new(observers)) }
    }

    /// Somebody who passes events on to them.
    pub fn observer(&self) -> Box<dyn FitObserver + 'a> {
        let shared = Self { observers: Arc::clone(&self.observers) };
        Box::new(move |event: &FitEvent<'_>| shared.tell(event))
    }

    pub fn tell(&self, event: &FitEvent<'_>) {
        announce(&mut self.observers.lock().unwrap_or_else(PoisonError::into_inner), event);
    }
}

/// What the genomes `G` of a search are, and the training rows.
pub(crate) struct Networks<'a, G> {
    pub of: &'a (dyn Fn(&G) -> Option<Network> + Sync),
    pub rows: &'a BatchEvaluator,
}

/// Passes the events of a run on as those of a fit.
pub(crate) struct Watcher<'a, G> {
    pub networks: Networks<'a, G>,
    pub observers: Vec<Box<dyn FitObserver + 'a>>,
}

impl<G> Observer<G> for Watcher<'_, G> {
    fn observe(&mut self, event: &Event<'_, G>) {
        let networks = &self.networks;
        let mut tell = |event: FitEvent<'_>| announce(&mut self.observers, &event);
        match *event {
            Event::Started { resumed, progress } => tell(FitEvent::Started { resumed, progress }),
            Event::Improved { progress, best: genome } => {
                let best = Best { individual: &Known { genome, networks } };
                tell(FitEvent::Improved { progress, best });
            }
            Event::Generation { progress, seconds, best: genome } => {
                let best = Best { individual: &Known { genome, networks } };
                tell(FitEvent::Generation { progress, seconds, best });
            }
            Event::Diversity { progress, diversity } => {
                tell(FitEvent::Diversity { progress, share: diversity });
            }
            Event::CheckpointWritten { path } => tell(FitEvent::CheckpointWritten { path }),
            Event::CheckpointFailed { error } => tell(FitEvent::CheckpointFailed { error }),
            Event::Finished { reason, progress } => tell(FitEvent::Finished { reason, progress }),
            _ => {}
        }
    }
}
