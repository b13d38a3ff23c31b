//! Logistic regression with an L1 penalty (the lasso), which sets the weights of unneeded links to
//! zero.
//!
//! Model selection chooses the strength of the penalty. It computes solutions of decreasing
//! strength, the regularization path, and scores them on validation rows. It takes the strongest
//! penalty within one standard error of the best. Each solution starts from the previous one and
//! trains only a working set of links. The derivatives tell which links belong to it, and whether
//! one was missed (Tibshirani and others 2012, "Strong rules for discarding predictors in
//! lasso-type problems").
//!
//! On a large table, a sample of the rows gives the strength and the initial weights; training then
//! uses all rows.

use crate::baseline::{Baseline, FitFunction};
use crate::linear::{self, LOSS, MAX_LINKS};
use crate::model_selection::{
    LARGE_TABLE_ROWS, simplest_within_one_error, standard_error, validation_splits,
};
use crate::{BaselineClassifier, LabelledRows, PredictionCost};
use mge_net::gradient::{LbfgsParams, Penalty, lbfgs};
use mge_net::{
    Columns, EvaluationError, GradientEvaluator, GradientScratch, Network, SparseNetwork,
};
use rayon::prelude::*;

pub(crate) const BASELINE: Baseline = Baseline {
    name: "L1 logistic regression",
    summary: "Logistic regression with an L1 penalty, which leaves out features.",
    max_links: Some(MAX_LINKS),
    fit: FitFunction::Classes(|rows, seed| Ok(Box::new(L1LogisticRegression::fit(rows, seed)?))),
};

/// A linear classifier that reads few features.
#[derive(Debug, Clone, PartialEq)]
pub struct L1LogisticRegression {
    network: Network,
    strength: f64,
}

/// The number of strengths on the path. The first one leaves no link; the last one is a thousandth
/// of it.
const STRENGTHS: usize = 13;
/// Links times rows of the sample that is used for model selection on a large table.
const SAMPLE_WORK: usize = 45_000_000;
/// The smallest and the largest number of rows of that sample.
const MIN_SAMPLE_ROWS: usize = 1_000;
const MAX_SAMPLE_ROWS: usize = 10_000;
/// L-BFGS iterations of each solution on the path.
const PATH_ITERATIONS: usize = 100;
/// L-BFGS iterations on all rows of a large table, from the solution of the sample.
const FINAL_ITERATIONS: usize = 20;

impl L1LogisticRegression {
    /// Chooses the strength and trains.
    ///
    /// # Errors
    /// When the rows cannot be evaluated.
    pub fn fit(rows: &LabelledRows<'_>, seed: u64) -> Result<Self, EvaluationError> {
        let links = rows.links();
        let path = RegularizationPath::new(rows)?;
        let strengths = path.strengths();
        let is_large = rows.len() >= LARGE_TABLE_ROWS;
        let max_rows = (SAMPLE_WORK / links.max(1)).clamp(MIN_SAMPLE_ROWS, MAX_SAMPLE_ROWS);
        let scored = validation_splits(rows, max_rows, seed).into_par_iter().map(|split| {
            let (train, validation) = (rows.take(&split.train), rows.take(&split.validation));
            let (mut losses, mut networks) = (Vec::new(), Vec::new());
            RegularizationPath::new(&train.rows())?.solve(&strengths, |network| {
                losses.push(linear::losses(network, &validation.rows()));
                networks.extend(is_large.then(|| network.clone()));
                !(is_large && is_flat(&losses))
            });
            Ok((losses, networks))
        });
        let scored = scored.collect::<Result<Vec<_>, EvaluationError>>()?;
        let tried = scored.iter().map(|(losses, _)| losses.len()).min().unwrap_or(0);
        let of_strength =
            |index: usize| scored.iter().flat_map(|(losses, _)| losses[index].clone()).collect();
        let losses: Vec<Vec<f64>> = (0..tried).map(of_strength).collect();
        let chosen = simplest_within_one_error(&losses);
        let strengths = &strengths[..=chosen.min(strengths.len() - 1)];
        let strength = strengths[strengths.len() - 1];
        let sample_solution = scored.into_iter().flat_map(|(_, networks)| networks).nth(chosen);
        let network = match sample_solution {
            Some(network) => path.refine(network, strength),
            None => path.solve(strengths, |_| true),
        };
        Ok(Self { network: linear::without_zeros(&network), strength })
    }

    /// Trains with a chosen strength on all rows at once.
    ///
    /// # Errors
    /// When the rows cannot be evaluated.
    pub fn with_strength(rows: &LabelledRows<'_>, strength: f64) -> Result<Self, EvaluationError> {
        let path = RegularizationPath::new(rows)?;
        let mut strengths = path.strengths();
        strengths.retain(|&s| s > strength);
        strengths.push(strength);
        let network = path.solve(&strengths, |_| true);
        Ok(Self { network: linear::without_zeros(&network), strength })
    }

    /// The network, without links of weight zero.
    pub fn network(&self) -> &Network {
        &self.network
    }

    /// The strength of the penalty: what a weight of one adds to the mean loss.
    pub fn strength(&self) -> f64 {
        self.strength
    }
}

/// Whether the last two candidates lowered the loss by less than a tenth of a standard error.
fn is_flat(losses: &[Vec<f64>]) -> bool {
    let mean = |losses: &Vec<f64>| losses.iter().sum::<f64>() / losses.len().max(1) as f64;
    let [earlier @ .., a, b] = losses else { return false };
    let Some(before) = earlier.last() else { return false };
    let threshold = 0.1 * standard_error(before);
    mean(before) - mean(a).min(mean(b)) < threshold
}

