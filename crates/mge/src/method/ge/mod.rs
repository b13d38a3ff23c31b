//! Grammatical Evolution: one list of codons for the whole network.

use super::bound_search::PreparedMethod;
use super::grammar_config::{GrammarConfig, GrammarDefaults, READS};
use super::registry::Method;
use super::search_method::{MethodFacts, MethodInfo, SearchMethod};
use super::training_task::TrainingTask;
use super::whole_genome::{self, GrammarFacts};
use crate::FitError;
use crate::settings::{Settings, SettingsError};
use crate::task::TaskSize;
use mge_grammar::ge::{GeParams, Mapper, Variation};
use mge_grammar::shipped;

pub(super) static METHOD: Ge = Ge;

pub(super) struct Ge;

impl Method {
    /// Grammatical Evolution.
    pub const GE: Method = Method::named("ge");
}

impl SearchMethod for Ge {
    type Params = GeParams;
    type Config = GrammarConfig<GeParams>;

    fn info(&self) -> MethodInfo {
        MethodInfo {
            name: "ge",
            summary: "Grammatical Evolution: one list of codons for the whole network",
            algorithm_version: 1,
            table: "ge",
            reads: READS,
            keeps_front: false,
        }
    }

    fn resolve(
        &'static self,
        settings: &Settings,
        size: TaskSize,
    ) -> Result<Self::Config, SettingsError> {
        let params = GeParams::for_classes(size.kind.classes_of_equal_size());
        let defaults = GrammarDefaults { evolution: GeParams::LOOP, params, grammar: &shipped::GE };
        GrammarConfig::resolve(self, settings, defaults)
    }

    /// They make the 50,000 evaluations that the MGE paper gives GE.
    fn default_generations(&self, _: &Self::Config, _: TaskSize) -> u64 {
        100
    }

    fn facts<'c>(&self, config: &'c Self::Config) -> MethodFacts<'c> {
        config.facts()
    }

    fn prepare(
        &self,
        config: &Self::Config,
        task: &TrainingTask<'_>,
    ) -> Result<Box<dyn PreparedMethod>, FitError> {
        let grammar = config.bound_grammar(task)?;
        let warnings = grammar.template().warnings().to_vec();
        let params = config.params.clone().check(&grammar).map_err(FitError::method)?;
        let facts = GrammarFacts { codon_bits: Some(params.codon_bits()), warnings };
        let mapper = Mapper::new(grammar, &params).map_err(FitError::method)?;
        whole_genome::prepare(config, Variation::new(params), mapper, task, facts)
    }
}
