//! Initialisation and variation of genotypes: one-point crossover with a point in each parent (Ryan
//! 1998), mutation of codons, and the mutation of the length that the MGE paper adds (section
//! "Scalability").

use super::{CheckedGe, Genotype};
use mge_evolve::Representation;
use mge_random::{Stream, Trials};

/// Initialisation, crossover and mutation of genotypes.
#[derive(Debug, Clone)]
pub struct Variation {
    params: CheckedGe,
    codon_trials: Trials,
}

impl Variation {
    /// Variation with these settings.
    pub fn new(params: CheckedGe) -> Self {
        let codon_trials = Trials::new(params.raw().mutation_rate);
        Self { params, codon_trials }
    }

    fn random_codon(&self, stream: &mut Stream) -> u16 {
        (stream.bits() >> (64 - self.params.codon_bits())) as u16
    }

    /// Inserts or deletes up to `length_mutation_step` adjacent codons, either with probability 1/2,
    /// at a uniform position. The length stays between one and `max_length`.
    fn change_length(&self, codons: &mut Vec<u16>, stream: &mut Stream) {
        let raw = self.params.raw();
        let step = 1 + stream.index(raw.length_mutation_step);
        if stream.chance(0.5) {
            let step = step.min(raw.max_length - codons.len());
            let position = stream.index(codons.len() + 1);
            codons.splice(position..position, (0..step).map(|_| self.random_codon(stream)));
        } else {
            let step = step.min(codons.len() - 1);
            let position = stream.index(codons.len() - step + 1);
            codons.drain(position..position + step);
        }
    }
}

impl Representation for Variation {
    type Genome = Genotype;

    fn random(&self, stream: &mut Stream) -> Genotype {
        let raw = self.params.raw();
        let count = raw.min_codons + stream.index(raw.max_codons - raw.min_codons + 1);
        Genotype { codons: (0..count).map(|_| self.random_codon(stream)).collect() }
    }

    /// Swaps the codons after a point in each parent. The second point is drawn among those that
    /// leave both offspring with one to `max_length` codons. There is always such a point.
    fn crossover(&self, one: &mut Genotype, other: &mut Genotype, stream: &mut Stream) {
        let max_length = self.params.raw().max_length;
        let (one, other) = (&mut one.codons, &mut other.codons);
        let (len, other_len) = (one.len(), other.len());
        let point = stream.index(len + 1);
        let min =
            (point + other_len).saturating_sub(max_length).max((point + 1).saturating_sub(len));
        let max = other_len.min(point + other_len - 1).min(max_length + point - len);
        let other_point = min + stream.index(max - min + 1);
        let tail = one.split_off(point);
        one.extend_from_slice(&other[other_point..]);
        other.truncate(other_point);
        other.extend_from_slice(&tail);
    }

    fn is_valid(&self, genotype: &Genotype) -> bool {
        let bits = self.params.codon_bits();
        (1..=self.params.raw().max_length).contains(&genotype.codons.len())
            && genotype.codons.iter().all(|&codon| u32::from(codon) >> bits == 0)
    }

    /// Draws the distance to the next changed codon, so the cost is proportional to the changes.
    fn mutate(&self, genotype: &mut Genotype, stream: &mut Stream) {
        let rate = self.params.raw().length_mutation_rate;
        if rate > 0.0 && stream.chance(rate) {
            self.change_length(&mut genotype.codons, stream);
        }
        let mut next = stream.failures(self.codon_trials);
        while let Some(codon) = usize::try_from(next).ok().and_then(|n| genotype.codons.get_mut(n))
        {
            *codon = self.random_codon(stream);
            next = next.saturating_add(1).saturating_add(stream.failures(self.codon_trials));
        }
    }
}
