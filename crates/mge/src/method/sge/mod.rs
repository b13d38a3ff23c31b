//! Structured Grammatical Evolution: one list of fixed length for each non-terminal.

use super::bound_search::PreparedMethod;
use super::grammar_config::{GrammarConfig, GrammarDefaults, READS};
use super::registry::Method;
use super::search_method::{MethodFacts, MethodInfo, SearchMethod};
use super::training_task::TrainingTask;
use super::whole_genome::{self, GrammarFacts};
use crate::FitError;
use crate::settings::{Settings, SettingsError};
use crate::task::TaskSize;
use mge_grammar::sge::{Mapper, SgeParams, Variation};
use mge_grammar::shipped;

pub(super) static METHOD: Sge = Sge;

pub(super) struct Sge;

impl Method {
    /// Structured Grammatical Evolution.
    pub const SGE: Method = Method::named("sge");
}

impl SearchMethod for Sge {
    type Params = SgeParams;
    type Config = GrammarConfig<SgeParams>;

    fn info(&self) -> MethodInfo {
        MethodInfo {
            name: "sge",
            summary: "Structured Grammatical Evolution: one list of fixed length for each non-terminal",
            algorithm_version: 1,
            table: "sge",
            reads: READS,
            keeps_front: false,
        }
    }

    fn resolve(
        &'static self,
        settings: &Settings,
        _: TaskSize,
    ) -> Result<Self::Config, SettingsError> {
        let params = SgeParams::default();
        let defaults =
            GrammarDefaults { evolution: SgeParams::LOOP, params, grammar: &shipped::SGE };
        GrammarConfig::resolve(self, settings, defaults)
    }

    /// They make the 50,000 evaluations that the MGE paper gives SGE.
    fn default_generations(&self, _: &Self::Config, _: TaskSize) -> u64 {
        500
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
        let params = config.params.clone().check().map_err(FitError::method)?;
        let mapper = Mapper::new(grammar, &params).map_err(FitError::method)?;
        let variation = Variation::new(&mapper, params);
        let facts = GrammarFacts { codon_bits: None, warnings };
        whole_genome::prepare(config, variation, mapper, task, facts)
    }
}
