//! `tanh(2.5 x)`: steep enough that weights inside (-1, 1) can saturate it (decision 14).

use super::function::{Function, map, map_derivative};
use super::source_text::{IntegerForm, OnnxForm, OnnxNode, Snippet, SourceText};
use super::tanh::{RUST_TANH, from_divisor};
use crate::batch::approximate::one_plus_exp2;
use std::f32::consts::LOG2_E;

/// A steep hyperbolic tangent.
pub(super) struct Tanh25;

impl Function for Tanh25 {
    const IS_BOUNDED: bool = true;
    const MAX_DERIVATIVE: f64 = 2.5;
    const FAST_ERROR: f64 = 5e-7;
    const INTEGER_FORM: Option<IntegerForm> =
        Some(IntegerForm::Sigmoid { slope: 5.0, is_centered: true });
    const SOURCE_TEXT: SourceText = SourceText {
        c: Snippet::expression("tanhf(2.5f * z)"),
        rust: Snippet { expression: "tanh(2.5 * z)", helper: RUST_TANH },
        python: "lambda z: math.tanh(2.5 * z)",
        numpy: "lambda z: np.tanh(2.5 * z)",
        javascript: "(z) => Math.tanh(2.5 * z)",
        onnx: OnnxForm { factor: 2.5, nodes: &[OnnxNode::of_sum("Tanh")] },
    };

    fn exact(x: f64) -> f64 {
        libm::tanh(2.5 * x)
    }

    fn exact_derivative(x: f64) -> f64 {
        let value = Self::exact(x);
        2.5 * (1.0 - value * value)
    }

    #[inline(always)]
    fn fast(sums: &mut [f32]) {
        map(sums, |x| one_plus_exp2(x * (-5.0 * LOG2_E)));
        map(sums, from_divisor);
    }

    #[inline(always)]
    fn fast_derivative(values: &[f32], sums: &mut [f32]) {
        map_derivative(values, sums, |value, _| 2.5 * (1.0 - value * value));
    }
}
