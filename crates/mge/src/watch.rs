//! The events of a fit, for those who observe it, with the best network at hand.

use crate::ResolvedSettings;
use crate::front::FrontPoint;
use crate::task::Task;
use mge_data::Dropped;
use mge_evolve::{CheckpointError, Event, GenerationProgress, Observer, Progress, StopReason};
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
        task: &'a Task,
        features: usize,
        /// Columns left out, constant ones for example.
        dropped: &'a [Dropped],
        train_rows: usize,
        test_rows: usize,
        /// Bits of a codon, where the method has codons.
        codon_bits: Option<u32>,
        threads: usize,
    },
    /// The search begins. The first generation may take a while; a counter moves while it runs, of
    /// methods that have one.
    Starting { generation: Option<Arc<GenerationProgress>> },
    /// There is a first population, new or read from a checkpoint.
    Started { resumed: bool, progress: &'a Progress },
    /// A better network than all before.
    Improved { progress: &'a Progress, best: Best<'a> },
    /// How different the individuals of a generation are, from 0 (all alike) to 1, where the
    /// method can tell. Comes before `Improved` and `Generation` of the same generation.
    Diversity { progress: &'a Progress, diversity: f64 },
    /// A generation is done.
    Generation {
        progress: &'a Progress,
        seconds: f64,
        best: Best<'a>,
        /// The best network of every size so far, by rising size, measured on the rows that choose.
        /// Empty for methods that keep no front.
        front: &'a [FrontPoint],
    },
    /// A checkpoint is on disk.
    CheckpointWritten { path: &'a Path },
    /// A checkpoint could not be written. The last good one stays, and the search continues.
    CheckpointFailed { error: &'a CheckpointError },
    /// The search is over.
    Finished { reason: StopReason, progress: &'a Progress },
    /// Simpler models are made, to compare with. It is the last event.
    Comparing,
}

/// The best individual so far. Its network is made only when it is asked for.
#[derive(Clone, Copy)]
pub struct Best<'a> {
    individual: &'a dyn Individual,
}

impl Best<'_> {
    /// Its network, or `None` while no valid individual was found.
    pub fn network(&self) -> Option<Network> {
        self.individual.network()
    }

    /// The fraction of training rows that a network gets right.
    pub fn train_accuracy(&self, network: &Network) -> f64 {
        self.individual.train_accuracy(network)
    }
}

/// A solution of any search.
trait Individual {
    fn network(&self) -> Option<Network>;
    fn train_accuracy(&self, network: &Network) -> f64;
}

struct Solution<'a, G> {
    genome: &'a G,
    networks: &'a Networks<'a, G>,
}

impl<G> Individual for Solution<'_, G> {
    fn network(&self) -> Option<Network> {
        (self.networks.of)(self.genome)
    }

    fn train_accuracy(&self, network: &Network) -> f64 {
        self.networks.rows.accuracy(network, &mut Scratch::new())
    }
}

/// An observer of a fit. Every `FnMut(&FitEvent) + Send` is one.
pub trait FitObserver: Send {
    /// Called for each event, in order.
    fn observe(&mut self, event: &FitEvent<'_>);
}

impl<F: FnMut(&FitEvent<'_>) + Send> FitObserver for F {
    fn observe(&mut self, event: &FitEvent<'_>) {
        self(event);
    }
}

/// Passes an event to every observer.
fn announce(observers: &mut [Box<dyn FitObserver + '_>], event: &FitEvent<'_>) {
    for observer in observers {
        observer.observe(event);
    }
}

/// Observers of the search and of what comes after it.
pub(crate) struct SharedObservers<'a> {
    observers: Arc<Mutex<Vec<Box<dyn FitObserver + 'a>>>>,
}

impl<'a> SharedObservers<'a> {
    pub fn new(observers: Vec<Box<dyn FitObserver + 'a>>) -> Self {
        Self { observers: Arc::new(Mutex::new(observers)) }
    }

    /// An observer that passes events on to them.
    pub fn observer(&self) -> Box<dyn FitObserver + 'a> {
        let shared = Self { observers: Arc::clone(&self.observers) };
        Box::new(move |event: &FitEvent<'_>| shared.tell(event))
    }

    /// Passes an event to all of them.
    pub fn tell(&self, event: &FitEvent<'_>) {
        announce(&mut self.observers.lock().unwrap_or_else(PoisonError::into_inner), event);
    }
}

/// The networks of the genomes `G` of a search, and the training rows.
pub(crate) struct Networks<'a, G> {
    pub of: &'a (dyn Fn(&G) -> Option<Network> + Sync),
    pub rows: &'a BatchEvaluator,
    /// The point of a genome on a front, of methods that keep one.
    pub point: Option<&'a (dyn Fn(&G) -> FrontPoint + Sync)>,
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
            Event::Starting { ref generation } => {
                tell(FitEvent::Starting { generation: generation.clone() });
            }
            Event::Started { resumed, progress } => tell(FitEvent::Started { resumed, progress }),
            Event::Improved { progress, best: genome } => {
                let best = Best { individual: &Solution { genome, networks } };
                tell(FitEvent::Improved { progress, best });
            }
            Event::Generation { progress, seconds, best: genome, front } => {
                let best = Best { individual: &Solution { genome, networks } };
                let points = networks.point.map(|point| front.iter().map(|&one| point(one)));
                let front: Vec<FrontPoint> = points.into_iter().flatten().collect();
                tell(FitEvent::Generation { progress, seconds, best, front: &front });
            }
            Event::Diversity { progress, diversity } => {
                tell(FitEvent::Diversity { progress, diversity });
            }
            Event::CheckpointWritten { path } => tell(FitEvent::CheckpointWritten { path }),
            Event::CheckpointFailed { error } => tell(FitEvent::CheckpointFailed { error }),
            Event::Finished { reason, progress } => tell(FitEvent::Finished { reason, progress }),
            _ => {}
        }
    }
}
