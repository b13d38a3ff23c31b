//! What is learned from a table, and what follows from it: outputs, losses, metrics, baselines.
//!
//! A target holds classes today. Another kind of target is a variant of [`TaskKind`], and an arm
//! in each `match` of this file. Rows still carry their target as class numbers, and methods
//! choose some defaults by [`TaskKind::classes`]. Both have to change with it.

use mge_baseline::{BASELINES, Baseline};
use mge_data::Loaded;
use mge_net::{Columns, Loss, Metrics, Network, OutputLink, Targets, reference};

use crate::FitError;

/// What the target of a table is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum TaskKind {
    /// One of this many classes.
    Classes(usize),
}

impl TaskKind {
    /// What the outputs of a network mean.
    pub fn link(self) -> OutputLink {
        match self {
            Self::Classes(count) => OutputLink::for_classes(count),
        }
    }

    /// How many outputs a network has.
    pub fn outputs(self) -> usize {
        self.link().outputs()
    }

    /// How many classes a row may have.
    pub fn classes(self) -> usize {
        match self {
            Self::Classes(count) => count,
        }
    }

    /// What may be minimised; the first is the default.
    pub fn losses(self) -> &'static [Loss] {
        match self {
            Self::Classes(_) => Loss::for_link(self.link()),
        }
    }

    /// The simpler models to compare with.
    pub(crate) fn baselines(self) -> &'static [Baseline] {
        match self {
            Self::Classes(_) => &BASELINES,
        }
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

/// What is learned from a table: its target column, and what that holds.
#[derive(Debug, Clone, PartialEq)]
pub struct Task {
    target: mge_data::ClassTarget,
}

impl Task {
    /// The task of a table.
    pub(crate) fn of(data: &Loaded) -> Result<Self, FitError> {
        Ok(Self { target: data.class_target()? })
    }

    /// The target column.
    pub fn column(&self) -> &str {
        self.target.column()
    }

    /// What the target is.
    pub fn kind(&self) -> TaskKind {
        TaskKind::Classes(self.target.classes().len())
    }

    /// The class names.
    pub fn classes(&self) -> &[String] {
        self.target.classes()
    }

    /// How many outputs a network has.
    pub fn outputs(&self) -> usize {
        self.kind().outputs()
    }

    /// Labels of some rows, as the targets of networks.
    pub fn targets<'a>(&self, labels: &'a [u32]) -> Targets<'a> {
        match self.kind() {
            TaskKind::Classes(count) => Targets::classes(labels, count),
        }
    }

    /// The target as the data has it, for all rows of the table.
    pub(crate) fn target(&self) -> &mge_data::ClassTarget {
        &self.target
    }

    /// How good a network is on some rows. The metrics of no rows are zero.
    pub(crate) fn measure(
        &self,
        network: &Network,
        columns: &Columns,
        labels: &[u32],
        loss: Loss,
    ) -> Result<Metrics, FitError> {
        if labels.is_empty() {
            return Ok(Metrics::of_no_rows(self.kind().link()));
        }
        let link = OutputLink::for_outputs(network.outputs().len());
        let probabilities = reference::probabilities_of(network, link, columns)?;
        Ok(Metrics::of(&probabilities, self.targets(labels), loss)?)
    }
}
