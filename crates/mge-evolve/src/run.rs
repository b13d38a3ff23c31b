//! The loop that every method runs in: step, report, save, stop.

use crate::stop::{LastImprovement, StopState};
use crate::{
    CheckedStopRules, CheckpointError, Checkpoints, Event, Observer, Progress, Search, StopReason,
};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;
use thiserror::Error;

/// One run of a search method.
pub struct Run<'a, S: Search> {
    search: &'a S,
    stop: CheckedStopRules,
    cancel_flag: Option<Arc<AtomicBool>>,
    checkpoints: Option<Checkpoints>,
    observers: Vec<Box<dyn Observer<S::Solution> + Send + 'a>>,
}

/// Why a run could not start or continue.
#[derive(Debug, Error)]
pub enum RunError {
    /// A checkpoint could not be read, or the first one could not be written.
    #[error(transparent)]
    Checkpoint(#[from] CheckpointError),
    /// The budget does not cover the first population.
    #[error(
        "{budget} evaluations do not pay for one population of {population}; \
         expected at least {population}"
    )]
    BudgetTooSmall {
        /// The evaluations allowed.
        budget: u64,
        /// The evaluations of the first population.
        population: u64,
    },
}

/// How a run ended.
#[derive(Debug)]
pub struct Outcome<State> {
    /// The last state.
    pub state: State,
    /// Why it ended.
    pub reason: StopReason,
    /// The progress at the end.
    pub progress: Progress,
    /// Seconds of search, with the parts before a resume.
    pub seconds: f64,
}

impl<'a, S: Search> Run<'a, S> {
    /// A run of `search` that ends by the rules of `stop`.
    pub fn new(search: &'a S, stop: CheckedStopRules) -> Self {
        Self { search, stop, cancel_flag: None, checkpoints: None, observers: Vec::new() }
    }

    /// Ends the run once this flag is set: after the current generation, or in the middle of it if
    /// the method supports that ([`Search::try_step`]).
    pub fn cancel_flag(mut self, flag: Arc<AtomicBool>) -> Self {
        self.cancel_flag = Some(flag);
        self
    }

    /// Saves checkpoints, and continues from the saved one if there is one.
    pub fn with_checkpoints(mut self, checkpoints: Checkpoints) -> Self {
        self.checkpoints = Some(checkpoints);
        self
    }

    /// Adds an observer.
    pub fn observer(mut self, observer: impl Observer<S::Solution> + Send + 'a) -> Self {
        self.observers.push(Box::new(observer));
        self
    }

    /// Checks that the budget covers the first state. [`Run::run`] does so before it starts.
    ///
    /// # Errors
    /// When it does not.
    pub fn check(&self) -> Result<(), RunError> {
        let population = self.search.cost_of_start();
        match self.stop.rules().evaluations {
            Some(budget) if budget < population => {
                Err(RunError::BudgetTooSmall { budget, population })
            }
            _ => Ok(()),
        }
    }

    /// Runs until a stop rule holds or the cancel flag is set.
    ///
    /// # Errors
    /// When the checkpoint cannot be used or written, or the budget is too small.
    pub fn run(mut self) -> Result<Outcome<S::State>, RunError> {
        let began = Instant::now();
        let restored = match &self.checkpoints {
            Some(checkpoints) => checkpoints.load()?,
            None => None,
        };
        let resumed = restored.is_some();
        match (&restored, &self.checkpoints) {
            (None, _) => self.check()?,
            (Some((state, _)), Some(checkpoints)) if !self.search.is_valid_state(state) => {
                return Err(checkpoints.damaged("its state is impossible").into());
            }
            _ => {}
        }
        self.notify(&Event::Starting { generation: self.search.generation_progress() });
        let (mut state, stop_state) = match restored {
            Some((state, stop_state)) => (state, Some(stop_state)),
            None => (self.search.start(), None),
        };
        let mut progress = self.search.progress(&state);
        let (seconds_before, mut last_improvement) = match stop_state {
            Some(StopState { seconds, last_improvement }) => (seconds, last_improvement),
            None => (0.0, LastImprovement::first(&progress)),
        };
        let seconds = || seconds_before + began.elapsed().as_secs_f64();

        // An error here ends the run: work that cannot be saved is not begun.
        if let Some(checkpoints) = &self.checkpoints {
            checkpoints.save(&state, StopState { seconds: seconds(), last_improvement })?;
        }
        let mut last_save = Instant::now();

        self.notify(&Event::Started { resumed, progress: &progress });
        self.notify_diversity(&state, &progress);
        self.notify(&Event::Improved { progress: &progress, best: self.search.best(&state) });
        let reason = loop {
            let stop_state = StopState { seconds: seconds(), last_improvement };
            if let Some(reason) = self.reason_to_stop(&state, &progress, &stop_state) {
                break reason;
            }
            let should_stop = || is_set(&self.cancel_flag) || self.stop.is_out_of_time(seconds());
            if !self.search.try_step(&mut state, &should_stop) {
                continue;
            }
            progress = self.search.progress(&state);
            self.notify_diversity(&state, &progress);
            if last_improvement.update(&progress) {
                let best = self.search.best(&state);
                self.notify(&Event::Improved { progress: &progress, best });
            }
            let (seconds_now, best) = (seconds(), self.search.best(&state));
            let front = self.search.front(&state);
            self.notify(&Event::Generation {
                progress: &progress,
                seconds: seconds_now,
                best,
                front: &front,
            });
            if let Some(checkpoints) = &self.checkpoints
                && last_save.elapsed() >= checkpoints.interval()
            {
                self.save(&state, StopState { seconds: seconds(), last_improvement });
                last_save = Instant::now();
            }
        };
        let seconds = seconds();
        self.save(&state, StopState { seconds, last_improvement });
        self.notify(&Event::Finished { reason, progress: &progress });
        Ok(Outcome { state, reason, progress, seconds })
    }

    fn reason_to_stop(
        &self,
        state: &S::State,
        progress: &Progress,
        stop_state: &StopState,
    ) -> Option<StopReason> {
        let by_rule = self.stop.reason(progress, self.search.cost_of_step(state), stop_state);
        by_rule.or(is_set(&self.cancel_flag).then_some(StopReason::Interrupted))
    }

    /// Writes a checkpoint if there is a file for it. Observers receive the result.
    fn save(&mut self, state: &S::State, stop_state: StopState) {
        let Some(checkpoints) = self.checkpoints.clone() else {
            return;
        };
        match checkpoints.save(state, stop_state) {
            Ok(()) => self.notify(&Event::CheckpointWritten { path: checkpoints.path() }),
            Err(error) => self.notify(&Event::CheckpointFailed { error: &error }),
        }
    }

    fn notify_diversity(&mut self, state: &S::State, progress: &Progress) {
        if self.observers.is_empty() {
            return;
        }
        if let Some(diversity) = self.search.diversity(state) {
            self.notify(&Event::Diversity { progress, diversity });
        }
    }

    fn notify(&mut self, event: &Event<'_, S::Solution>) {
        for observer in &mut self.observers {
            observer.observe(event);
        }
    }
}

fn is_set(flag: &Option<Arc<AtomicBool>>) -> bool {
    flag.as_ref().is_some_and(|flag| flag.load(Ordering::Relaxed))
}
