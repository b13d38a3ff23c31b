//! The jobs for a population: every column and every loss once.
//!
//! Planning works backwards. A network with a cached loss needs nothing. Any other network needs
//! the columns of its outputs; an output without a column needs its neurons; a neuron without a
//! column is computed.
//!
//! The jobs are stored in the order in which they run, network by network. So a column that only
//! one network needs is used while it is in the first-level cache.
//!
//! The cache index has a single writer, so networks are planned one after another. The work that
//! only reads the index is done before, on all threads: see [`NetworkRequest`].

use super::buffer_allocator::BufferAllocator;
use super::cache_index::{CacheIndex, ColumnRef, Lookup};
use super::loss_cache::{CachedLoss, LossCache};
use super::part::{ListedParts, PartLists, PartUse};
use super::per_thread::PerThread;
use super::request::{DataBounds, NetworkRequest, RequestBuilder, RequestedTerm};
use crate::activation::Activation;
use crate::network::Source;
use mge_threads::par_map;
use std::ops::Range;

/// Networks in one task of a thread. A request takes a few microseconds to build.
const NETWORKS_PER_TASK: usize = 8;

/// A network without a cached loss, and the entry of its loss.
type NewNetwork<'l, 'p> = (&'l [PartUse<'p>], u32);

/// The jobs for one population. The memory is reused.
#[derive(Debug, Default)]
pub(super) struct Plan {
    pub(super) neurons: Vec<NeuronJob>,
    pub(super) links: Vec<(ColumnRef, f32)>,
    pub(super) outputs: Vec<OutputJob>,
    pub(super) terms: Vec<PlannedTerm>,
    pub(super) networks: Vec<NetworkJob>,
    pub(super) output_columns: Vec<ColumnRef>,
    /// For each network of the population: its entry in the loss cache.
    pub(super) losses: Vec<u32>,
    /// The buffers of the temporary columns.
    pub(super) buffers: BufferAllocator,
    /// The requests of the new networks.
    requests: Vec<NetworkRequest>,
    builders: PerThread<RequestBuilder>,
    /// The columns of one request's neurons; `None` where a neuron is not needed.
    columns: Vec<Option<ColumnRef>>,
    /// Which of these neurons are needed.
    needed: Vec<bool>,
}

/// A neuron whose column must be computed.
#[derive(Debug)]
pub(super) struct NeuronJob {
    pub(super) column: ColumnRef,
    pub(super) activation: Activation,
    pub(super) bias: Option<f32>,
    pub(super) links: Range<usize>,
}

/// What an output column holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum OutputForm {
    /// The exponentials of the sums.
    Exps,
    /// The sums.
    Sums,
}

/// An output whose column must be computed.
#[derive(Debug)]
pub(super) struct OutputJob {
    pub(super) column: ColumnRef,
    pub(super) output: u32,
    pub(super) form: OutputForm,
    pub(super) terms: Range<usize>,
}

/// A contribution to an output.
#[derive(Debug, Clone, Copy)]
pub(super) struct PlannedTerm {
    pub(super) column: ColumnRef,
    pub(super) weight: f32,
    pub(super) is_narrow: bool,
}

/// A network whose loss must be computed, with the jobs that come first.
#[derive(Debug)]
pub(super) struct NetworkJob {
    pub(super) jobs: JobRanges,
    pub(super) outputs: OutputLayer,
    /// The entry of its loss in the loss cache.
    pub(super) loss: u32,
}

/// The items of a network in the lists of the plan.
#[derive(Debug, Clone, Default)]
pub(super) struct JobRanges {
    pub(super) neurons: Range<usize>,
    pub(super) outputs: Range<usize>,
    pub(super) terms: Range<usize>,
    pub(super) output_columns: Range<usize>,
}

/// The lengths of the lists of a plan.
#[derive(Clone, Copy)]
struct ListLengths {
    neurons: usize,
    outputs: usize,
    terms: usize,
    output_columns: usize,
}

/// How the loss of a network is computed from columns.
#[derive(Debug)]
pub(super) enum OutputLayer {
    /// From the terms of its single output: `terms` of the job ranges.
    Single,
    /// From the columns of its outputs: `output_columns` of the job ranges.
    Multiple(OutputForm),
}

