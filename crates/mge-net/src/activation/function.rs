//! The contract of an activation.

use super::source_text::{IntegerForm, SourceText};

/// An activation function. All its parts are constants or static functions, so that kernels are
/// compiled for each activation.
///
/// Fast functions work on whole columns. They must be `inline(always)` and free of branches and
/// calls, so that the compiler turns their loops into vector instructions. They must map every
/// `f32`, also NaN, into [-1, 1] if the activation is bounded: write comparisons so that NaN ends
/// at a bound.
pub(super) trait Function {
    /// Whether the value always lies in [-1, 1].
    const IS_BOUNDED: bool;
    /// The largest absolute value of the derivative.
    const MAX_DERIVATIVE: f64;
    /// The largest absolute error of [`Function::fast`]. A test fails where this is too low, and
    /// also where it is eight times too high.
    const FAST_ERROR: f64;
    /// [`Function::FAST_ERROR`] holds for arguments up to this absolute value.
    #[cfg_attr(not(test), expect(dead_code, reason = "only tests measure the error"))]
    const MAX_FAST_ARGUMENT: f32 = f32::MAX;
    /// How integer code computes it; `None` if it cannot.
    const INTEGER_FORM: Option<IntegerForm>;
    /// The text in exported code.
    const SOURCE_TEXT: SourceText;

    /// The exact value at `x`, with `libm`.
    fn exact(x: f64) -> f64;

    /// The exact derivative at `x`.
    fn exact_derivative(x: f64) -> f64;

    /// Replaces each sum by an approximation of the value there.
    fn fast(sums: &mut [f32]);

    /// Replaces each sum by the derivative there. `values` are the results of [`Function::fast`].
    fn fast_derivative(values: &[f32], sums: &mut [f32]);
}

/// Applies `function` to each sum.
///
/// Cut a long chain of operations into two calls. A processor looks ahead by some dozens of
/// operations: the shorter the chain of one row, the more rows it computes at once.
#[inline(always)]
pub(super) fn map(sums: &mut [f32], function: impl Fn(f32) -> f32) {
    for sum in sums {
        *sum = function(*sum);
    }
}

/// Replaces each sum by `derivative(value, sum)`.
#[inline(always)]
pub(super) fn map_derivative(
    values: &[f32],
    sums: &mut [f32],
    derivative: impl Fn(f32, f32) -> f32,
) {
    for (sum, &value) in sums.iter_mut().zip(values) {
        *sum = derivative(value, *sum);
    }
}
