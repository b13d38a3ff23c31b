//! Evaluates whole populations. The losses have the same bits as those of
//! [`BatchEvaluator::loss`], and networks share the work.
//!
//! Offspring repeat most of what their parents computed. This module finds the repeated parts and
//! computes each of them once:
//!
//! 1. Every neuron, output and network gets a `Digest`: a 128-bit hash of what it computes. Equal
//!    digests mean equal values. [`NetworkPart`] stores the digest of a neuron, [`PartLists`]
//!    those of the networks.
//! 2. The `LossCache` stores the losses of networks that were evaluated recently.
//! 3. The `Plan` lists the jobs for all other networks. A column holds the values of one neuron or
//!    output for the rows of a block. First a `NetworkRequest` lists the columns that a network
//!    needs. The `CacheIndex` knows which of them are cached.
//! 4. `execute` runs the plan, one block of rows after another. Columns that a later population
//!    may need go to the `ColumnCache`, all others to buffers that the `BufferAllocator` assigns.
//! 5. The losses of the blocks are added in the order of the blocks.
//!
//! Sharing is exact because outputs are summed in fixed point: integers add up to the same sum in
//! any order. A network whose sums might overflow gets no loss here, and the caller evaluates it
//! alone.
//!
//! Steps 3 and 4 run on the threads of the current `rayon` pool. Results do not depend on the
//! number of threads.

mod buffer_allocator;
mod cache_index;
mod column_cache;
mod digest;
mod execute;
mod loss_cache;
mod part;
mod per_thread;
mod plan;
mod request;

use crate::batch::{BatchEvaluator, dispatch};
use cache_index::CacheIndex;
use column_cache::ColumnCache;
use execute::{BlockWork, Worker};
use loss_cache::LossCache;
use mge_threads::{Order, par_map_in};
pub use part::{NetworkPart, PartLists};
use per_thread::PerThread;
use plan::Plan;
use request::DataBounds;
use std::sync::Arc;

/// Evaluates populations and caches what the next one may need.
#[derive(Debug)]
pub struct PopulationEvaluator {
    evaluator: Arc<BatchEvaluator>,
    index: CacheIndex,
    loss_cache: LossCache,
    plan: Plan,
    /// The order of the blocks. It alternates: the blocks that the last population read last are
    /// still in the processor's cache.
    order: Order,
    /// The cached columns of each block.
    blocks: Vec<ColumnCache>,
    /// Losses by block, then by network job.
    losses: Vec<f64>,
    workers: PerThread<Worker>,
}

/// What the last population computed, and what is cached after it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PopulationStats {
    /// Networks without a cached loss.
    pub networks: usize,
    /// Computed output columns.
    pub outputs: usize,
    /// Computed neuron columns.
    pub neurons: usize,
    /// Columns that were not cached.
    pub temp_columns: usize,
    /// Bytes of the column cache.
    pub cached_bytes: usize,
}

impl PopulationEvaluator {
    /// Caches columns in about `memory` bytes at most. Less memory means more columns that are
    /// computed again, never another result.
    pub fn new(evaluator: Arc<BatchEvaluator>, memory: usize) -> Self {
        let blocks = evaluator.blocks.spans().count();
        let columns = memory / bytes_of_column(&evaluator);
        let is_long = blocks > 1;
        let capacity = if is_long { columns.min(MAX_LONG_COLUMNS) } else { columns };
        Self {
            index: CacheIndex::new(capacity, is_long),
            loss_cache: LossCache::default(),
            plan: Plan::default(),
            order: Order::Forward,
            blocks: (0..blocks).map(|_| ColumnCache::default()).collect(),
            losses: Vec::new(),
            workers: PerThread::default(),
            evaluator,
        }
    }

    /// The mean loss of each network over the rows, equal to [`BatchEvaluator::loss`].
    ///
    /// `None` marks a network whose sums may overflow fixed point. The caller evaluates it with
    /// [`BatchEvaluator::loss`]. How the population is split into lists has no effect.
    ///
    /// # Panics
    /// When a part names an input or output that the evaluator does not have.
    pub fn losses(&mut self, population: &[PartLists<'_>]) -> Vec<Option<f64>> {
        let evaluator = Arc::clone(&self.evaluator);
        let Self { index, loss_cache, plan, .. } = self;
        let data = DataBounds { link: evaluator.link, column_max: &evaluator.column_max };
        plan.make(population, data, index, loss_cache);
        self.execute(&evaluator);
        self.add_up_losses(&evaluator);
        self.plan.losses.iter().map(|&entry| self.loss_cache.loss(entry)).collect()
    }

    /// About how many bytes the cache metadata takes for populations of this size: digests,
    /// requests and jobs, but no columns.
    pub fn metadata_bytes(networks: usize, outputs: usize) -> usize {
        // Measured with 26 to 300 classes. Includes the digests of four populations.
        const PER_OUTPUT: usize = 256;
        let of_outputs = networks.saturating_mul(outputs).saturating_mul(PER_OUTPUT);
        LossCache::bytes(networks).saturating_add(of_outputs)
    }

    /// What the last population computed.
    pub fn stats(&self) -> PopulationStats {
        PopulationStats {
            networks: self.plan.networks.len(),
            outputs: self.plan.outputs.len(),
            neurons: self.plan.neurons.len(),
            temp_columns: self.index.temp_columns(),
            cached_bytes: self.index.slots() * bytes_of_column(&self.evaluator),
        }
    }

    /// Adds the losses in the order of the blocks, for any number of threads.
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
            self.loss_cache.set(job.loss, evaluator.mean(total));
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
        let (plan, index, workers) = (&self.plan, &self.index, &self.workers);
        let do_block = |((start, rows), cache, losses): ((usize, usize), &mut ColumnCache, _)| {
            cache.reserve(evaluator.blocks.longest(), index.slots());
            workers.with_own(|worker| {
                worker.reserve(evaluator.blocks.longest(), evaluator.outputs, plan.buffers.count());
                let work = BlockWork {
                    plan,
                    inputs: evaluator.blocks.block(start, rows),
                    rows,
                    outputs: evaluator.outputs,
                    loss: evaluator.loss,
                    targets: evaluator.targets.block(start, rows),
                    cache,
                    worker,
                    losses,
                };
                dispatch::run(evaluator.level, work);
            });
        };
        let caches_and_losses = self.blocks.iter_mut().zip(self.losses.chunks_exact_mut(jobs));
        let blocks = spans.into_iter().zip(caches_and_losses);
        let blocks = blocks.map(|(span, (cache, losses))| (span, cache, losses)).collect();
        par_map_in(self.order, blocks, do_block);
        self.order = self.order.reversed();
    }
}

/// Maximum number of cached columns where the table has several blocks. They take half a mebibyte
/// for each block, which fits into the second-level cache. Fetching more columns from memory was
/// measured to be slower than computing them again.
const MAX_LONG_COLUMNS: usize = 256;

/// Bytes of one column over all blocks, with its cache metadata.
fn bytes_of_column(evaluator: &BatchEvaluator) -> usize {
    let (blocks, rows) = (evaluator.blocks.spans().count(), evaluator.blocks.longest());
    blocks.max(1) * (rows * size_of::<f32>() + 128)
}
