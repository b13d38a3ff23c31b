//! The laboratory: a plan becomes runs, runs become records, records become tables.
//!
//! - [`Plan`]: data sets x methods x settings x repetitions x protocol, read from TOML;
//! - [`RunEntry`]: one run, a pure function of what stands in it, found again by its key;
//! - [`Store`]: finished runs as JSON lines that only grow, shared by any number of processes;
//! - [`run_experiment`]: does what is not done yet, on all cores;
//! - [`Results`]: the records of a plan in the plan's order; [`ResultTable`], their table; [`ComparisonToBest`], one
//!   method against the best; [`Ranking`], many methods on many data sets;
//! - [`study`]: what a representation does, apart from any data set;
//! - [`paper`]: the paper's tables and figures beside the published values;
//! - [`figure`]: curves and critical-difference diagrams as SVG.
//!
//! Invariant: a table depends on the plan and on the set of finished runs, never on their order,
//! on threads, shards or on how often the work was stopped.
//!
//! ```
//! use mge_experiment::{Conditions, Plan, Results, Store, run_experiment};
//!
//! let plan = Plan::parse("demo", r#"
//!     data = ["wine"]
//!     methods = ["mge", "eta"]
//!     protocol = "2x70/30"
//!     [settings]
//!     stop.generations = 3
//!     evolution.population = 20
//! "#)?;
//! let folder = std::env::temp_dir().join(format!("mge-experiment-demo-{}", std::process::id()));
//! let store = Store::at(&folder);
//! let summary = run_experiment(&plan.runs()?, &store, &Conditions::default(), |_| {})?;
//! assert_eq!(summary.done, 4);
//! println!("{}", Results::of(&plan, &store.read()?)?.sheet().text());
//! # std::fs::remove_dir_all(folder)?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod cell;
mod check;
mod comparison_to_best;
mod distinct;
mod entry;
mod error;
mod estimate;
pub mod figure;
#[cfg(feature = "sqlite")]
mod index;
mod method;
pub mod paper;
mod plan;
mod protocol;
mod ranking;
mod record;
mod result_table;
mod results;
mod results_table;
mod run_experiment;
mod shard;
mod store;
pub mod study;
mod tables;

pub use cell::Cell;
pub use check::check;
pub use comparison_to_best::{Comparison, ComparisonToBest, RankTest, SIGNIFICANCE, UnknownTest};
pub use entry::RunEntry;
pub use error::ExperimentError;
pub use estimate::{Estimate, estimate};
#[cfg(feature = "sqlite")]
pub use index::update_index;
pub use method::{MethodNameError, method_settings};
pub use plan::Plan;
pub use protocol::{Parts, Protocol, UnknownProtocol};
pub use ranking::Ranking;
pub use record::{CurvePoint, PartFigures, RunRecord};
pub use result_table::{Column, Format, ResultTable};
pub use results::{Figure, Results, Row};
pub use run_experiment::{Conditions, ExperimentEvent, RunSummary, run_experiment};
pub use shard::{Shard, UnknownShard};
pub use store::{Finished, RunLock, Store};
pub use tables::Tables;
