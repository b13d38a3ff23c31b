//! A method on one task, ready to run: the one view that a fit has of all methods.

use crate::FitError;
use crate::fitness::{Fitness, Mapping};
use crate::grammar_text::GrammarText;
use crate::prepare::Prepared;
use crate::watch::{FitObserver, Networks, Watcher};
use mge_evolve::{
    CheckedStopRules, Checkpoints, Generational, Outcome, Progress, Record, Representation, Run,
    RunError, Search, StopReason,
};
use mge_grammar::{Grammar, Shape, Template, Warning};
use mge_hybrid::Member;
use mge_net::{BatchEvaluator, Network, outputs_for};
use serde::Serialize;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// A search whose genomes nobody outside needs to know.
pub(crate) trait PreparedMethod: Send + Sync {
    /// Whether a budget pays for the first population.
    fn check_budget(&self, stop: &CheckedStopRules) -> Result<(), RunError>;
    /// Bits of a codon, where there are codons.
    fn codon_bits(&self) -> Option<u32>;
    /// What the grammar allows but probably does not mean.
    fn grammar_warnings(&self) -> &[Warning];
    /// Searches to the end.
    fn search(&self, conditions: RunOptions<'_>) -> Result<SearchResult, RunError>;
}

/// How a search is to be run.
pub(crate) struct RunOptions<'a> {
    pub stop: CheckedStopRules,
    pub checkpoints: Option<Checkpoints>,
    pub interrupt: Option<Arc<AtomicBool>>,
    pub observers: Vec<Box<dyn FitObserver + 'a>>,
}

impl RunOptions<'_> {
    /// Searches to the end under these conditions.
    pub fn run<S: Search>(
        self,
        search: &S,
        networks: Networks<'_, S::Solution>,
    ) -> Result<Outcome<S::State>, RunError> {
        let mut run = Run::new(search, self.stop);
        if let Some(checkpoints) = self.checkpoints {
            run = run.with_checkpoints(checkpoints);
        }
        if let Some(flag) = self.interrupt {
            run = run.cancel_flag(flag);
        }
        run.observer(Watcher { networks, observers: self.observers }).run()
    }
}

/// What a search found.
pub(crate) struct SearchResult {
    /// The best network; `None` if no individual was valid.
    pub network: Option<Network>,
    /// What it was mapped from.
    pub genotype: serde_json::Value,
    /// The best networks of every size, of methods that keep them.
    pub front: Option<Vec<Member>>,
    pub history: Vec<Record>,
    pub reason: StopReason,
    pub progress: Progress,
    pub seconds: f64,
}

/// A search, and what a fit wants to know of it.
pub(crate) struct BoundMethod<S: Search> {
    pub search: S,
    /// What the search's solutions are.
    pub network: NetworkOf<S>,
    /// The training rows, to measure on.
    pub rows: Arc<BatchEvaluator>,
    pub codon_bits: Option<u32>,
    pub warnings: Vec<Warning>,
}

/// The network of a solution, or `None` for an invalid one.
pub(crate) type NetworkOf<S> =
    Box<dyn Fn(&S, &<S as Search>::Solution) -> Option<Network> + Send + Sync>;

impl<R, M> BoundMethod<Generational<R, Fitness<M>>>
where
    R: Representation,
    M: Mapping<Genome = R::Genome>,
{
    /// A generational search, by its fitness.
    pub fn generational(
        search: Generational<R, Fitness<M>>,
        codon_bits: Option<u32>,
        warnings: Vec<Warning>,
    ) -> Self {
        let rows = search.evaluator().rows();
        let network = Box::new(|search: &Generational<R, Fitness<M>>, genome: &R::Genome| {
            search.evaluator().network(genome)
        });
        Self { search, network, rows, codon_bits, warnings }
    }
}

impl<S> PreparedMethod for BoundMethod<S>
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

    fn search(&self, conditions: RunOptions<'_>) -> Result<SearchResult, RunError> {
        let of = |genome: &S::Solution| (self.network)(&self.search, genome);
        let networks = Networks { of: &of, rows: &self.rows };
        let outcome = conditions.run(&self.search, networks)?;
        let Outcome { state, reason, progress, seconds } = outcome;
        let best = self.search.best(&state);
        Ok(SearchResult {
            network: of(best),
            genotype: serde_json::to_value(best).expect("genotypes are lists of numbers"),
            front: None,
            history: self.search.history(&state).to_vec(),
            reason,
            progress,
            seconds,
        })
    }
}

/// The grammar, bound to the features and classes of a task.
pub(super) fn bind(grammar: &GrammarText, task: &Prepared) -> Result<Grammar, FitError> {
    let features = task.train.columns.count();
    let shape = Shape { features, outputs: outputs_for(task.task.classes().len()) };
    Ok(Template::parse(&grammar.name, &grammar.text)?.bind(shape)?)
}
