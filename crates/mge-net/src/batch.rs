//! The fast evaluator: the loss of one network over all rows, many rows at a time.
//!
//! What it computes, exactly, so that other ways of computing it can give the same bits:
//! - A neuron's sum is `f32`: the bias, then `weight * value` link by link, never fused.
//!   Activations are the approximations in `approximate`, each within 5e-7 of the truth.
//! - What a source contributes to an output is `round(weight * value * 2^20)`, an integer. They
//!   add up to the same sum in any order, so sums may be updated by differences. A network whose
//!   sums might not fit 32 bits (a bound from weights and data decides, before any row) is summed
//!   in `f64` instead.
//! - Sigmoid or soft-max and the loss of a row are `f32`, added up block by block in `f64`.
//!
//! For weights and inputs of usual size the result is within `1e-5 * (1 + loss)` of
//! [`reference`](crate::reference). It has the same bits on every [`Level`].

pub(crate) mod approximate;
pub(crate) mod blocks;
pub(crate) mod bound;
pub(crate) mod dispatch;
mod kernel;
mod product;
pub(crate) mod row_loss;
pub(crate) mod unit;

use mge_columns::Columns;
use crate::error::{EvaluationError, check_labels};
use crate::loss::Loss;
use crate::network::{MAX_OUTPUTS, Network, classes_of};
use crate::simd::{Level, UsableLevel};
use blocks::{AlignedValues, Blocks};
use row_loss::{RowValues, Targets};
use std::sync::Arc;

/// Rows with their labels, ready to measure the loss of any number of networks.
///
/// It holds its own copy of the columns and can be shared by threads, each with its own
/// [`Scratch`].
#[derive(Debug, Clone)]
pub struct BatchEvaluator {
    pub(crate) blocks: Arc<Blocks>,
    pub(crate) targets: Arc<Targets>,
    /// The largest absolute value of each column.
    pub(crate) column_max: Vec<f32>,
    pub(crate) rows: usize,
    pub(crate) outputs: usize,
    pub(crate) loss: Loss,
    pub(crate) level: UsableLevel,
}

/// Memory for one evaluation, reused by the next.
#[derive(Debug, Default)]
pub struct Scratch {
    hidden: AlignedValues,
    sums: AlignedValues,
    steps: AlignedValues<i32>,
    wide: Vec<f64>,
    largest: Vec<f64>,
    rows: RowValues,
}

impl Scratch {
    /// Empty; it grows to what the largest network needs and then stays.
    pub fn new() -> Self {
        Self::default()
    }
}

impl BatchEvaluator {
    /// Takes a copy of the rows. Networks must have `outputs` outputs: one for two classes, else
    /// one for each class. The SIMD level is [`Level::chosen`].
    ///
    /// # Errors
    /// When there is not one label for each row, a label is no class, a value is not finite, or
    /// the forced SIMD level cannot be used.
    pub fn new(
        columns: &Columns,
        labels: &[u32],
        outputs: usize,
        loss: Loss,
    ) -> Result<Self, EvaluationError> {
        Self::with_level(columns, labels, outputs, loss, Level::chosen()?)
    }

    /// The same, with a given SIMD level.
    ///
    /// # Errors
    /// As [`BatchEvaluator::new`].
    pub fn with_level(
        columns: &Columns,
        labels: &[u32],
        outputs: usize,
        loss: Loss,
        level: Level,
    ) -> Result<Self, EvaluationError> {
        let level = UsableLevel::new(level)?;
        if outputs == 0 || outputs > MAX_OUTPUTS {
            return Err(EvaluationError::Outputs { outputs });
        }
        check_labels(labels, columns.rows(), classes_of(outputs))?;
        Ok(Self {
            column_max: column_max(columns)?,
            blocks: Arc::new(Blocks::new(columns)),
            targets: Arc::new(Targets::new(labels, Columns::stride_for(columns.rows()))),
            rows: columns.rows(),
            outputs,
            loss,
            level,
        })
    }

    /// The mean loss of a network over the rows; zero when there are none. Never NaN.
    ///
    /// # Panics
    /// When the network has another number of inputs or outputs than this evaluator.
    pub fn loss(&self, network: &Network, scratch: &mut Scratch) -> f64 {
        self.make_room(network, scratch);
        let kernel = kernel::TotalLoss { evaluator: self, network, scratch };
        self.mean(dispatch::run(self.level, kernel))
    }

    /// The share of rows that a network gets right, by the rule of
    /// [`reference::class`](crate::reference::class). A row whose best two classes are closer
    /// than rounding may be counted otherwise there.
    ///
    /// # Panics
    /// When the network has another number of inputs or outputs than this evaluator.
    pub fn accuracy(&self, network: &Network, scratch: &mut Scratch) -> f64 {
        self.make_room(network, scratch);
        let kernel = kernel::RightRows { evaluator: self, network, scratch };
        self.mean(dispatch::run(self.level, kernel) as f64)
    }

    fn make_room(&self, network: &Network, scratch: &mut Scratch) {
        assert_eq!(network.inputs(), self.blocks.columns(), "inputs of network and data");
        assert_eq!(network.outputs().len(), self.outputs, "outputs of network and evaluator");
        let rows = self.blocks.longest();
        scratch.hidden.reserve(network.neurons().len() * rows);
        scratch.sums.reserve(self.outputs * rows);
        scratch.steps.reserve(rows);
        scratch.wide.resize(scratch.wide.len().max(rows), 0.0);
        scratch.rows.reserve(rows);
    }

    /// A total over the rows as a mean; zero when there are none. Never below zero.
    pub(crate) fn mean(&self, total: f64) -> f64 {
        // Rounding can take a perfect total a little below.
        let total = if total < 0.0 { 0.0 } else { total };
        total / self.rows.max(1) as f64
    }

    /// How many rows each evaluation looks at.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// How many outputs networks must have.
    pub fn outputs(&self) -> usize {
        self.outputs
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
