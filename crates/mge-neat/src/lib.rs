//! NEAT.
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
