//! How genotypes begin and vary: one-point crossover with a point in each parent (Ryan 1998), codon
//! mutation, and the mutation of the length that the MGE paper adds (section "Scalability").

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

    /// Adds or deletes up to `length_mutation_step` codons in a row, either with equal chance, the
    /// place uniform; between one codon and the longest there are.
    fn change_length(&self, codons: &mut Vec<u16>, stream: &mut Stream) {
        let raw = self.params.raw();
        let step = 1 + stream.index(raw.length_mutation_step);
        if stream.chance(0.5) {
            let step = step.min(raw.longest - codons.len());
            let place = stream.index(codons.len() + 1);
            codons.splice(place..place, (0..step).map(|_| self.random_codon(stream)));
        } else {
            let step = step.min(codons.len() - 1);
            let place = stream.index(codons.len() - step + 1);
            codons.drain(place..place + step);
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

    /// Swaps what is behind a point in each parent. The second point is drawn from those that leave
    /// both offspring between one codon and the longest there are; there always is one.
    fn crossover(&self, one: &mut Genotype, other: &mut Genotype, stream: &mut Stream) {
        let longest = self.params.raw().longest;
        let (one, other) = (&mut one.codons, &mut other.codons);
        let (len, other_len) = (one.len(), other.len());
        let point = stream.index(len + 1);
        let least =
            (point + other_len).saturating_sub(longest).max((point + 1).saturating_sub(len));
        let most = other_len.min(point + other_len - 1).min(longest + point - len);
        let other_point = least + stream.index(most - least + 1);
        let tail = one.split_off(point);
        one.extend_from_slice(&other[other_point..]);
        other.truncate(other_point);
        other.extend_from_slice(&tail);
    }

    fn is_valid(&self, genotype: &Genotype) -> bool {
        let bits = self.params.codon_bits();
        (1..=self.params.raw().longest).contains(&genotype.codons.len())
            && genotype.codons.iter().all(|&codon| u32::from(codon) >> bits == 0)
    }

    /// Draws how far it is to the next changed codon, so the cost is that of the changes.
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
