//! Dynamic Structured Grammatical Evolution: lists that grow, networks of several layers.

use super::bound_search::PreparedMethod;
use super::grammar_config::{GrammarConfig, GrammarDefaults, READS};
use super::registry::Method;
use super::search_method::{MethodFacts, MethodInfo, SearchMethod};
use super::training_task::TrainingTask;
use super::whole_genome::{self, GrammarFacts};
use crate::FitError;
use crate::settings::{Settings, SettingsError};
use crate::task::TaskSize;
use mge_grammar::dsge::{DsgeParams, Mapper, Variation};
use mge_grammar::shipped;

pub(super) static METHOD: Dsge = Dsge;

pub(super) struct Dsge;

impl Method {
    /// Dynamic Structured Grammatical Evolution.
    pub const DSGE: Method = Method::named("dsge");
}

impl SearchMethod for Dsge {
    type Params = DsgeParams;
    type Config = GrammarConfig<DsgeParams>;

    fn info(&self) -> MethodInfo {
        MethodInfo {
            name: "dsge",
            summary: "Dynamic Structured Grammatical Evolution: lists that grow, networks of several layers",
            algorithm_version: 1,
            table: "dsge",
            reads: READS,
            keeps_front: false,
        }
    }

    fn resolve(
        &'static self,
        settings: &Settings,
        _: TaskSize,
    ) -> Result<Self::Config, SettingsError> {
        let params = DsgeParams::default();
        let defaults =
            GrammarDefaults { evolution: DsgeParams::LOOP, params, grammar: &shipped::DSGE };
        GrammarConfig::resolve(self, settings, defaults)
    }

    /// They make the 250,000 evaluations that the MGE paper gives DSGE.
    fn default_generations(&self, _: &Self::Config, _: TaskSize) -> u64 {
        2500
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
