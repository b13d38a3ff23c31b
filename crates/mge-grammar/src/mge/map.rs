//! Genotype to network: Algorithm 1 (`MapIndividual`) and Algorithm 2 (`Assemble`), with the
//! changes that section "Enforcing Modularity" makes for each variant.

use super::gene_cache::{CachedMapping, CodonChoice};
use super::genome::GeneRef;
use super::{GeneCache, Genotype, UncachedGenes, Variant};
use crate::neuron::{NeuronSentence, ReadError, Scope, read_neuron};
use crate::{
    DecodeOptions, Derived, GeneValues, Grammar, MapFailure, Sentence, Shape, WeightSlots,
};
use mge_net::{
    Link, MAX_LINKS, MAX_NEURONS, Network, NetworkPart, Neuron, Output, PartLists, Source,
};
use mge_random::{Purpose, Stream};
use std::sync::atomic::{AtomicU64, Ordering};
use thiserror::Error;

/// Maps genotypes by one grammar in one variant.
#[derive(Debug, Clone)]
pub struct Mapper {
    /// The number by which gene caches identify the mapper. Copies have the same number, since they
    /// map alike.
    id: u64,
    grammar: Grammar,
    variant: Variant,
    wraps: u32,
    /// The slots of the gene values, if weights are real.
    slots: Option<WeightSlots>,
}

/// A gene that maps to no neuron. The gene is skipped and counted.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum GeneFailure {
    /// The derivation did not end.
    #[error(transparent)]
    Derivation(#[from] MapFailure),
    /// The derived sentence is not a neuron.
    #[error(transparent)]
    Sentence(#[from] ReadError),
}

/// A grammar that cannot be used to map genes to neurons.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum MapperError {
    /// Some sentence of the grammar is not a neuron.
    #[error("the grammar derives `{sentence}`, which is not a neuron: {source}")]
    NotANeuron {
        /// The sentence.
        sentence: String,
        /// What is wrong with it.
        source: ReadError,
    },
    /// The grammar has no rule that neuron references can be appended to.
    #[error(
        "variant {variant} lets neurons read earlier neurons, but the grammar has no rule whose \
         alternatives are all features, such as `<xnList> ::= x1..xd`"
    )]
    NoInputRule {
        /// The variant.
        variant: Variant,
    },
    /// The grammar names features or outputs that the data does not have.
    #[error(
        "the grammar names {names}, but the data has {} features and needs {} output neurons",
        shape.features,
        shape.outputs
    )]
    BeyondShape {
        /// The names.
        names: String,
        /// What the data has.
        shape: Shape,
    },
    /// A neuron that feeds several outputs in a variant that has modules.
    #[error(
        "variant {variant} lets a neuron feed one output, but the grammar derives `{sentence}`, \
         which feeds {outputs} outputs; expected a grammar with one connection, or variant eta or mu"
    )]
    NotModular {
        /// The variant.
        variant: Variant,
        /// How many outputs the neuron feeds.
        outputs: usize,
        /// The sentence.
        sentence: String,
    },
    /// In alpha, the first codon does not choose the output.
    #[error(
        "variant alpha groups genes by their first codon, but the grammar chooses the output of \
         `{sentence}` by another one; expected the output neuron to be the first choice"
    )]
    OutputNotFirst {
        /// The sentence.
        sentence: String,
    },
    /// No gene that was tried maps.
    #[error(
        "none of {tried} random genes of {length} codons maps to a neuron; expected a grammar \
         with shorter sentences, or longer genes"
    )]
    NothingMaps {
        /// How many genes were tried.
        tried: u32,
        /// Their length.
        length: usize,
    },
}

/// The result of mapping a genotype.
#[derive(Debug, Clone, PartialEq)]
pub struct Mapped {
    /// The network, or `None` when no gene maps: an invalid individual.
    pub network: Option<Network>,
    /// Genes that were skipped.
    pub invalid_genes: u32,
}

/// The result of [`Mapper::list_parts`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MappedParts {
    /// Whether the parts are a network; if not, the individual is invalid.
    pub is_network: bool,
    /// Genes that were skipped.
    pub invalid_genes: u32,
}

/// The neurons that a gene can refer to.
#[derive(Debug, Clone, Copy)]
pub(super) struct ReferenceScope {
    /// How many earlier neurons it can refer to.
    pub(super) references: usize,
    /// The index of the neuron that reference `h1` means.
    pub(super) first: usize,
}

