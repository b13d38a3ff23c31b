//! Why a fit could not be done: the errors of all its parts, joined.

use crate::method::SettingsError;
use mge_data::DataError;
use mge_evolve::{GenerationalParamError, RunError, StopRuleError};
use mge_grammar::mge::{MapperError, MgeParamError};
use mge_grammar::{BindError, BnfErrors};
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
    Bind(#[from] BindError),
    #[error(transparent)]
    Mapper(#[from] MapperError),
    #[error(transparent)]
    Representation(#[from] MgeParamError),
    #[error(transparent)]
    Ge(#[from] mge_grammar::ge::GeParamError),
    #[error(transparent)]
    Sge(#[from] mge_grammar::sge::SgeParamError),
    #[error(transparent)]
    Dsge(#[from] mge_grammar::dsge::DsgeParamError),
    #[error(transparent)]
    NetworkMapper(#[from] mge_grammar::ge::MapperError),
    #[error(transparent)]
    Neat(#[from] mge_neat::NeatParamError),
    #[error(transparent)]
    Hybrid(#[from] mge_hybrid::HybridError),
    #[error("the settings of method hybrid are wrong: {0}")]
    HybridSettings(#[from] mge_hybrid::ParamError),
    #[error(transparent)]
    Evolution(#[from] GenerationalParamError),
    #[error(transparent)]
    Stop(#[from] StopRuleError),
    #[error(transparent)]
    Run(#[from] RunError),
    #[error(transparent)]
    Evaluator(#[from] mge_net::EvaluationError),
    #[error(transparent)]
    Settings(#[from] SettingsError),
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
