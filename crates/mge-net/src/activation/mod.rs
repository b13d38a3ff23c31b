//! The activation functions of hidden neurons (section 3 of the paper uses the sigmoid alone).
//!
//! Each activation is one file in this folder and one line in the table below. The file implements
//! [`Function`]: the exact value and its derivative in `f64`, the approximation of the fast
//! evaluator and its derivative, bounds, and the text for exported code. The table makes the
//! variants of [`Activation`] and dispatches statically, so that every SIMD level compiles each
//! function into its loops.
//!
//! The tests at the end of this file hold every line of the table to the contract.

mod function;
mod source_text;

use function::Function;
pub use source_text::{IntegerForm, OnnxForm, OnnxNode, Snippet, SourceText};

/// Makes the modules, the enum and the static dispatch from the table of activations.
macro_rules! activations {
    ($($variant:ident in $file:ident is $name:literal: $meaning:literal;)*) => {
        $(mod $file;)*

        mge_names::named_enum! {
            /// What a hidden neuron does with its weighted sum.
            ///
            /// The name of each, as grammars and files spell it, is in parentheses.
            pub enum Activation: "activation" {
                $(
                    #[doc = concat!($meaning, " (`", $name, "`).")]
                    $variant = $name,
                )*
            }
        }

        impl Activation {
            /// The exact value at `x`. Uses `libm`, so it has the same bits on every machine.
            pub fn apply(self, x: f64) -> f64 {
                match self {
                    $(Self::$variant => $file::$variant::exact(x),)*
                }
            }

            /// The exact derivative at `x`; zero at the corner of `relu`.
            pub fn derivative(self, x: f64) -> f64 {
                match self {
                    $(Self::$variant => $file::$variant::exact_derivative(x),)*
                }
            }

            /// Whether the value always lies in [-1, 1].
            #[inline]
            pub fn is_bounded(self) -> bool {
                match self {
                    $(Self::$variant => $file::$variant::IS_BOUNDED,)*
                }
            }

            /// The largest absolute value of the derivative.
            pub fn max_derivative(self) -> f64 {
                match self {
                    $(Self::$variant => $file::$variant::MAX_DERIVATIVE,)*
                }
            }

            /// The largest absolute error of the approximation that the fast evaluators use.
            pub fn fast_error(self) -> f64 {
                match self {
                    $(Self::$variant => $file::$variant::FAST_ERROR,)*
                }
            }

            /// How integer code computes the activation; `None` if it cannot.
            pub fn integer_form(self) -> Option<IntegerForm> {
                match self {
                    $(Self::$variant => $file::$variant::INTEGER_FORM,)*
                }
            }

            /// The text of the activation in exported code.
            pub fn source_text(self) -> &'static SourceText {
                match self {
                    $(Self::$variant => &$file::$variant::SOURCE_TEXT,)*
                }
            }

            /// Replaces sums by the approximate values of the activation.
            #[inline(always)]
            pub(crate) fn apply_fast(self, sums: &mut [f32]) {
                match self {
                    $(Self::$variant => $file::$variant::fast(sums),)*
                }
            }

            /// Replaces sums by the derivatives there; `values` are those of the activation.
            #[inline(always)]
            pub(crate) fn derive_fast(self, values: &[f32], sums: &mut [f32]) {
                match self {
                    $(Self::$variant => $file::$variant::fast_derivative(values, sums),)*
                }
            }

            /// [`Activation::fast_error`] holds for arguments up to this absolute value.
            #[cfg(test)]
            fn max_fast_argument(self) -> f32 {
                match self {
                    $(Self::$variant => $file::$variant::MAX_FAST_ARGUMENT,)*
                }
            }
        }
    };
}

// The table of activations: variant, file, name, meaning. Checkpoints store the number of a line,
// so new lines come last and lines never move.
activations! {
    Sigmoid in sigmoid is "sig": "`1 / (1 + exp(-x))`, the paper's choice";
    Tanh in tanh is "tanh": "Hyperbolic tangent";
    Tanh25 in tanh25 is "tanh25": "`tanh(2.5 x)`, which weights inside (-1, 1) can saturate";
    Relu in relu is "relu": "`max(x, 0)`";
    Sin in sin is "sin": "Sine";
    Gauss in gauss is "gauss": "`exp(-x^2)`";
    Identity in identity is "identity": "The sum itself";
    Softsign in softsign is "softsign": "`x / (1 + |x|)`, which saturates slowly";
}

#[cfg(test)]
mod tests;
