//! Settings of the representation: raw from the user, checked for mapping and variation. The
//! defaults are those of the tools of Tsoulos; `docs/reference/methods/ge.md` lists them.

use crate::Grammar;
use mge_evolve::GenerationalParams;
use serde::{Deserialize, Serialize};
use thiserror::Error;

/// Raw settings.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct GeParams {
    /// The smallest number of codons of a random genotype. Default 100 for each output.
    #[serde(alias = "least_codons")]
    pub min_codons: usize,
    /// The largest number of codons of a random genotype. Default 100 for each output. Raise it when
    /// many individuals of the first generations are invalid or the networks are too small.
    #[serde(alias = "most_codons")]
    pub max_codons: usize,
    /// The largest number of codons of any genotype. Default ten times `max_codons`. It limits time,
    /// memory and the size of networks.
    #[serde(alias = "longest")]
    pub max_length: usize,
    /// Probability that a codon becomes a random one. Default 0.05. Lower it when genotypes are
    /// long, or good offspring are rare.
    pub mutation_rate: f64,
    /// Probability that an offspring gains or loses a few adjacent codons. Default 0. The MGE paper
    /// adds this mutation to study how far GE scales.
    pub length_mutation_rate: f64,
    /// The largest number of codons that are gained or lost at once. Default 10.
    pub length_mutation_step: usize,
    /// How often the codons may be read again from the start. Default 1. With 0 more individuals
    /// are invalid.
    pub wraps: u32,
    /// Bits of a codon, 8 or 16. Default: 8, or 16 if a rule has more than 256 alternatives, among
    /// which 8 bits cannot choose (decision 3).
    pub codon_bits: Option<u32>,
}

impl Default for GeParams {
    fn default() -> Self {
        Self::for_classes(2)
    }
}

/// The largest `max_length`.
const MAX_LENGTH: usize = 1_000_000;

impl GeParams {
    /// The loop of the tools of Tsoulos.
    pub const LOOP: GenerationalParams =
        GenerationalParams { population: 500, crossover_rate: 0.9, tournament: 20, elite: 0.1 };

    /// The settings for a number of classes: genotypes hold one expression for each output.
    pub fn for_classes(classes: usize) -> Self {
        let codons = 100 * mge_net::OutputLink::for_classes(classes).outputs();
        Self {
            min_codons: codons,
            max_codons: codons,
            max_length: 10 * codons,
            mutation_rate: 0.05,
            length_mutation_rate: 0.0,
            length_mutation_step: 10,
            wraps: 1,
            codon_bits: None,
        }
    }

    /// Checks the settings for a grammar.
    ///
    /// # Errors
    /// A setting that cannot be used.
    pub fn check(self, grammar: &Grammar) -> Result<CheckedGe, GeParamError> {
        let (min, max, max_length) = (self.min_codons, self.max_codons, self.max_length);
        if min == 0 || min > max || max > max_length || max_length > MAX_LENGTH {
            return Err(GeParamError::Codons { min, max, max_length });
        }
        for (name, found) in [
            ("mutation_rate", self.mutation_rate),
            ("length_mutation_rate", self.length_mutation_rate),
        ] {
            if !(0.0..=1.0).contains(&found) {
                return Err(GeParamError::Rate { name, found });
            }
        }
        if self.length_mutation_step == 0 {
            return Err(GeParamError::Step);
        }
        let codon_bits = match self.codon_bits {
            None if grammar.widest() > 1 << 8 => 16,
            None => 8,
            Some(bits @ (8 | 16)) => bits,
            Some(found) => return Err(GeParamError::CodonBits { found }),
        };
        Ok(CheckedGe { raw: self, codon_bits })
    }
}

/// A setting that cannot be used.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum GeParamError {
    /// Lengths that contradict each other.
    #[error(
        "min_codons is {min}, max_codons {max} and max_length {max_length}, expected \
         1 <= min_codons <= max_codons <= max_length <= {MAX_LENGTH}"
    )]
    Codons {
        /// `min_codons`.
        min: usize,
        /// `max_codons`.
        max: usize,
        /// `max_length`.
        max_length: usize,
    },
    /// A rate that is not a probability.
    #[error("{name} is {found}, expected a number from 0 to 1")]
    Rate {
        /// The setting.
        name: &'static str,
        /// What was given.
        found: f64,
    },
    /// A mutation of the length that changes nothing.
    #[error("length_mutation_step is 0, expected at least 1")]
    Step,
    /// A codon width that does not exist.
    #[error("codon_bits is {found}, expected 8 or 16")]
    CodonBits {
        /// What was given.
        found: u32,
    },
}

/// Settings that were checked against a grammar.
#[derive(Debug, Clone, PartialEq)]
pub struct CheckedGe {
    raw: GeParams,
    codon_bits: u32,
}

impl CheckedGe {
    /// The settings as they were given.
    pub fn raw(&self) -> &GeParams {
        &self.raw
    }

    /// Bits of a codon: 8 or 16.
    pub fn codon_bits(&self) -> u32 {
        self.codon_bits
    }
}
