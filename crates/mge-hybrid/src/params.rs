//! The settings of the search, raw and checked.

use crate::cost_model::{CostModel, Objective};
use crate::grow::Growth;
use crate::pick::{Limits, Pick};
use mge_net::{Activation, Loss, MAX_NEURONS, Network, SparseNetwork};
use serde::{Deserialize, Serialize};
use thiserror::Error;

/// Raw settings. Most users change `max_ops` only.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct HybridParams {
    /// The highest budget of the front, in operations. Default: 300 for two classes or one
    /// number, else 150 for each class or number, at most 2000.
    pub max_ops: Option<usize>,
    /// The maximum bytes of the picked network, see [`mge_net::table_bytes`]. Default: no limit.
    pub max_bytes: Option<usize>,
    /// The maximum number of features of any network. Default: no limit.
    pub max_features: Option<usize>,
    /// The maximum number of hidden neurons of any network. Default: no limit.
    pub max_neurons: Option<usize>,
    /// Which network of the front is the result, see [`Pick`]. Default: `lowest-loss` if one of the
    /// limits above is given, else `recommended`.
    pub pick: Option<Pick>,
    /// What the front weighs against the loss: `operations` or `bytes`. Default `operations`.
    pub objective: Objective,
    /// What each feature adds to the cost of a network, in units of the objective. Raise it where a
    /// feature is a sensor, or takes time to compute. Default 0.
    pub feature_cost: usize,
    /// Budgets that the front must have besides the default ones. Default: none.
    pub budgets: Vec<usize>,
    /// The ratio of each budget to the next lower one. Default 1.2, on large tables 1.4.
    #[serde(alias = "ratio")]
    pub budget_ratio: Option<f64>,
    /// From this many training rows on, a table is large: structures are chosen on one validation
    /// part, and not by cross-validation. Default 4000.
    #[serde(alias = "large_rows")]
    pub large_table_rows: usize,
    /// The number of folds of the cross-validation. Default 5.
    #[serde(alias = "folds")]
    pub cv_folds: usize,
    /// How often the folds are drawn. Default 2; 1 from 1,000 rows on.
    #[serde(alias = "repeats")]
    pub cv_repeats: Option<usize>,
    /// A training configuration replaces another if it is better by this many standard errors of
    /// the difference, fold by fold. Raise it for simpler networks. Default 3, about the Bonferroni
    /// correction for twenty comparisons.
    #[serde(alias = "caution")]
    pub min_z_score: f64,
    /// The fraction of the rows of a large table that validates. Default 0.1, or more, up to 0.3,
    /// until there are 2,000 rows.
    #[serde(alias = "validation")]
    pub validation_fraction: Option<f64>,
    /// Iterations of L-BFGS for one network on small tables. Default 100.
    pub iterations: usize,
    /// Epochs of Adam for one network on large tables. Default: 12, or more until there are 1,200
    /// steps of up to 512 rows.
    pub epochs: Option<usize>,
    /// The loss of the final training on large tables of classes, `mse` or `ce`. Default `mse`: it
    /// weighs rows less that the network gets wrong anyway, which leaves more to the others.
    /// Networks for numbers end their training with the loss of the search.
    #[serde(alias = "last_loss")]
    pub refit_loss: Loss,
    /// The activations that neurons may have. Default: gauss and tanh.
    pub activations: Vec<Activation>,
    /// The fraction of connections that growth adds before pruning. Default 0.3.
    pub growth: f64,
    /// The noise on the gains of missing connections, as the logarithm of a factor. Default 0.5.
    pub noise: f64,
    /// The probability that an offspring on a large table gets a neuron of another network, or all
    /// that an output reads there. Default 0.15.
    #[serde(alias = "exchange")]
    pub crossover_rate: f64,
    /// The probability that an offspring gets a new neuron. With a quarter of it, one of its own is
    /// split. Default 0.3.
    #[serde(alias = "new_neurons")]
    pub neuron_addition_rate: f64,
    /// The probability that the activation of a neuron is drawn anew. With half of it, two neurons
    /// are merged. Default 0.1.
    #[serde(alias = "changes")]
    pub activation_mutation_rate: f64,
    /// Whether each neuron feeds one output only, as in the paper's modular variants. Default
    /// false: at equal cost networks that share neurons are better.
    pub modular: bool,
    /// Whether some of the first networks of large tables, and their offspring, are penalised as if
    /// each input went from 0 to 1. Default true.
    #[serde(alias = "ranges")]
    pub range_scaled_penalty: bool,
    /// Networks to start from, of an earlier search on the same features. Default: none.
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
            budget_ratio: None,
            large_table_rows: 4000,
            cv_folds: 5,
            cv_repeats: None,
            min_z_score: 3.0,
            validation_fraction: None,
            iterations: 100,
            epochs: None,
            refit_loss: Loss::MeanSquaredError,
            activations: vec![Activation::Gauss, Activation::Tanh],
            growth: 0.3,
            noise: 0.5,
            crossover_rate: 0.15,
            neuron_addition_rate: 0.3,
            activation_mutation_rate: 0.1,
            modular: false,
            range_scaled_penalty: true,
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
        /// The given value.
        found: f64,
        /// The allowed values.
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
        let require = |name, found: f64, is_valid: bool, expected| {
            if is_valid { Ok(()) } else { Err(ParamError::Range { name, found, expected }) }
        };
        let within = |name, found: f64, min: f64, max: f64, expected| {
            require(name, found, found >= min && found <= max, expected)
        };
        let probability = |name, found| within(name, found, 0.0, 1.0, "0 to 1");
        within("budget_ratio", self.budget_ratio.unwrap_or(2.0), 1.02, 4.0, "1.02 to 4")?;
        let fraction = self.validation_fraction.unwrap_or(0.1);
        within("validation_fraction", fraction, 0.01, 0.5, "0.01 to 0.5")?;
        let rows = self.large_table_rows;
        require("large_table_rows", rows as f64, rows >= 1000, "at least 1000")?;
        within("cv_folds", self.cv_folds as f64, 2.0, 20.0, "2 to 20")?;
        within("cv_repeats", self.cv_repeats.unwrap_or(1) as f64, 1.0, 20.0, "1 to 20")?;
        within("min_z_score", self.min_z_score, 0.0, 10.0, "0 to 10")?;
        within("growth", self.growth, 0.0, 4.0, "0 to 4")?;
        probability("crossover_rate", self.crossover_rate)?;
        probability("activation_mutation_rate", self.activation_mutation_rate)?;
        probability("neuron_addition_rate", self.neuron_addition_rate)?;
        within("noise", self.noise, 0.0, 10.0, "0 to 10")?;
        require("iterations", self.iterations as f64, self.iterations > 0, "at least 1")?;
        let epochs = self.epochs.unwrap_or(1);
        require("epochs", epochs as f64, epochs > 0, "at least 1")?;
        within("max_ops", self.max_ops.unwrap_or(10) as f64, 6.0, 1e6, "6 to 1000000")?;
        within("max_bytes", self.max_bytes.unwrap_or(1) as f64, 0.0, 1e7, "at most 10000000")?;
        within("feature_cost", self.feature_cost as f64, 0.0, 1e6, "0 to 1000000")?;
        let features = self.max_features.unwrap_or(1);
        require("max_features", features as f64, features > 0, "at least 1")?;
        if self.activations.is_empty() {
            return Err(ParamError::NoActivations);
        }
        Ok(CheckedParams(self))
    }

    /// Whether this many training rows are a large table.
    pub(crate) fn is_large_table(&self, rows: usize) -> bool {
        rows >= self.large_table_rows
    }

    /// The number of rows of a large table that validate. A few hundred would tell little, and a
    /// standard error takes several blocks.
    pub(crate) fn validation_rows(&self, rows: usize) -> usize {
        let part = |fraction: f64| (fraction * rows as f64).ceil() as usize;
        self.validation_fraction.map_or_else(|| part(0.1).max(2000.min(part(0.3))), part)
    }

    /// How often the folds of a small table are drawn.
    pub(crate) fn cv_repeats(&self, rows: usize) -> u64 {
        self.cv_repeats.unwrap_or(if rows < 1000 { 2 } else { 1 }) as u64
    }

    /// The generations of a search without a limit. On small tables the first configurations bring
    /// nearly all the gain; on large ones every generation brings some. Each start network adds a
    /// configuration.
    pub fn default_generations(&self, rows: usize) -> u64 {
        if self.is_large_table(rows) { 40 } else { 20 + self.start.len() as u64 }
    }

    /// How this many connections are added.
    pub(crate) fn growth(&self, count: usize) -> Growth {
        Growth { count, noise: self.noise, shared: !self.modular }
    }
}

