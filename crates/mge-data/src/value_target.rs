//! Targets that are numbers: one or several columns, and the value of each row.

use std::borrow::Cow;

use crate::bad_cell::BadCell;
use crate::cell_text::{self, Cell};
use crate::error::{DataError, TargetError};
use crate::table::{Table, Values};
use crate::target_scale::TargetScale;
use crate::text_column::Text;
use crate::truncated_list::TruncatedList;

/// Larger values are refused: their squares, which 32-bit numbers of exported code and of metrics
/// hold, would come near the largest such number.
const MAX_SIZE: f64 = 1e18;
/// Rows that a numeric target needs: fewer cannot be split into parts that train and test.
const MIN_ROWS: usize = 3;
/// The largest number of strata, and the rows that each should have.
const MAX_STRATA: usize = 10;
const MIN_STRATUM_ROWS: usize = 5;

/// The numeric targets of a table: their columns, and the value of each row.
///
/// Values are those of the file, in double precision. A [`TargetScale`] brings them to the size
/// that networks learn.
#[derive(Debug, Clone, PartialEq)]
pub struct ValueTarget {
    columns: Vec<String>,
    values: Vec<Vec<f64>>,
}

impl ValueTarget {
    /// Reads the values of the target columns.
    ///
    /// # Errors
    /// Text, missing cells, and numbers above 1e18 in size are errors that name their lines. So are
    /// constant targets and fewer than three rows.
    pub fn new(table: &Table, columns: &[String]) -> Result<Self, DataError> {
        let Some(first) = columns.first() else {
            return Err(DataError::NoTarget { file: table.name().to_owned() });
        };
        let values = value_targets(table, columns)?;
        if table.rows() < MIN_ROWS {
            return Err(TargetError::TooFewRows {
                part: table.name().to_owned(),
                target: first.clone(),
                rows: table.rows(),
                min: MIN_ROWS,
            }
            .into());
        }
        let target = Self { columns: columns.to_vec(), values };
        let all: Vec<u32> = (0..table.rows() as u32).collect();
        TargetScale::fit(&target, &all, table.name())?;
        Ok(target)
    }

    /// The names of the target columns.
    pub fn columns(&self) -> &[String] {
        &self.columns
    }

    /// How many target columns there are.
    pub fn count(&self) -> usize {
        self.columns.len()
    }

    /// How many rows there are.
    pub fn rows(&self) -> usize {
        self.values.first().map_or(0, Vec::len)
    }

    /// The values of each target column, one for each row.
    pub fn values(&self) -> &[Vec<f64>] {
        &self.values
    }

    /// The values of chosen rows, by target column.
    ///
    /// # Panics
    /// When a row is out of range.
    pub fn values_of(&self, rows: &[u32]) -> Vec<Vec<f64>> {
        let of = |column: &Vec<f64>| rows.iter().map(|&row| column[row as usize]).collect();
        self.values.iter().map(of).collect()
    }

    /// The stratum of each row, from 0: rows of similar values have one stratum. With these in place
    /// of class labels, a stratified split has the same distribution of values in each part.
    ///
    /// Strata are quantiles: ten of them, or fewer so that each has about five rows. Rows of equal
    /// value are in one stratum. With several targets, the mean of a row's ranks counts.
    pub fn strata(&self) -> Vec<u32> {
        let rows = self.rows();
        let strata = (rows / MIN_STRATUM_ROWS).clamp(1, MAX_STRATA);
        let mut sums = vec![0.0; rows];
        for column in &self.values {
            for (sum, rank) in sums.iter_mut().zip(mean_ranks(column)) {
                *sum += rank;
            }
        }
        let of = |rank: f64| ((rank * strata as f64 / rows as f64) as usize).min(strata - 1) as u32;
        mean_ranks(&sums).into_iter().map(of).collect()
    }
}

