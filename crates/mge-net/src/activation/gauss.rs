//! `exp(-x^2)`.

use super::function::{Function, map, map_derivative};
use super::source_text::{IntegerForm, OnnxForm, OnnxNode, Snippet, SourceText};
use crate::batch::approximate::exp2;
use std::f32::consts::LOG2_E;

/// The Gaussian bell.
pub(super) struct Gauss;

impl Function for Gauss {
    const IS_BOUNDED: bool = true;
    /// `sqrt(2 / e)`, at `sqrt(1/2)`.
    const MAX_DERIVATIVE: f64 = 0.857_763_884_960_706_8;
    const FAST_ERROR: f64 = 2.5e-7;
    const INTEGER_FORM: Option<IntegerForm> = Some(IntegerForm::Gauss);
    const SOURCE_TEXT: SourceText = SourceText {
        c: Snippet::expression("expf(-z * z)"),
        rust: Snippet::expression("exp(-z * z)"),
        python: "lambda z: _exp(-z * z)",
        numpy: "lambda z: np.exp(-z * z)",
        javascript: "(z) => Math.exp(-z * z)",
        onnx: OnnxForm::nodes(&[
            OnnxNode { operator: "Mul", inputs: &["z", "z"], output: "squares" },
            OnnxNode { operator: "Neg", inputs: &["squares"], output: "minus" },
            OnnxNode { operator: "Exp", inputs: &["minus"], output: "" },
        ]),
    };

    fn exact(x: f64) -> f64 {
        libm::exp(-x * x)
    }

    fn exact_derivative(x: f64) -> f64 {
        -2.0 * x * Self::exact(x)
    }

    #[inline(always)]
    fn fast(sums: &mut [f32]) {
        map(sums, |x| exp2(x * x * -LOG2_E));
    }

    #[inline(always)]
    fn fast_derivative(values: &[f32], sums: &mut [f32]) {
        map_derivative(values, sums, |value, x| -2.0 * x * value);
    }
}
