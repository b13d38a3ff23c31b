//! How large an output's sum can get, from the weights and the data alone.
//!
//! Contributions are whole multiples of [`RESOLUTION`], so that they add up to the same sum in
//! any order. This decides, before any row is looked at, whether they fit 32 bits.

use crate::network::{Link, Network, Source};

/// `2^20` steps to one: contributions are rounded to about a millionth.
pub(super) const STEPS: f32 = 1_048_576.0;
/// One step.
pub(super) const RESOLUTION: f32 = 1.0 / STEPS;

/// Contributions up to this size, in absolute value, can be rounded in `f32` (below `2^22` steps).
pub(super) const NARROW: f64 = 3.9;

/// Room for the rounding of products and of the approximate activations.
const SLACK: f64 = 1.001;
const LARGEST_STEPS: f64 = i32::MAX as f64;

/// Fills `largest` with a bound on each neuron's absolute value and tells whether every output's
/// sum fits 32 bits.
pub(super) fn fits(network: &Network, column_max: &[f32], largest: &mut Vec<f64>) -> bool {
    largest.clear();
    for neuron in network.neurons() {
        let bound = if neuron.activation.is_bounded() {
            1.0
        } else {
            sum_bound(neuron.bias, &neuron.links, column_max, largest)
        };
        largest.push(bound);
    }
    network.outputs().iter().all(|output| {
        let bound = sum_bound(output.bias, &output.links, column_max, largest);
        // One more step for each term that rounds up. A bound of infinity or NaN does not fit.
        bound * f64::from(STEPS) + output.links.len() as f64 + 1.0 < LARGEST_STEPS
    })
}

/// A bound on the absolute value of one source.
pub(super) fn source_bound(source: Source, column_max: &[f32], largest: &[f64]) -> f64 {
    match source {
        Source::Input(index) => f64::from(column_max[index as usize]),
        Source::Neuron(index) => largest[index as usize],
    }
}

fn sum_bound(bias: Option<f32>, links: &[Link], column_max: &[f32], largest: &[f64]) -> f64 {
    let terms = links
        .iter()
        .map(|link| f64::from(link.weight.abs()) * source_bound(link.source, column_max, largest));
    SLACK * (f64::from(bias.unwrap_or(0.0).abs()) + terms.sum::<f64>())
}
