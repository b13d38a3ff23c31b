//! What the methods that map by a grammar have in common: their resolved settings, and binding the
//! grammar to a task.

use super::search_method::{CommonSetting, MethodFacts, SearchMethod};
use super::training_task::TrainingTask;
use crate::FitError;
use crate::grammar_text::GrammarText;
use crate::settings::{Settings, SettingsError};
use mge_evolve::GenerationalParams;
use mge_grammar::shipped::Shipped;
use mge_grammar::{Grammar, Shape, Template};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

/// The common settings of methods that map by a grammar, in the generational loop.
pub(super) const READS: &[CommonSetting] =
    &[CommonSetting::Grammar, CommonSetting::Population, CommonSetting::Selection];

/// The resolved settings of a method that maps by a grammar, in the generational loop.
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

/// A method's defaults, for settings that are not given.
pub(super) struct GrammarDefaults<'g, P> {
    pub evolution: GenerationalParams,
    pub params: P,
    pub grammar: &'g Shipped,
}

impl<P: Default + Serialize + DeserializeOwned> GrammarConfig<P> {
    /// Fills in a method's defaults.
    pub(super) fn resolve<M: SearchMethod<Params = P>>(
        method: &'static M,
        settings: &Settings,
        defaults: GrammarDefaults<'_, P>,
    ) -> Result<Self, SettingsError> {
        let GrammarDefaults { evolution, params, grammar } = defaults;
        Ok(Self {
            evolution: settings.evolution.resolve(evolution),
            params: settings.params(method, &params)?,
            grammar: match &settings.grammar {
                Some(asked) => GrammarText::find(asked)?,
                None => GrammarText::from(grammar),
            },
        })
    }

    pub(super) fn facts(&self) -> MethodFacts<'_> {
        MethodFacts {
            grammar: Some(&self.grammar),
            population: Some(self.evolution.population),
            ..MethodFacts::default()
        }
    }

    /// The grammar, bound to the features and outputs of a task.
    pub(super) fn bound_grammar(&self, task: &TrainingTask<'_>) -> Result<Grammar, FitError> {
        let shape = Shape { features: task.features(), outputs: task.outputs() };
        let GrammarText { name, text } = &self.grammar;
        let template = Template::parse(name, text)?;
        template.bind(shape).map_err(FitError::method)
    }
}
