//! What a network asks for, as far as it can be told from the network and the books as they are
//! at the start of a population: any number of threads can sketch networks at once.
//!
//! A sketch is made by one thread and read by another, and each line of it that goes from one
//! cache to the next takes as long as a hundred instructions. So it holds only what a plan needs;
//! the rest stays with the [`Sketcher`].

use super::digest::Digest;
use super::part::{PartUse, connection_digest};
use super::plan::OutputForm;
use super::slots::{Past, Place, Slots};
use crate::batch::bound::{self, Range};
use crate::network::Source;

/// What is known of the rows that networks are evaluated on.
#[derive(Debug, Clone, Copy)]
pub(super) struct RowFacts<'a> {
    pub(super) outputs: usize,
    /// The largest absolute value of each input.
    pub(super) column_max: &'a [f32],
}

/// The outputs of a network that are not kept, and what must be there before they can be computed.
/// The buffers are used again.
#[derive(Debug, Default)]
pub(super) struct Sketch {
    /// In which form outputs can be kept; `None` if sums may pass fixed point.
    pub(super) form: Option<OutputForm>,
    /// Where the columns of the outputs are, if there are several: anywhere for those that are
    /// missing.
    pub(super) places: Vec<Place>,
    /// In order. The column of a single output is always missing: each network has its own.
    pub(super) missing: Vec<MissingOutput>,
    /// What the missing ones may need, in order.
    pub(super) neurons: Vec<SketchedNeuron>,
    /// Whether some neuron of the network reads another.
    pub(super) is_deep: bool,
    terms: Vec<SketchedTerm>,
}

/// An output that is not kept.
#[derive(Debug, Clone)]
pub(super) struct MissingOutput {
    pub(super) output: u32,
    /// The name of its column.
    pub(super) digest: Digest,
    /// What the last populations left of it.
    pub(super) past: Past,
    terms: std::ops::Range<u32>,
}

/// A neuron of a network.
#[derive(Debug, Clone, Copy)]
pub(super) struct SketchedNeuron {
    /// Which part of the network it is.
    pub(super) part: u32,
    /// The name of its column.
    pub(super) digest: Digest,
    /// What the last populations left of it.
    pub(super) past: Past,
}

/// A contribution to an output.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct SketchedTerm {
    /// Which neuron feeds it: a number among those of the sketch.
    pub(super) neuron: u32,
    pub(super) weight: f32,
    pub(super) is_narrow: bool,
}

impl Sketch {
    /// The contributions to one of its outputs.
    pub(super) fn terms_of(&self, output: &MissingOutput) -> &[SketchedTerm] {
        &self.terms[output.terms.start as usize..output.terms.end as usize]
    }

    /// The number of a neuron that is among those of the sketch.
    pub(super) fn number_of(&self, part: usize) -> Option<usize> {
        self.neurons.binary_search_by_key(&(part as u32), |neuron| neuron.part).ok()
    }
}

/// Makes sketches. The buffers are used again.
#[derive(Debug, Default)]
pub(super) struct Sketcher {
    outputs: Vec<OutputFacts>,
    /// Of all outputs, one after another; with parts in place of neurons.
    terms: Vec<SketchedTerm>,
    parts: Vec<PartFacts>,
    is_deep: bool,
}

/// An output while it is sketched.
#[derive(Debug, Clone, Default)]
struct OutputFacts {
    /// The name of its column, as far as it does not depend on the form.
    digest: Digest,
    terms: std::ops::Range<usize>,
    /// On the absolute value of its sum, in steps.
    bound: u64,
}

/// A part while its network is sketched.
#[derive(Debug, Clone, Copy)]
struct PartFacts {
    /// Of the absolute value of its neuron.
    bound: f64,
    /// Whether a missing output may need it.
    is_needed: bool,
    /// Its number among the neurons of the sketch, if it is needed.
    number: u32,
}

