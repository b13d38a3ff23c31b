//! Settings as users give them: every one optional, in a TOML file, by flags or by the builder.
//!
//! Three types, each made of the one before:
//!
//! 1. [`Settings`]: what the user asked for.
//! 2. [`ResolvedSettings`]: every value that a run depends on, defaults filled in for the data. The
//!    model file and the run folder store it.
//! 3. [`PreparedFit`](crate::PreparedFit): checked against the data; only this one runs.

mod check;
mod data;
mod entries;
mod evolution;
mod renamed;
mod resolved;
mod serial;
mod stop;
mod table;

pub use check::SettingsError;
pub use data::{ClassWeight, DataConfig, DataSettings};
pub use entries::{ConfigError, EntryError};
pub use evolution::EvolutionSettings;
pub use renamed::{RENAMED_SETTINGS, RenamedSetting};
pub use resolved::ResolvedSettings;
pub(crate) use serial::COMMON_KEYS;
pub use stop::StopSettings;
pub(crate) use table::PartialParams;
pub use table::{MethodTable, MethodTables};

use crate::method::{Method, SearchMethod};
use crate::task::TaskChoice;
use mge_data::Scale;
use mge_grammar::mge::Variant;
use mge_net::Loss;
use std::path::PathBuf;

/// What a user asked for. `None` means the default of the method.
///
/// In a TOML file the groups are tables. Each method has a table of its own, such as `[hybrid]`.
/// Tables of methods that do not run are checked and not used.
///
/// ```
/// let settings: mge::Settings = toml::from_str(r#"
///     method = "mge"
///     variant = "alpha"
///     seed = 7
///     [stop]
///     generations = 100
///     [evolution]
///     population = 500
///     [mge]
///     gene_length = 60
/// "#)?;
/// assert_eq!(settings.evolution.population, Some(500));
/// # Ok::<(), toml::de::Error>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Settings {
    /// The search method. Default `hybrid`.
    pub method: Option<Method>,
    /// The form of modularity of method mge. Default `mge`.
    pub variant: Option<Variant>,
    /// A shipped grammar's name or a BNF file. Default: the one of the method or variant.
    /// Change it to choose activations, the digits of weights, or how sparse neurons are.
    pub grammar: Option<PathBuf>,
    /// What is learned from the target: `auto`, `classify` or `regress`. Default `auto`: the data
    /// decides, and `fit` says what it took.
    pub task: Option<TaskChoice>,
    /// What is minimised. For classes `ce` (cross-entropy) or `mse`; default `ce`. The paper uses
    /// `mse` where it compares error curves with other methods. For numbers `mse`, `mae`,
    /// `huber:DELTA` or `pinball:QUANTILE`; default `mse`. Take `mae` or `huber` where some rows
    /// are far off, and `pinball` for the ends of an interval.
    pub loss: Option<Loss>,
    /// Input scaling: `zscore`, `minmax` or `none`. Default `zscore`. All methods expect inputs
    /// around one: the weights of the paper's grammar lie in (-1, 1).
    pub scale: Option<Scale>,
    /// The fraction of the rows used for training. Default: the paper's for the data set, else 0.7.
    pub train_fraction: Option<f64>,
    /// Seed of the split and of the search. Default: drawn anew and reported.
    pub seed: Option<u64>,
    /// How the table is read, split and weighted.
    pub data: DataSettings,
    /// When to stop.
    pub stop: StopSettings,
    /// The evolutionary loop.
    pub evolution: EvolutionSettings,
    /// The tables of the methods, by name: their own settings.
    pub methods: MethodTables,
}

impl Settings {
    /// Each of these settings if it is given, else that of `base`.
    pub fn over(self, base: Settings) -> Settings {
        Settings {
            method: self.method.or(base.method),
            variant: self.variant.or(base.variant),
            grammar: self.grammar.or(base.grammar),
            task: self.task.or(base.task),
            loss: self.loss.or(base.loss),
            scale: self.scale.or(base.scale),
            train_fraction: self.train_fraction.or(base.train_fraction),
            seed: self.seed.or(base.seed),
            data: self.data.over(base.data),
            stop: self.stop.over(base.stop),
            evolution: self.evolution.over(base.evolution),
            methods: self.methods.over(base.methods),
        }
    }

    /// The method's own settings: `defaults`, overridden by the entries of its table.
    ///
    /// # Errors
    /// When an entry does not exist or has the wrong type.
    pub fn params<M: SearchMethod>(
        &self,
        method: &M,
        defaults: &M::Params,
    ) -> Result<M::Params, SettingsError> {
        let none = MethodTable::default();
        let table = self.methods.get(method.info().table).unwrap_or(&none);
        table.apply(defaults).map_err(|error| SettingsError::of_method(method.method(), error))
    }
}
