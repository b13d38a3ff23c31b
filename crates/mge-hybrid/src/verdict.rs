//! How networks and recipes did on rows that did not train them, and whether one did better.

use serde::{Deserialize, Serialize};

/// How good a network is on some rows that did not train it.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub(crate) struct Judged {
    pub(crate) rows: usize,
    pub(crate) loss: f64,
    pub(crate) accuracy: f64,
}

/// How a network, or a recipe, did.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Verdict {
    /// On the rows held back of each fold, or on each block of the validation part.
    pub(crate) held: Vec<Judged>,
    /// The loss on the rows that trained it, where a validation part stands beside them.
    pub(crate) trained: Option<f64>,
}

impl Verdict {
    /// The mean over all rows held back, and its standard error.
    pub(crate) fn mean(&self, value: fn(&Judged) -> f64) -> (f64, f64) {
        mean_and_error(self.held.iter().map(|part| (value(part), part.rows)))
    }

    /// By how much the loss on rows held back is lower than another's, part by part, and the standard
    /// error of that.
    pub(crate) fn gain_over(&self, other: &Self) -> (f64, f64) {
        let parts = other.held.iter().zip(&self.held);
        mean_and_error(parts.map(|(other, own)| (other.loss - own.loss, own.rows)))
    }

    /// Whether it is the better of two on a large table; by the rows that train if those say the same
    /// of both.
    pub(crate) fn is_ahead(&self, other: &Self, are_alike: bool) -> bool {
        if are_alike { self.trained < other.trained } else { self.gain_over(other).0 > 0.0 }
    }
}

/// The mean of values that stand for some rows each, and its standard error; zero of one value.
fn mean_and_error(values: impl Iterator<Item = (f64, usize)> + Clone) -> (f64, f64) {
    let count = values.clone().count() as f64;
    let rows = values.clone().map(|(_, rows)| rows as f64).sum::<f64>();
    let share = |rows_of: usize| rows_of as f64 / rows;
    let mean = values.clone().map(|(value, rows)| share(rows) * value).sum::<f64>();
    let square = |(value, rows): (f64, usize)| {
        let part = share(rows) * (value - mean);
        part * part
    };
    let squares: f64 = values.map(square).sum();
    (mean, (squares * count / (count - 1.0).max(1.0)).sqrt())
}
