//! What is learned from a table, and what follows from it: outputs, losses, metrics.
//!
//! A target names classes, or it is a number. Another kind of target is a variant of [`TaskKind`]
//! and of [`RowTargets`]; the compiler then lists all places that must handle it.

mod choice;
mod row_targets;

pub use choice::{TaskChoice, TaskName};
pub use row_targets::{RowTargets, RowValues};

use mge_data::{ClassTarget, DataError, Loaded, Table, TargetScale, ValueTarget};
use mge_net::{Columns, EvaluationError, Loss, Metrics, Network, OutputLink, reference};

/// What the target of a table is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum TaskKind {
    /// One of this many classes.
    Classes(usize),
    /// Numbers.
    Values {
        /// How many numbers a row has: one for each target column.
        outputs: usize,
    },
}

impl TaskKind {
    /// What the outputs of a network mean.
    pub fn link(self) -> OutputLink {
        match self {
            Self::Classes(count) => OutputLink::for_classes(count),
            Self::Values { outputs } => OutputLink::Identity { outputs },
        }
    }

    /// How many outputs a network has.
    pub fn outputs(self) -> usize {
        self.link().outputs()
    }

    /// How many classes a row may have; none for numbers.
    pub fn classes(self) -> usize {
        match self {
            Self::Classes(count) => count,
            Self::Values { .. } => 0,
        }
    }

    /// The number of classes whose networks have about as many outputs. Defaults of methods, such
    /// as the length of a genome, are stated by classes.
    pub fn classes_of_equal_size(self) -> usize {
        match self {
            Self::Classes(count) => count,
            Self::Values { outputs: 1 } => 2,
            Self::Values { outputs } => outputs.max(3),
        }
    }

    /// The name of the task in settings and files.
    pub fn name(self) -> TaskName {
        match self {
            Self::Classes(_) => TaskName::Classify,
            Self::Values { .. } => TaskName::Regress,
        }
    }

    /// What may be minimised; the first is the default.
    pub fn losses(self) -> &'static [Loss] {
        Loss::for_link(self.link())
    }
}

/// The kind of a task and how large it is: what defaults of settings depend on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TaskSize {
    /// Rows that train, about.
    pub rows: usize,
    /// What the target is.
    pub kind: TaskKind,
}

/// What is learned from a table: its target columns, and what they hold.
#[derive(Debug, Clone, PartialEq)]
pub struct Task {
    target: Target,
}

#[derive(Debug, Clone, PartialEq)]
enum Target {
    Classes { target: ClassTarget, columns: [String; 1] },
    Values(ValueTarget),
}

impl Task {
    /// The task of a table.
    ///
    /// # Errors
    /// When the table has no target, or one that the task cannot be learned from.
    pub fn of(data: &Loaded, name: TaskName) -> Result<Self, DataError> {
        let target = match name {
            TaskName::Classify => {
                let target = data.class_target()?;
                Target::Classes { columns: [target.column().to_owned()], target }
            }
            TaskName::Regress => Target::Values(data.value_target()?),
        };
        Ok(Self { target })
    }

    /// The target columns.
    pub fn columns(&self) -> &[String] {
        match &self.target {
            Target::Classes { columns, .. } => columns,
            Target::Values(target) => target.columns(),
        }
    }

    /// What the target is.
    pub fn kind(&self) -> TaskKind {
        match &self.target {
            Target::Classes { target, .. } => TaskKind::Classes(target.classes().len()),
            Target::Values(target) => TaskKind::Values { outputs: target.count() },
        }
    }

    /// The class names; none for numbers.
    pub fn classes(&self) -> &[String] {
        match &self.target {
            Target::Classes { target, .. } => target.classes(),
            Target::Values(_) => &[],
        }
    }

    /// How many outputs a network has.
    pub fn outputs(&self) -> usize {
        self.kind().outputs()
    }

    /// What each part of a split should have its share of, for all rows: classes, or quantiles of
    /// the numbers.
    pub fn strata(&self) -> Vec<u32> {
        match &self.target {
            Target::Classes { target, .. } => target.labels().to_vec(),
            Target::Values(target) => target.strata(),
        }
    }

    /// The scale of the numbers, from the rows that train; `None` for classes.
    ///
    /// # Errors
    /// When the rows are too few, or a number is the same in all of them.
    pub(crate) fn fit_scale(&self, rows: &[u32]) -> Result<Option<TargetScale>, DataError> {
        const PART: &str = "the training part";
        match &self.target {
            Target::Classes { target, .. } => {
                target.check_part(PART, rows.len())?;
                Ok(None)
            }
            Target::Values(target) => TargetScale::fit(target, rows, PART).map(Some),
        }
    }

    /// The targets of some rows of the table.
    pub(crate) fn rows(&self, rows: &[u32], scale: Option<&TargetScale>) -> RowTargets {
        match (&self.target, scale) {
            (Target::Classes { target, .. }, _) => RowTargets::Classes(target.labels_of(rows)),
            (Target::Values(target), scale) => {
                RowTargets::Values(RowValues::new(target.values_of(rows), scale))
            }
        }
    }

    /// The targets of all rows of another table.
    ///
    /// # Errors
    /// When the table lacks a target column, or a cell cannot be used.
    pub(crate) fn rows_of(
        &self,
        table: &Table,
        scale: Option<&TargetScale>,
    ) -> Result<RowTargets, DataError> {
        RowTargets::of_table(table, self.columns(), self.classes(), scale)
    }
}

/// How good a network is on some rows. The metrics of no rows are zero.
pub(crate) fn measure(
    network: &Network,
    columns: &Columns,
    targets: &RowTargets,
    scale: Option<&TargetScale>,
    loss: Loss,
) -> Result<Metrics, EvaluationError> {
    let outputs = network.outputs().len();
    let link = match scale {
        None => OutputLink::for_outputs(outputs),
        Some(_) => OutputLink::Identity { outputs },
    };
    if targets.count() == 0 {
        return Ok(Metrics::of_no_rows(link));
    }
    Ok(match (targets, scale) {
        (RowTargets::Values(values), Some(scale)) => {
            let scaled = reference::values_of(network, columns)?;
            let loss = loss.of_values(&scaled, values.targets())?;
            let predicted = in_units(&scaled, scale).concat();
            Metrics::of_values(&predicted, &values.original.concat(), outputs, loss)
        }
        _ => {
            let probabilities = reference::probabilities_of(network, link, columns)?;
            Metrics::of(&probabilities, targets.of_link(link), loss)?
        }
    })
}

/// Sums of outputs in the units of the targets, by target column.
pub(crate) fn in_units(scaled: &[f64], scale: &TargetScale) -> Vec<Vec<f64>> {
    let rows = scaled.len() / scale.columns().len().max(1);
    let of = |(index, column): (usize, &mge_data::ColumnScale)| {
        scaled[index * rows..][..rows].iter().map(|&value| column.invert(value)).collect()
    };
    scale.columns().iter().enumerate().map(of).collect()
}
