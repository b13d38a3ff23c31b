//! Settings of the representation: raw from the user, checked for mapping and variation.
//! `docs/reference/methods/sge.md` says where the defaults come from.

use mge_evolve::GenerationalParams;
use serde::{Deserialize, Serialize};
use thiserror::Error;

/// Raw settings.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct SgeParams {
    /// How many recursive steps of a rule may be nested. Default 6: with the shipped grammar at most
    /// 7 neurons for each output and 7 inputs for each neuron. More allows larger networks and makes
    /// every genotype longer.
    pub recursion: usize,
    /// Probability that an offspring is mutated. Default 0.95.
    pub mutation_rate: f64,
    /// How many codons a mutation changes. Default 1.
    pub mutations: usize,
}

impl Default for SgeParams {
    fn default() -> Self {
        Self { recursion: 6, mutation_rate: 0.95, mutations: 1 }
    }
}

/// The largest `recursion`.
const MAX_RECURSION: usize = 1000;
/// The largest `mutations`.
const MAX_MUTATIONS: usize = 1000;

impl SgeParams {
    /// The loop of Lourenço and others; `docs/reference/methods/sge.md` has the sources.
    pub const LOOP: GenerationalParams =
        GenerationalParams { population: 100, crossover_rate: 0.95, tournament: 3, elite: 0.01 };

    /// Checks the settings.
    ///
    /// # Errors
    /// A setting that cannot be used.
    pub fn check(self) -> Result<CheckedSge, SgeParamError> {
        if self.recursion > MAX_RECURSION {
            return Err(SgeParamError::Recursion { found: self.recursion });
        }
        if !(0.0..=1.0).contains(&self.mutation_rate) {
            return Err(SgeParamError::Rate { found: self.mutation_rate });
        }
        if !(1..=MAX_MUTATIONS).contains(&self.mutations) {
            return Err(SgeParamError::Mutations { found: self.mutations });
        }
        Ok(CheckedSge { raw: self })
    }
}

/// A setting that cannot be used.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum SgeParamError {
    /// More recursion than any memory can hold.
    #[error("recursion is {found}, expected a whole number up to {MAX_RECURSION}")]
    Recursion {
        /// What was given.
        found: usize,
    },
    /// A rate that is not a probability.
    #[error("mutation_rate is {found}, expected a number from 0 to 1")]
    Rate {
        /// What was given.
        found: f64,
    },
    /// A number of mutations out of range.
    #[error("mutations is {found}, expected a whole number from 1 to {MAX_MUTATIONS}")]
    Mutations {
        /// What was given.
        found: usize,
    },
}

/// Settings that were checked.
#[derive(Debug, Clone, PartialEq)]
pub struct CheckedSge {
    raw: SgeParams,
}

impl CheckedSge {
    /// The settings as they were given.
    pub fn raw(&self) -> &SgeParams {
        &self.raw
    }
}
