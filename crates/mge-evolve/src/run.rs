//! The loop: step, tell, save, stop. Written once; every method runs in it.

use crate::stop::{LastGain, Past};
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
    interrupt: Option<Arc<AtomicBool>>,
    checkpoints: Option<Checkpoints>,
    observers: Vec<Box<dyn Observer<S::Solution> + Send + 'a>>,
}

/// A run that could not go on.
#[derive(Debug, Error)]
pub enum RunError {
    /// A checkpoint could not be read, or not be written before the work began.
    #[error(transparent)]
    Checkpoint(#[from] CheckpointError),
    /// The budget does not even pay for the first population.
    #[error(
        "{budget} evaluations do not pay for one population of {population}; \
         expected at least {population}"
    )]
    BudgetTooSmall {
        /// The evaluations allowed.
        budget: u64,
        /// What the first population costs.
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
    /// How far it came.
    pub progress: Progress,
    /// Seconds of search, resumed parts included.
    pub seconds: f64,
}

impl<'a, S: Search> Run<'a, S> {
    /// A run of `search` that ends by `stop`.
    pub fn new(search: &'a S, stop: CheckedStopRules) -> Self {
        Self { search, stop, interrupt: None, checkpoints: None, observers: Vec::new() }
    }

    /// Ends the run once this flag is set: after the present generation, or without it where the
    /// method can give one up.
    pub fn cancel_flag(mut self, flag: Arc<AtomicBool>) -> Self {
        self.interrupt = Some(flag);
        self
    }

    /// Saves checkpoints, and goes on from the saved one if there is any.
    pub fn with_checkpoints(mut self, checkpoints: Checkpoints) -> Self {
        self.checkpoints = Some(checkpoints);
        self
    }

    /// Adds somebody who watches.
    pub fn observer(mut self, observer: impl Observer<S::Solution> + Send + 'a) -> Self {
        self.observers.push(Box::new(observer));
        self
    }

    /// Whether the budget pays for the first state. Runs check it before they start; whoever
    /// wants to know earlier may ask.
    pub fn check(&self) -> Result<(), RunError> {
        let population = self.search.cost_of_start();
        match self.stop.rules().evaluations {
            Some(budget) if budget < population => {
                Err(RunError::BudgetTooSmall { budget, population })
            }
            _ => Ok(()),
        }
    }

    /// Runs to the end.
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
        let (mut state, before) = restored
            .map_or_else(|| (self.search.start(), None), |(state, past)| (state, Some(past)));
        let mut progress = self.search.progress(&state);
        let (seconds_before, mut last_gain) = match before {
            Some(Past { seconds, last_gain }) => (seconds, last_gain),
            None => (0.0, LastGain::first(&progress)),
        };
        let seconds = || seconds_before + began.elapsed().as_secs_f64();

        // The first save fails loudly: better no work than work that cannot be kept.
        if let Some(checkpoints) = &self.checkpoints {
            checkpoints.save(&state, Past { seconds: seconds(), last_gain })?;
        }
        let mut last_save = Instant::now();

        self.tell(&Event::Started { resumed, progress: &progress });
        self.tell_diversity(&state, &progress);
        self.tell(&Event::Improved { progress: &progress, best: self.search.best(&state) });
        let reason = loop {
            let past = Past { seconds: seconds(), last_gain };
            if let Some(reason) = self.reason_to_stop(&state, &progress, &past) {
                break reason;
            }
            let is_over = || is_set(&self.interrupt) || self.stop.is_out_of_time(seconds());
            if !self.search.try_step(&mut state, &is_over) {
                continue;
            }
            progress = self.search.progress(&state);
            self.tell_diversity(&state, &progress);
            if last_gain.note(&progress) {
                self.tell(&Event::Improved { progress: &progress, best: self.search.best(&state) });
            }
            let (seconds_now, best) = (seconds(), self.search.best(&state));
            self.tell(&Event::Generation { progress: &progress, seconds: seconds_now, best });
            if let Some(checkpoints) = &self.checkpoints
                && last_save.elapsed() >= checkpoints.every()
            {
                self.save(&state, Past { seconds: seconds(), last_gain });
                last_save = Instant::now();
            }
        };
        let seconds = seconds();
        self.save(&state, Past { seconds, last_gain });
        self.tell(&Event::Finished { reason, progress: &progress });
        Ok(Outcome { state, reason, progress, seconds })
    }

    fn reason_to_stop(
        &self,
        state: &S::State,
        progress: &Progress,
        past: &Past,
    ) -> Option<StopReason> {
        let by_rule = self.stop.reason(progress, self.search.cost_of_step(state), past);
        by_rule.or(is_set(&self.interrupt).then_some(StopReason::Interrupted))
    }

    fn save(&mut self, state: &S::State, past: Past) {
        let Some(checkpoints) = self.checkpoints.clone() else {
            return;
        };
        match checkpoints.save(state, past) {
            Ok(()) => self.tell(&Event::CheckpointWritten { path: checkpoints.path() }),
            Err(error) => self.tell(&Event::CheckpointFailed { error: &error }),
        }
    }

    fn tell_diversity(&mut self, state: &S::State, progress: &Progress) {
        if self.observers.is_empty() {
            return;
        }
        if let Some(share) = self.search.diversity(state) {
            self.tell(&Event::Diversity { progress, share });
        }
    }

    fn tell(&mut self, event: &Event<'_, S::Solution>) {
        for observer in &mut self.observers {
            observer.observe(event);
        }
    }
}

fn is_set(flag: &Option<Arc<AtomicBool>>) -> bool {
    flag.as_ref().is_some_and(|flag| flag.load(Ordering::Relaxed))
}
