//! Dynamic Structured Grammatical Evolution on one task.

use super::prepared::{PreparedMethod, bind};
use super::whole;
use super::{GrammarConfig, Method, MethodConfig, SettingsError};
use crate::FitError;
use crate::fit::EvaluationMode;
use crate::prepare::Prepared;
use crate::settings::{ResolvedSettings, Settings};
use mge_grammar::dsge::{DsgeParams, Mapper, Variation};
use mge_grammar::shipped;

pub(super) fn resolve(settings: &Settings) -> Result<MethodConfig, SettingsError> {
    let usual = (DsgeParams::LOOP, DsgeParams::default());
    let own = &settings.dsge;
    let rules = GrammarConfig::resolve(settings, Method::Dsge, own, usual, &shipped::DSGE)?;
    Ok(MethodConfig::Dsge(rules))
}

pub(super) fn prepare(
    rules: &GrammarConfig<DsgeParams>,
    task: &Prepared,
    settings: &ResolvedSettings,
    evaluation: EvaluationMode,
) -> Result<Box<dyn PreparedMethod>, FitError> {
    let grammar = bind(&rules.grammar, task)?;
    let warnings = grammar.template().warnings().to_vec();
    let params = rules.params.clone().check()?;
    let mapper = Mapper::new(grammar, &params)?;
    let variation = Variation::new(&mapper, params);
    whole::join(rules, (variation, mapper), (task, settings, evaluation), (None, warnings))
}
