//! Exact gradients of the loss through a [`Network`](crate::Network), many rows at a time, and the optimisers that
//! use them.
//!
//! A [`Topology`] is a network without its weights, so that an optimiser can change a flat list of
//! weights thousands of times without building networks. [`GradientEvaluator`] holds the rows.
//! [`lbfgs`] is for small data (L-BFGS, OWL-QN where there is an L1 penalty), [`adam`] for large
//! data, block by block; neither ever returns a higher objective than it was given.
//! [`GradientEvaluator::curvature`] and [`GradientEvaluator::candidates`] tell which weights can
//! go and which connections are missing.
//!
//! Rows sit in SIMD lanes as in [`batch`](crate::batch), blocks and lanes are added up in a fixed
//! order and never fused, so the bits are the same on every level and for any number of threads.
//! [`slow_gradient`] is the obvious twin in `f64`.

mod adam;
mod candidates;
mod fisher;
mod inverse;
mod lbfgs;
mod output;
mod pass;
mod slow;
mod sums;
mod topology;

pub use adam::{AdamParams, adam};
pub use candidates::Candidates;
pub use fisher::{FisherMatrix, FisherSampling};
pub use inverse::invert;
pub use lbfgs::{LbfgsParams, Penalty, lbfgs};
pub use slow::slow_gradient;
pub use topology::Topology;

use crate::batch::blocks::AlignedValues;
use crate::batch::dispatch;
use crate::batch::row_loss::RowScratch;
use crate::error::EvaluationError;
use crate::loss::Loss;
use crate::simd::Level;
use crate::{BatchEvaluator, OutputLink, Targets};
use mge_columns::Columns;
use pass::{LossAndGradient, LossOnly, Pass, RightRows};
use std::ops::Range;

/// Rows with their labels, ready to differentiate the loss of any network with their shape.
///
/// It can be shared by threads, each with its own [`GradientScratch`].
#[derive(Debug, Clone)]
pub struct GradientEvaluator {
    rows: BatchEvaluator,
    /// First row and length of each block.
    spans: Vec<(usize, usize)>,
}

/// Memory for one evaluation, reused by the next.
#[derive(Debug, Default)]
pub struct GradientScratch {
    values: AlignedValues,
    slopes: AlignedValues,
    deltas: AlignedValues,
    sums: AlignedValues,
    rows: RowScratch,
}

impl GradientScratch {
    /// Empty; it grows to what the largest network needs and then stays.
    pub fn new() -> Self {
        Self::default()
    }
}

