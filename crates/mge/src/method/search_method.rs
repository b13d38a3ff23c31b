//! What a search method is to the rest of the program.

use super::bound_search::PreparedMethod;
use super::registry::Method;
use super::training_task::TrainingTask;
use crate::FitError;
use crate::grammar_text::GrammarText;
use crate::settings::{Settings, SettingsError};
use crate::task::TaskSize;
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::fmt::Debug;

/// A search method: what `--method NAME` names.
///
/// A type without fields implements it; a `static` of that type is registered, see
/// [`register`](super::register).
pub trait SearchMethod: Send + Sync + 'static {
    /// The method's table in settings files. Its default holds the default of every entry.
    type Params: Default + Serialize + DeserializeOwned;
    /// The resolved settings: all that the search depends on besides the common settings. They are
    /// stored in models and run folders. Often the same type as `Params`.
    type Config: Clone + Debug + PartialEq + Serialize + DeserializeOwned + Send + Sync;

    /// What is known of the method before any settings.
    fn info(&self) -> MethodInfo;

    /// Fills in the defaults for a task of this size. [`Settings::params`] reads the method's table.
    fn resolve(
        &'static self,
        settings: &Settings,
        size: TaskSize,
    ) -> Result<Self::Config, SettingsError>;

    /// Generations of a run that nobody limits.
    fn default_generations(&self, config: &Self::Config, size: TaskSize) -> u64;

    /// Facts about the resolved settings, for people and reports.
    fn facts<'c>(&self, config: &'c Self::Config) -> MethodFacts<'c> {
        let _ = config;
        MethodFacts::default()
    }

    /// Builds the search for one task. Settings that do not fit the task are errors here.
    fn prepare(
        &self,
        config: &Self::Config,
        task: &TrainingTask<'_>,
    ) -> Result<Box<dyn PreparedMethod>, FitError>;

    /// The method by its name. It must be registered: [`Method::info`] panics otherwise.
    fn method(&self) -> Method {
        Method::named(self.info().name)
    }
}

/// What is known of a method before any settings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MethodInfo {
    /// The name on the command line and in files.
    pub name: &'static str,
    /// One line for people.
    pub summary: &'static str,
    /// Raised by a change that gives any run another result.
    pub algorithm_version: u32,
    /// The name of its table in settings files. Built-in methods of one family may share a table;
    /// registered methods may not.
    pub table: &'static str,
    /// The common settings that it reads. Any other one is an error, or left to other methods.
    pub reads: &'static [CommonSetting],
    /// Whether it keeps the best network of every size, in `front.json`.
    pub keeps_front: bool,
}

/// Settings outside of the methods' tables that only some methods read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CommonSetting {
    /// `variant`: the form of modularity.
    Variant,
    /// `grammar`: a shipped grammar or a BNF file.
    Grammar,
    /// `evolution.population`.
    Population,
    /// `evolution.crossover_rate`, `evolution.tournament` and `evolution.elite`.
    Selection,
}

/// Facts about the resolved settings of a method, for people and reports.
#[derive(Debug, Clone, Default)]
pub struct MethodFacts<'c> {
    /// The name of the variant, where the method has variants.
    pub variant: Option<&'static str>,
    /// The grammar, where it has one.
    pub grammar: Option<&'c GrammarText>,
    /// Individuals in a population, where it has one.
    pub population: Option<usize>,
    /// Whatever else one line about the run should say.
    pub notes: Vec<String>,
}
