//! The network itself: what genes are mapped to, what is evaluated, saved and exported.
//!
//! Hidden neurons stand in topological order, and [`Network::new`] is the only way to make a
//! network, so whoever holds one may walk it once, forwards, without a check: no cycles, no
//! reference out of range, no weight that is not finite, no source twice in one unit.

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::activation::Activation;

/// Most inputs a network may declare. The limits keep a hostile file from asking for memory
/// out of proportion to its own size.
pub const MAX_INPUTS: usize = 1 << 20;
/// Most hidden neurons.
pub const MAX_NEURONS: usize = 1 << 16;
/// Most outputs.
pub const MAX_OUTPUTS: usize = 1 << 12;
/// Most links, hidden and output together.
pub const MAX_LINKS: usize = 1 << 22;

/// Where a link comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Source {
    /// A feature of the row, counted from 0.
    Input(u32),
    /// A hidden neuron, counted from 0.
    Neuron(u32),
}

/// A weighted connection into a neuron or an output.
///
/// In a file: `{"input": 3, "weight": 0.5}` or `{"neuron": 0, "weight": 0.5}`.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "RawLink", into = "RawLink")]
pub struct Link {
    /// Where the value comes from.
    pub source: Source,
    /// What it is multiplied by.
    pub weight: f32,
}

/// A hidden neuron: `activation(bias + sum of weight * source)`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Neuron {
    /// Applied to the sum.
    pub activation: Activation,
    /// Added to the sum; `None` is no connection at all and costs nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bias: Option<f32>,
    /// Inputs and earlier hidden neurons.
    pub links: Vec<Link>,
}

/// An output: the plain sum `bias + sum of weight * source`.
///
/// Soft-max, or the sigmoid of a single output, is applied to all outputs together
/// (see [`reference::probabilities`](crate::reference::probabilities)).
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Output {
    /// Added to the sum; `None` is no connection at all and costs nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bias: Option<f32>,
    /// Hidden neurons, or inputs directly.
    pub links: Vec<Link>,
}

/// A sparse feed-forward network of any depth.
///
/// One output tells two classes apart: its sigmoid is the probability of class 1. With several
/// outputs there is one for each class, under a soft-max.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "RawNetwork")]
pub struct Network {
    inputs: usize,
    neurons: Vec<Neuron>,
    outputs: Vec<Output>,
}

/// A link as a file spells it, before it is checked.
#[derive(Serialize, Deserialize)]
#[serde(rename = "Link", deny_unknown_fields)]
struct RawLink {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    input: Option<u32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    neuron: Option<u32>,
    weight: f32,
}

impl From<Link> for RawLink {
    fn from(link: Link) -> Self {
        let (input, neuron) = match link.source {
            Source::Input(index) => (Some(index), None),
            Source::Neuron(index) => (None, Some(index)),
        };
        Self { input, neuron, weight: link.weight }
    }
}

impl TryFrom<RawLink> for Link {
    type Error = NetworkError;

    fn try_from(raw: RawLink) -> Result<Self, NetworkError> {
        let source = match (raw.input, raw.neuron) {
            (Some(index), None) => Source::Input(index),
            (None, Some(index)) => Source::Neuron(index),
            _ => return Err(NetworkError::LinkWithoutSource),
        };
        Ok(Self { source, weight: raw.weight })
    }
}

/// A network as a file spells it, before it is checked.
#[derive(Deserialize)]
#[serde(rename = "Network", deny_unknown_fields)]
struct RawNetwork {
    inputs: usize,
    neurons: Vec<Neuron>,
    outputs: Vec<Output>,
}

impl TryFrom<RawNetwork> for Network {
    type Error = NetworkError;

    fn try_from(raw: RawNetwork) -> Result<Self, NetworkError> {
        Network::new(raw.inputs, raw.neurons, raw.outputs)
    }
}

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
    /// The same source twice in one unit; [`merge_links`] adds such links up.
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

