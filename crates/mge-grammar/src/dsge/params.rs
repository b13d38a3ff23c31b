//! Settings of the representation: raw from the user, checked for mapping and variation.
//! `docs/reference/methods/dsge.md` says where the defaults come from.

use mge_evolve::GenerationalParams;
use serde::{Deserialize, Serialize};
use thiserror::Error;

/// Raw settings.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct DsgeParams {
    /// The depth of a derivation tree from which a random genotype takes only the alternatives that
    /// end soonest. The first rule has depth 0. Default 10. Raise it for larger first networks.
    pub initial_depth: usize,
    /// The same depth for offspring. Default 17. It limits the size of networks.
    pub max_depth: usize,
    /// Probability that an offspring is mutated. Default 0.95.
    pub mutation_rate: f64,
    /// How many codons a mutation changes. Default 1.
    pub mutations: usize,
}

impl Default for DsgeParams {
    fn default() -> Self {
        Self { initial_depth: 10, max_depth: 17, mutation_rate: 0.95, mutations: 1 }
    }
}

/// The largest `max_depth`.
const MAX_DEPTH: usize = 1000;
/// The largest `mutations`.
const MAX_MUTATIONS: usize = 1000;

impl DsgeParams {
    /// The loop of Assunção and others, with less crossover. Their rate of 0.95 exchanges whole lists
    /// so often that networks stay at one or two neurons here (`docs/reference/methods/dsge.md`).
    pub const LOOP: GenerationalParams =
        GenerationalParams { population: 100, crossover_rate: 0.3, tournament: 3, elite: 0.01 };

    /// Checks the settings.
    ///
    /// # Errors
    /// A setting that cannot be used.
    pub fn check(self) -> Result<CheckedDsge, DsgeParamError> {
        let (initial, max) = (self.initial_depth, self.max_depth);
        if initial > max || max > MAX_DEPTH {
            return Err(DsgeParamError::Depth { initial, max });
        }
        if !(0.0..=1.0).contains(&self.mutation_rate) {
            return Err(DsgeParamError::Rate { found: self.mutation_rate });
        }
        if !(1..=MAX_MUTATIONS).contains(&self.mutations) {
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
        "initial_depth is {initial} and max_depth {max}, expected \
         initial_depth <= max_depth <= {MAX_DEPTH}"
    )]
    Depth {
        /// The depth of random genotypes.
        initial: usize,
        /// The depth of offspring.
        max: usize,
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
pub struct CheckedDsge {
    raw: DsgeParams,
}

impl CheckedDsge {
    /// The settings as they were given.
    pub fn raw(&self) -> &DsgeParams {
        &self.raw
    }
}
