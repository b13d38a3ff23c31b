//! The loss that a search minimises: cross-entropy (the fitness of the paper) or mean squared error.

use crate::error::EvaluationError;
use crate::reference::Probabilities;
use crate::targets::Targets;

/// The smallest probability that the cross-entropy uses. A row with a smaller one costs about 34.5
/// and not infinity.
pub const PROBABILITY_FLOOR: f64 = 1e-15;

mge_names::named_enum! {
    /// A loss over rows. Zero is perfect.
    ///
    /// The name of each, as settings and files spell it, is in parentheses.
    #[derive(Default)]
    pub enum Loss: "loss" {
        /// The mean over rows of `-ln p(true class)` (`ce`), the default. `p` is at least
        /// [`PROBABILITY_FLOOR`].
        #[default]
        CrossEntropy = "ce",
        /// The mean over rows of the squared error (`mse`). It is the mean over classes of
        /// `(p - y)^2`, where `y` is 1 for the true class and 0 for others. For two classes that is
        /// `(p - y)^2` of the single output.
        MeanSquaredError = "mse",
    }
}

impl Loss {
    /// The mean loss over rows; zero when there are none.
    ///
    /// # Errors
    /// When there is not one valid target for each row.
    pub fn of(
        self,
        probabilities: &Probabilities,
        targets: Targets<'_>,
    ) -> Result<f64, EvaluationError> {
        targets.check(probabilities.rows())?;
        let (found, expected) = (probabilities.classes(), targets.link().classes());
        if found != expected {
            return Err(EvaluationError::ClassCount { found, expected });
        }
        let Targets::Classes { labels, .. } = targets;
        let rows = probabilities.iter().zip(labels);
        // Folding from 0.0, since the sum of values that are all -0.0 would be -0.0.
        let sum = rows.fold(0.0, |sum, (row, &label)| sum + self.of_row(row, label as usize));
        Ok(sum / labels.len().max(1) as f64)
    }

    /// The loss of one row, given the probability of each class.
    ///
    /// # Panics
    /// When `label` is out of range of `probabilities`.
    pub fn of_row(self, probabilities: &[f64], label: usize) -> f64 {
        match self {
            Loss::CrossEntropy => -libm::log(probabilities[label].max(PROBABILITY_FLOOR)),
            Loss::MeanSquaredError => {
                assert!(label < probabilities.len(), "class {label} of {}", probabilities.len());
                let error = |(class, &p): (usize, &f64)| {
                    let target = if class == label { 1.0 } else { 0.0 };
                    (p - target) * (p - target)
                };
                let sum: f64 = probabilities.iter().enumerate().map(error).sum();
                sum / probabilities.len() as f64
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::targets::OutputLink;

    #[test]
    fn names_are_the_same_in_files() {
        for loss in Loss::ALL {
            assert_eq!(loss.name().parse(), Ok(loss));
            assert_eq!(serde_json::to_string(&loss).unwrap(), format!("\"{loss}\""));
        }
        assert!("rmse".parse::<Loss>().is_err());
    }

    #[test]
    fn losses_of_rows_are_those_computed_by_hand() {
        let half = -libm::log(0.5);
        assert_eq!(Loss::CrossEntropy.of_row(&[0.5, 0.5], 1), half);
        assert_eq!(Loss::CrossEntropy.of_row(&[0.0, 1.0], 0), -libm::log(1e-15));
        // Two classes: (0.8 - 1)^2, whichever way it is counted.
        assert!((Loss::MeanSquaredError.of_row(&[0.2, 0.8], 1) - 0.04).abs() < 1e-15);
        let three = (0.04 + 0.25 + 0.49) / 3.0;
        assert!((Loss::MeanSquaredError.of_row(&[0.2, 0.5, 0.3], 2) - three).abs() < 1e-15);
    }

    #[test]
    fn no_rows_have_loss_zero_and_wrong_labels_are_errors() {
        let none = Probabilities::from_values(OutputLink::Logistic, Vec::new());
        let two = |labels| Targets::classes(labels, 2);
        assert_eq!(Loss::CrossEntropy.of(&none, two(&[])), Ok(0.0));
        let one = Probabilities::from_values(OutputLink::Logistic, vec![0.25, 0.75]);
        assert!(matches!(
            Loss::CrossEntropy.of(&one, two(&[])),
            Err(EvaluationError::Labels { labels: 0, rows: 1 })
        ));
        assert!(matches!(
            Loss::CrossEntropy.of(&one, two(&[2])),
            Err(EvaluationError::NoSuchClass { row: 0, label: 2, classes: 2 })
        ));
        let three = Targets::classes(&[2], 3);
        assert!(matches!(
            Loss::CrossEntropy.of(&one, three),
            Err(EvaluationError::ClassCount { found: 2, expected: 3 })
        ));
    }
}
