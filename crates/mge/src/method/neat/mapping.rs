//! Genomes of NEAT for the evaluators. Their networks have biases and direct links at the outputs,
//! which parts cannot express, so each is evaluated as a whole.

use crate::fitness::{MappedNetwork, MappedParts, Mapping};
use mge_neat::{Genome, Mapper, Workspace};
use mge_net::{Network, PartLists};

impl Mapping for Mapper {
    type Genome = Genome;
    type Workspace = Workspace;
    type Memory = ();

    fn map(&self, genome: &Genome, workspace: &mut Workspace) -> (Option<Network>, u32) {
        (Mapper::map(self, genome, workspace), 0)
    }

    fn memory(&self) {}

    fn map_missing(&self, _: &[Genome], (): &mut ()) {}

    fn list<'m>(&self, _: usize, _: &'m Genome, (): &'m (), _: &mut PartLists<'m>) -> MappedParts {
        MappedParts { network: MappedNetwork::Whole, invalid_parts: 0 }
    }
}
