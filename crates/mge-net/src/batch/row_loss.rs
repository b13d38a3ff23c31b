//! The loss of a block of rows, from the sums of the outputs.
//!
//! The logarithm of the cross-entropy is taken of a product, so one call serves hundreds of rows.
//! The other terms are added in 16 lanes, or exactly, in steps.
//!
//! Softmax has two forms. Where sums are small ([`SumRange::Small`](super::bound::SumRange)), the
//! exponentials are those of the sums themselves. Such a column depends on one output alone, so
//! networks that share the output share it. Otherwise the largest sum of the row is subtracted
//! first.

use super::approximate::{exp_of_negative, exp_of_steps, sigmoid};
use super::blocks::{AlignedValues, BLOCK_ROWS};
use super::bound::{RESOLUTION, STEPS};
use super::product::log_of_product;
use super::value_loss::{BlockValues, PaddedValues, value_loss};
use crate::loss::{Loss, PROBABILITY_FLOOR};
use crate::targets::Targets;
use mge_columns::LANES;

/// The class of padding rows, which have no loss.
pub(crate) const NO_CLASS: u32 = u32::MAX;

/// `-ln(PROBABILITY_FLOOR)`.
const MAX_ROW_LOSS: f32 = 34.538_776;

/// The targets of all rows, in the forms that the loops below need.
#[derive(Debug)]
pub(crate) enum PaddedTargets {
    Classes {
        classes: AlignedValues<u32>,
        /// For a single output: 1 for class 0, -1 for class 1, 0 for padding.
        signs: AlignedValues,
        real_rows: usize,
    },
    Values(PaddedValues),
}

/// The targets of one block.
#[derive(Clone, Copy)]
pub(crate) enum BlockTargets<'a> {
    Classes(BlockClasses<'a>),
    Values(BlockValues<'a>),
}

/// The classes of the rows of one block.
#[derive(Clone, Copy)]
pub(crate) struct BlockClasses<'a> {
    pub(crate) classes: &'a [u32],
    signs: &'a [f32],
    /// Rows that are not padding.
    pub(super) real_rows: usize,
}

impl<'a> BlockTargets<'a> {
    /// The classes, where the caller has checked that the link is one of classes.
    #[inline(always)]
    pub(crate) fn classes(self) -> BlockClasses<'a> {
        match self {
            Self::Classes(classes) => classes,
            Self::Values(_) => unreachable!("numbers have no classes"),
        }
    }
}

impl PaddedTargets {
    pub(super) fn new(targets: Targets<'_>, padded_rows: usize) -> Self {
        let labels = match targets {
            Targets::Classes { labels, .. } => labels,
            Targets::Values { values, outputs } => {
                return Self::Values(PaddedValues::new(values, outputs, padded_rows));
            }
        };
        let mut classes = labels.to_vec();
        classes.resize(padded_rows, NO_CLASS);
        let sign = |&class: &u32| match class {
            0 => 1.0,
            NO_CLASS => 0.0,
            _ => -1.0,
        };
        let signs: Vec<f32> = classes.iter().map(sign).collect();
        let (classes, signs) = (AlignedValues::of(&classes), AlignedValues::of(&signs));
        Self::Classes { classes, signs, real_rows: labels.len() }
    }

    #[inline(always)]
    pub(crate) fn block(&self, start: usize, rows: usize) -> BlockTargets<'_> {
        match self {
            Self::Classes { classes, signs, real_rows } => BlockTargets::Classes(BlockClasses {
                classes: &classes.get()[start..][..rows],
                signs: &signs.get()[start..][..rows],
                real_rows: real_rows.saturating_sub(start).min(rows),
            }),
            Self::Values(values) => BlockTargets::Values(values.block(start, rows)),
        }
    }
}

/// Scratch memory with a value for each row of a block.
#[derive(Debug, Default)]
pub(crate) struct RowScratch {
    largest: AlignedValues,
    total: AlignedValues,
    of_class: AlignedValues,
}

impl RowScratch {
    pub(crate) fn reserve(&mut self, rows: usize) {
        for values in [&mut self.largest, &mut self.total, &mut self.of_class] {
            values.reserve(rows);
        }
    }
}

/// The total loss over the rows of one block. `sums` holds the rows of one output after another;
/// its values are overwritten. `corner` is that of [`Loss::of_error`].
#[inline(always)]
pub(crate) fn block_loss(
    loss: Loss,
    sums: &mut [f32],
    targets: BlockTargets<'_>,
    corner: f32,
    values: &mut RowScratch,
) -> f64 {
    match targets {
        BlockTargets::Classes(targets) => class_loss(loss, sums, targets, values),
        BlockTargets::Values(targets) => value_loss(loss, sums, targets, corner),
    }
}

