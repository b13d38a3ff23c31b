//! The sum itself.

use super::function::Function;
use super::source_text::{IntegerForm, OnnxForm, Snippet, SourceText};

/// No function at all: a linear neuron.
pub(super) struct Identity;

impl Function for Identity {
    const IS_BOUNDED: bool = false;
    const MAX_DERIVATIVE: f64 = 1.0;
    const FAST_ERROR: f64 = 0.0;
    const INTEGER_FORM: Option<IntegerForm> = Some(IntegerForm::Clamp { is_signed: true });
    const SOURCE_TEXT: SourceText = SourceText {
        c: Snippet::expression("z"),
        rust: Snippet::expression("z"),
        python: "lambda z: z",
        numpy: "lambda z: z",
        javascript: "(z) => z",
        onnx: OnnxForm::nodes(&[]),
    };

    fn exact(x: f64) -> f64 {
        x
    }

    fn exact_derivative(_x: f64) -> f64 {
        1.0
    }

    #[inline(always)]
    fn fast(_sums: &mut [f32]) {}

    #[inline(always)]
    fn fast_derivative(_values: &[f32], sums: &mut [f32]) {
        sums.fill(1.0);
    }
}
