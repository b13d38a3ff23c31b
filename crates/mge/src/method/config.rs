//! The resolved settings of any method: typed inside its folder, one opaque type outside.

use super::bound_search::PreparedMethod;
use super::registry::Method;
use super::search_method::{MethodFacts, MethodInfo, SearchMethod};
use super::training_task::TrainingTask;
use crate::FitError;
use crate::grammar_text::GrammarText;
use crate::settings::{MethodTable, Settings, SettingsError};
use crate::task::TaskSize;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::{Map, Value};
use std::any::Any;
use std::fmt;
use std::sync::Arc;

/// A [`SearchMethod`] without its types.
pub(crate) trait AnyMethod: Send + Sync {
    fn info(&self) -> MethodInfo;
    /// Checks the entries of the method's table, and replaces old names.
    fn check_table(&self, table: &mut MethodTable) -> Result<(), serde_json::Error>;
    fn resolve(
        &'static self,
        settings: &Settings,
        size: TaskSize,
    ) -> Result<MethodConfig, SettingsError>;
    /// Reads what [`MethodConfig`] wrote.
    fn read(&'static self, config: Value) -> Result<MethodConfig, serde_json::Error>;
}

impl<M: SearchMethod> AnyMethod for M {
    fn info(&self) -> MethodInfo {
        SearchMethod::info(self)
    }

    fn check_table(&self, table: &mut MethodTable) -> Result<(), serde_json::Error> {
        table.check::<M::Params>()
    }

    fn resolve(
        &'static self,
        settings: &Settings,
        size: TaskSize,
    ) -> Result<MethodConfig, SettingsError> {
        let config = SearchMethod::resolve(self, settings, size)?;
        Ok(MethodConfig(Arc::new(Configured { method: self, config })))
    }

    fn read(&'static self, config: Value) -> Result<MethodConfig, serde_json::Error> {
        let config = serde_json::from_value(config)?;
        Ok(MethodConfig(Arc::new(Configured { method: self, config })))
    }
}

/// A method with its resolved settings.
struct Configured<M: SearchMethod> {
    method: &'static M,
    config: M::Config,
}

/// [`Configured`] without its types.
trait AnyConfigured: Send + Sync {
    fn info(&self) -> MethodInfo;
    fn config(&self) -> &dyn Any;
    fn equals(&self, other: &dyn Any) -> bool;
    fn as_serialize(&self) -> &dyn erased_serde::Serialize;
    fn default_generations(&self, size: TaskSize) -> u64;
    fn facts(&self) -> MethodFacts<'_>;
    fn prepare(&self, task: &TrainingTask<'_>) -> Result<Box<dyn PreparedMethod>, FitError>;
}

impl<M: SearchMethod> AnyConfigured for Configured<M> {
    fn info(&self) -> MethodInfo {
        SearchMethod::info(self.method)
    }

    fn config(&self) -> &dyn Any {
        &self.config
    }

    fn equals(&self, other: &dyn Any) -> bool {
        other.downcast_ref().is_some_and(|other: &M::Config| *other == self.config)
    }

    fn as_serialize(&self) -> &dyn erased_serde::Serialize {
        &self.config
    }

    fn default_generations(&self, size: TaskSize) -> u64 {
        self.method.default_generations(&self.config, size)
    }

    fn facts(&self) -> MethodFacts<'_> {
        self.method.facts(&self.config)
    }

    fn prepare(&self, task: &TrainingTask<'_>) -> Result<Box<dyn PreparedMethod>, FitError> {
        self.method.prepare(&self.config, task)
    }
}

/// The resolved settings of a method, with the method. In JSON an object: `name`, then what the
/// method stores.
#[derive(Clone)]
pub struct MethodConfig(Arc<dyn AnyConfigured>);

impl MethodConfig {
    /// The method.
    pub fn method(&self) -> Method {
        Method::named(self.0.info().name)
    }

    /// The settings as the method has them, if `C` is their type.
    pub fn get<C: 'static>(&self) -> Option<&C> {
        self.0.config().downcast_ref()
    }

    /// What people and reports are told of these settings.
    pub fn facts(&self) -> MethodFacts<'_> {
        self.0.facts()
    }

    /// The name of the variant, where the method has variants.
    pub fn variant(&self) -> Option<&'static str> {
        self.facts().variant
    }

    /// Individuals in a population, where the method has one.
    pub fn population(&self) -> Option<usize> {
        self.facts().population
    }

    /// The grammar, where the method has one.
    pub fn grammar(&self) -> Option<&GrammarText> {
        self.facts().grammar
    }

    /// A short name: the variant, where the method has variants, else the method.
    pub fn short_name(&self) -> &'static str {
        self.variant().unwrap_or(self.method().name())
    }

    /// Generations of a run that nobody limits.
    pub(crate) fn default_generations(&self, size: TaskSize) -> u64 {
        self.0.default_generations(size)
    }

    /// Puts the search together for one task.
    pub(crate) fn prepare(
        &self,
        task: &TrainingTask<'_>,
    ) -> Result<Box<dyn PreparedMethod>, FitError> {
        self.0.prepare(task)
    }
}

impl PartialEq for MethodConfig {
    fn eq(&self, other: &Self) -> bool {
        self.method() == other.method() && self.0.equals(other.0.config())
    }
}

impl fmt::Debug for MethodConfig {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let json = serde_json::to_string(self).map_err(|_| fmt::Error)?;
        write!(f, "MethodConfig({json})")
    }
}

/// One line for people.
impl fmt::Display for MethodConfig {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let MethodFacts { variant, grammar, population, notes } = self.facts();
        write!(f, "method {}", self.method())?;
        if let Some(variant) = variant {
            write!(f, ", variant {variant}")?;
        }
        if let Some(grammar) = grammar {
            write!(f, ", grammar {}", grammar.name)?;
        }
        for note in notes {
            write!(f, ", {note}")?;
        }
        if let Some(population) = population {
            write!(f, ", population {population}")?;
        }
        Ok(())
    }
}

#[derive(Serialize)]
struct Named<'c> {
    name: Method,
    #[serde(flatten)]
    config: &'c dyn erased_serde::Serialize,
}

impl Serialize for MethodConfig {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        Named { name: self.method(), config: self.0.as_serialize() }.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for MethodConfig {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let mut config = Map::deserialize(deserializer)?;
        let name = config.remove("name").ok_or_else(|| D::Error::missing_field("name"))?;
        let method: Method = serde_json::from_value(name).map_err(D::Error::custom)?;
        method.implementation().read(Value::Object(config)).map_err(D::Error::custom)
    }
}
