//! Representations that map a genotype as a whole: GE, SGE and DSGE.
//!
//! Their networks are taken apart again for the incremental evaluator, so that neurons, outputs
//! and networks that a population has in common are computed once there too.

use super::prepared::{Joined, PreparedMethod};
use crate::fit::Evaluation;
use crate::fitness::{Fitness, INDIVIDUALS_PER_TASK, Listed, ListedNetwork, Mapping};
use crate::prepare::Prepared;
use crate::{FitError, Resolved};
use mge_evolve::{CheckedGenerational, Generational, Representation};
use mge_grammar::Warning;
use mge_net::{Network, Part, PartLists};
use rayon::prelude::*;
use serde::Serialize;

/// A mapper whose genotype maps to one network or to nothing.
pub(super) trait WholeMapper: Send + Sync {
    /// What evolves.
    type Genome: Send + Sync + Serialize;
    /// Buffers of one thread.
    type Workspace: Default + Send;

    /// The network, or `None` for an invalid individual.
    fn network(&self, genome: &Self::Genome, workspace: &mut Self::Workspace) -> Option<Network>;
}

/// A whole mapper as the evaluators see it.
struct Whole<M>(M);

impl<M: WholeMapper> Mapping for Whole<M> {
    type Genome = M::Genome;
    type Workspace = M::Workspace;
    /// Of the present population, in its order.
    type Memory = Vec<Taken>;

    fn map(&self, genome: &M::Genome, workspace: &mut M::Workspace) -> (Option<Network>, u32) {
        (self.0.network(genome, workspace), 0)
    }

    fn memory(&self) -> Vec<Taken> {
        Vec::new()
    }

    fn learn(&self, genomes: &[M::Genome], memory: &mut Vec<Taken>) {
        genomes
            .par_iter()
            .with_min_len(INDIVIDUALS_PER_TASK)
            .map_init(M::Workspace::default, |workspace, genome| {
                match self.0.network(genome, workspace) {
                    None => Taken::Nothing,
                    Some(network) => Part::all_of(&network).map_or(Taken::Whole, Taken::Apart),
                }
            })
            .collect_into_vec(memory);
    }

    fn list<'m>(
        &self,
        index: usize,
        _: &'m M::Genome,
        memory: &'m Vec<Taken>,
        lists: &mut PartLists<'m>,
    ) -> Listed {
        let network = match &memory[index] {
            Taken::Nothing => ListedNetwork::None,
            Taken::Whole => ListedNetwork::Alone,
            Taken::Apart(parts) => {
                parts.iter().for_each(|part| lists.push(part, 0));
                ListedNetwork::Parts
            }
        };
        Listed { network, invalid_parts: 0 }
    }
}

/// A network on its way to the evaluator.
pub(super) enum Taken {
    Apart(Vec<Part>),
    /// Parts cannot say it.
    Whole,
    /// There is none.
    Nothing,
}

/// The generational search over a whole mapper; `about` is what a fit wants to know of it besides:
/// bits of a codon, and the grammar's warnings.
pub(super) fn join<R, M>(
    variation: R,
    mapper: M,
    evolution: CheckedGenerational,
    (task, settings, evaluation): (&Prepared, &Resolved, Evaluation),
    (codon_bits, warnings): (Option<u32>, Vec<Warning>),
) -> Result<Box<dyn PreparedMethod>, FitError>
where
    R: Representation<Genome = M::Genome> + Send + 'static,
    M: WholeMapper + 'static,
{
    let fitness = Fitness::of_task(Whole(mapper), task, settings, evaluation)?;
    let search = Generational::new(variation, fitness, evolution, settings.seed);
    Ok(Box::new(Joined::generational(search, codon_bits, warnings)))
}
