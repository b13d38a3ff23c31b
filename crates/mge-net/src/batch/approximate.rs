//! Activations and exponentials in `f32`, written so that the compiler turns a loop over them
//! into vector instructions: no branches, no calls, no casts that saturate.
//!
//! Each function states its largest error, and a test holds it to `libm` over all magnitudes.
//! Comparisons are written so that a NaN ends in a bound: every bounded activation maps every
//! `f32` to a number.

use super::bound::RESOLUTION;
use std::f32::consts::LOG2_E;

/// Adding `1.5 * 2^23` rounds to a whole number and leaves it in the low bits.
pub(super) const ROUND_F32: f32 = 12_582_912.0;
/// The same for `f64`.
pub(super) const ROUND_F64: f64 = 6_755_399_441_055_744.0;

/// Largest error of [`exp_of_negative`] on `(-inf, 0]`, absolute.
#[cfg(test)]
pub(super) const EXP_ERROR: f64 = 2.5e-7;
/// Largest error of [`exp`] and [`exp_of_steps`] on [-17, 17], relative.
#[cfg(test)]
pub(super) const POWER_ERROR: f64 = 1.5e-6;
/// Largest error of [`sigmoid`], absolute.
#[cfg(test)]
pub(super) const SIGMOID_ERROR: f64 = 2.5e-7;
/// Largest error of [`tanh_of`] with the divisor of `tanh` or of `tanh25`, absolute.
#[cfg(test)]
pub(super) const TANH_ERROR: f64 = 5e-7;
/// Largest error of [`gauss`], absolute.
#[cfg(test)]
pub(super) const GAUSS_ERROR: f64 = 2.5e-7;
/// Largest error of [`sin`] for arguments up to `2^24`, absolute. Beyond that neighbouring `f32`
/// are more than a turn apart; the value stays in [-1, 1] and means nothing.
#[cfg(test)]
pub(super) const SIN_ERROR: f64 = 2e-7;

/// `2^t`, held between `2^-126` and `2^126`.
#[inline(always)]
fn exp2(t: f32) -> f32 {
    exp2_up_to(126.0, t)
}

/// `2^t`, held between `2^-126` and `2^most`.
#[inline(always)]
fn exp2_up_to(most: f32, t: f32) -> f32 {
    let t = if t > -126.0 { t } else { -126.0 };
    exp2_inside(if t < most { t } else { most })
}

/// `2^t` for `|t| <= 126`: `2^n` goes into the exponent bits, and a polynomial of degree 5 (minimax on
/// [-1/2, 1/2], relative error 1e-7) does the rest.
#[allow(clippy::approx_constant)] // Fitted together; ln 2 itself would be worse.
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

/// `exp(x)` for `|x| <= 17`, given in steps of [`RESOLUTION`]: the bits of [`exp`], since a power of two
/// can go into either factor.
#[inline(always)]
pub(super) fn exp_of_steps(steps: i32) -> f32 {
    exp2_inside(steps as f32 * (RESOLUTION * LOG2_E))
}

/// `exp(x)` for `x <= 0`.
#[inline(always)]
pub(crate) fn exp_of_negative(x: f32) -> f32 {
    exp2(x * LOG2_E)
}

/// Beyond `2^60` a sigmoid is as good as zero, and [`reciprocal`] stays clear of tiny numbers.
const FLAT: f32 = 60.0;

/// `1 / x` for `x` in [1, 2^61], relative error 2e-7: a guess from the bits (off by an eighth at
/// most), then three steps of Newton's method. Vector units divide several times slower.
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

/// `1 + exp(-x)`, as far as [`reciprocal`] goes.
#[inline(always)]
pub(crate) fn sigmoid_divisor(x: f32) -> f32 {
    1.0 + exp2_up_to(FLAT, x * -LOG2_E)
}

/// `tanh(x) = 2 sigmoid(2x) - 1`, from [`tanh_divisor`].
#[inline(always)]
pub(super) fn tanh_of(divisor: f32) -> f32 {
    2.0 * reciprocal(divisor) - 1.0
}

/// `1 + exp(-2x)`, as far as [`reciprocal`] goes.
#[inline(always)]
pub(super) fn tanh_divisor(x: f32) -> f32 {
    1.0 + exp2_up_to(FLAT, x * (-2.0 * LOG2_E))
}

/// The divisor of `tanh(2.5 x)`.
#[inline(always)]
pub(super) fn tanh25_divisor(x: f32) -> f32 {
    1.0 + exp2_up_to(FLAT, x * (-5.0 * LOG2_E))
}

/// `max(x, 0)`.
#[inline(always)]
pub(super) fn relu(x: f32) -> f32 {
    if x > 0.0 { x } else { 0.0 }
}

