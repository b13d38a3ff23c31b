//! What a run depends on that belongs to its method: checked for the method, stored in models.

use super::prepared::PreparedMethod;
use super::{Method, PartialParams};
use crate::FitError;
use crate::fit::EvaluationMode;
use crate::grammar_text::{GrammarFileError, GrammarText};
use crate::prepare::Prepared;
use crate::settings::{ResolvedSettings, Settings, TableSize};
use mge_evolve::GenerationalParams;
use mge_grammar::dsge::DsgeParams;
use mge_grammar::ge::GeParams;
use mge_grammar::mge::{MgeParams, Variant};
use mge_grammar::sge::SgeParams;
use mge_grammar::shipped::Shipped;
use mge_hybrid::HybridParams;
use mge_neat::NeatParams;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::fmt;
use thiserror::Error;

/// The resolved settings of a method.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "name", rename_all = "kebab-case")]
pub enum MethodConfig {
    /// Modular Grammatical Evolution.
    Mge {
        /// The form of modularity.
        variant: Variant,
        /// The rest.
        rules: GrammarConfig<MgeParams>,
    },
    /// Grammatical Evolution.
    Ge(GrammarConfig<GeParams>),
    /// Structured Grammatical Evolution.
    Sge(GrammarConfig<SgeParams>),
    /// Dynamic Structured Grammatical Evolution.
    Dsge(GrammarConfig<DsgeParams>),
    /// NEAT.
    Neat(NeatParams),
    /// One-versus-all NEAT: the settings of each binary search.
    OvaNeat(NeatParams),
    /// The hybrid method.
    Hybrid(HybridParams),
}

/// A method that maps by a grammar, in the generational loop.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GrammarConfig<P> {
    /// The evolutionary loop.
    pub evolution: GenerationalParams,
    /// The representation.
    pub params: P,
    /// The grammar.
    pub grammar: GrammarText,
}

impl<P: Serialize + DeserializeOwned> GrammarConfig<P> {
    /// The usual loop, representation and grammar of a method, where the settings are silent.
    pub(super) fn resolve(
        settings: &Settings,
        method: Method,
        own: &PartialParams<P>,
        (evolution, params): (GenerationalParams, P),
        grammar: &Shipped,
    ) -> Result<Self, SettingsError> {
        Ok(Self {
            evolution: settings.evolution.resolve(evolution),
            params: own.apply(&params).map_err(|source| SettingsError::Wrong { method, source })?,
            grammar: match &settings.grammar {
                Some(asked) => GrammarText::find(asked)?,
                None => GrammarText::from(grammar),
            },
        })
    }
}

/// Settings that do not go together.
#[derive(Debug, Error)]
pub enum SettingsError {
    /// A setting of another method.
    #[error("{setting} is no setting of method {method}; expected {expected}")]
    NotOfMethod {
        /// The setting.
        setting: &'static str,
        /// The method.
        method: Method,
        /// What would have been right.
        expected: &'static str,
    },
    /// A setting of another method, where no method is named.
    #[error(
        "{setting} is a setting of {owners}, but the method is {} where none is named; \
         add --method {add} (or `method = \"{add}\"` to the settings)",
        Method::default()
    )]
    NoMethodNamed {
        /// The setting.
        setting: String,
        /// Which methods have it.
        owners: &'static str,
        /// The one that is probably meant.
        add: Method,
    },
    /// A value that the method's settings do not take.
    #[error("the settings of method {method} are wrong: {source}")]
    Wrong {
        /// The method.
        method: Method,
        /// What is wrong.
        source: serde_json::Error,
    },
    /// The grammar cannot be read.
    #[error(transparent)]
    Grammar(#[from] GrammarFileError),
}

impl MethodConfig {
    /// Generations of a run that nobody limits. Those of GE, SGE and DSGE make the evaluations that
    /// the MGE paper gives them: 50,000, 50,000 and 250,000.
    pub(crate) fn default_generations(&self, size: TableSize) -> u64 {
        match self {
            Self::Ge(_) => 100,
            Self::Sge(_) => 500,
            Self::Dsge(_) => 2500,
            Self::Hybrid(params) => params.default_generations(size.rows),
            Self::Mge { .. } | Self::Neat(_) | Self::OvaNeat(_) if size.classes <= 3 => 500,
            Self::Mge { .. } | Self::Neat(_) | Self::OvaNeat(_) => 3000,
        }
    }

