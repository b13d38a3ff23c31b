//! Logistic regression with an L1 penalty, which leaves out what it can do without.
//!
//! The strength is chosen on the rows: solutions of falling strength are judged on rows held back,
//! and the strongest penalty within one standard error of the best is taken. Each solution starts
//! from the one before it, over the links that may matter alone; which ones those are, and that
//! none was missed, the derivatives say (Tibshirani and others 2012, "Strong rules for discarding
//! predictors in lasso-type problems").
//!
//! Of a large table a sample chooses the strength and where to start; all rows set the weights.

use crate::choose::{LARGE_ROWS, partings, simplest_within_one_error, standard_error};
use crate::linear::{self, LOSS, all_links};
use crate::{BaselineError, Classifier, Cost, Rows};
use mge_net::gradient::{LbfgsParams, Penalty, lbfgs};
use mge_net::{
    Columns, EvaluationError, GradientEvaluator, GradientScratch, Network, NetworkError,
    SparseNetwork,
};
use rayon::prelude::*;

/// A linear classifier that looks at few features.
#[derive(Debug, Clone, PartialEq)]
pub struct Lasso {
    network: Network,
    strength: f64,
}

/// Strengths that are tried: the first leaves no link, the last is a thousandth of it.
const STRENGTHS: usize = 13;
/// Links times rows of the sample that chooses on a large table.
const SAMPLED_WORK: usize = 45_000_000;
/// Rows of that sample, least and most.
const SAMPLED_ROWS: (usize, usize) = (1_000, 10_000);
/// Steps of a descent: along the path, and on all rows of a large table from a sample's solution.
const STEPS: (usize, usize) = (100, 20);

impl Lasso {
    /// Chooses the strength and trains.
    ///
    /// # Errors
    /// When there would be more than [`MOST_LINKS`](crate::MOST_LINKS) links.
    pub fn fit(rows: &Rows<'_>, seed: u64) -> Result<Self, BaselineError> {
        let links = all_links(rows)?;
        let whole = Path::new(rows)?;
        let strengths = whole.strengths();
        let is_large = rows.len() >= LARGE_ROWS;
        let most = (SAMPLED_WORK / links.max(1)).clamp(SAMPLED_ROWS.0, SAMPLED_ROWS.1);
        let judged = partings(rows, most, seed).into_par_iter().map(|part| {
            let (train, held) = (rows.take(&part.train), rows.take(&part.held));
            let (mut losses, mut networks) = (Vec::new(), Vec::new());
            Path::new(&train.rows())?.walk(&strengths, |network| {
                losses.push(linear::losses(network, &held.rows()));
                networks.extend(is_large.then(|| network.clone()));
                !(is_large && is_flat(&losses))
            });
            Ok((losses, networks))
        });
        let judged = judged.collect::<Result<Vec<_>, EvaluationError>>()?;
        let tried = judged.iter().map(|(losses, _)| losses.len()).min().unwrap_or(0);
        let of_strength =
            |place: usize| judged.iter().flat_map(|(losses, _)| losses[place].clone()).collect();
        let losses: Vec<Vec<f64>> = (0..tried).map(of_strength).collect();
        let chosen = simplest_within_one_error(&losses);
        let strengths = &strengths[..=chosen.min(strengths.len() - 1)];
        let strength = strengths[strengths.len() - 1];
        let near = judged.into_iter().flat_map(|(_, networks)| networks).nth(chosen);
        let network = match near {
            Some(near) => whole.near(near, strength),
            None => whole.walk(strengths, |_| true),
        };
        Ok(Self { network: linear::without_zeros(&network), strength })
    }

    /// Trains with a strength of one's own, on all rows at once.
    ///
    /// # Errors
    /// As [`Lasso::fit`].
    pub fn with_strength(rows: &Rows<'_>, strength: f64) -> Result<Self, BaselineError> {
        all_links(rows)?;
        let whole = Path::new(rows)?;
        let mut strengths = whole.strengths();
        strengths.retain(|&s| s > strength);
        strengths.push(strength);
        let network = whole.walk(&strengths, |_| true);
        Ok(Self { network: linear::without_zeros(&network), strength })
    }

    /// The network, without links that do nothing.
    pub fn network(&self) -> &Network {
        &self.network
    }

    /// The strength: what a weight of one adds to the mean loss.
    pub fn strength(&self) -> f64 {
        self.strength
    }
}

/// Whether the last two candidates brought next to nothing.
fn is_flat(losses: &[Vec<f64>]) -> bool {
    let mean = |losses: &Vec<f64>| losses.iter().sum::<f64>() / losses.len().max(1) as f64;
    let [earlier @ .., a, b] = losses else { return false };
    let Some(before) = earlier.last() else { return false };
    let worth = 0.1 * standard_error(before);
    mean(before) - mean(a).min(mean(b)) < worth
}

