//! How a fit is run: threads, memory, observers. Nothing here changes the model.

use crate::watch::{FitObserver, SharedObservers};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// How populations are evaluated. It changes time and memory, never the result.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EvaluationMode {
    /// Only what no earlier network had is computed.
    Incremental {
        /// Memory for values that later networks may need, in MiB. Default 512.
        ///
        /// For tables of more than 512 rows at most 256 columns are kept: keeping more was not
        /// faster. What is not kept is computed again. With class weights, every network is
        /// evaluated from scratch if the index of the cache alone exceeds the memory.
        mebibytes: usize,
    },
    /// Each network is evaluated from scratch: slow and simple, for checks.
    Full,
}

impl EvaluationMode {
    /// Bytes that may be kept; `None` to keep nothing and share nothing.
    pub(crate) fn memory(self) -> Option<usize> {
        match self {
            EvaluationMode::Incremental { mebibytes } => Some(mebibytes.saturating_mul(1 << 20)),
            EvaluationMode::Full => None,
        }
    }
}

impl Default for EvaluationMode {
    fn default() -> Self {
        EvaluationMode::Incremental { mebibytes: 512 }
    }
}

/// How a fit is run. The model is the same for all of them, unless a run is cancelled.
///
/// ```
/// let data = mge::data::load("wine", &Default::default())?;
/// let settings = mge::Settings { seed: Some(7), ..Default::default() };
/// let options = mge::RunOptions::new().threads(1).baselines(true);
/// let fitted = settings.resolve(&data)?.prepare(&data, options)?.run()?;
/// assert!(!fitted.baselines.is_empty());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Default)]
pub struct RunOptions<'a> {
    pub(crate) threads: Option<usize>,
    pub(crate) evaluation: EvaluationMode,
    pub(crate) observers: Vec<Box<dyn FitObserver + 'a>>,
    pub(crate) cancel_flag: Option<Arc<AtomicBool>>,
    pub(crate) baselines: bool,
}

impl<'a> RunOptions<'a> {
    /// One thread for each core, incremental evaluation, no observer.
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets the number of threads. Default: one for each core.
    pub fn threads(mut self, threads: usize) -> Self {
        self.threads = Some(threads);
        self
    }

    /// Sets how populations are evaluated.
    pub fn evaluation(mut self, evaluation: EvaluationMode) -> Self {
        self.evaluation = evaluation;
        self
    }

    /// Adds an observer.
    pub fn observer(mut self, observer: impl FitObserver + 'a) -> Self {
        self.observers.push(Box::new(observer));
        self
    }

    /// Stops the search after the current generation once this flag is set. The fit then finishes
    /// with the best network so far.
    pub fn cancel_flag(mut self, flag: Arc<AtomicBool>) -> Self {
        self.cancel_flag = Some(flag);
        self
    }

    /// Whether simpler models are made to compare with, see [`Fitted::baselines`]. Default: no.
    ///
    /// They take milliseconds on a small table and seconds on a large one. There are none without
    /// test rows, and none after a cancelled search.
    ///
    /// [`Fitted::baselines`]: crate::Fitted::baselines
    pub fn baselines(mut self, baselines: bool) -> Self {
        self.baselines = baselines;
        self
    }

    /// Options for each of several fits: the observers watch all of them.
    pub(crate) fn split(self) -> impl Fn() -> RunOptions<'a> {
        let Self { threads, evaluation, observers, cancel_flag, baselines } = self;
        let shared = SharedObservers::new(observers);
        move || RunOptions {
            threads,
            evaluation,
            observers: vec![shared.observer()],
            cancel_flag: cancel_flag.clone(),
            baselines,
        }
    }
}
