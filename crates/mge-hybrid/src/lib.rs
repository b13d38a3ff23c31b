//! The default method of `mge`: search the structure of a network, train its weights by gradient.
//!
//! A small network is cheap if most of its connections are missing. Which ones may be missing is a
//! question of structure, and gradients cannot answer it. So this crate divides the work. A search
//! decides which neurons, inputs and connections exist. Gradient descent sets their weights.
//!
//! The search has a list of *budgets*, such as 8, 10, 12 up to 300 operations for a prediction.
//! For each budget it keeps the best network found that costs no more. These networks together are
//! the *front*: they show what accuracy each cost buys. At the end one of them is picked, by a
//! limit or by a rule.
//!
//! Three operations change a network:
//!
//! 1. **Train**: L-BFGS or Adam lowers the loss.
//! 2. **Prune**: connections, neurons or features are removed until a budget is met. Those that
//!    raise the loss least go first.
//! 3. **Grow**: missing connections with the largest expected gain are added with a weight of zero.
//!
//! All three work on a [`SparseNetwork`](mge_net::SparseNetwork), which can be edited. Networks on
//! the front are checked, unchangeable [`Network`](mge_net::Network)s.
//!
//! How networks are compared depends on the number of rows:
//!
//! - **Small tables** have too few rows to compare single networks. So the search compares *training
//!   configurations*: how many neurons to start from, which penalty, and so on. Each is run from
//!   start to finish on the folds of a cross-validation.
//! - **Large tables** set some rows aside as a *validation part*. Every generation makes offspring
//!   of the networks on the front, and compares them on the training and the validation part.
//!
//! In code, [`Hybrid`] is a [`Search`](mge_evolve::Search) that a [`Run`](mge_evolve::Run) drives.
//! [`TrainingData`] is the table, [`HybridParams`] are the settings, and [`HybridState`] is the
//! front so far. [`Hybrid::final_front`] gives a [`Member`] for each budget, and [`pick`] picks
//! one.
//!
//! ```
//! use mge_evolve::{Run, StopRules};
//! use mge_hybrid::{Dependence, Hybrid, HybridParams, Limits, Pick, TrainingData, pick};
//! use mge_net::{Columns, Loss, Targets};
//!
//! // Sixty rows of two classes: inside and outside of a band.
//! let columns = Columns::from_columns([
//!     (0..60).map(|row| (row as f32 - 30.0) / 15.0).collect::<Vec<f32>>(),
//!     (0..60).map(|row| (row * 7 % 11) as f32 / 5.0 - 1.0).collect(),
//! ])?;
//! let labels: Vec<u32> = (0..60u32).map(|row| u32::from(row.abs_diff(30) < 12)).collect();
//! let (columns, targets) = (&columns, Targets::classes(&labels, 2));
//! let (loss, dependence) = (Loss::CrossEntropy, Dependence::Independent);
//! let data = TrainingData { columns, targets, loss, is_balanced: false, dependence };
//!
//! // Four generations with seed 7, for networks of at most 40 operations.
//! let params = HybridParams { max_ops: Some(40), cv_repeats: Some(1), ..Default::default() };
//! let search = Hybrid::new(data, params.check()?, 7)?;
//! let stop = StopRules { generations: Some(4), ..Default::default() }.check()?;
//! let state = Run::new(&search, stop).run()?.state;
//!
//! // The most accurate network of at most 30 operations.
//! let front = search.final_front(&state);
//! let limits = Limits { max_ops: Some(30), ..Default::default() };
//! let best = pick(&front, &limits, Pick::LowestLoss).expect("a small network");
//! assert!(best.operations <= 30);
//! assert!(search.accuracy(&best.network) > 0.95);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! To read the code, begin with `strategy`: its files have the two algorithms as pseudo-code.
//! `training_config` makes networks from nothing, `prune`, `grow` and `moves` change them, and
//! `training_set` trains and measures them.

mod budgets;
mod cost_model;
mod front;
mod grow;
mod held_out;
mod hybrid;
mod moves;
mod params;
mod pick;
mod prune;
mod score;
mod start;
mod strategy;
#[cfg(test)]
mod testing;
mod training_config;
mod training_data;
mod training_set;

pub use cost_model::Objective;
pub use front::{HybridState, Member};
pub use held_out::Dependence;
pub use hybrid::Hybrid;
pub use params::{CheckedParams, HybridParams, ParamError};
pub use pick::{Limits, Pick, RECOMMENDED_TOLERANCE, SMALLEST_TOLERANCE, non_dominated, pick};
pub use training_data::{HybridError, TrainingData};
