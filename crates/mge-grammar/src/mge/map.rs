//! Genotype to network: Algorithm 1 (`MapIndividual`) and Algorithm 2 (`Assemble`), with the
//! changes that section "Enforcing Modularity" makes for each variant.

use super::genome::GeneRef;
use super::known::{Choice, Meaning};
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
    /// The name under which genes remember what they map to. Copies share it: they map alike.
    id: u64,
    grammar: Grammar,
    variant: Variant,
    wraps: u32,
    /// Where the values of genes go, if weights are real.
    marks: Option<WeightSlots>,
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
    /// Neurons have nowhere to be referred to.
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
    /// In alpha, the module of a gene is not that of its neuron.
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

/// What a genotype maps to.
#[derive(Debug, Clone, PartialEq)]
pub struct Mapped {
    /// The network, or `None` when no gene maps: an invalid individual.
    pub network: Option<Network>,
    /// Genes that were skipped.
    pub invalid_genes: u32,
}

/// What became of a genotype's genes in [`Mapper::list_parts`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ListedParts {
    /// Whether the parts make a network; if not, the individual is invalid.
    pub is_network: bool,
    /// Genes that were skipped.
    pub invalid_genes: u32,
}

/// Buffers that one thread uses again for every genotype it maps.
#[derive(Debug, Default)]
pub struct Workspace {
    sentence: Sentence,
    codons: Vec<u16>,
}

impl Workspace {
    /// What the last gene derived.
    pub(super) fn derived(&self) -> &Sentence {
        &self.sentence
    }

    /// The sentence of the last gene that was mapped.
    pub fn sentence(&self) -> &str {
        self.sentence.text()
    }
}

