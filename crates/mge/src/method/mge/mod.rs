//! Modular Grammatical Evolution: each gene is a neuron, a genotype is a list of genes.

mod mapping;
mod settings;
mod tuned;

use super::bound_search::{BoundSearch, PreparedMethod};
use super::grammar_config::GrammarConfig;
use super::registry::Method;
use super::search_method::{CommonSetting, MethodFacts, MethodInfo, SearchMethod};
use super::training_task::TrainingTask;
use crate::FitError;
use crate::grammar_text::GrammarText;
use crate::settings::{Settings, SettingsError};
use crate::task::TaskSize;
use mge_evolve::{Generational, GenerationalParams};
use mge_grammar::mge::{Mapper, MgeParams, Variant, Variation};
use serde::{Deserialize, Serialize};
use settings::MgeSettings;
use tuned::TunedFitness;

pub(super) static METHOD: Mge = Mge;

pub(super) struct Mge;

impl Method {
    /// Modular Grammatical Evolution, as the paper has it.
    pub const MGE: Method = Method::named("mge");
}

/// The resolved settings.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct MgeConfig {
    /// The form of modularity.
    variant: Variant,
    /// The rest.
    rules: GrammarConfig<MgeParams>,
}

impl SearchMethod for Mge {
    type Params = MgeSettings;
    type Config = MgeConfig;

    fn info(&self) -> MethodInfo {
        MethodInfo {
            name: "mge",
            summary: "Modular Grammatical Evolution: each gene is a neuron; five forms of modularity",
            algorithm_version: 1,
            table: "mge",
            reads: &[
                CommonSetting::Variant,
                CommonSetting::Grammar,
                CommonSetting::Population,
                CommonSetting::Selection,
            ],
            keeps_front: false,
        }
    }

    fn resolve(
        &'static self,
        settings: &Settings,
        size: TaskSize,
    ) -> Result<MgeConfig, SettingsError> {
        let variant = settings.variant.unwrap_or_default();
        let grammar = match &settings.grammar {
            Some(asked) => GrammarText::find(asked)?,
            None => GrammarText::of_variant(variant),
        };
        let evolution = settings.evolution.resolve(GenerationalParams::default());
        let own: MgeSettings = settings.params(self, &MgeSettings::default())?;
        let params = own.resolve(size.kind.classes_of_equal_size());
        let params = params.map_err(|error| SettingsError::of_method(self.method(), error))?;
        Ok(MgeConfig { variant, rules: GrammarConfig { evolution, params, grammar } })
    }

    fn default_generations(&self, _: &MgeConfig, size: TaskSize) -> u64 {
        if size.kind.classes_of_equal_size() <= 3 { 500 } else { 3000 }
    }

    fn facts<'c>(&self, config: &'c MgeConfig) -> MethodFacts<'c> {
        let has_real_weights = config.rules.params.real.is_some();
        let notes = has_real_weights.then(|| "real weights".to_owned());
        MethodFacts {
            variant: Some(config.variant.name()),
            notes: notes.into_iter().collect(),
            ..config.rules.facts()
        }
    }

    /// Grammar, mapper, variation and fitness become a search. Everything that settings and data
    /// can get wrong together is found here.
    fn prepare(
        &self,
        config: &MgeConfig,
        task: &TrainingTask<'_>,
    ) -> Result<Box<dyn PreparedMethod>, FitError> {
        let MgeConfig { variant, rules } = config;
        let grammar = rules.bound_grammar(task)?;
        let warnings = grammar.template().warnings().to_vec();
        let params = rules.params.clone().check(&grammar, *variant).map_err(FitError::method)?;
        let codon_bits = params.codon_bits();
        let mapper = Mapper::new(grammar, *variant, rules.params.wraps);
        let mapper = mapper.map_err(FitError::method)?;
        let mapper = mapper.with_weight_slots(params.weight_slots().cloned());
        mapper.check(rules.params.gene_length, codon_bits).map_err(FitError::method)?;
        let fitness = task.fitness(mapper)?;
        let rows = fitness.rows();
        let fitness = TunedFitness::new(fitness, rules.params.real.as_ref());
        let evolution = rules.evolution.clone().check()?;
        let search = Generational::new(Variation::new(params), fitness, evolution, task.seed);
        let bound = BoundSearch::new(search, rows, |search, genotype| {
            search.evaluator().fitness.network(genotype)
        });
        Ok(Box::new(bound.with_codon_bits(Some(codon_bits)).with_warnings(warnings)))
    }
}
