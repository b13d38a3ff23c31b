//! The fast evaluator: the loss of one network over all rows, many rows at a time.
//!
//! Other evaluators must give the same bits, so the arithmetic is part of the contract:
//! - The sum of a neuron is `f32`: the bias, then `weight * value` link by link, never fused.
//!   Activations are approximations, each with an error of at most 5e-7.
//! - A source contributes `round(weight * value * 2^20)` to an output. These integers add up to
//!   the same sum in any order, so sums may be updated by differences. Where a bound from weights
//!   and data says that sums may overflow 32 bits, they are computed in `f64` instead.
//! - Sigmoid or softmax and the loss of a row are `f32`. Numbers are compared with their targets as
//!   they are. The losses of the rows are added block by
//!   block in `f64`.
//!
//! For weights and inputs of ordinary size the result is within `1e-5 * (1 + loss)` of
//! [`reference`](crate::reference). It has the same bits on every [`Level`].

pub(crate) mod approximate;
pub(crate) mod blocks;
pub(crate) mod bound;
pub(crate) mod dispatch;
mod kernel;
mod product;
pub(crate) mod row_loss;
pub(crate) mod unit;
pub(crate) mod value_loss;

use crate::error::EvaluationError;
use crate::loss::Loss;
use crate::network::Network;
use crate::simd::{Level, UsableLevel};
use crate::targets::{OutputLink, Targets};
use blocks::{AlignedValues, Blocks};
use mge_columns::Columns;
use row_loss::{PaddedTargets, RowScratch};
use std::sync::Arc;

/// Rows and targets, prepared to evaluate any number of networks.
///
/// An evaluator holds its own copy of the columns. Threads can share it; each needs its own
/// [`Scratch`].
#[derive(Debug, Clone)]
pub struct BatchEvaluator {
    pub(crate) blocks: Arc<Blocks>,
    pub(crate) targets: Arc<PaddedTargets>,
    /// The largest absolute value of each column.
    pub(crate) column_max: Vec<f32>,
    pub(crate) rows: usize,
    pub(crate) outputs: usize,
    pub(crate) link: OutputLink,
    pub(crate) loss: Loss,
    pub(crate) level: UsableLevel,
}

/// Scratch memory that evaluations reuse.
#[derive(Debug, Default)]
pub struct Scratch {
    hidden: AlignedValues,
    sums: AlignedValues,
    steps: AlignedValues<i32>,
    wide: Vec<f64>,
    max_values: Vec<f64>,
    rows: RowScratch,
}

impl Scratch {
    /// Empty memory. It grows to what the largest network needs.
    pub fn new() -> Self {
        Self::default()
    }
}

impl BatchEvaluator {
    /// Takes a copy of the rows and their targets. The SIMD level is [`Level::chosen`].
    ///
    /// # Errors
    /// When there is not one valid target for each row, a value is not finite, or the forced SIMD
    /// level cannot be used.
    pub fn new(
        columns: &Columns,
        targets: Targets<'_>,
        loss: Loss,
    ) -> Result<Self, EvaluationError> {
        Self::with_level(columns, targets, loss, Level::chosen()?)
    }

    /// The same, with a given SIMD level.
    ///
    /// # Errors
    /// As [`BatchEvaluator::new`].
    pub fn with_level(
        columns: &Columns,
        targets: Targets<'_>,
        loss: Loss,
        level: Level,
    ) -> Result<Self, EvaluationError> {
        let level = UsableLevel::new(level)?;
        targets.check(columns.rows())?;
        let link = targets.link();
        loss.check(link)?;
        Ok(Self {
            column_max: column_max(columns)?,
            blocks: Arc::new(Blocks::new(columns)),
            targets: Arc::new(PaddedTargets::new(targets, Columns::stride_for(columns.rows()))),
            rows: columns.rows(),
            outputs: link.outputs(),
            link,
            loss,
            level,
        })
    }

    /// The mean loss of a network over the rows; zero when there are none. Never NaN.
    ///
    /// # Panics
    /// When the network has another number of inputs or outputs than this evaluator.
    pub fn loss(&self, network: &Network, scratch: &mut Scratch) -> f64 {
        self.reserve(network, scratch);
        let kernel = kernel::TotalLoss { evaluator: self, network, scratch };
        self.mean(dispatch::run(self.level, kernel))
    }

    /// How good a network is, at most 1. Higher is better, whatever the loss.
    ///
    /// For classes it is the fraction of rows that are classified correctly, by the rule of
    /// [`OutputLink::predicted_class`]. The two may differ on rows whose best two classes are
    /// closer than rounding errors. For numbers it is one minus the mean squared error. With
    /// targets of deviation 1, that is the fraction of the variance that the network explains.
    ///
    /// # Panics
    /// When the network has another number of inputs or outputs than this evaluator.
    pub fn accuracy(&self, network: &Network, scratch: &mut Scratch) -> f64 {
        if self.link.is_identity() {
            let squared = Self { loss: Loss::MeanSquaredError, ..self.clone() };
            return 1.0 - squared.loss(network, scratch);
        }
        self.reserve(network, scratch);
        let kernel = kernel::CorrectRows { evaluator: self, network, scratch };
        self.mean(dispatch::run(self.level, kernel) as f64)
    }

    fn reserve(&self, network: &Network, scratch: &mut Scratch) {
        assert_eq!(network.inputs(), self.blocks.columns(), "inputs of network and data");
        assert_eq!(network.outputs().len(), self.outputs, "outputs of network and evaluator");
        let rows = self.blocks.longest();
        scratch.hidden.reserve(network.neurons().len() * rows);
        scratch.sums.reserve(self.outputs * rows);
        scratch.steps.reserve(rows);
        scratch.wide.resize(scratch.wide.len().max(rows), 0.0);
        scratch.rows.reserve(rows);
    }

    /// The mean of a total over the rows; zero when there are none. Never negative.
    pub(crate) fn mean(&self, total: f64) -> f64 {
        // Rounding can make a perfect total slightly negative.
        let total = if total < 0.0 { 0.0 } else { total };
        total / self.rows.max(1) as f64
    }

    /// The number of rows.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// The number of outputs that networks must have.
    pub fn outputs(&self) -> usize {
        self.outputs
    }

    /// What the outputs of a network mean.
    pub fn link(&self) -> OutputLink {
        self.link
    }

    /// The SIMD level in use.
    pub fn level(&self) -> Level {
        self.level.get()
    }
}

fn column_max(columns: &Columns) -> Result<Vec<f32>, EvaluationError> {
    let of_column = |column| {
        let mut largest = 0.0f32;
        for (row, &value) in columns.column(column).iter().enumerate() {
            if !value.is_finite() {
                return Err(EvaluationError::NotFinite { row, column, value });
            }
            largest = largest.max(value.abs());
        }
        Ok(largest)
    };
    (0..columns.count()).map(of_column).collect()
}
