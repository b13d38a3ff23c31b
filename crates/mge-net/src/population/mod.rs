//! Whole populations at once: the same losses as [`BatchEvaluator::loss`], bit for bit, for a
//! fraction of the work.
//!
//! Offspring are made of what their parents were made of. So neurons, outputs and networks get
//! names ([`NetworkPart`] makes those of neurons), equal ones are computed once, and the columns of
//! values that a later population may ask for are kept, within a given memory. Sums of
//! contributions are whole numbers and do not depend on their order, which makes all this exact;
//! a network whose sums might not fit is left to the caller.
//!
//! The work of a population is planned first and then done block of rows by block of rows, both
//! on the threads of the current `rayon` pool. Losses are added up in the order of the blocks, so
//! the number of threads does not matter.

mod digest;
mod execute;
mod memo;
mod part;
mod per_thread;
mod plan;
mod rooms;
mod shelf;
mod sketch;
mod slots;

use crate::batch::{BatchEvaluator, dispatch};
use execute::{BlockWork, Worker};
use memo::LossMemo;
use mge_threads::{Order, share_in};
pub use part::{NetworkPart, PartLists};
use per_thread::PerThread;
use plan::Plan;
use shelf::Shelf;
use sketch::RowFacts;
use slots::Slots;
use std::sync::Arc;

/// Evaluates populations, and remembers what the next one may need.
#[derive(Debug)]
pub struct PopulationEvaluator {
    evaluator: Arc<BatchEvaluator>,
    slots: Slots,
    memo: LossMemo,
    plan: Plan,
    /// Of the blocks. Back and forth: what the last population read last is still in the cache.
    order: Order,
    /// The kept columns of each block.
    blocks: Vec<Shelf>,
    /// The losses of each block, network job by network job.
    losses: Vec<f64>,
    workers: PerThread<Worker>,
}

/// What the last population took.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Work {
    /// Networks that were not known.
    pub networks: usize,
    /// Output columns that were computed.
    pub outputs: usize,
    /// Neurons that were computed.
    pub neurons: usize,
    /// Columns that were used for this population only.
    pub passing: usize,
    /// Bytes of the columns that are kept.
    pub kept_bytes: usize,
}

impl PopulationEvaluator {
    /// Keeps columns in at most about `memory` bytes. With too few it computes again what it
    /// cannot keep.
    pub fn new(evaluator: Arc<BatchEvaluator>, memory: usize) -> Self {
        let blocks = evaluator.blocks.spans().count();
        let columns = memory / bytes_of_column(&evaluator);
        let is_long = blocks > 1;
        let most = if is_long { columns.min(MOST_LONG_COLUMNS) } else { columns };
        Self {
            slots: Slots::new(most, is_long),
            memo: LossMemo::default(),
            plan: Plan::default(),
            order: Order::Forwards,
            blocks: (0..blocks).map(|_| Shelf::default()).collect(),
            losses: Vec::new(),
            workers: PerThread::default(),
            evaluator,
        }
    }

    /// The mean loss of each network over the rows, as [`BatchEvaluator::loss`] has it. `None`
    /// for a network whose sums may be too large to be shared: that one must be evaluated by
    /// itself. How the population is cut into lists does not matter.
    ///
    /// # Panics
    /// When a part names an input or output that the evaluator does not have.
    pub fn losses(&mut self, population: &[PartLists<'_>]) -> Vec<Option<f64>> {
        let evaluator = Arc::clone(&self.evaluator);
        let Self { slots, memo, plan, .. } = self;
        let rows = RowFacts { outputs: evaluator.outputs, column_max: &evaluator.column_max };
        plan.make(population, rows, slots, memo);
        self.execute(&evaluator);
        self.add_up_losses(&evaluator);
        self.plan.losses.iter().map(|&place| self.memo.loss(place)).collect()
    }

    /// Bytes of the books for populations of so many networks, about: names of networks and columns,
    /// sketches and jobs, but no column.
    pub fn metadata_bytes(networks: usize, outputs: usize) -> usize {
        // Measured with 26 to 300 classes, four populations' worth of names included.
        const OF_OUTPUT: usize = 256;
        let of_outputs = networks.saturating_mul(outputs).saturating_mul(OF_OUTPUT);
        LossMemo::bytes(networks).saturating_add(of_outputs)
    }

    /// What the last population took.
    pub fn work(&self) -> Work {
        Work {
            networks: self.plan.networks.len(),
            outputs: self.plan.outputs.len(),
            neurons: self.plan.neurons.len(),
            passing: self.slots.passing(),
            kept_bytes: self.slots.len() * bytes_of_column(&self.evaluator),
        }
    }

    /// In the order of the blocks, for any number of threads.
    fn add_up_losses(&mut self, evaluator: &BatchEvaluator) {
        let networks = &self.plan.networks;
        if networks.is_empty() {
            return;
        }
        let (totals, rest) = self.losses.split_at_mut(networks.len());
        for of_block in rest.chunks_exact(networks.len()) {
            for (total, loss) in totals.iter_mut().zip(of_block) {
                *total += loss;
            }
        }
        for (job, &total) in networks.iter().zip(&*totals) {
            self.memo.set(job.loss, evaluator.mean(total));
        }
    }

    fn execute(&mut self, evaluator: &BatchEvaluator) {
        let jobs = self.plan.networks.len();
        if jobs == 0 {
            return;
        }
        let spans: Vec<(usize, usize)> = evaluator.blocks.spans().collect();
        self.losses.clear();
        self.losses.resize(jobs * spans.len(), 0.0);
        let (plan, slots, workers) = (&self.plan, &self.slots, &self.workers);
        let do_block = |((start, rows), kept, losses): ((usize, usize), &mut Shelf, _)| {
            kept.reserve(evaluator.blocks.longest(), slots.len());
            workers.with_own(|worker| {
                worker.reserve(evaluator.blocks.longest(), evaluator.outputs, plan.rooms.count());
                let work = BlockWork {
                    plan,
                    inputs: evaluator.blocks.block(start, rows),
                    rows,
                    outputs: evaluator.outputs,
                    loss: evaluator.loss,
                    targets: evaluator.targets.block(start, rows),
                    kept,
                    worker,
                    losses,
                };
                dispatch::run(evaluator.level, work);
            });
        };
        let kept_and_losses = self.blocks.iter_mut().zip(self.losses.chunks_exact_mut(jobs));
        let blocks = spans.into_iter().zip(kept_and_losses);
        let blocks = blocks.map(|(span, (kept, losses))| (span, kept, losses)).collect();
        share_in(self.order, blocks, do_block);
        self.order = match self.order {
            Order::Forwards => Order::Backwards,
            Order::Backwards => Order::Forwards,
        };
    }
}

/// Most columns that are kept of a table of several blocks: half a mebibyte of each block, which stays
/// in the second-level cache with what passes through it. To fetch more from memory took longer than
/// to compute it again.
const MOST_LONG_COLUMNS: usize = 256;

/// Bytes of one column over all blocks, its books included.
fn bytes_of_column(evaluator: &BatchEvaluator) -> usize {
    let (blocks, rows) = (evaluator.blocks.spans().count(), evaluator.blocks.longest());
    blocks.max(1) * (rows * size_of::<f32>() + 128)
}
