//! Representations that map a genotype as a whole: GE, SGE and DSGE.
//!
//! Their networks are taken apart again for the incremental evaluator, so that neurons, outputs
//! and networks that a population has in common are computed once there too.

use super::bound_search::{BoundSearch, PreparedMethod};
use super::grammar_config::GrammarConfig;
use super::training_task::TrainingTask;
use crate::FitError;
use crate::fitness::{INDIVIDUALS_PER_TASK, MAX_PER_TASK, MappedNetwork, MappedParts, Mapping};
use mge_evolve::{Generational, Representation};
use mge_grammar::Warning;
use mge_grammar::network_mapper::{NetworkMapper, Workspace};
use mge_net::{Network, NetworkPart, PartLists};
use rayon::prelude::*;

/// A mapper of whole genotypes as the evaluators see it.
struct WholeGenomeMapping<M>(M);

/// The network of a genotype on its way to the evaluator.
enum Decomposed {
    Parts(Vec<NetworkPart>),
    /// Parts cannot express it.
    Whole,
    /// The genotype maps to no network.
    Nothing,
}

/// Facts about a representation that a fit reports.
pub(super) struct GrammarFacts {
    pub codon_bits: Option<u32>,
    pub warnings: Vec<Warning>,
}

impl<M: NetworkMapper> Mapping for WholeGenomeMapping<M> {
    type Genome = M::Genotype;
    type Workspace = Workspace;
    /// The networks of the present population, in its order.
    type Memory = Vec<Decomposed>;

    fn map(&self, genome: &M::Genotype, workspace: &mut Workspace) -> (Option<Network>, u32) {
        (self.0.map(genome, workspace).network, 0)
    }

    fn memory(&self) -> Vec<Decomposed> {
        Vec::new()
    }

    fn map_missing(&self, genomes: &[M::Genotype], memory: &mut Vec<Decomposed>) {
        genomes
            .par_iter()
            .with_min_len(INDIVIDUALS_PER_TASK)
            .with_max_len(MAX_PER_TASK)
            .map_init(Workspace::default, |workspace, genome| {
                match self.0.map(genome, workspace).network {
                    None => Decomposed::Nothing,
                    Some(network) => {
                        let parts = NetworkPart::all_of(&network);
                        parts.map_or(Decomposed::Whole, Decomposed::Parts)
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
    ) -> MappedParts {
        let network = match &memory[index] {
            Decomposed::Nothing => MappedNetwork::None,
            Decomposed::Whole => MappedNetwork::Whole,
            Decomposed::Parts(parts) => {
                parts.iter().for_each(|part| lists.push(part, 0));
                MappedNetwork::Parts
            }
        };
        MappedParts { network, invalid_parts: 0 }
    }
}

/// The generational search over a mapper of whole genotypes, once it is known that it maps.
pub(super) fn prepare<P, R, M>(
    config: &GrammarConfig<P>,
    variation: R,
    mapper: M,
    task: &TrainingTask<'_>,
    facts: GrammarFacts,
) -> Result<Box<dyn PreparedMethod>, FitError>
where
    R: Representation<Genome = M::Genotype> + Send + 'static,
    M: NetworkMapper + 'static,
{
    mapper.check(&variation).map_err(FitError::method)?;
    let fitness = task.fitness(WholeGenomeMapping(mapper))?;
    let rows = fitness.rows();
    let evolution = config.evolution.clone().check()?;
    let search = Generational::new(variation, fitness, evolution, task.seed);
    let bound = BoundSearch::new(search, rows, |search, genome| search.evaluator().network(genome));
    Ok(Box::new(bound.with_codon_bits(facts.codon_bits).with_warnings(facts.warnings)))
}
