//! Doing a plan, one block of rows at a time, and in a block network by network: the kept columns
//! of a block are used by every job that needs them before the next block is touched, and what is
//! computed for one network is used at once.

use super::plan::{NetworkEnd, NetworkJob, OutputForm, Plan, PlannedTerm, Span};
use super::slots::Place;
use crate::batch::blocks::AlignedValues;
use crate::batch::bound::RESOLUTION;
use crate::batch::dispatch::Kernel;
use crate::batch::row_loss::{self, BlockTargets, RowValues};
use crate::batch::unit::{Term, activate, add_contributions, weighted_sum};
use crate::loss::Loss;

/// The values of one block of a neuron or an output.
#[derive(Debug, Default)]
pub(super) struct Column {
    values: AlignedValues,
    /// For an output: the steps of the rows of its own class, added up.
    own_steps: i64,
}

/// Memory of one thread.
#[derive(Debug, Default)]
pub(super) struct Worker {
    passing: Vec<Column>,
    steps: Vec<i32>,
    sums: AlignedValues,
    rows: RowValues,
}

impl Worker {
    pub(super) fn reserve(&mut self, rows: usize, outputs: usize, passing: usize) {
        self.steps.resize(rows, 0);
        self.sums.reserve(rows * outputs);
        self.rows.reserve(rows);
        if self.passing.len() < passing {
            self.passing.resize_with(passing, Column::default);
        }
    }
}

/// All jobs for one block.
pub(super) struct BlockWork<'a> {
    pub(super) plan: &'a Plan,
    pub(super) inputs: &'a [f32],
    pub(super) rows: usize,
    pub(super) outputs: usize,
    pub(super) loss: Loss,
    pub(super) targets: BlockTargets<'a>,
    pub(super) kept: &'a mut [Column],
    pub(super) worker: &'a mut Worker,
    /// One for each network job.
    pub(super) losses: &'a mut [f64],
}

/// Where columns are read from.
#[derive(Clone, Copy)]
struct Shelf<'a> {
    inputs: &'a [f32],
    rows: usize,
    kept: &'a [Column],
    passing: &'a [Column],
}

impl<'a> Shelf<'a> {
    #[inline(always)]
    fn column(self, place: Place) -> &'a Column {
        match place {
            Place::Slot(index) => &self.kept[index as usize],
            Place::Passing(index) => &self.passing[index as usize],
            Place::Input(_) => unreachable!("inputs have no column of their own"),
        }
    }

    #[inline(always)]
    fn get(self, place: Place) -> &'a [f32] {
        match place {
            Place::Input(index) => &self.inputs[index as usize * self.rows..][..self.rows],
            _ => &self.column(place).values.get()[..self.rows],
        }
    }

    #[inline(always)]
    fn term(self, term: &PlannedTerm) -> Term<'a> {
        let PlannedTerm { place, weight, is_narrow } = *term;
        Term { values: self.get(place), weight, is_narrow }
    }
}

impl BlockWork<'_> {
    #[inline(always)]
    fn shelf(&self) -> Shelf<'_> {
        let Self { inputs, rows, ref kept, ref worker, .. } = *self;
        Shelf { inputs, rows, kept, passing: &worker.passing }
    }

    /// Takes a column off the shelf, to be written while others are read.
    #[inline(always)]
    fn take(&mut self, place: Place) -> Column {
        let mut column = std::mem::take(self.at(place));
        column.values.reserve(self.rows);
        column
    }

    #[inline(always)]
    fn at(&mut self, place: Place) -> &mut Column {
        match place {
            Place::Slot(index) => &mut self.kept[index as usize],
            Place::Passing(index) => &mut self.worker.passing[index as usize],
            Place::Input(_) => unreachable!("inputs are never written"),
        }
    }

    #[inline(always)]
    fn neurons(&mut self, span: &Span) {
        let (plan, rows) = (self.plan, self.rows);
        for job in &plan.neurons[span.neurons.clone()] {
            let mut column = self.take(job.place);
            let values = &mut column.values.get_mut()[..rows];
            let shelf = self.shelf();
            let read = |&(place, weight): &(Place, f32)| (shelf.get(place), weight);
            weighted_sum(values, job.bias, &plan.links[job.links.clone()], read);
            activate(values, job.activation);
            *self.at(job.place) = column;
        }
    }

    #[inline(always)]
    fn output_columns(&mut self, span: &Span) {
        let (plan, rows, targets) = (self.plan, self.rows, self.targets);
        let mut steps = std::mem::take(&mut self.worker.steps);
        for job in &plan.outputs[span.outputs.clone()] {
            let steps = &mut steps[..rows];
            let shelf = self.shelf();
            add_contributions(steps, None, &plan.terms[job.terms.clone()], |term| shelf.term(term));
            let mut column = self.take(job.place);
            let values = &mut column.values.get_mut()[..rows];
            match job.form {
                OutputForm::Powers => {
                    column.own_steps = row_loss::powers_of(steps, job.output, targets, values);
                }
                OutputForm::Sums => to_sums(steps, values),
            }
            *self.at(job.place) = column;
        }
        self.worker.steps = steps;
    }

    #[inline(always)]
    fn loss(&mut self, job: &NetworkJob) -> f64 {
        let Self { plan, inputs, rows, outputs, loss, targets, ref kept, ref mut worker, .. } =
            *self;
        let Worker { passing, steps, sums, rows: row_values } = &mut **worker;
        let shelf = Shelf { inputs, rows, kept, passing };
        let sums = &mut sums.get_mut()[..rows * outputs];
        let places = &plan.places[job.span.places.clone()];
        match job.end {
            NetworkEnd::Single => {
                let steps = &mut steps[..rows];
                let terms = &plan.terms[job.span.terms.clone()];
                add_contributions(steps, None, terms, |term| shelf.term(term));
                to_sums(steps, sums);
                row_loss::block_loss(loss, sums, targets, row_values)
            }
            NetworkEnd::Several(OutputForm::Powers) => {
                let own = places.iter().map(|&place| shelf.column(place).own_steps).sum();
                let powers = |output: usize| shelf.get(places[output]);
                row_loss::tame_block_loss(loss, outputs, powers, own, targets, row_values)
            }
            NetworkEnd::Several(OutputForm::Sums) => {
                for (sums, &place) in sums.chunks_exact_mut(rows).zip(places) {
                    sums.copy_from_slice(shelf.get(place));
                }
                row_loss::block_loss(loss, sums, targets, row_values)
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
            self.neurons(&job.span);
            self.output_columns(&job.span);
            self.losses[index] = self.loss(job);
        }
    }
}
