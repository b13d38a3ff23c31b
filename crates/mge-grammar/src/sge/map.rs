//! Genotype to network: the start of the grammar, from which recursion was taken away, is derived
//! once for each output. Each symbol reads the next codon of its own list.

use super::{CheckedSge, Genotype, MapperError, NetworkFailure};
use crate::derive::Choices;
use crate::lists::Lists;
use crate::network_mapper::{NetworkMapper, Workspace};
use crate::network_sentence::NetworkReader;
use crate::recursion::{MOST_CODONS, MOST_RULES};
use crate::trace::SlowLists;
use crate::{Grammar, Symbol, Trace};
use mge_net::Network;

/// Maps genotypes by one grammar.
#[derive(Debug, Clone)]
pub struct Mapper {
    grammar: Grammar,
    /// The beginning of the first list, then the end of each.
    bounds: Vec<u32>,
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

    /// The slow twin of the derivations: each output's, every step recorded.
    pub fn trace(&self, genotype: &Genotype) -> Vec<Trace> {
        let lists = self.grammar.symbols().map(|symbol| self.list(genotype, symbol).to_vec());
        let mut lists = SlowLists::new(lists, false);
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
        let Workspace { text, places: next } = workspace;
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
}