/// `exp(-x^2)`.
#[inline(always)]
pub(super) fn gauss(x: f32) -> f32 {
    exp2(x * x * -LOG2_E)
}

/// Sine: whole half turns are taken off in `f64`, the rest is an odd polynomial (minimax on
/// [-1/2, 1/2] half turns, error 4e-9).
#[allow(clippy::approx_constant)] // Fitted together; pi itself would be worse.
#[inline(always)]
pub(super) fn sin(x: f32) -> f32 {
    let turns = f64::from(x) * std::f64::consts::FRAC_1_PI;
    let shifted = turns + ROUND_F64;
    let f = (turns - (shifted - ROUND_F64)) as f32;
    let s = f * f;
    let p = -0.598_045 + s * 0.077_219_79;
    let p = 2.550_031_4 + s * p;
    let p = -5.167_707 + s * p;
    let p = 3.141_592_6 + s * p;
    // An odd number of half turns changes the sign.
    let sign = (shifted.to_bits() as u32) << 31;
    let value = f32::from_bits((f * p).to_bits() ^ sign);
    let value = if value < 1.0 { value } else { 1.0 };
    if value > -1.0 { value } else { -1.0 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Activation;

    /// Every 4099th of the positive and the negative finite `f32`, so every magnitude is met.
    fn all_magnitudes() -> impl Iterator<Item = f32> {
        let positive = (0..f32::INFINITY.to_bits()).step_by(4099).map(f32::from_bits);
        positive.flat_map(|x| [x, -x]).chain([f32::MAX, f32::MIN])
    }

    /// A fine grid where the functions are not yet flat.
    fn near() -> impl Iterator<Item = f32> {
        (-200_000..=200_000).map(|step| step as f32 * 1e-4)
    }

    fn tanh(x: f32) -> f32 {
        tanh_of(tanh_divisor(x))
    }

    fn tanh25(x: f32) -> f32 {
        tanh_of(tanh25_divisor(x))
    }

    fn worst(fast: impl Fn(f32) -> f32, exact: impl Fn(f64) -> f64, largest: f32) -> f64 {
        let inside = move |x: &f32| x.abs() <= largest;
        let error = |x: f32| {
            let (value, truth) = (f64::from(fast(x)), exact(f64::from(x)));
            assert!(value.is_finite(), "{value} at {x}");
            (value - truth).abs()
        };
        all_magnitudes().chain(near()).filter(inside).map(error).fold(0.0, f64::max)
    }

    #[test]
    fn errors_stay_within_their_bounds() {
        let check = |name: &str, found: f64, bound: f64| {
            assert!(found <= bound, "{name}: error {found:e} above {bound:e}");
            assert!(found > bound / 8.0, "{name}: error {found:e}, so {bound:e} is a lazy bound");
        };
        let all = f32::MAX;
        check("exp", worst(|x| exp_of_negative(-x.abs()), |x| libm::exp(-x.abs()), all), EXP_ERROR);
        let relative = |x| f64::from(exp(x)) / libm::exp(f64::from(x));
        check("power", worst(|x| (relative(x) - 1.0) as f32, |_| 0.0, 17.0), POWER_ERROR);
        let of = |activation: Activation| move |x| activation.apply(x);
        check("sig", worst(sigmoid, of(Activation::Sigmoid), all), SIGMOID_ERROR);
        check("tanh", worst(tanh, of(Activation::Tanh), all), TANH_ERROR);
        check("tanh25", worst(tanh25, of(Activation::Tanh25), all), TANH_ERROR);
        check("gauss", worst(gauss, of(Activation::Gauss), all), GAUSS_ERROR);
        check("sin", worst(sin, of(Activation::Sin), 16_777_216.0), SIN_ERROR);
        assert_eq!(worst(relu, of(Activation::Relu), all), 0.0);
    }

    #[test]
    fn steps_have_the_same_exponentials() {
        let most = 17 << 20;
        for steps in (-most..=most).step_by(97).chain(-2000..=2000) {
            let (found, expected) = (exp_of_steps(steps), exp(steps as f32 * RESOLUTION));
            assert_eq!(found.to_bits(), expected.to_bits(), "{found} {expected} of {steps} steps");
        }
    }

    #[test]
    fn bounded_functions_map_everything_into_their_range() {
        let strange = [f32::NAN, f32::INFINITY, f32::NEG_INFINITY];
        for x in all_magnitudes().chain(strange) {
            for function in [sigmoid, tanh, tanh25, gauss, sin] {
                let value = function(x);
                assert!((-1.0..=1.0).contains(&value), "{value} at {x}");
            }
        }
    }
}
