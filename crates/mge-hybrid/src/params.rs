//! Settings of the search, raw and checked.

use crate::front::{Limits, Pick};
use crate::grow::Growth;
use crate::tariff::{Objective, Tariff, operations_of_bytes};
use mge_net::{Activation, Loss, Network};
use serde::{Deserialize, Serialize};
use thiserror::Error;

/// Raw settings. The defaults are meant to be left alone, except `max_ops`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct HybridParams {
    /// The largest budget of the front, in operations. Default: 300 for two classes, else
    /// 150 for each class, at most 2000.
    pub max_ops: Option<usize>,
    /// Most bytes of the picked network, see [`mge_net::table_bytes`]. Default: any.
    pub max_bytes: Option<usize>,
    /// Most features of any network. Default: any.
    pub max_features: Option<usize>,
    /// Most hidden neurons of any network. Default: any.
    pub max_neurons: Option<usize>,
    /// Which network of the front is the result: `accuracy`, `knee` or `smallest-within-1se`.
    /// Default `accuracy` if one of the limits above is given, else `knee`.
    pub pick: Option<Pick>,
    /// What the front weighs against the loss: `operations` or `bytes`. Default `operations`.
    pub objective: Objective,
    /// What each feature that a network reads adds to its cost, in units of the objective; worth
    /// more than nothing where a feature is a sensor, or takes time to compute. Default 0.
    pub feature_cost: usize,
    /// Budgets that must be rungs of the front besides the usual ones. Default: none.
    pub budgets: Vec<usize>,
    /// Each rung is this much above the next lower one. Default 1.2, on large tables 1.4.
    pub ratio: Option<f64>,
    /// With fewer rows than this, recipes are chosen by cross-validation; with more, structures
    /// are chosen on one validation part. Default 4000.
    pub large_rows: usize,
    /// Folds of the cross-validation. Default 5.
    pub folds: usize,
    /// Times that the folds are drawn. Default 2, once from 1,000 rows on.
    pub repeats: Option<usize>,
    /// A recipe takes a rung over if it is better by this many standard errors of the difference,
    /// fold by fold. Default 3, about what twenty comparisons ask for; more keeps to simpler networks.
    pub caution: f64,
    /// Share of the rows in the validation part of large tables. Default 0.1, or more until there
    /// are 2,000 rows or three tenths.
    pub validation: Option<f64>,
    /// Iterations of L-BFGS for one network on small tables. Default 100.
    pub iterations: usize,
    /// Epochs of Adam for one network on large tables. Default: 12, or more until there are 1,200
    /// steps of up to 512 rows.
    pub epochs: Option<usize>,
    /// The loss of the last tuning on large tables, `mse` or `ce`. Default `mse`: rows that are lost
    /// anyway count less there than under the cross-entropy, which leaves more to those that are
    /// not.
    pub last_loss: Loss,
    /// What neurons may compute. Default: gauss and tanh.
    pub activations: Vec<Activation>,
    /// Share of connections that a cycle adds on large tables before it cuts back. Default 0.3.
    pub growth: f64,
    /// How much promises of connections are blurred, as the logarithm of a factor. Default 0.5.
    pub noise: f64,
    /// How likely an offspring on large tables takes a neuron from another rung, or all that an
    /// output reads there. Default 0.15.
    pub exchange: f64,
    /// How likely it gets a new neuron; a quarter as likely one of its own is split. Default 0.3.
    pub new_neurons: f64,
    /// How likely it is drawn anew what one of its neurons computes; half as likely two become one.
    /// Default 0.1.
    pub changes: f64,
    /// Whether each neuron feeds one output only, as in the paper's modular variants. Default
    /// false: at equal cost networks that share neurons are better.
    pub modular: bool,
    /// Whether some of the first networks of large tables, and those that come of them, are penalised
    /// as if each input went from 0 to 1. Default true.
    pub ranges: bool,
    /// Networks to start from, of an earlier run on the same features. Default: none.
    pub start: Vec<Network>,
}

impl Default for HybridParams {
    fn default() -> Self {
        Self {
            max_ops: None,
            max_bytes: None,
            max_features: None,
            max_neurons: None,
            pick: None,
            objective: Objective::Operations,
            feature_cost: 0,
            budgets: Vec::new(),
            ratio: None,
            large_rows: 4000,
            folds: 5,
            repeats: None,
            caution: 3.0,
            validation: None,
            iterations: 100,
            epochs: None,
            last_loss: Loss::MeanSquaredError,
            activations: vec![Activation::Gauss, Activation::Tanh],
            growth: 0.3,
            noise: 0.5,
            exchange: 0.15,
            new_neurons: 0.3,
            changes: 0.1,
            modular: false,
            ranges: true,
            start: Vec::new(),
        }
    }
}