/// Buffers that one thread reuses for every genotype it maps.
#[derive(Debug, Default)]
pub struct Workspace {
    sentence: Sentence,
    codons: Vec<u16>,
}

impl Workspace {
    /// The sentence of the last gene, with the values it was written from.
    pub(super) fn derived(&self) -> &Sentence {
        &self.sentence
    }

    /// The sentence of the last gene that was mapped.
    pub fn sentence(&self) -> &str {
        self.sentence.text()
    }
}

/// How many random genes [`Mapper::check`] tries.
const TRIAL_GENES: u32 = 512;

impl Mapper {
    /// A mapper for networks of the grammar's shape. `wraps` is how often a gene may be read
    /// again.
    pub fn new(grammar: Grammar, variant: Variant, wraps: u32) -> Result<Self, MapperError> {
        if variant.is_multi_layer() && grammar.input_symbols().next().is_none() {
            return Err(MapperError::NoInputRule { variant });
        }
        let names = grammar.names_beyond_shape();
        if !names.is_empty() {
            return Err(MapperError::BeyondShape {
                names: names.join(", "),
                shape: grammar.shape(),
            });
        }
        static MAPPERS: AtomicU64 = AtomicU64::new(0);
        let id = MAPPERS.fetch_add(1, Ordering::Relaxed);
        Ok(Self { id, grammar, variant, wraps, slots: None })
    }

    /// The same mapper with real weights in these slots
    /// ([`CheckedMge::weight_slots`](super::CheckedMge::weight_slots)). With `None` weights are
    /// derived from codons.
    ///
    /// # Panics
    /// Mapping may panic if the slots are those of another grammar.
    pub fn with_weight_slots(self, slots: Option<WeightSlots>) -> Self {
        Self { slots, ..self }
    }

    /// The grammar.
    pub fn grammar(&self) -> &Grammar {
        &self.grammar
    }

    /// The variant.
    pub fn variant(&self) -> Variant {
        self.variant
    }

    pub(super) fn outputs(&self) -> usize {
        self.grammar.shape().outputs
    }

    /// Maps random genes, to find out before a run whether the grammar is usable.
    ///
    /// # Errors
    /// When its sentences are not neurons, do not fit the variant, or no gene maps.
    pub fn check(&self, gene_length: usize, codon_bits: u32) -> Result<(), MapperError> {
        let mut workspace = Workspace::default();
        let mut mapped = 0;
        for index in 0..TRIAL_GENES {
            let mut stream = Stream::at(0, Purpose::Initialisation, 0, u64::from(index));
            let gene: Vec<u16> =
                (0..gene_length).map(|_| (stream.bits() >> (64 - codon_bits)) as u16).collect();
            let values = self.slots.as_ref().map_or(0, WeightSlots::values);
            let values: Vec<f32> = (0..values).map(|_| stream.unit() as f32 - 0.5).collect();
            match self.map_gene_with_values(&gene, &values, 0, &mut workspace) {
                Ok(neuron) => {
                    self.check_module(&gene, &neuron, workspace.sentence())?;
                    mapped += 1;
                }
                Err(GeneFailure::Derivation(_)) => {}
                Err(GeneFailure::Sentence(source)) => {
                    let sentence = workspace.sentence.text().to_owned();
                    return Err(MapperError::NotANeuron { sentence, source });
                }
            }
        }
        if mapped == 0 {
            return Err(MapperError::NothingMaps { tried: TRIAL_GENES, length: gene_length });
        }
        Ok(())
    }

    /// Checks that a neuron belongs to one module. In the modular variants it must feed one output.
    /// In alpha that output must be the module of its first codon.
    fn check_module(
        &self,
        gene: &[u16],
        neuron: &NeuronSentence,
        sentence: &str,
    ) -> Result<(), MapperError> {
        let (variant, sentence) = (self.variant, sentence.to_owned());
        match neuron.outputs.as_slice() {
            &[(output, _)]
                if variant == Variant::Alpha
                    && self.module(gene.first().copied()) != output as usize =>
            {
                Err(MapperError::OutputNotFirst { sentence })
            }
            [_] => Ok(()),
            outputs if variant.is_modular() => {
                Err(MapperError::NotModular { variant, outputs: outputs.len(), sentence })
            }
            _ => Ok(()),
        }
    }