/// Solutions of falling strength on some rows.
struct Path {
    evaluator: GradientEvaluator,
    start: SparseNetwork,
    is_link: Vec<bool>,
}

impl Path {
    fn new(rows: &Rows<'_>) -> Result<Self, EvaluationError> {
        let outputs = rows.outputs();
        let evaluator = GradientEvaluator::new(rows.columns(), rows.labels(), outputs, LOSS)?;
        let start = SparseNetwork::from(&linear::start(rows));
        let is_link = start.is_link();
        Ok(Self { evaluator, start, is_link })
    }

    /// From the least strength that leaves no link down, four to a power of ten.
    fn strengths(&self) -> Vec<f64> {
        let slopes = self.slopes(&self.start.weights());
        let links = slopes.iter().zip(&self.is_link).filter(|(_, is_link)| **is_link);
        let largest = links.map(|(slope, _)| slope.abs()).fold(0.0, f64::max);
        let strength = |step: usize| largest * libm::exp10(-(step as f64) / 4.0);
        // Where nothing tells the classes apart, all strengths are nothing.
        (0..STRENGTHS).map(|step| strength(step).max(1e-9)).collect()
    }

    /// The network of all links with these weights.
    fn sparse(&self, weights: &[f32]) -> SparseNetwork {
        let mut network = self.start.clone();
        network.set_weights(weights);
        network
    }

    fn network(&self, weights: &[f32]) -> Result<Network, NetworkError> {
        self.sparse(weights).to_network()
    }

    /// The derivative of the loss by each weight, also of links that are not in use.
    fn slopes(&self, weights: &[f32]) -> Vec<f64> {
        let mut slopes = vec![0.0; weights.len()];
        let blocks = 0..self.evaluator.blocks();
        let scratch = &mut GradientScratch::new();
        self.evaluator.gradient(&self.sparse(weights), blocks, scratch, &mut slopes);
        slopes
    }

    /// Goes down the strengths, shows each solution and gives the last; ends early when told so.
    fn walk(&self, strengths: &[f64], mut go_on: impl FnMut(&Network) -> bool) -> Network {
        let mut network = self.start.to_network().expect("finite weights");
        let mut before = strengths.first().copied().unwrap_or(0.0);
        for &strength in strengths {
            network = self.next(network, before, strength);
            before = strength;
            if !go_on(&network) {
                break;
            }
        }
        network
    }

    /// About the solution of a strength, from that on a sample of the rows.
    fn near(&self, network: Network, strength: f64) -> Network {
        let mut weights = SparseNetwork::from(&network).weights();
        let slopes = self.slopes(&weights);
        let is_used = |place: usize| {
            !self.is_link[place] || weights[place] != 0.0 || slopes[place].abs() >= strength
        };
        let is_used: Vec<bool> = (0..weights.len()).map(is_used).collect();
        self.lbfgs(&mut weights, &is_used, strength, STEPS.1);
        self.network(&weights).unwrap_or(network)
    }

    /// The solution of a strength, from that of a strength before.
    fn next(&self, network: Network, before: f64, strength: f64) -> Network {
        const TRIES: usize = 3;
        let mut weights = SparseNetwork::from(&network).weights();
        let mut slopes = self.slopes(&weights);
        let mut is_used: Vec<bool> = self.is_link.iter().map(|is_link| !is_link).collect();
        let mut least = 2.0 * strength - before;
        for _ in 0..TRIES {
            let mut added = false;
            for (place, is_used) in is_used.iter_mut().enumerate() {
                if !*is_used && (weights[place] != 0.0 || slopes[place].abs() >= least) {
                    (*is_used, added) = (true, true);
                }
            }
            if !added {
                break;
            }
            self.lbfgs(&mut weights, &is_used, strength, STEPS.0);
            slopes = self.slopes(&weights);
            // A slope beyond the strength means that a link was missed; a hair is rounding.
            least = strength * 1.001;
        }
        self.network(&weights).unwrap_or(network)
    }

    /// Tunes the weights in use.
    fn lbfgs(&self, weights: &mut [f32], is_used: &[bool], strength: f64, steps: usize) {
        let mut network = self.sparse(weights);
        if !network.is_finite() {
            return;
        }
        network.retain_connections(is_used);
        let params = LbfgsParams {
            iterations: steps,
            penalty: Penalty { l1: strength, l2: 0.0 },
            tolerance: 1e-5,
            ..Default::default()
        };
        let blocks = 0..self.evaluator.blocks();
        let scratch = &mut GradientScratch::new();
        lbfgs(&self.evaluator, &mut network, blocks, &params, scratch);
        let places = (0..weights.len()).filter(|&place| is_used[place]);
        places.zip(network.weights()).for_each(|(place, weight)| weights[place] = weight);
    }
}

impl Classifier for Lasso {
    fn predict(&self, columns: &Columns) -> Vec<u32> {
        linear::predict(&self.network, columns)
    }

    fn cost(&self) -> Cost {
        linear::cost(&self.network)
    }
}