/// A setting that cannot be used.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum ParamError {
    /// A number outside its range.
    #[error("{name} is {found}, expected {expected}")]
    Range {
        /// The setting.
        name: &'static str,
        /// What was given.
        found: f64,
        /// What would be right.
        expected: &'static str,
    },
    /// No activation to choose from.
    #[error("no activations are allowed, expected at least one")]
    NoActivations,
}

/// Settings that were checked.
#[derive(Debug, Clone, PartialEq)]
pub struct CheckedParams(pub(crate) HybridParams);

impl HybridParams {
    /// Checks the settings.
    ///
    /// # Errors
    /// When a number is out of its range; see [`ParamError`].
    pub fn check(self) -> Result<CheckedParams, ParamError> {
        let range = |name, found: f64, ok: bool, expected| {
            if ok { Ok(()) } else { Err(ParamError::Range { name, found, expected }) }
        };
        let within = |x: f64, low: f64, high: f64| x >= low && x <= high;
        let ratio = self.ratio.unwrap_or(2.0);
        range("ratio", ratio, within(ratio, 1.02, 4.0), "1.02 to 4")?;
        let share = self.validation.unwrap_or(0.1);
        range("validation", share, within(share, 0.01, 0.5), "0.01 to 0.5")?;
        let rows = self.large_rows;
        range("large_rows", rows as f64, rows >= 1000, "at least 1000")?;
        range("folds", self.folds as f64, (2..=20).contains(&self.folds), "2 to 20")?;
        let repeats = self.repeats.unwrap_or(1);
        range("repeats", repeats as f64, (1..=20).contains(&repeats), "1 to 20")?;
        range("caution", self.caution, within(self.caution, 0.0, 10.0), "0 to 10")?;
        range("growth", self.growth, within(self.growth, 0.0, 4.0), "0 to 4")?;
        range("exchange", self.exchange, within(self.exchange, 0.0, 1.0), "0 to 1")?;
        range("changes", self.changes, within(self.changes, 0.0, 1.0), "0 to 1")?;
        let new = self.new_neurons;
        range("new_neurons", new, within(new, 0.0, 1.0), "0 to 1")?;
        range("noise", self.noise, within(self.noise, 0.0, 10.0), "0 to 10")?;
        range("iterations", self.iterations as f64, self.iterations > 0, "at least 1")?;
        let epochs = self.epochs.unwrap_or(1);
        range("epochs", epochs as f64, epochs > 0, "at least 1")?;
        let most = self.max_ops.unwrap_or(10);
        range("max_ops", most as f64, (6..=1_000_000).contains(&most), "6 to 1000000")?;
        let bytes = self.max_bytes.unwrap_or(1);
        range("max_bytes", bytes as f64, bytes <= 10_000_000, "at most 10000000")?;
        let price = self.feature_cost;
        range("feature_cost", price as f64, price <= 1_000_000, "0 to 1000000")?;
        let features = self.max_features.unwrap_or(1);
        range("max_features", features as f64, features > 0, "at least 1")?;
        if self.activations.is_empty() {
            return Err(ParamError::NoActivations);
        }
        Ok(CheckedParams(self))
    }
}

impl HybridParams {
    /// Whether so many training rows are a large table.
    pub(crate) fn is_large(&self, rows: usize) -> bool {
        rows >= self.large_rows
    }

    /// How many of the rows of a large table validate. A few hundred would tell little, and a
    /// standard error takes several blocks.
    pub(crate) fn validation_rows(&self, rows: usize) -> usize {
        let share = |share: f64| (share * rows as f64).ceil() as usize;
        self.validation.map_or_else(|| share(0.1).max(2000.min(share(0.3))), share)
    }

    /// Generations of a search that nobody limits: on small tables the first recipes bring nearly
    /// all there is, on large ones every generation still brings something. Each network to start
    /// from makes one recipe more.
    pub fn default_generations(&self, rows: usize) -> u64 {
        if self.is_large(rows) { 40 } else { 20 + self.start.len() as u64 }
    }

