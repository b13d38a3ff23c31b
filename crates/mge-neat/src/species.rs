//! Speciation (section 3.3): the distance of genomes, their species, and the number of offspring of
//! each species.
//!
//! Invariant: the members of all species together are the population, each exactly once, and in
//! each species the fittest comes first.

use crate::genome::Genome;
use crate::params::CheckedNeat;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

/// The compatibility distance: a weighted sum of excess genes, disjoint genes, and the mean
/// difference of the weights of matching genes. Counts are divided by the size of the larger
/// genome unless both are small.
pub fn distance(one: &Genome, other: &Genome, params: &CheckedNeat) -> f64 {
    let raw = params.raw();
    let (mut a, mut b) = (one.links.as_slice(), other.links.as_slice());
    let (mut matching, mut disjoint) = (0u32, 0u32);
    let mut difference = 0.0;
    while let ([first, rest_a @ ..], [second, rest_b @ ..]) = (a, b) {
        match first.innovation.cmp(&second.innovation) {
            std::cmp::Ordering::Equal => {
                matching += 1;
                difference += f64::from((first.weight - second.weight).abs());
                (a, b) = (rest_a, rest_b);
            }
            std::cmp::Ordering::Less => {
                disjoint += 1;
                a = rest_a;
            }
            std::cmp::Ordering::Greater => {
                disjoint += 1;
                b = rest_b;
            }
        }
    }
    let excess = a.len() + b.len();
    let larger = one.links.len().max(other.links.len());
    let size = if larger >= raw.normalise_from { larger.max(1) as f64 } else { 1.0 };
    (raw.excess * excess as f64 + raw.disjoint * f64::from(disjoint)) / size
        + raw.weight_difference * difference / f64::from(matching.max(1))
}

/// A species.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Species {
    /// Its number. No other species of the run has it.
    pub id: u64,
    /// Indices of its members in the population, the fittest first.
    pub members: Vec<u32>,
    /// The lowest loss of any member so far.
    pub best_loss: f64,
    /// The generation in which that loss was reached.
    pub improved: u64,
}

/// A species that has offspring, and one of its genomes. New genomes are compared with that one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Representative {
    /// The index of the species.
    pub species: usize,
    /// The index of the genome.
    pub genome: u32,
}

/// The species of each genome, as an index into the representatives: the first one that is closer
/// than the threshold. A genome that is close to none founds a new species and represents it. New
/// species follow the given ones, in the order of their founders.
pub fn assign(
    genomes: &[Genome],
    representatives: &[&Genome],
    threshold: f64,
    params: &CheckedNeat,
) -> Vec<usize> {
    let is_close = |genome: &Genome, other: &Genome| distance(genome, other, params) < threshold;
    let known = |genome: &Genome| representatives.iter().position(|other| is_close(genome, other));
    let known: Vec<Option<usize>> =
        genomes.par_iter().with_min_len(GENOMES_PER_TASK).map(known).collect();
    let mut founders: Vec<&Genome> = Vec::new();
    let mut species_of = Vec::with_capacity(genomes.len());
    for (genome, known) in genomes.iter().zip(known) {
        let species = known.unwrap_or_else(|| {
            let found = founders.iter().position(|other| is_close(genome, other));
            representatives.len() + found.unwrap_or(founders.len())
        });
        if species == representatives.len() + founders.len() {
            founders.push(genome);
        }
        species_of.push(species);
    }
    species_of
}

/// Genomes that a thread takes at once.
const GENOMES_PER_TASK: usize = 32;

/// The fitness by which species share offspring: positive, higher is fitter. For the cross-entropy
/// it is the geometric mean of the probabilities of the true classes.
pub fn fitness(loss: f64) -> f64 {
    libm::exp(-loss)
}

