//! The search: a strategy behind the contract of [`Search`].

use crate::budgets::Budgets;
use crate::cost_model::min_bytes;
use crate::front::{HybridState, Member};
use crate::params::CheckedParams;
use crate::pick::{non_dominated, pick};
use crate::start::TableShape;
use crate::strategy::{CvStrategy, HoldOutStrategy, SearchContext, Strategy};
use crate::training_config::TrainingConfig;
use crate::training_data::{HybridError, TrainingData};
use mge_evolve::{GenerationProgress, Progress, Record, Search, ShouldStop};
use mge_net::{EvaluationError, Network, Scratch};
use rayon::prelude::*;
use std::sync::Arc;

/// The hybrid search on one table.
pub struct Hybrid {
    strategy: Box<dyn Strategy>,
}

impl Hybrid {
    /// Prepares a search.
    ///
    /// # Errors
    /// As [`mge_net::BatchEvaluator::new`]; when a limit is below the smallest network, and when a
    /// start network has another shape than the table.
    pub fn new(
        data: TrainingData<'_>,
        params: CheckedParams,
        seed: u64,
    ) -> Result<Self, HybridError> {
        let (inputs, outputs) = (data.columns.count(), data.targets.outputs());
        check(&params, inputs, outputs)?;
        let settings = &params.0;
        let link = data.targets.link();
        match link.is_identity() {
            true if data.is_balanced => return Err(EvaluationError::NothingToBalance.into()),
            true => {}
            false => settings.refit_loss.check(link)?,
        }
        let rows = data.targets.rows();
        let is_large_table = settings.is_large_table(rows);
        let size = TableShape { rows, inputs, outputs };
        let first_configs = if is_large_table {
            TrainingConfig::first_of_large_table(settings, size)
        } else {
            TrainingConfig::first_of_small_table(settings, size)
        };
        let budgets = Budgets::new(&params, inputs, outputs, is_large_table);
        let cost_model = params.cost_model(inputs);
        let progress = Arc::default();
        let context = SearchContext { params, seed, budgets, cost_model, first_configs, progress };
        let strategy: Box<dyn Strategy> = if is_large_table {
            Box::new(HoldOutStrategy::new(&data, context)?)
        } else {
            Box::new(CvStrategy::new(&data, context)?)
        };
        Ok(Self { strategy })
    }

    /// The budgets of the front, ascending.
    pub fn budgets(&self) -> &[usize] {
        self.strategy.context().budgets.on_front()
    }

    /// The members of the front, without those of auxiliary budgets.
    fn on_front<'f>(&self, front: &'f HybridState) -> &'f [Member] {
        &front.members[..self.budgets().len()]
    }

    /// The result of a search: the front with all networks trained on all rows, those of a
    /// validation part included.
    pub fn final_front(&self, front: &HybridState) -> Vec<Member> {
        let members = self.on_front(front);
        // The same network may be on several levels that follow each other.
        let is_same = |a: &Member, b: &Member| {
            a.network == b.network && a.l2 == b.l2 && a.range_scaled == b.range_scaled
        };
        let distinct: Vec<&[Member]> = members.chunk_by(is_same).collect();
        let refit = |same: &&[Member]| -> Vec<Member> {
            let network = self.strategy.refit(&same[0]);
            let refitted = |member: &Member| Member { network: network.clone(), ..member.clone() };
            same.iter().map(refitted).collect()
        };
        distinct.par_iter().flat_map_iter(refit).collect()
    }

    /// The member that the settings ask for; `None` when none keeps their limits.
    pub fn pick<'m>(&self, members: &'m [Member]) -> Option<&'m Member> {
        let params = &self.strategy.context().params;
        pick(members, &params.limits(), params.pick())
    }

    /// How good a network is on all rows, as [`BatchEvaluator::accuracy`] says.
    ///
    /// [`BatchEvaluator::accuracy`]: mge_net::BatchEvaluator::accuracy
    pub fn accuracy(&self, network: &Network) -> f64 {
        let evaluator = self.strategy.all_rows().evaluator();
        evaluator.batch().accuracy(network, &mut Scratch::new())
    }

    /// Runs the next generation. `false` leaves the front as it was.
    fn run_generation(&self, front: &mut HybridState, should_stop: ShouldStop<'_>) -> bool {
        let generation = front.generation() + 1;
        let is_done = self.strategy.run_generation(front, generation, should_stop);
        if is_done {
            let cost = self.strategy.cost_of_generation(generation);
            front.record_generation(cost, self.budgets().len());
        }
        is_done
    }
}

/// Whether the limits leave room for a network, and start networks fit the table.
fn check(params: &CheckedParams, inputs: usize, outputs: usize) -> Result<(), HybridError> {
    let settings = &params.0;
    let min = 4 * outputs + 2;
    if let Some(found) = settings.max_ops.filter(|&max| max < min) {
        return Err(HybridError::Budget { found, min });
    }
    let min = min_bytes(inputs, outputs);
    if let Some(found) = settings.max_bytes.filter(|&max| max < min) {
        return Err(HybridError::Bytes { found, min });
    }
    for network in &settings.start {
        if (network.inputs(), network.outputs().len()) != (inputs, outputs) {
            return Err(HybridError::Start {
                features: network.inputs(),
                outputs: network.outputs().len(),
                expected_features: inputs,
                expected_outputs: outputs,
            });
        }
    }
    Ok(())
}

impl Search for Hybrid {
    type State = HybridState;
    type Solution = Member;

    fn start(&self) -> HybridState {
        let mut front = HybridState::default();
        self.run_generation(&mut front, &|| false);
        front
    }

    fn cost_of_start(&self) -> u64 {
        self.strategy.cost_of_generation(1)
    }

    fn step(&self, front: &mut HybridState) {
        self.run_generation(front, &|| false);
    }

    fn try_step(&self, front: &mut HybridState, should_stop: ShouldStop<'_>) -> bool {
        self.run_generation(front, should_stop)
    }

    fn cost_of_step(&self, front: &HybridState) -> u64 {
        self.strategy.cost_of_generation(front.generation() + 1)
    }

    fn is_valid_state(&self, front: &HybridState) -> bool {
        let evaluator = self.strategy.all_rows().evaluator();
        let fits = |member: &Member| {
            member.network.inputs() == evaluator.inputs()
                && member.network.outputs().len() == evaluator.outputs()
        };
        let levels = self.strategy.context().budgets.all().len();
        front.members.len() == levels
            && front.configs.len() == levels
            && front.scores.len() == levels
            && !front.history.is_empty()
            && front.members.iter().all(fits)
    }

    fn progress(&self, front: &HybridState) -> Progress {
        let last = front.history.last();
        Progress {
            generation: front.generation(),
            evaluations: front.evaluations,
            best_loss: last.map_or(f64::INFINITY, |record| record.best_loss),
            invalid_individuals: 0,
            invalid_parts: 0,
        }
    }

    fn best<'s>(&self, front: &'s HybridState) -> &'s Member {
        let picked = self.pick(self.on_front(front)).or(front.members.first());
        picked.expect("the first generation fills every level")
    }

    fn front<'s>(&self, front: &'s HybridState) -> Vec<&'s Member> {
        non_dominated(self.on_front(front))
    }

    fn generation_progress(&self) -> Option<Arc<GenerationProgress>> {
        Some(Arc::clone(&self.strategy.context().progress))
    }

    fn history<'s>(&self, front: &'s HybridState) -> &'s [Record] {
        &front.history
    }
}