    /// How to add this many connections.
    pub(crate) fn growth_of(&self, count: usize) -> Growth {
        Growth { count, noise: self.noise, shared: !self.modular }
    }
}

/// Budgets of a search.
pub(crate) struct Rungs {
    /// Those of the front.
    pub(crate) front: Vec<usize>,
    /// Higher ones, whose networks only serve the others.
    pub(crate) above: Vec<usize>,
}

/// How many times the highest budget of the front a search goes to at most,
const HEADROOM: f64 = 3.0;
/// and which share of the usual highest budget it does not go beyond for that.
const WORTHWHILE: f64 = 0.75;

impl CheckedParams {
    /// What the result must keep.
    pub fn limits(&self) -> Limits {
        let HybridParams { max_ops, max_bytes, max_features, max_neurons, .. } = self.0;
        Limits { max_ops, max_bytes, max_features, max_neurons }
    }

    /// Which network of the front is the result.
    pub fn pick(&self) -> Pick {
        self.0.pick.unwrap_or_else(|| Pick::usual(&self.limits()))
    }

    /// What networks with so many inputs cost.
    pub(crate) fn tariff(&self, inputs: usize) -> Tariff {
        Tariff::new(self.0.objective, self.0.feature_cost, inputs)
    }

    /// Most operations of any network, where they are not the cost that rungs limit.
    pub(crate) fn most_operations(&self, inputs: usize) -> Option<usize> {
        self.0.max_ops.filter(|_| self.tariff(inputs) != Tariff::OPERATIONS)
    }

    /// Whether a network keeps the limits that cutting to a rung does not.
    pub(crate) fn allow_on_front(&self, network: &Network) -> bool {
        let max_ops = self.most_operations(network.inputs());
        Limits { max_ops, max_bytes: None, ..self.limits() }.allow(network)
    }

    /// The budgets of the front for networks of a shape, ascending, and budgets above it that large
    /// tables are searched at too: what comes down from there step by step, better at each, is better
    /// than what is cut down to the highest budget at once.
    pub(crate) fn rungs(&self, inputs: usize, outputs: usize, is_large: bool) -> Rungs {
        let tariff = self.tariff(inputs);
        let usual = if outputs == 1 { 300 } else { (150 * outputs).min(2000) };
        let in_bytes = |operations: usize| operations * tariff.link / Tariff::OPERATIONS.link;
        // A link for each output is the least that tells anything apart, and reads a feature.
        let least = (tariff.link + tariff.output) * outputs + tariff.feature;
        let mut rungs: Vec<usize> = self.0.budgets.clone();
        let mut highest = match self.0.objective {
            Objective::Operations => self.0.max_ops.unwrap_or(usual),
            Objective::Bytes => {
                self.0.max_bytes.unwrap_or_else(|| in_bytes(self.0.max_ops.unwrap_or(usual)))
            }
        };
        if let Some(bytes) = self.0.max_bytes {
            // Rungs stand close to the limit, and none far above, since a network takes about as
            // many bytes as its parts have prices, or operations.
            let about = match self.0.objective {
                Objective::Operations => operations_of_bytes(bytes, inputs, outputs),
                Objective::Bytes => bytes,
            };
            let about = about.max(least) as f64;
            rungs.extend([0.8, 0.87, 0.93, 1.0, 1.07].map(|share| (share * about) as usize));
            highest = highest.min((1.3 * about) as usize);
        }
        // What features cost comes on top of what a network may cost otherwise.
        highest += tariff.feature * inputs.min(highest / tariff.link);
        let ratio = self.0.ratio.unwrap_or(if is_large { 1.4 } else { 1.2 });
        let mut rung = least.max(8).min(highest) as f64;
        while (rung as usize) < highest {
            rungs.push(rung as usize);
            rung = (rung * ratio).max(rung + 2.0);
        }
        rungs.push(highest);
        rungs.retain(|&rung| rung <= highest && (rung >= least || rung == highest));
        rungs.sort_unstable();
        rungs.dedup();
        let mut above = Vec::new();
        if is_large && tariff == Tariff::OPERATIONS {
            let most = (WORTHWHILE * usual as f64).min(HEADROOM * highest as f64) as usize;
            let mut rung = highest as f64 * ratio;
            while (rung as usize) < most {
                above.push(rung as usize);
                rung *= ratio;
            }
            above.extend((most > highest).then_some(most));
        }
        Rungs { front: rungs, above }
    }
}
