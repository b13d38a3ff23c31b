//! One block of rows, forwards and backwards. Everything is `inline(always)`, so that
//! [`dispatch`](crate::batch::dispatch) compiles it once for each SIMD level.

use super::wiring::Wiring;
use super::{GradientEvaluator, GradientScratch, NO_CLASS};
use crate::activation::Activation;
use crate::batch::approximate::{exp, sigmoid};
use crate::batch::dispatch::Kernel;
use crate::batch::row_loss;
use crate::batch::unit::{activate, weighted_sum};
use crate::columns::LANES;
use crate::loss::Loss;
use crate::network::Source;

/// The sum of the loss over the rows of one block.
pub(super) struct LossOnly<'a> {
    pub(super) evaluator: &'a GradientEvaluator,
    pub(super) wiring: &'a Wiring,
    pub(super) weights: &'a [f32],
    pub(super) block: usize,
    pub(super) scratch: &'a mut GradientScratch,
}

impl Kernel for LossOnly<'_> {
    type Output = f64;

    #[inline(always)]
    fn run(self) -> f64 {
        let Self { evaluator, wiring, weights, block, scratch } = self;
        forwards(evaluator, wiring, weights, block, scratch, false);
        block_loss(evaluator, block, scratch)
    }
}

/// How many rows of one block are right.
pub(super) struct RightRows<'a> {
    pub(super) evaluator: &'a GradientEvaluator,
    pub(super) wiring: &'a Wiring,
    pub(super) weights: &'a [f32],
    pub(super) block: usize,
    pub(super) scratch: &'a mut GradientScratch,
}

impl Kernel for RightRows<'_> {
    type Output = u64;

    #[inline(always)]
    fn run(self) -> u64 {
        let Self { evaluator, wiring, weights, block, scratch } = self;
        forwards(evaluator, wiring, weights, block, scratch, false);
        let (start, rows) = evaluator.spans[block];
        let targets = evaluator.rows.targets.block(start, rows);
        let sums = &mut scratch.sums.get_mut()[..evaluator.rows.outputs * rows];
        row_loss::right_rows(sums, targets, &mut scratch.rows)
    }
}

/// The loss, and its gradient, which is added to what is there.
pub(super) struct LossAndGradient<'a> {
    pub(super) evaluator: &'a GradientEvaluator,
    pub(super) wiring: &'a Wiring,
    pub(super) weights: &'a [f32],
    pub(super) block: usize,
    pub(super) scratch: &'a mut GradientScratch,
    pub(super) gradient: &'a mut [f64],
}

impl Kernel for LossAndGradient<'_> {
    type Output = f64;

    #[inline(always)]
    fn run(self) -> f64 {
        let Self { evaluator, wiring, weights, block, scratch, gradient } = self;
        forwards(evaluator, wiring, weights, block, scratch, true);
        output_deltas(evaluator, wiring, block, scratch, Aim::Label);
        backwards(evaluator, wiring, weights, block, scratch);
        add_gradient(evaluator, wiring, block, scratch, gradient);
        block_loss(evaluator, block, scratch)
    }
}

/// What the outputs are compared with.
#[derive(Clone, Copy)]
pub(super) enum Aim {
    /// The label, under the evaluator's loss.
    Label,
    /// Class `y`, under the cross-entropy, times the root of its probability: the sum over `y` of
    /// the squares is the Fisher information.
    Class(u32),
    /// A class drawn by its probability, with the numbers of this seed, under the cross-entropy.
    Drawn(u64),
}

/// Fills the values of the neurons, their slopes if wanted, and the sums of the outputs.
#[inline(always)]
pub(super) fn forwards(
    evaluator: &GradientEvaluator,
    wiring: &Wiring,
    weights: &[f32],
    block: usize,
    scratch: &mut GradientScratch,
    with_slopes: bool,
) {
    let (start, rows) = evaluator.spans[block];
    let inputs = evaluator.rows.blocks.block(start, rows);
    let all = scratch.values.get_mut();
    let slopes = scratch.slopes.get_mut();
    let sums = scratch.sums.get_mut();
    for index in 0..wiring.units() {
        let (unit, sources) = wiring.unit(index);
        let (earlier, rest) = all.split_at_mut(index.min(wiring.neurons()) * rows);
        let bias = unit.has_bias.then(|| weights[unit.first]);
        let own = &weights[unit.first_link()..][..sources.len()];
        let is_hidden = index < wiring.neurons();
        let into = if is_hidden {
            &mut rest[..rows]
        } else {
            &mut sums[(index - wiring.neurons()) * rows..][..rows]
        };
        // A weight and its source lie in two lists, so links are read by their place.
        let places: Places = Places { sources, weights: own };
        weighted_links(into, bias, places, inputs, earlier, rows);
        if is_hidden {
            if with_slopes {
                let slopes = &mut slopes[index * rows..][..rows];
                slopes.copy_from_slice(into);
                activate(into, unit.activation);
                slopes_of(unit.activation, into, slopes);
            } else {
                activate(into, unit.activation);
            }
        }
    }
}

