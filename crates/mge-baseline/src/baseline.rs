//! The table of all baselines.

use crate::{
    BaselineClassifier, BaselineError, LabelledRows, decision_tree, l1_logistic_regression,
    logistic_regression, majority_class,
};

/// All baselines, in the order in which reports show them. A new baseline is one line here.
pub static BASELINES: [Baseline; 4] = [
    majority_class::BASELINE,
    logistic_regression::BASELINE,
    l1_logistic_regression::BASELINE,
    decision_tree::BASELINE,
];

/// A kind of classifier that networks are compared with.
#[derive(Debug, Clone, Copy)]
pub struct Baseline {
    /// The name in reports and in `baselines.json`.
    pub name: &'static str,
    /// What it is, in one sentence.
    pub summary: &'static str,
    /// The largest number of links (features times outputs) that it is fitted to. `None` for no
    /// limit.
    pub max_links: Option<usize>,
    pub(crate) fit: FitFunction,
}

/// How a baseline is fitted, by the kind of its targets. A baseline of numeric targets will be a
/// second variant.
#[derive(Debug, Clone, Copy)]
pub(crate) enum FitFunction {
    /// Targets are classes.
    Classes(FitClasses),
}

/// Trains a classifier on rows, with the seed of its random choices.
type FitClasses = fn(&LabelledRows<'_>, u64) -> Result<Box<dyn BaselineClassifier>, BaselineError>;

impl Baseline {
    /// Trains a classifier on these rows.
    ///
    /// # Errors
    /// When the table has more links than [`Baseline::max_links`], or the rows cannot be evaluated.
    pub fn fit(
        &self,
        rows: &LabelledRows<'_>,
        seed: u64,
    ) -> Result<Box<dyn BaselineClassifier>, BaselineError> {
        if let Some(max) = self.max_links
            && rows.links() > max
        {
            return Err(BaselineError::TooLarge { name: self.name, links: rows.links(), max });
        }
        let FitFunction::Classes(fit) = self.fit;
        fit(rows, seed)
    }
}

/// The baseline of this name.
pub fn find(name: &str) -> Option<&'static Baseline> {
    BASELINES.iter().find(|baseline| baseline.name == name)
}
