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
    /// These settings where they say something, `base` where they do not.
    pub(crate) fn over(self, base: Self) -> Self {
        Self {
            population: self.population.or(base.population),
            crossover_rate: self.crossover_rate.or(base.crossover_rate),
            tournament: self.tournament.or(base.tournament),
            elite: self.elite.or(base.elite),
        }
    }

    /// The usual loop of a method, with these settings in its place.
    pub(crate) fn resolve(&self, usual: GenerationalParams) -> GenerationalParams {
        GenerationalParams {
            population: self.population.unwrap_or(usual.population),
            crossover_rate: self.crossover_rate.unwrap_or(usual.crossover_rate),
            tournament: self.tournament.unwrap_or(usual.tournament),
            elite: self.elite.unwrap_or(usual.elite),
        }
    }

    /// The name of a setting that is given, if any is.
    pub(crate) fn given(&self) -> Option<&'static str> {
        self.population.map(|_| "population").or_else(|| self.of_tournaments())
    }

    /// A setting other than the population, if one is given: methods without tournaments have
    /// none of them.
    pub(crate) fn of_tournaments(&self) -> Option<&'static str> {
        let given = [
            ("crossover_rate", self.crossover_rate.is_some()),
            ("tournament", self.tournament.is_some()),
            ("elite", self.elite.is_some()),
        ];
        given.into_iter().find(|(_, given)| *given).map(|(name, _)| name)
    }
}
