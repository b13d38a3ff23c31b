//! The phenotype: sparse feed-forward networks, evaluation, loss, metrics and cost.
//!
//! A [`Network`] is what genes are mapped to and what a user takes home: hidden [`Neuron`]s in
//! topological order, [`Output`]s, and weighted [`Link`]s between them. It is always valid, also
//! when it comes from a file. Rows are given as [`Columns`].
//!
//! There are two evaluators. [`mod@reference`] is slow and obvious; it makes every number that is
//! printed, such as [`Metrics`]. [`BatchEvaluator`] computes only the [`Loss`], as fast as the
//! processor can; evolution calls it millions of times, and tests hold it to the reference.
//!
//! [`Size`] and [`table_bytes`] tell what a network costs, and [`Formula`] writes it down for people.
//!
//! ```
//! use mge_net::{
//!     Activation, BatchEvaluator, Columns, Formula, Link, Loss, Metrics, Network, Neuron, Output,
//!     Scratch, Size, Source, reference,
//! };
//!
//! // One hidden neuron that looks at the first of two features.
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
//! let labels = [1, 1, 0, 0];
//!
//! let exact = Metrics::of(
//!     &reference::probabilities_of(&network, &columns)?,
//!     &labels,
//!     Loss::CrossEntropy,
//! )?;
//! assert_eq!(exact.accuracy, 1.0);
//!
//! let evaluator = BatchEvaluator::new(&columns, &labels, 1, Loss::CrossEntropy)?;
//! let fast = evaluator.loss(&network, &mut Scratch::new());
//! assert!((fast - exact.loss).abs() < 1e-5);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod batch;
pub mod cost;
pub mod formula;
pub mod gradient;
pub mod metrics;
pub mod population;
pub mod reference;
pub mod roofline;

mod activation;
mod error;
mod loss;
mod network;
mod simd;
mod sparse_network;

pub use activation::{Activation, UnknownActivation};
pub use batch::{BatchEvaluator, Scratch};
pub use mge_columns::{Columns, ColumnsError, LANES};
pub use cost::{Size, module_features, table_bytes};
pub use error::EvaluationError;
pub use formula::{Formula, FormulaError};
pub use gradient::{GradientEvaluator, GradientScratch};
pub use loss::{Loss, PROBABILITY_FLOOR, UnknownLoss};
pub use metrics::Metrics;
pub use network::{
    Link, MAX_INPUTS, MAX_LINKS, MAX_NEURONS, MAX_OUTPUTS, Network, NetworkError, Neuron, Output,
    Source, Unit, classes_of, merge_links, outputs_for,
};
pub use population::{NetworkPart, PartLists, PopulationEvaluator};
pub use reference::Probabilities;
pub use simd::{LEVEL_VARIABLE, Level, LevelError};
pub use sparse_network::{Connection, SparseNetwork};
