//! Structure by search, weights by gradient: the front of accuracy against cost.
//!
//! [`Hybrid`] is a [`Search`](mge_evolve::Search). Its state is a [`Front`] with the best sparse
//! network at every budget of operations; [`pick`] takes one of them home. Recipes are chosen on rows
//! that did not train, by repeated cross-validation on small tables. On large ones structures are
//! chosen by the training rows with the consent of a validation part, which picks alone. The algorithm is described in `docs/explanation/hybrid.md`.
//!
//! ```
//! use mge_evolve::{Run, StopRules};
//! use mge_hybrid::{Hybrid, HybridParams, Limits, Pick, Task, pick};
//! use mge_net::{Columns, Loss};
//!
//! // Sixty rows of two classes: inside and outside of a band.
//! let columns = Columns::from_columns([
//!     (0..60).map(|row| (row as f32 - 30.0) / 15.0).collect::<Vec<f32>>(),
//!     (0..60).map(|row| (row * 7 % 11) as f32 / 5.0 - 1.0).collect(),
//! ])?;
//! let labels: Vec<u32> = (0..60u32).map(|row| u32::from(row.abs_diff(30) < 12)).collect();
//! let params = HybridParams { max_ops: Some(40), repeats: Some(1), ..Default::default() }.check()?;
//! let loss = Loss::CrossEntropy;
//! let task = Task { columns: &columns, labels: &labels, classes: 2, loss, is_balanced: false };
//! let search = Hybrid::new(task, params, 7)?;
//! let stop = StopRules { generations: Some(4), ..Default::default() }.check()?;
//! let front = Run::new(&search, stop).run()?.state;
//! let limits = Limits { max_ops: Some(30), ..Default::default() };
//! let best = pick(&front.members, &limits, Pick::Accuracy).expect("a small network");
//! assert!(best.operations <= 30);
//! assert!(search.accuracy(&best.network) > 0.95);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod cut;
mod draft;
mod front;
mod ground;
mod grow;
mod moves;
mod offspring;
mod params;
mod recipe;
mod search;
mod start;
mod tariff;
mod task;
mod verdict;

pub use front::{Limits, Member, Pick, UnknownPick, non_dominated, pick};
pub use params::{CheckedParams, HybridParams, ParamError};
pub use recipe::Recipe;
pub use search::{Front, Hybrid};
pub use tariff::{Objective, UnknownObjective};
pub use task::{HybridError, Task};