    /// `MapNeuron`: one gene to one neuron, when `references` earlier neurons may be read.
    pub fn map_gene(
        &self,
        gene: &[u16],
        references: usize,
        workspace: &mut Workspace,
    ) -> Result<NeuronSentence, GeneFailure> {
        self.map_gene_with_values(gene, &[], references, workspace)
    }

    /// [`Mapper::map_gene`] for a gene with real values. Missing values are 0.
    pub fn map_gene_with_values(
        &self,
        gene: &[u16],
        values: &[f32],
        references: usize,
        workspace: &mut Workspace,
    ) -> Result<NeuronSentence, GeneFailure> {
        self.derive(gene, values, references, workspace).map(|(neuron, _)| neuron)
    }

    fn derive(
        &self,
        gene: &[u16],
        values: &[f32],
        references: usize,
        workspace: &mut Workspace,
    ) -> Result<(NeuronSentence, Derived), GeneFailure> {
        let options = DecodeOptions { wraps: self.wraps, references };
        let sentence = &mut workspace.sentence;
        let (grammar, start) = (&self.grammar, self.grammar.start());
        let derived = match &self.slots {
            None => grammar.derive(start, gene, &options, sentence)?,
            Some(slots) => {
                let values = GeneValues { slots, values };
                grammar.derive_with_values(start, gene, values, &options, sentence)?
            }
        };
        let neuron = read_neuron(sentence.text(), self.scope(references))?;
        Ok((neuron, derived))
    }

    /// What the sentence of a gene may name.
    pub(super) fn scope(&self, references: usize) -> Scope {
        let Shape { features, outputs } = self.grammar.shape();
        Scope { features, outputs, references }
    }

    /// Maps a gene of a genotype.
    pub(super) fn derive_gene(
        &self,
        gene: GeneRef<'_>,
        references: usize,
        workspace: &mut Workspace,
    ) -> Result<(NeuronSentence, Derived), GeneFailure> {
        let mut codons = std::mem::take(&mut workspace.codons);
        gene.copy_to(&mut codons);
        let derived = self.derive(&codons, gene.values(), references, workspace);
        workspace.codons = codons;
        derived
    }

    /// Maps a gene of a genotype, for the cache.
    fn cached_mapping(
        &self,
        gene: GeneRef<'_>,
        references: usize,
        workspace: &mut Workspace,
    ) -> CachedMapping {
        let derived = self.derive_gene(gene, references, workspace);
        let references = references as u32;
        let Ok((sentence, derived)) = derived else {
            return CachedMapping { references, choices: None, values: Box::default(), part: None };
        };
        let choice = |(&codon, &alternatives): (&u16, &u32)| CodonChoice { codon, alternatives };
        let Workspace { sentence: text, codons } = workspace;
        let read = codons.iter().zip(text.choice_counts());
        let choices = (derived.wraps_used == 0).then(|| read.map(choice).collect());
        let NeuronSentence { outputs, activation, bias, links } = sentence;
        let part = Some(NetworkPart::new(Neuron { activation, bias, links }, outputs));
        CachedMapping { references, choices, values: text.values().into(), part }
    }

    /// An empty cache for this mapper.
    pub fn gene_cache(&self) -> GeneCache {
        GeneCache::new(self.id, !self.variant.is_multi_layer())
    }

