//! Genome to loss: mapping, then the evaluators, for whole populations.
//!
//! Two evaluations give the same result. The plain one maps and evaluates each genome by itself.
//! The incremental one maps only what is new, and computes only what no earlier network had.
//! Networks that cannot be listed as parts are evaluated by the plain one.
//!
//! A representation implements [`Mapping`]; [`TrainingTask::fitness`] makes its [`Fitness`], which
//! is the [`Evaluate`] of a search.
//!
//! [`TrainingTask::fitness`]: crate::method::TrainingTask::fitness

mod balanced;

use crate::ClassWeight;
use balanced::{Balanced, SharedLosses};
use mge_evolve::{Evaluate, Evaluation};
use mge_net::{
    BatchEvaluator, Columns, EvaluationError, Loss, Network, PartLists, Scratch, Targets,
};
use mge_threads::par_map;
use rayon::prelude::*;
use std::sync::{Arc, Mutex};

/// How the genomes of one representation become networks.
pub trait Mapping: Send + Sync {
    /// What evolves.
    type Genome: Send + Sync;
    /// Buffers that one thread reuses for every genome.
    type Workspace: Default + Send;
    /// What incremental evaluation stores of the genomes of one or more populations.
    type Memory: Send + Sync;

    /// The network, or `None` for an invalid individual; and how many parts map to nothing.
    fn map(&self, genome: &Self::Genome, workspace: &mut Self::Workspace)
    -> (Option<Network>, u32);

    /// A memory without entries.
    fn memory(&self) -> Self::Memory;

    /// Maps what the memory does not have, spread over all threads.
    fn map_missing(&self, genomes: &[Self::Genome], memory: &mut Self::Memory);

    /// What [`Mapping::map`] maps to, as parts: added to the current network of `lists`. `index`
    /// is the position of the genome in the population that [`Mapping::map_missing`] was given.
    fn list<'m>(
        &self,
        index: usize,
        genome: &'m Self::Genome,
        memory: &'m Self::Memory,
        lists: &mut PartLists<'m>,
    ) -> MappedParts;
}

/// The result of [`Mapping::list`] for a genome.
pub struct MappedParts {
    /// How its network is evaluated.
    pub network: MappedNetwork,
    /// Parts that map to nothing.
    pub invalid_parts: u32,
}

/// How incremental evaluation sees a network.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum MappedNetwork {
    /// Its parts are listed.
    Parts,
    /// There is one that parts cannot express; it is evaluated by itself.
    Whole,
    /// There is none: an invalid individual.
    None,
}

/// Evaluates genomes on the training rows.
pub struct Fitness<M: Mapping> {
    mapping: M,
    evaluator: Arc<BatchEvaluator>,
    /// The evaluators of a loss in which classes are weighted.
    balanced: Option<Balanced>,
    /// What is shared between populations; `None` for plain evaluation.
    shared: Option<Mutex<Shared<M::Memory>>>,
}

/// What incremental evaluation stores.
struct Shared<M> {
    mapped: M,
    losses: SharedLosses,
}

/// What is minimised.
#[derive(Clone, Copy)]
pub struct Objective {
    /// The loss.
    pub loss: Loss,
    /// How much a row counts.
    pub weight: ClassWeight,
}

/// The smallest number of individuals that a thread takes at once. Each time it takes some, it
/// needs buffers.
pub(crate) const INDIVIDUALS_PER_TASK: usize = 4;
/// The largest number. Without it `rayon` may give a quarter of a population to one thread, and the
/// other threads wait for it.
pub(crate) const MAX_PER_TASK: usize = 2 * INDIVIDUALS_PER_TASK;

/// How many individuals of a population a thread takes at once. A thread that is alone takes all;
/// else each thread has a few chunks, and a late one takes fewer.
pub(crate) fn chunk_size(individuals: usize) -> usize {
    match rayon::current_num_threads() {
        1 => individuals.max(1),
        threads => individuals.div_ceil(8 * threads).max(INDIVIDUALS_PER_TASK),
    }
}

impl<M: Mapping> Fitness<M> {
    /// For columns with their targets. `memory` is the number of bytes that incremental evaluation
    /// may keep. `None` means plain evaluation.
    ///
    /// # Errors
    /// When rows and targets do not fit together, or there are too many rows.
    pub fn new(
        mapping: M,
        rows: &Columns,
        targets: Targets<'_>,
        objective: Objective,
        memory: Option<usize>,
    ) -> Result<Self, EvaluationError> {
        let Objective { loss, weight } = objective;
        let evaluator = Arc::new(BatchEvaluator::new(rows, targets, loss)?);
        let balanced = match weight {
            ClassWeight::None => None,
            ClassWeight::Balanced => Some(Balanced::new(rows, targets, loss)?),
        };
        let shared = memory.map(|memory| {
            let losses = match &balanced {
                None => SharedLosses::plain(&evaluator, memory),
                Some(balanced) => balanced.shared(memory),
            };
            Mutex::new(Shared { mapped: mapping.memory(), losses })
        });
        Ok(Self { mapping, evaluator, balanced, shared })
    }

