//! The functions a hidden neuron may apply (section 3 of the paper uses the sigmoid alone).
//!
//! This is their exact meaning, in `f64`. The fast evaluator has its own approximations in
//! [`batch`](crate::batch), held to these by tests.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use thiserror::Error;

/// What a hidden neuron does with its weighted sum.
///
/// The name of each, as grammars and files spell it, is in parentheses.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Activation {
    /// `1 / (1 + exp(-x))` (`sig`), the paper's choice.
    #[serde(rename = "sig")]
    Sigmoid,
    /// Hyperbolic tangent (`tanh`).
    #[serde(rename = "tanh")]
    Tanh,
    /// `tanh(2.5 x)` (`tanh25`): steep enough that weights inside (-1, 1) can saturate it.
    #[serde(rename = "tanh25")]
    Tanh25,
    /// `max(x, 0)` (`relu`).
    #[serde(rename = "relu")]
    Relu,
    /// Sine (`sin`).
    #[serde(rename = "sin")]
    Sin,
    /// `exp(-x^2)` (`gauss`).
    #[serde(rename = "gauss")]
    Gauss,
    /// The sum itself (`identity`).
    #[serde(rename = "identity")]
    Identity,
}

/// A name that is no activation.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("`{name}` is not an activation; expected one of {}", Activation::names())]
pub struct UnknownActivation {
    /// The name as it was given.
    pub name: String,
}

impl Activation {
    /// Every activation.
    pub const ALL: [Activation; 7] = [
        Activation::Sigmoid,
        Activation::Tanh,
        Activation::Tanh25,
        Activation::Relu,
        Activation::Sin,
        Activation::Gauss,
        Activation::Identity,
    ];

    /// The name in grammars and files.
    pub fn name(self) -> &'static str {
        match self {
            Activation::Sigmoid => "sig",
            Activation::Tanh => "tanh",
            Activation::Tanh25 => "tanh25",
            Activation::Relu => "relu",
            Activation::Sin => "sin",
            Activation::Gauss => "gauss",
            Activation::Identity => "identity",
        }
    }

    /// The value at `x`. Uses `libm`, so that it has the same bits on every machine.
    pub fn apply(self, x: f64) -> f64 {
        match self {
            Activation::Sigmoid => 1.0 / (1.0 + libm::exp(-x)),
            Activation::Tanh => libm::tanh(x),
            Activation::Tanh25 => libm::tanh(2.5 * x),
            Activation::Relu => {
                if x > 0.0 {
                    x
                } else {
                    0.0
                }
            }
            Activation::Sin => libm::sin(x),
            Activation::Gauss => libm::exp(-x * x),
            Activation::Identity => x,
        }
    }

    /// Whether the value always lies in [-1, 1].
    pub fn is_bounded(self) -> bool {
        !matches!(self, Activation::Relu | Activation::Identity)
    }

    fn names() -> String {
        Self::ALL.map(Self::name).join(", ")
    }
}

impl fmt::Display for Activation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Activation {
    type Err = UnknownActivation;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        Self::ALL
            .into_iter()
            .find(|activation| activation.name() == name)
            .ok_or_else(|| UnknownActivation { name: name.to_owned() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_files_and_grammars_agree() {
        for activation in Activation::ALL {
            assert_eq!(activation.name().parse(), Ok(activation));
            let json = serde_json::to_string(&activation).unwrap();
            assert_eq!(json, format!("\"{}\"", activation.name()));
            assert_eq!(serde_json::from_str::<Activation>(&json).unwrap(), activation);
        }
        let error = "sigmoid".parse::<Activation>().unwrap_err();
        assert!(error.to_string().contains("expected one of sig, tanh, tanh25"), "{error}");
    }

    #[test]
    fn known_values() {
        assert_eq!(Activation::Sigmoid.apply(0.0), 0.5);
        assert_eq!(Activation::Tanh25.apply(0.4), Activation::Tanh.apply(1.0));
        assert_eq!(Activation::Relu.apply(-3.0), 0.0);
        assert_eq!(Activation::Relu.apply(3.0), 3.0);
        assert_eq!(Activation::Gauss.apply(0.0), 1.0);
        assert_eq!(Activation::Identity.apply(-7.5), -7.5);
        assert!((Activation::Sin.apply(std::f64::consts::FRAC_PI_2) - 1.0).abs() < 1e-15);
    }
}
