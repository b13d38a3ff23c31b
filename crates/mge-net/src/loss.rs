//! The loss that a search minimises, and the texts that spell it in settings.
//!
//! Classes have cross-entropy (the fitness of the paper) or mean squared error. Numbers have
//! squared, absolute, Huber or quantile error. [`Loss::check`] says which loss fits which targets.

mod text;

pub use text::LossTextError;

use crate::error::EvaluationError;
use crate::reference::Probabilities;
use crate::targets::{OutputLink, Targets};

/// The smallest probability that the cross-entropy uses. A row with a smaller one costs about 34.5
/// and not infinity.
pub const PROBABILITY_FLOOR: f64 = 1e-15;

/// Errors of numbers are clamped to this absolute value. So the loss of a network that leaves the
/// range of numbers is large and finite. Targets are scaled to deviation 1, so no useful network
/// comes near it.
pub const MAX_ERROR: f64 = 1e15;

/// The threshold of `huber` where none is given, in deviations of the target.
pub const DEFAULT_DELTA: f32 = 0.5;

/// The quantile of `pinball` where none is given: the median.
pub const DEFAULT_QUANTILE: f32 = 0.5;

/// A loss over rows. Zero is perfect.
///
/// The name of each, as settings and files spell it, is in parentheses. A parameter follows after
/// a colon: `pinball:0.9`.
///
/// ```
/// use mge_net::Loss;
///
/// assert_eq!("pinball:0.9".parse(), Ok(Loss::Pinball { quantile: 0.9 }));
/// assert_eq!("pinball".parse(), Ok(Loss::Pinball { quantile: 0.5 }));
/// assert_eq!(Loss::Huber { delta: 1.5 }.to_string(), "huber:1.5");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub enum Loss {
    /// The mean over rows of `-ln p(true class)` (`ce`), the default of classes. `p` is at least
    /// [`PROBABILITY_FLOOR`].
    #[default]
    CrossEntropy,
    /// The mean over rows of the squared error (`mse`), the default of numbers. For classes it is
    /// the mean over classes of `(p - y)^2`, where `y` is 1 for the true class and 0 for others.
    /// For two classes that is `(p - y)^2` of the single output.
    MeanSquaredError,
    /// The mean absolute error of numbers (`mae`). Its best constant is the median.
    MeanAbsoluteError,
    /// Half the squared error up to `delta`, and linear beyond (`huber`). Single rows that are far
    /// off count less than with `mse`.
    Huber {
        /// Where the linear part starts, in deviations of the target. Above zero.
        delta: f32,
    },
    /// The quantile loss (`pinball`). Its best constant is the quantile. Two networks, for 0.05 and
    /// 0.95, give an interval that holds nine rows of ten.
    Pinball {
        /// The fraction of rows that should lie below the prediction. Between 0 and 1.
        quantile: f32,
    },
}

impl Loss {
    /// All of them, with the parameters that they have by default.
    pub const ALL: [Self; 5] = [
        Self::CrossEntropy,
        Self::MeanSquaredError,
        Self::MeanAbsoluteError,
        Self::Huber { delta: DEFAULT_DELTA },
        Self::Pinball { quantile: DEFAULT_QUANTILE },
    ];