/// The rank of each value, from 0; equal values have the mean of their ranks.
fn mean_ranks(values: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by(|&a, &b| values[a].total_cmp(&values[b]));
    let mut ranks = vec![0.0; values.len()];
    let mut before = 0;
    for equal in order.chunk_by(|&a, &b| values[a] == values[b]) {
        let rank = before as f64 + (equal.len() - 1) as f64 / 2.0;
        equal.iter().for_each(|&row| ranks[row] = rank);
        before += equal.len();
    }
    ranks
}

/// The values of target columns, for a model that is fitted already: by column, one for each row.
///
/// # Errors
/// When a column is absent, and when a cell is text, missing, or above 1e18 in size.
pub fn value_targets(table: &Table, columns: &[String]) -> Result<Vec<Vec<f64>>, DataError> {
    columns.iter().map(|column| values_of_column(table, column)).collect()
}

fn values_of_column(table: &Table, column: &str) -> Result<Vec<f64>, DataError> {
    // Numbers of a table that a program made become text and back, so that 0.1 has the same value
    // as in a file.
    let text = match &table.column(column)?.values {
        Values::Text(text) => Cow::Borrowed(text),
        Values::Number(cells) => Cow::Owned(Text::from_numbers(cells)),
    };
    let cells: Vec<Cell> =
        text.categories().iter().map(|cell| read(cell, table.has_decimal_comma())).collect();
    let mut values = Vec::with_capacity(table.rows());
    let (mut missing, mut words, mut large) =
        (TruncatedList::default(), TruncatedList::default(), TruncatedList::default());
    let bad_cell = |row: usize| BadCell {
        location: table.location(row),
        column: column.to_owned(),
        found: text.get(row).unwrap_or_default().to_owned(),
    };
    for (row, &code) in text.codes().iter().enumerate() {
        match cells.get(code as usize) {
            Some(Cell::Number(value)) => values.push(*value),
            Some(Cell::NotFinite) => large.add(|| bad_cell(row)),
            Some(Cell::Text) => words.add(|| bad_cell(row)),
            Some(Cell::Missing | Cell::Ambiguous) | None => missing.add(|| table.location(row)),
        }
    }
    let (file, target) = (table.name().to_owned(), column.to_owned());
    if !words.is_empty() {
        return Err(TargetError::Text { file, cells: words }.into());
    }
    if !missing.is_empty() {
        return Err(TargetError::Missing { file, target, locations: missing }.into());
    }
    if !large.is_empty() {
        return Err(TargetError::TooLarge { file, cells: large }.into());
    }
    Ok(values)
}

