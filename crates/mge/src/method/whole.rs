//! Representations that map a genotype as a whole: GE, SGE and DSGE.
//!
//! Their networks are taken apart again for the incremental evaluator, so that neurons, outputs
//! and networks that a population has in common are computed once there too.

use super::GrammarConfig;
use super::prepared::{BoundMethod, PreparedMethod};
use crate::fit::EvaluationMode;
use crate::fitness::{
    Fitness, INDIVIDUALS_PER_TASK, Listed, ListedNetwork, MOST_PER_TASK, Mapping,
};
use crate::prepare::Prepared;
use crate::{FitError, ResolvedSettings};
use mge_evolve::{Generational, Representation};
use mge_grammar::Warning;
use mge_grammar::network_mapper::{NetworkMapper, Workspace};
use mge_net::{Network, NetworkPart, PartLists};
use rayon::prelude::*;

/// A whole mapper as the evaluators see it.
struct Whole<M>(M);

impl<M: NetworkMapper> Mapping for Whole<M> {
    type Genome = M::Genotype;
    type Workspace = Workspace;
    /// Of the present population, in its order.
    type Memory = Vec<Decomposed>;

    fn map(&self, genome: &M::Genotype, workspace: &mut Workspace) -> (Option<Network>, u32) {
        (self.0.map(genome, workspace).network, 0)
    }

    fn memory(&self) -> Vec<Decomposed> {
        Vec::new()
    }

    fn learn(&self, genomes: &[M::Genotype], memory: &mut Vec<Decomposed>) {
        genomes
            .par_iter()
            .with_min_len(INDIVIDUALS_PER_TASK)
            .with_max_len(MOST_PER_TASK)
            .map_init(Workspace::default, |workspace, genome| {
                match self.0.map(genome, workspace).network {
                    None => Decomposed::Nothing,
                    Some(network) => {
                        NetworkPart::all_of(&network).map_or(Decomposed::Whole, Decomposed::Apart)
                    }
                }
            })
            .collect_into_vec(memory);
    }

    fn list<'m>(
        &self,
        index: usize,
        _: &'m M::Genotype,
        memory: &'m Vec<Decomposed>,
        lists: &mut PartLists<'m>,
    ) -> Listed {
        let network = match &memory[index] {
            Decomposed::Nothing => ListedNetwork::None,
            Decomposed::Whole => ListedNetwork::Alone,
            Decomposed::Apart(parts) => {
                parts.iter().for_each(|part| lists.push(part, 0));
                ListedNetwork::Parts
            }
        };
        Listed { network, invalid_parts: 0 }
    }
}

/// A network on its way to the evaluator.
pub(super) enum Decomposed {
    Apart(Vec<NetworkPart>),
    /// Parts cannot say it.
    Whole,
    /// There is none.
    Nothing,
}

/// The generational search over a whole mapper, once it is known that it maps. `about` is what a fit
/// wants to know of it besides: bits of a codon, and the grammar's warnings.
pub(super) fn join<P, R, M>(
    rules: &GrammarConfig<P>,
    (variation, mapper): (R, M),
    (task, settings, evaluation): (&Prepared, &ResolvedSettings, EvaluationMode),
    (codon_bits, warnings): (Option<u32>, Vec<Warning>),
) -> Result<Box<dyn PreparedMethod>, FitError>
where
    R: Representation<Genome = M::Genotype> + Send + 'static,
    M: NetworkMapper + 'static,
{
    mapper.check(&variation)?;
    let fitness = Fitness::of_task(Whole(mapper), task, settings, evaluation)?;
    let evolution = rules.evolution.clone().check()?;
    let search = Generational::new(variation, fitness, evolution, settings.seed);
    Ok(Box::new(BoundMethod::generational(search, codon_bits, warnings)))
}
