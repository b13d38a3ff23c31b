//! The loss of a block of rows whose targets are numbers, and its slopes and curvatures.
//!
//! All three are those of [`Loss::of_error`] in `f32`. Every row is computed by itself and without
//! branches; rows of padding are then set to zero.

use super::blocks::AlignedValues;
use super::row_loss::add_up;
use crate::loss::{Loss, MAX_ERROR};

/// [`MAX_ERROR`] in `f32`. The sum of its square over all rows of a block is finite.
const MAX_ERROR_F32: f32 = MAX_ERROR as f32;

/// The numbers of all rows, one output after another.
#[derive(Debug)]
pub(crate) struct PaddedValues {
    values: AlignedValues,
    padded_rows: usize,
    real_rows: usize,
}

/// The numbers of the rows of one block.
#[derive(Clone, Copy)]
pub(crate) struct BlockValues<'a> {
    values: &'a [f32],
    padded_rows: usize,
    start: usize,
    rows: usize,
    /// Rows that are not padding.
    real_rows: usize,
}

impl PaddedValues {
    pub(super) fn new(values: &[f32], outputs: usize, padded_rows: usize) -> Self {
        let real_rows = values.len() / outputs;
        let mut padded = AlignedValues::zeros(padded_rows * outputs);
        if real_rows > 0 {
            let columns = padded.get_mut().chunks_exact_mut(padded_rows);
            for (into, column) in columns.zip(values.chunks_exact(real_rows)) {
                into[..real_rows].copy_from_slice(column);
            }
        }
        Self { values: padded, padded_rows, real_rows }
    }

    #[inline(always)]
    pub(super) fn block(&self, start: usize, rows: usize) -> BlockValues<'_> {
        BlockValues {
            values: self.values.get(),
            padded_rows: self.padded_rows,
            start,
            rows,
            real_rows: self.real_rows.saturating_sub(start).min(rows),
        }
    }
}

impl<'a> BlockValues<'a> {
    /// The rows of the block, padding included.
    #[inline(always)]
    pub(crate) fn rows(self) -> usize {
        self.rows
    }

    #[inline(always)]
    fn of_output(self, output: usize) -> &'a [f32] {
        &self.values[output * self.padded_rows + self.start..][..self.rows]
    }
}

/// The total loss over the rows of one block: the mean over outputs. `sums` holds the rows of one
/// output after another; its values are overwritten.
#[inline(always)]
pub(super) fn value_loss(
    loss: Loss,
    sums: &mut [f32],
    targets: BlockValues<'_>,
    corner: f32,
) -> f64 {
    let outputs = sums.len() / targets.rows;
    let parabola = if corner > 0.0 { 0.5 / corner } else { 0.0 };
    // Plain loops: closures with several call sites would not be inlined.
    let mut total = 0.0;
    for (output, sums) in sums.chunks_exact_mut(targets.rows).enumerate() {
        let wanted = targets.of_output(output);
        match loss {
            Loss::MeanSquaredError => {
                for (sum, &target) in sums.iter_mut().zip(wanted) {
                    let error = clamped(*sum - target);
                    *sum = error * error;
                }
            }
            Loss::MeanAbsoluteError => {
                for (sum, &target) in sums.iter_mut().zip(wanted) {
                    *sum = rounded(clamped(*sum - target), corner, parabola);
                }
            }
            Loss::Huber { delta } => {
                for (sum, &target) in sums.iter_mut().zip(wanted) {
                    let absolute = clamped(*sum - target).abs();
                    let inner = if absolute < delta { absolute } else { delta };
                    *sum = inner * (absolute - 0.5 * inner);
                }
            }
            Loss::Pinball { quantile } => {
                let slope = 0.5 - quantile;
                for (sum, &target) in sums.iter_mut().zip(wanted) {
                    let error = clamped(*sum - target);
                    *sum = 0.5 * rounded(error, corner, parabola) + slope * error;
                }
            }
            Loss::CrossEntropy => unreachable!("`Loss::check` lets no loss of classes pass"),
        }
        sums[targets.real_rows..].fill(0.0);
        total += add_up(sums);
    }
    total / outputs as f64
}

/// What is written for each row by [`value_slopes`].
#[derive(Clone, Copy)]
pub(crate) enum SlopeKind {
    /// The derivative of the loss by the sum.
    Slope,
    /// The root of the curvature of the loss.
    RootOfCurvature,
}

