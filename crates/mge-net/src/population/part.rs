//! Network parts, and networks as lists of them. A part is a hidden neuron with its connections to
//! outputs. In MGE each gene maps to one part.

use super::digest::Digest;
use crate::network::{Link, Network, Neuron, Output, Source};

/// A hidden neuron and the outputs it feeds. All networks with this neuron share one value.
#[derive(Debug, Clone, PartialEq)]
pub struct NetworkPart {
    /// The digest of all connections, if no source is a neuron.
    pub(crate) connections_digest: Digest,
    pub(crate) reads_neurons: bool,
    is_valid: bool,
    /// The digest of the neuron, without those of the neurons it reads.
    pub(crate) digest: Digest,
    neuron: Neuron,
    connections: Vec<(u32, f32)>,
}

impl NetworkPart {
    /// Takes a neuron, and the outputs it feeds with their weights, each output once. A link to
    /// `Source::Neuron(i)` means neuron `first + i` of the network, with the `first` of
    /// [`PartLists::push`].
    pub fn new(neuron: Neuron, connections: Vec<(u32, f32)>) -> Self {
        let bias = neuron.bias.map_or(u64::MAX, |bias| u64::from(bias.to_bits()));
        let mut digest = Digest::default().then(neuron.activation as u64).then(bias);
        for link in &neuron.links {
            let source = match link.source {
                Source::Input(index) => u64::from(index) << 32,
                Source::Neuron(_) => 0xffff_ffff << 32,
            };
            digest = digest.then(source | u64::from(link.weight.to_bits()));
        }
        let finite = |weight: f32| weight.is_finite();
        let is_valid = neuron.bias.is_none_or(finite)
            && neuron.links.iter().all(|link| finite(link.weight))
            && connections.iter().all(|&(_, weight)| finite(weight));
        let reads_neurons =
            neuron.links.iter().any(|link| matches!(link.source, Source::Neuron(_)));
        let mut part = Self {
            connections_digest: Digest::default(),
            reads_neurons,
            is_valid,
            digest,
            neuron,
            connections,
        };
        part.connections_digest = part.connections_of(digest);
        part
    }

    /// The parts of a network, in order. `None` if an output has a bias or reads an input: parts
    /// cannot express that.
    pub fn all_of(network: &Network) -> Option<Vec<Self>> {
        let mut connections = vec![Vec::new(); network.neurons().len()];
        for (index, output) in network.outputs().iter().enumerate() {
            for link in &output.links {
                let Source::Neuron(neuron) = link.source else { return None };
                connections[neuron as usize].push((index as u32, link.weight));
            }
            if output.bias.is_some() {
                return None;
            }
        }
        let neurons = network.neurons().iter().cloned();
        Some(neurons.zip(connections).map(|(neuron, to)| Self::new(neuron, to)).collect())
    }

    /// The neuron.
    pub fn neuron(&self) -> &Neuron {
        &self.neuron
    }

    /// The outputs it feeds, with their weights.
    pub fn connections(&self) -> &[(u32, f32)] {
        &self.connections
    }

    /// Whether all weights are finite. A network with any other part is invalid.
    pub fn is_valid(&self) -> bool {
        self.is_valid
    }

    /// The digest of all connections, for a neuron with this digest.
    #[inline]
    pub(crate) fn connections_of(&self, neuron: Digest) -> Digest {
        let add = |all: Digest, &(output, weight): &(u32, f32)| {
            all.with(connection_digest(neuron, output, weight))
        };
        self.connections.iter().fold(Digest::default(), add)
    }
}

/// The digest of one connection.
#[inline]
pub(crate) fn connection_digest(neuron: Digest, output: u32, weight: f32) -> Digest {
    neuron.then(u64::from(output) << 32 | u64::from(weight.to_bits()))
}

/// Networks as lists of parts. A population may be split into several `PartLists`, one for each
/// thread.
#[derive(Debug, Default)]
pub struct PartLists<'p> {
    uses: Vec<PartUse<'p>>,
    networks: Vec<NetworkEntry>,
    /// The digest of the parts of the open network.
    open_digest: Digest,
}

