//! Executes a plan for one block of rows, network by network.
//!
//! All jobs use the cached columns of a block before the next block is touched, and a column that
//! is computed for one network is used at once. So most reads hit the processor's cache.

use super::buffer_allocator::BufferAllocator;
use super::cache_index::ColumnRef;
use super::column_cache::{ColumnCache, TempColumns};
use super::plan::{JobRanges, NetworkJob, OutputForm, OutputLayer, Plan, PlannedTerm};
use crate::batch::blocks::AlignedValues;
use crate::batch::bound::RESOLUTION;
use crate::batch::dispatch::Kernel;
use crate::batch::row_loss::{self, BlockTargets, Exps, RowScratch};
use crate::batch::unit::{Term, add_contributions, weighted_sum};
use crate::loss::Loss;

/// The scratch memory of one thread.
#[derive(Debug, Default)]
pub(super) struct Worker {
    temp: TempColumns,
    /// A cached column while it is computed.
    column: AlignedValues,
    steps: AlignedValues<i32>,
    sums: AlignedValues,
    rows: RowScratch,
}

impl Worker {
    pub(super) fn reserve(&mut self, rows: usize, outputs: usize, buffers: usize) {
        self.steps.reserve(rows);
        self.sums.reserve(rows * outputs);
        self.rows.reserve(rows);
        self.column.reserve(rows);
        self.temp.reserve(rows, buffers);
    }
}

/// All jobs of a plan, for one block.
pub(super) struct BlockWork<'a> {
    pub(super) plan: &'a Plan,
    pub(super) inputs: &'a [f32],
    pub(super) rows: usize,
    pub(super) outputs: usize,
    pub(super) loss: Loss,
    pub(super) targets: BlockTargets<'a>,
    pub(super) cache: &'a mut ColumnCache,
    pub(super) worker: &'a mut Worker,
    /// Receives the loss of each network job.
    pub(super) losses: &'a mut [f64],
}

/// Reads columns, wherever they are.
#[derive(Clone, Copy)]
struct ColumnReader<'a> {
    inputs: &'a [f32],
    rows: usize,
    cache: &'a ColumnCache,
    temp: &'a TempColumns,
    buffers: &'a BufferAllocator,
}

impl<'a> ColumnReader<'a> {
    #[inline(always)]
    fn get(self, column: ColumnRef) -> &'a [f32] {
        match column {
            ColumnRef::Input(index) => &self.inputs[index as usize * self.rows..][..self.rows],
            ColumnRef::Cached(slot) => self.cache.column(slot, self.rows),
            ColumnRef::Temp(index) => self.temp.column(self.buffers.buffer_of(index), self.rows),
        }
    }

    /// The true-class sum that is stored with an output column.
    #[inline(always)]
    fn true_class_sum(self, column: ColumnRef) -> i64 {
        match column {
            ColumnRef::Input(_) => unreachable!("inputs are no outputs"),
            ColumnRef::Cached(slot) => self.cache.true_class_sum(slot),
            ColumnRef::Temp(index) => self.temp.true_class_sum(self.buffers.buffer_of(index)),
        }
    }

    #[inline(always)]
    fn term(self, term: &PlannedTerm) -> Term<'a> {
        let PlannedTerm { column, weight, is_narrow } = *term;
        Term { values: self.get(column), weight, is_narrow }
    }
}

/// The exponentials of a network's outputs, each in its own column.
struct ColumnExps<'a> {
    reader: ColumnReader<'a>,
    columns: &'a [ColumnRef],
}

impl Exps for ColumnExps<'_> {
    #[inline(always)]
    fn of_output(&self, output: usize) -> &[f32] {
        self.reader.get(self.columns[output])
    }
}

