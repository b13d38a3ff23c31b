//! Model files and tables that cannot be used.

use super::MODEL_VERSION;
use mge_data::DataError;
use mge_net::EvaluationError;
use std::io;
use std::path::PathBuf;
use thiserror::Error;

/// A model file that cannot be used.
#[derive(Debug, Error)]
pub enum ModelError {
    /// The file cannot be read.
    #[error("cannot read the model {}: {source}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// The reason.
        source: io::Error,
    },
    /// The file cannot be written.
    #[error("cannot write the model {}: {source}", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// The reason.
        source: io::Error,
    },
    /// The file is not JSON, or its JSON is not that of a model.
    #[error("{name} is not a model: {reason}")]
    NotAModel {
        /// The file.
        name: String,
        /// Where and why.
        reason: String,
    },
    /// The file was written by another version.
    #[error("{name} is a model of version {found}, expected version {MODEL_VERSION}")]
    Version {
        /// The file.
        name: String,
        /// The version in the file.
        found: u64,
    },
    /// Parts of the file contradict each other.
    #[error("{name} is damaged: {what} is {found}, expected {expected}")]
    Inconsistent {
        /// The file.
        name: String,
        /// What is wrong.
        what: &'static str,
        /// What it is.
        found: String,
        /// What it should be.
        expected: String,
    },
}

/// A table that the model cannot predict.
#[derive(Debug, Error)]
#[allow(missing_docs, reason = "the sources document themselves")]
pub enum PredictError {
    #[error(transparent)]
    Data(#[from] DataError),
    #[error(transparent)]
    Evaluation(#[from] EvaluationError),
}