/// The regularization path on some rows: solutions of decreasing strength.
struct RegularizationPath {
    evaluator: GradientEvaluator,
    start: SparseNetwork,
    is_link: Vec<bool>,
}

impl RegularizationPath {
    fn new(rows: &LabelledRows<'_>) -> Result<Self, EvaluationError> {
        let evaluator = GradientEvaluator::new(rows.columns(), rows.targets(), LOSS)?;
        let start = SparseNetwork::from(&linear::start(rows));
        let is_link = start.is_link();
        Ok(Self { evaluator, start, is_link })
    }

    /// The strengths of the path, four for each power of ten. The first is the smallest strength
    /// that leaves no link.
    fn strengths(&self) -> Vec<f64> {
        let gradient = self.gradient(&self.start.weights());
        let links = gradient.iter().zip(&self.is_link).filter(|(_, is_link)| **is_link);
        let largest = links.map(|(derivative, _)| derivative.abs()).fold(0.0, f64::max);
        let strength = |step: usize| largest * libm::exp10(-(step as f64) / 4.0);
        // If no feature separates the classes, all derivatives and therefore all strengths are
        // zero.
        (0..STRENGTHS).map(|step| strength(step).max(1e-9)).collect()
    }

    /// The network of all links with these weights.
    fn with_weights(&self, weights: &[f32]) -> SparseNetwork {
        let mut network = self.start.clone();
        network.set_weights(weights);
        network
    }

    /// The derivative of the loss by each weight, also by those outside of the working set.
    fn gradient(&self, weights: &[f32]) -> Vec<f64> {
        let mut gradient = vec![0.0; weights.len()];
        let blocks = 0..self.evaluator.blocks();
        let scratch = &mut GradientScratch::new();
        self.evaluator.gradient(&self.with_weights(weights), blocks, scratch, &mut gradient);
        gradient
    }

    /// Solves for each strength in turn, calls `keep_going` with each solution, and returns the
    /// last one. Stops early when `keep_going` returns false.
    fn solve(&self, strengths: &[f64], mut keep_going: impl FnMut(&Network) -> bool) -> Network {
        let mut network = self.start.to_network().expect("the start is a network");
        let mut previous = strengths.first().copied().unwrap_or(0.0);
        for &strength in strengths {
            network = self.next(network, previous, strength);
            previous = strength;
            if !keep_going(&network) {
                break;
            }
        }
        network
    }

    /// The approximate solution of a strength, starting from the solution on a sample of the rows.
    fn refine(&self, network: Network, strength: f64) -> Network {
        let mut weights = SparseNetwork::from(&network).weights();
        let gradient = self.gradient(&weights);
        let is_active = |index: usize| {
            !self.is_link[index] || weights[index] != 0.0 || gradient[index].abs() >= strength
        };
        let active: Vec<bool> = (0..weights.len()).map(is_active).collect();
        self.train_active(&mut weights, &active, strength, FINAL_ITERATIONS);
        self.with_weights(&weights).to_network().unwrap_or(network)
    }

    /// The solution of a strength, starting from the solution of the previous strength.
    fn next(&self, network: Network, previous: f64, strength: f64) -> Network {
        const MAX_ROUNDS: usize = 3;
        let mut weights = SparseNetwork::from(&network).weights();
        let mut gradient = self.gradient(&weights);
        let mut active: Vec<bool> = self.is_link.iter().map(|is_link| !is_link).collect();
        // The sequential strong rule bounds the derivative of links that stay at zero.
        let mut threshold = 2.0 * strength - previous;
        for _ in 0..MAX_ROUNDS {
            let mut added = false;
            for (index, is_active) in active.iter_mut().enumerate() {
                if !*is_active && (weights[index] != 0.0 || gradient[index].abs() >= threshold) {
                    (*is_active, added) = (true, true);
                }
            }
            if !added {
                break;
            }
            self.train_active(&mut weights, &active, strength, PATH_ITERATIONS);
            gradient = self.gradient(&weights);
            // A derivative above the strength belongs to a missed link. The factor allows for
            // rounding.
            threshold = strength * 1.001;
        }
        self.with_weights(&weights).to_network().unwrap_or(network)
    }

    /// Trains the active weights; the others keep their values.
    fn train_active(&self, weights: &mut [f32], active: &[bool], strength: f64, iterations: usize) {
        let mut network = self.with_weights(weights);
        if !network.is_finite() {
            return;
        }
        network.retain_connections(active);
        let params = LbfgsParams {
            iterations,
            penalty: Penalty { l1: strength, l2: 0.0 },
            tolerance: 1e-5,
            ..Default::default()
        };
        let blocks = 0..self.evaluator.blocks();
        let scratch = &mut GradientScratch::new();
        lbfgs(&self.evaluator, &mut network, blocks, &params, scratch);
        let indices = (0..weights.len()).filter(|&index| active[index]);
        indices.zip(network.weights()).for_each(|(index, weight)| weights[index] = weight);
    }
}

impl BaselineClassifier for L1LogisticRegression {
    fn predict(&self, columns: &Columns) -> Vec<u32> {
        linear::predict(&self.network, columns)
    }

    fn cost(&self) -> PredictionCost {
        linear::cost(&self.network)
    }
}