/// Apportions `seats` in proportion to the weights, by the method of largest remainders. Among equal
/// remainders the first one wins. Equal counts where no weight is above zero.
pub fn apportion(weights: &[f64], seats: usize) -> Vec<usize> {
    let total: f64 = weights.iter().sum();
    let fraction =
        |&weight: &f64| if total > 0.0 { weight / total } else { 1.0 / weights.len() as f64 };
    let quotas: Vec<f64> = weights.iter().map(|w| fraction(w) * seats as f64).collect();
    let mut counts: Vec<usize> = quotas.iter().map(|&quota| quota as usize).collect();
    let mut order: Vec<usize> = (0..weights.len()).collect();
    let remainder = |&index: &usize| quotas[index] - counts[index] as f64;
    order.sort_by(|a, b| remainder(b).total_cmp(&remainder(a)));
    let given: usize = counts.iter().sum();
    for &index in order.iter().cycle().take(seats.saturating_sub(given)) {
        counts[index] += 1;
    }
    counts
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{LinkGene, NeatParams, NodeId, Shape};
    use proptest::prelude::*;

    const SHAPE: Shape = Shape { inputs: 40, outputs: 1 };

    fn params(change: impl Fn(&mut NeatParams)) -> CheckedNeat {
        let mut raw = NeatParams::default();
        change(&mut raw);
        raw.check(SHAPE).unwrap()
    }

    fn genome(genes: &[(u32, f32)]) -> Genome {
        let link = |&(innovation, weight): &(u32, f32)| LinkGene {
            innovation,
            from: NodeId(innovation),
            to: SHAPE.output(0),
            weight,
            enabled: true,
        };
        Genome::new(SHAPE, Vec::new(), genes.iter().map(link).collect()).unwrap()
    }

    /// The parents of figure 4 of the paper: numbers 1 2 3 4 5 8 and 1 2 3 4 5 6 7 9 10.
    #[test]
    fn the_distance_counts_excess_disjoint_and_weights() {
        let one = genome(&[(1, 0.0), (2, 0.0), (3, 0.0), (4, 0.0), (5, 1.0), (8, 9.0)]);
        let other: Vec<_> = [1, 2, 3, 4, 5, 6, 7, 9, 10].map(|n| (n, 0.5)).to_vec();
        let other = genome(&other);
        // 2 excess (9, 10), 3 disjoint (6, 7, 8), mean difference 0.5.
        let small = params(|p| (p.excess, p.disjoint) = (1.0, 10.0));
        assert_eq!(distance(&one, &other, &small), 2.0 + 30.0 + 0.4 * 0.5);
        assert_eq!(distance(&other, &one, &small), 2.0 + 30.0 + 0.4 * 0.5);
        let normalised = params(|p| p.normalise_from = 9);
        assert_eq!(distance(&one, &other, &normalised), 5.0 / 9.0 + 0.4 * 0.5);
        assert_eq!(distance(&one, &one, &small), 0.0);
        assert_eq!(distance(&one, &genome(&[]), &small), 6.0);
    }

    #[test]
    fn genomes_join_the_first_species_that_is_close() {
        let at = |weight| genome(&[(0, weight)]);
        let params = params(|p| p.weight_difference = 1.0);
        let (low, high) = (at(0.0), at(10.0));
        let genomes = [at(10.5), at(0.5), at(5.0), at(5.5), at(20.0), at(1.5)];
        let species = assign(&genomes, &[&low, &high], 1.0, &params);
        assert_eq!(species, [1, 0, 2, 2, 3, 4]);
    }

    #[test]
    fn seats_go_to_the_largest_remainders() {
        assert_eq!(apportion(&[1.0, 1.0, 2.0], 8), [2, 2, 4]);
        assert_eq!(apportion(&[1.0, 1.0, 1.0], 8), [3, 3, 2]);
        assert_eq!(apportion(&[0.0, 0.0], 3), [2, 1]);
        assert_eq!(apportion(&[0.0, 0.3], 3), [0, 3]);
    }

    proptest! {
        #[test]
        fn seats_add_up(weights in prop::collection::vec(0.0..1.0f64, 1..40), seats in 0..500usize) {
            let counts = apportion(&weights, seats);
            prop_assert_eq!(counts.iter().sum::<usize>(), seats);
            let total: f64 = weights.iter().sum();
            for (&count, weight) in counts.iter().zip(weights) {
                if total > 0.0 {
                    prop_assert!((count as f64 - weight / total * seats as f64).abs() <= 1.0 + 1e-9);
                }
            }
        }
    }
}
