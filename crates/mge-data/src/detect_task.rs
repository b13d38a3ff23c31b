//! Whether a target names classes or is a number: found from the data, and said aloud.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::cell_text::{self, Cell};
use crate::error::{DataError, TargetError};
use crate::measurement::{Measurement, NumberCounts, looks_like_measurement, number_counts};
use crate::table::Table;

/// A target with at least this fraction of numbers is a number, and text in it is an error.
const NUMBER_FRACTION: f64 = 0.9;
/// Numbers of classes that differ in so many values may be an ordered scale, such as a grade.
const MIN_SCALE_VALUES: usize = 6;

/// What a target is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum TargetKind {
    /// Names of classes: "which".
    #[serde(rename = "classify")]
    Classes,
    /// One number or several: "how much".
    #[serde(rename = "regress")]
    Values,
}

/// What the targets of a table are, and why.
#[derive(Debug, Clone, PartialEq)]
pub struct DetectedTask {
    /// What the targets are.
    pub kind: TargetKind,
    /// What was found in the data.
    pub reason: TaskReason,
}

/// Why targets are classes or numbers.
#[derive(Debug, Clone, PartialEq)]
pub enum TaskReason {
    /// The target has words.
    Words,
    /// The target has few different numbers, or each number has about as many rows.
    FewNumbers {
        /// How many different numbers there are.
        distinct: usize,
        /// Whether the numbers have an order that classes ignore: grades, counts, steps of a half.
        may_be_scale: bool,
    },
    /// The target has many different numbers.
    Measurement(Measurement),
    /// There are several targets, and all are numbers.
    Several(usize),
}

impl DetectedTask {
    /// Whether the data leaves a doubt that the user can settle with `--task`.
    pub fn is_doubtful(&self) -> bool {
        match &self.reason {
            TaskReason::Words | TaskReason::Several(_) => false,
            TaskReason::FewNumbers { may_be_scale, .. } => *may_be_scale,
            TaskReason::Measurement(found) => found.doubtful,
        }
    }
}

/// `regression: 136 different numbers in 398 rows, some with fractions`. A doubtful case says what
/// to do.
impl fmt::Display for DetectedTask {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.kind {
            TargetKind::Classes => "classification: ",
            TargetKind::Values => "regression: ",
        })?;
        match &self.reason {
            TaskReason::Words => f.write_str("the target has words")?,
            TaskReason::FewNumbers { distinct, .. } => write!(f, "{distinct} different numbers")?,
            TaskReason::Measurement(found) => write!(f, "{found}")?,
            TaskReason::Several(count) => write!(f, "{count} targets of numbers")?,
        }
        match (self.is_doubtful(), self.kind) {
            (false, _) => Ok(()),
            (true, TargetKind::Classes) => f.write_str(
                "; if they measure something and 3 is nearer to 4 than to 9, use --task regress",
            ),
            (true, TargetKind::Values) => {
                f.write_str("; if they are the codes of classes, use --task classify")
            }
        }
    }
}

/// Whether the targets of a table are classes or numbers.
///
/// One target is numbers if it [looks like a measurement](looks_like_measurement), even if a few
/// cells are text: reading its values then names these cells. Several targets are always numbers.
///
/// # Errors
/// When a column is absent, when there is no target, and when one of several targets has words.
pub fn detect_task(table: &Table, targets: &[String]) -> Result<DetectedTask, DataError> {
    let [target] = targets else {
        return several(table, targets);
    };
    let (kind, reason) = match looks_like_measurement(table, target)? {
        Some(found) => (TargetKind::Values, TaskReason::Measurement(found)),
        None => {
            let NumberCounts { counts, words } = number_counts(table, target)?;
            let numbers: usize = counts.iter().map(|(_, rows)| rows).sum();
            let mostly_numbers = numbers as f64 >= NUMBER_FRACTION * (numbers + words) as f64;
            match Measurement::of(&counts) {
                Some(found) if words > 0 && mostly_numbers && !found.doubtful => {
                    (TargetKind::Values, TaskReason::Measurement(found))
                }
                _ if words > 0 || counts.is_empty() => (TargetKind::Classes, TaskReason::Words),
                _ => (TargetKind::Classes, few_numbers(&counts)),
            }
        }
    };
    Ok(DetectedTask { kind, reason })
}

