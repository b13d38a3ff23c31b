//! What must be computed for a population, each thing once.
//!
//! A network that was evaluated before costs one look into a table. A new one needs the columns
//! of its outputs; an output that no kept column has needs its neurons; a neuron that no kept
//! column has is computed. So planning works backwards, and the jobs stand in the order in which
//! they can be done: network by network, so that what is computed for one network alone is used
//! while it is in the first-level cache.

use super::digest::Digest;
use super::memo::{LossMemo, Recalled};
use super::part::{PartLists, PartUse, connection_digest};
use super::slots::{Place, Slots};
use crate::activation::Activation;
use crate::batch::bound::{self, Range};
use crate::network::Source;

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
    /// Working memory for one network.
    bounds: Vec<f64>,
    digests: Vec<Digest>,
    found: Vec<Option<Place>>,
    needed: Vec<bool>,
    of_outputs: Vec<(Digest, u64)>,
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
        population: &PartLists<'_>,
        outputs: usize,
        column_max: &[f32],
        slots: &mut Slots,
        memo: &mut LossMemo,
    ) {
        slots.begin();
        memo.begin(population.len());
        self.neurons.clear();
        self.links.clear();
        self.outputs.clear();
        self.terms.clear();
        self.networks.clear();
        self.places.clear();
        self.losses.clear();
        for parts in population.networks() {
            let loss = match memo.recall(self.name(parts)) {
                Recalled::Known(loss) => loss,
                Recalled::New(loss) => {
                    self.add_network(parts, outputs, column_max, slots, loss);
                    loss
                }
            };
            self.losses.push(loss);
        }
    }

    /// The name of a network: that of the multiset of its connections to outputs. Leaves the name
    /// of each neuron in `digests`, if any neuron reads another one.
    fn name(&mut self, parts: &[PartUse<'_>]) -> Digest {
        if !parts.iter().any(|used| used.part.reads_neurons) {
            self.digests.clear();
            return parts
                .iter()
                .fold(Digest::default(), |all, used| all.with(used.part.connections_digest));
        }
        let mut all = Digest::default();
        self.digests.clear();
        for used in parts {
            let mut digest = used.part.digest;
            let mut connections = used.part.connections_digest;
            if used.part.reads_neurons {
                for link in &used.part.neuron().links {
                    if let Source::Neuron(index) = link.source {
                        digest = digest.then_named(self.digests[(used.first + index) as usize]);
                    }
                }
                connections = used.part.connections_of(digest);
            }
            self.digests.push(digest);
            all = all.with(connections);
        }
        all
    }

    fn digest(&self, parts: &[PartUse<'_>], neuron: usize) -> Digest {
        self.digests.get(neuron).copied().unwrap_or_else(|| parts[neuron].part.digest)
    }

    /// Adds the jobs of a network, unless its sums may pass fixed point.
    fn add_network(
        &mut self,
        parts: &[PartUse<'_>],
        outputs: usize,
        column_max: &[f32],
        slots: &mut Slots,
        loss: u32,
    ) {
        let range = self.bound(parts, outputs, column_max);
        if range == Range::Wide {
            return;
        }
        let form = if range == Range::Tame { OutputForm::Powers } else { OutputForm::Sums };
        self.needed.clear();
        self.needed.resize(parts.len(), outputs == 1);
        self.found.clear();
        self.found.resize(parts.len(), None);
        let before = self.lengths();
        if outputs == 1 {
            self.add_neurons(parts, slots);
            self.add_terms(parts, 0);
            let span = self.span_since(before);
            self.networks.push(NetworkJob { span, end: NetworkEnd::Single, loss });
            return;
        }
        let first_place = self.places.len();
        self.missing.clear();
        for output in 0..outputs {
            let digest = self.output_digest(output, form);
            let place = slots.find(digest).unwrap_or_else(|| {
                self.missing.push(output as u32);
                slots.insert(digest)
            });
            self.places.push(place);
        }
        for (index, used) in parts.iter().enumerate() {
            let feeds = |&(output, _): &(u32, f32)| self.missing.contains(&output);
            self.needed[index] = used.part.connections().iter().any(feeds);
        }
        self.add_neurons(parts, slots);
        for index in 0..self.missing.len() {
            let output = self.missing[index];
            let place = self.places[first_place + output as usize];
            let terms = self.add_terms(parts, output);
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

    fn output_digest(&self, output: usize, form: OutputForm) -> Digest {
        self.of_outputs[output].0.then(output as u64 * 2 + form as u64)
    }

    /// Fills in the bounds of neurons, and name and bound of each output.
    fn bound(&mut self, parts: &[PartUse<'_>], outputs: usize, column_max: &[f32]) -> Range {
        self.bounds.clear();
        self.of_outputs.clear();
        self.of_outputs.resize(outputs, (Digest::default(), 0));
        for (index, used) in parts.iter().enumerate() {
            let neuron = used.part.neuron();
            let bounds = &self.bounds;
            let of_source = |source| match source {
                Source::Input(index) => f64::from(column_max[index as usize]),
                Source::Neuron(index) => bounds[(used.first + index) as usize],
            };
            let bound =
                bound::neuron_bound(neuron.activation, neuron.bias, &neuron.links, of_source);
            self.bounds.push(bound);
            let digest = self.digest(parts, index);
            for &(output, weight) in used.part.connections() {
                let (name, sum) = &mut self.of_outputs[output as usize];
                *name = name.with(connection_digest(digest, output, weight));
                *sum += bound::term_bound(weight, bound);
            }
        }
        Range::of(self.of_outputs.iter().map(|&(_, bound)| bound))
    }

    /// Finds the columns of all needed neurons and adds jobs for those that have none.
    fn add_neurons(&mut self, parts: &[PartUse<'_>], slots: &mut Slots) {
        for index in (0..parts.len()).rev() {
            if !self.needed[index] {
                continue;
            }
            self.found[index] = slots.find(self.digest(parts, index));
            let PartUse { part, first } = parts[index];
            if self.found[index].is_none() && part.reads_neurons {
                for link in &part.neuron().links {
                    if let Source::Neuron(source) = link.source {
                        self.needed[(first + source) as usize] = true;
                    }
                }
            }
        }
        for (index, &PartUse { part, first }) in parts.iter().enumerate() {
            if !self.needed[index] || self.found[index].is_some() {
                continue;
            }
            let digest = self.digest(parts, index);
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
    fn add_terms(&mut self, parts: &[PartUse<'_>], output: u32) -> std::ops::Range<usize> {
        let from = self.terms.len();
        for (index, used) in parts.iter().enumerate() {
            for &(to, weight) in used.part.connections() {
                if to == output {
                    let place = self.found[index].expect("planned before its output");
                    let is_narrow = bound::is_narrow(weight, self.bounds[index]);
                    self.terms.push(PlannedTerm { place, weight, is_narrow });
                }
            }
        }
        from..self.terms.len()
    }
}
