//! The sine.

use super::function::{Function, map};
use super::source_text::{IntegerForm, OnnxForm, OnnxNode, Snippet, SourceText};
use crate::batch::approximate::ROUND_F64;

/// Sine.
pub(super) struct Sin;

impl Function for Sin {
    const IS_BOUNDED: bool = true;
    const MAX_DERIVATIVE: f64 = 1.0;
    const FAST_ERROR: f64 = 2e-7;
    /// Above `2^24`, neighbouring `f32` are more than a turn apart. The value stays in [-1, 1] and
    /// means nothing.
    const MAX_FAST_ARGUMENT: f32 = 16_777_216.0;
    const INTEGER_FORM: Option<IntegerForm> = Some(IntegerForm::Sine);
    const SOURCE_TEXT: SourceText = SourceText {
        c: Snippet::expression("sinf(z)"),
        rust: Snippet { expression: "sin(z)", helper: RUST_SIN },
        python: "lambda z: math.sin(z) if math.isfinite(z) else math.nan",
        numpy: "np.sin",
        javascript: "Math.sin",
        onnx: OnnxForm::nodes(&[OnnxNode::of_sum("Sin")]),
    };

    fn exact(x: f64) -> f64 {
        libm::sin(x)
    }

    fn exact_derivative(x: f64) -> f64 {
        libm::cos(x)
    }

    #[inline(always)]
    fn fast(sums: &mut [f32]) {
        map(sums, sin);
    }

    #[inline(always)]
    fn fast_derivative(_values: &[f32], sums: &mut [f32]) {
        // The cosine is the sine a quarter turn later.
        map(sums, |x| x + std::f32::consts::FRAC_PI_2);
        Self::fast(sums);
    }
}

/// Whole half turns are subtracted in `f64`. An odd polynomial computes the rest (minimax on
/// [-1/2, 1/2] half turns, error 4e-9).
#[allow(clippy::approx_constant)] // The coefficients are fitted together; pi itself would be worse.
#[inline(always)]
fn sin(x: f32) -> f32 {
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

const RUST_SIN: &str = "
/// By the nearest multiple of pi and a polynomial. Beyond 1e6 an f32 says nothing about an angle.
fn sin(x: f32) -> f32 {
    if !(x.abs() < 1e6) {
        return 0.0;
    }
    let k = (x * core::f32::consts::FRAC_1_PI + if x < 0.0 { -0.5 } else { 0.5 }) as i32;
    let turns = k as f32;
    let r = x - turns * 3.140_625 - turns * 9.675_025_9e-4 - turns * 1.509_957_99e-7;
    let s = r * r;
    let p = 1.0 / 362_880.0 - s * (1.0 / 39_916_800.0);
    let p = r * (1.0 - s * (1.0 / 6.0 - s * (1.0 / 120.0 - s * (1.0 / 5040.0 - s * p))));
    if k & 1 == 0 { p } else { -p }
}
";
