//! Baselines: simple classical models that a searched network has to beat.
//!
//! [`BASELINES`] lists them. Each entry is a [`Baseline`] with a name, a summary and limits;
//! [`Baseline::fit`] trains a [`BaselineClassifier`] on [`LabelledRows`]. A classifier predicts
//! classes and states its [`PredictionCost`], counted in the same way as that of a network.
//!
//! A baseline chooses its own hyperparameter (the strength of a penalty, the number of leaves) on
//! the rows that it is given. Small tables use five-fold cross-validation, large tables one
//! validation part. The simplest candidate within one standard error of the best wins.
//! Equal seeds give equal classifiers, for any number of threads.
//!
//! [`REGRESSION_BASELINES`] lists the baselines of numeric targets in the same way: a
//! [`RegressionBaseline`] trains a [`BaselineRegressor`] for each target of [`ValueRows`].
//!
//! To add a baseline, write one file that implements [`BaselineClassifier`] or [`BaselineRegressor`]
//! and add one line to its table. Fits, reports and tests iterate over the tables.
//!
//! ```
//! use mge_baseline::{LabelledRows, find};
//! use mge_net::Columns;
//!
//! // Six rows of one feature.
//! let columns = Columns::from_columns([[-3.0, -2.0, -1.0, 1.0, 2.0, 3.0]])?;
//! let labels = [0, 0, 0, 1, 1, 1];
//! let rows = LabelledRows::new(&columns, &labels, 2)?;
//!
//! let baseline = find("logistic regression").ok_or("not in the table")?;
//! let classifier = baseline.fit(&rows, 7)?;
//! assert_eq!(classifier.accuracy(&rows), 1.0);
//! // One weight, one bias, one output.
//! assert_eq!(classifier.cost().operations, 2 * 2 + 4);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod baseline;
mod bins;
mod classifier;
mod decision_tree;
mod l1_logistic_regression;
mod linear;
mod logistic_regression;
mod majority_class;
mod model_selection;
mod regression;
mod rows;
mod validate;

pub use baseline::{BASELINES, Baseline, find};
pub use classifier::{BaselineClassifier, BaselineError, PredictionCost};
pub use decision_tree::DecisionTree;
pub use l1_logistic_regression::L1LogisticRegression;
pub use logistic_regression::LogisticRegression;
pub use majority_class::MajorityClass;
pub use regression::{
    BaselineRegressor, FittedRegression, REGRESSION_BASELINES, RegressionBaseline,
    ValidationPredictions, ValueRows, find_regression,
};
pub use rows::LabelledRows;
