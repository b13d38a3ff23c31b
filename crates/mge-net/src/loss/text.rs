//! How settings, flags and files spell a loss: a name, and a parameter after a colon.

use super::{DEFAULT_DELTA, DEFAULT_QUANTILE, Loss};
use serde::de::{Deserialize, Deserializer, Error};
use serde::ser::{Serialize, Serializer};
use std::fmt;
use std::str::FromStr;
use thiserror::Error;

/// A text that is no loss.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum LossTextError {
    /// No loss has this name.
    #[error(transparent)]
    Name(#[from] mge_names::UnknownName),
    /// A parameter for a loss that has none, or one that is out of range.
    #[error("loss \"{text}\": expected {expected}")]
    Parameter {
        /// The text.
        text: String,
        /// What was expected.
        expected: &'static str,
    },
}

mge_names::named_enum! {
    /// The names alone.
    enum LossName: "loss" {
        CrossEntropy = "ce",
        MeanSquaredError = "mse",
        MeanAbsoluteError = "mae",
        Huber = "huber",
        Pinball = "pinball",
    }
}

impl FromStr for Loss {
    type Err = LossTextError;

    fn from_str(text: &str) -> Result<Self, LossTextError> {
        let (name, parameter) = match text.split_once(':') {
            Some((name, parameter)) => (name, Some(parameter)),
            None => (text, None),
        };
        let name: LossName = name.trim().parse()?;
        let wrong = |expected| LossTextError::Parameter { text: text.to_owned(), expected };
        let number = |default: f32, is_valid: fn(f32) -> bool, expected| match parameter {
            None => Ok(default),
            Some(text) => {
                let number = text.trim().parse().ok().filter(|&number| is_valid(number));
                number.ok_or(wrong(expected))
            }
        };
        let loss = match name {
            LossName::Huber => {
                let is_valid = |delta: f32| delta > 0.0 && delta.is_finite();
                let expected = "huber, or huber:DELTA with a number above zero, such as huber:0.5";
                return Ok(Loss::Huber { delta: number(DEFAULT_DELTA, is_valid, expected)? });
            }
            LossName::Pinball => {
                let is_valid = |quantile: f32| quantile > 0.0 && quantile < 1.0;
                let expected = "pinball, or pinball:QUANTILE with a number between 0 and 1, such as pinball:0.9";
                let quantile = number(DEFAULT_QUANTILE, is_valid, expected)?;
                return Ok(Loss::Pinball { quantile });
            }
            LossName::CrossEntropy => Loss::CrossEntropy,
            LossName::MeanSquaredError => Loss::MeanSquaredError,
            LossName::MeanAbsoluteError => Loss::MeanAbsoluteError,
        };
        match parameter {
            None => Ok(loss),
            Some(_) => Err(wrong("no parameter; only huber and pinball have one")),
        }
    }
}

impl fmt::Display for Loss {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = self.name();
        match self {
            Loss::Huber { delta: parameter } | Loss::Pinball { quantile: parameter } => {
                f.pad(&format!("{name}:{parameter}"))
            }
            _ => f.pad(name),
        }
    }
}

impl Serialize for Loss {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Loss {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.parse().map_err(D::Error::custom)
    }
}
