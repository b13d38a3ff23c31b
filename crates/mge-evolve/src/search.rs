//! The contract between a search method and the loop that drives it.

use crate::Record;
use serde::Serialize;
use serde::de::DeserializeOwned;

/// Whether a run ought to end in the middle of a generation. It may be asked from any thread, and
/// stays true once it is.
pub type IsOver<'a> = &'a (dyn Fn() -> bool + Sync);

/// A search method: it says how to start and how to step; [`crate::Run`] does everything else.
///
/// A step must be a pure function of the state (and of what the method itself was built with):
/// then a run that is killed and resumed ends in the same bytes as one that never stopped.
pub trait Search {
    /// All that a step reads and changes. It goes into checkpoints.
    type State: Serialize + DeserializeOwned;
    /// What the search looks for, as observers see it.
    type Solution;

    /// The first state. The work of evaluating it counts as the first generation.
    fn start(&self) -> Self::State;
    /// How many evaluations the first state costs.
    fn cost_of_start(&self) -> u64;
    /// One generation.
    fn step(&self, state: &mut Self::State);
    /// One generation, or none: `false` says that it was given up because `is_over`, and that the
    /// state is as it was. For methods whose generations take seconds; others do them whole.
    fn try_step(&self, state: &mut Self::State, is_over: IsOver<'_>) -> bool {
        let _ = is_over;
        self.step(state);
        true
    }
    /// How many evaluations the next step will spend, so that a budget is never exceeded.
    fn cost_of_step(&self, state: &Self::State) -> u64;
    /// Whether this search can go on from a state that was read from a checkpoint. The file's
    /// checksum held, so only a forged or foreign state fails here.
    fn is_valid_state(&self, state: &Self::State) -> bool {
        let _ = state;
        true
    }
    /// How far the search is.
    fn progress(&self, state: &Self::State) -> Progress;
    /// The best solution of the present state.
    fn best<'s>(&self, state: &'s Self::State) -> &'s Self::Solution;
    /// How different the individuals of the present state are, from 0 (all alike) to 1, if the
    /// method can tell cheaply. Only observers hear of it.
    fn diversity(&self, state: &Self::State) -> Option<f64> {
        let _ = state;
        None
    }
    /// One record for each generation so far, if the method keeps them.
    fn history<'s>(&self, state: &'s Self::State) -> &'s [Record] {
        let _ = state;
        &[]
    }
}

/// How far a search is. Counts run over the whole run, also over a resumed one.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Progress {
    /// Populations evaluated so far; the first one is generation 1.
    pub generation: u64,
    /// Individuals evaluated so far.
    pub evaluations: u64,
    /// Loss of the best solution; infinite when nothing valid was found yet.
    pub best_loss: f64,
    /// Individuals that mapped to nothing.
    pub invalid_individuals: u64,
    /// Parts of individuals (genes, in MGE) that mapped to nothing.
    pub invalid_parts: u64,
}
