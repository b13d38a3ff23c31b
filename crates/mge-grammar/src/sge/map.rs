//! Genotype to network. The grammar is expanded so that it has no recursion. Its start symbol is
//! derived once for each output, and each symbol reads the next codon of its own list.

use super::{CheckedSge, Genotype, MapperError, NetworkFailure};
use crate::codon_lists::CodonLists;
use crate::derive::ChoiceSource;
use crate::network_mapper::{NetworkMapper, Workspace};
use crate::network_sentence::NetworkReader;
use crate::recursion::{MAX_CODONS, MAX_RULES};
use crate::trace::SlowCodonLists;
use crate::{Grammar, Symbol, Trace};
use mge_net::Network;

/// Maps genotypes by one grammar.
#[derive(Debug, Clone)]
pub struct Mapper {
    grammar: Grammar,
    /// The start of the first list, then the end of each list.
    bounds: Vec<u32>,
}

impl Mapper {
    /// A mapper for networks of the grammar's shape.
    ///
    /// # Errors
    /// When the grammar names features or outputs that the data does not have, or the lists would
    /// be too long.
    pub fn new(grammar: Grammar, params: &CheckedSge) -> Result<Self, MapperError> {
        MapperError::check(&grammar)?;
        let recursion = params.raw().recursion;
        let too_much = |limit| MapperError::TooMuchRecursion { recursion, limit };
        let shape = grammar.shape();
        let template = grammar.template().without_recursion(recursion);
        let bound = template.and_then(|template| template.bind(shape).ok());
        let grammar = bound.ok_or_else(|| too_much(MAX_RULES))?;
        let replacements = grammar.max_replacements().ok_or_else(|| too_much(MAX_CODONS))?;
        let mut bounds = vec![0];
        let mut end = 0;
        for (symbol, max) in grammar.symbols().zip(replacements) {
            let choice = grammar.alternatives(symbol) > 1;
            end += if choice { max * shape.outputs } else { 0 };
            bounds.push(u32::try_from(end).map_err(|_| too_much(MAX_CODONS))?);
        }
        Ok(Self { grammar, bounds })
    }

    /// The grammar without recursion.
    pub fn grammar(&self) -> &Grammar {
        &self.grammar
    }

    /// The start of each rule's list, then the end of the last one.
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

    /// Maps by the slow derivation. Returns one trace for each output.
    pub fn trace(&self, genotype: &Genotype) -> Vec<Trace> {
        let lists = self.grammar.symbols().map(|symbol| self.list(genotype, symbol).to_vec());
        let mut lists = SlowCodonLists::new(lists, false);
        let outputs = 0..self.grammar.shape().outputs;
        outputs.map(|_| self.grammar.trace_by(self.grammar.start(), &mut lists)).collect()
    }
}

impl NetworkMapper for Mapper {
    type Genotype = Genotype;

    fn try_map(
        &self,
        genotype: &Genotype,
        workspace: &mut Workspace,
    ) -> (Result<Network, NetworkFailure>, usize) {
        let Workspace { text, numbers: next } = workspace;
        let mut lists = CodonLists::new(&genotype.codons, &self.bounds, next);
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
}
