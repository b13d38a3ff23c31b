//! Initialisation and variation of genotypes. Crossover exchanges whole lists by a random mask. A
//! mutation changes a codon that is read, within the range of its list. So every offspring maps.

use super::{CheckedSge, Genotype, Mapper};
use crate::Grammar;
use crate::codon_lists::{AlternativeSymbols, CodonLists};
use mge_evolve::Representation;
use mge_random::Stream;
use std::cell::RefCell;

/// Initialisation, crossover and mutation of genotypes.
#[derive(Debug, Clone)]
pub struct Variation {
    params: CheckedSge,
    grammar: Grammar,
    symbols: AlternativeSymbols,
    /// As in the mapper.
    bounds: Vec<u32>,
    /// The lists that are not empty.
    lists: Vec<ListBounds>,
}

#[derive(Debug, Clone)]
struct ListBounds {
    begin: usize,
    end: usize,
    /// The alternatives of the rule.
    alternatives: u64,
}

/// Buffers for the next mutation.
#[derive(Default)]
struct Buffers {
    /// For each list, the index of its next codon.
    next: Vec<u32>,
    /// A stack of symbols.
    stack: Vec<u32>,
}

thread_local! {
    static BUFFERS: RefCell<Buffers> = RefCell::default();
}

impl Variation {
    /// Variation of the genotypes of a mapper.
    pub fn new(mapper: &Mapper, params: CheckedSge) -> Self {
        let (grammar, bounds) = (mapper.grammar().clone(), mapper.bounds().to_vec());
        let list = |(symbol, bounds): (_, &[u32])| {
            let (begin, end) = (bounds[0] as usize, bounds[1] as usize);
            let alternatives = grammar.alternatives(symbol) as u64;
            (begin < end).then_some(ListBounds { begin, end, alternatives })
        };
        let lists = grammar.symbols().zip(bounds.windows(2)).filter_map(list).collect();
        Self { params, symbols: AlternativeSymbols::new(&grammar), grammar, bounds, lists }
    }

    /// Changes one of the codons that are read, each with equal probability, to another value.
    fn change_codon(&self, codons: &mut [u16], buffers: &mut Buffers, stream: &mut Stream) {
        let Buffers { next, stack } = buffers;
        let mut reader = CodonLists::new(codons, &self.bounds, next);
        for _ in 0..self.grammar.shape().outputs {
            self.symbols.derive(&self.grammar, self.grammar.start(), &mut reader, stack);
        }
        let read: usize =
            next.iter().zip(&self.bounds).map(|(next, begin)| (next - begin) as usize).sum();
        if read == 0 {
            return;
        }
        let mut choice = stream.index(read);
        for (symbol, (next, begin)) in next.iter().zip(&self.bounds).enumerate() {
            let read = (next - begin) as usize;
            if choice < read {
                let codon = &mut codons[*begin as usize + choice];
                let alternatives = u64::from(self.grammar.rules[symbol].count);
                // Any value but the old one.
                let step = 1 + stream.below(alternatives - 1);
                *codon = ((u64::from(*codon) + step) % alternatives) as u16;
                return;
            }
            choice -= read;
        }
    }
}

impl Representation for Variation {
    type Genome = Genotype;

    fn random(&self, stream: &mut Stream) -> Genotype {
        let mut codons = Vec::with_capacity(self.bounds.last().map_or(0, |end| *end as usize));
        for list in &self.lists {
            codons.extend((list.begin..list.end).map(|_| stream.below(list.alternatives) as u16));
        }
        Genotype { codons }
    }

    /// Exchanges each list with probability 1/2.
    fn crossover(&self, one: &mut Genotype, other: &mut Genotype, stream: &mut Stream) {
        let mut mask = 0;
        for (index, list) in self.lists.iter().enumerate() {
            if index % 64 == 0 {
                mask = stream.bits();
            }
            if mask >> (index % 64) & 1 == 1 {
                let range = list.begin..list.end;
                one.codons[range.clone()].swap_with_slice(&mut other.codons[range]);
            }
        }
    }

    fn is_valid(&self, genotype: &Genotype) -> bool {
        let len = self.bounds.last().map_or(0, |end| *end as usize);
        let in_range = |list: &ListBounds| {
            let codons = &genotype.codons[list.begin..list.end];
            codons.iter().all(|codon| u64::from(*codon) < list.alternatives)
        };
        genotype.codons.len() == len && self.lists.iter().all(in_range)
    }

    fn mutate(&self, genotype: &mut Genotype, stream: &mut Stream) {
        if !stream.chance(self.params.raw().mutation_rate) {
            return;
        }
        BUFFERS.with_borrow_mut(|buffers| {
            for _ in 0..self.params.raw().mutations {
                self.change_codon(&mut genotype.codons, buffers, stream);
            }
        });
    }
}
