//! Doing a plan, one block of rows at a time, and in a block network by network: the kept columns
//! of a block are used by every job that needs them before the next block is touched, and what is
//! computed for one network is used at once.

use super::plan::{NetworkEnd, NetworkJob, OutputForm, Plan, PlannedTerm, Span};
use super::rooms::Rooms;
use super::shelf::{Passing, Shelf};
use super::slots::Place;
use crate::batch::blocks::AlignedValues;
use crate::batch::bound::RESOLUTION;
use crate::batch::dispatch::Kernel;
use crate::batch::row_loss::{self, BlockTargets, Powers, RowValues};
use crate::batch::unit::{Term, activate, add_contributions, weighted_sum};
use crate::loss::Loss;

/// Memory of one thread.
#[derive(Debug, Default)]
pub(super) struct Worker {
    passing: Passing,
    /// A column while it is computed, if it is one to be kept.
    column: AlignedValues,
    steps: AlignedValues<i32>,
    sums: AlignedValues,
    rows: RowValues,
}

impl Worker {
    pub(super) fn reserve(&mut self, rows: usize, outputs: usize, rooms: usize) {
        self.steps.reserve(rows);
        self.sums.reserve(rows * outputs);
        self.rows.reserve(rows);
        self.column.reserve(rows);
        self.passing.reserve(rows, rooms);
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
    pub(super) kept: &'a mut Shelf,
    pub(super) worker: &'a mut Worker,
    /// One for each network job.
    pub(super) losses: &'a mut [f64],
}

/// Where columns are read from.
#[derive(Clone, Copy)]
struct Sources<'a> {
    inputs: &'a [f32],
    rows: usize,
    kept: &'a Shelf,
    passing: &'a Passing,
    rooms: &'a Rooms,
}

impl<'a> Sources<'a> {
    #[inline(always)]
    fn get(self, place: Place) -> &'a [f32] {
        match place {
            Place::Input(index) => &self.inputs[index as usize * self.rows..][..self.rows],
            Place::Slot(index) => self.kept.column(index, self.rows),
            Place::Passing(index) => self.passing.column(self.rooms.of(index), self.rows),
        }
    }

    /// Of the output that is at this place.
    #[inline(always)]
    fn own_steps(self, place: Place) -> i64 {
        match place {
            Place::Input(_) => unreachable!("inputs are no outputs"),
            Place::Slot(index) => self.kept.own_steps(index),
            Place::Passing(index) => self.passing.own_steps(self.rooms.of(index)),
        }
    }

    #[inline(always)]
    fn term(self, term: &PlannedTerm) -> Term<'a> {
        let PlannedTerm { place, weight, is_narrow } = *term;
        Term { values: self.get(place), weight, is_narrow }
    }
}

/// The outputs of a network.
struct AtPlaces<'a> {
    sources: Sources<'a>,
    places: &'a [Place],
}

impl Powers for AtPlaces<'_> {
    #[inline(always)]
    fn of_output(&self, output: usize) -> &[f32] {
        self.sources.get(self.places[output])
    }
}

impl BlockWork<'_> {
    #[inline(always)]
    fn sources(&self) -> Sources<'_> {
        let Self { plan, inputs, rows, ref kept, ref worker, .. } = *self;
        Sources { inputs, rows, kept, passing: &worker.passing, rooms: &plan.rooms }
    }

    /// Memory for the values that go to a place: that of a passing column is the place itself.
    #[inline(always)]
    fn take_column(&mut self, place: Place) -> AlignedValues {
        match place {
            Place::Passing(index) => self.worker.passing.take(self.plan.rooms.of(index)),
            _ => std::mem::take(&mut self.worker.column),
        }
    }

    /// Puts its first values there.
    #[inline(always)]
    fn put(&mut self, place: Place, column: AlignedValues, own_steps: i64) {
        match place {
            Place::Passing(index) => {
                self.worker.passing.put(self.plan.rooms.of(index), column, own_steps);
            }
            Place::Slot(index) => {
                self.kept.put(index, &column.get()[..self.rows], own_steps);
                self.worker.column = column;
            }
            Place::Input(_) => unreachable!("inputs are never written"),
        }
    }

    #[inline(always)]
    fn neurons(&mut self, span: &Span) {
        let (plan, rows) = (self.plan, self.rows);
        for job in &plan.neurons[span.neurons.clone()] {
            let mut column = self.take_column(job.place);
            let values = &mut column.get_mut()[..rows];
            let sources = self.sources();
            let read = |&(place, weight): &(Place, f32)| (sources.get(place), weight);
            weighted_sum(values, job.bias, &plan.links[job.links.clone()], read);
            activate(values, job.activation);
            self.put(job.place, column, 0);
        }
    }

    #[inline(always)]
    fn output_columns(&mut self, span: &Span) {
        let (plan, rows, targets) = (self.plan, self.rows, self.targets);
        let mut steps = std::mem::take(&mut self.worker.steps);
        let steps_of = &mut steps.get_mut()[..rows];
        for job in &plan.outputs[span.outputs.clone()] {
            let mut column = self.take_column(job.place);
            let values = &mut column.get_mut()[..rows];
            let sources = self.sources();
            let terms = &plan.terms[job.terms.clone()];
            add_contributions(steps_of, None, terms, |term| sources.term(term));
            let own_steps = match job.form {
                OutputForm::Powers => row_loss::powers_of(steps_of, job.output, targets, values),
                OutputForm::Sums => {
                    to_sums(steps_of, values);
                    0
                }
            };
            self.put(job.place, column, own_steps);
        }
        self.worker.steps = steps;
    }

    #[inline(always)]
    fn loss(&mut self, job: &NetworkJob) -> f64 {
        let Self { plan, inputs, rows, outputs, loss, targets, ref kept, ref mut worker, .. } =
            *self;
        let Worker { passing, steps, sums, rows: row_values, .. } = &mut **worker;
        let sources = Sources { inputs, rows, kept, passing, rooms: &plan.rooms };
        let sums = &mut sums.get_mut()[..rows * outputs];
        let places = &plan.places[job.span.places.clone()];
        match job.end {
            NetworkEnd::Single => {
                let steps = &mut steps.get_mut()[..rows];
                let terms = &plan.terms[job.span.terms.clone()];
                add_contributions(steps, None, terms, |term| sources.term(term));
                to_sums(steps, sums);
                row_loss::block_loss(loss, sums, targets, row_values)
            }
            NetworkEnd::Several(OutputForm::Powers) => {
                let mut own = 0;
                for &place in places {
                    own += sources.own_steps(place);
                }
                let powers = &AtPlaces { sources, places };
                row_loss::tame_block_loss(loss, outputs, powers, own, targets, row_values)
            }
            NetworkEnd::Several(OutputForm::Sums) => {
                for (sums, &place) in sums.chunks_exact_mut(rows).zip(places) {
                    sums.copy_from_slice(sources.get(place));
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
