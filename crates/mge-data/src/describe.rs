//! Summary statistics of a table: kinds, ranges, missing cells, class counts, duplicate rows.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::detect_task::TargetKind;
use crate::load::Loaded;
use crate::repeated_rows::mix;
use crate::table::{Column, ColumnKind, Table, Values};
use crate::text_column::Text;
use crate::value_target::value_targets;

/// The largest number of bars of a [`ColumnDescription::histogram`].
const MAX_BARS: usize = 16;

/// Summary statistics of a table.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Description {
    /// The file or the built-in name.
    pub name: String,
    /// How many rows.
    pub rows: usize,
    /// The target; the first one, if there are several.
    pub target: Option<String>,
    /// All targets.
    pub targets: Vec<String>,
    /// What the target is, and why: `regression: 136 different numbers in 398 rows`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub task: Option<String>,
    /// Each class with its rows, in natural order; empty without labels, and for numeric targets.
    pub classes: Vec<ValueCount>,
    /// The summary of each numeric target; empty for classes.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub values: Vec<TargetSummary>,
    /// Cells that are missing, the labels' column included.
    pub missing_cells: usize,
    /// Rows that repeat an earlier row, cell for cell.
    pub duplicate_rows: usize,
    /// The columns, in the file's order.
    pub columns: Vec<ColumnDescription>,
}

/// Summary statistics of a numeric target.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct TargetSummary {
    /// The column.
    pub name: String,
    /// The smallest value, the three quartiles, and the largest value.
    pub quantiles: [f64; 5],
    /// The mean.
    pub mean: f64,
    /// The (population) standard deviation: the error of a constant prediction.
    pub deviation: f64,
    /// Row counts, in equal steps from the smallest to the largest value.
    pub histogram: Vec<usize>,
}

/// How often a value occurs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ValueCount {
    /// The value.
    pub value: String,
    /// In how many rows.
    pub rows: usize,
}

/// Summary statistics of a column.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ColumnDescription {
    /// The name.
    pub name: String,
    /// What it holds.
    pub kind: ColumnKind,
    /// Cells that are missing.
    pub missing: usize,
    /// How many different values it has.
    pub distinct: usize,
    /// Whether all known cells are equal, or none is known.
    pub constant: bool,
    /// The range, for numbers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub range: Option<NumericSummary>,
    /// The most frequent values, for text: at most ten.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub frequent: Vec<ValueCount>,
    /// Row counts: in equal steps from the smallest to the largest number, or of the most frequent
    /// categories.
    pub histogram: Vec<usize>,
}

/// Minimum, median, mean and maximum of numbers.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct NumericSummary {
    /// The smallest number.
    pub min: f32,
    /// The median.
    pub median: f32,
    /// The mean.
    pub mean: f64,
    /// The largest number.
    pub max: f32,
}

impl Loaded {
    /// The summary statistics of the table.
    pub fn describe(&self) -> Description {
        let table = &self.table;
        let task = self.detect_task().ok();
        let is_numeric = task.as_ref().is_some_and(|task| task.kind == TargetKind::Values);
        let values = value_targets(table, &self.targets).ok().filter(|_| is_numeric);
        let values: Vec<TargetSummary> =
            self.targets.iter().zip(values.iter().flatten()).map(summary).collect();
        let column = self.targets.first().and_then(|target| table.column(target).ok());
        let classes = match column.map(|column| &column.values) {
            Some(Values::Text(text)) if !is_numeric => counts(text).0,
            _ => Vec::new(),
        };
        let columns: Vec<ColumnDescription> = table.columns().iter().map(describe).collect();
        Description {
            name: table.name().to_owned(),
            rows: table.rows(),
            target: self.targets.first().cloned(),
            targets: self.targets.clone(),
            task: task.map(|task| task.to_string()),
            classes,
            values,
            missing_cells: columns.iter().map(|column| column.missing).sum(),
            duplicate_rows: duplicates(table),
            columns,
        }
    }
}

