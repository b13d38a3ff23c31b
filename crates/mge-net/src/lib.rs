//! The phenotype: sparse feed-forward networks, evaluation, loss, metrics and cost.
//!
//! Searches map genomes to a [`Network`]: hidden [`Neuron`]s in topological order, [`Output`]s, and
//! weighted [`Link`]s between them. A network is always valid, also when it comes from a file. Rows
//! are given as [`Columns`]. [`Targets`] are what the rows are compared with, and an [`OutputLink`]
//! turns the sums of the outputs into a prediction.
//!
//! There are four evaluators:
//!
//! - [`mod@reference`] is slow and simple, and computes in `f64`. All printed numbers come from it,
//!   such as [`Metrics`].
//! - [`BatchEvaluator`] computes the [`Loss`] of one network as fast as the processor allows. A
//!   search calls it millions of times. Tests compare it with the reference.
//! - [`PopulationEvaluator`] computes the losses of a whole population, with the same bits. Networks
//!   that share neurons share the work.
//! - [`GradientEvaluator`] also computes derivatives by the weights, for the optimisers in
//!   [`gradient`].
//!
//! An [`Activation`] is one file in `activation/` and one line in the table there. [`Size`] and
//! [`table_bytes`] measure the cost of a network, and [`Formula`] writes it as text.
//!
//! ```
//! use mge_net::{
//!     Activation, BatchEvaluator, Columns, Formula, Link, Loss, Metrics, Network, Neuron, Output,
//!     Scratch, Size, Source, Targets, reference,
//! };
//!
//! // One hidden neuron that reads the first of two features.
//! let hidden = Neuron {
//!     activation: Activation::Tanh,
//!     bias: Some(0.5),
//!     links: vec![Link { source: Source::Input(0), weight: -2.0 }],
//! };
//! let links = vec![Link { source: Source::Neuron(0), weight: 3.0 }];
//! let network = Network::new(2, vec![hidden], vec![Output { bias: None, links }])?;
//! assert_eq!(Formula::of(&network).outputs, ["3*tanh(-2*x1 + 0.5)"]);
//! assert_eq!(Size::of(&network).operations, 2 * 3 + 4 * 2);
//!
//! // Four rows of two classes: two features, column by column.
//! let columns = Columns::from_columns([[-1.0, 0.0, 1.0, 2.0], [0.0; 4]])?;
//! let targets = Targets::classes(&[1, 1, 0, 0], 2);
//!
//! let exact = Metrics::of(
//!     &reference::probabilities_of(&network, targets.link(), &columns)?,
//!     targets,
//!     Loss::CrossEntropy,
//! )?;
//! assert_eq!(exact.accuracy, 1.0);
//!
//! let evaluator = BatchEvaluator::new(&columns, targets, Loss::CrossEntropy)?;
//! let fast = evaluator.loss(&network, &mut Scratch::new());
//! assert!((fast - exact.loss).abs() < 1e-5);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod batch;
pub mod confusion;
pub mod gradient;
pub mod reference;
pub mod roofline;

mod activation;
mod cost;
mod error;
mod formula;
mod in_use;
mod loss;
mod metrics;
mod network;
mod population;
mod predict;
mod simd;
mod sparse_network;
mod targets;

pub use activation::{Activation, IntegerForm, OnnxForm, OnnxNode, Snippet, SourceText};
pub use batch::{BatchEvaluator, Scratch};
pub use cost::{Size, module_features, table_bytes};
pub use error::EvaluationError;
pub use formula::{Formula, FormulaError};
pub use gradient::{GradientEvaluator, GradientScratch};
pub use loss::{
    DEFAULT_DELTA, DEFAULT_QUANTILE, Loss, LossTextError, MAX_ERROR, PROBABILITY_FLOOR,
};
pub use metrics::{Metrics, OutputMetrics, ValueMetrics};
pub use mge_columns::{Columns, ColumnsError, LANES};
pub use network::{
    Link, MAX_INPUTS, MAX_LINKS, MAX_NEURONS, MAX_OUTPUTS, Network, NetworkError, Neuron, Output,
    Source, Unit, merge_links,
};
pub use population::{NetworkPart, PartLists, PopulationEvaluator, PopulationStats};
pub use predict::Predictor;
pub use reference::Probabilities;
pub use simd::{LEVEL_VARIABLE, Level, LevelError};
pub use sparse_network::{Connection, SparseNetwork};
pub use targets::{OutputLink, Targets};
