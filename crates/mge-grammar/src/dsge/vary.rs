//! Initialisation, variation and repair of genotypes.
//!
//! Every genotype is made by one derivation. Where the derivation needs a codon, it takes the next
//! one of the symbol's list. It draws a new codon instead
//!
//! - at the end of the list,
//! - for a codon that is to be mutated,
//! - for a codon that is no longer the number of an alternative, because there are fewer neurons or
//!   the tree is too deep.
//!
//! Codons that the derivation does not reach are dropped. So every offspring is repaired when it is
//! made, and mapping it needs no random numbers.

use super::growing_lists::{NeuronCounter, SymbolRoles};
use super::{CheckedDsge, Genotype, Mapper};
use crate::codon_lists::AlternativeSymbols;
use crate::compile::CompiledRule;
use crate::{Grammar, Symbol};
use mge_evolve::Representation;
use mge_random::Stream;
use std::cell::RefCell;

/// Initialisation, crossover, mutation and repair of genotypes.
#[derive(Debug, Clone)]
pub struct Variation {
    params: CheckedDsge,
    grammar: Grammar,
    roles: SymbolRoles,
    symbols: AlternativeSymbols,
    starts: Vec<Symbol>,
    /// For each rule, the alternatives that end soonest; empty when all of them do.
    shortest: Vec<Vec<u16>>,
}

/// After this many choices only the alternatives that end soonest are taken. So no grammar makes a
/// genotype much larger.
const MAX_CHOICES: usize = 1 << 14;

/// Buffers for the next derivation.
#[derive(Default)]
struct Buffers {
    /// The new lists.
    lists: Vec<Vec<u16>>,
    /// For each symbol, the index of its next codon in the old genotype.
    next: Vec<u32>,
    /// A stack of symbols and their depths in the tree.
    stack: Vec<(u32, u32)>,
    /// The indices of the codons to change.
    mutations: Vec<u32>,
}

thread_local! {
    static BUFFERS: RefCell<Buffers> = RefCell::default();
}

impl Variation {
    /// Variation of the genotypes of a mapper.
    pub fn new(mapper: &Mapper, params: CheckedDsge) -> Self {
        let grammar = mapper.grammar().clone();
        let shortest = grammar.symbols().zip(grammar.shortest_alternatives());
        let shortest =
            shortest
                .map(|(symbol, shortest)| {
                    if shortest.len() < grammar.alternatives(symbol) {
                        shortest
                    } else {
                        Vec::new()
                    }
                })
                .collect();
        Self {
            params,
            roles: mapper.roles().clone(),
            symbols: AlternativeSymbols::new(&grammar),
            starts: mapper.starts().collect(),
            shortest,
            grammar,
        }
    }

    /// The alternatives that are allowed; empty when all are.
    #[inline]
    fn allowed(&self, symbol: u32, must_end: bool) -> &[u16] {
        if must_end { &self.shortest[symbol as usize] } else { &[] }
    }

    /// Makes the genotype anew by one derivation.
    fn rebuild(
        &self,
        genotype: &mut Genotype,
        depth: usize,
        buffers: &mut Buffers,
        stream: &mut Stream,
    ) {
        let Buffers { lists, next, stack, mutations } = buffers;
        lists.resize_with(self.grammar.rules.len(), Vec::new);
        lists.iter_mut().for_each(Vec::clear);
        let (begins, ends) = (&genotype.bounds[..lists.len()], &genotype.bounds[1..]);
        next.clear();
        next.extend_from_slice(begins);
        let mut neurons = NeuronCounter::default();
        let mut choices = 0;
        for start in &self.starts {
            stack.clear();
            stack.push((start.0, u32::from(*start != self.starts[0])));
            while let Some((symbol, level)) = stack.pop() {
                let rule = &self.grammar.rules[symbol as usize];
                let count = neurons.alternatives(&self.roles, symbol, rule);
                let mut choice = 0;
                if count > 1 {
                    choices += 1;
                    let must_end = level as usize >= depth || choices > MAX_CHOICES;
                    let allowed = self.allowed(symbol, must_end);
                    let next = &mut next[symbol as usize];
                    let old = (*next < ends[symbol as usize]).then(|| {
                        *next += 1;
                        genotype.codons[*next as usize - 1]
                    });
                    let kept = old.filter(|&old| {
                        u32::from(old) < count
                            && (allowed.is_empty() || allowed.contains(&old))
                            && !mutations.contains(&(*next - 1))
                    });
                    let codon = kept.unwrap_or_else(|| draw(old, count, allowed, stream));
                    lists[symbol as usize].push(codon);
                    choice = u32::from(codon);
                }
                self.push_symbols(rule, choice, level + 1, stack);
            }
        }
        genotype.codons.clear();
        for (end, list) in genotype.bounds[1..].iter_mut().zip(lists) {
            genotype.codons.extend_from_slice(list);
            *end = genotype.codons.len() as u32;
        }
    }