impl Network {
    /// Checks the parts and puts them together.
    ///
    /// # Errors
    /// See [`NetworkError`]: everything that could make a later walk over the network fail.
    pub fn new(
        inputs: usize,
        neurons: Vec<Neuron>,
        outputs: Vec<Output>,
    ) -> Result<Self, NetworkError> {
        if outputs.is_empty() {
            return Err(NetworkError::NoOutputs);
        }
        let links = neurons.iter().map(|neuron| neuron.links.len()).sum::<usize>()
            + outputs.iter().map(|output| output.links.len()).sum::<usize>();
        for (what, count, limit) in [
            ("inputs", inputs, MAX_INPUTS),
            ("hidden neurons", neurons.len(), MAX_NEURONS),
            ("outputs", outputs.len(), MAX_OUTPUTS),
            ("links", links, MAX_LINKS),
        ] {
            if count > limit {
                return Err(NetworkError::TooMany { what, count, limit });
            }
        }
        let mut seen = Vec::new();
        for (index, neuron) in neurons.iter().enumerate() {
            let unit = Unit::Neuron(index);
            check_unit(unit, neuron.bias, &neuron.links, inputs, index, &mut seen)?;
        }
        for (index, output) in outputs.iter().enumerate() {
            let unit = Unit::Output(index);
            check_unit(unit, output.bias, &output.links, inputs, neurons.len(), &mut seen)?;
        }
        Ok(Self { inputs, neurons, outputs })
    }

    /// Features of a row that the network expects, used or not.
    pub fn inputs(&self) -> usize {
        self.inputs
    }

    /// The hidden neurons; each one links only to inputs and to neurons before it.
    pub fn neurons(&self) -> &[Neuron] {
        &self.neurons
    }

    /// The outputs: one for two classes, else one for each class.
    pub fn outputs(&self) -> &[Output] {
        &self.outputs
    }

    /// Classes that the outputs tell apart: two for a single output.
    pub fn classes(&self) -> usize {
        classes_of(self.outputs.len())
    }
}

/// Classes that a number of outputs tells apart: two for a single output.
pub fn classes_of(outputs: usize) -> usize {
    if outputs == 1 { 2 } else { outputs }
}

/// Outputs that tell a number of classes apart: a single one for two.
pub fn outputs_for(classes: usize) -> usize {
    if classes <= 2 { 1 } else { classes }
}

/// Adds up the weights of links from the same source, keeping the order of first appearance.
///
/// An expression that names an input twice computes just this, so the input counts as one
/// connection and one feature.
pub fn merge_links(links: impl IntoIterator<Item = Link>) -> Vec<Link> {
    let mut merged: Vec<Link> = Vec::new();
    for link in links {
        match merged.iter_mut().find(|known| known.source == link.source) {
            Some(known) => known.weight += link.weight,
            None => merged.push(link),
        }
    }
    merged
}

fn check_unit(
    unit: Unit,
    bias: Option<f32>,
    links: &[Link],
    inputs: usize,
    earlier: usize,
    seen: &mut Vec<Source>,
) -> Result<(), NetworkError> {
    let weights = bias.into_iter().chain(links.iter().map(|link| link.weight));
    if let Some(value) = weights.into_iter().find(|value| !value.is_finite()) {
        return Err(NetworkError::NotFinite { unit, value });
    }
    for link in links {
        match link.source {
            Source::Input(input) if input as usize >= inputs => {
                return Err(NetworkError::NoSuchInput { unit, input, inputs });
            }
            Source::Neuron(neuron) if neuron as usize >= earlier => {
                return Err(NetworkError::NotEarlier { unit, neuron, earlier });
            }
            _ => {}
        }
    }
    seen.clear();
    seen.extend(links.iter().map(|link| link.source));
    seen.sort_unstable();
    match seen.windows(2).find(|pair| pair[0] == pair[1]) {
        Some(pair) => Err(NetworkError::RepeatedSource { unit, from: pair[0] }),
        None => Ok(()),
    }
}
