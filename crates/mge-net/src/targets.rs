//! What the rows of a table are compared with, and what the outputs of a network mean.
//!
//! A [`Network`](crate::Network) computes sums and nothing else. [`Targets`] says what each row
//! should give, and its [`OutputLink`] turns the sums into a prediction. Another kind of target is
//! another variant of both: the compiler then lists all places that must handle it.

use crate::error::EvaluationError;
use crate::network::MAX_OUTPUTS;

/// The targets of some rows.
///
/// ```
/// use mge_net::{OutputLink, Targets};
///
/// let targets = Targets::classes(&[0, 2, 1, 2], 3);
/// assert_eq!(targets.rows(), 4);
/// assert_eq!(targets.link(), OutputLink::Softmax { classes: 3 });
/// assert_eq!(targets.outputs(), 3);
///
/// // Two rows with two numbers each: the first output's rows, then the second's.
/// let targets = Targets::values(&[0.5, -0.5, 1.0, -1.0], 2);
/// assert_eq!((targets.rows(), targets.outputs()), (2, 2));
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Targets<'a> {
    /// Each row belongs to one of several classes.
    Classes {
        /// The class of each row, counted from 0.
        labels: &'a [u32],
        /// What the outputs of a network for them mean.
        link: OutputLink,
    },
    /// Each row has one number for each output.
    ///
    /// The caller scales them: each output has mean 0 and deviation 1 on the training rows. Losses,
    /// fixed-point sums and the ranges of evolved weights are made for that size. Other numbers
    /// give correct losses, and poor searches.
    Values {
        /// All rows of the first output, then all rows of the second, and so on: the number of row
        /// `r` and output `o` is at `o * rows + r`.
        values: &'a [f32],
        /// How many numbers a row has.
        outputs: usize,
    },
}

/// What the outputs of a network mean: how their sums become a prediction.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum OutputLink {
    /// Two classes and one output: its sigmoid is the probability of class 1 (decision 5).
    Logistic,
    /// One output for each class; their softmax gives the probabilities.
    Softmax {
        /// How many classes there are.
        classes: usize,
    },
    /// One output for each number: its sum is the prediction.
    Identity {
        /// How many numbers are predicted.
        outputs: usize,
    },
}

impl<'a> Targets<'a> {
    /// The targets of rows that each belong to one of `count` classes.
    pub fn classes(labels: &'a [u32], count: usize) -> Self {
        Self::Classes { labels, link: OutputLink::for_classes(count) }
    }

    /// The targets of rows that have `outputs` numbers each, in the layout of [`Targets::Values`].
    pub fn values(values: &'a [f32], outputs: usize) -> Self {
        Self::Values { values, outputs }
    }

    /// How many rows have a target.
    pub fn rows(&self) -> usize {
        match self {
            Self::Classes { labels, .. } => labels.len(),
            Self::Values { values, outputs } => values.len() / (*outputs).max(1),
        }
    }

    /// What the outputs of a network for these targets mean.
    pub fn link(&self) -> OutputLink {
        match *self {
            Self::Classes { link, .. } => link,
            Self::Values { outputs, .. } => OutputLink::Identity { outputs },
        }
    }

    /// How many outputs a network for these targets has.
    pub fn outputs(&self) -> usize {
        self.link().outputs()
    }

    /// Checks that there is one valid target for each of `rows` rows.
    pub(crate) fn check(&self, rows: usize) -> Result<(), EvaluationError> {
        let outputs = self.outputs();
        if outputs == 0 || outputs > MAX_OUTPUTS {
            return Err(EvaluationError::Outputs { outputs });
        }
        match *self {
            Self::Classes { labels, link } => {
                let classes = link.classes();
                if labels.len() != rows {
                    return Err(EvaluationError::Labels { labels: labels.len(), rows });
                }
                match labels.iter().position(|&label| label as usize >= classes) {
                    Some(row) => {
                        Err(EvaluationError::NoSuchClass { row, label: labels[row], classes })
                    }
                    None => Ok(()),
                }
            }
            Self::Values { values, outputs } => {
                if values.len() != rows * outputs {
                    return Err(EvaluationError::Values { values: values.len(), outputs, rows });
                }
                match values.iter().position(|value| !value.is_finite()) {
                    Some(index) => Err(EvaluationError::TargetNotFinite {
                        row: index % rows,
                        output: index / rows,
                        value: values[index],
                    }),
                    None => Ok(()),
                }
            }
        }
    }
}

impl OutputLink {
    /// The link for a number of classes: logistic for two (or one), softmax for more.
    pub fn for_classes(classes: usize) -> Self {
        if classes <= 2 { Self::Logistic } else { Self::Softmax { classes } }
    }

    /// The link of a classifier with this number of outputs.
    pub fn for_outputs(outputs: usize) -> Self {
        if outputs == 1 { Self::Logistic } else { Self::Softmax { classes: outputs } }
    }

    /// How many outputs a network has under this link.
    pub fn outputs(self) -> usize {
        match self {
            Self::Logistic => 1,
            Self::Softmax { classes } => classes,
            Self::Identity { outputs } => outputs,
        }
    }

