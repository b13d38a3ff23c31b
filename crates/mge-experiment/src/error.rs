//! What can go wrong in the laboratory.

use crate::{MethodNameError, UnknownProtocol};
use std::path::PathBuf;
use thiserror::Error;

/// A plan, a store or a run that cannot be used.
#[derive(Debug, Error)]
pub enum ExperimentError {
    /// A file cannot be read or written.
    #[error("cannot {what} {}: {source}", path.display())]
    File {
        /// What was tried.
        what: &'static str,
        /// The file.
        path: PathBuf,
        /// The reason.
        source: std::io::Error,
    },
    /// The plan is no TOML, or not that of a plan.
    #[error("the plan {name} is wrong: {source}")]
    Plan {
        /// The plan.
        name: String,
        /// Where and why.
        source: Box<toml::de::Error>,
    },
    /// The plan cannot be written as TOML.
    #[error("cannot write the plan {name}: {source}")]
    PlanText {
        /// The plan.
        name: String,
        /// The reason.
        source: Box<toml::ser::Error>,
    },
    /// The plan names data that is not there or cannot be read.
    #[error("the plan {name}, `data`: {source}")]
    PlanData {
        /// The plan.
        name: String,
        /// The reason.
        source: Box<mge::data::DataError>,
    },
    /// The plan has nothing to multiply.
    #[error("the plan {name} has no {what}, expected at least one in `{key}`")]
    Nothing {
        /// The plan.
        name: String,
        /// What is missing.
        what: &'static str,
        /// Where it should stand.
        key: &'static str,
    },
    /// Something that the plan decides for each run by itself, or that makes runs depend on the
    /// machine.
    #[error("a plan cannot set `{setting}`: {why}")]
    NotForPlans {
        /// The setting.
        setting: &'static str,
        /// The reason.
        why: &'static str,
    },
    /// Two methods or settings of the same name.
    #[error("the plan has two different runs named {name}; give one of them another name")]
    SameName {
        /// The name.
        name: String,
    },
    /// More runs than anybody can mean.
    #[error("the plan {name} has more than {most} runs, expected fewer repetitions or folds")]
    TooManyRuns {
        /// The plan.
        name: String,
        /// The most there may be.
        most: usize,
    },
    /// A data set or a method that was asked for and is not one of the plan's.
    #[error("the plan {name} has no {what} `{found}`; expected some of {known}")]
    NotInPlan {
        /// The plan.
        name: String,
        /// What was asked for.
        what: &'static str,
        /// Its name.
        found: String,
        /// What there is.
        known: String,
    },
    /// A name that is no method.
    #[error(transparent)]
    Method(#[from] MethodNameError),
    /// A method whose representation cannot be analysed.
    #[error(
        "{name} cannot be analysed: locality and scalability are of grammar representations; \
         expected some of {}",
        crate::study::known().join(", ")
    )]
    NotAnalysed {
        /// The method.
        name: String,
    },
    /// A text that is no protocol.
    #[error(transparent)]
    Protocol(#[from] UnknownProtocol),
    /// A standard split of a data set that has none.
    #[error("{data} has no test part of its own; expected a protocol such as 30x70/30 or 10-fold")]
    NoStandardTest {
        /// The data set.
        data: String,
    },
    /// Data that cannot be used.
    #[error(transparent)]
    Data(Box<mge::data::DataError>),
    /// A fit that could not be done.
    #[error("{run}: {source}")]
    Fit {
        /// The run.
        run: String,
        /// The reason.
        source: Box<mge::FitError>,
    },
    /// An analysis whose grammar or settings cannot be used.
    #[error("the analysis cannot be done: {reason}")]
    Grammar {
        /// The reason.
        reason: String,
    },
    /// A figure that could not be drawn.
    #[error("cannot draw {what}: {reason}")]
    Drawing {
        /// The figure.
        what: String,
        /// The reason.
        reason: String,
    },
    /// The index could not be written.
    #[cfg(feature = "sqlite")]
    #[error("cannot write the index {}: {source}", path.display())]
    Index {
        /// The file.
        path: PathBuf,
        /// The reason.
        source: Box<rusqlite::Error>,
    },
    /// Statistics of samples that have none.
    #[error(transparent)]
    Statistics(#[from] mge_stats::StatsError),
}

impl From<mge::data::DataError> for ExperimentError {
    fn from(error: mge::data::DataError) -> Self {
        Self::Data(Box::new(error))
    }
}

impl ExperimentError {
    /// A run that could not be done.
    pub(crate) fn fit(run: &crate::RunEntry, source: mge::FitError) -> Self {
        Self::Fit { run: run.to_string(), source: Box::new(source) }
    }

    /// A failed attempt to do something with a file.
    pub(crate) fn file(
        what: &'static str,
        path: &std::path::Path,
    ) -> impl FnOnce(std::io::Error) -> Self {
        let path = path.to_owned();
        move |source| Self::File { what, path, source }
    }
}
