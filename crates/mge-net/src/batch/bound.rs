//! Upper bounds on output sums, from the weights and the data alone.
//!
//! Contributions to an output are rounded to multiples of [`RESOLUTION`], called steps. Steps are
//! integers, so they add up to the same sum in any order. The bound decides, before any row is
//! read, how a network is summed and how its softmax is computed. Bounds are integers too, so
//! this decision does not depend on the order of the terms either.

use crate::activation::Activation;
use crate::network::{Link, Network, Source};
use crate::targets::OutputLink;

/// Steps in one: `2^20`, so contributions are rounded to about a millionth.
pub(crate) const STEPS: f32 = 1_048_576.0;
/// The value of one step.
pub(crate) const RESOLUTION: f32 = 1.0 / STEPS;

/// Contributions up to this absolute value can be rounded in `f32`: they stay below `2^22` steps.
const MAX_NARROW: f64 = 3.9;

/// Covers the rounding of products and of the approximate activations.
const SLACK: f64 = 1.001;
const MAX_STEPS: u64 = i32::MAX as u64;

/// The bound of a term that no range holds. The sum of `MAX_LINKS` of them still fits 64 bits.
const UNBOUNDED: u64 = 1 << 40;

/// How the output sums of a network are computed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum SumRange {
    /// In fixed point, and so small that no probability comes near the floor. The softmax needs no
    /// subtraction of the largest sum.
    Small,
    /// In fixed point.
    FixedPoint,
    /// In `f64`, since fixed point might overflow.
    Float,
}

impl SumRange {
    /// The range of a network, from a bound on the sum of each output in steps. Only a softmax has
    /// small sums.
    pub(crate) fn of(bounds: impl ExactSizeIterator<Item = u64>, link: OutputLink) -> Self {
        let outputs = bounds.len();
        let is_softmax = outputs > 1 && !link.is_identity();
        let largest = bounds.max().unwrap_or(0);
        // With |sum| <= b the smallest probability is exp(-2b) / outputs; ln(1e15) is 34.5.
        let max_small_sum = (33.5 - libm::log(outputs as f64)) / 2.0;
        if largest >= MAX_STEPS {
            SumRange::Float
        } else if is_softmax && (largest as f64) < max_small_sum * f64::from(STEPS) {
            SumRange::Small
        } else {
            SumRange::FixedPoint
        }
    }
}

/// A bound on one contribution, in steps. It includes one more step for rounding.
#[inline]
pub(crate) fn term_bound(weight: f32, source: f64) -> u64 {
    // In `f32`, as contributions are scaled. Infinity and NaN fail the comparison.
    let steps = f64::from(weight.abs() * STEPS) * source * SLACK;
    if steps < UNBOUNDED as f64 { steps as u64 + 2 } else { UNBOUNDED }
}

/// A bound on a bias, in steps.
pub(crate) fn bias_bound(bias: Option<f32>) -> u64 {
    bias.map_or(0, |bias| term_bound(bias, 1.0))
}

/// Whether contributions of this weight and source can be rounded in `f32`.
#[inline]
pub(crate) fn is_narrow(weight: f32, source: f64) -> bool {
    f64::from(weight.abs()) * source < MAX_NARROW
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
    // NaN, the product of zero and infinity, fails the comparison too.
    if bound < f64::from(f32::MAX) { bound } else { f64::INFINITY }
}

/// The range of a network. Fills `max_values` with a bound on each neuron's absolute value.
pub(super) fn sum_range(
    network: &Network,
    link: OutputLink,
    column_max: &[f32],
    max_values: &mut Vec<f64>,
) -> SumRange {
    max_values.clear();
    for neuron in network.neurons() {
        let of_source = |source| source_bound(source, column_max, max_values);
        let bound = neuron_bound(neuron.activation, neuron.bias, &neuron.links, of_source);
        max_values.push(bound);
    }
    let of_output = |output: &crate::network::Output| {
        let terms = output.links.iter();
        let bound = |link: &Link| {
            term_bound(link.weight, source_bound(link.source, column_max, max_values))
        };
        bias_bound(output.bias) + terms.map(bound).sum::<u64>()
    };
    SumRange::of(network.outputs().iter().map(of_output), link)
}

/// A bound on the absolute value of a source.
pub(crate) fn source_bound(source: Source, column_max: &[f32], max_values: &[f64]) -> f64 {
    match source {
        Source::Input(index) => f64::from(column_max[index as usize]),
        Source::Neuron(index) => max_values[index as usize],
    }
}