#[derive(Debug, Clone, Copy)]
struct NetworkEntry {
    /// One past the index of its last part.
    end: usize,
    digest: Digest,
}

/// A network of a list.
#[derive(Debug, Clone, Copy)]
pub(super) struct ListedParts<'l, 'p> {
    /// The digest of the multiset of its connections to outputs.
    pub(super) digest: Digest,
    pub(super) parts: &'l [PartUse<'p>],
}

/// A part in a network.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PartUse<'p> {
    pub(crate) part: &'p NetworkPart,
    /// The index in the network of the neuron that the part calls neuron 0.
    pub(crate) first: u32,
    /// The digest of the neuron and of the neurons it reads.
    pub(crate) digest: Digest,
}

impl PartUse<'_> {
    /// The neurons of the network that the part reads.
    pub(crate) fn sources(&self) -> impl Iterator<Item = usize> {
        let links = if self.part.reads_neurons { self.part.neuron.links.as_slice() } else { &[] };
        links.iter().filter_map(|link| match link.source {
            Source::Neuron(source) => Some((self.first + source) as usize),
            Source::Input(_) => None,
        })
    }
}

impl<'p> PartLists<'p> {
    /// An empty list with capacity for this many networks and parts.
    pub fn with_capacity(networks: usize, parts: usize) -> Self {
        let (uses, networks) = (Vec::with_capacity(parts), Vec::with_capacity(networks));
        Self { uses, networks, open_digest: Digest::default() }
    }

    /// Adds a part to the open network. A link of the part to neuron `i` reads neuron `first + i`
    /// of the network.
    ///
    /// # Panics
    /// When the part reads a neuron that does not come earlier.
    #[inline]
    pub fn push(&mut self, part: &'p NetworkPart, first: usize) {
        let (mut digest, mut connections) = (part.digest, part.connections_digest);
        if part.reads_neurons {
            let earlier = &self.uses[self.start_of_open() + first..];
            for link in &part.neuron().links {
                if let Source::Neuron(index) = link.source {
                    digest = digest.then_digest(earlier[index as usize].digest);
                }
            }
            connections = part.connections_of(digest);
        }
        self.open_digest = self.open_digest.with(connections);
        self.uses.push(PartUse { part, first: first as u32, digest });
    }

    fn start_of_open(&self) -> usize {
        self.networks.last().map_or(0, |last| last.end)
    }

    /// Assembles the open network. `None` if its parts make no valid network.
    pub fn open_network(&self, inputs: usize, outputs: usize) -> Option<Network> {
        let parts = &self.uses[self.start_of_open()..];
        let mut output_layer = vec![Output::default(); outputs];
        let mut neurons = Vec::with_capacity(parts.len());
        for (index, used) in parts.iter().enumerate() {
            let mut neuron = used.part.neuron().clone();
            for link in &mut neuron.links {
                if let Source::Neuron(source) = &mut link.source {
                    *source += used.first;
                }
            }
            neurons.push(neuron);
            for &(output, weight) in used.part.connections() {
                let source = Source::Neuron(index as u32);
                output_layer.get_mut(output as usize)?.links.push(Link { source, weight });
            }
        }
        if neurons.is_empty() { None } else { Network::new(inputs, neurons, output_layer).ok() }
    }

    /// Removes the parts of the open network.
    pub fn discard_open(&mut self) {
        self.uses.truncate(self.start_of_open());
        self.open_digest = Digest::default();
    }

    /// Closes the open network. The next part opens another one.
    pub fn close(&mut self) {
        let digest = std::mem::take(&mut self.open_digest);
        self.networks.push(NetworkEntry { end: self.uses.len(), digest });
    }

    /// How many networks are closed.
    pub fn len(&self) -> usize {
        self.networks.len()
    }

    /// Whether no network is closed.
    pub fn is_empty(&self) -> bool {
        self.networks.is_empty()
    }

    pub(super) fn networks(&self) -> impl Iterator<Item = ListedParts<'_, 'p>> {
        let mut start = 0;
        self.networks.iter().map(move |&NetworkEntry { end, digest }| {
            let parts = &self.uses[start..end];
            start = end;
            ListedParts { digest, parts }
        })
    }
}
