//! The classical rivals: what a user gets without evolving anything.
//!
//! Every [`Kind`] makes a [`Classifier`] from [`Rows`]; whatever it has to choose (a strength, a
//! number of leaves) it chooses on these rows alone, by five-fold cross-validation on small tables
//! and by one validation part on large ones, and within one standard error of the best it takes
//! the simplest. Its [`Cost`] is counted as that of the networks it is compared with.
//!
//! A rival is one file: [`Majority`], [`Logistic`], [`Lasso`], [`Tree`]. Equal seeds give equal
//! classifiers, for any number of threads.
//!
//! ```
//! use mge_baseline::{Kind, Rows};
//! use mge_net::Columns;
//!
//! // Six rows of one feature.
//! let columns = Columns::from_columns([[-3.0, -2.0, -1.0, 1.0, 2.0, 3.0]])?;
//! let labels = [0, 0, 0, 1, 1, 1];
//! let rows = Rows::new(&columns, &labels, 2)?;
//!
//! let logistic = Kind::Logistic.fit(&rows, 7)?;
//! assert_eq!(logistic.accuracy(&rows), 1.0);
//! // One weight, one bias, one output.
//! assert_eq!(logistic.cost().operations, 2 * 2 + 4);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod choose;
mod classifier;
mod kind;
mod lasso;
mod linear;
mod logistic;
mod majority;
mod rows;
mod tree;

pub use classifier::{BaselineError, Classifier, Cost};
pub use kind::Kind;
pub use lasso::Lasso;
pub use linear::MOST_LINKS;
pub use logistic::Logistic;
pub use majority::Majority;
pub use rows::Rows;
pub use tree::{MOST_BINS, MOST_DEPTH, Tree};