impl Plan {
    /// Plans a population. Never inlined, so that profiles show it.
    #[inline(never)]
    pub(super) fn make(
        &mut self,
        population: &[PartLists<'_>],
        data: DataBounds<'_>,
        index: &mut CacheIndex,
        loss_cache: &mut LossCache,
    ) {
        self.clear();
        index.begin_population();
        let new = self.find_losses(population, loss_cache);
        let mut requests = std::mem::take(&mut self.requests);
        let builders = std::mem::take(&mut self.builders);
        if rayon::current_num_threads() == 1 {
            // Each network is planned while its request is in the processor's cache.
            requests.resize_with(requests.len().max(1), NetworkRequest::default);
            let request = &mut requests[0];
            builders.with_own(|builder| {
                for &(parts, loss) in &new {
                    builder.build(parts, data, index, request);
                    self.add_network(parts, request, index, loss);
                }
            });
        } else {
            requests.resize_with(requests.len().max(new.len()), NetworkRequest::default);
            let tasks = requests.chunks_mut(NETWORKS_PER_TASK).zip(new.chunks(NETWORKS_PER_TASK));
            let build = |(requests, networks): (&mut [NetworkRequest], &[NewNetwork<'_, '_>])| {
                builders.with_own(|builder| {
                    for (request, &(parts, _)) in requests.iter_mut().zip(networks) {
                        builder.build(parts, data, index, request);
                    }
                });
            };
            par_map(tasks.collect(), build);
            for (&(parts, loss), request) in new.iter().zip(&requests) {
                self.add_network(parts, request, index, loss);
            }
        }
        self.requests = requests;
        self.builders = builders;
        self.buffers.assign(self.networks.len());
    }

    fn clear(&mut self) {
        self.neurons.clear();
        self.links.clear();
        self.outputs.clear();
        self.terms.clear();
        self.networks.clear();
        self.output_columns.clear();
        self.losses.clear();
        self.buffers.clear();
    }

    /// Looks up the losses of all networks. The result lists the networks that have none.
    fn find_losses<'l, 'p>(
        &mut self,
        population: &'l [PartLists<'p>],
        loss_cache: &mut LossCache,
    ) -> Vec<NewNetwork<'l, 'p>> {
        let count = population.iter().map(PartLists::len).sum();
        loss_cache.begin_population(count);
        let mut new = Vec::with_capacity(count);
        for ListedParts { digest, parts } in population.iter().flat_map(PartLists::networks) {
            let found = loss_cache.look_up(digest);
            if let CachedLoss::Miss(loss) = found {
                new.push((parts, loss));
            }
            let (CachedLoss::Hit(loss) | CachedLoss::Miss(loss)) = found;
            self.losses.push(loss);
        }
        new
    }

