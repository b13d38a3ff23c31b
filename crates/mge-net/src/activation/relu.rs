//! `max(x, 0)`.

use super::function::{Function, map, map_derivative};
use super::source_text::{IntegerForm, OnnxForm, OnnxNode, Snippet, SourceText};

/// Rectified linear unit.
pub(super) struct Relu;

impl Function for Relu {
    const IS_BOUNDED: bool = false;
    const MAX_DERIVATIVE: f64 = 1.0;
    const FAST_ERROR: f64 = 0.0;
    const INTEGER_FORM: Option<IntegerForm> = Some(IntegerForm::Clamp { is_signed: false });
    const SOURCE_TEXT: SourceText = SourceText {
        c: Snippet::expression("z > 0 ? z : 0"),
        rust: Snippet::expression("if z > 0.0 { z } else { 0.0 }"),
        python: "lambda z: z if z > 0.0 else 0.0",
        numpy: "lambda z: np.maximum(z, 0.0)",
        javascript: "(z) => (z > 0 ? z : 0)",
        onnx: OnnxForm::nodes(&[OnnxNode::of_sum("Relu")]),
    };

    fn exact(x: f64) -> f64 {
        if x > 0.0 { x } else { 0.0 }
    }

    fn exact_derivative(x: f64) -> f64 {
        f64::from(x > 0.0)
    }

    #[inline(always)]
    fn fast(sums: &mut [f32]) {
        map(sums, |x| if x > 0.0 { x } else { 0.0 });
    }

    #[inline(always)]
    fn fast_derivative(values: &[f32], sums: &mut [f32]) {
        map_derivative(values, sums, |_, x| if x > 0.0 { 1.0 } else { 0.0 });
    }
}
