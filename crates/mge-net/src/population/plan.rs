//! What must be computed for a population, each thing once.
//!
//! A network that was evaluated before costs one look into a table. A new one needs the columns
//! of its outputs; an output that no kept column has needs its neurons; a neuron that no kept
//! column has is computed. So planning works backwards, and the jobs stand in the order in which
//! they can be done: network by network, so that what is computed for one network alone is used
//! while it is in the first-level cache.
//!
//! The books (which columns there are, and where) have one hand that writes, so networks are
//! planned one after another. What can be told without writing is told before that, on all
//! threads (see [`Sketch`]), which only mark the kept columns that are needed.

use super::memo::{LossMemo, Recalled};
use super::part::{ListedParts, PartLists, PartUse};
use super::per_thread::PerThread;
use super::rooms::Rooms;
use super::sketch::{RowFacts, Sketch, SketchedTerm, Sketcher};
use super::slots::{Place, Placed, Slots};
use crate::activation::Activation;
use crate::network::Source;
use mge_threads::share;

/// Networks handed to a thread at once: sketching one takes some microseconds.
const NETWORKS_PER_TASK: usize = 8;

/// A network that no memory has, and where its loss goes.
type NewNetwork<'l, 'p> = (&'l [PartUse<'p>], u32);

/// Jobs for one population. The buffers are used again.
#[derive(Debug, Default)]
pub(super) struct Plan {
    pub(super) neurons: Vec<NeuronJob>,
    pub(super) links: Vec<(Place, f32)>,
    pub(super) outputs: Vec<OutputJob>,
    pub(super) terms: Vec<PlannedTerm>,
    pub(super) networks: Vec<NetworkJob>,
    pub(super) places: Vec<Place>,
    /// Where each network of the population finds its loss.
    pub(super) losses: Vec<u32>,
    /// Memory for the columns that are passing.
    pub(super) rooms: Rooms,
    /// Networks that were not known, while they are planned.
    sketches: Vec<Sketch>,
    sketchers: PerThread<Sketcher>,
    /// Of the neurons of one sketch: where their columns are, as far as they are needed.
    found: Vec<Option<Place>>,
    /// Of the same: whether an output that must be computed needs them.
    needed: Vec<bool>,
}

/// A neuron whose column is to be computed.
#[derive(Debug)]
pub(super) struct NeuronJob {
    pub(super) place: Place,
    pub(super) activation: Activation,
    pub(super) bias: Option<f32>,
    pub(super) links: std::ops::Range<usize>,
}

/// What is kept of an output.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum OutputForm {
    /// The exponential of its sum.
    Powers,
    /// Its sum.
    Sums,
}

/// An output whose column is to be computed.
#[derive(Debug)]
pub(super) struct OutputJob {
    pub(super) place: Place,
    pub(super) output: u32,
    pub(super) form: OutputForm,
    pub(super) terms: std::ops::Range<usize>,
}

/// A contribution to an output.
#[derive(Debug, Clone, Copy)]
pub(super) struct PlannedTerm {
    pub(super) place: Place,
    pub(super) weight: f32,
    pub(super) is_narrow: bool,
}

/// A network whose loss is to be computed, with what must be computed for it first.
#[derive(Debug)]
pub(super) struct NetworkJob {
    pub(super) span: Span,
    pub(super) end: NetworkEnd,
    /// Where the loss goes.
    pub(super) loss: u32,
}

/// What a network adds to the lists of a plan.
#[derive(Debug, Clone, Default)]
pub(super) struct Span {
    pub(super) neurons: std::ops::Range<usize>,
    pub(super) outputs: std::ops::Range<usize>,
    pub(super) terms: std::ops::Range<usize>,
    pub(super) places: std::ops::Range<usize>,
}

/// Of the lists of a plan.
#[derive(Clone, Copy)]
struct Lengths {
    neurons: usize,
    outputs: usize,
    terms: usize,
    places: usize,
}

