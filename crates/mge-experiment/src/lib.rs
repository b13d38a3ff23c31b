//! Experiments: run many fits from one plan, keep their results, and compare the methods.
//!
//! - [`ExperimentPlan`] is read from TOML. It multiplies data sets, methods, settings and
//!   repetitions.
//! - [`RunEntry`] is one run of a plan. Its key is a hash of everything that its result depends on.
//! - [`run_experiment`] does the runs that are not finished yet, on all cores.
//! - [`Store`] keeps every [`FinishedRun`] as a line of JSON. Any number of processes may share it.
//! - [`Results`] are the finished runs of a plan. They give a [`ResultTable`], a
//!   [`ComparisonToBest`] for each method and data set, and a [`Ranking`] of all methods.
//! - [`analysis`] studies representations apart from any data set.
//! - [`paper`] makes the paper's tables and figures beside the published values.
//!
//! A table depends only on the plan and on the set of finished runs. The order of the runs,
//! threads, shards and interruptions do not change it.
//!
//! ```
//! use mge_experiment::{ExperimentOptions, ExperimentPlan, Results, Store, run_experiment};
//!
//! let plan = ExperimentPlan::parse("demo", r#"
//!     data = ["wine"]
//!     methods = ["mge", "eta"]
//!     protocol = "2x70/30"
//!     [settings]
//!     stop.generations = 3
//!     evolution.population = 20
//! "#)?;
//! let folder = std::env::temp_dir().join(format!("mge-experiment-demo-{}", std::process::id()));
//! let store = Store::at(&folder);
//! let summary = run_experiment(&plan.runs()?, &store, &ExperimentOptions::default(), |_| {})?;
//! assert_eq!(summary.done, 4);
//! println!("{}", Results::of(&plan, &store.read()?)?.summary_table().text());
//! # std::fs::remove_dir_all(folder)?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod analysis;
mod check;
mod comparison_to_best;
mod data_cache;
mod distinct;
mod error;
mod estimate;
mod finished_run;
#[cfg(feature = "sqlite")]
mod index;
mod method;
mod metric;
pub mod paper;
mod plan;
mod protocol;
mod ranking;
mod result_table;
mod results;
mod run_entry;
mod run_experiment;
mod shard;
mod short_names;
mod significance;
mod store;
mod summary_column;
mod summary_table;
mod table_cell;

pub use check::check;
use comparison_to_best::SIGNIFICANCE;
pub use comparison_to_best::{Comparison, ComparisonToBest, RankTest};
pub use data_cache::DataCache;
pub use error::ExperimentError;
pub use estimate::{TimeEstimate, estimate};
pub use finished_run::{FinishedRun, LearningCurvePoint, SplitMetrics};
#[cfg(feature = "sqlite")]
pub use index::update_index;
pub use method::MethodNameError;
use method::method_settings;
pub use metric::Metric;
pub use plan::ExperimentPlan;
pub use protocol::{SplitProtocol, SplitScheme};
pub use ranking::Ranking;
pub use result_table::{ResultTable, TableColumn, TableFormat};
pub use results::{ResultRow, Results};
pub use run_entry::RunEntry;
pub use run_experiment::{ExperimentEvent, ExperimentOptions, RunSummary, run_experiment};
pub use shard::Shard;
pub use store::{FinishedRuns, RunLock, Store};
pub use summary_column::SummaryColumn;
pub use table_cell::TableCell;
