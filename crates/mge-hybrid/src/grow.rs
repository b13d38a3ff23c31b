//! Growing: connections where the gradient and the curvature promise most, and new neurons.

use crate::draft::Draft;
use crate::ground::Ground;
use mge_net::{Activation, GradientScratch, Link, Source};
use mge_random::Stream;

/// Keeps a curvature near zero from promising everything; inputs have a variance of about one.
const DAMPING: f64 = 1e-4;

/// Inputs that a new neuron reads at first; the cut decides which of them stay.
const READS: usize = 12;

/// How connections are added.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Growth {
    /// How many.
    pub(crate) count: usize,
    /// Each promise is blurred by a factor of about the exponential of this.
    pub(crate) noise: f64,
    /// Whether a neuron that feeds an output may feed another.
    pub(crate) shared: bool,
}

/// Adds the connections with the largest `g^2 / 2F`. New weights are zero, so the network computes
/// the same until it is tuned.
pub(crate) fn grow_connections(
    draft: &mut Draft,
    Growth { count, noise, shared }: Growth,
    ground: &Ground,
    stream: &mut Stream,
    scratch: &mut GradientScratch,
) {
    let candidates = ground.candidates(draft, stream.bits(), scratch);
    let hidden = draft.neurons.len();
    let units = hidden + draft.outputs.len();
    let mut promises = Vec::new();
    for unit in 0..units {
        let (bias, links) = draft.unit_mut(unit);
        let mut has = vec![false; candidates.bias() + 1];
        has[candidates.bias()] = bias.is_some();
        for link in links.iter() {
            has[candidates.place_of(link.source)] = true;
        }
        // A hidden neuron reads inputs alone: deeper networks brought nothing.
        let reads_neurons = unit >= hidden && shared;
        let last = if reads_neurons { draft.inputs + hidden } else { draft.inputs };
        for source in (0..last).chain([candidates.bias()]) {
            if !has[source] {
                let gain = candidates.gain(unit, source, DAMPING);
                let blur = libm::exp(noise * (stream.unit() + stream.unit() - 1.0) * 2.0);
                promises.push((gain * blur, unit, source));
            }
        }
    }
    promises.sort_by(|a, b| b.0.total_cmp(&a.0).then((a.1, a.2).cmp(&(b.1, b.2))));
    for &(_, unit, source) in promises.iter().take(count) {
        let inputs = draft.inputs;
        let (bias, links) = draft.unit_mut(unit);
        if source == candidates.bias() {
            *bias = Some(0.0);
        } else {
            let source = if source < inputs {
                Source::Input(source as u32)
            } else {
                Source::Neuron((source - inputs) as u32)
            };
            links.push(Link { source, weight: 0.0 });
        }
    }
}

/// Adds a neuron that reads the inputs an output misses most, with weights along the gradient. If
/// `shared`, the other outputs may learn to read it too.
pub(crate) fn add_neuron(
    draft: &mut Draft,
    activation: Activation,
    shared: bool,
    ground: &Ground,
    stream: &mut Stream,
    scratch: &mut GradientScratch,
) {
    let candidates = ground.candidates(draft, stream.bits(), scratch);
    let output = stream.index(draft.outputs.len());
    let unit = draft.neurons.len() + output;
    let mut wanted: Vec<(f64, u32)> = (0..draft.inputs as u32)
        .map(|input| {
            let gain = candidates.gain(unit, input as usize, DAMPING);
            (gain * libm::exp(4.0 * (stream.unit() - 0.5)), input)
        })
        .collect();
    wanted.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    wanted.truncate(READS);
    let slopes: Vec<f64> =
        wanted.iter().map(|&(_, input)| -candidates.derivative(unit, input as usize)).collect();
    let length = slopes.iter().map(|slope| slope * slope).sum::<f64>().sqrt().max(1e-12);
    let links = wanted.iter().zip(&slopes).map(|(&(_, input), slope)| {
        let weight = (slope / length + 0.5 * (stream.unit() - 0.5)) as f32;
        Link { source: Source::Input(input), weight }
    });
    let links = links.collect();
    let bias = (stream.unit() - 0.5) as f32;
    let others = (0..draft.outputs.len()).filter(|&other| shared && other != output);
    let feeds: Vec<(usize, f32)> = others.map(|k| (k, 0.0)).chain([(output, 0.1)]).collect();
    draft.push_neuron(activation, Some(bias), links, feeds);
}
