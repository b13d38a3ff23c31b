//! The derivation tree, printed with indentation.
//!
//! A left-most derivation meets the nodes of its tree from the root downwards and from left to
//! right, so the tree is a plain list of nodes with depths, and printing needs no recursion.

use std::fmt;

use crate::bnf::Template;
use crate::grammar::Symbol;

/// The most nodes that are recorded.
const MOST_NODES: usize = 100_000;
/// Indentation stops growing here, so that a deep tree prints in bounded space.
const DEEPEST_INDENT: usize = 100;

/// A node of the derivation tree.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Node {
    /// A symbol and the alternative that replaced it; its children follow, one deeper.
    Symbol {
        /// The symbol.
        symbol: Symbol,
        /// Place in the gene, from 0, and value of the codon; `None` when there is no choice.
        codon: Option<(usize, u16)>,
        /// How many alternatives there were.
        alternatives: usize,
        /// Which one was taken, from 0.
        choice: usize,
    },
    /// A piece of the sentence.
    Text(String),
    /// A symbol that was never replaced, because the mapping failed.
    LeftOver(Symbol),
}

/// The derivation tree of one mapping.
#[derive(Debug, Clone)]
pub struct Tree {
    template: Template,
    nodes: Vec<(usize, Node)>,
    left_out: usize,
}

impl Tree {
    pub(super) fn new(template: Template) -> Self {
        Self { template, nodes: Vec::new(), left_out: 0 }
    }

    /// Depth, from 0, and node, in the order of the derivation: parents before their children,
    /// children from left to right.
    pub fn nodes(&self) -> &[(usize, Node)] {
        &self.nodes
    }

    fn add(&mut self, depth: usize, node: impl FnOnce() -> Node) {
        if self.nodes.len() < MOST_NODES {
            self.nodes.push((depth, node()));
        } else {
            self.left_out += 1;
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
        self.add(depth, || Node::Symbol { symbol, codon, alternatives, choice });
    }

    pub(super) fn text(&mut self, depth: usize, text: &str) {
        self.add(depth, || Node::Text(text.to_owned()));
    }

    pub(super) fn left_over(&mut self, depth: usize, symbol: Symbol) {
        self.add(depth, || Node::LeftOver(symbol));
    }
}

impl fmt::Display for Tree {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = |symbol: &Symbol| self.template.rule_name(*symbol);
        for (index, (depth, node)) in self.nodes.iter().enumerate() {
            if index > 0 {
                f.write_str("\n")?;
            }
            write!(f, "{:indent$}", "", indent = 2 * depth.min(&DEEPEST_INDENT))?;
            match node {
                Node::Text(text) => write!(f, "{text:?}")?,
                Node::LeftOver(symbol) => write!(f, "<{}>  not replaced", name(symbol))?,
                Node::Symbol { symbol, codon: None, .. } => write!(f, "<{}>", name(symbol))?,
                Node::Symbol { symbol, codon: Some((_, value)), alternatives, choice } => {
                    write!(f, "<{}>  {value} mod {alternatives} = {choice}", name(symbol))?;
                }
            }
        }
        if self.left_out > 0 {
            write!(f, "\n... and {} more nodes", self.left_out)?;
        }
        Ok(())
    }
}
