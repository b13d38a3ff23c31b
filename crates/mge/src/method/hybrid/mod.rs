//! The hybrid method: structure by search, weights by gradient. It keeps the front of networks.

use super::bound_search::{LoopControl, PreparedMethod, SearchResult};
use super::registry::Method;
use super::search_method::{MethodInfo, SearchMethod};
use super::training_task::TrainingTask;
use crate::FitError;
use crate::front::FrontPoint;
use crate::settings::{ClassWeight, Settings, SettingsError};
use crate::task::TaskSize;
use crate::watch::Networks;
use mge_data::RowDependence;
use mge_evolve::{CheckedStopRules, Outcome, Run, RunError, Search};
use mge_hybrid::{Dependence, Hybrid, HybridParams, Member, TrainingData};
use mge_net::BatchEvaluator;

pub(super) static METHOD: HybridMethod = HybridMethod;

pub(super) struct HybridMethod;

impl Method {
    /// Structure by search, weights by gradient; keeps the front of accuracy against cost. The
    /// default method.
    pub const HYBRID: Method = Method::named("hybrid");
}

impl SearchMethod for HybridMethod {
    type Params = HybridParams;
    type Config = HybridParams;

    fn info(&self) -> MethodInfo {
        MethodInfo {
            name: "hybrid",
            summary: "structure by search, weights by gradient; keeps the front of accuracy against cost",
            algorithm_version: 5,
            table: "hybrid",
            reads: &[],
            keeps_front: true,
        }
    }

    fn resolve(
        &'static self,
        settings: &Settings,
        _: TaskSize,
    ) -> Result<HybridParams, SettingsError> {
        settings.params(self, &HybridParams::default())
    }

    fn default_generations(&self, config: &HybridParams, size: TaskSize) -> u64 {
        config.default_generations(size.rows)
    }

    fn prepare(
        &self,
        config: &HybridParams,
        task: &TrainingTask<'_>,
    ) -> Result<Box<dyn PreparedMethod>, FitError> {
        let params = config.clone().check();
        let params = params.map_err(|error| SettingsError::of_method(Method::HYBRID, error))?;
        let data = TrainingData {
            columns: task.columns,
            targets: task.targets,
            loss: task.loss,
            is_balanced: task.class_weight == ClassWeight::Balanced,
            dependence: match task.dependence {
                RowDependence::Independent => Dependence::Independent,
                RowDependence::Groups(groups) => Dependence::Groups(groups),
                RowDependence::Time(ranks) => Dependence::Time(ranks),
            },
        };
        let search = Hybrid::new(data, params, task.seed).map_err(FitError::method)?;
        Ok(Box::new(PreparedHybrid { search, rows: task.evaluator()? }))
    }
}

/// Unlike with other methods, what the search holds is not yet what a user gets: its networks are
/// refitted on all rows, and the whole front is kept.
struct PreparedHybrid {
    search: Hybrid,
    rows: BatchEvaluator,
}

impl PreparedMethod for PreparedHybrid {
    fn check_budget(&self, stop: &CheckedStopRules) -> Result<(), RunError> {
        Run::new(&self.search, stop.clone()).check()
    }

    fn search(&self, control: LoopControl<'_>) -> Result<SearchResult, RunError> {
        let network = |member: &Member| Some(member.network.clone());
        let point = |member: &Member| FrontPoint {
            operations: member.operations,
            accuracy: member.accuracy,
        };
        let networks = Networks { of: &network, rows: &self.rows, point: Some(&point) };
        let Outcome { state, reason, progress, seconds } =
            control.run_watched(&self.search, networks)?;
        let front = self.search.final_front(&state);
        let best = self.search.pick(&front);
        Ok(SearchResult {
            network: best.map(|member| member.network.clone()),
            genotype: serde_json::to_value(best).expect("a member has text keys only"),
            front: Some(front),
            history: self.search.history(&state).to_vec(),
            reason,
            progress,
            seconds,
        })
    }
}
