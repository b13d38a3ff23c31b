//! How rows are split and how often (section "Experiment Setup"): `30x70/30`, `10x90/10`,
//! `10xstandard`, `10-fold`, `30x80/20`.

use mge::data::catalogue::{self, Protocol as PaperSplit};
use mge_names::UnknownName;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// Repeated splits of one kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct SplitProtocol {
    /// The number of repetitions, each with its own seed.
    pub repetitions: usize,
    /// How rows are split.
    pub scheme: SplitScheme,
}

/// How rows are split.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SplitScheme {
    /// Training takes this percentage of the rows. The seed of the run shuffles them.
    Percent(u32),
    /// The published split of the data set.
    Standard,
    /// Cross-validation with this number of folds, one run for each fold.
    Folds(usize),
}

/// What a text of a protocol must be.
const FORMS: &str =
    "30x70/30, 10x90/10, 30x80/20, 10xstandard, standard, 10-fold, 3x10-fold or paper";

impl SplitProtocol {
    /// The paper's protocol for a data set: 30 times 70/30, unless the catalogue has another one.
    pub fn of_paper(data: &str) -> Self {
        match catalogue::find(data).map(|entry| entry.protocol) {
            Ok(PaperSplit::Standard) => Self { repetitions: 10, scheme: SplitScheme::Standard },
            Ok(PaperSplit::Fraction(fraction)) if fraction > 0.8 => Self {
                repetitions: 10,
                scheme: SplitScheme::Percent((fraction * 100.0).round() as u32),
            },
            _ => Self { repetitions: 30, scheme: SplitScheme::Percent(70) },
        }
    }

    /// The number of runs.
    pub fn runs(&self) -> usize {
        match self.scheme {
            SplitScheme::Folds(folds) => self.repetitions.saturating_mul(folds),
            _ => self.repetitions,
        }
    }

    /// The same protocol with this number of repetitions.
    pub fn with_repetitions(self, repetitions: usize) -> Self {
        Self { repetitions, ..self }
    }
}

impl FromStr for SplitProtocol {
    type Err = UnknownName;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let unknown = || UnknownName::with_form("protocol", text, FORMS);
        let (repetitions, scheme) = match text.split_once('x') {
            Some((count, scheme)) => (count.trim().parse().map_err(|_| unknown())?, scheme.trim()),
            None => (1, text.trim()),
        };
        let scheme = if scheme == "standard" {
            SplitScheme::Standard
        } else if let Some(folds) = scheme.strip_suffix("-fold") {
            SplitScheme::Folds(folds.parse().ok().filter(|&folds| folds >= 2).ok_or_else(unknown)?)
        } else {
            let (train, test) = scheme.split_once('/').ok_or_else(unknown)?;
            let percent = |text: &str| text.parse::<u32>().ok().filter(|&percent| percent > 0);
            match (percent(train), percent(test)) {
                (Some(train), Some(test)) if train.checked_add(test) == Some(100) => {
                    SplitScheme::Percent(train)
                }
                _ => return Err(unknown()),
            }
        };
        if repetitions == 0 {
            return Err(unknown());
        }
        Ok(Self { repetitions, scheme })
    }
}

impl fmt::Display for SplitProtocol {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.scheme {
            SplitScheme::Folds(folds) if self.repetitions == 1 => write!(f, "{folds}-fold"),
            scheme => write!(f, "{}x{scheme}", self.repetitions),
        }
    }
}

impl fmt::Display for SplitScheme {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Percent(train) => write!(f, "{train}/{}", 100 - train),
            Self::Standard => write!(f, "standard"),
            Self::Folds(folds) => write!(f, "{folds}-fold"),
        }
    }
}

impl TryFrom<String> for SplitProtocol {
    type Error = UnknownName;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        text.parse()
    }
}

impl From<SplitProtocol> for String {
    fn from(protocol: SplitProtocol) -> Self {
        protocol.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_protocol_of_the_paper_round_trips() {
        for text in ["30x70/30", "10x90/10", "10xstandard", "10-fold", "30x80/20", "3x10-fold"] {
            assert_eq!(text.parse::<SplitProtocol>().unwrap().to_string(), text);
        }
        assert_eq!("3x10-fold".parse::<SplitProtocol>().unwrap().runs(), 30);
        for wrong in
            ["", "70/40", "0x70/30", "1-fold", "x70/30", "often", "30x100/0", "4294967295/101"]
        {
            assert!(wrong.parse::<SplitProtocol>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn every_data_set_has_the_protocol_of_the_paper() {
        let names = ["wdbc", "digits", "letter", "mnist", "own.csv"];
        let found = names.map(|name| SplitProtocol::of_paper(name).to_string());
        assert_eq!(found, ["30x70/30", "10x90/10", "10x90/10", "10xstandard", "30x70/30"]);
    }
}