/// Fills `into` with a slope for each row and output of a block. Padding gets zero.
#[inline(always)]
pub(crate) fn value_slopes(
    loss: Loss,
    kind: SlopeKind,
    sums: &[f32],
    targets: BlockValues<'_>,
    corner: f32,
    into: &mut [f32],
) {
    let outputs = sums.len() / targets.rows;
    let scale = match kind {
        SlopeKind::Slope => 1.0 / outputs as f32,
        SlopeKind::RootOfCurvature => 1.0 / (outputs as f32).sqrt(),
    };
    let columns = sums.chunks_exact(targets.rows).zip(into.chunks_exact_mut(targets.rows));
    for (output, (sums, into)) in columns.enumerate() {
        let rows = into.iter_mut().zip(sums).zip(targets.of_output(output));
        match kind {
            SlopeKind::Slope => {
                for ((into, &sum), &target) in rows {
                    *into = scale * slope(loss, clamped(sum - target), corner);
                }
            }
            SlopeKind::RootOfCurvature => {
                for ((into, &sum), &target) in rows {
                    *into = scale * curvature(loss, clamped(sum - target), corner).sqrt();
                }
            }
        }
        into[targets.real_rows..].fill(0.0);
    }
}

#[inline(always)]
fn slope(loss: Loss, error: f32, corner: f32) -> f32 {
    let inside = error / corner;
    let sign = inside.clamp(-1.0, 1.0);
    match loss {
        Loss::Huber { delta } => {
            let upper = if error < delta { error } else { delta };
            if upper > -delta { upper } else { -delta }
        }
        Loss::MeanAbsoluteError => sign,
        Loss::Pinball { quantile } => 0.5 * sign + 0.5 - quantile,
        _ => 2.0 * error,
    }
}

#[inline(always)]
fn curvature(loss: Loss, error: f32, corner: f32) -> f32 {
    let absolute = error.abs();
    let outside = if absolute > corner { absolute } else { corner };
    match loss {
        Loss::Huber { delta } => {
            if absolute > delta {
                delta / absolute
            } else {
                1.0
            }
        }
        Loss::MeanAbsoluteError => 1.0 / outside,
        Loss::Pinball { .. } => 0.5 / outside,
        _ => 2.0,
    }
}

/// The absolute error, with a parabola in place of the corner at zero.
#[inline(always)]
fn rounded(error: f32, corner: f32, parabola: f32) -> f32 {
    let absolute = error.abs();
    let inside = absolute * absolute * parabola + 0.5 * corner;
    if absolute < corner { inside } else { absolute }
}

/// NaN is the largest error.
#[inline(always)]
fn clamped(error: f32) -> f32 {
    let error = if error < MAX_ERROR_F32 { error } else { MAX_ERROR_F32 };
    if error > -MAX_ERROR_F32 { error } else { -MAX_ERROR_F32 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slopes_and_curvatures_are_those_of_the_loss() {
        const CORNER: f32 = 0.25;
        let rows = 32;
        let sums: Vec<f32> = (0..2 * rows).map(|row| row as f32 * 0.13 - 3.1).collect();
        let wanted: Vec<f32> = (0..2 * 30).map(|row| (row % 7) as f32 * 0.3).collect();
        let padded = PaddedValues::new(&wanted, 2, rows);
        let targets = padded.block(0, rows);
        for loss in [
            Loss::MeanSquaredError,
            Loss::MeanAbsoluteError,
            Loss::Huber { delta: 0.5 },
            Loss::Pinball { quantile: 0.9 },
        ] {
            let mut found = vec![f32::NAN; 2 * rows];
            let mut roots = found.clone();
            value_slopes(loss, SlopeKind::Slope, &sums, targets, CORNER, &mut found);
            value_slopes(loss, SlopeKind::RootOfCurvature, &sums, targets, CORNER, &mut roots);
            let mut total = 0.0;
            for output in 0..2 {
                for row in 0..rows {
                    let index = output * rows + row;
                    if row >= 30 {
                        assert_eq!((found[index], roots[index]), (0.0, 0.0), "padding");
                        continue;
                    }
                    let error = f64::from(sums[index]) - f64::from(wanted[output * 30 + row]);
                    let slope = 0.5 * loss.slope_of_error(error, f64::from(CORNER));
                    let root = (0.5 * loss.curvature_of_error(error, f64::from(CORNER))).sqrt();
                    assert!((f64::from(found[index]) - slope).abs() < 1e-5, "{loss} {error}");
                    assert!((f64::from(roots[index]) - root).abs() < 1e-5, "{loss} {error}");
                    total += 0.5 * loss.of_error(error, f64::from(CORNER));
                }
            }
            let found = value_loss(loss, &mut sums.clone(), targets, CORNER);
            assert!((found - total).abs() < 1e-4, "{loss}: {found} {total}");
        }
    }

    #[test]
    fn errors_beyond_all_bounds_have_a_finite_loss() {
        let padded = PaddedValues::new(&[f32::MAX; 4], 1, 16);
        for sum in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, f32::MIN] {
            let total =
                value_loss(Loss::MeanSquaredError, &mut [sum; 16], padded.block(0, 16), 0.0);
            assert!(total.is_finite() && total > 0.0, "{sum}: {total}");
        }
    }
}
