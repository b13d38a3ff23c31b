//! How large an output's sum can get, from the weights and the data alone.
//!
//! Contributions are whole multiples of [`RESOLUTION`], so that they add up to the same sum in
//! any order. Before any row is looked at, this decides how a network is summed and how its
//! soft-max is computed. The bounds of a sum's terms are whole numbers too: the decision does not
//! depend on the order of the terms either.

use crate::activation::Activation;
use crate::network::{Link, Network, Source};

/// `2^20` steps to one: contributions are rounded to about a millionth.
pub(crate) const STEPS: f32 = 1_048_576.0;
/// One step.
pub(crate) const RESOLUTION: f32 = 1.0 / STEPS;

/// Contributions up to this size, in absolute value, can be rounded in `f32` (below `2^22` steps).
const NARROW: f64 = 3.9;

/// Room for the rounding of products and of the approximate activations.
const SLACK: f64 = 1.001;
const LARGEST_STEPS: u64 = i32::MAX as u64;

/// The bound of a term that is out of every range. Sums of a network's worth of these still fit.
const BOUNDLESS: u64 = 1 << 40;

/// How the sums of a network are computed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Range {
    /// In fixed point, and no difference of two sums comes near the probability floor:
    /// exponentials need no largest sum taken off first.
    Tame,
    /// In fixed point.
    Fixed,
    /// In `f64`: fixed point might overflow.
    Wide,
}

impl Range {
    /// The range of a network, given a bound on the sum of each output, in steps.
    pub(crate) fn of(bounds: impl ExactSizeIterator<Item = u64>) -> Self {
        let outputs = bounds.len();
        let largest = bounds.max().unwrap_or(0);
        // ln(1e15) is 34.5: with |sum| <= b the least probability is exp(-2b) / outputs.
        let tame_sum = (33.5 - libm::log(outputs as f64)) / 2.0;
        if largest >= LARGEST_STEPS {
            Range::Wide
        } else if outputs > 1 && (largest as f64) < tame_sum * f64::from(STEPS) {
            Range::Tame
        } else {
            Range::Fixed
        }
    }
}

/// A bound on one contribution, in steps. It may have been rounded up, so there is one more.
#[inline]
pub(crate) fn term_bound(weight: f32, source: f64) -> u64 {
    // As an `f32`, since that is how contributions are scaled. A bound of infinity or NaN is boundless.
    let steps = f64::from(weight.abs() * STEPS) * source * SLACK;
    if steps < BOUNDLESS as f64 { steps as u64 + 2 } else { BOUNDLESS }
}

/// A bound on a bias, in steps.
pub(crate) fn bias_bound(bias: Option<f32>) -> u64 {
    bias.map_or(0, |bias| term_bound(bias, 1.0))
}

/// Whether contributions of this weight and source can be rounded in `f32`.
#[inline]
pub(crate) fn is_narrow(weight: f32, source: f64) -> bool {
    f64::from(weight.abs()) * source < NARROW
}

/// A bound on the absolute value of a neuron; infinite if its sum may leave the range of `f32`.
pub(crate) fn neuron_bound(
    activation: Activation,
    bias: Option<f32>,
    links: &[Link],
    source_bound: impl Fn(Source) -> f64,
) -> f64 {
    if activation.is_bounded() {
        return 1.0;
    }
    let terms = links.iter().map(|link| f64::from(link.weight.abs()) * source_bound(link.source));
    let bound = SLACK * (f64::from(bias.unwrap_or(0.0).abs()) + terms.sum::<f64>());
    // Nor is NaN below it, the product of nothing and infinity.
    if bound < f64::from(f32::MAX) { bound } else { f64::INFINITY }
}

/// Fills `largest` with a bound on each neuron's absolute value, and tells the network's range.
pub(super) fn range(network: &Network, column_max: &[f32], largest: &mut Vec<f64>) -> Range {
    largest.clear();
    for neuron in network.neurons() {
        let of_source = |source| source_bound(source, column_max, largest);
        let bound = neuron_bound(neuron.activation, neuron.bias, &neuron.links, of_source);
        largest.push(bound);
    }
    let of_output = |output: &crate::network::Output| {
        let terms = output.links.iter();
        let bound =
            |link: &Link| term_bound(link.weight, source_bound(link.source, column_max, largest));
        bias_bound(output.bias) + terms.map(bound).sum::<u64>()
    };
    Range::of(network.outputs().iter().map(of_output))
}

/// A bound on the absolute value of one source.
pub(crate) fn source_bound(source: Source, column_max: &[f32], largest: &[f64]) -> f64 {
    match source {
        Source::Input(index) => f64::from(column_max[index as usize]),
        Source::Neuron(index) => largest[index as usize],
    }
}
