//! Genotype to loss: mapping by the grammar, then the evaluators, for whole populations.
//!
//! There are two ways with one result. The plain one maps and evaluates each genotype by itself.
//! The incremental one maps only genes that are new, and computes only what no earlier network
//! had; it falls back to the plain one for networks that cannot share.

use crate::ClassWeight;
use crate::balance::{Balanced, SharedLosses};
use mge_evolve::{Evaluate, Evaluation};
use mge_grammar::mge::{FreshGenes, Genotype, KnownGenes, Mapper, Workspace};
use mge_net::{BatchEvaluator, Columns, EvaluationError, Loss, Network, PartLists, Scratch};
use rayon::prelude::*;
use std::sync::{Arc, Mutex, PoisonError};

/// Evaluates genotypes on the training rows.
pub(crate) struct Fitness {
    mapper: Mapper,
    evaluator: Arc<BatchEvaluator>,
    /// Where classes are weighed, the loss is theirs.
    balanced: Option<Balanced>,
    /// What is shared between populations; `None` for the plain way.
    shared: Option<Mutex<Shared>>,
}

/// What the incremental way remembers.
struct Shared {
    genes: KnownGenes,
    losses: SharedLosses,
}

/// What is minimised.
#[derive(Clone, Copy)]
pub(crate) struct Objective {
    pub loss: Loss,
    pub weight: ClassWeight,
}

/// Individuals handed to a thread at once.
const INDIVIDUALS_PER_TASK: usize = 4;

impl Fitness {
    /// `memory` is how many bytes the incremental way may keep; `None` is the plain way.
    pub fn new(
        mapper: Mapper,
        rows: Columns<'_>,
        labels: &[u32],
        objective: Objective,
        memory: Option<usize>,
    ) -> Result<Self, EvaluationError> {
        let Objective { loss, weight } = objective;
        let outputs = mapper.grammar().shape().outputs;
        let evaluator = Arc::new(BatchEvaluator::new(rows, labels, outputs, loss)?);
        let balanced = match weight {
            ClassWeight::None => None,
            ClassWeight::Balanced => Some(Balanced::new(rows, labels, outputs, loss)?),
        };
        let share = |memory| {
            let losses = match &balanced {
                None => SharedLosses::plain(&evaluator, memory),
                Some(balanced) => balanced.shared(memory),
            };
            Mutex::new(Shared { genes: mapper.known_genes(), losses })
        };
        let shared = memory.map(share);
        Ok(Self { mapper, evaluator, balanced, shared })
    }

    /// The mapping.
    pub fn mapper(&self) -> &Mapper {
        &self.mapper
    }

    /// The network of a genotype, or `None` for an invalid individual.
    pub fn network(&self, genotype: &Genotype) -> Option<Network> {
        self.mapper.map(genotype, &mut Workspace::default()).network
    }

    /// Share of the training rows that a network gets right.
    pub fn train_accuracy(&self, network: &Network) -> f64 {
        self.evaluator.accuracy(network, &mut Scratch::new())
    }

    /// One genotype by itself.
    fn plain(
        &self,
        genotype: &Genotype,
        workspace: &mut Workspace,
        scratch: &mut Scratch,
    ) -> Evaluation {
        let mapped = self.mapper.map(genotype, workspace);
        let evaluation = match &mapped.network {
            Some(network) => Evaluation::valid(match &self.balanced {
                None => self.evaluator.loss(network, scratch),
                Some(balanced) => balanced.loss(network, scratch),
            }),
            None => Evaluation::invalid(),
        };
        evaluation.with_invalid_parts(mapped.invalid_genes)
    }

    /// Maps what no earlier population had.
    fn learn(&self, genotypes: &[Genotype], known: &mut KnownGenes) {
        known.begin();
        if rayon::current_num_threads() == 1 {
            let fresh = self.mapper.fresh_genes(genotypes, known, &mut Workspace::default());
            return known.learn(fresh);
        }
        let of_some =
            |workspace: &mut Workspace, some| self.mapper.fresh_genes(some, known, workspace);
        let fresh: Vec<FreshGenes<'_>> = genotypes
            .par_chunks(INDIVIDUALS_PER_TASK)
            .map_init(Workspace::default, of_some)
            .collect();
        fresh.into_iter().for_each(|fresh| known.learn(fresh));
    }

    fn incremental(&self, genotypes: &[Genotype], shared: &mut Shared) -> Vec<Evaluation> {
        let Shared { genes: known, losses } = shared;
        self.learn(genotypes, known);
        let genes = genotypes.iter().map(Genotype::len).sum();
        let mut lists = PartLists::with_capacity(genotypes.len(), genes);
        let mut evaluations = Vec::with_capacity(genotypes.len());
        for genotype in genotypes {
            let listed = self.mapper.list_parts(genotype, known, &mut lists);
            if listed.is_network {
                lists.end();
            } else {
                lists.abandon();
            }
            let evaluation = Evaluation::invalid().with_invalid_parts(listed.invalid_genes);
            evaluations.push((listed.is_network, evaluation));
        }
        let mut losses = losses.of(&lists).into_iter();
        let mut alone = Vec::new();
        let take = |(index, (is_network, evaluation)): (usize, (bool, Evaluation))| {
            if !is_network {
                return evaluation;
            }
            match losses.next().flatten() {
                Some(loss) => Evaluation::valid(loss).with_invalid_parts(evaluation.invalid_parts),
                None => {
                    alone.push(index);
                    evaluation
                }
            }
        };
        let mut evaluations: Vec<_> = evaluations.into_iter().enumerate().map(take).collect();
        if !alone.is_empty() {
            let of_alone: Vec<_> = self.plain_all(alone.par_iter().map(|&index| &genotypes[index]));
            for (index, evaluation) in alone.into_iter().zip(of_alone) {
                evaluations[index] = evaluation;
            }
        }
        evaluations
    }

    fn plain_all<'g>(
        &self,
        genotypes: impl IndexedParallelIterator<Item = &'g Genotype>,
    ) -> Vec<Evaluation> {
        genotypes
            .with_min_len(INDIVIDUALS_PER_TASK)
            .map_init(
                || (Workspace::default(), Scratch::default()),
                |(workspace, scratch), genotype| self.plain(genotype, workspace, scratch),
            )
            .collect()
    }
}

impl Evaluate<Genotype> for Fitness {
    fn evaluate(&self, genotypes: &[Genotype]) -> Vec<Evaluation> {
        match &self.shared {
            // A poisoned memory is only a memory: a panic leaves no half-made loss in it.
            Some(shared) => {
                let mut shared = shared.lock().unwrap_or_else(PoisonError::into_inner);
                self.incremental(genotypes, &mut shared)
            }
            None => self.plain_all(genotypes.par_iter()),
        }
    }
}
