//! The grammars that come with the project.
//!
//! They are in the folder `grammars` of this crate, so that the crate can be packaged alone. Users
//! copy a file and change it; `docs/how-to/define-a-grammar.md` explains how.

/// A grammar that comes with the project.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shipped {
    /// The name of its file without `.bnf`.
    pub name: &'static str,
    /// Its purpose in a few words.
    pub title: &'static str,
    /// The whole file.
    pub text: &'static str,
}

macro_rules! shipped {
    ($name:literal, $title:literal) => {
        Shipped {
            name: $name,
            title: $title,
            text: include_str!(concat!("../grammars/", $name, ".bnf")),
        }
    };
}

/// The paper's modular grammar: variants mge, alpha and beta.
pub const MGE: Shipped = shipped!("mge", "modular: each neuron feeds one output");
/// The paper's first grammar: variants eta and mu.
pub const MONOLITHIC: Shipped =
    shipped!("monolithic", "monolithic: a neuron may feed several outputs");
/// Modular with the authors' choice of activation.
pub const AUTHORS: Shipped = shipped!("authors", "modular, sig or tanh25 by a codon");
/// Monolithic with the authors' choice of activation.
pub const AUTHORS_MONOLITHIC: Shipped =
    shipped!("authors-monolithic", "monolithic, sig or tanh25 by a codon");

/// One output of a network with one hidden layer: method GE.
pub const GE: Shipped = shipped!("ge", "GE: an output as a sum of neurons, Tsoulos 2008");
/// The same with weights of three digits: method SGE.
pub const SGE: Shipped = shipped!("sge", "SGE: an output as a sum of neurons, Assuncao 2017");
/// A whole network of hidden layers and outputs: method DSGE.
pub const DSGE: Shipped = shipped!("dsge", "DSGE: layers, then outputs, Assuncao 2017");

/// Grammars of neurons, for MGE: the paper's (decision 1), the authors' (decision 14), then examples
/// of what a copy may change.
pub const ALL: [Shipped; 8] = [
    MGE,
    MONOLITHIC,
    AUTHORS,
    AUTHORS_MONOLITHIC,
    shipped!("activations", "modular, any activation by a codon"),
    shipped!("fixed-digits", "modular, weights of exactly three digits"),
    shipped!("sparse", "modular, few inputs"),
    shipped!("dense", "modular, more inputs"),
];

/// Grammars of whole networks, one for each other method.
pub const NETWORKS: [Shipped; 3] = [GE, SGE, DSGE];

/// The shipped grammar with this name. `mge.bnf` is not a name: it is a file of the user.
pub fn find(name: &str) -> Option<&'static Shipped> {
    const SHIPPED: (&[Shipped], &[Shipped]) = (&ALL, &NETWORKS);
    SHIPPED.0.iter().chain(SHIPPED.1).find(|shipped| shipped.name == name)
}
