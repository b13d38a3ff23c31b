//! Growing: connections where the gradient and the curvature promise most, and new neurons.

use crate::draft::{Draft, Place};
use crate::ground::Ground;
use mge_net::gradient::Candidates;
use mge_net::{Activation, GradientScratch, Link, Source};
use mge_random::Stream;
use std::collections::{HashMap, HashSet};

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

/// A connection that is missing.
struct Promise {
    place: Place,
    /// What makes equal promises differ.
    blur: f64,
    gain: f64,
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
    let has: HashSet<Place> = draft.places().into_iter().collect();
    let mut promises = Vec::new();
    for unit in 0..draft.units() {
        // A hidden neuron reads inputs alone: deeper networks brought nothing.
        let readable = if unit >= hidden && shared { hidden } else { 0 };
        let inputs = (0..draft.inputs as u32).map(Source::Input);
        let sources = inputs.chain((0..readable as u32).map(Source::Neuron));
        let links = sources.map(|source| Place::Link(unit, source));
        for place in links.chain([Place::Bias(unit)]).filter(|place| !has.contains(place)) {
            let blur = libm::exp(noise * (stream.unit() + stream.unit() - 1.0) * 2.0);
            let (unit, source) = seat(&candidates, place);
            promises.push(Promise { place, blur, gain: candidates.gain(unit, source, DAMPING) });
        }
    }
    rank(&mut promises);
    if ground.is_sampled() {
        promises.truncate(CONFIRMED * count);
        confirm(&mut promises, draft, &candidates, ground, scratch);
        rank(&mut promises);
    }
    for promise in promises.iter().take(count) {
        draft.add(promise.place);
    }
}

/// The best first.
fn rank(promises: &mut [Promise]) {
    let worth = |promise: &Promise| promise.gain * promise.blur;
    promises.sort_by(|a, b| worth(b).total_cmp(&worth(a)).then(a.place.cmp(&b.place)));
}

/// Unit and source of a connection among the candidates.
fn seat(candidates: &Candidates, place: Place) -> (usize, usize) {
    match place {
        Place::Bias(unit) => (unit, candidates.bias()),
        Place::Link(unit, source) => (unit, candidates.place_of(source)),
    }
}

/// Judges promises by the derivatives of all training rows. There are thousands of candidates, and a
/// sample's best are for the most part those that chance favours there.
fn confirm(
    promises: &mut [Promise],
    draft: &Draft,
    candidates: &Candidates,
    ground: &Ground,
    scratch: &mut GradientScratch,
) {
    let mut trial = draft.clone();
    for promise in promises.iter() {
        trial.add(promise.place);
    }
    let derivatives = ground.derivatives(&trial, scratch);
    let derivatives: HashMap<Place, f64> = trial.places().into_iter().zip(derivatives).collect();
    for promise in promises {
        let (unit, source) = seat(candidates, promise.place);
        promise.gain = candidates.gain_by(derivatives[&promise.place], unit, source, DAMPING);
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
