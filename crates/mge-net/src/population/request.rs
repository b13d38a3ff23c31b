//! Requests: which columns a network needs that are not cached at the start of a population.
//! Building a request only reads the cache index, so all threads build requests at once.
//!
//! One thread builds a request and another may read it. Each cache line that moves between them
//! costs as much as a hundred instructions. So a request holds only what the plan needs, and the
//! intermediate results stay with the [`RequestBuilder`].

use super::cache_index::{CacheHistory, CacheIndex, ColumnRef};
use super::digest::Digest;
use super::part::{PartUse, connection_digest};
use super::plan::OutputForm;
use crate::batch::bound::{self, SumRange};
use crate::network::Source;
use crate::targets::OutputLink;

/// What bounds need to know of the data.
#[derive(Debug, Clone, Copy)]
pub(super) struct DataBounds<'a> {
    /// What the outputs of a network mean.
    pub(super) link: OutputLink,
    /// The largest absolute value of each input.
    pub(super) column_max: &'a [f32],
}

/// The outputs of a network that are not cached, and the neurons that they need. The memory is
/// reused.
#[derive(Debug, Default)]
pub(super) struct NetworkRequest {
    /// The form of its output columns; `None` if sums may overflow fixed point.
    pub(super) form: Option<OutputForm>,
    /// The column of each output; arbitrary for missing ones. Empty if there is a single output.
    pub(super) columns: Vec<ColumnRef>,
    /// Outputs that are not cached, in order. A single output is always missing: networks rarely
    /// share it.
    pub(super) missing: Vec<MissingOutput>,
    /// The neurons that missing outputs may need, in order.
    pub(super) neurons: Vec<RequestedNeuron>,
    /// Whether some neuron of the network reads another.
    pub(super) is_deep: bool,
    terms: Vec<RequestedTerm>,
}

/// An output that is not cached.
#[derive(Debug, Clone)]
pub(super) struct MissingOutput {
    pub(super) output: u32,
    /// The digest of its column.
    pub(super) digest: Digest,
    pub(super) history: CacheHistory,
    terms: std::ops::Range<u32>,
}

/// A neuron of a network.
#[derive(Debug, Clone, Copy)]
pub(super) struct RequestedNeuron {
    /// The index of its part in the network.
    pub(super) part: u32,
    /// The digest of its column.
    pub(super) digest: Digest,
    pub(super) history: CacheHistory,
}

/// A contribution to an output.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct RequestedTerm {
    /// The index of its source among the neurons of the request.
    pub(super) neuron: u32,
    pub(super) weight: f32,
    pub(super) is_narrow: bool,
}

impl NetworkRequest {
    /// The contributions to one of its missing outputs.
    pub(super) fn terms_of(&self, output: &MissingOutput) -> &[RequestedTerm] {
        &self.terms[output.terms.start as usize..output.terms.end as usize]
    }

    /// The index of a part's neuron among those of the request.
    pub(super) fn neuron_of(&self, part: usize) -> Option<usize> {
        self.neurons.binary_search_by_key(&(part as u32), |neuron| neuron.part).ok()
    }
}

/// Builds requests. The memory is reused.
#[derive(Debug, Default)]
pub(super) struct RequestBuilder {
    outputs: Vec<OutputInfo>,
    /// The terms of all outputs, one output after another. Their sources are part indices.
    terms: Vec<RequestedTerm>,
    parts: Vec<PartInfo>,
    is_deep: bool,
}

/// An output while its request is built.
#[derive(Debug, Clone, Default)]
struct OutputInfo {
    /// The digest of its terms, without output index and form.
    digest: Digest,
    terms: std::ops::Range<usize>,
    /// A bound on the absolute value of its sum, in steps.
    bound: u64,
}

/// A part while the request of its network is built.
#[derive(Debug, Clone, Copy)]
struct PartInfo {
    /// A bound on the absolute value of its neuron.
    bound: f64,
    /// Whether a missing output may need it.
    is_needed: bool,
    /// The index of its neuron in the request, if it is needed.
    neuron: u32,
}

