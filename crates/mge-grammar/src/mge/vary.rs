//! Initialisation and variation of genotypes (sections "Initialization" and "Crossover and
//! Mutation").

use super::real_weights::{RealVariation, are_valid};
use super::{CheckedMge, Genotype};
use mge_evolve::Representation;
use mge_random::{Stream, Trials};

/// Initialisation, crossover and mutation of genotypes.
#[derive(Debug, Clone)]
pub struct Variation {
    params: CheckedMge,
    /// For each mutation rate, the Bernoulli trials of a codon.
    codon_trials: Vec<Trials>,
    /// The variation of values and steps, if weights are real.
    real: Option<RealVariation>,
}

impl Variation {
    /// Variation with these settings.
    pub fn new(params: CheckedMge) -> Self {
        let rates = params.raw().mutation_rates.iter();
        let codon_trials = rates.map(|rate| Trials::new(rate / 2.0)).collect();
        let real = params.raw().real.clone().zip(params.weight_slots());
        let real = real.map(|(real, slots)| RealVariation::new(real, slots.values()));
        Self { params, codon_trials, real }
    }

    /// How many values a gene has.
    fn values(&self) -> usize {
        self.real.as_ref().map_or(0, |real| real.values)
    }

    /// Inserts a random gene at an index.
    fn insert_gene(&self, genotype: &mut Genotype, index: usize, stream: &mut Stream) {
        genotype.insert(index, self.random_gene(stream));
        if let Some(real) = &self.real {
            real.initialise(genotype, index, stream);
        }
    }

    fn random_codon(&self, stream: &mut Stream) -> u16 {
        (stream.bits() >> (64 - self.params.codon_bits())) as u16
    }

    fn random_gene<'a>(&'a self, stream: &'a mut Stream) -> impl Iterator<Item = u16> + 'a {
        (0..self.params.raw().gene_length).map(|_| self.random_codon(stream))
    }

    /// "Gene addition/deletion": one event, an addition or a deletion with probability 1/2 each, at
    /// a uniform position. The last gene is never deleted (decision 9).
    fn add_or_delete_gene(&self, genotype: &mut Genotype, stream: &mut Stream) {
        if stream.chance(0.5) {
            let index = stream.index(genotype.len() + 1);
            self.insert_gene(genotype, index, stream);
        } else if genotype.len() > 1 {
            genotype.remove(stream.index(genotype.len()));
        }
    }

    /// "Codon perturbation": each codon becomes a random one with this probability. Draws the
    /// distance to the next changed codon, so the cost is proportional to the changes.
    fn perturb_codons(&self, genotype: &mut Genotype, trials: Trials, stream: &mut Stream) {
        let first = stream.failures(trials);
        genotype.change_codons(first, || (self.random_codon(stream), stream.failures(trials)));
    }
}

impl Representation for Variation {
    type Genome = Genotype;

    fn random(&self, stream: &mut Stream) -> Genotype {
        let raw = self.params.raw();
        let count = raw.min_genes + stream.index(raw.max_genes - raw.min_genes + 1);
        let mut genotype = Genotype::with_values(self.values());
        (0..count).for_each(|index| self.insert_gene(&mut genotype, index, stream));
        genotype
    }

    /// Aligns the parents on the left and swaps the segments left of one point between genes. The
    /// point is inside the shorter parent where possible (decision 8). Then the real values of
    /// aligned genes blend.
    fn recombine(
        &self,
        one: &Genotype,
        other: &Genotype,
        offspring: [&mut Genotype; 2],
        stream: &mut Stream,
    ) {
        let shorter = one.len().min(other.len());
        let point = if shorter > 1 { 1 + stream.index(shorter - 1) } else { shorter };
        let [first, second] = offspring;
        first.join(other, one, point);
        second.join(one, other, point);
        if let Some(real) = &self.real {
            real.blend([first, second], stream);
        }
    }

    fn crossover(&self, one: &mut Genotype, other: &mut Genotype, stream: &mut Stream) {
        let (copy, other_copy) = (one.clone(), other.clone());
        self.recombine(&copy, &other_copy, [one, other], stream);
    }

    fn is_valid(&self, genotype: &Genotype) -> bool {
        let bits = self.params.codon_bits();
        let fits = |gene: Vec<u16>| {
            !gene.is_empty() && gene.iter().all(|&codon| u32::from(codon) >> bits == 0)
        };
        let mut values = (0..genotype.len()).filter_map(|gene| genotype.step_and_values(gene));
        !genotype.is_empty()
            && genotype.genes().all(fits)
            && genotype.values_per_gene() == self.values()
            && values.all(|(step, values)| are_valid(step, values))
    }

    fn mutate(&self, genotype: &mut Genotype, stream: &mut Stream) {
        // The mutation probability is drawn for each offspring (decision 10).
        let rates = &self.params.raw().mutation_rates;
        let rate = stream.index(rates.len());
        if stream.chance(rates[rate]) {
            self.add_or_delete_gene(genotype, stream);
        }
        self.perturb_codons(genotype, self.codon_trials[rate], stream);
        if let Some(real) = &self.real {
            real.mutate(genotype, stream);
        }
    }
}
