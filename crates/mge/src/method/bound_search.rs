//! A search that is bound to one task and ready to run: the one view that a fit has of all methods.

use crate::watch::{FitObserver, Networks, Watcher};
use mge_evolve::{
    CheckedStopRules, Checkpoints, Outcome, Progress, Record, Run, RunError, Search, StopReason,
};
use mge_grammar::Warning;
use mge_hybrid::Member;
use mge_net::{BatchEvaluator, Network};
use serde::Serialize;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// A search on one task, without the type of its solutions. [`BoundSearch`] makes one of any
/// [`Search`].
pub trait PreparedMethod: Send + Sync {
    /// Checks that a budget pays for the first population.
    fn check_budget(&self, stop: &CheckedStopRules) -> Result<(), RunError>;

    /// Bits of a codon, where there are codons.
    fn codon_bits(&self) -> Option<u32> {
        None
    }

    /// Warnings of the grammar: what it allows but its author probably did not intend.
    fn grammar_warnings(&self) -> &[Warning] {
        &[]
    }

    /// Searches to the end.
    fn search(&self, control: LoopControl<'_>) -> Result<SearchResult, RunError>;
}

/// What the loop of a search is given: stop rules, checkpoints and observers.
pub struct LoopControl<'a> {
    pub(crate) stop: CheckedStopRules,
    pub(crate) checkpoints: Option<Checkpoints>,
    pub(crate) cancel_flag: Option<Arc<AtomicBool>>,
    pub(crate) observers: Vec<Box<dyn FitObserver + 'a>>,
}

impl LoopControl<'_> {
    /// Runs a search to its end. `network` is what a solution stands for, or `None` for an invalid
    /// one; `rows` are the training rows that observers measure on.
    ///
    /// # Errors
    /// When a checkpoint cannot be read.
    pub fn run<S: Search>(
        self,
        search: &S,
        rows: &BatchEvaluator,
        network: &(dyn Fn(&S::Solution) -> Option<Network> + Sync),
    ) -> Result<Outcome<S::State>, RunError> {
        self.run_watched(search, Networks { of: network, rows, point: None })
    }

    /// Runs a search to its end; observers see solutions as networks.
    pub(super) fn run_watched<S: Search>(
        self,
        search: &S,
        networks: Networks<'_, S::Solution>,
    ) -> Result<Outcome<S::State>, RunError> {
        let mut run = Run::new(search, self.stop);
        if let Some(checkpoints) = self.checkpoints {
            run = run.with_checkpoints(checkpoints);
        }
        if let Some(flag) = self.cancel_flag {
            run = run.cancel_flag(flag);
        }
        run.observer(Watcher { networks, observers: self.observers }).run()
    }
}

/// What a search found.
pub struct SearchResult {
    /// The best network; `None` if no individual was valid.
    pub network: Option<Network>,
    /// What it was mapped from.
    pub genotype: serde_json::Value,
    /// The best networks of every size, of methods that keep them.
    pub front: Option<Vec<Member>>,
    /// One record for each generation.
    pub history: Vec<Record>,
    /// Why the search ended.
    pub reason: StopReason,
    /// How far it came.
    pub progress: Progress,
    /// Seconds of search.
    pub seconds: f64,
}

/// A [`Search`] with the facts that a fit needs.
pub struct BoundSearch<S: Search> {
    search: S,
    rows: Arc<BatchEvaluator>,
    network: NetworkOf<S>,
    codon_bits: Option<u32>,
    warnings: Vec<Warning>,
}

/// The network of a solution, or `None` for an invalid one.
type NetworkOf<S> = Box<dyn Fn(&S, &<S as Search>::Solution) -> Option<Network> + Send + Sync>;

impl<S: Search> BoundSearch<S> {
    /// A search; `network` is what a solution stands for, or `None` for an invalid one; `rows` are
    /// the training rows that observers measure on.
    pub fn new(
        search: S,
        rows: Arc<BatchEvaluator>,
        network: impl Fn(&S, &S::Solution) -> Option<Network> + Send + Sync + 'static,
    ) -> Self {
        let network = Box::new(network);
        Self { search, rows, network, codon_bits: None, warnings: Vec::new() }
    }

    /// Sets the bits of a codon.
    pub(super) fn with_codon_bits(self, codon_bits: Option<u32>) -> Self {
        Self { codon_bits, ..self }
    }

    /// Sets the warnings of the grammar: what it allows but its author probably did not intend.
    pub(super) fn with_warnings(self, warnings: Vec<Warning>) -> Self {
        Self { warnings, ..self }
    }
}

impl<S> PreparedMethod for BoundSearch<S>
where
    S: Search + Send + Sync,
    S::Solution: Serialize + Sync,
{
    fn check_budget(&self, stop: &CheckedStopRules) -> Result<(), RunError> {
        Run::new(&self.search, stop.clone()).check()
    }

    fn codon_bits(&self) -> Option<u32> {
        self.codon_bits
    }

    fn grammar_warnings(&self) -> &[Warning] {
        &self.warnings
    }

    fn search(&self, control: LoopControl<'_>) -> Result<SearchResult, RunError> {
        let network = |solution: &S::Solution| (self.network)(&self.search, solution);
        let Outcome { state, reason, progress, seconds } =
            control.run(&self.search, &self.rows, &network)?;
        let best = self.search.best(&state);
        Ok(SearchResult {
            network: network(best),
            genotype: serde_json::to_value(best).expect("solutions have text keys only"),
            front: None,
            history: self.search.history(&state).to_vec(),
            reason,
            progress,
            seconds,
        })
    }
}