#[derive(Clone, Copy)]
struct Places<'a> {
    sources: &'a [Source],
    weights: &'a [f32],
}

#[inline(always)]
fn weighted_links(
    into: &mut [f32],
    bias: Option<f32>,
    places: Places<'_>,
    inputs: &[f32],
    hidden: &[f32],
    rows: usize,
) {
    let mut next = 0;
    let mut bias = bias;
    // Eight links at a time: `weighted_sum` takes them by reference.
    loop {
        let count = (places.sources.len() - next).min(8);
        let mut links = [(Source::Input(0), 0.0f32); 8];
        for (k, link) in links[..count].iter_mut().enumerate() {
            *link = (places.sources[next + k], places.weights[next + k]);
        }
        let read =
            |&(source, weight): &(Source, f32)| (column(source, inputs, hidden, rows), weight);
        if next == 0 {
            weighted_sum(into, bias.take(), &links[..count], read);
        } else {
            let (fours, rest) = links[..count].as_chunks::<4>();
            for four in fours {
                add_links(into, [read(&four[0]), read(&four[1]), read(&four[2]), read(&four[3])]);
            }
            for link in rest {
                add_links(into, [read(link)]);
            }
        }
        next += count;
        if next >= places.sources.len() {
            return;
        }
    }
}

#[inline(always)]
fn add_links<const N: usize>(into: &mut [f32], links: [(&[f32], f32); N]) {
    let rows = into.len();
    let links = links.map(|(column, weight)| (&column[..rows], weight));
    for row in 0..rows {
        let mut sum = into[row];
        for (column, weight) in links {
            sum += weight * column[row];
        }
        into[row] = sum;
    }
}

#[inline(always)]
pub(super) fn column<'a>(
    source: Source,
    inputs: &'a [f32],
    hidden: &'a [f32],
    rows: usize,
) -> &'a [f32] {
    let (values, index) = match source {
        Source::Input(index) => (inputs, index),
        Source::Neuron(index) => (hidden, index),
    };
    &values[index as usize * rows..][..rows]
}

/// The derivative of the activation; `slopes` holds the sums before and the slopes after.
#[inline(always)]
fn slopes_of(activation: Activation, values: &[f32], slopes: &mut [f32]) {
    match activation {
        Activation::Sigmoid => by_value(values, slopes, |v, _| v * (1.0 - v)),
        Activation::Tanh => by_value(values, slopes, |v, _| 1.0 - v * v),
        Activation::Tanh25 => by_value(values, slopes, |v, _| 2.5 * (1.0 - v * v)),
        Activation::Relu => by_value(values, slopes, |_, x| if x > 0.0 { 1.0 } else { 0.0 }),
        Activation::Gauss => by_value(values, slopes, |v, x| -2.0 * x * v),
        Activation::Identity => slopes.fill(1.0),
        Activation::Sin => {
            // The cosine is the sine a quarter turn later.
            for x in slopes.iter_mut() {
                *x += std::f32::consts::FRAC_PI_2;
            }
            activate(slopes, Activation::Sin);
        }
    }
}

#[inline(always)]
fn by_value(values: &[f32], slopes: &mut [f32], slope: impl Fn(f32, f32) -> f32) {
    for (x, &v) in slopes.iter_mut().zip(values) {
        *x = slope(v, *x);
    }
}

