//! NEAT and one-versus-all NEAT on one task.

use super::prepared::{BoundMethod, PreparedMethod};
use super::{Method, SettingsError};
use crate::FitError;
use crate::fit::EvaluationMode;
use crate::fitness::{Fitness, Listed, ListedNetwork, Mapping, Objective};
use crate::prepare::Prepared;
use crate::settings::{ResolvedSettings, Settings};
use mge_neat::{Genome, Mapper, Neat, NeatParams, OvaGenome, OvaNeat, Shape, Workspace};
use mge_net::{BatchEvaluator, Network, PartLists, outputs_for};
use std::sync::Arc;

pub(super) fn resolve(settings: &Settings, method: Method) -> Result<NeatParams, SettingsError> {
    if settings.grammar.is_some() {
        let (setting, expected) = ("grammar", "a method that maps by a grammar");
        return Err(SettingsError::NotOfMethod { setting, method, expected });
    }
    // Of the shared loop NEAT has the population only, and its own table comes first.
    let usual = NeatParams::default();
    let population = settings.evolution.population.unwrap_or(usual.population);
    let usual = NeatParams { population, ..usual };
    settings.neat.apply(&usual).map_err(|source| SettingsError::Wrong { method, source })
}

pub(super) fn prepare(
    params: &NeatParams,
    task: &Prepared,
    settings: &ResolvedSettings,
) -> Result<Box<dyn PreparedMethod>, FitError> {
    let outputs = outputs_for(task.task.classes().len());
    let params = params.clone().check(Shape { inputs: task.train.columns.count(), outputs })?;
    let mapper = Mapper::new(&params);
    let fitness = Fitness::of_task(mapper, task, settings, EvaluationMode::Full)?;
    let rows = fitness.rows();
    let search = Neat::new(fitness, params, settings.seed);
    let network = Box::new(|search: &Neat<Fitness<Mapper>>, genome: &Genome| {
        search.evaluator().network(genome)
    });
    Ok(Box::new(BoundMethod { search, network, rows, codon_bits: None, warnings: Vec::new() }))
}

pub(super) fn prepare_one_versus_all(
    params: &NeatParams,
    task: &Prepared,
    settings: &ResolvedSettings,
) -> Result<Box<dyn PreparedMethod>, FitError> {
    let rows = &task.train.columns;
    let classes = task.task.classes().len();
    let params = params.clone().check(Shape { inputs: rows.count(), outputs: 1 })?;
    let mapper = Mapper::new(&params);
    let objective = Objective { loss: settings.loss, weight: settings.data.class_weight };
    let of_class = |class: u32| {
        let labels: Vec<u32> =
            task.train.labels.iter().map(|&label| u32::from(label == class)).collect();
        Fitness::new(mapper.clone(), (rows, &labels), 1, objective, None)
    };
    let evaluators = (0..classes as u32).map(of_class).collect::<Result<Vec<_>, _>>()?;
    let search = OvaNeat::new(evaluators, &params, settings.seed)?;
    let outputs = outputs_for(classes);
    let all = Arc::new(BatchEvaluator::new(rows, &task.train.labels, outputs, settings.loss)?);
    let network = Box::new(move |_: &OvaNeat<Fitness<Mapper>>, genomes: &OvaGenome| {
        genomes.map(&mapper, &mut Workspace::default())
    });
    let (codon_bits, warnings) = (None, Vec::new());
    Ok(Box::new(BoundMethod { search, network, rows: all, codon_bits, warnings }))
}

/// NEAT's networks have biases and direct links at their outputs, which parts cannot say.
impl Mapping for Mapper {
    type Genome = Genome;
    type Workspace = Workspace;
    type Memory = ();

    fn map(&self, genome: &Genome, workspace: &mut Workspace) -> (Option<Network>, u32) {
        (Mapper::map(self, genome, workspace), 0)
    }

    fn memory(&self) {}

    fn learn(&self, _: &[Genome], (): &mut ()) {}

    fn list<'m>(&self, _: usize, _: &'m Genome, (): &'m (), _: &mut PartLists<'m>) -> Listed {
        Listed { network: ListedNetwork::Alone, invalid_parts: 0 }
    }
}
