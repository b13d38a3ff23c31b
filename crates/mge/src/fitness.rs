//! Genotype to loss: mapping by the grammar, then the batch evaluator, for whole populations.

use crate::ClassWeight;
use crate::balance::Balanced;
use mge_evolve::{Evaluate, Evaluation};
use mge_grammar::mge::{Genotype, Mapper, Workspace};
use mge_net::{BatchEvaluator, Columns, EvaluationError, Loss, Network, Scratch, reference};
use rayon::prelude::*;

/// Evaluates genotypes on the training rows.
pub(crate) struct Fitness<'d> {
    mapper: Mapper,
    evaluator: BatchEvaluator,
    /// Where classes are weighed, the loss is theirs.
    balanced: Option<Balanced>,
    rows: Columns<'d>,
    labels: &'d [u32],
}

/// Individuals handed to a thread at once.
const INDIVIDUALS_PER_TASK: usize = 4;

impl<'d> Fitness<'d> {
    pub fn new(
        mapper: Mapper,
        rows: Columns<'d>,
        labels: &'d [u32],
        loss: Loss,
        weight: ClassWeight,
    ) -> Result<Self, EvaluationError> {
        let outputs = mapper.grammar().shape().outputs;
        let evaluator = BatchEvaluator::new(rows, labels, outputs, loss)?;
        let balanced = match weight {
            ClassWeight::None => None,
            ClassWeight::Balanced => Some(Balanced::new(rows, labels, outputs, loss)?),
        };
        Ok(Self { mapper, evaluator, balanced, rows, labels })
    }

    /// The network of a genotype, or `None` for an invalid individual.
    pub fn network(&self, genotype: &Genotype) -> Option<Network> {
        self.mapper.map(genotype, &mut Workspace::default()).network
    }

    /// Share of the training rows that a network gets right.
    pub fn train_accuracy(&self, network: &Network) -> f64 {
        let probabilities = reference::probabilities_of(network, self.rows);
        let right = probabilities.map(|rows| {
            let answers = rows.iter().map(reference::class).zip(self.labels);
            answers.filter(|&(class, &label)| class == label as usize).count()
        });
        right.unwrap_or(0) as f64 / self.labels.len().max(1) as f64
    }
}

impl Evaluate<Genotype> for Fitness<'_> {
    fn evaluate(&self, genotypes: &[Genotype]) -> Vec<Evaluation> {
        genotypes
            .par_iter()
            .with_min_len(INDIVIDUALS_PER_TASK)
            .map_init(
                || (Workspace::default(), Scratch::default()),
                |(workspace, scratch), genotype| {
                    let mapped = self.mapper.map(genotype, workspace);
                    let evaluation = match &mapped.network {
                        Some(network) => Evaluation::valid(match &self.balanced {
                            None => self.evaluator.loss(network, scratch),
                            Some(balanced) => balanced.loss(network, scratch),
                        }),
                        None => Evaluation::invalid(),
                    };
                    evaluation.with_invalid_parts(mapped.invalid_genes)
                },
            )
            .collect()
    }
}
