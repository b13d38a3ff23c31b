//! The slow twin of [`codon_lists`](crate::codon_lists).

use std::collections::VecDeque;

use super::{Pick, SlowChoiceSource};
use crate::derive::Derived;
use crate::grammar::{Grammar, Symbol};

/// What is left of each symbol's list.
pub(crate) struct SlowCodonLists {
    lists: Vec<VecDeque<u16>>,
    /// The length of each whole list.
    lens: Vec<usize>,
    used: usize,
    /// Whether the neurons so far are appended to rules that list sources.
    growing: bool,
    neurons: usize,
    visible: usize,
}

impl SlowCodonLists {
    pub(crate) fn new(lists: impl Iterator<Item = Vec<u16>>, growing: bool) -> Self {
        let lists: Vec<VecDeque<u16>> = lists.map(VecDeque::from).collect();
        let lens = lists.iter().map(VecDeque::len).collect();
        Self { lists, lens, used: 0, growing, neurons: 0, visible: 0 }
    }

    /// Counts the neurons so far, and those that can be read from here.
    fn count_neurons(&mut self, grammar: &Grammar, symbol: Symbol) {
        let layered = grammar.symbol("Layer").is_some();
        match grammar.name(symbol) {
            "Layer" | "Output" => self.visible = self.neurons,
            "Neuron" => {
                if !layered {
                    self.visible = self.neurons;
                }
                self.neurons += 1;
            }
            _ => {}
        }
    }
}

impl SlowChoiceSource for SlowCodonLists {
    fn pick(&mut self, grammar: &Grammar, symbol: Symbol, written: usize) -> Pick {
        let number = symbol.0 as usize;
        let mut alternatives = written;
        if self.growing {
            self.count_neurons(grammar, symbol);
            if grammar.rules[number].neurons {
                alternatives = self.visible.max(1);
            } else if grammar.rules[number].input {
                alternatives += self.visible;
            }
        }
        if alternatives == 1 {
            return Pick { alternatives, codon: None, choice: Some(0) };
        }
        let index = self.lens[number] - self.lists[number].len();
        let codon = self.lists[number].pop_front();
        self.used += usize::from(codon.is_some());
        let choice = codon.map(usize::from).filter(|choice| *choice < alternatives);
        Pick { alternatives, codon: codon.map(|codon| (index, codon)), choice }
    }

    fn used(&self) -> (Derived, usize) {
        (Derived { codons_used: self.used, wraps_used: 0 }, self.lens.iter().sum())
    }
}
