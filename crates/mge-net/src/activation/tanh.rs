//! The hyperbolic tangent, as `2 sigmoid(2x) - 1`.

use super::function::{Function, map, map_derivative};
use super::source_text::{IntegerForm, OnnxForm, OnnxNode, Snippet, SourceText};
use crate::batch::approximate::{one_plus_exp2, reciprocal};
use std::f32::consts::LOG2_E;

/// Hyperbolic tangent.
pub(super) struct Tanh;

impl Function for Tanh {
    const IS_BOUNDED: bool = true;
    const MAX_DERIVATIVE: f64 = 1.0;
    const FAST_ERROR: f64 = 5e-7;
    const INTEGER_FORM: Option<IntegerForm> =
        Some(IntegerForm::Sigmoid { slope: 2.0, is_centered: true });
    const SOURCE_TEXT: SourceText = SourceText {
        c: Snippet::expression("tanhf(z)"),
        rust: Snippet { expression: "tanh(z)", helper: RUST_TANH },
        python: "math.tanh",
        numpy: "np.tanh",
        javascript: "Math.tanh",
        onnx: OnnxForm::nodes(&[OnnxNode::of_sum("Tanh")]),
    };

    fn exact(x: f64) -> f64 {
        libm::tanh(x)
    }

    fn exact_derivative(x: f64) -> f64 {
        let value = Self::exact(x);
        1.0 - value * value
    }

    #[inline(always)]
    fn fast(sums: &mut [f32]) {
        map(sums, |x| one_plus_exp2(x * (-2.0 * LOG2_E)));
        map(sums, from_divisor);
    }

    #[inline(always)]
    fn fast_derivative(values: &[f32], sums: &mut [f32]) {
        map_derivative(values, sums, |value, _| 1.0 - value * value);
    }
}

/// `tanh(x)`, from `1 + exp(-2x)`.
#[inline(always)]
pub(super) fn from_divisor(divisor: f32) -> f32 {
    2.0 * reciprocal(divisor) - 1.0
}

pub(super) const RUST_TANH: &str = "
fn tanh(z: f32) -> f32 {
    let e = exp(-2.0 * z.abs());
    let t = (1.0 - e) / (1.0 + e);
    if z < 0.0 { -t } else { t }
}
";
