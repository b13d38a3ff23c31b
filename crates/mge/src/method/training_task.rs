//! What a method is given of a fit: the training rows and what to learn from them.

use crate::fitness::{Fitness, Mapping, Objective};
use crate::run_options::EvaluationMode;
use crate::settings::ClassWeight;
use crate::task::Task;
use mge_data::RowDependence;
use mge_net::{BatchEvaluator, Columns, EvaluationError, Loss, Targets};

/// The training rows of a fit, and what a search learns from them. It sees no test row.
#[derive(Clone, Copy)]
pub struct TrainingTask<'a> {
    /// What is learned.
    pub task: &'a Task,
    /// The features, encoded and scaled.
    pub columns: &'a Columns,
    /// What networks are compared with on the training rows.
    pub targets: Targets<'a>,
    /// What is minimised.
    pub loss: Loss,
    /// How much a row counts.
    pub class_weight: ClassWeight,
    /// How rows depend on each other, for methods that hold rows out.
    pub dependence: &'a RowDependence,
    /// The seed of the search.
    pub seed: u64,
    /// How populations are evaluated.
    pub evaluation: EvaluationMode,
}

impl<'a> TrainingTask<'a> {
    /// How many features a row has: the inputs of networks.
    pub fn features(&self) -> usize {
        self.columns.count()
    }

    /// How many outputs networks have.
    pub fn outputs(&self) -> usize {
        self.task.outputs()
    }

    /// The loss of single networks on all rows, each row counting the same.
    ///
    /// # Errors
    /// When rows and targets do not fit together, or there are too many rows.
    pub fn evaluator(&self) -> Result<BatchEvaluator, EvaluationError> {
        BatchEvaluator::new(self.columns, self.targets, self.loss)
    }

    /// The losses of whole populations of genomes, with class weights, evaluated as the run
    /// options say.
    ///
    /// # Errors
    /// When rows and targets do not fit together, or there are too many rows.
    pub fn fitness<M: Mapping>(&self, mapping: M) -> Result<Fitness<M>, EvaluationError> {
        self.fitness_by(mapping, self.evaluation)
    }

    /// [`TrainingTask::fitness`], evaluated in another way.
    pub(super) fn fitness_by<M: Mapping>(
        &self,
        mapping: M,
        evaluation: EvaluationMode,
    ) -> Result<Fitness<M>, EvaluationError> {
        let objective = Objective { loss: self.loss, weight: self.class_weight };
        let memory = evaluation.memory();
        Fitness::new(mapping, self.columns, self.targets, objective, memory)
    }
}