impl RequestBuilder {
    /// Overwrites `request` with the request of a network.
    pub(super) fn build(
        &mut self,
        parts: &[PartUse<'_>],
        data: DataBounds<'_>,
        index: &CacheIndex,
        request: &mut NetworkRequest,
    ) {
        request.form = match self.bound_parts(parts, data) {
            SumRange::Small => Some(OutputForm::Exps),
            SumRange::FixedPoint => Some(OutputForm::Sums),
            SumRange::Float => None,
        };
        let Some(form) = request.form else { return };
        self.sort_terms(parts);
        request.columns.clear();
        request.missing.clear();
        request.neurons.clear();
        request.terms.clear();
        request.is_deep = self.is_deep;
        if let [single] = self.outputs.as_slice() {
            std::mem::swap(&mut self.terms, &mut request.terms);
            let terms = 0..single.terms.end as u32;
            let (digest, history) = (single.digest, CacheHistory::Unknown);
            request.missing.push(MissingOutput { output: 0, digest, history, terms });
        } else {
            self.look_up_outputs(form, index, request);
        }
        self.look_up_neurons(parts, index, request);
    }

    /// Fills in the bounds of all neurons and outputs, the digests of the outputs, and how many
    /// terms each output has.
    fn bound_parts(&mut self, parts: &[PartUse<'_>], data: DataBounds<'_>) -> SumRange {
        let outputs = data.link.outputs();
        self.parts.clear();
        self.is_deep = false;
        self.outputs.clear();
        self.outputs.resize(outputs, OutputInfo::default());
        for used in parts {
            let neuron = used.part.neuron();
            let earlier = &self.parts;
            let of_source = |source| match source {
                Source::Input(index) => f64::from(data.column_max[index as usize]),
                Source::Neuron(index) => earlier[(used.first + index) as usize].bound,
            };
            let bound =
                bound::neuron_bound(neuron.activation, neuron.bias, &neuron.links, of_source);
            // A single output is always missing and needs all parts.
            self.parts.push(PartInfo { bound, is_needed: outputs == 1, neuron: 0 });
            self.is_deep |= used.part.reads_neurons;
            for &(to, weight) in used.part.connections() {
                let output = &mut self.outputs[to as usize];
                output.digest = output.digest.with(connection_digest(used.digest, to, weight));
                output.bound += bound::term_bound(weight, bound);
                output.terms.end += 1;
            }
        }
        SumRange::of(self.outputs.iter().map(|output| output.bound), data.link)
    }

    /// Sorts the terms by output, with a counting sort.
    fn sort_terms(&mut self, parts: &[PartUse<'_>]) {
        let mut count = 0;
        for output in &mut self.outputs {
            let own = output.terms.end;
            output.terms = count..count;
            count += own;
        }
        self.terms.clear();
        self.terms.resize(count, RequestedTerm::default());
        for ((neuron, used), info) in (0..).zip(parts).zip(&self.parts) {
            for &(to, weight) in used.part.connections() {
                let next = &mut self.outputs[to as usize].terms.end;
                let is_narrow = bound::is_narrow(weight, info.bound);
                self.terms[*next] = RequestedTerm { neuron, weight, is_narrow };
                *next += 1;
            }
        }
    }

    /// Finds the cached ones of several outputs, and marks the parts that missing ones need.
    fn look_up_outputs(
        &mut self,
        form: OutputForm,
        index: &CacheIndex,
        request: &mut NetworkRequest,
    ) {
        for (output, info) in (0..).zip(&self.outputs) {
            let digest = info.digest.then(u64::from(output) * 2 + form as u64);
            let history = index.history(digest);
            if let CacheHistory::Cached(slot) = history {
                request.columns.push(ColumnRef::Cached(slot));
                continue;
            }
            request.columns.push(ColumnRef::Temp(0));
            let first = request.terms.len() as u32;
            let terms = &self.terms[info.terms.clone()];
            request.terms.extend_from_slice(terms);
            terms.iter().for_each(|term| self.parts[term.neuron as usize].is_needed = true);
            let terms = first..request.terms.len() as u32;
            request.missing.push(MissingOutput { output, digest, history, terms });
        }
    }

    /// Lists the needed neurons, and the sources of those among them that are not cached.
    fn look_up_neurons(
        &mut self,
        parts: &[PartUse<'_>],
        index: &CacheIndex,
        request: &mut NetworkRequest,
    ) {
        if request.is_deep {
            for (part, used) in parts.iter().enumerate().rev() {
                let is_cached = || matches!(index.history(used.digest), CacheHistory::Cached(_));
                if self.parts[part].is_needed && used.part.reads_neurons && !is_cached() {
                    used.sources().for_each(|source| self.parts[source].is_needed = true);
                }
            }
        }
        for ((part, used), info) in (0..).zip(parts).zip(&mut self.parts) {
            if info.is_needed {
                info.neuron = request.neurons.len() as u32;
                let history = index.history(used.digest);
                request.neurons.push(RequestedNeuron { part, digest: used.digest, history });
            }
        }
        // Where all parts are needed, the two indices are the same.
        if request.neurons.len() < parts.len() {
            for term in &mut request.terms {
                term.neuron = self.parts[term.neuron as usize].neuron;
            }
        }
    }
}