impl CheckedParams {
    /// The limits of the result.
    pub fn limits(&self) -> Limits {
        let HybridParams { max_ops, max_bytes, max_features, max_neurons, .. } = self.0;
        Limits { max_ops, max_bytes, max_features, max_neurons }
    }

    /// Which network of the front is the result.
    pub fn pick(&self) -> Pick {
        self.0.pick.unwrap_or_else(|| Pick::default_for(&self.limits()))
    }

    /// The cost model of networks with this many inputs.
    pub(crate) fn cost_model(&self, inputs: usize) -> CostModel {
        CostModel::new(self.0.objective, self.0.feature_cost, inputs)
    }

    /// The maximum operations of any network, where budgets limit another cost.
    pub(crate) fn max_operations(&self, inputs: usize) -> Option<usize> {
        self.0.max_ops.filter(|_| self.cost_model(inputs) != CostModel::OPERATIONS)
    }

    /// Whether a network keeps the limits that pruning to a budget does not enforce.
    pub(crate) fn allows_structure(&self, network: &SparseNetwork) -> bool {
        let HybridParams { max_features, max_neurons, .. } = self.0;
        let max_operations = self.max_operations(network.inputs());
        network.neurons().len() <= max_neurons.unwrap_or(MAX_NEURONS)
            && max_features.is_none_or(|max| network.features().len() <= max)
            && max_operations.is_none_or(|max| CostModel::OPERATIONS.cost(network) <= max)
    }
}

#[cfg(test)]
mod tests;