    /// Maps the genes that the cache does not have. Insert the result ([`GeneCache::insert`]) for
    /// all genotypes of a population before [`Mapper::list_parts`].
    ///
    /// # Panics
    /// When the cache belongs to another mapper.
    pub fn uncached_genes<'g>(
        &self,
        genotypes: &'g [Genotype],
        cache: &GeneCache,
        workspace: &mut Workspace,
    ) -> UncachedGenes<'g> {
        assert_eq!(cache.mapper, self.id, "the cache belongs to another mapper");
        // About one gene of each genotype is new.
        let mut uncached = UncachedGenes { genes: Vec::with_capacity(genotypes.len()) };
        for genotype in genotypes {
            self.visit_genes(genotype, |gene, scope| {
                if let Some(is_neuron) = cache.lookup(gene, scope.references as u32) {
                    return is_neuron;
                }
                let mapping = self.cached_mapping(gene, scope.references, workspace);
                let is_neuron = mapping.part.is_some();
                uncached.genes.push((gene.header, mapping));
                is_neuron
            });
        }
        uncached
    }

    /// Appends the parts of a genotype's network to the present network of `lists`. Together they
    /// are the network of [`Mapper::map`].
    ///
    /// # Panics
    /// When the cache does not have a gene; see [`Mapper::uncached_genes`].
    pub fn list_parts<'k>(
        &self,
        genotype: &Genotype,
        cache: &'k GeneCache,
        lists: &mut PartLists<'k>,
    ) -> MappedParts {
        let (mut neurons, mut links, mut valid) = (0, 0, true);
        let invalid_genes = self.visit_genes(genotype, |gene, scope| {
            let Some(part) = &cache.mapping(gene, scope.references as u32).part else {
                return false;
            };
            neurons += 1;
            links += part.neuron().links.len() + part.connections().len();
            valid &= part.is_valid();
            lists.push(part, scope.first);
            true
        });
        let is_network = valid && neurons > 0 && neurons <= MAX_NEURONS && links <= MAX_LINKS;
        MappedParts { is_network, invalid_genes }
    }

    /// Visits the genes in the order of Algorithm 1. `visit` returns whether a gene maps to a
    /// neuron. Returns the number of genes that do not.
    #[inline]
    pub(super) fn visit_genes<'g>(
        &self,
        genotype: &'g Genotype,
        mut visit: impl FnMut(GeneRef<'g>, ReferenceScope) -> bool,
    ) -> u32 {
        let (mut neurons, mut invalid_genes) = (0, 0);
        let groups = if self.variant == Variant::Alpha { self.outputs() } else { 1 };
        for group in 0..groups {
            let first = neurons;
            for gene in genotype.gene_refs() {
                if groups > 1 && self.module(gene.codons().next()) != group {
                    continue;
                }
                let references = if self.variant.is_multi_layer() { neurons - first } else { 0 };
                if visit(gene, ReferenceScope { references, first }) {
                    neurons += 1;
                } else {
                    invalid_genes += 1;
                }
            }
        }
        invalid_genes
    }

    /// Maps a genotype: Algorithm 1, then Algorithm 2.
    pub fn map(&self, genotype: &Genotype, workspace: &mut Workspace) -> Mapped {
        let mut assembly = Assembly::new(self.outputs());
        let invalid_genes = self.visit_genes(genotype, |gene, scope| {
            let derived = self.derive_gene(gene, scope.references, workspace);
            derived.map(|(neuron, _)| assembly.add(neuron, scope.first)).is_ok()
        });
        let network = assembly.network(self.grammar.shape().features);
        Mapped { network, invalid_genes }
    }

    /// The module of a gene in alpha-MGE: its first codon modulo the outputs (decision 12). The
    /// same codon chooses the output neuron, and the grammar is reset between modules.
    fn module(&self, first: Option<u16>) -> usize {
        usize::from(first.unwrap_or(0)) % self.outputs()
    }
}

/// `Assemble`: collects the neurons, and for each output its connections.
pub(super) struct Assembly {
    neurons: Vec<Neuron>,
    outputs: Vec<Output>,
}

impl Assembly {
    pub(super) fn new(outputs: usize) -> Self {
        Self { neurons: Vec::new(), outputs: vec![Output::default(); outputs] }
    }

    /// Adds a neuron. Its reference `h1` means the neuron with index `first`.
    pub(super) fn add(&mut self, sentence: NeuronSentence, first: usize) {
        let index = self.neurons.len() as u32;
        let NeuronSentence { outputs, activation, bias, mut links } = sentence;
        for link in &mut links {
            if let Source::Neuron(reference) = &mut link.source {
                *reference += first as u32;
            }
        }
        self.neurons.push(Neuron { activation, bias, links });
        for (output, weight) in outputs {
            self.outputs[output as usize]
                .links
                .push(Link { source: Source::Neuron(index), weight });
        }
    }

    /// The network; `None` if no gene mapped, or its size or a weight is out of bounds.
    pub(super) fn network(self, features: usize) -> Option<Network> {
        if self.neurons.is_empty() {
            return None;
        }
        Network::new(features, self.neurons, self.outputs).ok()
    }
}
