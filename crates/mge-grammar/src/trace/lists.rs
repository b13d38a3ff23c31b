//! The slow twin of [`lists`](crate::lists): one list of codons for each symbol.

use std::collections::VecDeque;

use super::{Pick, SlowChoices};
use crate::derive::Derived;
use crate::grammar::{Grammar, Symbol};

/// What is left of each symbol's list, with places for the record.
pub(crate) struct SlowLists {
    lists: Vec<VecDeque<u16>>,
    lens: Vec<usize>,
    used: usize,
    /// Whether rules that list sources grow by the neurons there are.
    growing: bool,
    neurons: usize,
    visible: usize,
}

impl SlowLists {
    pub(crate) fn new(lists: impl Iterator<Item = Vec<u16>>, growing: bool) -> Self {
        let lists: Vec<VecDeque<u16>> = lists.map(VecDeque::from).collect();
        let lens = lists.iter().map(VecDeque::len).collect();
        Self { lists, lens, used: 0, growing, neurons: 0, visible: 0 }
    }

    /// Neurons that the symbol may refer to, if it lists sources.
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

impl SlowChoices for SlowLists {
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
        let place = self.lens[number] - self.lists[number].len();
        let codon = self.lists[number].pop_front();
        self.used += usize::from(codon.is_some());
        let choice = codon.map(usize::from).filter(|choice| *choice < alternatives);
        Pick { alternatives, codon: codon.map(|codon| (place, codon)), choice }
    }

    fn used(&self) -> (Derived, usize) {
        (Derived { codons_used: self.used, wraps_used: 0 }, self.lens.iter().sum())
    }
}
