//! Networks in files. What is read passes through [`Network::new`], so no file makes an invalid
//! network.

use serde::de::Error as _;
use serde::ser::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

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
struct RawNetwork {
    inputs: usize,
    neurons: Vec<Neuron>,
    outputs: Vec<Output>,
}

/// The parts of a network, to be written.
#[derive(Serialize)]
#[serde(rename = "Network")]
struct NetworkParts<'n> {
    inputs: usize,
    neurons: &'n [Neuron],
    outputs: &'n [Output],
}

/// Formats that do not describe themselves, such as those of checkpoints, hold a network as JSON
/// text: its absent biases and sources are left out, which such formats cannot express.
impl Serialize for Network {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        if to.is_human_readable() {
            let (neurons, outputs) = (self.neurons(), self.outputs());
            return NetworkParts { inputs: self.inputs(), neurons, outputs }.serialize(to);
        }
        let text = serde_json::to_string(self).map_err(S::Error::custom)?;
        to.serialize_str(&text)
    }
}

impl<'de> Deserialize<'de> for Network {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        if !from.is_human_readable() {
            let text = String::deserialize(from)?;
            return serde_json::from_str(&text).map_err(D::Error::custom);
        }
        let RawNetwork { inputs, neurons, outputs } = RawNetwork::deserialize(from)?;
        Self::new(inputs, neurons, outputs).map_err(D::Error::custom)
    }
}