    /// Adds the jobs of a network, unless its sums may overflow fixed point.
    fn add_network(
        &mut self,
        parts: &[PartUse<'_>],
        request: &NetworkRequest,
        index: &mut CacheIndex,
        loss: u32,
    ) {
        let Some(form) = request.form else { return };
        let before = self.lengths();
        let is_single = request.columns.is_empty();
        self.needed.clear();
        self.needed.resize(request.neurons.len(), is_single);
        if !is_single {
            self.plan_outputs(request, form, index);
        }
        self.plan_neurons(parts, request, index);
        let outputs = if is_single {
            self.add_terms(request.terms_of(&request.missing[0]));
            OutputLayer::Single
        } else {
            self.add_terms_of_outputs(before.outputs, request);
            OutputLayer::Multiple(form)
        };
        let jobs = self.ranges_since(before);
        self.networks.push(NetworkJob { jobs, outputs, loss });
    }

    fn lengths(&self) -> ListLengths {
        let Self { neurons, outputs, terms, output_columns, .. } = self;
        ListLengths {
            neurons: neurons.len(),
            outputs: outputs.len(),
            terms: terms.len(),
            output_columns: output_columns.len(),
        }
    }

    fn ranges_since(&self, before: ListLengths) -> JobRanges {
        let now = self.lengths();
        JobRanges {
            neurons: before.neurons..now.neurons,
            outputs: before.outputs..now.outputs,
            terms: before.terms..now.terms,
            output_columns: before.output_columns..now.output_columns,
        }
    }

    /// Records that the network in progress reads or writes a column.
    #[inline]
    fn record_use(&mut self, column: ColumnRef) -> ColumnRef {
        if let ColumnRef::Temp(temp) = column {
            self.buffers.record_use(temp, self.networks.len() as u32);
        }
        column
    }

    /// Finds the columns of all outputs. Adds jobs for the missing ones and marks the neurons that
    /// these need.
    fn plan_outputs(&mut self, request: &NetworkRequest, form: OutputForm, index: &mut CacheIndex) {
        let first = self.output_columns.len();
        self.output_columns.extend_from_slice(&request.columns);
        for missing in &request.missing {
            let output = missing.output;
            let column = match index.assign(missing.digest, missing.history) {
                Lookup::Present(column) => column,
                Lookup::Missing(column) => {
                    for term in request.terms_of(missing) {
                        self.needed[term.neuron as usize] = true;
                    }
                    self.outputs.push(OutputJob { column, output, form, terms: 0..0 });
                    column
                }
            };
            self.output_columns[first + output as usize] = self.record_use(column);
        }
    }

    /// Finds the columns of all needed neurons, and adds jobs for the missing ones.
    fn plan_neurons(
        &mut self,
        parts: &[PartUse<'_>],
        request: &NetworkRequest,
        index: &mut CacheIndex,
    ) {
        if request.is_deep {
            self.mark_sources(parts, request, index);
        }
        self.columns.clear();
        for (number, neuron) in request.neurons.iter().enumerate() {
            let mut found = None;
            if self.needed[number] {
                let column = match index.assign(neuron.digest, neuron.history) {
                    Lookup::Present(column) => column,
                    Lookup::Missing(column) => {
                        self.add_neuron(&parts[neuron.part as usize], request, column);
                        column
                    }
                };
                found = Some(self.record_use(column));
            }
            self.columns.push(found);
        }
    }

    /// Marks the sources of every neuron that must be computed.
    fn mark_sources(
        &mut self,
        parts: &[PartUse<'_>],
        request: &NetworkRequest,
        index: &CacheIndex,
    ) {
        for (number, neuron) in request.neurons.iter().enumerate().rev() {
            let used = &parts[neuron.part as usize];
            let is_needed = self.needed[number] && used.part.reads_neurons;
            if is_needed && !index.contains(neuron.digest) {
                for source in used.sources() {
                    let source = request.neuron_of(source).expect("requested with its reader");
                    self.needed[source] = true;
                }
            }
        }
    }

    fn add_neuron(&mut self, used: &PartUse<'_>, request: &NetworkRequest, column: ColumnRef) {
        let from = self.links.len();
        let neuron = used.part.neuron();
        for link in &neuron.links {
            let source = match link.source {
                Source::Input(input) => ColumnRef::Input(input),
                Source::Neuron(source) => {
                    let number = request.neuron_of((used.first + source) as usize);
                    let found = number.and_then(|number| self.columns[number]);
                    self.record_use(found.expect("sources come first"))
                }
            };
            self.links.push((source, link.weight));
        }
        self.neurons.push(NeuronJob {
            column,
            activation: neuron.activation,
            bias: neuron.bias,
            links: from..self.links.len(),
        });
    }

    /// Adds the contributions to the outputs that must be computed, from output job `from` on.
    fn add_terms_of_outputs(&mut self, from: usize, request: &NetworkRequest) {
        let mut missing = request.missing.iter();
        for job in from..self.outputs.len() {
            let output = self.outputs[job].output;
            let requested = missing.find(|missing| missing.output == output);
            let requested = requested.expect("output jobs have the order of missing outputs");
            self.outputs[job].terms = self.add_terms(request.terms_of(requested));
        }
    }

    /// Adds the contributions to one output.
    fn add_terms(&mut self, terms: &[RequestedTerm]) -> Range<usize> {
        let from = self.terms.len();
        self.terms.extend(terms.iter().map(|&RequestedTerm { neuron, weight, is_narrow }| {
            let column = self.columns[neuron as usize].expect("planned before its output");
            PlannedTerm { column, weight, is_narrow }
        }));
        from..self.terms.len()
    }
}
