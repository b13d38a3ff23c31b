//! Locality: the edit distance between networks whose genotypes differ by one or two bits (the
//! paper's table and figure of that name).
//!
//! A random genotype is kept if its network has the wanted number of hidden neurons. Bits are
//! flipped anywhere in the genotype, as by a mutation, even where the mapping never reads it. The
//! distance to an individual that maps to no network is the size of the whole tree.

use super::AnalysedRepresentation;
use crate::ExperimentError;
use mge::net::Network;
use mge::random::{Purpose, Stream};
use mge_stats::Moments;
use mge_stats::tree::{edit_distance, expression_tree};
use rayon::prelude::*;
use serde::Serialize;

/// The sample of the locality analysis.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct LocalityOptions {
    /// The numbers of hidden neurons. Default 2 to 9.
    pub sizes: Vec<usize>,
    /// The number of networks of each size. Default 5000.
    pub individuals: usize,
    /// The seed. Default 1.
    pub seed: u64,
}

impl Default for LocalityOptions {
    fn default() -> Self {
        Self { sizes: (2..=9).collect(), individuals: 5000, seed: 1 }
    }
}

/// The effect of one and of two flipped bits.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Locality {
    /// The distances for each size.
    pub sizes: Vec<SizeLocality>,
    /// The distance over all sizes, after one bit and after two.
    pub all: [Moments; 2],
    /// The distance of mutants whose network changed; `None` if there are none.
    pub changed: [Option<Moments>; 2],
    /// The fraction of mutants whose network did not change, after one bit and after two.
    pub silent: [f64; 2],
    /// The fraction of mutants that map to no network, after one bit and after two.
    pub invalid: [f64; 2],
}

/// The locality of networks of one size.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SizeLocality {
    /// The number of hidden neurons.
    pub neurons: usize,
    /// The distance after one bit and after two.
    pub distance: [Moments; 2],
}

/// The effect of a mutation.
#[derive(Debug, Clone, Copy)]
struct MutationEffect {
    distance: f64,
    is_invalid: bool,
}

/// The largest number of genotypes that are tried for a network of the wanted size.
const MAX_TRIES: u64 = 1_000_000;

/// Measures the locality of a representation.
pub fn locality<R: AnalysedRepresentation>(
    representation: &R,
    options: &LocalityOptions,
) -> Result<Locality, ExperimentError> {
    let mut sizes = Vec::with_capacity(options.sizes.len());
    let mut all: Vec<[MutationEffect; 2]> = Vec::new();
    for &neurons in &options.sizes {
        let samples = (0..options.individuals as u64)
            .into_par_iter()
            .map(|index| sample(representation, neurons, options.seed, index))
            .collect::<Result<Vec<_>, _>>()?;
        sizes.push(SizeLocality { neurons, distance: moments(&samples)? });
        all.extend(samples);
    }
    let fraction = |is: fn(&MutationEffect) -> bool| {
        [0, 1].map(|bits| {
            all.iter().filter(|steps| is(&steps[bits])).count() as f64 / all.len().max(1) as f64
        })
    };
    Ok(Locality {
        sizes,
        all: moments(&all)?,
        changed: [0, 1].map(|bits| {
            let distances = all.iter().map(|steps| steps[bits].distance);
            Moments::of(&distances.filter(|&distance| distance > 0.0).collect::<Vec<_>>()).ok()
        }),
        silent: fraction(|step| step.distance == 0.0),
        invalid: fraction(|step| step.is_invalid),
    })
}

fn moments(samples: &[[MutationEffect; 2]]) -> Result<[Moments; 2], ExperimentError> {
    let of = |bits: usize| {
        let distances: Vec<f64> = samples.iter().map(|steps| steps[bits].distance).collect();
        Moments::of(&distances)
    };
    Ok([of(0)?, of(1)?])
}

/// Flips one bit and two bits of a random individual.
fn sample<C: AnalysedRepresentation>(
    representation: &C,
    neurons: usize,
    seed: u64,
    index: u64,
) -> Result<[MutationEffect; 2], ExperimentError> {
    let mut stream = Stream::at(seed, Purpose::Initialisation, neurons as u64, index);
    let (genome, network) = of_size(representation, neurons, &mut stream)?;
    let mut flips = Stream::at(seed, Purpose::Mutation, neurons as u64, index);
    let bits = representation.bits(&genome);
    let single = flips.index(bits);
    let first = flips.index(bits);
    // Never the same bit as the first.
    let second = (first + 1 + flips.index(bits - 1)) % bits;
    let tree = expression_tree(&network);
    Ok([vec![single], vec![first, second]].map(|bits| {
        let mutant = representation.flipped(&genome, &bits, &mut flips);
        match representation.network(&mutant) {
            Some(mutant) => MutationEffect {
                distance: edit_distance(&tree, &expression_tree(&mutant)) as f64,
                is_invalid: false,
            },
            None => MutationEffect { distance: tree.size() as f64, is_invalid: true },
        }
    }))
}

/// A random genotype whose network has this many hidden neurons.
fn of_size<C: AnalysedRepresentation>(
    representation: &C,
    neurons: usize,
    stream: &mut Stream,
) -> Result<(C::Genome, Network), ExperimentError> {
    for _ in 0..MAX_TRIES {
        let genome = representation.random(neurons, stream);
        match representation.network(&genome) {
            Some(network) if network.neurons().len() == neurons => return Ok((genome, network)),
            _ => {}
        }
    }
    let reason = format!("none of {MAX_TRIES} random genotypes has {neurons} neurons");
    Err(ExperimentError::Grammar { reason })
}

#[cfg(test)]
mod tests {
    use super::super::{
        DsgeRepresentation, GeCrossover, GeRepresentation, MgeRepresentation, SgeRepresentation,
    };
    use super::*;

    #[test]
    fn the_distance_of_mge_does_not_grow_with_the_network() {
        let plan = LocalityOptions { sizes: vec![2, 9], individuals: 300, seed: 3 };
        let found = locality(&MgeRepresentation::new().unwrap(), &plan).unwrap();
        let [small, large] = [0, 1].map(|index| found.sizes[index].distance[0].mean);
        assert!(large < 2.0 * small + 0.5, "{small} {large}");
        assert!(found.all[1].mean > found.all[0].mean, "two bits change more");
        let changed = found.changed[0].unwrap();
        assert!((changed.mean * (1.0 - found.silent[0]) - found.all[0].mean).abs() < 1e-9);
        assert!(found.silent[0] > 0.5, "most codons are never read: {:?}", found.silent);
        assert_eq!(found, locality(&MgeRepresentation::new().unwrap(), &plan).unwrap());
    }

    #[test]
    fn structured_genotypes_are_never_invalid_and_dsge_reads_every_codon() {
        let plan = LocalityOptions { sizes: vec![2, 4], individuals: 300, seed: 3 };
        let ge = locality(&GeRepresentation::new(GeCrossover::OnePoint).unwrap(), &plan).unwrap();
        let sge = locality(&SgeRepresentation::new(9).unwrap(), &plan).unwrap();
        let dsge = locality(&DsgeRepresentation::new().unwrap(), &plan).unwrap();
        assert_eq!((sge.invalid, dsge.invalid), ([0.0; 2], [0.0; 2]));
        assert!(ge.silent[0] > 0.5 && sge.silent[0] > 0.5, "{:?} {:?}", ge.silent, sge.silent);
        assert!(dsge.silent[0] < 0.1, "{:?}", dsge.silent);
        for found in [&ge, &sge, &dsge] {
            assert!(found.changed[0].unwrap().deviation > 1.0, "some bits change much: {found:?}");
        }
    }
}