impl GradientEvaluator {
    /// Takes a copy of the rows. The SIMD level is [`Level::chosen`].
    ///
    /// # Errors
    /// As [`BatchEvaluator::new`].
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
        Ok(Self::of(&BatchEvaluator::with_level(columns, targets, loss, level)?))
    }

    /// The rows of another evaluator; their values are shared.
    pub fn of(rows: &BatchEvaluator) -> Self {
        Self { rows: rows.clone(), spans: rows.blocks.spans().collect() }
    }

    /// The same rows under another loss; their values are shared.
    pub fn with_loss(&self, loss: Loss) -> Self {
        let rows = BatchEvaluator { loss, ..self.rows.clone() };
        Self { rows, spans: self.spans.clone() }
    }

    /// The loss that is differentiated.
    pub fn loss_kind(&self) -> Loss {
        self.rows.loss
    }

    /// How many rows there are.
    pub fn rows(&self) -> usize {
        self.rows.rows()
    }

    /// How many features a row has.
    pub fn inputs(&self) -> usize {
        self.rows.blocks.columns()
    }

    /// How many outputs a network must have.
    pub fn outputs(&self) -> usize {
        self.rows.outputs
    }

    /// What the outputs of a network mean.
    pub fn link(&self) -> OutputLink {
        self.rows.link
    }

    /// How many blocks the rows are in; each holds 512 rows at most.
    pub fn blocks(&self) -> usize {
        self.spans.len()
    }

    /// The blocks that hold some of the first `rows` rows and no others.
    pub fn blocks_covering(&self, rows: usize) -> Range<usize> {
        let end = |&(start, len): &(usize, usize)| (start + len).min(self.rows());
        0..self.spans.partition_point(|span| end(span) <= rows)
    }

    /// How many rows some blocks hold.
    pub fn rows_within(&self, blocks: Range<usize>) -> usize {
        blocks.map(|block| self.rows_of(block)).sum()
    }

    /// The same rows, to measure networks without gradients.
    pub fn batch(&self) -> &BatchEvaluator {
        &self.rows
    }

    /// The mean loss over the rows of some blocks. Zero when they hold none.
    ///
    /// # Panics
    /// When the topology has another shape than the rows, there are not as many weights as it has,
    /// or there is no such block.
    pub fn loss(
        &self,
        topology: &Topology,
        weights: &[f32],
        blocks: impl IntoIterator<Item = usize>,
        scratch: &mut GradientScratch,
    ) -> f64 {
        let mut total = 0.0;
        let rows = self.each_block(topology, weights, blocks, scratch, |pass| {
            total += dispatch::run(self.rows.level, LossOnly(pass));
        });
        total.max(0.0) / rows.max(1) as f64
    }

    /// The share of the rows of some blocks that are right. Zero when they hold none.
    ///
    /// # Panics
    /// As [`GradientEvaluator::loss`].
    pub fn accuracy(
        &self,
        topology: &Topology,
        weights: &[f32],
        blocks: impl IntoIterator<Item = usize>,
        scratch: &mut GradientScratch,
    ) -> f64 {
        let mut right = 0;
        let rows = self.each_block(topology, weights, blocks, scratch, |pass| {
            right += dispatch::run(self.rows.level, RightRows(pass));
        });
        right as f64 / rows.max(1) as f64
    }

    /// The mean loss over the rows of some blocks, and its derivative by each weight.
    ///
    /// # Panics
    /// As [`GradientEvaluator::loss`], and when `gradient` has another length than `weights`.
    pub fn gradient(
        &self,
        topology: &Topology,
        weights: &[f32],
        blocks: impl IntoIterator<Item = usize>,
        scratch: &mut GradientScratch,
        gradient: &mut [f64],
    ) -> f64 {
        assert_eq!(gradient.len(), weights.len(), "one derivative for each weight");
        gradient.fill(0.0);
        let mut total = 0.0;
        let rows = self.each_block(topology, weights, blocks, scratch, |pass| {
            total += dispatch::run(self.rows.level, LossAndGradient { pass, gradient });
        });
        let share = 1.0 / rows.max(1) as f64;
        for derivative in gradient {
            *derivative *= share;
        }
        total.max(0.0) / rows.max(1) as f64
    }

    /// Does something with each of some blocks, and gives how many rows they have.
    fn each_block(
        &self,
        topology: &Topology,
        weights: &[f32],
        blocks: impl IntoIterator<Item = usize>,
        scratch: &mut GradientScratch,
        mut work: impl FnMut(Pass<'_>),
    ) -> usize {
        self.make_room(topology, weights, scratch);
        let mut rows = 0;
        for block in blocks {
            rows += self.rows_of(block);
            work(Pass { evaluator: self, topology, weights, block, scratch });
        }
        rows
    }

    /// Rows of a block that are not padding.
    fn rows_of(&self, block: usize) -> usize {
        let (start, len) = self.spans[block];
        self.rows().saturating_sub(start).min(len)
    }

    fn make_room(&self, topology: &Topology, weights: &[f32], scratch: &mut GradientScratch) {
        assert_eq!(topology.inputs(), self.inputs(), "inputs of network and data");
        assert_eq!(topology.outputs(), self.outputs(), "outputs of network and data");
        assert_eq!(weights.len(), topology.weights(), "weights of the topology");
        let rows = self.rows.blocks.longest();
        scratch.values.reserve(topology.neurons() * rows);
        scratch.slopes.reserve(topology.neurons() * rows);
        scratch.deltas.reserve((topology.neurons() + topology.outputs()) * rows);
        scratch.sums.reserve(topology.outputs() * rows);
        scratch.rows.reserve(rows);
    }
}
