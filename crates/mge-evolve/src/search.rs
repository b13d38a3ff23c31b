//! The contract between a search method and the loop that drives it.

use crate::{GenerationProgress, Record};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::sync::Arc;

/// Asks whether the run must end now. It may be called from any thread. Once it has answered
/// `true`, it never answers `false` again.
pub type ShouldStop<'a> = &'a (dyn Fn() -> bool + Sync);

/// A search method. Implement this trait to run a method of your own in [`crate::Run`].
///
/// The method says how to start, how to step and what it has found. The loop does the rest: stop
/// rules, time, checkpoints, observers. Six functions are required:
///
/// | function | question |
/// | --- | --- |
/// | [`start`](Self::start) | What is the first state? |
/// | [`cost_of_start`](Self::cost_of_start) | How many evaluations does it take? |
/// | [`step`](Self::step) | What is the state after one more generation? |
/// | [`cost_of_step`](Self::cost_of_step) | How many evaluations does that take? |
/// | [`progress`](Self::progress) | How far is the search? |
/// | [`best`](Self::best) | What is the best solution? |
///
/// The loop calls them in this order:
///
/// ```text
/// state = start()                        or the state of a checkpoint, if is_valid_state(state)
/// while no stop rule holds for progress(state) and cost_of_step(state):
///     step(state)
///     report progress(state) and best(state)
/// ```
///
/// # What a method must keep
/// - A step is a pure function of the state and of what the method was built with, its seed
///   included. Then a resumed run ends in the same bytes as one that never stopped.
/// - Random numbers come from streams with an address, such as `(seed, generation, index)`. Then
///   the number of threads changes nothing.
/// - `progress` counts what `cost_of_start` and `cost_of_step` promise.
///
/// # Example
/// Random search for the lowest point of a parabola:
///
/// ```
/// use mge_evolve::{Progress, Run, Search, StopRules};
/// use mge_random::{Purpose, Stream};
/// use serde::{Deserialize, Serialize};
///
/// struct RandomSearch {
///     seed: u64,
/// }
///
/// #[derive(Serialize, Deserialize)]
/// struct State {
///     generation: u64,
///     best: f64,
/// }
///
/// fn loss(x: f64) -> f64 {
///     (x - 0.25) * (x - 0.25)
/// }
///
/// impl Search for RandomSearch {
///     type State = State;
///     type Solution = f64;
///
///     fn start(&self) -> State {
///         State { generation: 1, best: 1.0 }
///     }
///     fn cost_of_start(&self) -> u64 {
///         1
///     }
///     fn step(&self, state: &mut State) {
///         state.generation += 1;
///         let x = Stream::at(self.seed, Purpose::Mutation, state.generation, 0).unit();
///         if loss(x) < loss(state.best) {
///             state.best = x;
///         }
///     }
///     fn cost_of_step(&self, _: &State) -> u64 {
///         1
///     }
///     fn progress(&self, state: &State) -> Progress {
///         Progress {
///             generation: state.generation,
///             evaluations: state.generation,
///             best_loss: loss(state.best),
///             invalid_individuals: 0,
///             invalid_parts: 0,
///         }
///     }
///     fn best<'s>(&self, state: &'s State) -> &'s f64 {
///         &state.best
///     }
/// }
///
/// let stop = StopRules { evaluations: Some(1000), ..Default::default() }.check()?;
/// let outcome = Run::new(&RandomSearch { seed: 7 }, stop).run()?;
/// assert!((outcome.state.best - 0.25).abs() < 0.01);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Search {
    /// Everything that a step reads and changes. Checkpoints hold it.
    type State: Serialize + DeserializeOwned;
    /// What the search looks for. Observers receive the best one.
    type Solution;

    /// Returns the first state, evaluated. It counts as generation 1.
    fn start(&self) -> Self::State;

    /// How many evaluations [`start`](Self::start) makes. A run with a smaller budget is refused
    /// before any work.
    fn cost_of_start(&self) -> u64;

    /// Replaces the state by the one after one more generation.
    fn step(&self, state: &mut Self::State);

    /// Makes one step unless `should_stop` asks to stop in the middle of it. Returns `false` if it
    /// gave up; the state must then be as it was before.
    ///
    /// The default always finishes the step. Override it where a generation takes seconds, so that
    /// a time limit or Ctrl-C need not wait for its end.
    fn try_step(&self, state: &mut Self::State, should_stop: ShouldStop<'_>) -> bool {
        let _ = should_stop;
        self.step(state);
        true
    }

    /// How many evaluations the next [`step`](Self::step) makes. The loop stops before a step that
    /// would exceed the budget.
    fn cost_of_step(&self, state: &Self::State) -> u64;

    /// Whether this search can continue from a state that was read from a checkpoint. The file's
    /// checksum and identity were right, so only a forged state fails. The default accepts all.
    fn is_valid_state(&self, state: &Self::State) -> bool {
        let _ = state;
        true
    }

    /// How far the search is. Stop rules read it after each generation.
    fn progress(&self, state: &Self::State) -> Progress;

    /// The best solution of the present state.
    fn best<'s>(&self, state: &'s Self::State) -> &'s Self::Solution;

    /// How much the individuals of the present state differ, from 0 (all alike) to 1. Only
    /// observers read it. The default is `None`: not measured.
    fn diversity(&self, state: &Self::State) -> Option<f64> {
        let _ = state;
        None
    }

    /// The best solutions of every size, by rising size, of methods that keep them. Observers receive
    /// them after each generation. The default is empty.
    fn front<'s>(&self, state: &'s Self::State) -> Vec<&'s Self::Solution> {
        let _ = state;
        Vec::new()
    }

    /// A counter that moves while a generation runs. Override it where generations take seconds. The
    /// default is `None`: only whole generations are counted.
    fn generation_progress(&self) -> Option<Arc<GenerationProgress>> {
        None
    }

    /// One record for each generation so far. The default is empty: no history is kept.
    fn history<'s>(&self, state: &'s Self::State) -> &'s [Record] {
        let _ = state;
        &[]
    }
}

/// How far a search is. All counts include the parts of the run before it was resumed.
///
/// The first population is generation 1, so 500 generations of 200 individuals are 100,000
/// evaluations (decision 18).
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Progress {
    /// Populations evaluated so far.
    pub generation: u64,
    /// Individuals evaluated so far.
    pub evaluations: u64,
    /// Loss of the best solution; infinite while none is valid.
    pub best_loss: f64,
    /// Individuals that mapped to nothing.
    pub invalid_individuals: u64,
    /// Parts of individuals (genes, in MGE) that mapped to nothing.
    pub invalid_parts: u64,
}
