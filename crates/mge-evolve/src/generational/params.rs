//! Settings of generational evolution: raw as users write them, checked as the loop uses them.

use serde::{Deserialize, Serialize};
use thiserror::Error;

/// Raw settings. The defaults are the paper's (Table "parameter settings").
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GenerationalParams {
    /// Individuals in a population. Default 200. More explores wider and costs
    /// proportionally more time for each generation.
    pub population: usize,
    /// Probability that two parents are crossed; otherwise they are copied. Default 0.9.
    pub crossover_rate: f64,
    /// Individuals that compete for being a parent. Default 7. Higher is greedier.
    pub tournament: usize,
    /// Share of the next population that is taken from the best of the present one. Default
    /// 0.05. With 0 the best may be lost again.
    pub elite: f64,
}

impl Default for GenerationalParams {
    fn default() -> Self {
        Self { population: 200, crossover_rate: 0.9, tournament: 7, elite: 0.05 }
    }
}

/// A setting that cannot be used.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum ParamError {
    /// A count out of range.
    #[error("{name} is {found}, expected a whole number from {least} to {most}")]
    Count {
        /// The setting.
        name: &'static str,
        /// What was given.
        found: usize,
        /// The smallest that works.
        least: usize,
        /// The largest that works.
        most: usize,
    },
    /// A share or probability out of range.
    #[error("{name} is {found}, expected a number from 0 to {most}")]
    Share {
        /// The setting.
        name: &'static str,
        /// What was given.
        found: f64,
        /// The largest that works.
        most: f64,
    },
}

/// The most individuals a population can have.
const LARGEST_POPULATION: usize = 10_000_000;

impl GenerationalParams {
    /// Checks the settings.
    pub fn check(self) -> Result<CheckedGenerational, ParamError> {
        count("population", self.population, 2, LARGEST_POPULATION)?;
        count("tournament", self.tournament, 1, LARGEST_POPULATION)?;
        share("crossover_rate", self.crossover_rate, 1.0)?;
        share("elite", self.elite, 0.9)?;
        Ok(CheckedGenerational(self))
    }
}

fn count(name: &'static str, found: usize, least: usize, most: usize) -> Result<(), ParamError> {
    if (least..=most).contains(&found) {
        Ok(())
    } else {
        Err(ParamError::Count { name, found, least, most })
    }
}

fn share(name: &'static str, found: f64, most: f64) -> Result<(), ParamError> {
    if (0.0..=most).contains(&found) {
        Ok(())
    } else {
        Err(ParamError::Share { name, found, most })
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

    /// How many of the best survive: `round(elite * population)`.
    pub fn elite_size(&self) -> usize {
        ((self.0.elite * self.0.population as f64).round() as usize).min(self.0.population - 1)
    }
}
