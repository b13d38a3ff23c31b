//! From the sums of the outputs to the loss of a block of rows.
//!
//! The logarithm of the cross-entropy is taken of products, so one call serves hundreds of rows.
//! What is not inside the logarithm is added in 16 lanes, or exactly, in steps.
//!
//! Soft-max has two forms. Where sums are known to be small ([`Range::Tame`](super::bound::Range))
//! `exp(sum)` is taken as it is: it depends on one output alone, so networks that share an output
//! can share it. Else the largest sum of the row is taken off first.

use super::approximate::{exp_of_negative, exp_of_steps, sigmoid};
use super::blocks::{AlignedValues, BLOCK_ROWS};
use super::bound::{RESOLUTION, STEPS};
use super::product::log_of_product;
use mge_columns::LANES;
use crate::loss::{Loss, PROBABILITY_FLOOR};

/// WeightSlots padding, which counts for nothing.
pub(crate) const NO_CLASS: u32 = u32::MAX;

/// `-ln(PROBABILITY_FLOOR)`.
const LARGEST_ROW_LOSS: f32 = 34.538_776;

/// The class of each row, in the forms that the loops below want.
#[derive(Debug)]
pub(crate) struct Targets {
    classes: AlignedValues<u32>,
    /// For one output: 1 for class 0, -1 for class 1, 0 for padding.
    signs: AlignedValues,
    real_rows: usize,
}

/// The targets of one block.
#[derive(Clone, Copy)]
pub(crate) struct BlockTargets<'a> {
    pub(crate) classes: &'a [u32],
    signs: &'a [f32],
    /// Rows that are not padding.
    pub(super) real_rows: usize,
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
        let signs: Vec<f32> = classes.iter().map(sign).collect();
        let (classes, signs) = (AlignedValues::of(&classes), AlignedValues::of(&signs));
        Self { classes, signs, real_rows: labels.len() }
    }

    #[inline(always)]
    pub(crate) fn block(&self, start: usize, rows: usize) -> BlockTargets<'_> {
        BlockTargets {
            classes: &self.classes.get()[start..][..rows],
            signs: &self.signs.get()[start..][..rows],
            real_rows: self.real_rows.saturating_sub(start).min(rows),
        }
    }
}

/// Values for each row of a block, kept between calls.
#[derive(Debug, Default)]
pub(crate) struct RowValues {
    largest: AlignedValues,
    total: AlignedValues,
    of_class: AlignedValues,
}

impl RowValues {
    pub(crate) fn reserve(&mut self, rows: usize) {
        for values in [&mut self.largest, &mut self.total, &mut self.of_class] {
            values.reserve(rows);
        }
    }
}

/// The sum of the loss over the rows of one block. `sums` holds the rows of one output after
/// another, and is used up.
#[inline(always)]
pub(crate) fn block_loss(
    loss: Loss,
    sums: &mut [f32],
    targets: BlockTargets<'_>,
    values: &mut RowValues,
) -> f64 {
    let rows = targets.classes.len();
    let largest = &mut values.largest.get_mut()[..rows];
    let total = &mut values.total.get_mut()[..rows];
    let of_class = &mut values.of_class.get_mut()[..rows];
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
            let powers = &InARow { values: sums, rows };
            soft_max_squares(outputs, powers, total, targets.classes, of_class);
            add_up(of_class) / outputs as f64
        }
    }
}

/// Turns the steps of output `output` into `exp(sum)`, and gives the exact sum of the steps over
/// the rows of its own class. Only for [`Range::Tame`](super::bound::Range).
#[inline(always)]
pub(crate) fn powers_of(
    steps: &[i32],
    output: u32,
    targets: BlockTargets<'_>,
    powers: &mut [f32],
) -> i64 {
    let is_tame = |steps: &i32| steps.unsigned_abs() <= 17 * STEPS as u32;
    debug_assert!(steps.iter().all(is_tame), "bounds hold for all rows");
    // Two plain loops: one that did both kept its sums in memory, and where a thread's stack lay
    // made it slow or not.
    for (power, &steps) in powers.iter_mut().zip(steps) {
        *power = exp_of_steps(steps);
    }
    let mut own = 0;
    for (&steps, &class) in steps.iter().zip(targets.classes) {
        own += i64::from(if class == output { steps } else { 0 });
    }
    own
}

/// Where the exponentials of outputs are. A trait and no closure: a closure that is called at several
/// places would not be inlined, and there is a call for each output of each network.
pub(crate) trait Powers {
    /// Those of one output, over the rows of a block.
    fn of_output(&self, output: usize) -> &[f32];
}

/// Powers of all outputs, one after another.
pub(crate) struct InARow<'a> {
    pub(crate) values: &'a [f32],
    pub(crate) rows: usize,
}

impl Powers for InARow<'_> {
    #[inline(always)]
    fn of_output(&self, output: usize) -> &[f32] {
        &self.values[output * self.rows..][..self.rows]
    }
}