impl BlockWork<'_> {
    #[inline(always)]
    fn reader(&self) -> ColumnReader<'_> {
        let Self { plan, inputs, rows, ref cache, ref worker, .. } = *self;
        ColumnReader { inputs, rows, cache, temp: &worker.temp, buffers: &plan.buffers }
    }

    /// Memory to compute a column in. A temporary column is computed in its own buffer.
    #[inline(always)]
    fn take_memory(&mut self, column: ColumnRef) -> AlignedValues {
        match column {
            ColumnRef::Temp(index) => self.worker.temp.take(self.plan.buffers.buffer_of(index)),
            _ => std::mem::take(&mut self.worker.column),
        }
    }

    /// Stores a computed column, and gives the memory back.
    #[inline(always)]
    fn store(&mut self, column: ColumnRef, values: AlignedValues, true_class_sum: i64) {
        match column {
            ColumnRef::Temp(index) => {
                let buffer = self.plan.buffers.buffer_of(index);
                self.worker.temp.store(buffer, values, true_class_sum);
            }
            ColumnRef::Cached(slot) => {
                self.cache.store(slot, &values.get()[..self.rows], true_class_sum);
                self.worker.column = values;
            }
            ColumnRef::Input(_) => unreachable!("inputs are never written"),
        }
    }

    #[inline(always)]
    fn compute_neurons(&mut self, jobs: &JobRanges) {
        let (plan, rows) = (self.plan, self.rows);
        for job in &plan.neurons[jobs.neurons.clone()] {
            let mut memory = self.take_memory(job.column);
            let values = &mut memory.get_mut()[..rows];
            let reader = self.reader();
            let read = |&(column, weight): &(ColumnRef, f32)| (reader.get(column), weight);
            weighted_sum(values, job.bias, &plan.links[job.links.clone()], read);
            job.activation.apply_fast(values);
            self.store(job.column, memory, 0);
        }
    }

    #[inline(always)]
    fn compute_outputs(&mut self, jobs: &JobRanges) {
        let (plan, rows, targets) = (self.plan, self.rows, self.targets);
        let mut steps_memory = std::mem::take(&mut self.worker.steps);
        let steps = &mut steps_memory.get_mut()[..rows];
        for job in &plan.outputs[jobs.outputs.clone()] {
            let mut memory = self.take_memory(job.column);
            let values = &mut memory.get_mut()[..rows];
            let reader = self.reader();
            let terms = &plan.terms[job.terms.clone()];
            add_contributions(steps, None, terms, |term| reader.term(term));
            let true_class_sum = match job.form {
                OutputForm::Exps => {
                    row_loss::exp_sums(steps, job.output, targets.classes(), values)
                }
                OutputForm::Sums => {
                    to_sums(steps, values);
                    0
                }
            };
            self.store(job.column, memory, true_class_sum);
        }
        self.worker.steps = steps_memory;
    }

    #[inline(always)]
    fn network_loss(&mut self, job: &NetworkJob) -> f64 {
        let Self { plan, inputs, rows, outputs, loss, targets, ref cache, ref mut worker, .. } =
            *self;
        let Worker { temp, steps, sums, rows: row_scratch, .. } = &mut **worker;
        let reader = ColumnReader { inputs, rows, cache, temp, buffers: &plan.buffers };
        let sums = &mut sums.get_mut()[..rows * outputs];
        let columns = &plan.output_columns[job.jobs.output_columns.clone()];
        match job.outputs {
            OutputLayer::Single => {
                let steps = &mut steps.get_mut()[..rows];
                let terms = &plan.terms[job.jobs.terms.clone()];
                add_contributions(steps, None, terms, |term| reader.term(term));
                to_sums(steps, sums);
                row_loss::block_loss(loss, sums, targets, 0.0, row_scratch)
            }
            OutputLayer::Multiple(OutputForm::Exps) => {
                let mut true_class_sum = 0;
                for &column in columns {
                    true_class_sum += reader.true_class_sum(column);
                }
                let exps = &ColumnExps { reader, columns };
                row_loss::softmax_loss_unshifted(
                    loss,
                    outputs,
                    exps,
                    true_class_sum,
                    targets.classes(),
                    row_scratch,
                )
            }
            OutputLayer::Multiple(OutputForm::Sums) => {
                for (sums, &column) in sums.chunks_exact_mut(rows).zip(columns) {
                    sums.copy_from_slice(reader.get(column));
                }
                row_loss::block_loss(loss, sums, targets, 0.0, row_scratch)
            }
        }
    }
}

#[inline(always)]
fn to_sums(steps: &[i32], sums: &mut [f32]) {
    for (sum, &steps) in sums.iter_mut().zip(steps) {
        *sum = steps as f32 * RESOLUTION;
    }
}

impl Kernel for BlockWork<'_> {
    type Output = ();

    #[inline(always)]
    fn run(mut self) {
        let plan = self.plan;
        for (index, job) in plan.networks.iter().enumerate() {
            self.compute_neurons(&job.jobs);
            self.compute_outputs(&job.jobs);
            self.losses[index] = self.network_loss(job);
        }
    }
}