fn describe(column: &Column) -> ColumnDescription {
    let (missing, kind) = (column.values.missing(), column.values.kind());
    let (distinct, range, frequent, histogram) = match &column.values {
        Values::Number(cells) => {
            let (distinct, range, histogram) = numbers(cells);
            (distinct, range, Vec::new(), histogram)
        }
        Values::Text(text) => {
            let (mut frequent, distinct) = counts(text);
            // A stable sort: equally frequent ones stay in natural order.
            frequent.sort_by_key(|count| std::cmp::Reverse(count.rows));
            let histogram = frequent.iter().take(MAX_BARS).map(|count| count.rows).collect();
            frequent.truncate(10);
            (distinct, None, frequent, histogram)
        }
    };
    let name = column.name.clone();
    let constant = distinct < 2;
    ColumnDescription { name, kind, missing, distinct, constant, range, frequent, histogram }
}

fn summary((name, values): (&String, &Vec<f64>)) -> TargetSummary {
    let mut sorted = values.clone();
    sorted.sort_unstable_by(f64::total_cmp);
    let last = sorted.len().saturating_sub(1);
    // Between two values, the quantile is in proportion.
    let quantile = |quarter: usize| {
        let at = (last * quarter) as f64 / 4.0;
        let (low, high) = (at.floor() as usize, at.ceil() as usize);
        sorted[low] + (sorted[high] - sorted[low]) * at.fract()
    };
    let count = sorted.len().max(1) as f64;
    let mean = sorted.iter().sum::<f64>() / count;
    let squares: f64 = sorted.iter().map(|value| (value - mean) * (value - mean)).sum();
    let distinct = sorted.chunk_by(|a, b| a == b).count();
    TargetSummary {
        name: name.clone(),
        quantiles: if sorted.is_empty() { [0.0; 5] } else { std::array::from_fn(quantile) },
        mean,
        deviation: (squares / count).sqrt(),
        histogram: histogram(&sorted, distinct),
    }
}

/// Row counts of sorted numbers, in equal steps from the first to the last.
fn histogram(sorted: &[f64], distinct: usize) -> Vec<usize> {
    let (Some(&min), Some(&max)) = (sorted.first(), sorted.last()) else {
        return Vec::new();
    };
    let bars = MAX_BARS.min(distinct);
    let mut histogram = vec![0; bars];
    let span = max - min;
    for &x in sorted {
        let fraction = if span > 0.0 { (x - min) / span } else { 0.0 };
        histogram[((fraction * bars as f64) as usize).min(bars - 1)] += 1;
    }
    histogram
}

fn numbers(cells: &[f32]) -> (usize, Option<NumericSummary>, Vec<usize>) {
    let mut known: Vec<f32> = cells.iter().copied().filter(|x| !x.is_nan()).collect();
    known.sort_unstable_by(f32::total_cmp);
    let (Some(&min), Some(&max)) = (known.first(), known.last()) else {
        return (0, None, Vec::new());
    };
    let distinct = 1 + known.windows(2).filter(|pair| pair[0] != pair[1]).count();
    let mean = known.iter().map(|&x| f64::from(x)).sum::<f64>() / known.len() as f64;
    let range = NumericSummary { min, median: known[known.len() / 2], mean, max };
    let known: Vec<f64> = known.into_iter().map(f64::from).collect();
    let histogram = histogram(&known, distinct);
    (distinct, Some(range), histogram)
}

fn counts(text: &Text) -> (Vec<ValueCount>, usize) {
    let mut rows = vec![0; text.categories().len()];
    for &code in text.codes().iter().filter(|&&code| code != Text::MISSING) {
        rows[code as usize] += 1;
    }
    let counts = text.categories().iter().zip(rows);
    let counts: Vec<ValueCount> =
        counts.map(|(value, rows)| ValueCount { value: value.clone(), rows }).collect();
    let distinct = counts.len();
    (counts, distinct)
}