/// From columns to the loss.
#[derive(Debug)]
pub(super) enum NetworkEnd {
    /// One output: the terms of the span are its terms.
    Single,
    /// Several: the places of the span are their columns.
    Several(OutputForm),
}

impl Plan {
    /// Plans a population. Never inlined, so that profiles show it.
    #[inline(never)]
    pub(super) fn make(
        &mut self,
        population: &[PartLists<'_>],
        rows: RowFacts<'_>,
        slots: &mut Slots,
        memo: &mut LossMemo,
    ) {
        slots.begin();
        let count = population.iter().map(PartLists::len).sum();
        memo.begin(count);
        self.neurons.clear();
        self.links.clear();
        self.outputs.clear();
        self.terms.clear();
        self.networks.clear();
        self.places.clear();
        self.losses.clear();
        self.rooms.clear();
        let mut new = Vec::with_capacity(count);
        for ListedParts { name, parts } in population.iter().flat_map(PartLists::networks) {
            let recalled = memo.recall(name);
            if let Recalled::New(loss) = recalled {
                new.push((parts, loss));
            }
            let (Recalled::Known(loss) | Recalled::New(loss)) = recalled;
            self.losses.push(loss);
        }
        let mut sketches = std::mem::take(&mut self.sketches);
        let sketchers = std::mem::take(&mut self.sketchers);
        if rayon::current_num_threads() == 1 {
            // Each network is planned while its sketch is in the cache.
            sketches.resize_with(sketches.len().max(1), Sketch::default);
            let sketch = &mut sketches[0];
            sketchers.with_own(|sketcher| {
                for &(parts, loss) in &new {
                    sketcher.sketch(parts, rows, slots, sketch);
                    self.add_network(parts, sketch, slots, loss);
                }
            });
        } else {
            sketches.resize_with(sketches.len().max(new.len()), Sketch::default);
            let pieces = sketches.chunks_mut(NETWORKS_PER_TASK).zip(new.chunks(NETWORKS_PER_TASK));
            share(pieces.collect(), |(sketches, some): (&mut [Sketch], &[NewNetwork<'_, '_>])| {
                sketchers.with_own(|sketcher| {
                    for (sketch, &(parts, _)) in sketches.iter_mut().zip(some) {
                        sketcher.sketch(parts, rows, slots, sketch);
                    }
                });
            });
            for (&(parts, loss), sketch) in new.iter().zip(&sketches) {
                self.add_network(parts, sketch, slots, loss);
            }
        }
        self.sketches = sketches;
        self.sketchers = sketchers;
        self.rooms.assign(self.networks.len());
    }

    /// Adds the jobs of a network, unless its sums may pass fixed point.
    fn add_network(
        &mut self,
        parts: &[PartUse<'_>],
        sketch: &Sketch,
        slots: &mut Slots,
        loss: u32,
    ) {
        let Some(form) = sketch.form else { return };
        let before = self.lengths();
        let is_single = sketch.places.is_empty();
        self.needed.clear();
        self.needed.resize(sketch.neurons.len(), is_single);
        if !is_single {
            self.place_outputs(sketch, form, slots);
        }
        self.place_neurons(parts, sketch, slots);
        let end = if is_single {
            self.add_terms(sketch.terms_of(&sketch.missing[0]));
            NetworkEnd::Single
        } else {
            self.add_terms_of_outputs(before.outputs, sketch);
            NetworkEnd::Several(form)
        };
        let span = self.span_since(before);
        self.networks.push(NetworkJob { span, end, loss });
    }

    fn lengths(&self) -> Lengths {
        let Self { neurons, outputs, terms, places, .. } = self;
        Lengths {
            neurons: neurons.len(),
            outputs: outputs.len(),
            terms: terms.len(),
            places: places.len(),
        }
    }

    fn span_since(&self, before: Lengths) -> Span {
        let now = self.lengths();
        Span {
            neurons: before.neurons..now.neurons,
            outputs: before.outputs..now.outputs,
            terms: before.terms..now.terms,
            places: before.places..now.places,
        }
    }

    /// The network that is being planned reads or writes the column at this place.
    #[inline]
    fn used(&mut self, place: Place) -> Place {
        if let Place::Passing(column) = place {
            self.rooms.used(column, self.networks.len() as u32);
        }
        place
    }

    /// Finds the columns of all outputs, adds jobs for those that must be computed, and tells which
    /// neurons these need.
    fn place_outputs(&mut self, sketch: &Sketch, form: OutputForm, slots: &mut Slots) {
        let first = self.places.len();
        self.places.extend_from_slice(&sketch.places);
        for missing in &sketch.missing {
            let output = missing.output;
            let place = match slots.place(missing.digest, missing.past) {
                Placed::There(place) => place,
                Placed::New(place) => {
                    for term in sketch.terms_of(missing) {
                        self.needed[term.neuron as usize] = true;
                    }
                    self.outputs.push(OutputJob { place, output, form, terms: 0..0 });
                    place
                }
            };
            self.places[first + output as usize] = self.used(place);
        }
    }

    /// Finds the columns of all needed neurons, and adds jobs for those that have none.
    fn place_neurons(&mut self, parts: &[PartUse<'_>], sketch: &Sketch, slots: &mut Slots) {
        if sketch.is_deep {
            self.mark_sources(parts, sketch, slots);
        }
        self.found.clear();
        for (number, neuron) in sketch.neurons.iter().enumerate() {
            let mut found = None;
            if self.needed[number] {
                let place = match slots.place(neuron.digest, neuron.past) {
                    Placed::There(place) => place,
                    Placed::New(place) => {
                        self.add_neuron(&parts[neuron.part as usize], sketch, place);
                        place
                    }
                };
                found = Some(self.used(place));
            }
            self.found.push(found);
        }
    }

    /// What a neuron reads is needed if the neuron must be computed.
    fn mark_sources(&mut self, parts: &[PartUse<'_>], sketch: &Sketch, slots: &Slots) {
        for (number, neuron) in sketch.neurons.iter().enumerate().rev() {
            let used = &parts[neuron.part as usize];
            let is_needed = self.needed[number] && used.part.reads_neurons;
            if is_needed && !slots.has_place(neuron.digest) {
                for source in used.sources() {
                    let number = sketch.number_of(source).expect("sketched with its reader");
                    self.needed[number] = true;
                }
            }
        }
    }

    fn add_neuron(&mut self, used: &PartUse<'_>, sketch: &Sketch, place: Place) {
        let from = self.links.len();
        let neuron = used.part.neuron();
        for link in &neuron.links {
            let source = match link.source {
                Source::Input(input) => Place::Input(input),
                Source::Neuron(source) => {
                    let number = sketch.number_of((used.first + source) as usize);
                    let found = number.and_then(|number| self.found[number]);
                    self.used(found.expect("sources come first"))
                }
            };
            self.links.push((source, link.weight));
        }
        self.neurons.push(NeuronJob {
            place,
            activation: neuron.activation,
            bias: neuron.bias,
            links: from..self.links.len(),
        });
    }

    /// The contributions to the outputs that must be computed, from this job on.
    fn add_terms_of_outputs(&mut self, from: usize, sketch: &Sketch) {
        let mut missing = sketch.missing.iter();
        for job in from..self.outputs.len() {
            let output = self.outputs[job].output;
            let sketched = missing.find(|missing| missing.output == output);
            let sketched = sketched.expect("jobs are those of missing outputs, in order");
            self.outputs[job].terms = self.add_terms(sketch.terms_of(sketched));
        }
    }

    /// The contributions to one output.
    fn add_terms(&mut self, terms: &[SketchedTerm]) -> std::ops::Range<usize> {
        let from = self.terms.len();
        self.terms.extend(terms.iter().map(|&SketchedTerm { neuron, weight, is_narrow }| {
            let place = self.found[neuron as usize].expect("planned before its output");
            PlannedTerm { place, weight, is_narrow }
        }));
        from..self.terms.len()
    }
}
