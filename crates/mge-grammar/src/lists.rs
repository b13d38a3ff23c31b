//! Choices from one list of codons for each symbol (structured representations), and derivation
//! without a text, for those who only want to know which codons are read.
//!
//! A codon of a list is the number of the alternative itself. A rule without a choice reads none.

use crate::compile::{CompiledRule, NO_SYMBOL};
use crate::derive::Choices;
use crate::grammar::{Grammar, Symbol};

/// Lists of codons, all in one row, and how far each is read.
pub(crate) struct Lists<'g> {
    codons: &'g [u16],
    /// For each symbol the place of its next codon.
    next: &'g mut [u32],
    /// For each symbol the place behind its last codon.
    ends: &'g [u32],
    used: usize,
}

impl<'g> Lists<'g> {
    /// `next` becomes the beginning of each list. `bounds` has the beginning of the first list, then
    /// the end of each.
    pub(crate) fn new(codons: &'g [u16], bounds: &'g [u32], next: &'g mut Vec<u32>) -> Self {
        next.clear();
        next.extend_from_slice(&bounds[..bounds.len() - 1]);
        Self { codons, next, ends: &bounds[1..], used: 0 }
    }

    /// The next codon of a symbol with `count` alternatives; `None` at the end of its list, or when
    /// the codon is no alternative.
    #[inline]
    pub(crate) fn take(&mut self, symbol: u32, count: u32) -> Option<u32> {
        let next = &mut self.next[symbol as usize];
        if *next >= self.ends[symbol as usize] {
            return None;
        }
        let codon = u32::from(*self.codons.get(*next as usize)?);
        *next += 1;
        self.used += 1;
        (codon < count).then_some(codon)
    }
}

impl Choices for Lists<'_> {
    #[inline]
    fn choose(&mut self, symbol: u32, rule: &CompiledRule) -> Option<u32> {
        if rule.count == 1 { Some(0) } else { self.take(symbol, rule.count) }
    }

    fn used(&self) -> usize {
        self.used
    }
}

/// For each alternative of a grammar the symbols in it, from right to left.
#[derive(Debug, Clone)]
pub(crate) struct Walk {
    /// For each alternative where its symbols begin, and where the last ones end.
    bounds: Vec<u32>,
    symbols: Vec<u32>,
}

impl Walk {
    pub(crate) fn new(grammar: &Grammar) -> Self {
        let mut walk = Self { bounds: vec![0], symbols: Vec::new() };
        for alternative in &grammar.alternatives {
            let stretches = &grammar.stretches[alternative.first as usize..];
            let begin = walk.symbols.len();
            for stretch in stretches {
                if stretch.symbol != NO_SYMBOL {
                    walk.symbols.push(stretch.symbol);
                }
                if !stretch.more {
                    break;
                }
            }
            walk.symbols[begin..].reverse();
            walk.bounds.push(walk.symbols.len() as u32);
        }
        walk
    }

    /// The symbols of an alternative of a rule, from right to left; none for a neuron reference.
    #[inline]
    pub(crate) fn symbols(&self, rule: &CompiledRule, choice: u32) -> &[u32] {
        if choice >= rule.count {
            return &[];
        }
        let place = (rule.first + choice) as usize;
        &self.symbols[self.bounds[place] as usize..self.bounds[place + 1] as usize]
    }

    /// Derives without a text. Whether it ended; the choices are left where it did.
    #[inline]
    pub(crate) fn by(
        &self,
        grammar: &Grammar,
        start: Symbol,
        choices: &mut impl Choices,
        open: &mut Vec<u32>,
    ) -> bool {
        open.clear();
        open.push(start.0);
        while let Some(symbol) = open.pop() {
            let rule = &grammar.rules[symbol as usize];
            let Some(choice) = choices.choose(symbol, rule) else { return false };
            open.extend_from_slice(self.symbols(rule, choice));
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::derive::Text;
    use crate::trace::SlowLists;
    use crate::{Shape, Template};
    use serde::Deserialize;
    use std::collections::BTreeMap;

    #[derive(Deserialize)]
    struct Golden {
        grammars: BTreeMap<String, String>,
        lists: Vec<Case>,
    }

    #[derive(Deserialize)]
    struct Case {
        grammar: String,
        lists: BTreeMap<String, Vec<u16>>,
        sentence: Option<String>,
    }

    /// See `scripts/mapping-golden.py`.
    #[test]
    fn maps_as_another_implementation_does() {
        let golden = include_str!("../tests/mapping-golden.json");
        let golden: Golden = serde_json::from_str(golden).expect("the golden file");
        assert!(golden.lists.len() > 100);
        let (mut text, mut next, mut open) = (Text::default(), Vec::new(), Vec::new());
        for case in &golden.lists {
            let template = Template::parse("golden", &golden.grammars[&case.grammar]);
            let shape = Shape { features: 5, outputs: 3 };
            let grammar = template.expect("a right grammar").bind(shape).expect("no ranges");
            let lists: Vec<_> =
                grammar.symbols().map(|symbol| case.lists[grammar.name(symbol)].clone()).collect();
            let mut bounds = vec![0];
            bounds.extend(lists.iter().scan(0, |end, list| {
                *end += list.len() as u32;
                Some(*end)
            }));
            let codons = lists.concat();
            let mut reading = Lists::new(&codons, &bounds, &mut next);
            let derived = grammar.derive_by(grammar.start(), &mut reading, &mut text);
            let used = reading.used();
            let sentence = derived.is_ok().then(|| text.as_str().replace(' ', ""));
            assert_eq!(sentence, case.sentence);
            let slow =
                grammar.trace_by(grammar.start(), &mut SlowLists::new(lists.into_iter(), false));
            assert_eq!(slow.sentence(), derived.is_ok().then(|| text.as_str()));
            let mut reading = Lists::new(&codons, &bounds, &mut next);
            let ended = Walk::new(&grammar).by(&grammar, grammar.start(), &mut reading, &mut open);
            assert_eq!((ended, reading.used()), (derived.is_ok(), used));
        }
    }
}
