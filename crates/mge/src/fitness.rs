//! Genotype to loss: mapping by the grammar, then the batch evaluator, for whole populations.

use mge_evolve::{Evaluate, Evaluation};
use mge_grammar::mge::{Genotype, Mapper, Workspace};
use mge_net::{BatchEvaluator, Columns, EvaluationError, Loss, Network, Scratch};
use rayon::prelude::*;

/// Evaluates genotypes on the training rows.
pub(crate) struct Fitness {
    mapper: Mapper,
    evaluator: BatchEvaluator,
}

/// Individuals handed to a thread at once.
const INDIVIDUALS_PER_TASK: usize = 4;

impl Fitness {
    pub fn new(
        mapper: Mapper,
        rows: Columns<'_>,
        labels: &[u32],
        loss: Loss,
    ) -> Result<Self, EvaluationError> {
        let outputs = mapper.grammar().shape().outputs;
        let evaluator = BatchEvaluator::new(rows, labels, outputs, loss)?;
        Ok(Self { mapper, evaluator })
    }

    /// The network of a genotype, or `None` for an invalid individual.
    pub fn network(&self, genotype: &Genotype) -> Option<Network> {
        self.mapper.map(genotype, &mut Workspace::default()).network
    }

    /// Share of the training rows that a network gets right.
    pub fn train_accuracy(&self, network: &Network) -> f64 {
        self.evaluator.accuracy(network, &mut Scratch::new())
    }
}

impl Evaluate<Genotype> for Fitness {
    fn evaluate(&self, genotypes: &[Genotype]) -> Vec<Evaluation> {
        genotypes
            .par_iter()
            .with_min_len(INDIVIDUALS_PER_TASK)
            .map_init(
                || (Workspace::default(), Scratch::default()),
                |(workspace, scratch), genotype| {
                    let mapped = self.mapper.map(genotype, workspace);
                    let evaluation = match &mapped.network {
                        Some(network) => Evaluation::valid(self.evaluator.loss(network, scratch)),
                        None => Evaluation::invalid(),
                    };
                    evaluation.with_invalid_parts(mapped.invalid_genes)
                },
            )
            .collect()
    }
}