impl Sketcher {
    /// Turns `into` into the sketch of a network.
    pub(super) fn sketch(
        &mut self,
        parts: &[PartUse<'_>],
        rows: RowFacts<'_>,
        slots: &Slots,
        into: &mut Sketch,
    ) {
        into.form = match self.bound(parts, rows) {
            Range::Tame => Some(OutputForm::Powers),
            Range::Fixed => Some(OutputForm::Sums),
            Range::Wide => None,
        };
        let Some(form) = into.form else { return };
        self.sort_terms(parts);
        into.places.clear();
        into.missing.clear();
        into.neurons.clear();
        into.terms.clear();
        into.is_deep = self.is_deep;
        if let [only] = self.outputs.as_slice() {
            std::mem::swap(&mut self.terms, &mut into.terms);
            let terms = 0..only.terms.end as u32;
            let (digest, past) = (only.digest, Past::Unknown);
            into.missing.push(MissingOutput { output: 0, digest, past, terms });
        } else {
            self.look_up_outputs(form, slots, into);
        }
        self.look_up_neurons(parts, slots, into);
    }

    /// Fills in the bounds of neurons; and of each output the bound, the name as far as it does
    /// not depend on the form, and room for its terms.
    fn bound(&mut self, parts: &[PartUse<'_>], rows: RowFacts<'_>) -> Range {
        self.parts.clear();
        self.is_deep = false;
        self.outputs.clear();
        self.outputs.resize(rows.outputs, OutputFacts::default());
        for used in parts {
            let neuron = used.part.neuron();
            let earlier = &self.parts;
            let of_source = |source| match source {
                Source::Input(index) => f64::from(rows.column_max[index as usize]),
                Source::Neuron(index) => earlier[(used.first + index) as usize].bound,
            };
            let bound =
                bound::neuron_bound(neuron.activation, neuron.bias, &neuron.links, of_source);
            // A single output is always missing, and needs all.
            self.parts.push(PartFacts { bound, is_needed: rows.outputs == 1, number: 0 });
            self.is_deep |= used.part.reads_neurons;
            for &(to, weight) in used.part.connections() {
                let output = &mut self.outputs[to as usize];
                output.digest = output.digest.with(connection_digest(used.digest, to, weight));
                output.bound += bound::term_bound(weight, bound);
                output.terms.end += 1;
            }
        }
        Range::of(self.outputs.iter().map(|output| output.bound))
    }

    /// Sorts the terms by output, by counting.
    fn sort_terms(&mut self, parts: &[PartUse<'_>]) {
        let mut all = 0;
        for output in &mut self.outputs {
            let count = output.terms.end;
            output.terms = all..all;
            all += count;
        }
        self.terms.clear();
        self.terms.resize(all, SketchedTerm::default());
        for ((neuron, used), facts) in (0..).zip(parts).zip(&self.parts) {
            for &(to, weight) in used.part.connections() {
                let place = &mut self.outputs[to as usize].terms.end;
                let is_narrow = bound::is_narrow(weight, facts.bound);
                self.terms[*place] = SketchedTerm { neuron, weight, is_narrow };
                *place += 1;
            }
        }
    }

    /// Of several.
    fn look_up_outputs(&mut self, form: OutputForm, slots: &Slots, into: &mut Sketch) {
        for (index, output) in (0..).zip(&self.outputs) {
            let digest = output.digest.then(u64::from(index) * 2 + form as u64);
            let past = slots.look_up(digest);
            if let Past::Kept(slot) = past {
                into.places.push(Place::Slot(slot));
                continue;
            }
            into.places.push(Place::Passing(0));
            let first = into.terms.len() as u32;
            let terms = &self.terms[output.terms.clone()];
            into.terms.extend_from_slice(terms);
            terms.iter().for_each(|term| self.parts[term.neuron as usize].is_needed = true);
            let terms = first..into.terms.len() as u32;
            into.missing.push(MissingOutput { output: index, digest, past, terms });
        }
    }

    /// Those that are needed, and those that the ones among them read which are not kept.
    fn look_up_neurons(&mut self, parts: &[PartUse<'_>], slots: &Slots, into: &mut Sketch) {
        if into.is_deep {
            for (part, used) in parts.iter().enumerate().rev() {
                let is_kept = || matches!(slots.look_up(used.digest), Past::Kept(_));
                if self.parts[part].is_needed && used.part.reads_neurons && !is_kept() {
                    used.sources().for_each(|source| self.parts[source].is_needed = true);
                }
            }
        }
        for ((part, used), facts) in (0..).zip(parts).zip(&mut self.parts) {
            if facts.is_needed {
                facts.number = into.neurons.len() as u32;
                let past = slots.look_up(used.digest);
                into.neurons.push(SketchedNeuron { part, digest: used.digest, past });
            }
        }
        // Where all are needed, the number of a neuron is that of its part.
        if into.neurons.len() < parts.len() {
            for term in &mut into.terms {
                term.neuron = self.parts[term.neuron as usize].number;
            }
        }
    }
}