    /// How many classes the outputs distinguish; none for numbers.
    pub fn classes(self) -> usize {
        match self {
            Self::Logistic => 2,
            Self::Softmax { classes } => classes,
            Self::Identity { .. } => 0,
        }
    }

    /// Whether the outputs are numbers, and not classes.
    pub fn is_identity(self) -> bool {
        matches!(self, Self::Identity { .. })
    }

    /// The predicted class, from the probability of each class: the highest, and of equal ones the
    /// class with the lowest index. So a logistic output predicts class 1 only if its probability
    /// is above one half.
    pub fn predicted_class(self, probabilities: &[f64]) -> usize {
        let mut best = 0;
        for (index, &p) in probabilities.iter().enumerate() {
            if p > probabilities[best] {
                best = index;
            }
        }
        best
    }

    /// Fills `into` with the probability of each class, from the sum of each output. They are
    /// never NaN. Numbers have no classes, so nothing is filled.
    pub(crate) fn probabilities(self, sums: &[f64], into: &mut [f64]) {
        match self {
            Self::Logistic => logistic(sums[0], into),
            Self::Softmax { .. } => softmax(sums, into),
            Self::Identity { .. } => {}
        }
    }
}

/// Sums are clamped to this absolute value, so that the difference of two sums is finite.
const MAX_SUM: f64 = 1e300;

/// The sum, or zero if it is NaN, within the range that leaves differences finite.
pub(crate) fn clamped(sum: f64) -> f64 {
    if sum.is_nan() { 0.0 } else { sum.clamp(-MAX_SUM, MAX_SUM) }
}

fn logistic(sum: f64, into: &mut [f64]) {
    // Computed separately, since 1 - p would lose the digits of a small p.
    into[0] = 1.0 / (1.0 + libm::exp(clamped(sum)));
    into[1] = 1.0 / (1.0 + libm::exp(-clamped(sum)));
}

fn softmax(sums: &[f64], into: &mut [f64]) {
    let largest = sums.iter().map(|&sum| clamped(sum)).fold(f64::NEG_INFINITY, f64::max);
    let mut total = 0.0;
    for (p, &sum) in into.iter_mut().zip(sums) {
        *p = libm::exp(clamped(sum) - largest);
        total += *p;
    }
    for p in into {
        *p /= total;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_classes_need_one_output_and_more_need_one_each() {
        let outputs = [1, 2, 3, 26].map(|count| OutputLink::for_classes(count).outputs());
        assert_eq!(outputs, [1, 1, 3, 26]);
        for link in [OutputLink::Logistic, OutputLink::Softmax { classes: 4 }] {
            assert_eq!(OutputLink::for_classes(link.classes()), link);
            assert_eq!(OutputLink::for_outputs(link.outputs()), link);
        }
    }

    #[test]
    fn probabilities_are_those_computed_by_hand() {
        let mut two = [0.0; 2];
        OutputLink::Logistic.probabilities(&[0.0], &mut two);
        assert_eq!(two, [0.5, 0.5]);
        let mut three = [0.0; 3];
        OutputLink::for_classes(3).probabilities(&[1000.0, -1000.0, f64::NAN], &mut three);
        assert_eq!(three, [1.0, 0.0, 0.0]);
    }

    #[test]
    fn equal_probabilities_predict_the_first_class() {
        assert_eq!(OutputLink::Logistic.predicted_class(&[0.5, 0.5]), 0);
        assert_eq!(OutputLink::for_classes(3).predicted_class(&[0.2, 0.4, 0.4]), 1);
    }

    #[test]
    fn wrong_targets_are_errors() {
        let check = |labels: &[u32], count, rows| Targets::classes(labels, count).check(rows);
        assert_eq!(check(&[0, 1, 2], 3, 3), Ok(()));
        assert_eq!(check(&[], 5000, 0), Err(EvaluationError::Outputs { outputs: 5000 }));
        assert_eq!(check(&[0], 2, 2), Err(EvaluationError::Labels { labels: 1, rows: 2 }));
        let expected = EvaluationError::NoSuchClass { row: 1, label: 2, classes: 2 };
        assert_eq!(check(&[0, 2], 2, 2), Err(expected));
        let check = |values: &[f32], outputs, rows| Targets::values(values, outputs).check(rows);
        assert_eq!(check(&[0.0, 1.0, 2.0, 3.0], 2, 2), Ok(()));
        assert_eq!(check(&[], 3, 0), Ok(()));
        assert_eq!(check(&[], 0, 0), Err(EvaluationError::Outputs { outputs: 0 }));
        let expected = EvaluationError::Values { values: 3, outputs: 2, rows: 2 };
        assert_eq!(check(&[0.0; 3], 2, 2), Err(expected));
        let found = check(&[0.0, 1.0, 2.0, f32::INFINITY], 2, 2);
        let value = f32::INFINITY;
        assert_eq!(found, Err(EvaluationError::TargetNotFinite { row: 1, output: 1, value }));
    }
}
