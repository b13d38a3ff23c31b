//! An editable network: the one graph that training, pruning and growth work on.
//!
//! A [`SparseNetwork`] has the parts of a [`Network`], but they may change. The gradient evaluator
//! reads it as it is, optimisers write its weights, and structural edits (in `edit`) add and remove
//! parts. Edits keep it well formed: neurons stay in topological order, sources exist, and no unit
//! reads a source twice. Only weights can leave the valid range, when training diverges. So
//! [`SparseNetwork::to_network`] checks it once, where a result leaves the search.
//!
//! Units are the hidden neurons, then the outputs. Weights are counted unit after unit: the bias,
//! if there is one, then the links in order.
//!
//! ```
//! use mge_net::{Activation, Connection, Link, Output, Source, SparseNetwork};
//!
//! // One output that reads nothing yet, and one neuron that feeds it.
//! let mut network = SparseNetwork::new(2, vec![Output::default()]);
//! let link = Link { source: Source::Input(0), weight: 1.5 };
//! network.push_neuron(Activation::Tanh, None, vec![link], [(0, 0.5)]);
//! network.add(Connection::Link { unit: 1, source: Source::Input(1) });
//! assert_eq!(network.weights(), [1.5, 0.5, 0.0]);
//!
//! network.remove_neuron(0);
//! assert_eq!(network.to_network()?.outputs()[0].links.len(), 1);
//! # Ok::<(), mge_net::NetworkError>(())
//! ```

mod edit;

use crate::activation::Activation;
use crate::network::{Link, Network, NetworkError, Neuron, Output, Source};

/// A network that is being worked on.
#[derive(Debug, Clone, PartialEq)]
pub struct SparseNetwork {
    inputs: usize,
    neurons: Vec<Neuron>,
    outputs: Vec<Output>,
}

/// What a weight belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Connection {
    /// The bias of a unit.
    Bias {
        /// The unit.
        unit: usize,
    },
    /// A link into a unit.
    Link {
        /// The unit that reads.
        unit: usize,
        /// What it reads.
        source: Source,
    },
}

impl Connection {
    /// The unit that the connection leads into.
    pub fn unit(self) -> usize {
        match self {
            Connection::Bias { unit } | Connection::Link { unit, .. } => unit,
        }
    }
}

/// A hidden neuron or an output.
#[derive(Debug, Clone, Copy)]
pub(crate) struct UnitView<'a> {
    /// Outputs are sums, so theirs is the identity.
    pub(crate) activation: Activation,
    pub(crate) bias: Option<f32>,
    pub(crate) links: &'a [Link],
}

impl UnitView<'_> {
    /// How many weights the unit has.
    #[inline(always)]
    pub(crate) fn weights(&self) -> usize {
        usize::from(self.bias.is_some()) + self.links.len()
    }
}

impl From<&Network> for SparseNetwork {
    fn from(network: &Network) -> Self {
        Self {
            inputs: network.inputs(),
            neurons: network.neurons().to_vec(),
            outputs: network.outputs().to_vec(),
        }
    }
}

impl SparseNetwork {
    /// A network without hidden neurons. Outputs may read inputs only, each at most once.
    pub fn new(inputs: usize, outputs: Vec<Output>) -> Self {
        Self { inputs, neurons: Vec::new(), outputs }
    }

    /// The checked network.
    ///
    /// # Errors
    /// When a weight is not finite or the network exceeds a limit of [`Network::new`].
    pub fn to_network(&self) -> Result<Network, NetworkError> {
        Network::new(self.inputs, self.neurons.clone(), self.outputs.clone())
    }

    /// Features of a row.
    pub fn inputs(&self) -> usize {
        self.inputs
    }

    /// The hidden neurons, in topological order.
    pub fn neurons(&self) -> &[Neuron] {
        &self.neurons
    }

    /// The outputs.
    pub fn outputs(&self) -> &[Output] {
        &self.outputs
    }

    /// How many units there are: hidden neurons and outputs.
    pub fn units(&self) -> usize {
        self.neurons.len() + self.outputs.len()
    }

