//! Locality: the edit distance between networks whose genotypes differ by one or two bits (the
//! paper's table and figure of that name).
//!
//! A random genotype of each size is kept when its network has that many hidden neurons. Bits are
//! flipped anywhere in the genotype, also where it is never read, as a mutation does. The distance
//! to an individual that maps to nothing is the size of the whole tree.

use super::Codec;
use crate::ExperimentError;
use mge::net::Network;
use mge::random::{Purpose, Stream};
use mge_stats::Moments;
use mge_stats::tree::{edit_distance, evaluation_tree};
use rayon::prelude::*;
use serde::Serialize;

/// What is sampled.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct LocalityPlan {
    /// Hidden neurons of the networks. Default 2 to 9.
    pub sizes: Vec<usize>,
    /// Networks of each size. Default 5000.
    pub individuals: usize,
    /// Default 1.
    pub seed: u64,
}

impl Default for LocalityPlan {
    fn default() -> Self {
        Self { sizes: (2..=9).collect(), individuals: 5000, seed: 1 }
    }
}

/// What one and two flipped bits do.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Locality {
    /// For each size.
    pub sizes: Vec<SizeLocality>,
    /// All sizes together: one bit, two bits.
    pub all: [Moments; 2],
    /// The same for mutants whose network changed at all; `None` if there is none.
    pub changed: [Option<Moments>; 2],
    /// Share of mutants whose network did not change: one bit, two bits.
    pub silent: [f64; 2],
    /// Share of mutants that map to nothing: one bit, two bits.
    pub invalid: [f64; 2],
}

/// Networks of one size.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SizeLocality {
    /// Hidden neurons.
    pub neurons: usize,
    /// The distance after one bit and after two.
    pub distance: [Moments; 2],
}

/// A distance, and whether the mutant was invalid.
type Step = (f64, bool);

/// Genotypes that are tried for a network of the right size.
const MOST_TRIES: u64 = 1_000_000;

/// Measures the locality of a representation.
pub fn locality<C: Codec>(coding: &C, plan: &LocalityPlan) -> Result<Locality, ExperimentError> {
    let mut sizes = Vec::with_capacity(plan.sizes.len());
    let mut all: Vec<[Step; 2]> = Vec::new();
    for &neurons in &plan.sizes {
        let samples = (0..plan.individuals as u64)
            .into_par_iter()
            .map(|index| sample(coding, neurons, plan.seed, index))
            .collect::<Result<Vec<_>, _>>()?;
        sizes.push(SizeLocality { neurons, distance: moments(&samples)? });
        all.extend(samples);
    }
    let share = |is: fn(&Step) -> bool| {
        [0, 1].map(|bits| {
            all.iter().filter(|steps| is(&steps[bits])).count() as f64 / all.len().max(1) as f64
        })
    };
    Ok(Locality {
        sizes,
        all: moments(&all)?,
        changed: [0, 1].map(|bits| {
            let distances = all.iter().map(|steps| steps[bits].0);
            Moments::of(&distances.filter(|&distance| distance > 0.0).collect::<Vec<_>>()).ok()
        }),
        silent: share(|step| step.0 == 0.0),
        invalid: share(|step| step.1),
    })
}

fn moments(samples: &[[Step; 2]]) -> Result<[Moments; 2], ExperimentError> {
    let of = |bits: usize| {
        let distances: Vec<f64> = samples.iter().map(|steps| steps[bits].0).collect();
        Moments::of(&distances)
    };
    Ok([of(0)?, of(1)?])
}

/// One random individual and its two mutants.
fn sample<C: Codec>(
    coding: &C,
    neurons: usize,
    seed: u64,
    index: u64,
) -> Result<[Step; 2], ExperimentError> {
    let mut stream = Stream::at(seed, Purpose::Initialisation, neurons as u64, index);
    let (genome, network) = of_size(coding, neurons, &mut stream)?;
    let mut flips = Stream::at(seed, Purpose::Mutation, neurons as u64, index);
    let bits = coding.bits(&genome);
    let single = flips.index(bits);
    let first = flips.index(bits);
    // Another bit than the first.
    let second = (first + 1 + flips.index(bits - 1)) % bits;
    let tree = evaluation_tree(&network);
    Ok([vec![single], vec![first, second]].map(|places| {
        let mutant = coding.flipped(&genome, &places, &mut flips);
        match coding.network(&mutant) {
            Some(mutant) => (edit_distance(&tree, &evaluation_tree(&mutant)) as f64, false),
            None => (tree.size() as f64, true),
        }
    }))
}

fn of_size<C: Codec>(
    coding: &C,
    neurons: usize,
    stream: &mut Stream,
) -> Result<(C::Genome, Network), ExperimentError> {
    for _ in 0..MOST_TRIES {
        let genome = coding.random(neurons, stream);
        match coding.network(&genome) {
            Some(network) if network.neurons().len() == neurons => return Ok((genome, network)),
            _ => {}
        }
    }
    let reason = format!("none of {MOST_TRIES} random genotypes has {neurons} neurons");
    Err(ExperimentError::Grammar { reason })
}

#[cfg(test)]
mod tests {
    use super::super::{DsgeCoding, GeCoding, GeCrossover, MgeCoding, SgeCoding};
    use super::*;

    #[test]
    fn the_step_of_mge_does_not_grow_with_the_network() {
        let plan = LocalityPlan { sizes: vec![2, 9], individuals: 300, seed: 3 };
        let found = locality(&MgeCoding::new().unwrap(), &plan).unwrap();
        let [small, large] = [0, 1].map(|place| found.sizes[place].distance[0].mean);
        assert!(large < 2.0 * small + 0.5, "{small} {large}");
        assert!(found.all[1].mean > found.all[0].mean, "two bits move further");
        let changed = found.changed[0].unwrap();
        assert!((changed.mean * (1.0 - found.silent[0]) - found.all[0].mean).abs() < 1e-9);
        assert!(found.silent[0] > 0.5, "most codons are never read: {:?}", found.silent);
        assert_eq!(found, locality(&MgeCoding::new().unwrap(), &plan).unwrap());
    }

    #[test]
    fn structured_genotypes_never_break_and_dsge_reads_every_codon() {
        let plan = LocalityPlan { sizes: vec![2, 4], individuals: 300, seed: 3 };
        let ge = locality(&GeCoding::new(GeCrossover::OnePoint).unwrap(), &plan).unwrap();
        let sge = locality(&SgeCoding::new(9).unwrap(), &plan).unwrap();
        let dsge = locality(&DsgeCoding::new().unwrap(), &plan).unwrap();
        assert_eq!((sge.invalid, dsge.invalid), ([0.0; 2], [0.0; 2]));
        assert!(ge.silent[0] > 0.5 && sge.silent[0] > 0.5, "{:?} {:?}", ge.silent, sge.silent);
        assert!(dsge.silent[0] < 0.1, "{:?}", dsge.silent);
        for found in [&ge, &sge, &dsge] {
            assert!(found.changed[0].unwrap().deviation > 1.0, "some bits move much: {found:?}");
        }
    }
}
