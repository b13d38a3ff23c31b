//! The network: genomes are mapped to it; it is evaluated, saved and exported.
//!
//! [`Network::new`] is the only way to make a network, and it checks everything. So a network has
//! no cycle, no reference out of range, no weight that is not finite, and no source twice in one
//! unit. Its neurons are in topological order, so one forward pass over them needs no checks.

mod error;
mod file;

use serde::{Deserialize, Serialize};

use crate::activation::Activation;

pub use error::{NetworkError, Unit};
use file::RawLink;

/// Maximum number of inputs. The limits prevent that a hostile file makes a reader allocate memory
/// out of proportion to the file's size.
pub const MAX_INPUTS: usize = 1 << 20;
/// Maximum number of hidden neurons.
pub const MAX_NEURONS: usize = 1 << 16;
/// Maximum number of outputs.
pub const MAX_OUTPUTS: usize = 1 << 12;
/// Maximum number of links of hidden neurons and outputs together.
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
    /// The factor of that value.
    pub weight: f32,
}

/// A hidden neuron: `activation(bias + sum of weight * source)`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Neuron {
    /// Applied to the sum.
    pub activation: Activation,
    /// Added to the sum. `None` means no bias, which costs no connection.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bias: Option<f32>,
    /// Inputs and earlier hidden neurons.
    pub links: Vec<Link>,
}

/// An output: the plain sum `bias + sum of weight * source`.
///
/// An [`OutputLink`](crate::OutputLink) turns the sums of all outputs into a prediction.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Output {
    /// Added to the sum. `None` means no bias, which costs no connection.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bias: Option<f32>,
    /// Hidden neurons, or inputs directly.
    pub links: Vec<Link>,
}

/// A sparse feed-forward network of any depth.
///
/// A network computes the sums of its outputs, and knows nothing of classes: an
/// [`OutputLink`](crate::OutputLink) turns sums into predictions.
///
/// Links only go forward, so a network has no state. A recurrent network would need links to the
/// values of an earlier step: another variant of [`Source`], which [`Network::new`] would accept
/// from any neuron, and evaluators that process the rows of an episode in order.
#[derive(Debug, Clone, PartialEq)]
pub struct Network {
    inputs: usize,
    neurons: Vec<Neuron>,
    outputs: Vec<Output>,
}

impl Network {
    /// Checks the parts and assembles the network.
    ///
    /// # Errors
    /// See [`NetworkError`]: everything that could make an evaluation fail.
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

    /// How many features a row has, used or not.
    pub fn inputs(&self) -> usize {
        self.inputs
    }

    /// The hidden neurons; each one links only to inputs and to neurons before it.
    pub fn neurons(&self) -> &[Neuron] {
        &self.neurons
    }

    /// The outputs. What their sums mean is said by an [`OutputLink`](crate::OutputLink).
    pub fn outputs(&self) -> &[Output] {
        &self.outputs
    }
}

/// Adds up the weights of links from the same source, keeping the order of first appearance.
///
/// An expression that names an input twice computes the same, so the input counts as one
/// connection and one feature (decision 13).
pub fn merge_links(links: impl IntoIterator<Item = Link>) -> Vec<Link> {
    let mut merged: Vec<Link> = Vec::new();
    for link in links {
        match merged.iter_mut().find(|existing| existing.source == link.source) {
            Some(existing) => existing.weight += link.weight,
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