/// The sum of the loss over the rows of one block, from the exponentials of each output and the
/// steps of the true classes, all outputs together.
#[inline(always)]
pub(crate) fn tame_block_loss(
    loss: Loss,
    outputs: usize,
    powers: &impl Powers,
    own_steps: i64,
    targets: BlockTargets<'_>,
    values: &mut RowValues,
) -> f64 {
    let rows = targets.classes.len();
    let total = &mut values.total.get_mut()[..rows];
    add_all(outputs, powers, total);
    match loss {
        Loss::CrossEntropy => {
            let own = own_steps as f64 * f64::from(RESOLUTION);
            log_of_product(&total[..targets.real_rows]) - own
        }
        Loss::MeanSquaredError => {
            let squares = &mut values.of_class.get_mut()[..rows];
            soft_max_squares(outputs, powers, total, targets.classes, squares);
            add_up(squares) / outputs as f64
        }
    }
}

/// Adds up the columns of all outputs, in order; up to eight in a pass, so that the running sum
/// stays in a register.
#[inline(always)]
fn add_all(outputs: usize, powers: &impl Powers, total: &mut [f32]) {
    // The compiler sees that these begin the total.
    let mut next = match outputs {
        8.. => add_columns::<8>(powers, 0, total),
        2.. => add_columns::<2>(powers, 0, total),
        _ => add_columns::<1>(powers, 0, total),
    };
    while next + 8 <= outputs {
        next = add_columns::<8>(powers, next, total);
    }
    while next + 2 <= outputs {
        next = add_columns::<2>(powers, next, total);
    }
    if next < outputs {
        add_columns::<1>(powers, next, total);
    }
}

/// Adds `N` columns to the total, or begins it with the first ones; tells which comes next.
#[inline(always)]
fn add_columns<const N: usize>(powers: &impl Powers, first: usize, total: &mut [f32]) -> usize {
    let rows = total.len();
    // Plain loops: the functions of arrays would not be inlined.
    let mut columns: [&[f32]; N] = [&[]; N];
    for (index, column) in columns.iter_mut().enumerate() {
        *column = &powers.of_output(first + index)[..rows];
    }
    for row in 0..rows {
        let mut sum = if first == 0 { 0.0 } else { total[row] };
        for column in columns {
            sum += column[row];
        }
        total[row] = sum;
    }
    first + N
}

/// How many rows are right: the true class has the largest sum, the first of equals; a single
/// output answers class 1 only if its sum is above zero. `sums` is used up.
#[inline(always)]
pub(crate) fn right_rows(
    sums: &mut [f32],
    targets: BlockTargets<'_>,
    values: &mut RowValues,
) -> u64 {
    let rows = targets.classes.len();
    let largest = &mut values.largest.get_mut()[..rows];
    let mut answers = [0u32; BLOCK_ROWS];
    let answers = &mut answers[..rows];
    if sums.len() == rows {
        for (answer, &sum) in answers.iter_mut().zip(&*sums) {
            *answer = u32::from(sum > 0.0);
        }
    } else {
        largest.copy_from_slice(&sums[..rows]);
        for (index, output) in sums.chunks_exact(rows).enumerate().skip(1) {
            for ((largest, answer), &sum) in largest.iter_mut().zip(&mut *answers).zip(output) {
                *answer = if sum > *largest { index as u32 } else { *answer };
                *largest = if sum > *largest { sum } else { *largest };
            }
        }
    }
    let right = |(&answer, &class): (&u32, &u32)| u32::from(answer == class);
    answers.iter().zip(targets.classes).map(right).sum::<u32>().into()
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
fn soft_max_squares(
    outputs: usize,
    powers: &impl Powers,
    total: &mut [f32],
    classes: &[u32],
    squares: &mut [f32],
) {
    for (total, &class) in total.iter_mut().zip(classes) {
        *total = if class == NO_CLASS { 0.0 } else { 1.0 / *total };
    }
    squares.fill(0.0);
    for index in 0..outputs {
        let rows = squares.iter_mut().zip(powers.of_output(index)).zip(&*total).zip(classes);
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn powers_and_the_steps_of_the_own_class() {
        let labels: Vec<u32> = (0..500).map(|row| row % 3).collect();
        let targets = Targets::new(&labels, 512);
        let steps: Vec<i32> = (0..512).map(|row| (row - 250) * 65_521).collect();
        let mut powers = vec![0.0; 512];
        let own = powers_of(&steps, 2, targets.block(0, 512), &mut powers);
        // Padding is of no class.
        let of_class = |row: usize| labels.get(row) == Some(&2);
        let expected: i64 =
            (0..512).filter(|&row| of_class(row)).map(|row| i64::from(steps[row])).sum();
        assert_eq!(own, expected);
        for (&power, &steps) in powers.iter().zip(&steps) {
            let exact = libm::exp(f64::from(steps) * f64::from(RESOLUTION));
            assert!((f64::from(power) / exact - 1.0).abs() < 2e-6, "{power} {exact}");
        }
    }
}
