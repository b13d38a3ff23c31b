//! One-versus-all NEAT: one binary search for each class; the largest output wins.

use super::bound_search::{BoundSearch, PreparedMethod};
use super::neat;
use super::registry::Method;
use super::search_method::{CommonSetting, MethodFacts, MethodInfo, SearchMethod};
use super::training_task::TrainingTask;
use crate::FitError;
use crate::fitness::{Fitness, Objective};
use crate::settings::{Settings, SettingsError};
use crate::task::TaskSize;
use mge_neat::{Mapper, NeatParams, OvaGenome, OvaNeat, Shape, Workspace};
use mge_net::Targets;
use std::sync::Arc;
use thiserror::Error;

pub(super) static METHOD: OvaNeatMethod = OvaNeatMethod;

pub(super) struct OvaNeatMethod;

/// The method has one search for each class, and numbers have none.
#[derive(Debug, Error)]
#[error(
    "method ova-neat makes one network for each class, and this target is a number; expected \
     another method, such as --method neat"
)]
struct NoClasses;

impl Method {
    /// One binary NEAT search for each class; the largest output wins.
    pub const OVA_NEAT: Method = Method::named("ova-neat");
}

impl SearchMethod for OvaNeatMethod {
    type Params = NeatParams;
    /// The settings of each binary search.
    type Config = NeatParams;

    fn info(&self) -> MethodInfo {
        MethodInfo {
            name: "ova-neat",
            summary: "one binary NEAT search for each class; the largest output wins",
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
        neat::resolve(self, settings)
    }

    fn default_generations(&self, _: &NeatParams, size: TaskSize) -> u64 {
        neat::default_generations(size)
    }

    fn facts<'c>(&self, config: &'c NeatParams) -> MethodFacts<'c> {
        neat::facts(config)
    }

    fn prepare(
        &self,
        config: &NeatParams,
        task: &TrainingTask<'_>,
    ) -> Result<Box<dyn PreparedMethod>, FitError> {
        let shape = Shape { inputs: task.features(), outputs: 1 };
        let params = config.clone().check(shape).map_err(FitError::method)?;
        let mapper = Mapper::new(&params);
        let objective = Objective { loss: task.loss, weight: task.class_weight };
        let Targets::Classes { labels, .. } = task.targets else {
            return Err(FitError::method(NoClasses));
        };
        let of_class = |class: u32| {
            let labels: Vec<u32> = labels.iter().map(|&label| u32::from(label == class)).collect();
            let targets = Targets::classes(&labels, 2);
            Fitness::new(mapper.clone(), task.columns, targets, objective, None)
        };
        let classes = task.task.kind().classes() as u32;
        let evaluators = (0..classes).map(of_class).collect::<Result<Vec<_>, _>>()?;
        let search = OvaNeat::new(evaluators, &params, task.seed).map_err(FitError::method)?;
        let rows = Arc::new(task.evaluator()?);
        let network = move |_: &OvaNeat<Fitness<Mapper>>, genomes: &OvaGenome| {
            genomes.map(&mapper, &mut Workspace::default())
        };
        Ok(Box::new(BoundSearch::new(search, rows, network)))
    }
}
