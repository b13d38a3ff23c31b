//! Tells a target that is a measurement from one that names classes.
//!
//! A column of 136 different numbers would give 136 classes, which nothing can learn. Numbers may
//! also be the codes of classes, so the rule looks at three things: whether numbers have
//! fractions, how many differ, and how many rows share one.

use std::borrow::Cow;
use std::fmt;

use crate::detect_task::as_number;
use crate::error::{DataError, count};
use crate::table::{Table, Values};
use crate::text_column::Text;

/// So few different whole numbers are always classes, such as digits or the letters.
const MAX_WHOLE_CLASSES: usize = 20;
/// So few different numbers with fractions are always classes, such as grades in steps of a half.
const MAX_FRACTIONAL_CLASSES: usize = 10;
/// Fewer rows for each value than this cannot train a class.
const MIN_ROWS_OF_CLASS: usize = 5;
/// A column where one value in so many occurs once does not name classes.
const SINGLE_VALUES: usize = 10;

/// So many rows of a bell have a number of the middle half.
const BELL_FRACTION: f64 = 0.6;

/// What the numbers of a target column look like.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Measurement {
    /// How many different numbers there are.
    pub distinct: usize,
    /// How many rows have one.
    pub rows: usize,
    /// How many numbers occur in one row only.
    pub single: usize,
    /// Whether some numbers have a fraction.
    pub fractional: bool,
    /// Whether the numbers might be the codes of classes after all. Then a warning fits, and not
    /// an error.
    pub doubtful: bool,
}

/// Why it looks like a measurement: `136 different numbers in 398 rows, some with fractions`.
impl fmt::Display for Measurement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} different numbers in {}", self.distinct, count(self.rows, "row"))?;
        if self.fractional {
            write!(f, ", some with fractions")?;
        }
        if self.single > 0 {
            write!(f, ", {} in one row only", self.single)?;
        }
        Ok(())
    }
}

/// Whether the target column looks like a measurement. `None` if it names classes: words, few
/// numbers, or whole numbers that occur about equally often.
///
/// Missing cells do not count. Numbers may be stored as text, as the readers do with targets.
///
/// # Errors
/// When there is no such column.
pub fn looks_like_measurement(
    table: &Table,
    column: &str,
) -> Result<Option<Measurement>, DataError> {
    let NumberCounts { counts, words } = number_counts(table, column)?;
    Ok(if words == 0 { Measurement::of(&counts) } else { None })
}

/// The numbers of a column.
pub(crate) struct NumberCounts {
    /// Each different number and the rows that have it, ascending.
    pub counts: Vec<(f64, usize)>,
    /// The rows whose cell is no number.
    pub words: usize,
}

/// Counts the numbers of a column. Missing cells do not count.
pub(crate) fn number_counts(table: &Table, column: &str) -> Result<NumberCounts, DataError> {
    let text = match &table.column(column)?.values {
        Values::Text(text) => Cow::Borrowed(text),
        Values::Number(cells) => Cow::Owned(Text::from_numbers(cells)),
    };
    let mut rows = vec![0; text.categories().len()];
    for &code in text.codes().iter().filter(|&&code| code != Text::MISSING) {
        rows[code as usize] += 1;
    }
    let (mut counts, mut words): (Vec<(f64, usize)>, usize) = (Vec::new(), 0);
    for (category, rows) in text.categories().iter().zip(rows) {
        match as_number(category) {
            Some(value) => counts.push((value, rows)),
            None => words += rows,
        }
    }
    // Two spellings of a number (`1` and `1.0`) are one number.
    counts.sort_by(|a, b| a.0.total_cmp(&b.0));
    counts.dedup_by(|next, kept| {
        let same = next.0 == kept.0;
        if same {
            kept.1 += next.1;
        }
        same
    });
    Ok(NumberCounts { counts, words })
}

impl Measurement {
    /// What these numbers look like; `None` if they name classes.
    pub(crate) fn of(counts: &[(f64, usize)]) -> Option<Self> {
        judge(counts)
    }
}

fn judge(counts: &[(f64, usize)]) -> Option<Measurement> {
    let distinct = counts.len();
    let rows: usize = counts.iter().map(|(_, rows)| rows).sum();
    let single = counts.iter().filter(|(_, rows)| *rows == 1).count();
    let fractional = counts.iter().any(|(value, _)| value.fract() != 0.0);
    let thin = rows < MIN_ROWS_OF_CLASS * distinct;
    let scattered = single * SINGLE_VALUES >= distinct;
    let found = |doubtful| Some(Measurement { distinct, rows, single, fractional, doubtful });
    if fractional {
        // In a small table, values that hardly repeat are no classes.
        let is_unrepeated = distinct >= 5 && rows < 3 * distinct;
        // A scale in steps of a half or a tenth, with many rows for each step.
        let is_scale = distinct <= MAX_WHOLE_CLASSES && !thin && !scattered;
        return match distinct {
            0..=MAX_FRACTIONAL_CLASSES if !is_unrepeated => None,
            _ => found(is_scale && !is_unrepeated),
        };
    }
    // Some rows for each of few whole numbers: classes, unless they pile up in the middle, as the
    // grades of an exam do.
    let is_few = distinct <= 10 || distinct <= MAX_WHOLE_CLASSES && rows >= 2 * distinct;
    if is_few && (distinct <= 10 || !is_bell(counts, rows)) || is_balanced(counts, rows) {
        return None;
    }
    found(is_few || !thin && !scattered)
}

/// Whether most rows have one of the numbers in the middle of their order, which codes of classes
/// do by chance only.
fn is_bell(counts: &[(f64, usize)], rows: usize) -> bool {
    let outside = counts.len().div_ceil(4);
    let middle = &counts[outside..counts.len() - outside];
    let inside: usize = middle.iter().map(|(_, rows)| rows).sum();
    inside as f64 >= BELL_FRACTION * rows as f64
}

