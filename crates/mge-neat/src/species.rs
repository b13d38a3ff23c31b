//! Speciation (section 3.3): how far genomes are apart, which species they belong to, and how
//! many offspring each species may have.
//!
//! Invariant: the members of all species together are the population, each exactly once, and in
//! each species the fittest comes first.

use crate::genome::Genome;
use crate::params::CheckedNeat;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

/// The compatibility distance: excess and disjoint genes, divided by the size of the larger
/// genome unless both are small, and the mean difference of the weights of matching genes.
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
    /// Its name, never used again.
    pub id: u64,
    /// Places of its members in the population, the fittest first.
    pub members: Vec<u32>,
    /// The least loss that any member ever had.
    pub best_loss: f64,
    /// The generation in which that was reached.
    pub improved: u64,
}

/// The species of each genome: the first whose representative is closer than the threshold. The
/// given representatives come first; genomes that are close to none found further species, in
/// their own order, and represent them.
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
    let mut homes = Vec::with_capacity(genomes.len());
    for (genome, known) in genomes.iter().zip(known) {
        let home = known.unwrap_or_else(|| {
            let found = founders.iter().position(|other| is_close(genome, other));
            representatives.len() + found.unwrap_or(founders.len())
        });
        if home == representatives.len() + founders.len() {
            founders.push(genome);
        }
        homes.push(home);
    }
    homes
}

/// Genomes handed to a thread at once.
const GENOMES_PER_TASK: usize = 32;

/// The fitness that species share: positive, and higher is fitter. For the cross-entropy it is
/// the geometric mean of the probabilities of the true classes.
pub fn fitness(loss: f64) -> f64 {
    libm::exp(-loss)
}

/// Divides `places` among species in proportion to their shares, whole and in all, by the largest
/// remainders; the first of equals. Where no share is above zero all are alike.
pub fn allot(shares: &[f64], places: usize) -> Vec<usize> {
    let total: f64 = shares.iter().sum();
    let share = |&share: &f64| if total > 0.0 { share / total } else { 1.0 / shares.len() as f64 };
    let quotas: Vec<f64> = shares.iter().map(|s| share(s) * places as f64).collect();
    let mut counts: Vec<usize> = quotas.iter().map(|&quota| quota as usize).collect();
    let mut order: Vec<usize> = (0..shares.len()).collect();
    let rest = |&index: &usize| quotas[index] - counts[index] as f64;
    order.sort_by(|a, b| rest(b).total_cmp(&rest(a)));
    let given: usize = counts.iter().sum();
    for &index in order.iter().cycle().take(places.saturating_sub(given)) {
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
    fn distance_by_hand() {
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
    fn places_by_hand() {
        assert_eq!(allot(&[1.0, 1.0, 2.0], 8), [2, 2, 4]);
        assert_eq!(allot(&[1.0, 1.0, 1.0], 8), [3, 3, 2]);
        assert_eq!(allot(&[0.0, 0.0], 3), [2, 1]);
        assert_eq!(allot(&[0.0, 0.3], 3), [0, 3]);
    }

    proptest! {
        #[test]
        fn places_add_up(shares in prop::collection::vec(0.0..1.0f64, 1..40), places in 0..500usize) {
            let counts = allot(&shares, places);
            prop_assert_eq!(counts.iter().sum::<usize>(), places);
            let total: f64 = shares.iter().sum();
            for (&count, share) in counts.iter().zip(shares) {
                if total > 0.0 {
                    prop_assert!((count as f64 - share / total * places as f64).abs() <= 1.0 + 1e-9);
                }
            }
        }
    }
}
