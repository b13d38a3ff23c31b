//! Exact gradients of the loss through a [`SparseNetwork`], many rows at a time, and the optimisers
//! that use them.
//!
//! [`GradientEvaluator`] holds the rows. [`lbfgs`] trains on small data (L-BFGS, OWL-QN where there
//! is an L1 penalty), [`adam`] on large data, block by block. Neither returns a higher objective
//! than it started from. [`GradientEvaluator::fisher_matrix`] tells which weights can be removed,
//! and [`GradientEvaluator::candidates`] which connections are missing.
//!
//! Rows are in SIMD lanes as in [`batch`](crate::batch). Blocks and lanes are added up in a fixed
//! order and never fused. So the bits are the same on every level and for any number of threads.
//! [`slow_gradient`] is the simple twin in `f64`.

mod adam;
mod candidates;
mod fisher;
mod inverse;
mod lbfgs;
mod output_deltas;
mod pass;
mod slow;
mod sums;

pub use adam::{AdamParams, adam};
pub use candidates::Candidates;
pub use fisher::{FisherMatrix, FisherSampling};
pub use inverse::invert;
pub use lbfgs::{LbfgsParams, Penalty, lbfgs};
pub use slow::{slow_gradient, slow_loss};

use crate::BatchEvaluator;
use crate::batch::blocks::AlignedValues;
use crate::batch::dispatch;
use crate::batch::row_loss::RowScratch;
use crate::error::EvaluationError;
use crate::loss::Loss;
use crate::simd::Level;
use crate::sparse_network::SparseNetwork;
use crate::targets::{OutputLink, Targets};
use mge_columns::Columns;
use pass::{LossAndGradient, LossOnly, Pass, RightRows};
use std::ops::Range;

/// Half the width of the parabola that replaces the corner of `mae` and `pinball` at zero, in
/// deviations of the target.
///
/// The derivative jumps at the corner, and L-BFGS takes a jump for a curvature without bound. With
/// the parabola the loss is at most half of this higher than the exact one. Evaluators without
/// gradients keep the corner.
pub const SMOOTH_CORNER: f64 = 1.0 / 64.0;

/// Rows with their targets, ready to differentiate the loss of any network with their shape.
///
/// Threads can share it, each with its own [`GradientScratch`].
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
    derivatives: AlignedValues,
    deltas: AlignedValues,
    sums: AlignedValues,
    rows: RowScratch,
}

impl GradientScratch {
    /// Empty buffers; they grow to what the largest network needs.
    pub fn new() -> Self {
        Self::default()
    }
}

impl GradientEvaluator {
    /// Copies the rows. The SIMD level is [`Level::chosen`].
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

    /// The same with a given SIMD level.
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

    /// The rows of another evaluator, whose values are shared.
    pub fn of(rows: &BatchEvaluator) -> Self {
        Self { rows: rows.clone(), spans: rows.blocks.spans().collect() }
    }

    /// The same rows with another loss; values are shared.
    ///
    /// # Panics
    /// When the loss does not [fit](Loss::fits) the targets.
    pub fn with_loss(&self, loss: Loss) -> Self {
        assert!(loss.fits(self.link()), "a loss that fits the targets");
        let rows = BatchEvaluator { loss, ..self.rows.clone() };
        Self { rows, spans: self.spans.clone() }
    }

    /// The loss that is differentiated.
    pub fn loss_kind(&self) -> Loss {
        self.rows.loss
    }

    /// The number of rows.
    pub fn rows(&self) -> usize {
        self.rows.rows()
    }

    /// The number of features.
    pub fn inputs(&self) -> usize {
        self.rows.blocks.columns()
    }

    /// The number of outputs that a network must have.
    pub fn outputs(&self) -> usize {
        self.rows.outputs
    }

    /// What the outputs of a network mean.
    pub fn link(&self) -> OutputLink {
        self.rows.link
    }

    /// The number of blocks; each holds 512 rows at most.
    pub fn blocks(&self) -> usize {
        self.spans.len()
    }

    /// The leading blocks that hold no other than the first `rows` rows.
    pub fn blocks_covering(&self, rows: usize) -> Range<usize> {
        let end = |&(start, len): &(usize, usize)| (start + len).min(self.rows());
        0..self.spans.partition_point(|span| end(span) <= rows)
    }

