//! Evolve tiny neural networks from tables: structure by search, weights by gradient, or both
//! together from a grammar, as the paper does it.
//!
//! Three depths of use:
//!
//! 1. **One line.** [`fit`] gives a [`Model`] that predicts.
//! 2. **A builder.** [`Fit`] takes every setting, watches, interrupts, saves checkpoints.
//! 3. **Your own method.** Implement [`evolve::Search`] (or [`evolve::Representation`] and let
//!    [`evolve::Generational`] do the rest) over the shared [`net::Network`] and its evaluators.
//!
//! ```
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let data = mge::data::load("wine", &Default::default())?;
//! let fitted = mge::fit(&data)?;
//! println!("{:.3} of the test rows are right", fitted.model.metrics.test.accuracy);
//!
//! let predictions = fitted.model.predict(&data.table)?;
//! let first = predictions.classes().next().unwrap_or_default();
//! println!("row 1 is {}", fitted.model.class_name(first));
//! # Ok(())
//! # }
//! ```

pub mod bench;

mod balance;
mod baselines;
mod curves;
mod data_settings;
mod fit;
mod fitness;
mod folder;
mod folds;
mod front;
mod grammar_text;
mod method;
mod model;
mod prepare;
mod settings;
mod tuned;
mod watch;

pub use baselines::BaselineResult;
pub use curves::{CurvePoint, Curves};
pub use data_settings::{ClassWeight, DataConfig, DataSettings, UnknownClassWeight};
pub use fit::{EvaluationMode, Fit, FitError, Fitted, PreparedFit};
pub use folder::{FolderError, RunFolder, RunPlan, RunSource};
pub use folds::{CrossValidation, Folds, Spread};
pub use front::{Front, FrontError, FrontNetwork, FrontPoint, NetworkFront, networks_in};
pub use grammar_text::{GrammarFileError, GrammarText};
pub use method::{
    EvolutionSettings, GrammarConfig, Method, MethodConfig, MgeSettings, PartialParams,
    SettingsError, UnknownMethod,
};
pub use mge_data as data;
pub use mge_evolve as evolve;
pub use mge_grammar as grammar;
pub use mge_grammar::mge::{Variant, Weights};
pub use mge_hybrid as hybrid;
pub use mge_neat as neat;
pub use mge_net as net;
pub use mge_random as random;
pub use model::{
    DataOrigin, MODEL_VERSION, Measured, Model, ModelError, PartMetrics, PredictError, Predictions,
    RunRecord, SearchRecord, SplitRecord,
};
pub use settings::{ConfigError, EntryError, ResolvedSettings, Settings, StopSettings, TableSize};
pub use watch::{Best, FitEvent, FitObserver};

/// Fits a classifier by the usual method, with a seed of its own choice (it stands in the model).
/// `Fit::new().method(Method::Mge)` does what the paper does.
pub fn fit(data: &mge_data::Loaded) -> Result<Fitted, FitError> {
    Fit::new().run(data)
}
