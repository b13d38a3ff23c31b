//! The scale of numeric targets: networks learn values of mean 0 and deviation 1.

use serde::{Deserialize, Serialize};

use crate::error::{DataError, TargetError};
use crate::value_target::ValueTarget;

/// A smaller deviation could not be squared in 32-bit numbers.
const MIN_DEVIATION: f64 = 1e-18;
/// 32-bit numbers around `x` differ by about `x` times this.
const RESOLUTION: f64 = f32::EPSILON as f64;

/// The mean and deviation of each target column, over the rows that it was fitted on.
///
/// `scaled = (value - mean) / deviation`. Invariant, also checked on reading: both are finite, and
/// the deviation is above zero.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Vec<ColumnScale>", into = "Vec<ColumnScale>")]
pub struct TargetScale {
    columns: Vec<ColumnScale>,
}

/// The scale of one target column.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ColumnScale {
    /// The mean.
    pub mean: f64,
    /// The (population) standard deviation.
    pub deviation: f64,
}

impl ColumnScale {
    /// A value as networks learn it.
    pub fn apply(&self, value: f64) -> f64 {
        (value - self.mean) / self.deviation
    }

    /// The value that an output of a network stands for.
    pub fn invert(&self, scaled: f64) -> f64 {
        self.mean + self.deviation * scaled
    }
}

/// A scale that no fit makes.
#[derive(Debug, Clone, Copy, PartialEq, thiserror::Error)]
#[error(
    "the scale of a target has mean {mean} and deviation {deviation}; expected finite numbers, \
    the deviation above 0"
)]
pub struct TargetScaleError {
    mean: f64,
    deviation: f64,
}

impl TryFrom<Vec<ColumnScale>> for TargetScale {
    type Error = TargetScaleError;

    fn try_from(columns: Vec<ColumnScale>) -> Result<Self, TargetScaleError> {
        let is_valid = |scale: &&ColumnScale| {
            scale.mean.is_finite() && scale.deviation.is_finite() && scale.deviation > 0.0
        };
        match columns.iter().find(|scale| !is_valid(scale)) {
            None => Ok(Self { columns }),
            Some(&ColumnScale { mean, deviation }) => Err(TargetScaleError { mean, deviation }),
        }
    }
}

impl From<TargetScale> for Vec<ColumnScale> {
    fn from(scale: TargetScale) -> Self {
        scale.columns
    }
}

impl TargetScale {
    /// The scale of chosen rows. `part` is what errors call these rows: `the training part`.
    ///
    /// # Errors
    /// When a target is constant in these rows, or varies so little that 32-bit numbers cannot tell
    /// its values apart.
    ///
    /// # Panics
    /// When a row is out of range.
    pub fn fit(target: &ValueTarget, rows: &[u32], part: &str) -> Result<Self, DataError> {
        let columns = target.columns().iter().zip(target.values_of(rows));
        let scales = columns.map(|(name, values)| of_column(name, &values, part));
        Ok(Self { columns: scales.collect::<Result<_, TargetError>>()? })
    }

    /// The scale of each target column.
    pub fn columns(&self) -> &[ColumnScale] {
        &self.columns
    }

    /// Values as networks learn them, by target column.
    ///
    /// # Panics
    /// When there are more columns than scales.
    pub fn apply(&self, values: &[Vec<f64>]) -> Vec<Vec<f32>> {
        assert!(values.len() <= self.columns.len(), "a scale for each target");
        let scaled = values.iter().zip(&self.columns);
        scaled
            .map(|(values, scale)| values.iter().map(|&value| scale.apply(value) as f32).collect())
            .collect()
    }

    /// The values that outputs of a network stand for, by target column.
    ///
    /// # Panics
    /// When there are more columns than scales.
    pub fn invert(&self, scaled: &[Vec<f32>]) -> Vec<Vec<f64>> {
        assert!(scaled.len() <= self.columns.len(), "a scale for each target");
        let values = scaled.iter().zip(&self.columns);
        values
            .map(|(scaled, scale)| scaled.iter().map(|&x| scale.invert(f64::from(x))).collect())
            .collect()
    }
}

/// Two passes: the mean first, so that a large mean does not hide a small deviation.
fn of_column(name: &str, values: &[f64], part: &str) -> Result<ColumnScale, TargetError> {
    let (part, target) = (part.to_owned(), name.to_owned());
    let Some(&first) = values.first() else {
        return Err(TargetError::TooFewRows { part, target, rows: 0, min: 2 });
    };
    if values.iter().all(|&value| value == first) {
        return Err(TargetError::Constant { part, target, value: first });
    }
    let count = values.len() as f64;
    let mean = values.iter().sum::<f64>() / count;
    let squares: f64 = values.iter().map(|value| (value - mean) * (value - mean)).sum();
    let deviation = (squares / count).sqrt();
    if deviation < MIN_DEVIATION {
        return Err(TargetError::TooSmall { part, target, deviation });
    }
    if deviation < RESOLUTION * mean.abs() {
        return Err(TargetError::Indistinct { part, target, mean, deviation });
    }
    Ok(ColumnScale { mean, deviation })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{LoadOptions, TargetColumn, load_bytes};

    fn target(text: &str) -> ValueTarget {
        let target = TargetColumn::Exactly(vec!["y".into(), "z".into()]);
        let options = LoadOptions { target, ..LoadOptions::default() };
        load_bytes("t.csv", text, &options).unwrap().value_target().unwrap()
    }

    const ROWS: &str = "a,y,z\n1,2,100\n2,4,300\n3,6,200\n4,2,900\n";

    #[test]
    fn values_come_back() {
        let target = target(ROWS);
        let scale = TargetScale::fit(&target, &[0, 1, 2], "the training part").unwrap();
        assert_eq!(scale.columns()[0].mean, 4.0);
        assert_eq!(scale.columns()[1].mean, 200.0);
        let scaled = scale.apply(target.values());
        assert_eq!(scaled[0][1], 0.0);
        assert!((scaled[0][2] - 1.224_745).abs() < 1e-5, "{}", scaled[0][2]);
        for (values, again) in target.values().iter().zip(scale.invert(&scaled)) {
            for (value, again) in values.iter().zip(again) {
                assert!((value - again).abs() < 1e-4, "{value} {again}");
            }
        }
    }

    #[test]
    fn constant_parts_are_errors_that_name_the_part() {
        let error = TargetScale::fit(&target(ROWS), &[0, 3], "the training part").unwrap_err();
        assert_eq!(
            error.to_string(),
            "the training part: target `y` is 2 in every row; expected two or more values"
        );
        assert!(TargetScale::fit(&target(ROWS), &[], "the training part").is_err());
    }

    #[test]
    fn files_hold_scales_that_a_fit_makes() {
        let scale = TargetScale::fit(&target(ROWS), &[0, 1, 2], "t").unwrap();
        let json = serde_json::to_string(&scale).unwrap();
        assert_eq!(serde_json::from_str::<TargetScale>(&json).unwrap(), scale);
        for bad in [r#"[{"mean":0,"deviation":0}]"#, r#"[{"mean":0,"deviation":-1}]"#] {
            let error = serde_json::from_str::<TargetScale>(bad).unwrap_err().to_string();
            assert!(error.contains("the deviation above 0"), "{error}");
        }
    }
}