    /// The losses for outputs of a meaning; the first is the default.
    pub fn for_link(link: OutputLink) -> &'static [Self] {
        match link {
            OutputLink::Logistic | OutputLink::Softmax { .. } => Self::ALL.split_at(2).0,
            OutputLink::Identity { .. } => Self::ALL.split_at(1).1,
        }
    }

    /// The name, without the parameter.
    pub const fn name(self) -> &'static str {
        match self {
            Self::CrossEntropy => "ce",
            Self::MeanSquaredError => "mse",
            Self::MeanAbsoluteError => "mae",
            Self::Huber { .. } => "huber",
            Self::Pinball { .. } => "pinball",
        }
    }

    /// Whether the loss is one for outputs of this meaning.
    pub fn fits(self, link: OutputLink) -> bool {
        Self::for_link(link).iter().any(|loss| loss.name() == self.name())
    }

    /// Checks that the loss fits the targets, and that its parameter is in range.
    ///
    /// # Errors
    /// When it does not.
    pub fn check(self, link: OutputLink) -> Result<(), EvaluationError> {
        let is_valid = match self {
            Self::Huber { delta } => delta > 0.0 && delta.is_finite(),
            Self::Pinball { quantile } => quantile > 0.0 && quantile < 1.0,
            _ => true,
        };
        if is_valid && self.fits(link) {
            return Ok(());
        }
        let expected: Vec<&str> = Self::for_link(link).iter().map(|loss| loss.name()).collect();
        Err(EvaluationError::Loss { loss: self, expected: expected.join(", ") })
    }

    /// The mean loss over rows of classes; zero when there are none.
    ///
    /// # Errors
    /// When there is not one valid class for each row, or the loss is not one of classes.
    pub fn of(
        self,
        probabilities: &Probabilities,
        targets: Targets<'_>,
    ) -> Result<f64, EvaluationError> {
        targets.check(probabilities.rows())?;
        self.check(targets.link())?;
        let (found, expected) = (probabilities.classes(), targets.link().classes());
        let labels = match targets {
            Targets::Classes { labels, .. } if found == expected => labels,
            _ => return Err(EvaluationError::ClassCount { found, expected }),
        };
        let rows = probabilities.iter().zip(labels);
        // Folding from 0.0, since the sum of values that are all -0.0 would be -0.0.
        let sum = rows.fold(0.0, |sum, (row, &label)| sum + self.of_row(row, label as usize));
        Ok(sum / labels.len().max(1) as f64)
    }

    /// The loss of one row, given the probability of each class.
    ///
    /// # Panics
    /// When `label` is out of range of `probabilities`, or the loss is not one of classes.
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
            other => panic!("{other} is no loss of classes"),
        }
    }

    /// The mean loss over rows and outputs of numbers, from predicted and true ones in the layout
    /// of [`Targets::Values`]; zero when there are none.
    ///
    /// # Errors
    /// When the loss is not one of numbers, or there is not one prediction for each target.
    pub fn of_values(
        self,
        predicted: &[f64],
        targets: Targets<'_>,
    ) -> Result<f64, EvaluationError> {
        self.check(targets.link())?;
        let (values, outputs) = match targets {
            Targets::Values { values, outputs } => (values, outputs),
            Targets::Classes { link, .. } => {
                return Err(EvaluationError::ClassCount { found: 0, expected: link.classes() });
            }
        };
        targets.check(predicted.len() / outputs.max(1))?;
        let errors = predicted.iter().zip(values).map(|(p, &target)| p - f64::from(target));
        let sum = errors.fold(0.0, |sum, error| sum + self.of_error(error, 0.0));
        Ok(sum / values.len().max(1) as f64)
    }

    /// The loss of one prediction that is too high by `error`. The corner at zero of `mae` and
    /// `pinball` is a parabola within `corner` of it; see [`SMOOTH_CORNER`].
    ///
    /// # Panics
    /// When the loss is not one of numbers.
    ///
    /// [`SMOOTH_CORNER`]: crate::gradient::SMOOTH_CORNER
    pub fn of_error(self, error: f64, corner: f64) -> f64 {
        let error = if error.is_nan() { MAX_ERROR } else { error.clamp(-MAX_ERROR, MAX_ERROR) };
        let absolute = error.abs();
        let rounded = if absolute < corner {
            0.5 * (absolute * absolute / corner + corner)
        } else {
            absolute
        };
        match self {
            Loss::MeanSquaredError => error * error,
            Loss::MeanAbsoluteError => rounded,
            Loss::Huber { delta } => {
                let delta = f64::from(delta);
                let inner = absolute.min(delta);
                inner * (absolute - 0.5 * inner)
            }
            Loss::Pinball { quantile } => 0.5 * rounded + (0.5 - f64::from(quantile)) * error,
            Loss::CrossEntropy => panic!("{self} is no loss of numbers"),
        }
    }

    /// The derivative of [`Loss::of_error`] by the error.
    ///
    /// # Panics
    /// When the loss is not one of numbers.
    pub fn slope_of_error(self, error: f64, corner: f64) -> f64 {
        let error = if error.is_nan() { MAX_ERROR } else { error.clamp(-MAX_ERROR, MAX_ERROR) };
        let sign = if error.abs() < corner {
            error / corner
        } else if error == 0.0 {
            0.0
        } else {
            error.signum()
        };
        match self {
            Loss::MeanSquaredError => 2.0 * error,
            Loss::MeanAbsoluteError => sign,
            Loss::Huber { delta } => error.clamp(-f64::from(delta), f64::from(delta)),
            Loss::Pinball { quantile } => 0.5 * sign + 0.5 - f64::from(quantile),
            Loss::CrossEntropy => panic!("{self} is no loss of numbers"),
        }
    }

    /// The curvature of the parabola that touches [`Loss::of_error`] at `error` and is nowhere
    /// below it. For `mse` it is the second derivative. For the others it is that of iteratively
    /// reweighted least squares, so that rows far off count less, and none counts nothing.
    ///
    /// # Panics
    /// When the loss is not one of numbers.
    pub fn curvature_of_error(self, error: f64, corner: f64) -> f64 {
        let absolute = if error.is_nan() { MAX_ERROR } else { error.abs().min(MAX_ERROR) };
        match self {
            Loss::MeanSquaredError => 2.0,
            Loss::MeanAbsoluteError => 1.0 / absolute.max(corner),
            Loss::Huber { delta } => (f64::from(delta) / absolute).min(1.0),
            Loss::Pinball { .. } => 0.5 / absolute.max(corner),
            Loss::CrossEntropy => panic!("{self} is no loss of numbers"),
        }
    }
}

#[cfg(test)]
mod tests;
