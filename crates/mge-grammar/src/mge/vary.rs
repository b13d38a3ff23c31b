//! How genotypes begin and vary (sections "Initialization" and "Crossover and Mutation").

use super::real::{RealVariation, are_valid};
use super::{CheckedMge, Genotype};
use mge_evolve::Representation;
use mge_random::{Stream, Trials};

/// Initialisation, crossover and mutation of genotypes.
#[derive(Debug, Clone)]
pub struct Variation {
    params: CheckedMge,
    /// For each mutation rate: the trials of a codon.
    codon_trials: Vec<Trials>,
    /// With real weights: how values and steps vary.
    real: Option<RealVariation>,
}

impl Variation {
    /// Variation with these settings.
    pub fn new(params: CheckedMge) -> Self {
        let rates = params.raw().mutation_rates.iter();
        let codon_trials = rates.map(|rate| Trials::new(rate / 2.0)).collect();
        let real = params.raw().real.clone().zip(params.weight_slots());
        let real = real.map(|(real, marks)| RealVariation::new(real, marks.values()));
        Self { params, codon_trials, real }
    }

    /// How many values a gene has.
    fn values(&self) -> usize {
        self.real.as_ref().map_or(0, |real| real.values)
    }

    /// Puts a random gene before the one at `place`.
    fn insert_gene(&self, genotype: &mut Genotype, place: usize, stream: &mut Stream) {
        genotype.insert(place, self.random_gene(stream));
        if let Some(real) = &self.real {
            real.begin(genotype, place, stream);
        }
    }

    fn random_codon(&self, stream: &mut Stream) -> u16 {
        (stream.bits() >> (64 - self.params.codon_bits())) as u16
    }

    fn random_gene<'a>(&'a self, stream: &'a mut Stream) -> impl Iterator<Item = u16> + 'a {
        (0..self.params.raw().gene_length).map(|_| self.random_codon(stream))
    }

    /// "Gene addition/deletion": one event, either with equal chance, the place uniform. The
    /// last gene is never deleted.
    fn add_or_delete_gene(&self, genotype: &mut Genotype, stream: &mut Stream) {
        if stream.chance(0.5) {
            let place = stream.index(genotype.len() + 1);
            self.insert_gene(genotype, place, stream);
        } else if genotype.len() > 1 {
            genotype.remove(stream.index(genotype.len()));
        }
    }

    /// "Codon perturbation": each codon becomes a random one with this probability. Draws how far
    /// it is to the next changed codon, so the cost is that of the changes.
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
        (0..count).for_each(|place| self.insert_gene(&mut genotype, place, stream));
        genotype
    }

    /// The parents are aligned on the left; the segments left of one point between genes are
    /// swapped. The point lies inside the shorter parent where that is possible. Real values of
    /// aligned genes blend then.
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
        let mut reals = (0..genotype.len()).filter_map(|gene| genotype.reals(gene));
        !genotype.is_empty()
            && genotype.genes().all(fits)
            && genotype.values_of_each() == self.values()
            && reals.all(|(step, values)| are_valid(step, values))
    }

    fn mutate(&self, genotype: &mut Genotype, stream: &mut Stream) {
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