/// Random genes that [`Mapper::check`] tries.
const TRIED_GENES: u32 = 512;

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
        Ok(Self { id, grammar, variant, wraps, marks: None })
    }

    /// The same with real weights at the places that its grammar marks, if there are any marks
    /// ([`CheckedMge::marks`](super::CheckedMge::marks)).
    ///
    /// # Panics
    /// Later, when the marks are another grammar's.
    pub fn with_weight_slots(self, marks: Option<WeightSlots>) -> Self {
        Self { marks, ..self }
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

    /// Tries random genes, so that a grammar whose sentences are not neurons is an error before
    /// the work, not a search among invalid individuals.
    pub fn check(&self, gene_length: usize, codon_bits: u32) -> Result<(), MapperError> {
        let mut workspace = Workspace::default();
        let mut mapped = 0;
        for index in 0..TRIED_GENES {
            let mut stream = Stream::at(0, Purpose::Initialisation, 0, u64::from(index));
            let gene: Vec<u16> =
                (0..gene_length).map(|_| (stream.bits() >> (64 - codon_bits)) as u16).collect();
            let values = self.marks.as_ref().map_or(0, WeightSlots::values);
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
            return Err(MapperError::NothingMaps { tried: TRIED_GENES, length: gene_length });
        }
        Ok(())
    }

    /// Whether a neuron belongs to one module as the variant promises: it feeds one output in the
    /// modular variants, and in alpha that output is the module its first codon puts it into.
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

    /// The same for a gene with real values. Those that are missing are 0.
    pub fn map_gene_with_values(
        &self,
        gene: &[u16],
        values: &[f32],
        references: usize,
        workspace: &mut Workspace,
    ) -> Result<NeuronSentence, GeneFailure> {
        self.derive((gene, values), references, workspace).map(|(neuron, _)| neuron)
    }

    fn derive(
        &self,
        (gene, values): (&[u16], &[f32]),
        references: usize,
        workspace: &mut Workspace,
    ) -> Result<(NeuronSentence, Derived), GeneFailure> {
        let reading = DecodeOptions { wraps: self.wraps, references };
        let sentence = &mut workspace.sentence;
        let (grammar, start) = (&self.grammar, self.grammar.start());
        let derived = match &self.marks {
            None => grammar.derive(start, gene, &reading, sentence)?,
            Some(marks) => {
                let values = GeneValues { marks, values };
                grammar.derive_with_values(start, (gene, values), &reading, sentence)?
            }
        };
        let neuron = read_neuron(sentence.text(), self.scope(references))?;
        Ok((neuron, derived))
    }

    /// What a sentence may name.
    pub(super) fn scope(&self, references: usize) -> Scope {
        let Shape { features, outputs } = self.grammar.shape();
        Scope { features, outputs, references }
    }

    /// A gene of a genotype.
    pub(super) fn derive_gene(
        &self,
        gene: GeneRef<'_>,
        references: usize,
        workspace: &mut Workspace,
    ) -> Result<(NeuronSentence, Derived), GeneFailure> {
        let mut codons = std::mem::take(&mut workspace.codons);
        gene.copy_to(&mut codons);
        let derived = self.derive((&codons, gene.values()), references, workspace);
        workspace.codons = codons;
        derived
    }

    /// The same, as it is written down.
    fn meaning(&self, gene: GeneRef<'_>, references: usize, workspace: &mut Workspace) -> Meaning {
        let derived = self.derive_gene(gene, references, workspace);
        let references = references as u32;
        let Ok((sentence, derived)) = derived else {
            return Meaning { references, choices: None, values: Box::default(), part: None };
        };
        let choice = |(&codon, &options): (&u16, &u32)| Choice { codon, options };
        let Workspace { sentence: text, codons } = workspace;
        let read = codons.iter().zip(text.options());
        let choices = (derived.wraps_used == 0).then(|| read.map(choice).collect());
        let NeuronSentence { outputs, activation, bias, links } = sentence;
        let part = Some(NetworkPart::new(Neuron { activation, bias, links }, outputs));
        Meaning { references, choices, values: text.values().into(), part }
    }

    /// An empty book for what genes map to.
    pub fn gene_cache(&self) -> GeneCache {
        GeneCache::new(self.id, !self.variant.is_multi_layer())
    }

    /// Maps the genes that `known` does not have. Once it has learnt them, for all genotypes of a
    /// population, [`Mapper::list_parts`] finds them.
    ///
    /// # Panics
    /// When the book is another mapper's.
    pub fn uncached_genes<'g>(
        &self,
        genotypes: &'g [Genotype],
        known: &GeneCache,
        workspace: &mut Workspace,
    ) -> UncachedGenes<'g> {
        assert_eq!(known.mapper, self.id, "the book of another mapper");
        // About one gene of each genotype is new.
        let mut fresh = UncachedGenes { genes: Vec::with_capacity(genotypes.len()) };
        for genotype in genotypes {
            self.walk(genotype, |gene, references, _| {
                if let Some(is_neuron) = known.recall(gene, references as u32) {
                    return is_neuron;
                }
                let meaning = self.meaning(gene, references, workspace);
                let is_neuron = meaning.part.is_some();
                fresh.genes.push((gene.head, meaning));
                is_neuron
            });
        }
        fresh
    }

    /// What [`Mapper::map`] maps to, as parts: added to the present network of `lists`.
    ///
    /// # Panics
    /// When a gene is not known: see [`Mapper::uncached_genes`].
    pub fn list_parts<'k>(
        &self,
        genotype: &Genotype,
        known: &'k GeneCache,
        lists: &mut PartLists<'k>,
    ) -> ListedParts {
        let (mut neurons, mut links, mut sound) = (0, 0, true);
        let invalid_genes = self.walk(genotype, |gene, references, first| {
            let Some(part) = &known.meaning(gene, references as u32).part else { return false };
            neurons += 1;
            links += part.neuron().links.len() + part.connections().len();
            sound &= part.is_valid();
            lists.push(part, first);
            true
        });
        let is_network = sound && neurons > 0 && neurons <= MAX_NEURONS && links <= MAX_LINKS;
        ListedParts { is_network, invalid_genes }
    }

    /// The walk of Algorithm 1. `visit` gets each gene, how many neurons it may refer to and from
    /// which neuron on they count, and tells whether it maps; the count of those that do not is
    /// returned.
    #[inline]
    pub(super) fn walk<'g>(
        &self,
        genotype: &'g Genotype,
        mut visit: impl FnMut(GeneRef<'g>, usize, usize) -> bool,
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
                if visit(gene, references, first) {
                    neurons += 1;
                } else {
                    invalid_genes += 1;
                }
            }
        }
        invalid_genes
    }

    /// Algorithm 1, then Algorithm 2.
    pub fn map(&self, genotype: &Genotype, workspace: &mut Workspace) -> Mapped {
        let mut assembly = Assembly::new(self.outputs());
        let invalid_genes = self.walk(genotype, |gene, references, first| {
            let derived = self.derive_gene(gene, references, workspace);
            derived.map(|(neuron, _)| assembly.add(neuron, first)).is_ok()
        });
        let network = assembly.network(self.grammar.shape().features);
        Mapped { network, invalid_genes }
    }

    /// The module of a gene in alpha-MGE: its first codon modulo the outputs. The same codon
    /// chooses the output neuron, and the grammar is reset between modules.
    fn module(&self, first: Option<u16>) -> usize {
        usize::from(first.unwrap_or(0)) % self.outputs()
    }
}

/// `Assemble`: collects neurons, and for each output the neurons that lead to it.
pub(super) struct Assembly {
    neurons: Vec<Neuron>,
    outputs: Vec<Output>,
}

impl Assembly {
    pub(super) fn new(outputs: usize) -> Self {
        Self { neurons: Vec::new(), outputs: vec![Output::default(); outputs] }
    }

    /// Adds a neuron whose references count from the neuron `first`.
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

    /// The network, unless nothing mapped or its size or weights are out of every bound.
    pub(super) fn network(self, features: usize) -> Option<Network> {
        if self.neurons.is_empty() {
            return None;
        }
        Network::new(features, self.neurons, self.outputs).ok()
    }
}
