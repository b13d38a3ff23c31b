//! The events of a run, and the observers that receive them. Observers cannot change a run: without
//! them the result is the same.

use crate::{GenerationProgress, Progress, StopReason};
use std::path::Path;
use std::sync::Arc;

/// Something that happened in a run over solutions of type `S`.
#[derive(Debug)]
#[non_exhaustive]
pub enum Event<'a, S> {
    /// The run begins. Nothing is evaluated yet, and the first generation may take a while.
    Starting {
        /// A counter that moves while a generation runs, of methods that have one.
        generation: Option<Arc<GenerationProgress>>,
    },
    /// The first state is ready, new or read from a checkpoint.
    Started {
        /// Whether it was read from a checkpoint.
        resumed: bool,
        /// The progress of the first state.
        progress: &'a Progress,
    },
    /// The best solution is better than all before. Sent once after `Started` as well.
    Improved {
        /// The progress so far.
        progress: &'a Progress,
        /// The best solution.
        best: &'a S,
    },
    /// How much the individuals of a new generation differ, if the method measures it. Sent before
    /// the `Generation` event.
    Diversity {
        /// The progress so far.
        progress: &'a Progress,
        /// From 0 (all alike) to 1.
        diversity: f64,
    },
    /// A generation ended.
    Generation {
        /// The progress so far.
        progress: &'a Progress,
        /// Seconds of search so far, with the parts before a resume.
        seconds: f64,
        /// The best solution.
        best: &'a S,
        /// The solutions of every size, of methods that keep them: [`crate::Search::front`].
        front: &'a [&'a S],
    },
    /// A checkpoint was written to disk.
    CheckpointWritten {
        /// The file.
        path: &'a Path,
    },
    /// A checkpoint could not be written. The previous one stays, and the run continues.
    CheckpointFailed {
        /// The reason.
        error: &'a crate::CheckpointError,
    },
    /// The run ended.
    Finished {
        /// Why.
        reason: StopReason,
        /// The progress at the end.
        progress: &'a Progress,
    },
}

/// Receives the events of a run. Every `FnMut(&Event<S>)` is an observer.
pub trait Observer<S> {
    /// Called for each event, in order, on the thread that drives the run.
    fn observe(&mut self, event: &Event<'_, S>);
}

impl<S, F: FnMut(&Event<'_, S>)> Observer<S> for F {
    fn observe(&mut self, event: &Event<'_, S>) {
        self(event);
    }
}
