//! A population and its replacement by the next one (section "Selection Mechanisms").
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

/// One generation of a run's history.
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
#[serde(bound(deserialize = "G: Deserialize<'de>"))]
pub struct Population<G> {
    members: Vec<Individual<G>>,
    history: Vec<Record>,
    #[serde(skip)]
    recycled: RecycledGenomes<G>,
}

/// Genomes that were replaced, kept for their memory. They are not part of the state: a copy has
/// none, and comparison ignores them.
#[derive(Debug)]
struct RecycledGenomes<G>(Vec<G>);

impl<G> Default for RecycledGenomes<G> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<G> Clone for RecycledGenomes<G> {
    fn clone(&self) -> Self {
        Self::default()
    }
}

impl<G> PartialEq for RecycledGenomes<G> {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

/// A member of the next population, by its index in the old one or among the offspring.
#[derive(Debug, Clone, Copy)]
enum Survivor {
    Elite(usize),
    Offspring(usize),
}

impl<G> Population<G> {
    pub(super) fn first(genomes: Vec<G>, evaluations: Vec<Evaluation>) -> Self {
        let size = genomes.len();
        let invalid = InvalidCounts::of(&evaluations);
        let losses = evaluations.into_iter().map(|evaluation| evaluation.loss);
        let mut members: Vec<_> = genomes
            .into_iter()
            .zip(losses)
            .map(|(genome, loss)| Individual { genome, loss })
            .collect();
        members.sort_by_key(|member| sort_key(member.loss));
        let mut population =
            Self { members, history: Vec::new(), recycled: RecycledGenomes::default() };
        population.history.push(population.record(size as u64, invalid));
        population
    }

    /// Genomes whose content is no longer needed.
    pub(super) fn take_recycled(&mut self) -> Vec<G> {
        std::mem::take(&mut self.recycled.0)
    }

    /// Keeps the `elite` best members and fills the rest with the best offspring (decision 11).
    /// Among equals the elite comes first, then the one with the lower index.
    pub(super) fn replace(
        &mut self,
        mut offspring: Vec<G>,
        evaluations: Vec<Evaluation>,
        elite: usize,
    ) {
        let size = self.members.len();
        let invalid = InvalidCounts::of(&evaluations);
        // An elite member only moves to a higher index. From the last index down, the member that
        // is overwritten is therefore not needed any more.
        for (index, from) in self.survivors(&evaluations, elite).into_iter().enumerate().rev() {
            match from {
                Survivor::Elite(member) => self.members.swap(index, member),
                Survivor::Offspring(source) => {
                    let member = &mut self.members[index];
                    std::mem::swap(&mut member.genome, &mut offspring[source]);
                    member.loss = evaluations[source].loss;
                }
            }
        }
        self.recycled.0 = offspring;
        self.history.push(self.record(size as u64, invalid));
    }

    /// The next population, the fittest first.
    fn survivors(&self, evaluations: &[Evaluation], elite: usize) -> Vec<Survivor> {
        let size = self.members.len();
        // Keys and indices are sorted instead of genomes: they are small and fast to compare.
        let key =
            |(index, evaluation): (usize, &Evaluation)| (sort_key(evaluation.loss), index as u32);
        let mut order: Vec<(i64, u32)> = evaluations.iter().enumerate().map(key).collect();
        order.sort_unstable();
        let mut offspring = order.into_iter().take(size - elite).peekable();
        let mut next = Vec::with_capacity(size);
        for (index, member) in self.members[..elite].iter().enumerate() {
            let loss = sort_key(member.loss);
            while let Some((_, better)) = offspring.next_if(|&(key, _)| key < loss) {
                next.push(Survivor::Offspring(better as usize));
            }
            next.push(Survivor::Elite(index));
        }
        next.extend(offspring.map(|(_, index)| Survivor::Offspring(index as usize)));
        next
    }

    fn record(&self, evaluated: u64, invalid: InvalidCounts) -> Record {
        let valid = self.members.partition_point(|member| member.loss.is_finite());
        let mean_loss = if valid == 0 {
            f64::INFINITY
        } else {
            self.members[..valid].iter().map(|member| member.loss).sum::<f64>() / valid as f64
        };
        Record {
            generation: self.generation() + 1,
            evaluations: self.history.last().map_or(0, |last| last.evaluations) + evaluated,
            best_loss: self.members[0].loss,
            mean_loss,
            invalid_individuals: invalid.individuals,
            invalid_parts: invalid.parts,
        }
    }

    /// Whether a search with populations of this size can have this state.
    pub(super) fn is_valid(&self, size: usize) -> bool {
        self.members.len() == size
            && self.members.is_sorted_by(|a, b| a.loss.total_cmp(&b.loss).is_le())
            && !self.history.is_empty()
            && self.history.iter().zip(1..).all(|(record, generation)| {
                record.generation == generation && record.evaluations == generation * size as u64
            })
    }

    /// The members, the fittest first.
    pub fn members(&self) -> &[Individual<G>] {
        &self.members
    }

    /// The fittest member.
    pub fn best(&self) -> &Individual<G> {
        &self.members[0]
    }

    /// Distinct losses divided by members: 1 when no two losses are equal. Individuals with equal
    /// outputs on every row have the same loss, whatever their genes are. All invalid ones count
    /// as equal.
    pub fn diversity(&self) -> f64 {
        let changes = self.members.windows(2).filter(|pair| pair[0].loss != pair[1].loss).count();
        (changes + 1) as f64 / self.members.len() as f64
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

/// An integer for each loss, in the order of [`f64::total_cmp`].
fn sort_key(loss: f64) -> i64 {
    let bits = loss.to_bits() as i64;
    bits ^ (((bits >> 63) as u64) >> 1) as i64
}

/// How much of a generation mapped to nothing.
struct InvalidCounts {
    individuals: u64,
    parts: u64,
}

impl InvalidCounts {
    fn of(evaluations: &[Evaluation]) -> Self {
        Self {
            individuals: evaluations.iter().filter(|e| e.loss.is_infinite()).count() as u64,
            parts: evaluations.iter().map(|e| u64::from(e.invalid_parts)).sum(),
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
    fn among_equals_the_elite_comes_first_then_the_lower_index() {
        let mut population = Population::first(vec!["a", "b", "c"], evaluations(&[1.0, 1.0, 2.0]));
        population.replace(vec!["d", "e", "f"], evaluations(&[2.0, 1.0, 1.0]), 2);
        let names: Vec<_> = population.members().iter().map(|m| m.genome).collect();
        assert_eq!(names, ["a", "b", "e"]);
        let losses = [f64::INFINITY, 0.0, 1e-300, 2.5, f64::MAX];
        for one in losses {
            for other in losses {
                assert_eq!(sort_key(one).cmp(&sort_key(other)), one.total_cmp(&other));
            }
        }
    }

    #[test]
    fn equal_losses_count_once_in_the_diversity() {
        let diversity = |losses: &[f64]| {
            Population::first(vec![(); losses.len()], evaluations(losses)).diversity()
        };
        assert_eq!(diversity(&[3.0, 1.0, 2.0, 4.0]), 1.0);
        assert_eq!(diversity(&[1.0, 2.0, 1.0, 2.0]), 0.5);
        assert_eq!(diversity(&[f64::NAN, f64::INFINITY, f64::INFINITY, 1.0]), 0.5);
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
