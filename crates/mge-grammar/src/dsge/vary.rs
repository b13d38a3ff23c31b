//! How genotypes begin, vary and are repaired.
//!
//! A genotype is always made by one walk over its derivation. Where the walk needs a codon it takes
//! the next one of the symbol's list, or draws one: at the end of the list, for a codon that is to be
//! mutated, and for one that is no alternative here any more, because there are fewer neurons or the
//! tree is too deep. Codons that the walk does not come to are dropped. So the offspring carries its
//! repair, and mapping it later needs no random numbers.

use super::grow::{Neurons, Roles};
use super::{CheckedDsge, Genotype, Mapper};
use crate::compile::CompiledRule;
use crate::lists::Walk;
use crate::{Grammar, Symbol};
use mge_evolve::Representation;
use mge_random::Stream;
use std::cell::RefCell;

/// Initialisation, crossover, mutation and repair of genotypes.
#[derive(Debug, Clone)]
pub struct Variation {
    params: CheckedDsge,
    grammar: Grammar,
    roles: Roles,
    walk: Walk,
    starts: Vec<Symbol>,
    /// For each rule the alternatives that end soonest; empty when all of them do.
    shortest: Vec<Vec<u16>>,
}

/// After so many choices only the alternatives that end soonest are taken: no grammar can make a
/// genotype larger than a few of these.
const MOST_CHOICES: usize = 1 << 14;

/// Memory for the next walk.
#[derive(Default)]
struct Buffers {
    /// The lists as they are made.
    lists: Vec<Vec<u16>>,
    /// For each symbol the place of its next codon in the old genotype.
    next: Vec<u32>,
    /// Open symbols and their depth in the tree.
    open: Vec<(u32, u32)>,
    /// Places of codons to change.
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
            walk: Walk::new(&grammar),
            starts: mapper.starts().collect(),
            shortest,
            grammar,
        }
    }

    /// The alternatives that are left when the tree may not grow; empty when there is no limit.
    #[inline]
    fn limited(&self, symbol: u32, tight: bool) -> &[u16] {
        if tight { &self.shortest[symbol as usize] } else { &[] }
    }

    /// Makes `genotype` anew by one walk.
    fn rebuild(
        &self,
        genotype: &mut Genotype,
        depth: usize,
        buffers: &mut Buffers,
        stream: &mut Stream,
    ) {
        let Buffers { lists, next, open, mutations } = buffers;
        lists.resize_with(self.grammar.rules.len(), Vec::new);
        lists.iter_mut().for_each(Vec::clear);
        let (begins, ends) = (&genotype.bounds[..lists.len()], &genotype.bounds[1..]);
        next.clear();
        next.extend_from_slice(begins);
        let mut neurons = Neurons::default();
        let mut choices = 0;
        for start in &self.starts {
            open.clear();
            open.push((start.0, u32::from(*start != self.starts[0])));
            while let Some((symbol, level)) = open.pop() {
                let rule = &self.grammar.rules[symbol as usize];
                let count = neurons.alternatives(&self.roles, symbol, rule);
                let mut choice = 0;
                if count > 1 {
                    choices += 1;
                    let tight = level as usize >= depth || choices > MOST_CHOICES;
                    let limited = self.limited(symbol, tight);
                    let next = &mut next[symbol as usize];
                    let old = (*next < ends[symbol as usize]).then(|| {
                        *next += 1;
                        genotype.codons[*next as usize - 1]
                    });
                    let kept = old.filter(|&old| {
                        u32::from(old) < count
                            && (limited.is_empty() || limited.contains(&old))
                            && !mutations.contains(&(*next - 1))
                    });
                    let codon = kept.unwrap_or_else(|| draw(old, count, limited, stream));
                    lists[symbol as usize].push(codon);
                    choice = u32::from(codon);
                }
                self.push_symbols(rule, choice, level + 1, open);
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
        open: &mut Vec<(u32, u32)>,
    ) {
        open.extend(self.walk.symbols(rule, choice).iter().map(|symbol| (*symbol, level)));
    }
}

/// A random alternative, another one than the old if there is another.
fn draw(old: Option<u16>, count: u32, limited: &[u16], stream: &mut Stream) -> u16 {
    let number = if limited.is_empty() { count as usize } else { limited.len() };
    let alternative = |place: usize| if limited.is_empty() { place as u16 } else { limited[place] };
    let old = old.and_then(|old| match limited {
        [] => (u32::from(old) < count).then_some(usize::from(old)),
        _ => limited.iter().position(|alternative| *alternative == old),
    });
    match old {
        Some(old) if number > 1 => alternative((old + 1 + stream.index(number - 1)) % number),
        _ => alternative(stream.index(number)),
    }
}

impl Representation for Variation {
    type Genome = Genotype;

    /// Random choices all the way, only short ones from the initial depth on.
    fn random(&self, stream: &mut Stream) -> Genotype {
        let mut genotype =
            Genotype { codons: Vec::new(), bounds: vec![0; self.grammar.rules.len() + 1] };
        BUFFERS.with_borrow_mut(|buffers| {
            buffers.mutations.clear();
            self.rebuild(&mut genotype, self.params.raw().initial_depth, buffers, stream);
        });
        genotype
    }

    /// Each list stays or is exchanged with equal chance. Mutation, which always follows, repairs.
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
            for (parent, place) in [(&*one, exchange), (&*other, 1 - exchange)] {
                offspring[place].codons.extend_from_slice(parent.list(symbol));
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
        // What needs no repair is not changed by it.
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
                let place = |_| stream.index(genotype.codons.len()) as u32;
                buffers.mutations.extend((0..raw.mutations).map(place));
            }
            self.rebuild(genotype, raw.max_depth, buffers, stream);
        });
    }
}
