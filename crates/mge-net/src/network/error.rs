//! What can be wrong with a network's parts.

use thiserror::Error;

use super::Source;

/// A neuron or an output, in an error message. Counted from 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unit {
    /// A hidden neuron.
    Neuron(usize),
    /// An output.
    Output(usize),
}

impl std::fmt::Display for Unit {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Unit::Neuron(index) => write!(f, "neuron {index}"),
            Unit::Output(index) => write!(f, "output {index}"),
        }
    }
}

/// Why a list of neurons and outputs is no network.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum NetworkError {
    /// A network that answers nothing.
    #[error("a network needs at least one output")]
    NoOutputs,
    /// A link in a file that names no source, or two.
    #[error("a link needs a source; expected either `input` or `neuron`")]
    LinkWithoutSource,
    /// One of the `MAX_` limits of this module is passed.
    #[error("{count} {what}, but a network may have at most {limit}")]
    TooMany {
        /// What there are too many of.
        what: &'static str,
        /// How many were asked for.
        count: usize,
        /// How many are allowed.
        limit: usize,
    },
    /// A link from an input the network does not have.
    #[error("{unit} links to input {input}, but there are only {inputs} (counted from 0)")]
    NoSuchInput {
        /// Where the link ends.
        unit: Unit,
        /// The input it names.
        input: u32,
        /// How many inputs there are.
        inputs: usize,
    },
    /// A link from a neuron that does not exist, or does not come earlier.
    #[error(
        "{unit} links to neuron {neuron}, but only the {earlier} neurons before it may be used \
         (counted from 0)"
    )]
    NotEarlier {
        /// Where the link ends.
        unit: Unit,
        /// The neuron it names.
        neuron: u32,
        /// How many neurons come before the unit.
        earlier: usize,
    },
    /// The same source twice in one unit; [`merge_links`](crate::merge_links) adds such links up.
    #[error("{unit} links twice to {from:?}; expected one link with the sum of the weights")]
    RepeatedSource {
        /// Where the links end.
        unit: Unit,
        /// Where both come from.
        from: Source,
    },
    /// Infinity or not-a-number.
    #[error("{unit} has the weight or bias {value}; expected a finite number")]
    NotFinite {
        /// Where the link ends.
        unit: Unit,
        /// The weight or bias.
        value: f32,
    },
}