    /// The network of a genome, or `None` for an invalid individual.
    pub fn network(&self, genome: &M::Genome) -> Option<Network> {
        self.mapping.map(genome, &mut M::Workspace::default()).0
    }

    /// The training rows, each counting the same.
    pub fn rows(&self) -> Arc<BatchEvaluator> {
        Arc::clone(&self.evaluator)
    }

    /// How genomes become networks.
    pub fn mapping(&self) -> &M {
        &self.mapping
    }

    /// What is minimised, of one network.
    pub fn loss(&self, network: &Network, scratch: &mut Scratch) -> f64 {
        match &self.balanced {
            None => self.evaluator.loss(network, scratch),
            Some(balanced) => balanced.loss(network, scratch),
        }
    }

    /// One genome by itself.
    fn plain(
        &self,
        genome: &M::Genome,
        workspace: &mut M::Workspace,
        scratch: &mut Scratch,
    ) -> Evaluation {
        let (network, invalid_parts) = self.mapping.map(genome, workspace);
        let evaluation = match &network {
            Some(network) => Evaluation::valid(self.loss(network, scratch)),
            None => Evaluation::invalid(),
        };
        evaluation.with_invalid_parts(invalid_parts)
    }

    fn incremental(
        &self,
        genomes: &[M::Genome],
        shared: &mut Shared<M::Memory>,
    ) -> Vec<Evaluation> {
        let Shared { mapped, losses } = shared;
        self.mapping.map_missing(genomes, mapped);
        let (lists, evaluations) = self.list(genomes, mapped);
        let mut losses = losses.of(&lists).into_iter();
        let mut unshared = Vec::new();
        let take = |(index, (network, evaluation)): (usize, (MappedNetwork, Evaluation))| {
            let loss = match network {
                MappedNetwork::None => return evaluation,
                MappedNetwork::Whole => None,
                MappedNetwork::Parts => losses.next().flatten(),
            };
            match loss {
                Some(loss) => Evaluation::valid(loss).with_invalid_parts(evaluation.invalid_parts),
                None => {
                    unshared.push(index);
                    evaluation
                }
            }
        };
        let mut evaluations: Vec<_> = evaluations.into_iter().enumerate().map(take).collect();
        if !unshared.is_empty() {
            let plain: Vec<_> = self.plain_all(unshared.par_iter().map(|&index| &genomes[index]));
            for (index, evaluation) in unshared.into_iter().zip(plain) {
                evaluations[index] = evaluation;
            }
        }
        evaluations
    }

    /// The networks of a population as lists of parts, made on all threads. For each genome also
    /// what its network is, with an evaluation that has no loss yet.
    fn list<'m>(
        &self,
        genomes: &'m [M::Genome],
        mapped: &'m M::Memory,
    ) -> (Vec<PartLists<'m>>, Vec<(MappedNetwork, Evaluation)>) {
        let list_chunk = |first: usize, chunk: &'m [M::Genome]| {
            let mut lists = PartLists::with_capacity(chunk.len(), 16 * chunk.len());
            let mut evaluations = Vec::with_capacity(chunk.len());
            for (index, genome) in (first..).zip(chunk) {
                let listed = self.mapping.list(index, genome, mapped, &mut lists);
                if listed.network == MappedNetwork::Parts {
                    lists.close();
                } else {
                    lists.discard_open();
                }
                let evaluation = Evaluation::invalid().with_invalid_parts(listed.invalid_parts);
                evaluations.push((listed.network, evaluation));
            }
            (lists, evaluations)
        };
        let size = chunk_size(genomes.len());
        let chunks = genomes.chunks(size).enumerate().collect();
        let listed = par_map(chunks, |(index, chunk)| list_chunk(index * size, chunk));
        let (lists, evaluations): (Vec<_>, Vec<_>) = listed.into_iter().unzip();
        (lists, evaluations.concat())
    }

    fn plain_all<'g>(
        &self,
        genomes: impl IndexedParallelIterator<Item = &'g M::Genome>,
    ) -> Vec<Evaluation>
    where
        M: 'g,
    {
        genomes
            .with_min_len(INDIVIDUALS_PER_TASK)
            .with_max_len(MAX_PER_TASK)
            .map_init(
                || (M::Workspace::default(), Scratch::default()),
                |(workspace, scratch), genome| self.plain(genome, workspace, scratch),
            )
            .collect()
    }
}

impl<M: Mapping> Evaluate<M::Genome> for Fitness<M> {
    fn evaluate(&self, genomes: &[M::Genome]) -> Vec<Evaluation> {
        match &self.shared {
            Some(shared) => match shared.lock() {
                Ok(mut shared) if shared.losses.fits_memory(genomes.len()) => {
                    self.incremental(genomes, &mut shared)
                }
                // The cache would exceed the memory, or an earlier panic left keys of columns that
                // were never computed.
                _ => self.plain_all(genomes.par_iter()),
            },
            None => self.plain_all(genomes.par_iter()),
        }
    }
}