/// The derivative of the loss by the sum of each output; zero where there is no row.
#[inline(always)]
pub(super) fn output_deltas(
    evaluator: &GradientEvaluator,
    wiring: &Wiring,
    block: usize,
    scratch: &mut GradientScratch,
    aim: Aim,
) {
    let (start, rows) = evaluator.spans[block];
    let classes = &evaluator.classes[start..][..rows];
    let outputs = wiring.outputs();
    let sums = &scratch.sums.get()[..outputs * rows];
    let deltas = &mut scratch.deltas.get_mut()[wiring.neurons() * rows..][..outputs * rows];
    if outputs == 1 {
        single_delta(evaluator.rows.loss, sums, classes, deltas, aim, start);
        return;
    }
    soft_max(sums, deltas, rows);
    match (aim, evaluator.rows.loss) {
        (Aim::Label, Loss::CrossEntropy) => {
            for (index, p) in deltas.chunks_exact_mut(rows).enumerate() {
                for (p, &class) in p.iter_mut().zip(classes) {
                    let target = if class == index as u32 { 1.0 } else { 0.0 };
                    *p = if class == NO_CLASS { 0.0 } else { *p - target };
                }
            }
        }
        (Aim::Label, Loss::MeanSquaredError) => squared_deltas(deltas, classes, outputs),
        (Aim::Class(y), _) => {
            for row in 0..rows {
                let root = if classes[row] == NO_CLASS {
                    0.0
                } else {
                    deltas[y as usize * rows + row].sqrt()
                };
                deltas[y as usize * rows + row] -= 1.0;
                for output in 0..outputs {
                    deltas[output * rows + row] *= root;
                }
            }
        }
        (Aim::Drawn(seed), _) => {
            for row in 0..rows {
                if classes[row] == NO_CLASS {
                    for output in 0..outputs {
                        deltas[output * rows + row] = 0.0;
                    }
                    continue;
                }
                let mut left = uniform(seed, start + row);
                let mut drawn = outputs - 1;
                for output in 0..outputs {
                    left -= deltas[output * rows + row];
                    if left < 0.0 {
                        drawn = output;
                        break;
                    }
                }
                deltas[drawn * rows + row] -= 1.0;
            }
        }
    }
}