    /// The number of rows in some blocks.
    pub fn rows_within(&self, blocks: Range<usize>) -> usize {
        blocks.map(|block| self.rows_of(block)).sum()
    }

    /// The same rows, to evaluate networks without gradients.
    pub fn batch(&self) -> &BatchEvaluator {
        &self.rows
    }

    /// The mean loss over the rows of some blocks. Zero when they hold none. Corners of the loss are
    /// rounded; see [`SMOOTH_CORNER`].
    ///
    /// # Panics
    /// When the network has another shape than the rows, or there is no such block.
    pub fn loss(
        &self,
        network: &SparseNetwork,
        blocks: impl IntoIterator<Item = usize>,
        scratch: &mut GradientScratch,
    ) -> f64 {
        let mut total = 0.0;
        let rows = self.each_block(network, blocks, scratch, |pass| {
            total += dispatch::run(self.rows.level, LossOnly(pass));
        });
        total.max(0.0) / rows.max(1) as f64
    }

    /// How good a network is on the rows of some blocks, as [`BatchEvaluator::accuracy`] says. Zero
    /// when they hold none.
    ///
    /// # Panics
    /// As [`GradientEvaluator::loss`].
    pub fn accuracy(
        &self,
        network: &SparseNetwork,
        blocks: impl IntoIterator<Item = usize>,
        scratch: &mut GradientScratch,
    ) -> f64 {
        if self.link().is_identity() {
            let squared = self.with_loss(Loss::MeanSquaredError);
            let blocks: Vec<usize> = blocks.into_iter().collect();
            let has_rows = blocks.iter().any(|&block| self.rows_of(block) > 0);
            let loss = squared.loss(network, blocks, scratch);
            return if has_rows { 1.0 - loss } else { 0.0 };
        }
        let mut right = 0;
        let rows = self.each_block(network, blocks, scratch, |pass| {
            right += dispatch::run(self.rows.level, RightRows(pass));
        });
        right as f64 / rows.max(1) as f64
    }

    /// The mean loss over the rows of some blocks. Its derivative by each weight is written to
    /// `gradient`.
    ///
    /// # Panics
    /// As [`GradientEvaluator::loss`], and when `gradient` has not one entry for each weight.
    pub fn gradient(
        &self,
        network: &SparseNetwork,
        blocks: impl IntoIterator<Item = usize>,
        scratch: &mut GradientScratch,
        gradient: &mut [f64],
    ) -> f64 {
        assert_eq!(gradient.len(), network.size(), "one derivative for each weight");
        gradient.fill(0.0);
        let mut total = 0.0;
        let rows = self.each_block(network, blocks, scratch, |pass| {
            total += dispatch::run(self.rows.level, LossAndGradient { pass, gradient });
        });
        let scale = 1.0 / rows.max(1) as f64;
        for derivative in gradient {
            *derivative *= scale;
        }
        total.max(0.0) / rows.max(1) as f64
    }

    /// Runs `work` on each of some blocks, and returns how many rows they have.
    fn each_block(
        &self,
        network: &SparseNetwork,
        blocks: impl IntoIterator<Item = usize>,
        scratch: &mut GradientScratch,
        mut work: impl FnMut(Pass<'_>),
    ) -> usize {
        self.reserve(network, scratch);
        let mut rows = 0;
        for block in blocks {
            rows += self.rows_of(block);
            work(Pass { evaluator: self, network, block, scratch });
        }
        rows
    }

    /// Rows of a block without its padding.
    fn rows_of(&self, block: usize) -> usize {
        let (start, len) = self.spans[block];
        self.rows().saturating_sub(start).min(len)
    }

    fn reserve(&self, network: &SparseNetwork, scratch: &mut GradientScratch) {
        assert_eq!(network.inputs(), self.inputs(), "inputs of network and data");
        assert_eq!(network.outputs().len(), self.outputs(), "outputs of network and data");
        let rows = self.rows.blocks.longest();
        let neurons = network.neurons().len();
        scratch.values.reserve(neurons * rows);
        scratch.derivatives.reserve(neurons * rows);
        scratch.deltas.reserve(network.units() * rows);
        scratch.sums.reserve(self.outputs() * rows);
        scratch.rows.reserve(rows);
    }
}
