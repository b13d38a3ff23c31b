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
use super::sketch::{RowFacts, Sketch, SketchedTerm};
use super::slots::{Place, Slots};
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
    /// Networks that were not known, while they are planned.
    sketches: Vec<Sketch>,
    /// Working memory for one network.
    found: Vec<Option<Place>>,
    needed: Vec<bool>,
    missing: Vec<u32>,
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
    pub(super) links: std::ops::Range<usize>,
    pub(super) outputs: std::ops::Range<usize>,
    pub(super) terms: std::ops::Range<usize>,
    pub(super) places: std::ops::Range<usize>,
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
        // One thread plans each network while its sketch is in the cache.
        let at_once = if rayon::current_num_threads() == 1 { 1 } else { new.len().max(1) };
        sketches.resize_with(at_once.max(sketches.len()), Sketch::default);
        for some in new.chunks(at_once) {
            let sketch = |(sketch, &(parts, _)): (&mut Sketch, &NewNetwork<'_, '_>)| {
                sketch.make(parts, rows, slots)
            };
            if let ([only], [first, ..]) = (some, sketches.as_mut_slice()) {
                sketch((first, only));
            } else {
                let pieces = sketches.chunks_mut(NETWORKS_PER_TASK);
                let pieces = pieces.zip(some.chunks(NETWORKS_PER_TASK)).collect();
                share(pieces, |(sketches, some)| sketches.iter_mut().zip(some).for_each(sketch));
            }
            for (&(parts, loss), sketch) in some.iter().zip(&sketches) {
                self.add_network(parts, sketch, slots, loss);
            }
        }
        self.sketches = sketches;
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
        self.found.clear();
        self.found.resize(parts.len(), None);
        self.needed.clear();
        if let [only] = sketch.outputs.as_slice() {
            self.needed.resize(parts.len(), true);
            self.add_neurons(parts, slots);
            self.add_terms(sketch.terms_of(only));
            let span = self.span_since(before);
            self.networks.push(NetworkJob { span, end: NetworkEnd::Single, loss });
            return;
        }
        self.needed.resize(parts.len(), false);
        let first_place = self.places.len();
        self.missing.clear();
        for (index, output) in (0..).zip(&sketch.outputs) {
            let known = match output.kept {
                Some(slot) => Some(Place::Slot(slot)),
                // A network before this one may have asked for it since.
                None => slots.find(output.digest),
            };
            let place = known.unwrap_or_else(|| {
                self.missing.push(index);
                for term in sketch.terms_of(output) {
                    self.needed[term.part as usize] = true;
                }
                slots.insert(output.digest)
            });
            self.places.push(place);
        }
        self.add_neurons(parts, slots);
        for index in 0..self.missing.len() {
            let output = self.missing[index];
            let place = self.places[first_place + output as usize];
            let terms = self.add_terms(sketch.terms_of(&sketch.outputs[output as usize]));
            self.outputs.push(OutputJob { place, output, form, terms });
        }
        let span = self.span_since(before);
        self.networks.push(NetworkJob { span, end: NetworkEnd::Several(form), loss });
    }

    fn lengths(&self) -> [usize; 5] {
        let Self { neurons, links, outputs, terms, places, .. } = self;
        [neurons.len(), links.len(), outputs.len(), terms.len(), places.len()]
    }

    fn span_since(&self, before: [usize; 5]) -> Span {
        let now = self.lengths();
        let [neurons, links, outputs, terms, places] = std::array::from_fn(|k| before[k]..now[k]);
        Span { neurons, links, outputs, terms, places }
    }

    /// Finds the columns of all needed neurons and adds jobs for those that have none.
    fn add_neurons(&mut self, parts: &[PartUse<'_>], slots: &mut Slots) {
        for index in (0..parts.len()).rev() {
            if !self.needed[index] {
                continue;
            }
            let PartUse { part, first, digest } = parts[index];
            self.found[index] = slots.find(digest);
            if self.found[index].is_none() && part.reads_neurons {
                for link in &part.neuron().links {
                    if let Source::Neuron(source) = link.source {
                        self.needed[(first + source) as usize] = true;
                    }
                }
            }
        }
        for (index, &PartUse { part, first, digest }) in parts.iter().enumerate() {
            if !self.needed[index] || self.found[index].is_some() {
                continue;
            }
            // Two equal neurons in one network: the first one's job serves both.
            let place = slots.find(digest).unwrap_or_else(|| {
                let place = slots.insert(digest);
                let from = self.links.len();
                for link in &part.neuron().links {
                    let source = match link.source {
                        Source::Input(input) => Place::Input(input),
                        Source::Neuron(source) => {
                            self.found[(first + source) as usize].expect("sources come first")
                        }
                    };
                    self.links.push((source, link.weight));
                }
                let neuron = part.neuron();
                self.neurons.push(NeuronJob {
                    place,
                    activation: neuron.activation,
                    bias: neuron.bias,
                    links: from..self.links.len(),
                });
                place
            });
            self.found[index] = Some(place);
        }
    }

    /// The contributions to one output.
    fn add_terms(&mut self, terms: &[SketchedTerm]) -> std::ops::Range<usize> {
        let from = self.terms.len();
        self.terms.extend(terms.iter().map(|&SketchedTerm { part, weight, is_narrow }| {
            let place = self.found[part as usize].expect("planned before its output");
            PlannedTerm { place, weight, is_narrow }
        }));
        from..self.terms.len()
    }
}
