//! `x / (1 + |x|)`: bounded like `tanh`, without an exponential, and slower to saturate.

use super::function::{Function, map, map_derivative};
use super::source_text::{IntegerForm, OnnxForm, OnnxNode, Snippet, SourceText};

/// Softsign.
pub(super) struct Softsign;

impl Function for Softsign {
    const IS_BOUNDED: bool = true;
    const MAX_DERIVATIVE: f64 = 1.0;
    const FAST_ERROR: f64 = 1.2e-7;
    /// Its tails are too long for a table of bytes: at 16 it is still 0.06 below its limit.
    const INTEGER_FORM: Option<IntegerForm> = None;
    const SOURCE_TEXT: SourceText = SourceText {
        c: Snippet::expression("z / (1 + fabsf(z))"),
        rust: Snippet::expression("z / (1.0 + z.abs())"),
        python: "lambda z: z / (1.0 + abs(z))",
        numpy: "lambda z: z / (1.0 + np.abs(z))",
        javascript: "(z) => z / (1 + Math.abs(z))",
        onnx: OnnxForm::nodes(&[OnnxNode::of_sum("Softsign")]),
    };

    fn exact(x: f64) -> f64 {
        // Infinity and NaN end at the largest number, as in `fast`.
        let size = if x.abs() < f64::MAX { x.abs() } else { f64::MAX };
        (size / (1.0 + size)).copysign(x)
    }

    fn exact_derivative(x: f64) -> f64 {
        let divisor = 1.0 + x.abs();
        1.0 / (divisor * divisor)
    }

    #[inline(always)]
    fn fast(sums: &mut [f32]) {
        map(sums, |x| {
            // Infinity and NaN end at the largest number.
            let size = if x.abs() < f32::MAX { x.abs() } else { f32::MAX };
            (size / (1.0 + size)).copysign(x)
        });
    }

    #[inline(always)]
    fn fast_derivative(values: &[f32], sums: &mut [f32]) {
        map_derivative(values, sums, |value, _| {
            let rest = 1.0 - value.abs();
            rest * rest
        });
    }
}