/// Counts duplicate rows by a 128-bit hash of each row.
fn duplicates(table: &Table) -> usize {
    let mut hashes = vec![[0x9e37_79b9_7f4a_7c15u64, 0xc2b2_ae3d_27d4_eb4f]; table.rows()];
    for column in table.columns() {
        match &column.values {
            Values::Number(cells) => hashes.iter_mut().zip(cells).for_each(|(hash, cell)| {
                mix(hash, if cell.is_nan() { u32::MAX } else { cell.to_bits() });
            }),
            Values::Text(text) => {
                hashes.iter_mut().zip(text.codes()).for_each(|(hash, &code)| mix(hash, code));
            }
        }
    }
    hashes.sort_unstable();
    hashes.windows(2).filter(|pair| pair[0] == pair[1]).count()
}

impl Description {
    /// How many columns there are of each kind, targets not counted.
    pub fn kinds(&self) -> BTreeMap<&'static str, usize> {
        let mut kinds = BTreeMap::new();
        for column in self.columns.iter().filter(|c| !self.targets.contains(&c.name)) {
            *kinds.entry(column.kind.name()).or_default() += 1;
        }
        kinds
    }
}

#[cfg(test)]
mod tests {
    use crate::{LoadOptions, load, load_bytes};

    #[test]
    fn a_small_table_is_described() {
        let text = "a,b,c,class\n1,x,7,p\n2,y,7,q\n1,x,7,p\n?,,7,p\n5,x,7,q\n";
        let described = load_bytes("t", text, &LoadOptions::default()).unwrap().describe();
        assert_eq!((described.rows, described.duplicate_rows, described.missing_cells), (5, 1, 2));
        let [a, b, c, class] = &described.columns[..] else { panic!("four columns") };
        let range = a.range.unwrap();
        assert_eq!((range.min, range.median, range.max, range.mean), (1.0, 2.0, 5.0, 2.25));
        assert_eq!((a.missing, a.distinct, a.histogram.as_slice()), (1, 3, &[3, 0, 1][..]));
        assert_eq!((b.frequent[0].value.as_str(), b.frequent[0].rows), ("x", 3));
        assert!(c.constant && !a.constant);
        assert_eq!(class.distinct, 2);
        let classes: Vec<_> =
            described.classes.iter().map(|c| (c.value.as_str(), c.rows)).collect();
        assert_eq!(classes, [("p", 3), ("q", 2)]);
        assert_eq!(described.kinds().get("number"), Some(&2));
    }

    #[test]
    fn a_numeric_target_is_described() {
        let rows: String = (0..41).map(|row| format!("{row},{}.5\n", 2 * row)).collect();
        let loaded = load_bytes("t", format!("a,y\n{rows}"), &LoadOptions::default()).unwrap();
        let described = loaded.describe();
        assert!(described.classes.is_empty());
        assert!(described.task.unwrap().starts_with("regression: 41 different numbers"));
        let [y] = &described.values[..] else { panic!("one target") };
        assert_eq!(y.quantiles, [0.5, 20.5, 40.5, 60.5, 80.5]);
        assert_eq!((y.mean, y.histogram.iter().sum::<usize>()), (40.5, 41));
        assert!((y.deviation - 23.664).abs() < 1e-3);
        let even = load_bytes(
            "t",
            "a,y\n1,1.5\n2,2.5\n3,4.5\n4,8.5\n5,9.5\n6,10.5\n",
            &LoadOptions::default(),
        );
        assert_eq!(even.unwrap().describe().values[0].quantiles[2], 6.5);
    }

    #[test]
    fn a_built_in_set_is_described() {
        let described = load("wdbc", &LoadOptions::default()).unwrap().describe();
        assert_eq!(described.classes.iter().map(|c| c.rows).collect::<Vec<_>>(), [357, 212]);
        assert_eq!(described.duplicate_rows, 0);
    }
}
