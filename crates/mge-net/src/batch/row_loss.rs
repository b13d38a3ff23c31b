//! From the sums of the outputs to the loss of a block of rows.
//!
//! The logarithm of the cross-entropy is taken of products: `ln a + ln b = ln ab`, so one call
//! serves hundreds of rows. What is not inside the logarithm is added in 16 lanes.

use super::approximate::{exp_of_negative, sigmoid};
use crate::columns::LANES;
use crate::loss::{Loss, PROBABILITY_FLOOR};

/// Marks padding, which counts for nothing.
const NO_CLASS: u32 = u32::MAX;

/// `-ln(PROBABILITY_FLOOR)`.
const LARGEST_ROW_LOSS: f32 = 34.538_776;

/// Groups of rows whose factors, each at most the number of outputs (below `2^13`), may be
/// multiplied before an `f32` overflows.
const GROUPS_PER_PRODUCT: usize = 8;

/// The class of each row, in the forms that the loops below want.
#[derive(Debug)]
pub(super) struct Targets {
    classes: Vec<u32>,
    /// For one output: 1 for class 0, -1 for class 1, 0 for padding.
    signs: Vec<f32>,
}

/// The targets of one block.
#[derive(Clone, Copy)]
pub(super) struct BlockTargets<'a> {
    classes: &'a [u32],
    signs: &'a [f32],
}

impl Targets {
    pub(super) fn new(labels: &[u32], padded_rows: usize) -> Self {
        let mut classes = labels.to_vec();
        classes.resize(padded_rows, NO_CLASS);
        let sign = |&class: &u32| match class {
            0 => 1.0,
            NO_CLASS => 0.0,
            _ => -1.0,
        };
        let signs = classes.iter().map(sign).collect();
        Self { classes, signs }
    }

    #[inline(always)]
    pub(super) fn block(&self, start: usize, rows: usize) -> BlockTargets<'_> {
        BlockTargets {
            classes: &self.classes[start..][..rows],
            signs: &self.signs[start..][..rows],
        }
    }
}

/// Values for each row of a block, kept between calls.
#[derive(Debug, Default)]
pub(super) struct RowValues {
    largest: Vec<f32>,
    total: Vec<f32>,
    of_class: Vec<f32>,
}

impl RowValues {
    pub(super) fn reserve(&mut self, rows: usize) {
        for values in [&mut self.largest, &mut self.total, &mut self.of_class] {
            if values.len() < rows {
                values.resize(rows, 0.0);
            }
        }
    }
}

/// The sum of the loss over the rows of one block. `sums` holds the rows of one output after
/// another, and is used up.
#[inline(always)]
pub(super) fn block_loss(
    loss: Loss,
    sums: &mut [f32],
    targets: BlockTargets<'_>,
    values: &mut RowValues,
) -> f64 {
    let rows = targets.classes.len();
    let largest = &mut values.largest[..rows];
    let total = &mut values.total[..rows];
    let of_class = &mut values.of_class[..rows];
    match (loss, sums.len() == rows) {
        (Loss::CrossEntropy, true) => {
            sigmoid_entropy(sums, targets.signs, total);
            add_up(sums) + log_of_product(total)
        }
        (Loss::CrossEntropy, false) => {
            soft_max(sums, largest, total, Some((targets.classes, of_class)));
            soft_max_entropy(largest, total, of_class, targets.classes);
            add_up(largest) + log_of_product(total)
        }
        (Loss::MeanSquaredError, true) => {
            sigmoid_squares(sums, targets.signs);
            add_up(sums)
        }
        (Loss::MeanSquaredError, false) => {
            let outputs = sums.len() / rows;
            soft_max(sums, largest, total, None);
            soft_max_squares(sums, total, targets.classes, of_class);
            add_up(of_class) / outputs as f64
        }
    }
}

/// `-ln sigmoid(-t) = max(t, 0) + ln(1 + exp(-|t|))`, where `t` is the sum with the sign of the
/// wrong class. Leaves the first part in `sums` and the argument of the logarithm in `factors`.
#[inline(always)]
fn sigmoid_entropy(sums: &mut [f32], signs: &[f32], factors: &mut [f32]) {
    for ((sum, &sign), factor) in sums.iter_mut().zip(signs).zip(factors) {
        let t = sign * *sum;
        *factor = 1.0 + sign.abs() * exp_of_negative(-t.abs());
        let part = if t > 0.0 { t } else { 0.0 };
        *sum = if part < LARGEST_ROW_LOSS { part } else { LARGEST_ROW_LOSS };
    }
}

