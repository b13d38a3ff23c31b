//! BNF grammars, derivation, and the representations that map genotypes to networks.
//!
//! A grammar is a text that users copy and change. It becomes three types:
//!
//! - [`Template`]: the parsed and checked text, independent of the data (`x1..xd`);
//! - [`Grammar`]: the template bound to a [`Shape`] and compiled;
//! - [`Sentence`]: what [`Grammar::derive`] writes from the codons of a gene, unless it is a
//!   [`MapFailure`].
//!
//! [`Grammar::trace`] is the slow twin of `derive`: it records every step and the
//! derivation tree, and tests compare the two. [`WeightSlots`] are the positions where real weights are
//! written. [`shipped`] lists the grammars that come with the project.
//!
//! Each representation is a module with a genotype, a mapper, a variation and settings: [`mge`],
//! [`ge`], [`sge`], [`dsge`].
//!
//! ```
//! use mge_grammar::{DecodeOptions, Sentence, Shape, Template};
//!
//! let template = Template::parse("g1.bnf", "<start> ::= <exp>\n<exp> ::= 0 | 1 <exp>")?;
//! let grammar = template.bind(Shape { features: 1, outputs: 1 })?;
//! let mut sentence = Sentence::default();
//! let gene = [11, 5, 73, 8, 15, 20, 30];
//! let derived = grammar.derive(grammar.start(), &gene, &DecodeOptions::default(), &mut sentence)?;
//! assert_eq!(sentence.text(), "1110");
//! assert_eq!(derived.codons_used, 4);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod bnf;
mod codon_lists;
mod compile;
mod derive;
pub mod dsge;
mod dual_number;
pub mod ge;
mod grammar;
pub mod mge;
pub mod network_mapper;
mod network_sentence;
pub mod neuron;
mod recursion;
pub mod sge;
pub mod shipped;
mod trace;
mod weight_slots;

pub use bnf::{BnfErrors, Template, Warning};
pub use derive::{DERIVATION_LIMIT, DecodeOptions, Derived, MapFailure, Sentence};
pub use grammar::{BindError, Grammar, Shape, Symbol};
pub use trace::{DerivationNode, DerivationTree, Step, Trace};
pub use weight_slots::{GeneValues, WeightSlots, WeightSlotsError};
