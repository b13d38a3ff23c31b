//! Logistic regression (soft-max with three classes or more) on all features, with the small L2
//! penalty that libraries have by default: one over the number of rows.

use crate::choose::{shuffle_blocks, shuffled};
use crate::linear::{self, LOSS, all_links};
use crate::{BaselineError, Classifier, Cost, Rows};
use mge_net::gradient::{AdamParams, LbfgsParams, Penalty, adam, lbfgs};
use mge_net::{Columns, EvaluationError, GradientEvaluator, GradientScratch, Network, SparseNetwork};

/// A linear classifier that looks at every feature.
#[derive(Debug, Clone, PartialEq)]
pub struct Logistic {
    network: Network,
}

/// Up to so many links times rows all rows are descended at once; beyond, block by block.
const MOST_AT_ONCE: usize = 10_000_000;
/// Links times rows times epochs of a descent block by block.
const WORK: usize = 2_000_000_000;

impl Logistic {
    /// Trains on these rows.
    ///
    /// # Errors
    /// When there would be more than [`MOST_LINKS`](crate::MOST_LINKS) links.
    pub fn fit(rows: &Rows<'_>, seed: u64) -> Result<Self, BaselineError> {
        let penalty = Penalty { l1: 0.0, l2: 1.0 / rows.len().max(1) as f64 };
        let work = rows.len() * all_links(rows)?;
        if work <= MOST_AT_ONCE {
            return Self::with_penalty(rows, penalty);
        }
        // Blocks must hold rows of all classes, and files are often sorted.
        let evaluator = evaluator(&rows.take(&shuffled(rows.len(), seed)).rows())?;
        let epochs = (WORK / work).clamp(3, 30);
        let params = AdamParams { epochs, rate: 0.003, penalty, ..Default::default() };
        let mut epoch = 0;
        let shuffle = |order: &mut [usize]| {
            shuffle_blocks(seed, epoch, order);
            epoch += 1;
        };
        let blocks = 0..evaluator.blocks();
        Ok(train(rows, |network| {
            let scratch = &mut GradientScratch::new();
            adam(&evaluator, network, blocks, &params, shuffle, scratch);
        }))
    }

    /// Trains to the end with penalties of one's own, on all rows at once.
    ///
    /// # Errors
    /// As [`Logistic::fit`].
    pub fn with_penalty(rows: &Rows<'_>, penalty: Penalty) -> Result<Self, BaselineError> {
        all_links(rows)?;
        let params = LbfgsParams { penalty, ..Default::default() };
        let evaluator = evaluator(rows)?;
        let blocks = 0..evaluator.blocks();
        Ok(train(rows, |network| {
            lbfgs(&evaluator, network, blocks, &params, &mut GradientScratch::new());
        }))
    }

    /// The network, without links that do nothing.
    pub fn network(&self) -> &Network {
        &self.network
    }
}

fn evaluator(rows: &Rows<'_>) -> Result<GradientEvaluator, EvaluationError> {
    GradientEvaluator::new(rows.columns(), rows.labels(), rows.outputs(), LOSS)
}

fn train(rows: &Rows<'_>, tune: impl FnOnce(&mut SparseNetwork)) -> Logistic {
    let start = linear::start(rows);
    let mut network = SparseNetwork::from(&start);
    tune(&mut network);
    // Weights that are no numbers are not kept.
    let network = network.to_network().unwrap_or(start);
    Logistic { network: linear::without_zeros(&network) }
}

impl Classifier for Logistic {
    fn predict(&self, columns: &Columns) -> Vec<u32> {
        linear::predict(&self.network, columns)
    }

    fn cost(&self) -> Cost {
        linear::cost(&self.network)
    }
}
