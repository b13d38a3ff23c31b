//! Growing: connections where the gradient and the curvature promise most, and new neurons.

use crate::draft::Draft;
use crate::ground::Ground;
use mge_net::gradient::Candidates;
use mge_net::{Activation, GradientScratch, Link, Source};
use mge_random::Stream;

/// Keeps a curvature near zero from promising everything; inputs have a variance of about one.
const DAMPING: f64 = 1e-4;

/// Adds about `count` connections by `g^2 / 2F`, each promise blurred by a factor of about
/// `exp(noise)`. New weights are zero, so the network computes the same until it is tuned.
pub(crate) fn grow_connections(
    draft: &mut Draft,
    count: usize,
    noise: f64,
    ground: &Ground,
    stream: &mut Stream,
    scratch: &mut GradientScratch,
) {
    let candidates = ground.candidates(draft, scratch);
    let hidden = draft.neurons.len();
    let units = hidden + draft.outputs.len();
    let mut promises = Vec::new();
    for unit in 0..units {
        let (bias, links) = draft.unit_mut(unit);
        let mut has = vec![false; candidates.bias() + 1];
        has[candidates.bias()] = bias.is_some();
        for link in links.iter() {
            has[place_of(&candidates, link.source)] = true;
        }
        // A hidden neuron reads inputs alone: deeper networks brought nothing.
        let last = if unit < hidden { draft.inputs } else { draft.inputs + hidden };
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

fn place_of(candidates: &Candidates, source: Source) -> usize {
    match source {
        Source::Input(input) => input as usize,
        Source::Neuron(neuron) => candidates.neuron(neuron as usize),
    }
}

/// Adds a neuron that reads the inputs an output misses most, with weights along the gradient.
pub(crate) fn add_neuron(
    draft: &mut Draft,
    activation: Activation,
    reads: usize,
    ground: &Ground,
    stream: &mut Stream,
    scratch: &mut GradientScratch,
) {
    let candidates = ground.candidates(draft, scratch);
    let output = stream.index(draft.outputs.len());
    let unit = draft.neurons.len() + output;
    let mut wanted: Vec<(f64, u32)> = (0..draft.inputs as u32)
        .map(|input| {
            let gain = candidates.gain(unit, input as usize, DAMPING);
            (gain * libm::exp(4.0 * (stream.unit() - 0.5)), input)
        })
        .collect();
    wanted.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    wanted.truncate(reads.max(1));
    let slopes: Vec<f64> =
        wanted.iter().map(|&(_, input)| -candidates.derivative(unit, input as usize)).collect();
    let length = slopes.iter().map(|slope| slope * slope).sum::<f64>().sqrt().max(1e-12);
    let links = wanted.iter().zip(&slopes).map(|(&(_, input), slope)| {
        let weight = (slope / length + 0.5 * (stream.unit() - 0.5)) as f32;
        Link { source: Source::Input(input), weight }
    });
    let links = links.collect();
    let bias = (stream.unit() - 0.5) as f32;
    let feeds: Vec<(usize, f32)> =
        (0..draft.outputs.len()).map(|k| (k, if k == output { 0.1 } else { 0.0 })).collect();
    draft.push_neuron(activation, Some(bias), links, feeds);
}
