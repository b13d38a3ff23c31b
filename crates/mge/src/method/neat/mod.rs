//! NEAT: NeuroEvolution of Augmenting Topologies.

mod mapping;

use super::bound_search::{BoundSearch, PreparedMethod};
use super::registry::Method;
use super::search_method::{CommonSetting, MethodFacts, MethodInfo, SearchMethod};
use super::training_task::TrainingTask;
use crate::FitError;
use crate::run_options::EvaluationMode;
use crate::settings::{Settings, SettingsError};
use crate::task::TaskSize;
use mge_neat::{Mapper, Neat, NeatParams, Shape};

pub(super) static METHOD: NeatMethod = NeatMethod;

pub(super) struct NeatMethod;

impl Method {
    /// NeuroEvolution of Augmenting Topologies.
    pub const NEAT: Method = Method::named("neat");
}

impl SearchMethod for NeatMethod {
    type Params = NeatParams;
    type Config = NeatParams;

    fn info(&self) -> MethodInfo {
        MethodInfo {
            name: "neat",
            summary: "NEAT: networks that grow node by node, in species",
            algorithm_version: 1,
            table: "neat",
            reads: &[CommonSetting::Population],
            keeps_front: false,
        }
    }

    fn resolve(
        &'static self,
        settings: &Settings,
        _: TaskSize,
    ) -> Result<NeatParams, SettingsError> {
        resolve(self, settings)
    }

    fn default_generations(&self, _: &NeatParams, size: TaskSize) -> u64 {
        default_generations(size)
    }

    fn facts<'c>(&self, config: &'c NeatParams) -> MethodFacts<'c> {
        facts(config)
    }

    fn prepare(
        &self,
        config: &NeatParams,
        task: &TrainingTask<'_>,
    ) -> Result<Box<dyn PreparedMethod>, FitError> {
        let shape = Shape { inputs: task.features(), outputs: task.outputs() };
        let params = config.clone().check(shape).map_err(FitError::method)?;
        let mapper = Mapper::new(&params);
        let fitness = task.fitness_by(mapper, EvaluationMode::Full)?;
        let rows = fitness.rows();
        let search = Neat::new(fitness, params, task.seed);
        Ok(Box::new(BoundSearch::new(search, rows, |search, genome| {
            search.evaluator().network(genome)
        })))
    }
}

/// Of the common loop NEAT has the population only, and its own table comes first.
pub(super) fn resolve<M: SearchMethod<Params = NeatParams>>(
    method: &'static M,
    settings: &Settings,
) -> Result<NeatParams, SettingsError> {
    let default = NeatParams::default();
    let population = settings.evolution.population.unwrap_or(default.population);
    settings.params(method, &NeatParams { population, ..default })
}

pub(super) fn default_generations(size: TaskSize) -> u64 {
    if size.kind.classes_of_equal_size() <= 3 { 500 } else { 3000 }
}

pub(super) fn facts(config: &NeatParams) -> MethodFacts<'_> {
    MethodFacts { population: Some(config.population), ..MethodFacts::default() }
}
