//! What a network asks for, as far as it can be told from the network and the books as they are
//! at the start of a population: any number of threads can sketch networks at once.

use super::digest::Digest;
use super::part::{PartUse, connection_digest};
use super::plan::OutputForm;
use super::slots::Slots;
use crate::batch::bound::{self, Range};
use crate::network::Source;

/// What is known of the rows that networks are evaluated on.
#[derive(Debug, Clone, Copy)]
pub(super) struct RowFacts<'a> {
    pub(super) outputs: usize,
    /// The largest absolute value of each input.
    pub(super) column_max: &'a [f32],
}

/// The outputs of a network, and what is added up in them. The buffers are used again.
#[derive(Debug, Default)]
pub(super) struct Sketch {
    /// In which form outputs can be kept; `None` if sums may pass fixed point.
    pub(super) form: Option<OutputForm>,
    pub(super) outputs: Vec<SketchedOutput>,
    /// Output by output.
    terms: Vec<SketchedTerm>,
    /// Of the absolute value of each neuron.
    bounds: Vec<f64>,
}

/// An output of a network.
#[derive(Debug, Clone, Default)]
pub(super) struct SketchedOutput {
    /// The name of its column.
    pub(super) digest: Digest,
    /// The slot of its column, if the last populations left one.
    pub(super) kept: Option<u32>,
    terms: std::ops::Range<usize>,
    /// On the absolute value of its sum, in steps.
    bound: u64,
}

/// A contribution to an output.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct SketchedTerm {
    /// Which part of the network feeds it.
    pub(super) part: u32,
    pub(super) weight: f32,
    pub(super) is_narrow: bool,
}

impl Sketch {
    /// The contributions to one of its outputs.
    pub(super) fn terms_of(&self, output: &SketchedOutput) -> &[SketchedTerm] {
        &self.terms[output.terms.clone()]
    }

    /// Becomes the sketch of another network.
    pub(super) fn make(&mut self, parts: &[PartUse<'_>], rows: RowFacts<'_>, slots: &Slots) {
        self.form = match self.bound(parts, rows) {
            Range::Tame => Some(OutputForm::Powers),
            Range::Fixed => Some(OutputForm::Sums),
            Range::Wide => None,
        };
        let Some(form) = self.form else { return };
        self.sort_terms(parts);
        // The column of a single output is never kept: each network has its own.
        if self.outputs.len() > 1 {
            for (index, output) in (0..).zip(&mut self.outputs) {
                output.digest = output.digest.then(index * 2 + form as u64);
                output.kept = slots.need_kept(output.digest);
            }
        }
    }

    /// Fills in the bounds of neurons; and of each output the bound, the name as far as it does
    /// not depend on the form, and room for its terms.
    fn bound(&mut self, parts: &[PartUse<'_>], rows: RowFacts<'_>) -> Range {
        self.bounds.clear();
        self.outputs.clear();
        self.outputs.resize(rows.outputs, SketchedOutput::default());
        for used in parts {
            let neuron = used.part.neuron();
            let bounds = &self.bounds;
            let of_source = |source| match source {
                Source::Input(index) => f64::from(rows.column_max[index as usize]),
                Source::Neuron(index) => bounds[(used.first + index) as usize],
            };
            let bound =
                bound::neuron_bound(neuron.activation, neuron.bias, &neuron.links, of_source);
            self.bounds.push(bound);
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
        for ((part, used), &bound) in (0..).zip(parts).zip(&self.bounds) {
            for &(to, weight) in used.part.connections() {
                let place = &mut self.outputs[to as usize].terms.end;
                let is_narrow = bound::is_narrow(weight, bound);
                self.terms[*place] = SketchedTerm { part, weight, is_narrow };
                *place += 1;
            }
        }
    }
}
