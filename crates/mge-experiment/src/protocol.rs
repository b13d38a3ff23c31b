//! How rows are parted and how often (section "Experiment Setup"): `30x70/30`, `10x90/10`,
//! `10xstandard`, `10-fold`, `30x80/20`.

use mge::data::catalogue::{self, Protocol as Usual};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;
use thiserror::Error;

/// Repetitions of one way to part rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Protocol {
    /// How often everything is repeated, each time with another seed.
    pub repetitions: usize,
    /// How rows are parted.
    pub parts: Parts,
}

/// How rows are parted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Parts {
    /// This many percent of the rows train, shuffled by the run's seed.
    Percent(u32),
    /// As the data set is published.
    Standard,
    /// Cross-validation: a run for each fold.
    Folds(usize),
}

/// A text that is no protocol.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error(
    "`{found}` is no protocol; expected 30x70/30, 10x90/10, 30x80/20, 10xstandard, standard, \
     10-fold, 3x10-fold or paper"
)]
pub struct UnknownProtocol {
    /// What was given.
    pub found: String,
}

impl Protocol {
    /// What the paper does with a data set: 30 x 70/30 unless the catalogue says otherwise.
    pub fn of_paper(data: &str) -> Self {
        match catalogue::find(data).map(|entry| entry.protocol) {
            Ok(Usual::Standard) => Self { repetitions: 10, parts: Parts::Standard },
            Ok(Usual::Fraction(share)) if share > 0.8 => {
                Self { repetitions: 10, parts: Parts::Percent((share * 100.0).round() as u32) }
            }
            _ => Self { repetitions: 30, parts: Parts::Percent(70) },
        }
    }

    /// How many runs that is.
    pub fn runs(&self) -> usize {
        match self.parts {
            Parts::Folds(folds) => self.repetitions.saturating_mul(folds),
            _ => self.repetitions,
        }
    }

    /// The protocol with other repetitions.
    pub fn repeated(self, repetitions: usize) -> Self {
        Self { repetitions, ..self }
    }
}

impl FromStr for Protocol {
    type Err = UnknownProtocol;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let unknown = || UnknownProtocol { found: text.to_owned() };
        let (repetitions, parts) = match text.split_once('x') {
            Some((count, parts)) => (count.trim().parse().map_err(|_| unknown())?, parts.trim()),
            None => (1, text.trim()),
        };
        let parts = if parts == "standard" {
            Parts::Standard
        } else if let Some(folds) = parts.strip_suffix("-fold") {
            Parts::Folds(folds.parse().ok().filter(|&folds| folds >= 2).ok_or_else(unknown)?)
        } else {
            let (train, test) = parts.split_once('/').ok_or_else(unknown)?;
            let percent = |text: &str| text.parse::<u32>().ok().filter(|&share| share > 0);
            match (percent(train), percent(test)) {
                (Some(train), Some(test)) if train.checked_add(test) == Some(100) => {
                    Parts::Percent(train)
                }
                _ => return Err(unknown()),
            }
        };
        if repetitions == 0 {
            return Err(unknown());
        }
        Ok(Self { repetitions, parts })
    }
}

impl fmt::Display for Protocol {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.parts {
            Parts::Folds(folds) if self.repetitions == 1 => write!(f, "{folds}-fold"),
            parts => write!(f, "{}x{parts}", self.repetitions),
        }
    }
}

impl fmt::Display for Parts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Percent(train) => write!(f, "{train}/{}", 100 - train),
            Self::Standard => write!(f, "standard"),
            Self::Folds(folds) => write!(f, "{folds}-fold"),
        }
    }
}

impl TryFrom<String> for Protocol {
    type Error = UnknownProtocol;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        text.parse()
    }
}

impl From<Protocol> for String {
    fn from(protocol: Protocol) -> Self {
        protocol.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_protocol_of_the_paper_is_read_and_written() {
        for text in ["30x70/30", "10x90/10", "10xstandard", "10-fold", "30x80/20", "3x10-fold"] {
            assert_eq!(text.parse::<Protocol>().unwrap().to_string(), text);
        }
        assert_eq!("3x10-fold".parse::<Protocol>().unwrap().runs(), 30);
        for wrong in
            ["", "70/40", "0x70/30", "1-fold", "x70/30", "often", "30x100/0", "4294967295/101"]
        {
            assert!(wrong.parse::<Protocol>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn the_paper_has_one_for_each_set() {
        let names = ["wdbc", "digits", "letter", "mnist", "own.csv"];
        let found = names.map(|name| Protocol::of_paper(name).to_string());
        assert_eq!(found, ["30x70/30", "10x90/10", "10x90/10", "10xstandard", "30x70/30"]);
    }
}
