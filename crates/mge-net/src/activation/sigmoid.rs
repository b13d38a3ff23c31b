//! `1 / (1 + exp(-x))`.

use super::function::{Function, map, map_derivative};
use super::source_text::{IntegerForm, OnnxForm, OnnxNode, Snippet, SourceText};
use crate::batch::approximate::{reciprocal, sigmoid_divisor};

/// The logistic function.
pub(super) struct Sigmoid;

impl Function for Sigmoid {
    const IS_BOUNDED: bool = true;
    const MAX_DERIVATIVE: f64 = 0.25;
    const FAST_ERROR: f64 = 2.5e-7;
    const INTEGER_FORM: Option<IntegerForm> =
        Some(IntegerForm::Sigmoid { slope: 1.0, is_centered: false });
    const SOURCE_TEXT: SourceText = SourceText {
        c: Snippet {
            expression: "sigmoid(z)",
            helper: "\nstatic float sigmoid(float z) {\n    return 1 / (1 + expf(-z));\n}\n",
        },
        rust: Snippet {
            expression: "sigmoid(z)",
            helper: "\nfn sigmoid(z: f32) -> f32 {\n    1.0 / (1.0 + exp(-z))\n}\n",
        },
        python: "lambda z: 1.0 / (1.0 + _exp(-z))",
        numpy: "lambda z: 1.0 / (1.0 + np.exp(np.minimum(-z, 709.0)))",
        javascript: "(z) => 1 / (1 + Math.exp(-z))",
        onnx: OnnxForm::nodes(&[OnnxNode::of_sum("Sigmoid")]),
    };

    fn exact(x: f64) -> f64 {
        1.0 / (1.0 + libm::exp(-x))
    }

    fn exact_derivative(x: f64) -> f64 {
        let value = Self::exact(x);
        value * (1.0 - value)
    }

    #[inline(always)]
    fn fast(sums: &mut [f32]) {
        map(sums, sigmoid_divisor);
        map(sums, reciprocal);
    }

    #[inline(always)]
    fn fast_derivative(values: &[f32], sums: &mut [f32]) {
        map_derivative(values, sums, |value, _| value * (1.0 - value));
    }
}
