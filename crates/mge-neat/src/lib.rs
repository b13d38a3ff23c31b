//! NeuroEvolution of Augmenting Topologies (K. O. Stanley and R. Miikkulainen, *Evolving Neural
//! Networks through Augmenting Topologies*, Evolutionary Computation 10(2), 2002), and its
//! one-versus-all form for many classes. Section numbers in this crate are those of that paper.
//!
//! - [`Genome`]: a list of links with innovation numbers;
//! - [`Mapper`]: turns a genome into a network;
//! - [`vary`]: mutation and crossover of genomes;
//! - [`species`]: groups of similar genomes, which compete among themselves first;
//! - [`Neat`]: the method as a [`Search`](mge_evolve::Search);
//! - [`OvaNeat`]: one `Neat` for each class;
//! - [`NeatParams`]: the settings; `docs/reference/methods/neat.md` says where the defaults come from.
//!
//! A search takes any [`Evaluate`](mge_evolve::Evaluate) of genomes. [`NetworkLoss`] is one: it
//! maps each genome and calls a function for the loss of its network.
//!
//! ```
//! use mge_evolve::{Run, StopRules};
//! use mge_neat::{Mapper, Neat, NeatParams, NetworkLoss, Shape, Workspace};
//! use mge_net::{BatchEvaluator, Columns, Loss, Network, Scratch, Targets, reference};
//!
//! // Exclusive or, column by column.
//! let columns = Columns::from_columns([[0.0, 0.0, 1.0, 1.0], [0.0, 1.0, 0.0, 1.0]])?;
//! let targets = Targets::classes(&[0, 1, 1, 0], 2);
//! let evaluator = BatchEvaluator::new(&columns, targets, Loss::CrossEntropy)?;
//!
//! let params = NeatParams::default().check(Shape { inputs: 2, outputs: 1 })?;
//! let mapper = Mapper::new(&params);
//! let loss = |network: &Network, scratch: &mut Scratch| evaluator.loss(network, scratch);
//! let search = Neat::new(NetworkLoss::new(mapper.clone(), loss), params, 7);
//! let stop = StopRules { generations: Some(150), target_loss: Some(0.1), ..Default::default() };
//! let outcome = Run::new(&search, stop.check()?).run()?;
//!
//! let network = mapper.map(outcome.state.best(), &mut Workspace::default()).expect("a network");
//! let link = evaluator.link();
//! assert!(reference::probabilities(&network, link, &[1.0, 0.0])[1] > 0.5);
//! assert!(reference::probabilities(&network, link, &[1.0, 1.0])[1] < 0.5);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod breed;
mod genome;
mod innovation;
mod map;
mod ova;
mod params;
mod search;
pub mod species;
mod state;
pub mod vary;

pub use genome::{Genome, LinkGene, NodeId, NodeKind, Shape};
pub use innovation::{InnovationCounters, Innovations, NodeSplit};
pub use map::{Mapper, NetworkLoss, Workspace};
pub use ova::{OvaGenome, OvaNeat, OvaState};
pub use params::{CheckedNeat, NeatParamError, NeatParams};
pub use search::Neat;
pub use species::Species;
pub use state::NeatState;
