//! Settings of generational evolution: raw from the user, checked for the loop.

use serde::{Deserialize, Serialize};
use thiserror::Error;

/// Raw settings. The defaults are the paper's (Table "parameter settings").
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GenerationalParams {
    /// Individuals in a population. Default 200. More individuals explore wider; the time of a
    /// generation grows in proportion.
    pub population: usize,
    /// Probability that two parents are crossed; otherwise they are copied. Default 0.9.
    pub crossover_rate: f64,
    /// Individuals that compete to become a parent. Default 7. Higher is greedier.
    pub tournament: usize,
    /// Fraction of the next population that is taken from the best of the current one. Default
    /// 0.05. With 0 the best individual may be lost.
    pub elite: f64,
}

impl Default for GenerationalParams {
    fn default() -> Self {
        Self { population: 200, crossover_rate: 0.9, tournament: 7, elite: 0.05 }
    }
}

/// A setting that cannot be used.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum GenerationalParamError {
    /// A count out of range.
    #[error("{name} is {found}, expected a whole number from {min} to {max}")]
    Count {
        /// The setting.
        name: &'static str,
        /// What was given.
        found: usize,
        /// The smallest valid value.
        min: usize,
        /// The largest valid value.
        max: usize,
    },
    /// A fraction or probability out of range.
    #[error("{name} is {found}, expected a number from 0 to {max}")]
    Fraction {
        /// The setting.
        name: &'static str,
        /// What was given.
        found: f64,
        /// The largest valid value.
        max: f64,
    },
}

/// The largest population.
const MAX_POPULATION: usize = 10_000_000;

impl GenerationalParams {
    /// Checks the settings.
    ///
    /// # Errors
    /// When a setting is out of its range.
    pub fn check(self) -> Result<CheckedGenerational, GenerationalParamError> {
        check_count("population", self.population, 2)?;
        check_count("tournament", self.tournament, 1)?;
        check_fraction("crossover_rate", self.crossover_rate, 1.0)?;
        check_fraction("elite", self.elite, 0.9)?;
        Ok(CheckedGenerational(self))
    }
}

fn check_count(name: &'static str, found: usize, min: usize) -> Result<(), GenerationalParamError> {
    let max = MAX_POPULATION;
    if (min..=max).contains(&found) {
        Ok(())
    } else {
        Err(GenerationalParamError::Count { name, found, min, max })
    }
}

fn check_fraction(name: &'static str, found: f64, max: f64) -> Result<(), GenerationalParamError> {
    if (0.0..=max).contains(&found) {
        Ok(())
    } else {
        Err(GenerationalParamError::Fraction { name, found, max })
    }
}

/// Settings that were checked.
#[derive(Debug, Clone, PartialEq)]
pub struct CheckedGenerational(GenerationalParams);

impl CheckedGenerational {
    /// Individuals in a population.
    pub fn population(&self) -> usize {
        self.0.population
    }

    /// Probability that two parents are crossed.
    pub fn crossover_rate(&self) -> f64 {
        self.0.crossover_rate
    }

    /// Individuals in a tournament.
    pub fn tournament(&self) -> usize {
        self.0.tournament
    }

    /// How many of the best survive: `round(elite * population)` (decision 11).
    pub fn elite_size(&self) -> usize {
        ((self.0.elite * self.0.population as f64).round() as usize).min(self.0.population - 1)
    }
}