#[inline(always)]
fn class_loss(
    loss: Loss,
    sums: &mut [f32],
    targets: BlockClasses<'_>,
    values: &mut RowScratch,
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
            softmax(sums, largest, total, Some((targets.classes, of_class)));
            softmax_entropy(largest, total, of_class, targets.classes);
            add_up(largest) + log_of_product(total)
        }
        (Loss::MeanSquaredError, true) => {
            sigmoid_squares(sums, targets.signs);
            add_up(sums)
        }
        (Loss::MeanSquaredError, false) => {
            let outputs = sums.len() / rows;
            softmax(sums, largest, total, None);
            let exps = &ContiguousExps { values: sums, rows };
            softmax_squares(outputs, exps, total, targets.classes, of_class);
            add_up(of_class) / outputs as f64
        }
        _ => unreachable!("`Loss::check` lets no other loss of classes pass"),
    }
}

/// Fills `exps` with `exp(sum)` of an output. The result is the sum of the steps over the rows
/// whose class is this output. Only for [`SumRange::Small`](super::bound::SumRange).
#[inline(always)]
pub(crate) fn exp_sums(
    steps: &[i32],
    output: u32,
    targets: BlockClasses<'_>,
    exps: &mut [f32],
) -> i64 {
    let is_small = |steps: &i32| steps.unsigned_abs() <= 17 * STEPS as u32;
    debug_assert!(steps.iter().all(is_small), "bounds hold for all rows");
    // Two plain loops. A single loop kept its sums in memory, and its speed depended on the
    // address of the thread's stack.
    for (exp, &steps) in exps.iter_mut().zip(steps) {
        *exp = exp_of_steps(steps);
    }
    let mut true_class_sum = 0;
    for (&steps, &class) in steps.iter().zip(targets.classes) {
        true_class_sum += i64::from(if class == output { steps } else { 0 });
    }
    true_class_sum
}

/// The exponentials of a network's outputs. A trait and not a closure: the compiler would not
/// inline a closure with several call sites, and there is a call for each output of each network.
pub(crate) trait Exps {
    /// The exponentials of one output, over the rows of a block.
    fn of_output(&self, output: usize) -> &[f32];
}

/// The exponentials of all outputs, one after another.
pub(crate) struct ContiguousExps<'a> {
    pub(crate) values: &'a [f32],
    pub(crate) rows: usize,
}

impl Exps for ContiguousExps<'_> {
    #[inline(always)]
    fn of_output(&self, output: usize) -> &[f32] {
        &self.values[output * self.rows..][..self.rows]
    }
}

/// The total loss over the rows of one block, from the exponentials of each output and the summed
/// steps of the true classes of all rows. Sums are not shifted by the largest one of the row.
#[inline(always)]
pub(crate) fn softmax_loss_unshifted(
    loss: Loss,
    outputs: usize,
    exps: &impl Exps,
    true_class_sum: i64,
    targets: BlockClasses<'_>,
    values: &mut RowScratch,
) -> f64 {
    let rows = targets.classes.len();
    let total = &mut values.total.get_mut()[..rows];
    add_all(outputs, exps, total);
    match loss {
        Loss::CrossEntropy => {
            let true_class_sum = true_class_sum as f64 * f64::from(RESOLUTION);
            log_of_product(&total[..targets.real_rows]) - true_class_sum
        }
        Loss::MeanSquaredError => {
            let squares = &mut values.of_class.get_mut()[..rows];
            softmax_squares(outputs, exps, total, targets.classes, squares);
            add_up(squares) / outputs as f64
        }
        _ => unreachable!("`Loss::check` lets no other loss of classes pass"),
    }
}

/// Adds the columns of all outputs in order, up to eight in a pass, so that the running sum stays
/// in a register.
#[inline(always)]
fn add_all(outputs: usize, exps: &impl Exps, total: &mut [f32]) {
    // A literal zero tells the compiler that these columns start the total.
    let mut next = match outputs {
        8.. => add_columns::<8>(exps, 0, total),
        2.. => add_columns::<2>(exps, 0, total),
        _ => add_columns::<1>(exps, 0, total),
    };
    while next + 8 <= outputs {
        next = add_columns::<8>(exps, next, total);
    }
    while next + 2 <= outputs {
        next = add_columns::<2>(exps, next, total);
    }
    if next < outputs {
        add_columns::<1>(exps, next, total);
    }
}

