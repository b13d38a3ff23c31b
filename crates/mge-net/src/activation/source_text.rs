//! How exported code computes an activation.

/// The text of an activation in each language. Expressions compute it from the sum `z`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SourceText {
    /// C, with `math.h`, in `float`.
    pub c: Snippet,
    /// Rust without the standard library, in `f32`. `exp(z)` is there.
    pub rust: Snippet,
    /// A Python function of one number. `math` and `_exp(z)` are there.
    pub python: &'static str,
    /// A Python function of a numpy array. `np` is there.
    pub numpy: &'static str,
    /// A JavaScript function of one number.
    pub javascript: &'static str,
    /// ONNX operators.
    pub onnx: OnnxForm,
}

/// An expression over `z`, and the function that it calls.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Snippet {
    /// The expression.
    pub expression: &'static str,
    /// The definition of a function that the expression calls, or nothing. Activations with equal
    /// definitions share it.
    pub helper: &'static str,
}

impl Snippet {
    /// An expression that needs no function of its own.
    pub const fn expression(expression: &'static str) -> Self {
        Self { expression, helper: "" }
    }
}

/// An activation in ONNX: a chain of nodes that starts at the scaled sum.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct OnnxForm {
    /// The sum is multiplied by this first; exporters fold it into the weights.
    pub factor: f64,
    /// The nodes, in order. With none, the value is the sum.
    pub nodes: &'static [OnnxNode],
}

/// A node of an [`OnnxForm`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OnnxNode {
    /// The operator.
    pub operator: &'static str,
    /// Its inputs: `z`, or the outputs of earlier nodes.
    pub inputs: &'static [&'static str],
    /// The name of its output; empty for the last node, whose output is the value.
    pub output: &'static str,
}

impl OnnxForm {
    /// The form of an activation that is one operator.
    pub const fn nodes(nodes: &'static [OnnxNode]) -> Self {
        Self { factor: 1.0, nodes }
    }
}

impl OnnxNode {
    /// The only node of a chain: an operator that takes the sum.
    pub const fn of_sum(operator: &'static str) -> Self {
        Self { operator, inputs: &["z"], output: "" }
    }
}

/// How integer code computes an activation: with one of four functions, three of which are tables.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum IntegerForm {
    /// The sigmoid of `slope * z`.
    Sigmoid {
        /// What the sum is multiplied by.
        slope: f64,
        /// Whether the value is stretched from (0, 1) to (-1, 1).
        is_centered: bool,
    },
    /// `sin(z)`.
    Sine,
    /// `exp(-z^2)`.
    Gauss,
    /// `z`, clamped to the range of the integers.
    Clamp {
        /// Whether negative values are kept.
        is_signed: bool,
    },
}
