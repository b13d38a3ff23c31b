//! Growing: connections where the gradient and the curvature promise most, and new neurons.

use crate::draft::Draft;
use crate::ground::Ground;
use mge_net::gradient::Candidates;
use mge_net::{Activation, GradientScratch, Link, Source};
use mge_random::Stream;
use std::collections::HashMap;

/// Keeps a curvature near zero from promising everything; inputs have a variance of about one.
const DAMPING: f64 = 1e-4;

/// Inputs that a new neuron reads at first; the cut decides which of them stay.
const READS: usize = 12;

/// So many times the wanted connections are looked at with all training rows.
const CONFIRMED: usize = 5;

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
    if ground.has_validation() {
        let surplus = CONFIRMED * count;
        promises.truncate(surplus);
        confirm(&mut promises, draft, &candidates, ground, scratch);
    }
    for &(_, unit, source) in promises.iter().take(count) {
        add(draft, unit, source, candidates.bias());
    }
}

/// Adds a connection with a weight of zero.
fn add(draft: &mut Draft, unit: usize, source: usize, bias_source: usize) {
    let inputs = draft.inputs;
    let (bias, links) = draft.unit_mut(unit);
    if source == bias_source {
        *bias = Some(0.0);
    } else if source < inputs {
        links.push(Link { source: Source::Input(source as u32), weight: 0.0 });
    } else {
        links.push(Link { source: Source::Neuron((source - inputs) as u32), weight: 0.0 });
    }
}

/// Judges promises by all training rows. Most of the few thousand that a sample looked at are
/// chance, and the largest of them are those that chance favoured.
fn confirm(
    promises: &mut [(f64, usize, usize)],
    draft: &Draft,
    candidates: &Candidates,
    ground: &Ground,
    scratch: &mut GradientScratch,
) {
    let mut trial = draft.clone();
    for &(_, unit, source) in promises.iter() {
        add(&mut trial, unit, source, candidates.bias());
    }
    let derivatives = ground.derivatives(&trial, scratch);
    let mut of = HashMap::new();
    let mut next = 0;
    for unit in 0..trial.units() {
        let (bias, links) = trial.unit_mut(unit);
        if bias.is_some() {
            of.insert((unit, candidates.bias()), derivatives[next]);
            next += 1;
        }
        for link in links.iter() {
            of.insert((unit, candidates.place_of(link.source)), derivatives[next]);
            next += 1;
        }
    }
    for (promise, unit, source) in promises.iter_mut() {
        let before = candidates.derivative(*unit, *source);
        let now = of[&(*unit, *source)];
        *promise *= (now / before) * (now / before);
    }
    promises.sort_by(|a, b| b.0.total_cmp(&a.0).then((a.1, a.2).cmp(&(b.1, b.2))));
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
