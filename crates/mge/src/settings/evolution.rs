//! Settings of the evolutionary loop that the grammar methods share.

use mge_evolve::GenerationalParams;
use serde::{Deserialize, Serialize};

/// The evolutionary loop; see [`GenerationalParams`] for when to change what.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[allow(missing_docs, reason = "documented on GenerationalParams")]
pub struct EvolutionSettings {
    pub population: Option<usize>,
    pub crossover_rate: Option<f64>,
    pub tournament: Option<usize>,
    pub elite: Option<f64>,
}

impl EvolutionSettings {
    /// Each of these settings if it is given, else that of `base`.
    pub(crate) fn over(self, base: Self) -> Self {
        Self {
            population: self.population.or(base.population),
            crossover_rate: self.crossover_rate.or(base.crossover_rate),
            tournament: self.tournament.or(base.tournament),
            elite: self.elite.or(base.elite),
        }
    }

    /// The default loop of a method, overridden by these settings.
    pub(crate) fn resolve(&self, default: GenerationalParams) -> GenerationalParams {
        GenerationalParams {
            population: self.population.unwrap_or(default.population),
            crossover_rate: self.crossover_rate.unwrap_or(default.crossover_rate),
            tournament: self.tournament.unwrap_or(default.tournament),
            elite: self.elite.unwrap_or(default.elite),
        }
    }
}