/// Adds `N` columns to the total, or starts it with the first ones. The result is the next column.
#[inline(always)]
fn add_columns<const N: usize>(exps: &impl Exps, first: usize, total: &mut [f32]) -> usize {
    let rows = total.len();
    // Plain loops: the array methods would not be inlined.
    let mut columns: [&[f32]; N] = [&[]; N];
    for (index, column) in columns.iter_mut().enumerate() {
        *column = &exps.of_output(first + index)[..rows];
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

/// How many rows are classified correctly. The predicted class is the first with the largest sum;
/// a single output predicts class 1 if its sum is above zero.
#[inline(always)]
pub(crate) fn correct_rows(
    sums: &mut [f32],
    targets: BlockClasses<'_>,
    values: &mut RowScratch,
) -> u64 {
    let rows = targets.classes.len();
    let largest = &mut values.largest.get_mut()[..rows];
    let mut predicted = [0u32; BLOCK_ROWS];
    let predicted = &mut predicted[..rows];
    if sums.len() == rows {
        for (class, &sum) in predicted.iter_mut().zip(&*sums) {
            *class = u32::from(sum > 0.0);
        }
    } else {
        largest.copy_from_slice(&sums[..rows]);
        for (index, output) in sums.chunks_exact(rows).enumerate().skip(1) {
            for ((largest, class), &sum) in largest.iter_mut().zip(&mut *predicted).zip(output) {
                *class = if sum > *largest { index as u32 } else { *class };
                *largest = if sum > *largest { sum } else { *largest };
            }
        }
    }
    let is_correct = |(&predicted, &class): (&u32, &u32)| u32::from(predicted == class);
    predicted.iter().zip(targets.classes).map(is_correct).sum::<u32>().into()
}

/// `-ln sigmoid(-t) = max(t, 0) + ln(1 + exp(-|t|))`, where `t` is the sum with the sign of the
/// wrong class. `sums` receives the first term, `factors` the argument of the logarithm.
#[inline(always)]
fn sigmoid_entropy(sums: &mut [f32], signs: &[f32], factors: &mut [f32]) {
    for ((sum, &sign), factor) in sums.iter_mut().zip(signs).zip(factors) {
        let t = sign * *sum;
        *factor = 1.0 + sign.abs() * exp_of_negative(-t.abs());
        let part = if t > 0.0 { t } else { 0.0 };
        *sum = if part < MAX_ROW_LOSS { part } else { MAX_ROW_LOSS };
    }
}

#[inline(always)]
fn sigmoid_squares(sums: &mut [f32], signs: &[f32]) {
    for (sum, &sign) in sums.iter_mut().zip(signs) {
        let error = sign * sigmoid(sign * *sum);
        *sum = error * error;
    }
}

/// Replaces each sum by `exp(sum - largest)` and fills `total` with their sums over the outputs.
/// The sum of the true class goes to `of_class`, if that is given.
#[inline(always)]
fn softmax(
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

/// `-ln p = (largest - own) + ln total`, where `own` is the sum of the true class. `largest`
/// receives the first term, `total` the argument of the logarithm. A row below the probability
/// floor gets the loss of the floor and a factor of one.
#[inline(always)]
fn softmax_entropy(largest: &mut [f32], total: &mut [f32], own: &[f32], classes: &[u32]) {
    for (((part, factor), &own), &class) in largest.iter_mut().zip(total).zip(own).zip(classes) {
        let distance = *part - own;
        let is_below_floor = exp_of_negative(-distance) < PROBABILITY_FLOOR as f32 * *factor;
        let is_padding = class == NO_CLASS;
        *part = if is_below_floor { MAX_ROW_LOSS } else { distance };
        *part = if is_padding { 0.0 } else { *part };
        *factor = if is_below_floor | is_padding { 1.0 } else { *factor };
    }
}

#[inline(always)]
fn softmax_squares(
    outputs: usize,
    exps: &impl Exps,
    total: &mut [f32],
    classes: &[u32],
    squares: &mut [f32],
) {
    for (total, &class) in total.iter_mut().zip(classes) {
        *total = if class == NO_CLASS { 0.0 } else { 1.0 / *total };
    }
    squares.fill(0.0);
    for index in 0..outputs {
        let rows = squares.iter_mut().zip(exps.of_output(index)).zip(&*total).zip(classes);
        for (((squares, &exp), &scale), &class) in rows {
            let target = if class == index as u32 { 1.0 } else { 0.0 };
            let error = exp * scale - target;
            *squares += error * error;
        }
    }
}

/// Adds the values in 16 lanes, then the lanes in order.
#[inline(always)]
pub(super) fn add_up(values: &[f32]) -> f64 {
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
    fn exponentials_and_the_sum_of_the_true_class() {
        let labels: Vec<u32> = (0..500).map(|row| row % 3).collect();
        let targets = PaddedTargets::new(Targets::classes(&labels, 3), 512);
        let steps: Vec<i32> = (0..512).map(|row| (row - 250) * 65_521).collect();
        let mut exps = vec![0.0; 512];
        let found = exp_sums(&steps, 2, targets.block(0, 512).classes(), &mut exps);
        // Padding has no class.
        let of_class = |row: usize| labels.get(row) == Some(&2);
        let expected: i64 =
            (0..512).filter(|&row| of_class(row)).map(|row| i64::from(steps[row])).sum();
        assert_eq!(found, expected);
        for (&exp, &steps) in exps.iter().zip(&steps) {
            let exact = libm::exp(f64::from(steps) * f64::from(RESOLUTION));
            assert!((f64::from(exp) / exact - 1.0).abs() < 2e-6, "{exp} {exact}");
        }
    }
}