/// The meaning of a cell, with numbers above the largest size as numbers that are not finite.
fn read(text: &str, decimal_comma: bool) -> Cell {
    match cell_text::read(text, decimal_comma) {
        Cell::Number(value) if value.abs() > MAX_SIZE => Cell::NotFinite,
        cell => cell,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Column, LoadOptions, Split, TargetColumn, load_bytes};

    fn table(text: &str) -> Table {
        let target = TargetColumn::Named("y".into());
        let options = LoadOptions { target, ..LoadOptions::default() };
        load_bytes("t.csv", text, &options).unwrap().table
    }

    fn target(text: &str) -> Result<ValueTarget, DataError> {
        ValueTarget::new(&table(text), &["y".to_owned()])
    }

    fn error(text: &str) -> String {
        target(text).unwrap_err().to_string()
    }

    #[test]
    fn values_keep_all_digits() {
        let found = target("a,y\n1,1.23456789012\n2,-3\n3,16777217\n").unwrap();
        assert_eq!(found.values(), [[1.234_567_890_12, -3.0, 16_777_217.0]]);
        assert_eq!(found.values_of(&[2, 0]), [[16_777_217.0, 1.234_567_890_12]]);
        assert_eq!((found.count(), found.rows()), (1, 3));
        // A number of a table made by a program has the value of its text.
        let column = Column { name: "y".into(), values: Values::Number(vec![0.1, 0.2, 0.3]) };
        let table = Table::new("t", vec![column]).unwrap();
        let found = value_targets(&table, &["y".to_owned()]).unwrap();
        assert_eq!(found, [[0.1, 0.2, 0.3]]);
    }

    #[test]
    fn decimal_commas_count_where_the_file_has_them() {
        let found = target("a;y\n1,5;1,25\n2,5;2,5\n3,5;3,5\n").unwrap();
        assert_eq!(found.values(), [[1.25, 2.5, 3.5]]);
        let message = error("a,y\n1.5,\"1,250\"\n2.5,\"2,500\"\n3.5,900\n");
        assert!(message.contains("text in a target") && message.contains("`1,250`"), "{message}");
    }

    #[test]
    fn bad_cells_are_named() {
        let message = error("a,y\n1,1.5\n2,high\n3,2.5\n");
        assert!(message.contains("line 3, column `y`: `high`"), "{message}");
        assert!(message.contains("--task classify"), "{message}");
        let message = error("a,y\n1,1.5\n2,\n3,2.5\n4,NaN\n");
        assert!(message.contains("2 rows without a number") && message.contains("line 3"));
        let message = error("a,y\n1,1.5\n2,None\n3,2.5\n");
        assert!(message.contains("without a number"), "{message}");
        for large in ["inf", "-inf", "1e30", "-1e30", "1e39"] {
            let message = error(&format!("a,y\n1,1.5\n2,{large}\n3,2.5\n"));
            assert!(message.contains(&format!("line 3, column `y`: `{large}`")), "{message}");
            assert!(message.contains("at most 1e18"), "{message}");
        }
    }

    #[test]
    fn targets_that_cannot_be_learned_are_refused() {
        let message = error("a,y\n1,2.5\n2,2.5\n3,2.50\n");
        assert!(message.contains("`y` is 2.5 in every row"), "{message}");
        let message = error("a,y\n1,2.5\n");
        assert!(message.contains("1 row for target `y`; expected at least 3"), "{message}");
        let message = error("a,y\n1,1e9\n2,1000000001\n3,1000000002\n");
        assert!(message.contains("subtract their common part"), "{message}");
        let message = error("a,y\n1,1e-22\n2,2e-22\n3,3e-22\n");
        assert!(message.contains("multiply the column"), "{message}");
        let table = table("a,y\n1,2\n2,3\n3,4\n");
        assert!(matches!(ValueTarget::new(&table, &[]), Err(DataError::NoTarget { .. })));
        assert!(ValueTarget::new(&table, &["z".to_owned()]).is_err());
    }

    #[test]
    fn large_and_small_values_that_can_be_learned_are_accepted() {
        assert!(target("a,y\n1,1e18\n2,-1e18\n3,5e17\n").is_ok());
        assert!(target("a,y\n1,1e-12\n2,2e-12\n3,3e-12\n").is_ok());
    }

    #[test]
    fn a_fitted_model_measures_any_number_of_rows() {
        let found = value_targets(&table("a,y\n1,2.5\n"), &["y".to_owned()]).unwrap();
        assert_eq!(found, [[2.5]]);
    }

    #[test]
    fn strata_are_quantiles() {
        let rows: String = (0..100).map(|row| format!("{row},{}\n", (row * 37) % 100)).collect();
        let found = target(&format!("a,y\n{rows}")).unwrap();
        let strata = found.strata();
        for (value, stratum) in found.values()[0].iter().zip(&strata) {
            assert_eq!(*stratum, *value as u32 / 10);
        }
        let split = Split::stratified(&strata, 0.7, 3).unwrap();
        for stratum in 0..10 {
            let train = split.train.iter().filter(|&&row| strata[row as usize] == stratum).count();
            assert_eq!(train, 7);
        }
        // Few rows have few strata, and equal values stay together.
        let few = target("a,y\n1,1\n2,1\n3,1\n4,1\n5,1\n6,1\n7,1\n8,9\n9,9\n10,9\n").unwrap();
        assert_eq!(few.strata(), [0, 0, 0, 0, 0, 0, 0, 1, 1, 1]);
        assert_eq!(target("a,y\n1,1\n2,2\n3,3\n").unwrap().strata(), [0, 0, 0]);
    }
}
