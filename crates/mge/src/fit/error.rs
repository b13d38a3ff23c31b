//! Why a fit could not be done: the errors of all its parts, joined.

use crate::settings::SettingsError;
use mge_data::DataError;
use mge_evolve::{GenerationalParamError, RunError, StopRuleError};
use mge_grammar::BnfErrors;
use std::error::Error as StdError;
use thiserror::Error;

/// A fit that could not be done.
#[derive(Debug, Error)]
#[allow(missing_docs, reason = "the sources document themselves")]
pub enum FitError {
    #[error(transparent)]
    Data(#[from] DataError),
    #[error(transparent)]
    Grammar(#[from] BnfErrors),
    #[error(transparent)]
    Settings(#[from] SettingsError),
    #[error(transparent)]
    Evolution(#[from] GenerationalParamError),
    #[error(transparent)]
    Stop(#[from] StopRuleError),
    #[error(transparent)]
    Run(#[from] RunError),
    #[error(transparent)]
    Evaluator(#[from] mge_net::EvaluationError),
    /// The search of a method cannot be put together, see [`FitError::method`].
    #[error(transparent)]
    Method(Box<dyn StdError + Send + Sync>),
    /// The threads could not be started.
    #[error("cannot start {threads} threads: {source}")]
    Threads { threads: usize, source: mge_threads::StartError },
    /// Every individual of the whole run was invalid.
    #[error("no individual of {generations} generations maps to a network")]
    NothingFound { generations: u64 },
    /// A front without a network inside the limits.
    #[error("no network of the front keeps the limits; the smallest found has {size}")]
    NothingWithin { size: String },
}

impl FitError {
    /// An error of a method: its settings or the task cannot be used.
    pub fn method(error: impl StdError + Send + Sync + 'static) -> Self {
        Self::Method(Box::new(error))
    }
}
