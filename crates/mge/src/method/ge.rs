//! Grammatical Evolution on one task.

use super::prepared::{PreparedMethod, bind};
use super::whole::{self, WholeMapper};
use super::{GrammarRules, Method, MethodRules, SettingsError};
use crate::FitError;
use crate::fit::Evaluation;
use crate::prepare::Prepared;
use crate::settings::{Resolved, Settings};
use mge_evolve::GenerationalParams;
use mge_grammar::ge::{GeParams, Genotype, Mapper, Variation, Workspace};
use mge_grammar::shipped;
use mge_net::Network;

/// The loop as the tools of Tsoulos have it.
const USUAL: GenerationalParams =
    GenerationalParams { population: 500, crossover_rate: 0.9, tournament: 20, elite: 0.1 };

pub(super) fn resolve(settings: &Settings, classes: usize) -> Result<MethodRules, SettingsError> {
    let usual = (USUAL, GeParams::for_classes(classes));
    let rules = GrammarRules::resolve(settings, Method::Ge, &settings.ge, usual, &shipped::GE)?;
    Ok(MethodRules::Ge(rules))
}

pub(super) fn prepare(
    rules: &GrammarRules<GeParams>,
    task: &Prepared,
    settings: &Resolved,
    evaluation: Evaluation,
) -> Result<Box<dyn PreparedMethod>, FitError> {
    let grammar = bind(&rules.grammar, task)?;
    let warnings = grammar.template().warnings().to_vec();
    let params = rules.params.clone().check(&grammar)?;
    let codon_bits = params.codon_bits();
    let mapper = Mapper::new(grammar, &params)?;
    let variation = Variation::new(params);
    mapper.check(&variation)?;
    let evolution = rules.evolution.clone().check()?;
    let about = (Some(codon_bits), warnings);
    whole::join(variation, mapper, evolution, (task, settings, evaluation), about)
}

impl WholeMapper for Mapper {
    type Genome = Genotype;
    type Workspace = Workspace;

    fn network(&self, genotype: &Genotype, workspace: &mut Workspace) -> Option<Network> {
        self.map(genotype, workspace).network
    }
}
