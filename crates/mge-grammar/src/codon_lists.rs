//! One list of codons for each symbol, as structured representations have it (SGE, DSGE).
//!
//! A codon of a list is the number of the alternative itself. A rule with a single alternative
//! reads none (decision 2). [`AlternativeSymbols`] derives without writing a sentence, to find out
//! which codons are read.

use crate::compile::{CompiledRule, NO_SYMBOL};
use crate::derive::ChoiceSource;
use crate::grammar::{Grammar, Symbol};

/// Codon lists in one slice, and how far each list is read.
pub(crate) struct CodonLists<'g> {
    codons: &'g [u16],
    /// For each symbol, the index of its next codon.
    next: &'g mut [u32],
    /// For each symbol, the end of its list.
    ends: &'g [u32],
    used: usize,
}

impl<'g> CodonLists<'g> {
    /// Starts at the beginning of each list. `bounds` has the start of the first list, then the end
    /// of each list. `next` is a buffer.
    pub(crate) fn new(codons: &'g [u16], bounds: &'g [u32], next: &'g mut Vec<u32>) -> Self {
        next.clear();
        next.extend_from_slice(&bounds[..bounds.len() - 1]);
        Self { codons, next, ends: &bounds[1..], used: 0 }
    }

    /// Reads the next codon of a symbol with `count` alternatives. `None` at the end of its list, or
    /// if the codon is not the number of an alternative.
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

impl ChoiceSource for CodonLists<'_> {
    #[inline]
    fn choose(&mut self, symbol: u32, rule: &CompiledRule) -> Option<u32> {
        if rule.count == 1 { Some(0) } else { self.take(symbol, rule.count) }
    }

    fn used(&self) -> usize {
        self.used
    }
}

/// The symbols in each alternative of a grammar, from right to left: the order in which they go onto
/// a stack.
#[derive(Debug, Clone)]
pub(crate) struct AlternativeSymbols {
    /// For each alternative, the start of its symbols; at the end, their number.
    bounds: Vec<u32>,
    symbols: Vec<u32>,
}

impl AlternativeSymbols {
    pub(crate) fn new(grammar: &Grammar) -> Self {
        let mut all = Self { bounds: vec![0], symbols: Vec::new() };
        for alternative in &grammar.alternatives {
            let segments = &grammar.segments[alternative.first as usize..];
            let begin = all.symbols.len();
            for segment in segments {
                if segment.symbol != NO_SYMBOL {
                    all.symbols.push(segment.symbol);
                }
                if !segment.more {
                    break;
                }
            }
            all.symbols[begin..].reverse();
            all.bounds.push(all.symbols.len() as u32);
        }
        all
    }

    /// The symbols of an alternative of a rule, from right to left; none for a neuron reference.
    #[inline]
    pub(crate) fn symbols(&self, rule: &CompiledRule, choice: u32) -> &[u32] {
        if choice >= rule.count {
            return &[];
        }
        let alternative = (rule.first + choice) as usize;
        &self.symbols[self.bounds[alternative] as usize..self.bounds[alternative + 1] as usize]
    }

    /// Derives without writing a sentence. Returns whether the derivation ended. `choices` keeps
    /// the position that it reached; `stack` is a buffer.
    #[inline]
    pub(crate) fn derive(
        &self,
        grammar: &Grammar,
        start: Symbol,
        choices: &mut impl ChoiceSource,
        stack: &mut Vec<u32>,
    ) -> bool {
        stack.clear();
        stack.push(start.0);
        while let Some(symbol) = stack.pop() {
            let rule = &grammar.rules[symbol as usize];
            let Some(choice) = choices.choose(symbol, rule) else { return false };
            stack.extend_from_slice(self.symbols(rule, choice));
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::derive::SentenceBuffer;
    use crate::trace::SlowCodonLists;
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
    fn codon_lists_map_as_in_the_reference_implementation() {
        let golden = include_str!("../tests/mapping-golden.json");
        let golden: Golden = serde_json::from_str(golden).expect("the golden file");
        assert!(golden.lists.len() > 100);
        let mut text = SentenceBuffer::default();
        let (mut next, mut stack) = (Vec::new(), Vec::new());
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
            let mut reader = CodonLists::new(&codons, &bounds, &mut next);
            let derived = grammar.derive_by(grammar.start(), &mut reader, &mut text);
            let used = reader.used();
            let sentence = derived.is_ok().then(|| text.as_str().replace(' ', ""));
            assert_eq!(sentence, case.sentence);
            let mut slow_reader = SlowCodonLists::new(lists.into_iter(), false);
            let slow = grammar.trace_by(grammar.start(), &mut slow_reader);
            assert_eq!(slow.sentence(), derived.is_ok().then(|| text.as_str()));
            let mut reader = CodonLists::new(&codons, &bounds, &mut next);
            let symbols = AlternativeSymbols::new(&grammar);
            let ended = symbols.derive(&grammar, grammar.start(), &mut reader, &mut stack);
            assert_eq!((ended, reader.used()), (derived.is_ok(), used));
        }
    }
}
