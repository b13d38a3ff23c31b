//! The phenotype: sparse feed-forward networks, evaluation, loss, metrics and cost.

mod activation;
mod columns;
mod network;

pub use activation::{Activation, UnknownActivation};
pub use columns::{Columns, ColumnsError, LANES};
pub use network::{
    Link, MAX_INPUTS, MAX_LINKS, MAX_NEURONS, MAX_OUTPUTS, Network, NetworkError, Neuron, Output,
    Source, Unit, classes_of, merge_links,
};
