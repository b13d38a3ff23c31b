//! Exponentials and reciprocals in `f32`, for activations and losses.
//!
//! The functions have no branches, no calls and no saturating casts, so that the compiler turns
//! loops over them into vector instructions. Each states its largest error, and a test compares it
//! with `libm` over all magnitudes. Comparisons are written so that NaN ends at a bound.

use super::bound::RESOLUTION;
use std::f32::consts::LOG2_E;

/// Adding `1.5 * 2^23` rounds to an integer and leaves it in the low bits.
pub(super) const ROUND_F32: f32 = 12_582_912.0;
/// The same for `f64`.
pub(crate) const ROUND_F64: f64 = 6_755_399_441_055_744.0;

/// The largest absolute error of [`exp_of_negative`] on `(-inf, 0]`.
#[cfg(test)]
const EXP_OF_NEGATIVE_ERROR: f64 = 2.5e-7;
/// The largest relative error of [`exp`] and [`exp_of_steps`] on [-17, 17].
#[cfg(test)]
const EXP_ERROR: f64 = 1.5e-6;
/// `2^t`, clamped to `2^-126` and `2^126`.
#[inline(always)]
pub(crate) fn exp2(t: f32) -> f32 {
    exp2_up_to(126.0, t)
}

/// `2^t`, clamped to `2^-126` and `2^max`.
#[inline(always)]
fn exp2_up_to(max: f32, t: f32) -> f32 {
    let t = if t > -126.0 { t } else { -126.0 };
    exp2_inside(if t < max { t } else { max })
}

/// `2^t` for `|t| <= 126`. The integer part goes into the exponent bits. A polynomial of degree 5
/// computes the rest (minimax on [-1/2, 1/2], relative error 1e-7).
#[allow(clippy::approx_constant)] // The coefficients are fitted together; ln 2 would be worse.
#[inline(always)]
fn exp2_inside(t: f32) -> f32 {
    let shifted = t + ROUND_F32;
    let f = t - (shifted - ROUND_F32);
    let p = 0.009_671_521 + f * 0.001_326_474_4;
    let p = 0.055_507_34 + f * p;
    let p = 0.240_222_42 + f * p;
    let p = 0.693_147 + f * p;
    let p = 1.0 + f * p;
    f32::from_bits(p.to_bits().wrapping_add(shifted.to_bits() << 23))
}

/// `exp(x)` for `|x| <= 17`.
#[inline(always)]
pub(crate) fn exp(x: f32) -> f32 {
    exp2_inside(x * LOG2_E)
}

/// `exp(x)` for `|x| <= 17`, where `x` is given in steps of [`RESOLUTION`]. It has the bits of
/// [`exp`], since the power of two can go into either factor.
#[inline(always)]
pub(super) fn exp_of_steps(steps: i32) -> f32 {
    exp2_inside(steps as f32 * (RESOLUTION * LOG2_E))
}

/// `exp(x)` for `x <= 0`.
#[inline(always)]
pub(crate) fn exp_of_negative(x: f32) -> f32 {
    exp2(x * LOG2_E)
}

/// The largest exponent of a sigmoid's divisor. Beyond it the sigmoid is zero for `f32`, and
/// [`reciprocal`] would meet subnormal numbers.
const MAX_EXPONENT: f32 = 60.0;

/// `1 / x` for `x` in [1, 2^61], with a relative error of 2e-7. A guess from the bits is within an
/// eighth; three steps of Newton's method follow. The division of vector units is several times
/// slower.
#[inline(always)]
pub(crate) fn reciprocal(x: f32) -> f32 {
    let r = f32::from_bits(0x7ef3_11c7u32.wrapping_sub(x.to_bits()));
    let r = r * (2.0 - x * r);
    let r = r * (2.0 - x * r);
    r * (2.0 - x * r)
}

/// `1 / (1 + exp(-x))`.
#[inline(always)]
pub(crate) fn sigmoid(x: f32) -> f32 {
    reciprocal(sigmoid_divisor(x))
}

/// `1 + exp(-x)`, within the range of [`reciprocal`].
#[inline(always)]
pub(crate) fn sigmoid_divisor(x: f32) -> f32 {
    one_plus_exp2(x * -LOG2_E)
}

/// `1 + 2^t`, within the range of [`reciprocal`].
#[inline(always)]
pub(crate) fn one_plus_exp2(t: f32) -> f32 {
    1.0 + exp2_up_to(MAX_EXPONENT, t)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The largest error over some arguments.
    fn max_error(errors: impl Iterator<Item = f64>) -> f64 {
        errors.fold(0.0, |max, error| {
            assert!(error.is_finite(), "not a number");
            f64::max(max, error.abs())
        })
    }

    /// The error is within its bound, and the bound is not eight times too high.
    fn check(name: &str, error: f64, bound: f64) {
        assert!(error <= bound, "{name}: error {error:e} above {bound:e}");
        assert!(error > bound / 8.0, "{name}: error {error:e}, so {bound:e} is too high a bound");
    }

    #[test]
    fn exponentials_stay_within_their_error_bounds() {
        // Every 4099th positive f32, so that every magnitude is there, and a fine grid.
        let all = (0..f32::INFINITY.to_bits()).step_by(4099).map(f32::from_bits);
        let grid = || (0..=200_000).map(|step| step as f32 * 1e-4);
        let of_negative = |x: f32| f64::from(exp_of_negative(-x)) - libm::exp(f64::from(-x));
        let error = max_error(all.chain(grid()).map(of_negative));
        check("exp of negative numbers", error, EXP_OF_NEGATIVE_ERROR);
        let relative = |x: f32| f64::from(exp(x)) / libm::exp(f64::from(x)) - 1.0;
        let arguments = grid().filter(|x| *x <= 17.0).flat_map(|x| [x, -x]);
        check("exp", max_error(arguments.map(relative)), EXP_ERROR);
    }

    #[test]
    fn steps_have_the_same_exponentials() {
        let max = 17 << 20;
        for steps in (-max..=max).step_by(97).chain(-2000..=2000) {
            let (found, expected) = (exp_of_steps(steps), exp(steps as f32 * RESOLUTION));
            assert_eq!(found.to_bits(), expected.to_bits(), "{found} {expected} of {steps} steps");
        }
    }
}
