//! NeuroEvolution of Augmenting Topologies (K. O. Stanley and R. Miikkulainen, *Evolving Neural
//! Networks through Augmenting Topologies*, Evolutionary Computation 10(2), 2002; sections are
//! its own), and its one-versus-all form for many classes.
//!
//! A [`Genome`] is a list of links with innovation numbers. A [`Mapper`] makes the network of it,
//! [`vary`] changes it, [`species`] protects what is new, and [`Neat`] is the whole as a
//! [`Search`](mge_evolve::Search). [`OvaNeat`] runs one `Neat` for each class. Settings are
//! [`NeatParams`]; `docs/reference/methods/neat.md` tells where they come from.
//!
//! Any [`Evaluate`](mge_evolve::Evaluate) of genomes will do; [`NetworkLoss`] is one that maps
//! them and asks a function for the loss of each network:
//!
//! ```
//! use mge_evolve::{Run, StopRules};
//! use mge_neat::{Mapper, Neat, NeatParams, NetworkLoss, Shape, Workspace};
//! use mge_net::{BatchEvaluator, Columns, Loss, Network, Scratch, reference};
//!
//! // Exclusive or, column by column.
//! let columns = Columns::from_columns([[0.0, 0.0, 1.0, 1.0], [0.0, 1.0, 0.0, 1.0]])?;
//! let evaluator = BatchEvaluator::new(&columns, &[0, 1, 1, 0], 1, Loss::CrossEntropy)?;
//!
//! let params = NeatParams::default().check(Shape { inputs: 2, outputs: 1 })?;
//! let mapper = Mapper::new(&params);
//! let loss = |network: &Network, scratch: &mut Scratch| evaluator.loss(network, scratch);
//! let search = Neat::new(NetworkLoss::new(mapper.clone(), loss), params, 7);
//! let stop = StopRules { generations: Some(150), target_loss: Some(0.1), ..Default::default() };
//! let outcome = Run::new(&search, stop.check()?).run()?;
//!
//! let network = mapper.map(outcome.state.best(), &mut Workspace::default()).expect("a network");
//! assert!(reference::probabilities(&network, &[1.0, 0.0])[1] > 0.5);
//! assert!(reference::probabilities(&network, &[1.0, 1.0])[1] < 0.5);
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
pub use innovation::{Counters, Innovations, Split};
pub use map::{Mapper, NetworkLoss, Workspace};
pub use ova::{OvaGenome, OvaNeat, OvaState};
pub use params::{CheckedNeat, NeatParamError, NeatParams};
pub use search::Neat;
pub use species::Species;
pub use state::NeatState;
