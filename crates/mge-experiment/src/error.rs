//! The errors of experiments.

use crate::MethodNameError;
use mge_names::{UnknownName, suggestion};
use std::path::PathBuf;
use thiserror::Error;

/// A plan, a store or a run that cannot be used.
#[derive(Debug, Error)]
pub enum ExperimentError {
    /// A file cannot be read or written.
    #[error("cannot {what} {}: {source}", path.display())]
    File {
        /// The operation, such as `read`.
        what: &'static str,
        /// The file.
        path: PathBuf,
        /// The reason.
        source: std::io::Error,
    },
    /// The plan is not valid TOML, or has the wrong entries.
    #[error("the plan {name} is wrong: {source}{}", did_you_mean(source.message()))]
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
    /// The plan names data that is missing or cannot be read.
    #[error("the plan {name}, `data`: {source}")]
    PlanData {
        /// The plan.
        name: String,
        /// The reason.
        source: Box<mge::data::DataError>,
    },
    /// The plan has an empty factor, so it has no runs.
    #[error("the plan {name} has no {what}, expected at least one in `{key}`")]
    Empty {
        /// The plan.
        name: String,
        /// What is missing.
        what: &'static str,
        /// The entry that should name it.
        key: &'static str,
    },
    /// A setting that the plan itself decides for each run, or that makes results depend on the
    /// machine.
    #[error("a plan cannot set `{setting}`: {why}")]
    NotForPlans {
        /// The setting.
        setting: &'static str,
        /// The reason.
        why: &'static str,
    },
    /// Two different runs have the same name.
    #[error("the plan has two different runs named {name}; give one of them another name")]
    SameName {
        /// The name.
        name: String,
    },
    /// More runs than a plan may have.
    #[error("the plan {name} has more than {max} runs, expected fewer repetitions or folds")]
    TooManyRuns {
        /// The plan.
        name: String,
        /// The largest number of runs.
        max: usize,
    },
    /// A data set or method that was asked for but is not in the plan.
    #[error("the plan {name} has no {what} `{found}`; expected some of {known}")]
    NotInPlan {
        /// The plan.
        name: String,
        /// What was asked for: `data set` or `method`.
        what: &'static str,
        /// Its name.
        found: String,
        /// What the plan has.
        known: String,
    },
    /// A name that is not a method.
    #[error(transparent)]
    Method(#[from] MethodNameError),
    /// A method whose representation cannot be analysed.
    #[error(
        "{name} cannot be analysed: locality and scalability are of grammar representations; \
         expected some of {}",
        crate::analysis::known().join(", ")
    )]
    NotAnalysed {
        /// The method.
        name: String,
    },
    /// A text that is not a protocol.
    #[error(transparent)]
    Protocol(#[from] UnknownName),
    /// The standard split of a data set that has none.
    #[error("{data} has no test part of its own; expected a protocol such as 30x70/30 or 10-fold")]
    NoStandardTest {
        /// The data set.
        data: String,
    },
    /// Data that cannot be used.
    #[error(transparent)]
    Data(Box<mge::data::DataError>),
    /// A run that failed.
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
    /// A figure that cannot be drawn.
    #[error(transparent)]
    Plot(#[from] mge_plot::PlotError),
    /// The index cannot be written.
    #[cfg(feature = "sqlite")]
    #[error("cannot write the index {}: {source}", path.display())]
    Index {
        /// The file.
        path: PathBuf,
        /// The reason.
        source: Box<rusqlite::Error>,
    },
    /// A statistic that cannot be computed.
    #[error(transparent)]
    Statistics(#[from] mge_stats::StatsError),
}

impl From<mge::data::DataError> for ExperimentError {
    fn from(error: mge::data::DataError) -> Self {
        Self::Data(Box::new(error))
    }
}

impl ExperimentError {
    /// The error of a run.
    pub(crate) fn fit(run: &crate::RunEntry, source: mge::FitError) -> Self {
        Self::Fit { run: run.to_string(), source: Box::new(source) }
    }

    /// Turns an I/O error into the error of an operation on a file.
    pub(crate) fn file(
        what: &'static str,
        path: &std::path::Path,
    ) -> impl FnOnce(std::io::Error) -> Self {
        let path = path.to_owned();
        move |source| Self::File { what, path, source }
    }
}

/// The line after a message about an unknown name, if one is similar.
fn did_you_mean(message: &str) -> String {
    suggestion(message).map_or_else(String::new, |name| format!("did you mean `{name}`?"))
}
