//! Settings of the representation: raw as users write them, checked as mapping and variation use
//! them. The defaults are those of the tools of Tsoulos; `docs/reference/methods/ge.md` has them all.

use crate::Grammar;
use mge_evolve::GenerationalParams;
use serde::{Deserialize, Serialize};
use thiserror::Error;

/// Raw settings.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct GeParams {
    /// Fewest codons of a random genotype. Default 100 for each output.
    #[serde(alias = "least_codons")]
    pub min_codons: usize,
    /// Most codons of a random genotype. Default 100 for each output. Start longer when many
    /// individuals of the first generations are invalid or the networks are too small.
    #[serde(alias = "most_codons")]
    pub max_codons: usize,
    /// The longest that crossover and mutation can make a genotype. Default ten times
    /// `max_codons`. It bounds time and memory, and how large a network can become.
    pub longest: usize,
    /// Probability that a codon becomes a random one. Default 0.05. Lower it when genotypes are
    /// long, or good offspring are rare.
    pub mutation_rate: f64,
    /// Probability that an offspring gains or loses a few codons in a row. Default 0. The MGE paper
    /// adds this mutation to study how far GE scales.
    pub length_mutation_rate: f64,
    /// Most codons that are gained or lost at once. Default 10.
    pub length_mutation_step: usize,
    /// How often the codons may be read again from the start. Default 1. With 0 more individuals
    /// are invalid.
    pub wraps: u32,
    /// Bits of a codon, 8 or 16. Default: 8, unless a rule has more than 256 alternatives, which
    /// 8 bits could never choose among.
    pub codon_bits: Option<u32>,
}

impl Default for GeParams {
    fn default() -> Self {
        Self::for_classes(2)
    }
}

/// The largest `longest`.
const LONGEST: usize = 1_000_000;

impl GeParams {
    /// The loop as the tools of Tsoulos have it.
    pub const LOOP: GenerationalParams =
        GenerationalParams { population: 500, crossover_rate: 0.9, tournament: 20, elite: 0.1 };

    /// The settings for a number of classes: genotypes hold one expression for each output.
    pub fn for_classes(classes: usize) -> Self {
        let codons = 100 * mge_net::outputs_for(classes);
        Self {
            min_codons: codons,
            max_codons: codons,
            longest: 10 * codons,
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
        let (least, most, longest) = (self.min_codons, self.max_codons, self.longest);
        if least == 0 || least > most || most > longest || longest > LONGEST {
            return Err(GeParamError::Codons { least, most, longest });
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
        "min_codons is {least}, max_codons {most} and longest {longest}, expected \
         1 <= min_codons <= max_codons <= longest <= {LONGEST}"
    )]
    Codons {
        /// The fewest at the start.
        least: usize,
        /// The most at the start.
        most: usize,
        /// The most ever.
        longest: usize,
    },
    /// A rate that is no probability.
    #[error("{name} is {found}, expected a number from 0 to 1")]
    Rate {
        /// The setting.
        name: &'static str,
        /// What was given.
        found: f64,
    },
    /// A mutation that changes nothing.
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
