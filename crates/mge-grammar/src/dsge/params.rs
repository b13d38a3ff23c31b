//! Settings of the representation: raw as users write them, checked as mapping and variation use
//! them. `docs/reference/methods/dsge.md` says where the defaults come from.

use mge_evolve::GenerationalParams;
use serde::{Deserialize, Serialize};
use thiserror::Error;

/// Raw settings.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct DsgeParams {
    /// The depth of a derivation tree from which a random genotype takes only the alternatives that
    /// end soonest. Default 10. Larger first networks need more; the first rule has depth 0.
    pub initial_depth: usize,
    /// The same for offspring. Default 17. It bounds how large a network can become.
    pub max_depth: usize,
    /// Probability that an offspring is mutated. Default 0.95.
    pub mutation_rate: f64,
    /// How many codons a mutation changes, one after the other. Default 1.
    pub mutations: usize,
}

impl Default for DsgeParams {
    fn default() -> Self {
        Self { initial_depth: 10, max_depth: 17, mutation_rate: 0.95, mutations: 1 }
    }
}

/// The largest `max_depth`.
const MOST_DEPTH: usize = 1000;
/// The most `mutations`.
const MOST_MUTATIONS: usize = 1000;

impl DsgeParams {
    /// The loop as Assunção and others have it, but for less crossover: exchanging whole lists at
    /// their rate of 0.95 keeps networks at one or two neurons here (`docs/reference/methods/dsge.md`).
    pub const LOOP: GenerationalParams =
        GenerationalParams { population: 100, crossover_rate: 0.3, tournament: 3, elite: 0.01 };

    /// Checks the settings.
    ///
    /// # Errors
    /// A setting that cannot be used.
    pub fn check(self) -> Result<CheckedDsge, DsgeParamError> {
        let (initial, most) = (self.initial_depth, self.max_depth);
        if initial > most || most > MOST_DEPTH {
            return Err(DsgeParamError::Depth { initial, most });
        }
        if !(0.0..=1.0).contains(&self.mutation_rate) {
            return Err(DsgeParamError::Rate { found: self.mutation_rate });
        }
        if !(1..=MOST_MUTATIONS).contains(&self.mutations) {
            return Err(DsgeParamError::Mutations { found: self.mutations });
        }
        Ok(CheckedDsge { raw: self })
    }
}

/// A setting that cannot be used.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum DsgeParamError {
    /// Depths that contradict each other.
    #[error(
        "initial_depth is {initial} and max_depth {most}, expected \
         initial_depth <= max_depth <= {MOST_DEPTH}"
    )]
    Depth {
        /// The depth at the start.
        initial: usize,
        /// The depth of offspring.
        most: usize,
    },
    /// A rate that is no probability.
    #[error("mutation_rate is {found}, expected a number from 0 to 1")]
    Rate {
        /// What was given.
        found: f64,
    },
    /// A number of mutations out of range.
    #[error("mutations is {found}, expected a whole number from 1 to {MOST_MUTATIONS}")]
    Mutations {
        /// What was given.
        found: usize,
    },
}

/// Settings that were checked.
#[derive(Debug, Clone, PartialEq)]
pub struct CheckedDsge {
    raw: DsgeParams,
}

impl CheckedDsge {
    /// The settings as they were given.
    pub fn raw(&self) -> &DsgeParams {
        &self.raw
    }
}
