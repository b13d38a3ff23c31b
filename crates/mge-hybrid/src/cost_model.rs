//! The cost of a network, which the front trades off against the loss.

use mge_net::{Link, Network, Output, Source, SparseNetwork, table_bytes};

mge_names::named_enum! {
    /// The cost that the front trades off against the loss.
    #[derive(Default)]
    pub enum Objective: "objective" {
        /// Operations of a prediction: `2 * connections + 4 * neurons`.
        #[default]
        Operations = "operations",
        /// Bytes as a table of 8-bit weights, see [`table_bytes`]. Biases are free there.
        Bytes = "bytes",
    }
}

/// What each part adds to the cost of a network.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct CostModel {
    pub(crate) link: usize,
    pub(crate) bias: usize,
    pub(crate) neuron: usize,
    pub(crate) output: usize,
    pub(crate) feature: usize,
}

impl CostModel {
    /// Operations alone, as [`mge_net::Size`] counts them.
    pub(crate) const OPERATIONS: Self = Self { link: 2, bias: 2, neuron: 4, output: 4, feature: 0 };

    /// The cost model of an objective for networks with this many inputs.
    ///
    /// The bytes of a part in a table depend on the other parts. So costs in bytes are close to
    /// those of [`table_bytes`], but not always equal.
    pub(crate) fn new(objective: Objective, feature: usize, inputs: usize) -> Self {
        match objective {
            Objective::Operations => Self { feature, ..Self::OPERATIONS },
            Objective::Bytes => {
                let link = bytes_of_link(inputs);
                Self { link, bias: 0, neuron: 3, output: 3, feature }
            }
        }
    }

    /// The cost of a network.
    pub(crate) fn cost(&self, network: &SparseNetwork) -> usize {
        let biases = network.biases();
        let links = network.size() - biases;
        let features = if self.feature == 0 { 0 } else { network.features().len() };
        self.link * links
            + self.bias * biases
            + self.neuron * network.neurons().len()
            + self.output * network.outputs().len()
            + self.feature * features
    }
}

/// Bytes of a network that has this many links from inputs to its first output and nothing else.
fn bytes_of_links(inputs: usize, outputs: usize, links: usize) -> usize {
    let link = |input| Link { source: Source::Input(input), weight: 1.0 };
    let mut units = vec![Output { bias: None, links: Vec::new() }; outputs];
    units[0].links = (0..links as u32).map(link).collect();
    let network = Network::new(inputs, Vec::new(), units);
    table_bytes(&network.expect("links to inputs alone"))
}

/// Bytes that a link from an input adds.
fn bytes_of_link(inputs: usize) -> usize {
    bytes_of_links(inputs.max(1), 1, 1) - bytes_of_links(inputs.max(1), 1, 0)
}

/// Bytes of the smallest network.
pub(crate) fn min_bytes(inputs: usize, outputs: usize) -> usize {
    bytes_of_links(inputs, outputs, inputs.min(1))
}

/// The operations of a network without hidden neurons that takes this many bytes.
pub(crate) fn operations_of_bytes(bytes: usize, inputs: usize, outputs: usize) -> usize {
    let none = bytes_of_links(inputs, outputs, 0);
    let links = bytes.saturating_sub(none) / bytes_of_link(inputs);
    2 * links + 4 * outputs
}

#[cfg(test)]
mod tests;
