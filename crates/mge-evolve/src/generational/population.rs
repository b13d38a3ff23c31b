//! A population and how the next one is formed from it (section "Selection Mechanisms").
//!
//! Invariant: members are sorted by loss, the fittest first.

use super::Evaluation;
use crate::Progress;
use serde::{Deserialize, Serialize};

/// A genome and its loss.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Individual<G> {
    /// The genome.
    pub genome: G,
    /// Its loss; lower is fitter, infinite is invalid.
    pub loss: f64,
}

/// One line of a run's history.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Record {
    /// Populations evaluated so far.
    pub generation: u64,
    /// Individuals evaluated so far.
    pub evaluations: u64,
    /// Loss of the fittest.
    pub best_loss: f64,
    /// Mean loss of the valid members; infinite when there is none.
    pub mean_loss: f64,
    /// Individuals of this generation that mapped to nothing.
    pub invalid_individuals: u64,
    /// Parts of individuals of this generation that mapped to nothing.
    pub invalid_parts: u64,
}

/// The state of a generational search.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Population<G> {
    members: Vec<Individual<G>>,
    history: Vec<Record>,
}

impl<G> Population<G> {
    pub(super) fn first(genomes: Vec<G>, evaluations: Vec<Evaluation>) -> Self {
        let mut population = Self { members: Vec::new(), history: Vec::new() };
        population.replace(genomes, evaluations, 0);
        population
    }

    /// The `elite` best of the present members stay, the best of the offspring fill the rest
    /// (the settings round the share).
    pub(super) fn replace(&mut self, genomes: Vec<G>, evaluations: Vec<Evaluation>, elite: usize) {
        let size = genomes.len();
        let tally = Tally::of(&evaluations);
        let mut offspring: Vec<_> = genomes
            .into_iter()
            .zip(&evaluations)
            .map(|(genome, evaluation)| Individual { genome, loss: evaluation.loss })
            .collect();
        sort_fittest_first(&mut offspring);
        offspring.truncate(size - elite);
        self.members.truncate(elite);
        self.members.append(&mut offspring);
        sort_fittest_first(&mut self.members);
        self.history.push(self.record(size as u64, tally));
    }

    fn record(&self, evaluated: u64, tally: Tally) -> Record {
        let valid: Vec<f64> =
            self.members.iter().map(|m| m.loss).take_while(|loss| loss.is_finite()).collect();
        let mean_loss = if valid.is_empty() {
            f64::INFINITY
        } else {
            valid.iter().sum::<f64>() / valid.len() as f64
        };
        Record {
            generation: self.generation() + 1,
            evaluations: self.history.last().map_or(0, |last| last.evaluations) + evaluated,
            best_loss: self.members[0].loss,
            mean_loss,
            invalid_individuals: tally.invalid_individuals,
            invalid_parts: tally.invalid_parts,
        }
    }

    /// The members, the fittest first.
    pub fn members(&self) -> &[Individual<G>] {
        &self.members
    }

    /// The fittest member.
    pub fn best(&self) -> &Individual<G> {
        &self.members[0]
    }

    /// One record for each generation so far.
    pub fn history(&self) -> &[Record] {
        &self.history
    }

    /// Populations evaluated so far.
    pub fn generation(&self) -> u64 {
        self.history.len() as u64
    }

    pub(super) fn progress(&self) -> Progress {
        let last = self.history.last();
        Progress {
            generation: self.generation(),
            evaluations: last.map_or(0, |record| record.evaluations),
            best_loss: self.best().loss,
            invalid_individuals: self.history.iter().map(|r| r.invalid_individuals).sum(),
            invalid_parts: self.history.iter().map(|r| r.invalid_parts).sum(),
        }
    }
}

/// A stable sort: of equals the earlier one stays first.
fn sort_fittest_first<G>(members: &mut [Individual<G>]) {
    members.sort_by(|one, other| one.loss.total_cmp(&other.loss));
}

struct Tally {
    invalid_individuals: u64,
    invalid_parts: u64,
}

impl Tally {
    fn of(evaluations: &[Evaluation]) -> Self {
        Self {
            invalid_individuals: evaluations.iter().filter(|e| e.loss.is_infinite()).count() as u64,
            invalid_parts: evaluations.iter().map(|e| u64::from(e.invalid_parts)).sum(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn evaluations(losses: &[f64]) -> Vec<Evaluation> {
        losses.iter().map(|&loss| Evaluation::valid(loss)).collect()
    }

    #[test]
    fn elites_stay_and_the_best_offspring_fill_the_rest() {
        let mut population =
            Population::first(vec!["a", "b", "c", "d"], evaluations(&[4.0, 1.0, 3.0, 2.0]));
        population.replace(vec!["e", "f", "g", "h"], evaluations(&[9.0, 0.5, 7.0, 8.0]), 2);
        let names: Vec<_> = population.members().iter().map(|m| m.genome).collect();
        assert_eq!(names, ["f", "b", "d", "g"]);
        assert_eq!(population.progress().evaluations, 8);
        assert_eq!(population.generation(), 2);
    }

    #[test]
    fn invalid_individuals_come_last_and_are_counted() {
        let population = Population::first(
            vec!["a", "b"],
            vec![Evaluation::invalid().with_invalid_parts(3), Evaluation::valid(f64::NAN)],
        );
        assert_eq!(population.progress().invalid_individuals, 2);
        assert_eq!(population.progress().invalid_parts, 3);
        assert!(population.best().loss.is_infinite());
    }
}