    /// Fills in what the method's paper has for a task with this many classes.
    pub(crate) fn resolve(settings: &Settings, classes: usize) -> Result<Self, SettingsError> {
        settings.check_method_named()?;
        let method = settings.method.unwrap_or_default();
        if settings.variant.is_some() && method != Method::Mge {
            let (setting, expected) = ("variant", "method mge, which has variants");
            return Err(SettingsError::NotOfMethod { setting, method, expected });
        }
        match method {
            Method::Mge => super::mge::resolve(settings, classes),
            Method::Ge => super::ge::resolve(settings, classes),
            Method::Sge => super::sge::resolve(settings),
            Method::Dsge => super::dsge::resolve(settings),
            Method::Neat => super::neat::resolve(settings, method).map(Self::Neat),
            Method::OvaNeat => super::neat::resolve(settings, method).map(Self::OvaNeat),
            Method::Hybrid => super::hybrid::resolve(settings).map(Self::Hybrid),
        }
    }

    /// Puts the method together for one task.
    pub(crate) fn prepare(
        &self,
        task: &Prepared,
        settings: &ResolvedSettings,
        evaluation: EvaluationMode,
    ) -> Result<Box<dyn PreparedMethod>, FitError> {
        match self {
            Self::Mge { variant, rules } => {
                super::mge::prepare(*variant, rules, task, settings, evaluation)
            }
            Self::Ge(rules) => super::ge::prepare(rules, task, settings, evaluation),
            Self::Sge(rules) => super::sge::prepare(rules, task, settings, evaluation),
            Self::Dsge(rules) => super::dsge::prepare(rules, task, settings, evaluation),
            Self::Neat(params) => super::neat::prepare(params, task, settings),
            Self::OvaNeat(params) => super::neat::prepare_one_versus_all(params, task, settings),
            Self::Hybrid(params) => super::hybrid::prepare(params, task, settings),
        }
    }

    /// The method.
    pub fn method(&self) -> Method {
        match self {
            Self::Mge { .. } => Method::Mge,
            Self::Ge(_) => Method::Ge,
            Self::Sge(_) => Method::Sge,
            Self::Dsge(_) => Method::Dsge,
            Self::Neat(_) => Method::Neat,
            Self::OvaNeat(_) => Method::OvaNeat,
            Self::Hybrid(_) => Method::Hybrid,
        }
    }

    /// The form of modularity, where the method has any.
    pub fn variant(&self) -> Option<Variant> {
        match self {
            Self::Mge { variant, .. } => Some(*variant),
            _ => None,
        }
    }

    /// The grammar, where the method has one.
    pub fn grammar(&self) -> Option<&GrammarText> {
        match self {
            Self::Mge { rules, .. } => Some(&rules.grammar),
            Self::Ge(rules) => Some(&rules.grammar),
            Self::Sge(rules) => Some(&rules.grammar),
            Self::Dsge(rules) => Some(&rules.grammar),
            Self::Neat(_) | Self::OvaNeat(_) | Self::Hybrid(_) => None,
        }
    }

    /// Individuals in a population, where the method has one.
    pub fn population(&self) -> Option<usize> {
        match self {
            Self::Mge { rules, .. } => Some(rules.evolution.population),
            Self::Ge(rules) => Some(rules.evolution.population),
            Self::Sge(rules) => Some(rules.evolution.population),
            Self::Dsge(rules) => Some(rules.evolution.population),
            Self::Neat(params) | Self::OvaNeat(params) => Some(params.population),
            Self::Hybrid(_) => None,
        }
    }

    /// A short name: the variant of MGE, else the method.
    pub fn short_name(&self) -> &'static str {
        self.variant().map_or(self.method().name(), Variant::name)
    }
}

/// One line for people.
impl fmt::Display for MethodConfig {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "method {}", self.method())?;
        if let Some(variant) = self.variant() {
            write!(f, ", variant {variant}")?;
        }
        if let Some(grammar) = self.grammar() {
            write!(f, ", grammar {}", grammar.name)?;
        }
        if let Self::Mge { rules, .. } = self
            && rules.params.real.is_some()
        {
            write!(f, ", real weights")?;
        }
        if let Some(population) = self.population() {
            write!(f, ", population {population}")?;
        }
        Ok(())
    }
}