    /// One unit.
    #[inline(always)]
    pub(crate) fn unit(&self, index: usize) -> UnitView<'_> {
        if let Some(neuron) = self.neurons.get(index) {
            let Neuron { activation, bias, links } = neuron;
            return UnitView { activation: *activation, bias: *bias, links };
        }
        let Output { bias, links } = &self.outputs[index - self.neurons.len()];
        UnitView { activation: Activation::Identity, bias: *bias, links }
    }

    pub(crate) fn each_unit(&self) -> impl DoubleEndedIterator<Item = UnitView<'_>> {
        (0..self.units()).map(|index| self.unit(index))
    }

    /// The links into a unit.
    pub fn links_of(&self, unit: usize) -> &[Link] {
        self.unit(unit).links
    }

    /// The bias of a unit.
    pub fn bias_of(&self, unit: usize) -> Option<f32> {
        self.unit(unit).bias
    }

    /// All links, unit after unit.
    pub fn links(&self) -> impl Iterator<Item = &Link> {
        self.each_unit().flat_map(|unit| unit.links)
    }

    /// How many biases there are.
    pub fn biases(&self) -> usize {
        self.each_unit().filter(|unit| unit.bias.is_some()).count()
    }

    /// How many weights there are: links and biases.
    pub fn size(&self) -> usize {
        self.each_unit().map(|unit| unit.weights()).sum()
    }

    /// What each weight belongs to.
    pub fn connections(&self) -> Vec<Connection> {
        let mut connections = Vec::with_capacity(self.size());
        for (unit, UnitView { bias, links, .. }) in self.each_unit().enumerate() {
            connections.extend(bias.map(|_| Connection::Bias { unit }));
            let link = |link: &Link| Connection::Link { unit, source: link.source };
            connections.extend(links.iter().map(link));
        }
        connections
    }

    /// Whether each weight belongs to a link. Penalties leave the others, biases, alone.
    pub fn is_link(&self) -> Vec<bool> {
        let is_link = |connection: &Connection| matches!(connection, Connection::Link { .. });
        self.connections().iter().map(is_link).collect()
    }

    /// All weights.
    pub fn weights(&self) -> Vec<f32> {
        let mut weights = Vec::with_capacity(self.size());
        for unit in self.each_unit() {
            weights.extend(unit.bias);
            weights.extend(unit.links.iter().map(|link| link.weight));
        }
        weights
    }

    /// All weights, to be changed in place.
    pub fn weights_mut(&mut self) -> impl Iterator<Item = &mut f32> {
        let hidden = self.neurons.iter_mut().map(|unit| (&mut unit.bias, &mut unit.links));
        let outputs = self.outputs.iter_mut().map(|unit| (&mut unit.bias, &mut unit.links));
        hidden.chain(outputs).flat_map(|(bias, links)| {
            bias.iter_mut().chain(links.iter_mut().map(|link| &mut link.weight))
        })
    }

    /// Replaces all weights.
    ///
    /// # Panics
    /// When there are not as many weights as the network has.
    pub fn set_weights(&mut self, weights: &[f32]) {
        let mut rest = weights;
        let mut set = |bias: &mut Option<f32>, links: &mut [Link]| {
            if let Some(bias) = bias {
                (*bias, rest) = (rest[0], &rest[1..]);
            }
            let (own, others) = rest.split_at(links.len());
            for (link, &weight) in links.iter_mut().zip(own) {
                link.weight = weight;
            }
            rest = others;
        };
        self.neurons.iter_mut().for_each(|unit| set(&mut unit.bias, &mut unit.links));
        self.outputs.iter_mut().for_each(|unit| set(&mut unit.bias, &mut unit.links));
        assert!(rest.is_empty(), "one weight for each connection");
    }

    /// Whether all weights are finite.
    pub fn is_finite(&self) -> bool {
        let of_unit = |unit: UnitView<'_>| {
            unit.bias.is_none_or(f32::is_finite)
                && unit.links.iter().all(|link| link.weight.is_finite())
        };
        self.each_unit().all(of_unit)
    }

    /// The inputs in use, ascending.
    pub fn features(&self) -> Vec<u32> {
        let input = |link: &Link| match link.source {
            Source::Input(input) => Some(input),
            Source::Neuron(_) => None,
        };
        let mut used: Vec<u32> = self.links().filter_map(input).collect();
        used.sort_unstable();
        used.dedup();
        used
    }

    /// The units that read a neuron, ascending.
    pub fn readers(&self, neuron: usize) -> Vec<usize> {
        let source = Source::Neuron(neuron as u32);
        let reads = |unit: &usize| self.links_of(*unit).iter().any(|link| link.source == source);
        (0..self.units()).filter(reads).collect()
    }
}
