//! All rivals, by name.

use crate::rows::Rows;
use crate::{BaselineError, Classifier, Lasso, Logistic, Majority, Tree};

/// A kind of classifier.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Always the most frequent class.
    Majority,
    /// All features, a small L2 penalty.
    Logistic,
    /// An L1 penalty, which leaves out features.
    Lasso,
    /// A decision tree of depth 5 at most.
    Tree,
}

impl Kind {
    /// Every kind.
    pub const ALL: [Kind; 4] = [Kind::Majority, Kind::Logistic, Kind::Lasso, Kind::Tree];

    /// What people call it.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Majority => "majority class",
            Kind::Logistic => "logistic regression",
            Kind::Lasso => "L1 logistic regression",
            Kind::Tree => "small tree",
        }
    }

    /// Makes one from rows.
    ///
    /// # Errors
    /// When a linear one would have more than [`MOST_LINKS`](crate::MOST_LINKS) links.
    pub fn fit(self, rows: &Rows<'_>, seed: u64) -> Result<Box<dyn Classifier>, BaselineError> {
        Ok(match self {
            Kind::Majority => Box::new(Majority::fit(rows)),
            Kind::Logistic => Box::new(Logistic::fit(rows, seed)?),
            Kind::Lasso => Box::new(Lasso::fit(rows, seed)?),
            Kind::Tree => Box::new(Tree::fit(rows, seed)),
        })
    }
}
