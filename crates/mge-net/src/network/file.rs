//! Networks in files. What is read passes through [`Network::new`], so no file makes an invalid
//! network.

use serde::{Deserialize, Serialize};

use super::{Link, Network, NetworkError, Neuron, Output, Source};

/// A link in a file, before it is checked.
#[derive(Serialize, Deserialize)]
#[serde(rename = "Link", deny_unknown_fields)]
pub(super) struct RawLink {
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

/// A network in a file, before it is checked.
#[derive(Deserialize)]
#[serde(rename = "Network", deny_unknown_fields)]
pub(super) struct RawNetwork {
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
