//! Scalability: how fast networks grow if fitness is the number of connections (the paper's figure
//! of that name).

use super::AnalysedRepresentation;
use crate::ExperimentError;
use mge::evolve::{Evaluate, Evaluation, Generational, GenerationalParams, Run, StopRules};
use mge::net::Size;
use rayon::prelude::*;
use serde::Serialize;

/// The runs of the scalability analysis.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct GrowthOptions {
    /// The number of generations of a run. Default 500.
    pub generations: u64,
    /// The number of runs. Default 30.
    pub runs: usize,
    /// The population size. Default 200.
    pub population: usize,
    /// The seed of the first run; each further run adds one. Default 1.
    pub seed: u64,
}

impl Default for GrowthOptions {
    fn default() -> Self {
        Self { generations: 500, runs: 30, population: 200, seed: 1 }
    }
}

/// The number of connections at each generation, the mean of all runs.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct GrowthCurves {
    /// Of the best individual.
    pub best: Vec<f64>,
    /// The mean of the valid individuals of the population.
    pub mean: Vec<f64>,
}

/// The fitness: more connections are better.
struct Connections<'c, C>(&'c C);

impl<C: AnalysedRepresentation> Evaluate<C::Genome> for Connections<'_, C> {
    fn evaluate(&self, genomes: &[C::Genome]) -> Vec<Evaluation> {
        let evaluate = |genome: &C::Genome| match self.0.network(genome) {
            Some(network) => Evaluation::valid(-(Size::of(&network).connections as f64)),
            None => Evaluation::invalid(),
        };
        genomes.iter().map(evaluate).collect()
    }
}

/// Measures the growth of networks.
pub fn scalability<C: AnalysedRepresentation>(
    representation: &C,
    options: &GrowthOptions,
) -> Result<GrowthCurves, ExperimentError> {
    let unusable =
        |error: &dyn std::fmt::Display| ExperimentError::Grammar { reason: error.to_string() };
    let params = GenerationalParams { population: options.population, ..Default::default() };
    let params = params.check().map_err(|e| unusable(&e))?;
    let stop = StopRules { generations: Some(options.generations), ..Default::default() };
    let stop = stop.check().map_err(|e| unusable(&e))?;
    let histories = (0..options.runs as u64)
        .into_par_iter()
        .map(|run| {
            let (variation, seed) = (representation.variation(), options.seed.wrapping_add(run));
            let search =
                Generational::new(variation, Connections(representation), params.clone(), seed);
            let outcome = Run::new(&search, stop.clone()).run().map_err(|e| unusable(&e))?;
            Ok(outcome.state.history().to_vec())
        })
        .collect::<Result<Vec<_>, ExperimentError>>()?;
    let average = |loss: fn(&mge::evolve::Record) -> f64| {
        (0..options.generations as usize)
            .map(|generation| {
                let values = histories.iter().map(|history| -loss(&history[generation]));
                let valid: Vec<f64> = values.filter(|value| value.is_finite()).collect();
                valid.iter().sum::<f64>() / valid.len().max(1) as f64
            })
            .collect()
    };
    Ok(GrowthCurves { best: average(|r| r.best_loss), mean: average(|r| r.mean_loss) })
}

#[cfg(test)]
mod tests {
    use super::super::MgeRepresentation;
    use super::*;

    #[test]
    fn networks_of_mge_grow() {
        let options = GrowthOptions { generations: 40, runs: 2, population: 30, seed: 1 };
        let growth = scalability(&MgeRepresentation::new().unwrap(), &options).unwrap();
        assert_eq!(growth.best.len(), 40);
        assert!(growth.best[39] > growth.best[0], "{:?}", growth.best);
        assert!(growth.best.iter().zip(&growth.mean).all(|(best, mean)| best >= mean));
    }
}
