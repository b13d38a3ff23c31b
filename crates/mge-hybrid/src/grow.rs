//! Growth: adds the missing connections with the largest expected gain, and new neurons.
//!
//! A missing connection with derivative `g` and curvature `F` would lower the loss by about
//! `g^2 / (2 F)`. The connections with the largest gain, times some random noise, are added with a
//! weight of zero. So the network computes the same until it is trained.

use crate::training_set::TrainingSet;
use mge_net::gradient::Candidates;
use mge_net::{Activation, Connection, GradientScratch, Link, Source, SparseNetwork};
use mge_random::Stream;
use std::collections::{HashMap, HashSet};

/// Added to the curvature, so that a value near zero gives no huge gain. Inputs have a variance of
/// about one.
const DAMPING: f64 = 1e-4;

/// The number of inputs that a new neuron reads at first; pruning decides which of them stay.
const NEURON_INPUTS: usize = 12;

/// For each connection that is added, this many candidates are ranked on all training rows.
const CONFIRMED: usize = 5;

/// How connections are added.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Growth {
    /// The number of connections.
    pub(crate) count: usize,
    /// The logarithm of the factor by which noise changes each gain.
    pub(crate) noise: f64,
    /// Whether outputs may share neurons.
    pub(crate) shared: bool,
}

/// A missing connection.
struct CandidateLink {
    connection: Connection,
    /// A random factor, so that equal gains differ.
    noise: f64,
    gain: f64,
}

/// Adds the connections with the largest gains.
pub(crate) fn grow_connections(
    network: &mut SparseNetwork,
    Growth { count, noise, shared }: Growth,
    training_set: &TrainingSet,
    stream: &mut Stream,
    scratch: &mut GradientScratch,
) {
    let candidates = training_set.candidates(network, stream.bits(), scratch);
    let mut missing: Vec<CandidateLink> = missing_connections(network, shared)
        .into_iter()
        .map(|connection| {
            let noise = libm::exp(noise * (stream.unit() + stream.unit() - 1.0) * 2.0);
            CandidateLink { connection, noise, gain: candidates.gain(connection, DAMPING) }
        })
        .collect();
    rank(&mut missing);
    if training_set.is_sampled() {
        missing.truncate(CONFIRMED * count);
        confirm(&mut missing, network, &candidates, training_set, scratch);
        rank(&mut missing);
    }
    for candidate in missing.iter().take(count) {
        network.add(candidate.connection);
    }
}

/// The connections that a network might have and has not, unit after unit: links from inputs, to
/// outputs from neurons if `shared`, then the bias.
///
/// Hidden neurons read inputs only: deeper networks brought nothing.
fn missing_connections(network: &SparseNetwork, shared: bool) -> Vec<Connection> {
    let present: HashSet<Connection> = network.connections().into_iter().collect();
    let hidden = network.neurons().len();
    let mut missing = Vec::new();
    for unit in 0..network.units() {
        let readable = if unit >= hidden && shared { hidden } else { 0 };
        let inputs = (0..network.inputs() as u32).map(Source::Input);
        let sources = inputs.chain((0..readable as u32).map(Source::Neuron));
        let links = sources.map(|source| Connection::Link { unit, source });
        let all = links.chain([Connection::Bias { unit }]);
        missing.extend(all.filter(|connection| !present.contains(connection)));
    }
    missing
}

/// Sorts candidates, the best first.
fn rank(candidates: &mut [CandidateLink]) {
    let value = |candidate: &CandidateLink| candidate.gain * candidate.noise;
    candidates.sort_by(|a, b| value(b).total_cmp(&value(a)).then(a.connection.cmp(&b.connection)));
}

/// Measures gains again with the derivatives over all training rows. Of thousands of candidates,
/// those with the largest gain on a sample are mostly overestimated there.
fn confirm(
    missing: &mut [CandidateLink],
    network: &SparseNetwork,
    candidates: &Candidates,
    training_set: &TrainingSet,
    scratch: &mut GradientScratch,
) {
    let mut trial = network.clone();
    for candidate in missing.iter() {
        trial.add(candidate.connection);
    }
    let gradient = training_set.gradient(&trial, scratch);
    let derivatives: HashMap<Connection, f64> =
        trial.connections().into_iter().zip(gradient).collect();
    for candidate in missing {
        let connection = candidate.connection;
        candidate.gain = candidates.gain_with(derivatives[&connection], connection, DAMPING);
    }
}

/// Adds a neuron that reads the inputs with the largest gains at some output, with weights along
/// the gradient. If `shared`, the other outputs read it too, with a weight of zero.
pub(crate) fn add_neuron(
    network: &mut SparseNetwork,
    activation: Activation,
    shared: bool,
    training_set: &TrainingSet,
    stream: &mut Stream,
    scratch: &mut GradientScratch,
) {
    let candidates = training_set.candidates(network, stream.bits(), scratch);
    let outputs = network.outputs().len();
    let output = stream.index(outputs);
    let unit = network.neurons().len() + output;
    let link = |input| Connection::Link { unit, source: Source::Input(input) };
    let mut wanted: Vec<(f64, u32)> = (0..network.inputs() as u32)
        .map(|input| {
            let gain = candidates.gain(link(input), DAMPING);
            (gain * libm::exp(4.0 * (stream.unit() - 0.5)), input)
        })
        .collect();
    wanted.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    wanted.truncate(NEURON_INPUTS);
    let descent: Vec<f64> =
        wanted.iter().map(|&(_, input)| -candidates.derivative(link(input))).collect();
    let length = descent.iter().map(|slope| slope * slope).sum::<f64>().sqrt().max(1e-12);
    let links = wanted.iter().zip(&descent).map(|(&(_, input), slope)| {
        let weight = (slope / length + 0.5 * (stream.unit() - 0.5)) as f32;
        Link { source: Source::Input(input), weight }
    });
    let links = links.collect();
    let bias = (stream.unit() - 0.5) as f32;
    let others = (0..outputs).filter(|&other| shared && other != output);
    let feeds: Vec<(usize, f32)> = others.map(|k| (k, 0.0)).chain([(output, 0.1)]).collect();
    network.push_neuron(activation, Some(bias), links, feeds);
}

#[cfg(test)]
mod tests;
