//! What a run tells those who watch it. Observers watch, they never steer: taking all of them
//! away changes no result.

use crate::{Progress, StopReason};
use std::path::Path;

/// Something that happened in a run over solutions of type `S`.
#[derive(Debug)]
#[non_exhaustive]
pub enum Event<'a, S> {
    /// The first state stands, new or read from a checkpoint.
    Started {
        /// Whether the run goes on from a checkpoint.
        resumed: bool,
        /// Where it starts.
        progress: &'a Progress,
    },
    /// A better solution than all before in this run. Follows `Started` once as well.
    Improved {
        /// Where the run is.
        progress: &'a Progress,
        /// The solution.
        best: &'a S,
    },
    /// How different the individuals of a new generation are, where the method can tell. Comes
    /// before its `Generation`.
    Diversity {
        /// Where the run is.
        progress: &'a Progress,
        /// From 0 (all alike) to 1.
        share: f64,
    },
    /// A generation is done.
    Generation {
        /// Where the run is.
        progress: &'a Progress,
        /// Seconds of search so far, resumed parts included.
        seconds: f64,
        /// The best solution.
        best: &'a S,
    },
    /// A checkpoint is safely on disk.
    CheckpointWritten {
        /// The file.
        path: &'a Path,
    },
    /// A checkpoint could not be written; the last good one stays, the run goes on.
    CheckpointFailed {
        /// The reason.
        error: &'a crate::CheckpointError,
    },
    /// The run is over.
    Finished {
        /// Why.
        reason: StopReason,
        /// Where it ended.
        progress: &'a Progress,
    },
}

/// Somebody who watches a run. Every `FnMut(&Event<S>)` is one.
pub trait Observer<S> {
    /// Called for each event, in order, on the thread that drives the run.
    fn observe(&mut self, event: &Event<'_, S>);
}

impl<S, F: FnMut(&Event<'_, S>)> Observer<S> for F {
    fn observe(&mut self, event: &Event<'_, S>) {
        self(event);
    }
}
