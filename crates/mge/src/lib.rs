//! Evolve tiny neural networks from tables.
//!
//! The default method searches structures and trains weights by gradient; the paper's method evolves
//! both from a grammar. Either way a fit ends with a [`Model`]: a network, the preprocessing of its
//! inputs, and metrics on the test rows.
//!
//! There are three ways to use it:
//!
//! 1. **One line.** [`fit`] returns a [`Model`] that predicts.
//! 2. **A builder.** [`Fit`] takes settings, observers, a cancel flag. The steps below it are
//!    [`Settings`], [`ResolvedSettings`] and [`PreparedFit`].
//! 3. **Your own method.** Implement [`method::SearchMethod`] and register it: it then has a name,
//!    settings, models, test accuracy and exports as the built-in methods have.
//!
//! Three more types matter. A [`Task`] is what is learned from a table. [`Folds`] is a
//! cross-validation. A [`RunFolder`] is what a run leaves on disk.
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

mod baselines;
mod calibration;
mod curves;
mod event_log;
mod event_record;
mod fit;
pub mod fitness;
mod folder;
mod folds;
mod front;
mod grammar_text;
mod importance;
pub mod method;
mod model;
mod prepared_data;
mod run_options;
mod settings;
mod task;
mod watch;

pub use baselines::{BaselineErrors, BaselineResult};
pub use calibration::{Calibration, CalibrationError, CalibrationRows};
pub use curves::{CurvePoint, Curves};
pub use event_log::EventLog;
pub use event_record::{EventRecord, EventRecords};
pub use fit::{Fit, FitError, Fitted, PreparedFit};
pub use folder::{FolderError, RunFolder, RunPlan, RunSource};
pub use folds::{CrossValidation, Folds, Spread};
pub use front::{Front, FrontError, FrontNetwork, FrontPoint, NetworkFront, networks_in};
pub use grammar_text::{GrammarFileError, GrammarText};
pub use importance::{ColumnImportance, SHUFFLES, column_importance};
pub use method::{Method, MethodConfig};
pub use mge_data as data;
pub use mge_evolve as evolve;
pub use mge_grammar as grammar;
pub use mge_grammar::mge::{Variant, Weights};
pub use mge_hybrid as hybrid;
pub use mge_neat as neat;
pub use mge_net as net;
pub use mge_random as random;
pub use model::{
    DataOrigin, MODEL_VERSION, Measured, Model, ModelError, ModelValues, PartMetrics, PredictError,
    Predicted, Predictions, RunRecord, SearchRecord, SplitRecord, utc,
};
pub use prepared_data::FitData;
pub use run_options::{EvaluationMode, RunOptions};
pub use settings::{
    ClassWeight, ConfigError, DataConfig, DataSettings, EntryError, EvolutionSettings, MethodTable,
    MethodTables, RENAMED_SETTINGS, RenamedSetting, ResolvedSettings, Settings, SettingsError,
    StopSettings,
};
pub use task::{RowTargets, RowValues, Task, TaskChoice, TaskKind, TaskName, TaskSize};
pub use watch::{Best, FitEvent, FitObserver};

/// Fits a model by the default method. The seed is drawn, and stored in the model.
/// `Fit::new().method(Method::MGE)` runs the paper's method.
///
/// # Errors
/// When the data cannot be used.
pub fn fit(data: &mge_data::Loaded) -> Result<Fitted, FitError> {
    Fit::new().run(data)
}