/// Whether each number has about as many rows as any other: nobody measures that. The standard
/// deviation is below half of the mean, and the mean makes a class.
pub(crate) fn is_balanced(counts: &[(f64, usize)], rows: usize) -> bool {
    let mean = rows as f64 / counts.len() as f64;
    let squares: f64 = counts.iter().map(|(_, rows)| (*rows as f64 - mean).powi(2)).sum();
    let deviation = (squares / counts.len() as f64).sqrt();
    mean >= MIN_ROWS_OF_CLASS as f64 && deviation < 0.5 * mean
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{LoadOptions, load, load_bytes};

    /// A table whose target has these cells.
    fn judged(cells: impl IntoIterator<Item = String>) -> Option<Measurement> {
        let rows = cells.into_iter().enumerate().map(|(row, cell)| format!("{row},{cell}\n"));
        let text = String::from("x,y\n") + &rows.collect::<String>();
        let loaded = load_bytes("t.csv", text, &LoadOptions::default()).unwrap();
        looks_like_measurement(&loaded.table, "y").unwrap()
    }

    /// A bell of whole numbers around `middle`: ages, counts, rings.
    fn bell(middle: i64, rows: i64) -> impl Iterator<Item = String> {
        (0..rows).map(move |row| {
            let draw = |step: i64| (row * step) % 97 % 25;
            (middle + draw(31) + draw(57) - draw(11) - draw(73)).to_string()
        })
    }

    #[test]
    fn numbers_with_fractions_are_measured() {
        let found = judged((0..398).map(|row| format!("{:.1}", 9.0 + (row % 136) as f64 * 0.3)));
        let found = found.expect("a measurement");
        assert_eq!((found.distinct, found.rows, found.doubtful), (136, 398, false));
        assert!(found.to_string().starts_with("136 different numbers in 398 rows, some with"));
        // A small table in which no value repeats.
        assert!(judged((0..8).map(|row| format!("{}.5", row))).is_some());
        assert_eq!(judged((0..4).map(|row| format!("{row}.5"))), None, "few values");
    }

    #[test]
    fn grades_are_classes() {
        assert_eq!(judged((0..60).map(|row| format!("{}", (row % 9) as f64 / 2.0))), None);
        assert_eq!(judged((0..9).map(|row| format!("{}", (row % 4) as f64 / 2.0))), None);
        // Twenty steps with many rows each may be either.
        let scale = judged((0..2000).map(|row| format!("{}", (row % 20) as f64 / 2.0)));
        assert!(scale.expect("a scale").doubtful);
    }

    #[test]
    fn whole_numbers_that_are_spread_are_measured() {
        // 214 different values in 442 rows, as disease progression.
        let found = judged((0..442).map(|row| (25 + (row * 37) % 214).to_string()));
        assert!(!found.expect("a measurement").doubtful);
        let ages = judged(bell(60, 5000)).expect("ages are measured");
        assert!(ages.distinct > 40 && !ages.fractional, "{ages:?}");
        assert!(ages.doubtful == (ages.single * SINGLE_VALUES < ages.distinct), "{ages:?}");
    }

    #[test]
    fn grades_of_an_exam_are_measured() {
        // Points from 0 to 20 of 395 students, and codes of diagnoses as rare as these.
        let points = [
            (0, 38),
            (4, 1),
            (5, 7),
            (6, 15),
            (7, 9),
            (8, 32),
            (9, 28),
            (10, 56),
            (11, 47),
            (12, 31),
            (13, 31),
            (14, 27),
            (15, 33),
            (16, 16),
            (17, 6),
            (18, 12),
            (19, 5),
            (20, 1),
        ];
        let diagnoses = [
            (1, 245),
            (2, 44),
            (3, 15),
            (4, 15),
            (5, 13),
            (6, 25),
            (7, 3),
            (8, 2),
            (9, 9),
            (10, 50),
            (14, 4),
            (15, 5),
            (16, 22),
        ];
        let cells = |counts: &[(u32, usize)]| -> Vec<String> {
            let cells = counts.iter().flat_map(|(value, rows)| vec![value.to_string(); *rows]);
            cells.collect()
        };
        assert!(judged(cells(&points)).expect("points").doubtful);
        assert_eq!(judged(cells(&diagnoses)), None);
    }

    #[test]
    fn codes_of_classes_are_classes() {
        assert_eq!(judged((0..1000).map(|row| (row % 26).to_string())), None);
        assert_eq!(judged((0..1600).map(|row| (1 + row % 100).to_string())), None);
        assert_eq!(judged((0..300).map(|row| (row % 10).to_string())), None);
        assert_eq!(judged((0..300).map(|row| format!("{}.0", row % 10))), None);
        assert_eq!(judged((0..300).map(|row| format!("kind {row}"))), None);
        // One word among numbers.
        assert_eq!(
            judged((0..300).map(|row| if row == 7 { "x".into() } else { row.to_string() })),
            None
        );
    }

    #[test]
    fn spellings_of_a_number_are_one_number() {
        let cells = (0..60).map(|row| {
            let value = row % 9;
            if row % 2 == 0 { value.to_string() } else { format!("{value}.0") }
        });
        assert_eq!(judged(cells), None);
    }

    #[test]
    fn built_in_classes_are_no_measurements() {
        let entries = crate::catalogue::entries().iter();
        for entry in entries.filter(|entry| entry.kind == crate::TargetKind::Classes) {
            if let Ok(loaded) = load(entry.name, &LoadOptions::default()) {
                let found = looks_like_measurement(&loaded.table, &loaded.targets[0]).unwrap();
                assert_eq!(found, None, "{}", entry.name);
            }
        }
    }
}