/// A number in [0, 1) for a row, by the finaliser of splitmix64.
fn uniform(seed: u64, row: usize) -> f32 {
    let mut bits = seed ^ (row as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    ((bits ^ (bits >> 31)) >> 40) as f32 * (1.0 / (1u32 << 24) as f32)
}

#[inline(always)]
fn single_delta(
    loss: Loss,
    sums: &[f32],
    classes: &[u32],
    deltas: &mut [f32],
    aim: Aim,
    start: usize,
) {
    for (row, (delta, (&sum, &class))) in
        deltas.iter_mut().zip(sums.iter().zip(classes)).enumerate()
    {
        let p = sigmoid(sum);
        let target = if class == 0 { 0.0 } else { 1.0 };
        let value = match (aim, loss) {
            (Aim::Label, Loss::CrossEntropy) => p - target,
            (Aim::Label, Loss::MeanSquaredError) => 2.0 * (p - target) * p * (1.0 - p),
            (Aim::Class(0), _) => p * (1.0 - p).sqrt(),
            (Aim::Class(_), _) => (p - 1.0) * p.sqrt(),
            (Aim::Drawn(seed), _) => p - if uniform(seed, start + row) < p { 1.0 } else { 0.0 },
        };
        *delta = if class == NO_CLASS { 0.0 } else { value };
    }
}

/// Probabilities from sums.
#[inline(always)]
fn soft_max(sums: &[f32], into: &mut [f32], rows: usize) {
    let outputs = sums.len() / rows;
    // Groups of lanes, so that the largest and the total stay in registers.
    for group in (0..rows).step_by(LANES) {
        let mut largest = [f32::NEG_INFINITY; LANES];
        for output in 0..outputs {
            let own = &sums[output * rows + group..][..LANES];
            for lane in 0..LANES {
                largest[lane] = if own[lane] > largest[lane] { own[lane] } else { largest[lane] };
            }
        }
        let mut total = [0.0f32; LANES];
        for output in 0..outputs {
            let own = &sums[output * rows + group..][..LANES];
            let place = &mut into[output * rows + group..][..LANES];
            for lane in 0..LANES {
                place[lane] = exp(own[lane] - largest[lane]);
                total[lane] += place[lane];
            }
        }
        for total in &mut total {
            *total = 1.0 / *total;
        }
        for output in 0..outputs {
            let place = &mut into[output * rows + group..][..LANES];
            for lane in 0..LANES {
                place[lane] *= total[lane];
            }
        }
    }
}

/// The derivative of the mean of squares through the soft-max, from probabilities.
#[inline(always)]
fn squared_deltas(deltas: &mut [f32], classes: &[u32], outputs: usize) {
    let rows = classes.len();
    let scale = 2.0 / outputs as f32;
    for (row, &class) in classes.iter().enumerate() {
        let miss = |output: usize, p: f32| p - if class == output as u32 { 1.0 } else { 0.0 };
        let mut mean = 0.0;
        for output in 0..outputs {
            let p = deltas[output * rows + row];
            mean += miss(output, p) * p;
        }
        let scale = if class == NO_CLASS { 0.0 } else { scale };
        for output in 0..outputs {
            let p = deltas[output * rows + row];
            deltas[output * rows + row] = scale * p * (miss(output, p) - mean);
        }
    }
}

/// Hands the deltas of the outputs down to the neurons.
#[inline(always)]
pub(super) fn backwards(
    evaluator: &GradientEvaluator,
    wiring: &Wiring,
    weights: &[f32],
    block: usize,
    scratch: &mut GradientScratch,
) {
    let (_, rows) = evaluator.spans[block];
    let deltas = scratch.deltas.get_mut();
    let slopes = scratch.slopes.get();
    deltas[..wiring.neurons() * rows].fill(0.0);
    for index in (0..wiring.units()).rev() {
        let (unit, sources) = wiring.unit(index);
        let (earlier, own) = deltas.split_at_mut(index * rows);
        let own = &mut own[..rows];
        if index < wiring.neurons() {
            for (delta, &slope) in own.iter_mut().zip(&slopes[index * rows..][..rows]) {
                *delta *= slope;
            }
        }
        for (&source, &weight) in sources.iter().zip(&weights[unit.first_link()..]) {
            if let Source::Neuron(neuron) = source {
                let into = &mut earlier[neuron as usize * rows..][..rows];
                add_links(into, [(own, weight)]);
            }
        }
    }
}

#[inline(always)]
fn add_gradient(
    evaluator: &GradientEvaluator,
    wiring: &Wiring,
    block: usize,
    scratch: &GradientScratch,
    gradient: &mut [f64],
) {
    let (start, rows) = evaluator.spans[block];
    let inputs = evaluator.rows.blocks.block(start, rows);
    let hidden = scratch.values.get();
    for index in 0..wiring.units() {
        let (unit, sources) = wiring.unit(index);
        let delta = &scratch.deltas.get()[index * rows..][..rows];
        if unit.has_bias {
            gradient[unit.first] += total(delta);
        }
        let into = &mut gradient[unit.first_link()..][..sources.len()];
        let read = |source: Source| column(source, inputs, hidden, rows);
        let (fours, rest) = sources.as_chunks::<4>();
        let (into_fours, into_rest) = into.as_chunks_mut::<4>();
        for (&[a, b, c, d], into) in fours.iter().zip(into_fours) {
            let products = dots(delta, [read(a), read(b), read(c), read(d)]);
            for k in 0..4 {
                into[k] += products[k];
            }
        }
        for (&source, into) in rest.iter().zip(into_rest) {
            *into += dots(delta, [read(source)])[0];
        }
    }
}

/// The inner products of one column with others, each in 16 lanes that are then added in order.
#[inline(always)]
pub(super) fn dots<const N: usize>(one: &[f32], others: [&[f32]; N]) -> [f64; N] {
    let rows = one.len();
    let others = others.map(|other| &other[..rows]);
    let mut lanes = [[0.0f32; LANES]; N];
    for group in (0..rows).step_by(LANES) {
        let own = &one[group..][..LANES];
        for k in 0..N {
            let other = &others[k][group..][..LANES];
            for lane in 0..LANES {
                lanes[k][lane] += own[lane] * other[lane];
            }
        }
    }
    lanes.map(|lanes| f64::from(add_lanes(lanes)))
}

#[inline(always)]
pub(super) fn total(values: &[f32]) -> f64 {
    let mut lanes = [0.0f32; LANES];
    for group in values.as_chunks::<LANES>().0 {
        for lane in 0..LANES {
            lanes[lane] += group[lane];
        }
    }
    f64::from(add_lanes(lanes))
}

#[inline(always)]
fn add_lanes(mut lanes: [f32; LANES]) -> f32 {
    let mut width = LANES / 2;
    while width > 0 {
        for lane in 0..width {
            lanes[lane] += lanes[lane + width];
        }
        width /= 2;
    }
    lanes[0]
}

#[inline(always)]
fn block_loss(evaluator: &GradientEvaluator, block: usize, scratch: &mut GradientScratch) -> f64 {
    let (start, rows) = evaluator.spans[block];
    let targets = evaluator.rows.targets.block(start, rows);
    let sums = &mut scratch.sums.get_mut()[..evaluator.rows.outputs * rows];
    row_loss::block_loss(evaluator.rows.loss, sums, targets, &mut scratch.rows)
}