    #[inline]
    fn push_symbols(
        &self,
        rule: &CompiledRule,
        choice: u32,
        level: u32,
        stack: &mut Vec<(u32, u32)>,
    ) {
        stack.extend(self.symbols.symbols(rule, choice).iter().map(|symbol| (*symbol, level)));
    }
}

/// Draws an alternative, different from the old one if there is another. An empty `allowed` allows
/// all `count` alternatives.
fn draw(old: Option<u16>, count: u32, allowed: &[u16], stream: &mut Stream) -> u16 {
    let number = if allowed.is_empty() { count as usize } else { allowed.len() };
    let alternative = |index: usize| if allowed.is_empty() { index as u16 } else { allowed[index] };
    let old = old.and_then(|old| match allowed {
        [] => (u32::from(old) < count).then_some(usize::from(old)),
        _ => allowed.iter().position(|alternative| *alternative == old),
    });
    match old {
        Some(old) if number > 1 => alternative((old + 1 + stream.index(number - 1)) % number),
        _ => alternative(stream.index(number)),
    }
}

impl Representation for Variation {
    type Genome = Genotype;

    /// Draws all choices; from the initial depth on, only among alternatives that end soonest.
    fn random(&self, stream: &mut Stream) -> Genotype {
        let mut genotype =
            Genotype { codons: Vec::new(), bounds: vec![0; self.grammar.rules.len() + 1] };
        BUFFERS.with_borrow_mut(|buffers| {
            buffers.mutations.clear();
            self.rebuild(&mut genotype, self.params.raw().initial_depth, buffers, stream);
        });
        genotype
    }

    /// Exchanges each list with probability 1/2. The mutation that always follows repairs the
    /// offspring.
    fn crossover(&self, one: &mut Genotype, other: &mut Genotype, stream: &mut Stream) {
        let lists = self.grammar.rules.len();
        let total = one.codons.len() + other.codons.len();
        let mut offspring = [0, 1].map(|_| Genotype {
            codons: Vec::with_capacity(total),
            bounds: Vec::with_capacity(lists + 1),
        });
        offspring.iter_mut().for_each(|genotype| genotype.bounds.push(0));
        let mut mask = 0;
        for index in 0..lists {
            if index % 64 == 0 {
                mask = stream.bits();
            }
            let symbol = Symbol(index as u32);
            let exchange = (mask >> (index % 64) & 1) as usize;
            for (parent, child) in [(&*one, exchange), (&*other, 1 - exchange)] {
                offspring[child].codons.extend_from_slice(parent.list(symbol));
            }
            for genotype in &mut offspring {
                genotype.bounds.push(genotype.codons.len() as u32);
            }
        }
        [*one, *other] = offspring;
    }

    fn is_valid(&self, genotype: &Genotype) -> bool {
        if !genotype.is_valid(self.grammar.rules.len()) || genotype.codons.len() > 1 << 24 {
            return false;
        }
        // A valid genotype is one that repair does not change.
        let mut repaired = genotype.clone();
        let mut stream = Stream::at(0, mge_random::Purpose::Mutation, 0, 0);
        BUFFERS.with_borrow_mut(|buffers| {
            buffers.mutations.clear();
            self.rebuild(&mut repaired, self.params.raw().max_depth, buffers, &mut stream);
        });
        repaired == *genotype
    }

    /// Changes a few codons and repairs the genotype.
    fn mutate(&self, genotype: &mut Genotype, stream: &mut Stream) {
        let raw = self.params.raw();
        BUFFERS.with_borrow_mut(|buffers| {
            buffers.mutations.clear();
            if !genotype.codons.is_empty() && stream.chance(raw.mutation_rate) {
                let index = |_| stream.index(genotype.codons.len()) as u32;
                buffers.mutations.extend((0..raw.mutations).map(index));
            }
            self.rebuild(genotype, raw.max_depth, buffers, stream);
        });
    }
}
