//! Errors of [`Network::new`](crate::Network::new).

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

/// Why neurons and outputs do not make a network.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum NetworkError {
    /// There is no output.
    #[error("a network needs at least one output")]
    NoOutputs,
    /// A link in a file names no source, or two.
    #[error("a link needs a source; expected either `input` or `neuron`")]
    LinkWithoutSource,
    /// One of the `MAX_` limits of this crate is exceeded.
    #[error("{count} {what}, but a network may have at most {limit}")]
    TooMany {
        /// What there are too many of.
        what: &'static str,
        /// How many there are.
        count: usize,
        /// How many are allowed.
        limit: usize,
    },
    /// A link comes from an input that the network does not have.
    #[error("{unit} links to input {input}, but there are only {inputs} (counted from 0)")]
    NoSuchInput {
        /// Where the link ends.
        unit: Unit,
        /// The input it names.
        input: u32,
        /// How many inputs there are.
        inputs: usize,
    },
    /// A link comes from a neuron that does not exist or does not come earlier.
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
    /// One unit has two links from the same source. [`merge_links`](crate::merge_links) merges them.
    #[error("{unit} links twice to {from:?}; expected one link with the sum of the weights")]
    RepeatedSource {
        /// Where the links end.
        unit: Unit,
        /// Where both come from.
        from: Source,
    },
    /// A weight is infinite or NaN.
    #[error("{unit} has the weight or bias {value}; expected a finite number")]
    NotFinite {
        /// Where the link ends.
        unit: Unit,
        /// The weight or bias.
        value: f32,
    },
}
