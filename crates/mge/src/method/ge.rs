//! Grammatical Evolution on one task.

use super::prepared::{PreparedMethod, bind};
use super::whole;
use super::{GrammarConfig, Method, MethodConfig, SettingsError};
use crate::FitError;
use crate::fit::EvaluationMode;
use crate::prepare::Prepared;
use crate::settings::{ResolvedSettings, Settings};
use mge_grammar::ge::{GeParams, Mapper, Variation};
use mge_grammar::shipped;

pub(super) fn resolve(settings: &Settings, classes: usize) -> Result<MethodConfig, SettingsError> {
    let usual = (GeParams::LOOP, GeParams::for_classes(classes));
    let rules = GrammarConfig::resolve(settings, Method::Ge, &settings.ge, usual, &shipped::GE)?;
    Ok(MethodConfig::Ge(rules))
}

pub(super) fn prepare(
    rules: &GrammarConfig<GeParams>,
    task: &Prepared,
    settings: &ResolvedSettings,
    evaluation: EvaluationMode,
) -> Result<Box<dyn PreparedMethod>, FitError> {
    let grammar = bind(&rules.grammar, task)?;
    let warnings = grammar.template().warnings().to_vec();
    let params = rules.params.clone().check(&grammar)?;
    let codon_bits = params.codon_bits();
    let mapper = Mapper::new(grammar, &params)?;
    let variation = Variation::new(params);
    let about = (Some(codon_bits), warnings);
    whole::join(rules, (variation, mapper), (task, settings, evaluation), about)
}