#[inline(always)]
fn sigmoid_squares(sums: &mut [f32], signs: &[f32]) {
    for (sum, &sign) in sums.iter_mut().zip(signs) {
        let miss = sign * sigmoid(sign * *sum);
        *sum = miss * miss;
    }
}

/// Turns each output's sum into `exp(sum - largest)` and adds these up in `total`; the sum of
/// the true class goes to `of_class`, if that is asked for.
#[inline(always)]
fn soft_max(
    sums: &mut [f32],
    largest: &mut [f32],
    total: &mut [f32],
    of_class: Option<(&[u32], &mut [f32])>,
) {
    let rows = largest.len();
    largest.copy_from_slice(&sums[..rows]);
    for output in sums[rows..].chunks_exact(rows) {
        for (largest, &sum) in largest.iter_mut().zip(output) {
            *largest = if sum > *largest { sum } else { *largest };
        }
    }
    if let Some((classes, of_class)) = of_class {
        of_class.fill(0.0);
        for (index, output) in sums.chunks_exact(rows).enumerate() {
            for ((own, &class), &sum) in of_class.iter_mut().zip(classes).zip(output) {
                *own = if class == index as u32 { sum } else { *own };
            }
        }
    }
    total.fill(0.0);
    for output in sums.chunks_exact_mut(rows) {
        for ((sum, &largest), total) in output.iter_mut().zip(&*largest).zip(&mut *total) {
            *sum = exp_of_negative(*sum - largest);
            *total += *sum;
        }
    }
}

/// `-ln p = (largest - own) + ln total`. Leaves the first part in `largest` and the argument of
/// the logarithm in `total`; a row below the floor gets the floor's loss and a factor of one.
#[inline(always)]
fn soft_max_entropy(largest: &mut [f32], total: &mut [f32], own: &[f32], classes: &[u32]) {
    for (((part, factor), &own), &class) in largest.iter_mut().zip(total).zip(own).zip(classes) {
        let distance = *part - own;
        let hopeless = exp_of_negative(-distance) < PROBABILITY_FLOOR as f32 * *factor;
        let padding = class == NO_CLASS;
        *part = if hopeless { LARGEST_ROW_LOSS } else { distance };
        *part = if padding { 0.0 } else { *part };
        *factor = if hopeless | padding { 1.0 } else { *factor };
    }
}

#[inline(always)]
fn soft_max_squares(powers: &[f32], total: &mut [f32], classes: &[u32], squares: &mut [f32]) {
    let rows = classes.len();
    for (total, &class) in total.iter_mut().zip(classes) {
        *total = if class == NO_CLASS { 0.0 } else { 1.0 / *total };
    }
    squares.fill(0.0);
    for (index, powers) in powers.chunks_exact(rows).enumerate() {
        let rows = squares.iter_mut().zip(powers).zip(&*total).zip(classes);
        for (((squares, &power), &scale), &class) in rows {
            let target = if class == index as u32 { 1.0 } else { 0.0 };
            let miss = power * scale - target;
            *squares += miss * miss;
        }
    }
}

/// Adds in 16 lanes, then the lanes in order.
#[inline(always)]
fn add_up(values: &[f32]) -> f64 {
    let mut lanes = [0.0f32; LANES];
    for group in values.as_chunks::<LANES>().0 {
        for lane in 0..LANES {
            lanes[lane] += group[lane];
        }
    }
    lanes.iter().map(|&lane| f64::from(lane)).sum()
}

/// The logarithm of the product of all factors, each of them at least one.
#[inline(always)]
fn log_of_product(factors: &[f32]) -> f64 {
    let mut product = 1.0f64;
    let mut logs = 0.0;
    for groups in factors.as_chunks::<LANES>().0.chunks(GROUPS_PER_PRODUCT) {
        let mut lanes = [1.0f32; LANES];
        for group in groups {
            for lane in 0..LANES {
                lanes[lane] *= group[lane];
            }
        }
        for lane in lanes {
            product *= f64::from(lane);
            // The next lane is below 2^128, so the product stays below 2^1024.
            if product > 1e250 {
                logs += libm::log(product);
                product = 1.0;
            }
        }
    }
    logs + libm::log(product)
}
