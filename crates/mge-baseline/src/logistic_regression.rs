//! Logistic regression on all features (softmax for three classes or more). The L2 penalty is
//! small: one over the number of rows, the default of common libraries.

use crate::baseline::{Baseline, FitFunction};
use crate::linear::{self, LOSS, MAX_LINKS};
use crate::model_selection::{shuffle_blocks, shuffled};
use crate::{BaselineClassifier, LabelledRows, PredictionCost};
use mge_net::gradient::{AdamParams, LbfgsParams, Penalty, adam, lbfgs};
use mge_net::{
    Columns, EvaluationError, GradientEvaluator, GradientScratch, Network, SparseNetwork,
};

pub(crate) const BASELINE: Baseline = Baseline {
    name: "logistic regression",
    summary: "Logistic regression on all features, with a small L2 penalty.",
    max_links: Some(MAX_LINKS),
    fit: FitFunction::Classes(|rows, seed| Ok(Box::new(LogisticRegression::fit(rows, seed)?))),
};

/// A linear classifier that reads every feature.
#[derive(Debug, Clone, PartialEq)]
pub struct LogisticRegression {
    network: Network,
}

/// The largest product of links and rows for L-BFGS on all rows. Beyond it, Adam trains on blocks.
const MAX_FULL_BATCH_WORK: usize = 10_000_000;
/// Links times rows times epochs of training on blocks.
const BLOCK_WORK: usize = 2_000_000_000;

impl LogisticRegression {
    /// Trains on these rows.
    ///
    /// # Errors
    /// When the rows cannot be evaluated.
    pub fn fit(rows: &LabelledRows<'_>, seed: u64) -> Result<Self, EvaluationError> {
        let penalty = Penalty { l1: 0.0, l2: 1.0 / rows.len().max(1) as f64 };
        let work = rows.len() * rows.links();
        if work <= MAX_FULL_BATCH_WORK {
            return Self::with_penalty(rows, penalty);
        }
        // Tables are often sorted by class, but each block needs rows of all classes.
        let evaluator = evaluator(&rows.take(&shuffled(rows.len(), seed)).rows())?;
        let epochs = (BLOCK_WORK / work).clamp(3, 30);
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

    /// Trains with a chosen penalty on all rows at once, until it converges.
    ///
    /// # Errors
    /// When the rows cannot be evaluated.
    pub fn with_penalty(
        rows: &LabelledRows<'_>,
        penalty: Penalty,
    ) -> Result<Self, EvaluationError> {
        let params = LbfgsParams { penalty, ..Default::default() };
        let evaluator = evaluator(rows)?;
        let blocks = 0..evaluator.blocks();
        Ok(train(rows, |network| {
            lbfgs(&evaluator, network, blocks, &params, &mut GradientScratch::new());
        }))
    }

    /// The network, without links of weight zero.
    pub fn network(&self) -> &Network {
        &self.network
    }
}

fn evaluator(rows: &LabelledRows<'_>) -> Result<GradientEvaluator, EvaluationError> {
    GradientEvaluator::new(rows.columns(), rows.targets(), LOSS)
}

/// Trains the initial network with `tune`.
fn train(rows: &LabelledRows<'_>, tune: impl FnOnce(&mut SparseNetwork)) -> LogisticRegression {
    let start = linear::start(rows);
    let mut network = SparseNetwork::from(&start);
    tune(&mut network);
    // If training diverged to weights that are not finite, keep the initial network.
    let network = network.to_network().unwrap_or(start);
    LogisticRegression { network: linear::without_zeros(&network) }
}

impl BaselineClassifier for LogisticRegression {
    fn predict(&self, columns: &Columns) -> Vec<u32> {
        linear::predict(&self.network, columns)
    }

    fn cost(&self) -> PredictionCost {
        linear::cost(&self.network)
    }
}
