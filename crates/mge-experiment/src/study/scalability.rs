//! Scalability: how many connections networks come to have when nothing else counts (the paper's
//! figure of that name).

use super::Codec;
use crate::ExperimentError;
use mge::evolve::{Evaluate, Evaluation, Generational, GenerationalParams, Run, StopRules};
use mge::net::Size;
use rayon::prelude::*;
use serde::Serialize;

/// What is run.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct GrowthPlan {
    /// Generations of a run. Default 500.
    pub generations: u64,
    /// Runs. Default 30.
    pub runs: usize,
    /// Individuals of a population. Default 200.
    pub population: usize,
    /// Run r has this seed + r. Default 1.
    pub seed: u64,
}

impl Default for GrowthPlan {
    fn default() -> Self {
        Self { generations: 500, runs: 30, population: 200, seed: 1 }
    }
}

/// Connections at each generation, the mean of all runs.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Growth {
    /// Of the best individual.
    pub best: Vec<f64>,
    /// Of the population's valid members.
    pub mean: Vec<f64>,
}

/// More connections are better.
struct Connections<'c, C>(&'c C);

impl<C: Codec> Evaluate<C::Genome> for Connections<'_, C> {
    fn evaluate(&self, genomes: &[C::Genome]) -> Vec<Evaluation> {
        let evaluate = |genome: &C::Genome| match self.0.network(genome) {
            Some(network) => Evaluation::valid(-(Size::of(&network).connections as f64)),
            None => Evaluation::invalid(),
        };
        genomes.iter().map(evaluate).collect()
    }
}

/// Lets networks grow.
pub fn scalability<C: Codec>(coding: &C, plan: &GrowthPlan) -> Result<Growth, ExperimentError> {
    let unusable =
        |error: &dyn std::fmt::Display| ExperimentError::Grammar { reason: error.to_string() };
    let params = GenerationalParams { population: plan.population, ..Default::default() };
    let params = params.check().map_err(|e| unusable(&e))?;
    let stop = StopRules { generations: Some(plan.generations), ..Default::default() };
    let stop = stop.check().map_err(|e| unusable(&e))?;
    let histories = (0..plan.runs as u64)
        .into_par_iter()
        .map(|run| {
            let (variation, seed) = (coding.variation(), plan.seed.wrapping_add(run));
            let search = Generational::new(variation, Connections(coding), params.clone(), seed);
            let outcome = Run::new(&search, stop.clone()).run().map_err(|e| unusable(&e))?;
            Ok(outcome.state.history().to_vec())
        })
        .collect::<Result<Vec<_>, ExperimentError>>()?;
    let average = |figure: fn(&mge::evolve::Record) -> f64| {
        (0..plan.generations as usize)
            .map(|generation| {
                let values = histories.iter().map(|history| -figure(&history[generation]));
                let valid: Vec<f64> = values.filter(|value| value.is_finite()).collect();
                valid.iter().sum::<f64>() / valid.len().max(1) as f64
            })
            .collect()
    };
    Ok(Growth { best: average(|r| r.best_loss), mean: average(|r| r.mean_loss) })
}

#[cfg(test)]
mod tests {
    use super::super::MgeCoding;
    use super::*;

    #[test]
    fn mge_grows() {
        let plan = GrowthPlan { generations: 40, runs: 2, population: 30, seed: 1 };
        let growth = scalability(&MgeCoding::new().unwrap(), &plan).unwrap();
        assert_eq!(growth.best.len(), 40);
        assert!(growth.best[39] > growth.best[0], "{:?}", growth.best);
        assert!(growth.best.iter().zip(&growth.mean).all(|(best, mean)| best >= mean));
    }
}
