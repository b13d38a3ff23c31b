//! Genotype to network: the start of the grammar, from which recursion was taken away, is derived
//! once for each output. Each symbol reads the next codon of its own list.

use super::{CheckedSge, Genotype, MapperError, NetworkFailure, Variation};
use crate::derive::{Choices, Text};
use crate::lists::Lists;
use crate::network_sentence::{NetworkReader, try_genotypes};
use crate::recursion::{MOST_CODONS, MOST_RULES};
use crate::trace::SlowLists;
use crate::{Grammar, Symbol, Trace};
use mge_evolve::Representation;
use mge_net::Network;
use mge_random::{Purpose, Stream};

/// Maps genotypes by one grammar.
#[derive(Debug, Clone)]
pub struct Mapper {
    grammar: Grammar,
    /// The beginning of the first list, then the end of each.
    bounds: Vec<u32>,
}

/// What a genotype maps to.
#[derive(Debug, Clone, PartialEq)]
pub struct Mapped {
    /// The network. `None` only for a genotype that no [`Variation`] makes, or a grammar whose
    /// sentences are no networks.
    pub network: Option<Network>,
    /// Codons that were read.
    pub codons_used: usize,
}

/// Buffers that one thread uses again for every genotype it maps.
#[derive(Debug, Default)]
pub struct Workspace {
    text: Text,
    next: Vec<u32>,
}

impl Workspace {
    /// The sentence of the last output that was derived.
    pub fn sentence(&self) -> &str {
        self.text.as_str()
    }
}

impl Mapper {
    /// A mapper for networks of the grammar's shape.
    ///
    /// # Errors
    /// When the grammar names what the data does not have, or the lists would be too long.
    pub fn new(grammar: Grammar, params: &CheckedSge) -> Result<Self, MapperError> {
        MapperError::check(&grammar)?;
        let recursion = params.raw().recursion;
        let too_much = |limit| MapperError::TooMuchRecursion { recursion, limit };
        let shape = grammar.shape();
        let template = grammar.template().without_recursion(recursion);
        let bound = template.and_then(|template| template.bind(shape).ok());
        let grammar = bound.ok_or_else(|| too_much(MOST_RULES))?;
        let most = grammar.most_replacements().ok_or_else(|| too_much(MOST_CODONS))?;
        let mut bounds = vec![0];
        let mut end = 0;
        for (symbol, most) in grammar.symbols().zip(most) {
            let choice = grammar.alternatives(symbol) > 1;
            end += if choice { most * shape.outputs } else { 0 };
            bounds.push(u32::try_from(end).map_err(|_| too_much(MOST_CODONS))?);
        }
        Ok(Self { grammar, bounds })
    }

    /// The grammar without recursion.
    pub fn grammar(&self) -> &Grammar {
        &self.grammar
    }

    /// For each rule where its list begins; then where the last one ends.
    pub(super) fn bounds(&self) -> &[u32] {
        &self.bounds
    }

    /// How many codons a genotype has.
    pub fn codons(&self) -> usize {
        self.bounds.last().map_or(0, |end| *end as usize)
    }

    /// The list of a symbol of [`Mapper::grammar`]. Empty for a symbol that never has a choice.
    pub fn list<'g>(&self, genotype: &'g Genotype, symbol: Symbol) -> &'g [u16] {
        let (begin, end) = (self.bounds[symbol.0 as usize], self.bounds[symbol.0 as usize + 1]);
        genotype.codons.get(begin as usize..end as usize).unwrap_or_default()
    }

    /// Tries random genotypes.
    ///
    /// # Errors
    /// When the sentences of the grammar are no networks.
    pub fn check(&self, variation: &Variation) -> Result<(), MapperError> {
        let mut workspace = Workspace::default();
        try_genotypes(|index| {
            let mut stream = Stream::at(0, Purpose::Initialisation, 0, u64::from(index));
            let genotype = variation.random(&mut stream);
            let mapped = self.try_map(&genotype, &mut workspace).0;
            (mapped, workspace.sentence().to_owned())
        })
    }

    /// The network of a genotype.
    pub fn map(&self, genotype: &Genotype, workspace: &mut Workspace) -> Mapped {
        let (network, codons_used) = self.try_map(genotype, workspace);
        Mapped { network: network.ok(), codons_used }
    }

    /// The network of a genotype, or why there is none, and how many codons were read.
    pub fn try_map(
        &self,
        genotype: &Genotype,
        workspace: &mut Workspace,
    ) -> (Result<Network, NetworkFailure>, usize) {
        let Workspace { text, next } = workspace;
        let mut lists = Lists::new(&genotype.codons, &self.bounds, next);
        let mut outputs = || {
            let mut reader = NetworkReader::new(self.grammar.shape());
            for _ in 0..self.grammar.shape().outputs {
                self.grammar.derive_by(self.grammar.start(), &mut lists, text)?;
                reader.output(text.as_str())?;
            }
            Ok(reader.network()?)
        };
        let network = outputs();
        (network, lists.used())
    }

    /// The slow twin of the derivations: each output's, every step recorded.
    pub fn trace(&self, genotype: &Genotype) -> Vec<Trace> {
        let lists = self.grammar.symbols().map(|symbol| self.list(genotype, symbol).to_vec());
        let mut lists = SlowLists::new(lists, false);
        let outputs = 0..self.grammar.shape().outputs;
        outputs.map(|_| self.grammar.trace_by(self.grammar.start(), &mut lists)).collect()
    }
}
