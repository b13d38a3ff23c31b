//! Dynamic Structured Grammatical Evolution on one task.

use super::prepared::{PreparedMethod, bind};
use super::whole::{self, WholeMapper};
use super::{GrammarRules, Method, MethodRules, SettingsError};
use crate::FitError;
use crate::fit::Evaluation;
use crate::prepare::Prepared;
use crate::settings::{Resolved, Settings};
use mge_evolve::GenerationalParams;
use mge_grammar::dsge::{DsgeParams, Genotype, Mapper, Variation, Workspace};
use mge_grammar::shipped;
use mge_net::Network;

/// The loop as Assunção and others have it, but for less crossover: exchanging whole lists at
/// their rate of 0.95 keeps networks at one or two neurons here (`docs/methods/dsge.md`).
const USUAL: GenerationalParams =
    GenerationalParams { population: 100, crossover_rate: 0.3, tournament: 3, elite: 0.01 };

pub(super) fn resolve(settings: &Settings) -> Result<MethodRules, SettingsError> {
    let usual = (USUAL, DsgeParams::default());
    let own = &settings.dsge;
    let rules = GrammarRules::resolve(settings, Method::Dsge, own, usual, &shipped::DSGE)?;
    Ok(MethodRules::Dsge(rules))
}

pub(super) fn prepare(
    rules: &GrammarRules<DsgeParams>,
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
