//! Baselines of numeric targets: the table of all, and their contract.
//!
//! A baseline is fitted to one target. Several targets give one model each, and their costs add up.

mod boosted_stumps;
mod cholesky;
mod lasso;
mod linear_model;
mod linear_regression;
mod mean;
mod moments;
mod nearest_neighbours;
mod regression_tree;
mod ridge;
mod rows;
mod validate;

#[cfg(test)]
mod tests;

pub use rows::ValueRows;
pub use validate::ValidationPredictions;

use mge_net::Columns;
use rows::TargetRows;

use crate::{BaselineError, PredictionCost};

/// All baselines of numeric targets, in the order in which reports show them. A new baseline is one
/// line here.
pub static REGRESSION_BASELINES: [RegressionBaseline; 7] = [
    mean::BASELINE,
    linear_regression::BASELINE,
    ridge::BASELINE,
    lasso::BASELINE,
    regression_tree::BASELINE,
    boosted_stumps::BASELINE,
    nearest_neighbours::BASELINE,
];

/// A kind of model that networks of numeric targets are compared with.
#[derive(Debug, Clone, Copy)]
pub struct RegressionBaseline {
    /// The name in reports and in `baselines.json`.
    pub name: &'static str,
    /// What it is, in one sentence.
    pub summary: &'static str,
    /// The largest number of features that it is fitted to. `None` for no limit.
    pub max_features: Option<usize>,
    pub(crate) fit: FitTarget,
}

/// Trains a model of one target, with the seed of its random choices.
type FitTarget = fn(&TargetRows<'_>, u64) -> Box<dyn BaselineRegressor>;

/// A fitted baseline of one target: it predicts a number for each row.
pub trait BaselineRegressor: std::fmt::Debug + Send + Sync {
    /// Predicts the value of each row.
    ///
    /// # Panics
    /// When the number of columns differs from that of the training rows.
    fn predict(&self, columns: &Columns) -> Vec<f64>;

    /// The cost of one prediction.
    fn cost(&self) -> PredictionCost;
}

impl RegressionBaseline {
    /// Trains a model of each target on these rows.
    ///
    /// # Errors
    /// When the table has more features than [`RegressionBaseline::max_features`].
    pub fn fit(&self, rows: &ValueRows<'_>, seed: u64) -> Result<FittedRegression, BaselineError> {
        let features = rows.columns().count();
        if let Some(max) = self.max_features
            && features > max
        {
            return Err(BaselineError::TooLarge { name: self.name, links: features, max });
        }
        let models = rows.targets().map(|target| (self.fit)(&target, seed)).collect();
        Ok(FittedRegression { models })
    }
}

/// The baseline of numeric targets with this name.
pub fn find_regression(name: &str) -> Option<&'static RegressionBaseline> {
    REGRESSION_BASELINES.iter().find(|baseline| baseline.name == name)
}

/// A fitted baseline: one model for each target.
#[derive(Debug)]
pub struct FittedRegression {
    models: Vec<Box<dyn BaselineRegressor>>,
}

impl FittedRegression {
    /// Predicts the values of each row, by target.
    ///
    /// # Panics
    /// When the number of columns differs from that of the training rows.
    pub fn predict(&self, columns: &Columns) -> Vec<Vec<f64>> {
        self.models.iter().map(|model| model.predict(columns)).collect()
    }

    /// The cost of one prediction of all targets.
    pub fn cost(&self) -> PredictionCost {
        let zero = PredictionCost { operations: 0, bytes: 0 };
        self.models.iter().map(|model| model.cost()).fold(zero, |sum, cost| PredictionCost {
            operations: sum.operations + cost.operations,
            bytes: sum.bytes + cost.bytes,
        })
    }
}
