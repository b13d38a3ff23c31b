//! The derivation tree, printed with indentation.
//!
//! A left-most derivation meets the nodes of its tree from the root downwards and from left to
//! right, so the tree is a plain list of nodes with depths, and printing needs no recursion.

use std::fmt;

use crate::bnf::Template;
use crate::grammar::Symbol;

/// How many nodes are recorded at most.
const MAX_NODES: usize = 100_000;
/// The largest indentation, so that a deep tree prints in bounded space.
const MAX_INDENT: usize = 100;

/// A node of the derivation tree.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DerivationNode {
    /// A symbol and the alternative that replaced it. Its children follow, one level deeper.
    Symbol {
        /// The symbol.
        symbol: Symbol,
        /// Index in the gene and value of the codon; `None` when there is no choice.
        codon: Option<(usize, u16)>,
        /// How many alternatives there were.
        alternatives: usize,
        /// Which one was taken, from 0.
        choice: usize,
    },
    /// A piece of the sentence.
    Text(String),
    /// A symbol that was never replaced, because the mapping failed.
    NotReplaced(Symbol),
}

/// The derivation tree of one mapping.
#[derive(Debug, Clone)]
pub struct DerivationTree {
    template: Template,
    nodes: Vec<(usize, DerivationNode)>,
    not_recorded: usize,
}

impl DerivationTree {
    pub(super) fn new(template: Template) -> Self {
        Self { template, nodes: Vec::new(), not_recorded: 0 }
    }

    /// The nodes with their depths, from 0, in the order of the derivation: parents before their
    /// children, children from left to right.
    pub fn nodes(&self) -> &[(usize, DerivationNode)] {
        &self.nodes
    }

    fn add(&mut self, depth: usize, node: impl FnOnce() -> DerivationNode) {
        if self.nodes.len() < MAX_NODES {
            self.nodes.push((depth, node()));
        } else {
            self.not_recorded += 1;
        }
    }

    pub(super) fn symbol(
        &mut self,
        depth: usize,
        symbol: Symbol,
        codon: Option<(usize, u16)>,
        alternatives: usize,
        choice: usize,
    ) {
        self.add(depth, || DerivationNode::Symbol { symbol, codon, alternatives, choice });
    }

    pub(super) fn text(&mut self, depth: usize, text: &str) {
        self.add(depth, || DerivationNode::Text(text.to_owned()));
    }

    pub(super) fn not_replaced(&mut self, depth: usize, symbol: Symbol) {
        self.add(depth, || DerivationNode::NotReplaced(symbol));
    }
}

impl fmt::Display for DerivationTree {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = |symbol: &Symbol| self.template.rule_name(*symbol);
        for (index, (depth, node)) in self.nodes.iter().enumerate() {
            if index > 0 {
                f.write_str("\n")?;
            }
            write!(f, "{:indent$}", "", indent = 2 * depth.min(&MAX_INDENT))?;
            match node {
                DerivationNode::Text(text) => write!(f, "{text:?}")?,
                DerivationNode::NotReplaced(symbol) => {
                    write!(f, "<{}>  not replaced", name(symbol))?;
                }
                DerivationNode::Symbol { symbol, codon: None, .. } => {
                    write!(f, "<{}>", name(symbol))?;
                }
                DerivationNode::Symbol {
                    symbol,
                    codon: Some((_, value)),
                    alternatives,
                    choice,
                } => {
                    write!(f, "<{}>  {value} mod {alternatives} = {choice}", name(symbol))?;
                }
            }
        }
        if self.not_recorded > 0 {
            write!(f, "\n... and {} more nodes", self.not_recorded)?;
        }
        Ok(())
    }
}
