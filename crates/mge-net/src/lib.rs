//! The phenotype: sparse feed-forward networks, evaluation, loss, metrics and cost.

pub mod batch;
pub mod cost;
pub mod formula;
pub mod metrics;
pub mod reference;

mod activation;
mod columns;
mod error;
mod loss;
mod network;
mod simd;

pub use activation::{Activation, UnknownActivation};
pub use batch::{BatchEvaluator, Scratch};
pub use columns::{Columns, ColumnsError, LANES};
pub use cost::{Size, module_features};
pub use error::EvaluationError;
pub use formula::{Formula, FormulaError};
pub use loss::{Loss, PROBABILITY_FLOOR, UnknownLoss};
pub use metrics::Metrics;
pub use network::{
    Link, MAX_INPUTS, MAX_LINKS, MAX_NEURONS, MAX_OUTPUTS, Network, NetworkError, Neuron, Output,
    Source, Unit, classes_of, merge_links, outputs_for,
};
pub use reference::Probabilities;
pub use simd::{LEVEL_VARIABLE, Level, LevelError};
