//! Structured Grammatical Evolution on one task.

use super::prepared::{PreparedMethod, bind};
use super::whole::{self, WholeMapper};
use super::{GrammarRules, Method, MethodRules, SettingsError};
use crate::FitError;
use crate::fit::Evaluation;
use crate::prepare::Prepared;
use crate::settings::{Resolved, Settings};
use mge_evolve::GenerationalParams;
use mge_grammar::sge::{Genotype, Mapper, SgeParams, Variation, Workspace};
use mge_grammar::shipped;
use mge_net::Network;

/// The loop as we know it from Lourenço and others; `docs/methods/sge.md` has the sources.
const USUAL: GenerationalParams =
    GenerationalParams { population: 100, crossover_rate: 0.95, tournament: 3, elite: 0.01 };

pub(super) fn resolve(settings: &Settings) -> Result<MethodRules, SettingsError> {
    let usual = (USUAL, SgeParams::default());
    let own = &settings.sge;
    let rules = GrammarRules::resolve(settings, Method::Sge, own, usual, &shipped::SGE)?;
    Ok(MethodRules::Sge(rules))
}

pub(super) fn prepare(
    rules: &GrammarRules<SgeParams>,
    task: &Prepared,
    settings: &Resolved,
    evaluation: Evaluation,
) -> Result<Box<dyn PreparedMethod>, FitError> {
    let grammar = bind(&rules.grammar, task)?;
    let warnings = grammar.template().warnings().to_vec();
    let params = rules.params.clone().check()?;
    let mapper = Mapper::new(grammar, &params)?;
    let variation = Variation::new(&mapper, params);
    mapper.check(&variation)?;
    let evolution = rules.evolution.clone().check()?;
    whole::join(variation, mapper, evolution, (task, settings, evaluation), (None, warnings))
}

impl WholeMapper for Mapper {
    type Genome = Genotype;
    type Workspace = Workspace;

    fn network(&self, genotype: &Genotype, workspace: &mut Workspace) -> Option<Network> {
        self.map(genotype, workspace).network
    }
}