fn few_numbers(counts: &[(f64, usize)]) -> TaskReason {
    let distinct = counts.len();
    let rows: usize = counts.iter().map(|(_, rows)| rows).sum();
    let fractional = counts.iter().any(|(value, _)| value.fract() != 0.0);
    let is_uneven = !crate::measurement::is_balanced(counts, rows);
    let may_be_scale = fractional || distinct >= MIN_SCALE_VALUES && is_uneven;
    TaskReason::FewNumbers { distinct, may_be_scale }
}

fn several(table: &Table, targets: &[String]) -> Result<DetectedTask, DataError> {
    if targets.is_empty() {
        return Err(DataError::NoTarget { file: table.name().to_owned() });
    }
    for target in targets {
        let NumberCounts { counts, words } = number_counts(table, target)?;
        let numbers: usize = counts.iter().map(|(_, rows)| rows).sum();
        if (numbers as f64) < NUMBER_FRACTION * (numbers + words) as f64 {
            let (file, targets) = (table.name().to_owned(), targets.to_vec());
            return Err(TargetError::SeveralClasses { file, targets }.into());
        }
    }
    Ok(DetectedTask { kind: TargetKind::Values, reason: TaskReason::Several(targets.len()) })
}

/// Whether a text of a target is a number that can be counted.
pub(crate) fn as_number(text: &str) -> Option<f64> {
    match cell_text::read(text, true) {
        Cell::Number(value) => Some(value),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{LoadOptions, TargetColumn, load_bytes};

    fn detect(cells: impl IntoIterator<Item = String>) -> DetectedTask {
        let rows = cells.into_iter().enumerate().map(|(row, cell)| format!("{row},{cell}\n"));
        let text = String::from("x,y\n") + &rows.collect::<String>();
        let loaded = load_bytes("t.csv", text, &LoadOptions::default()).unwrap();
        detect_task(&loaded.table, &loaded.targets).unwrap()
    }

    #[test]
    fn the_kind_is_found_and_explained() {
        let found = detect((0..100).map(|row| format!("{}.5", row)));
        assert_eq!(found.kind, TargetKind::Values);
        assert!(!found.is_doubtful());
        assert_eq!(
            found.to_string(),
            "regression: 100 different numbers in 100 rows, some with fractions, 100 in one row only"
        );
        let found = detect((0..100).map(|row| ["low", "high"][row % 2].to_owned()));
        assert_eq!(found.to_string(), "classification: the target has words");
        let found = detect((0..100).map(|row| (row % 3).to_string()));
        assert_eq!(found.to_string(), "classification: 3 different numbers");
    }

    #[test]
    fn doubtful_cases_say_what_to_do() {
        // Grades of wine: few whole numbers, most of them in the middle.
        let grades = [3, 4, 4, 5, 5, 5, 5, 5, 5, 6, 6, 6, 6, 6, 6, 6, 7, 7, 7, 8];
        let found = detect((0..400).map(|row| grades[row % 20].to_string()));
        assert_eq!(found.kind, TargetKind::Classes);
        assert!(found.to_string().ends_with("use --task regress"), "{found}");
        let scale = detect((0..2000).map(|row| format!("{}", (row % 20) as f64 / 2.0)));
        assert_eq!(scale.kind, TargetKind::Values);
        assert!(scale.to_string().ends_with("use --task classify"), "{scale}");
        let digits = detect((0..300).map(|row| (row % 10).to_string()));
        assert!(!digits.is_doubtful(), "{digits}");
    }

    #[test]
    fn a_few_words_among_numbers_are_errors_of_a_measurement() {
        let cells = (0..100).map(|row| if row == 7 { "x".into() } else { format!("{row}.5") });
        assert_eq!(detect(cells).kind, TargetKind::Values);
        let cells = (0..100).map(|row| if row % 2 == 0 { "x".into() } else { format!("{row}.5") });
        assert_eq!(detect(cells).kind, TargetKind::Classes);
    }

    #[test]
    fn several_targets_are_numbers() {
        let text = "x,y,z,w\n1,0,2.5,a\n2,1,3.5,b\n3,0,4.5,a\n4,1,5.5,b\n";
        let detect = |targets: &str| {
            let target = TargetColumn::Named(targets.into());
            let options = LoadOptions { target, ..LoadOptions::default() };
            let loaded = load_bytes("t.csv", text, &options).unwrap();
            detect_task(&loaded.table, &loaded.targets)
        };
        assert_eq!(detect("y,z").unwrap().to_string(), "regression: 2 targets of numbers");
        let error = detect("y,w").unwrap_err().to_string();
        assert!(error.contains("several targets must be numbers"), "{error}");
    }
}
