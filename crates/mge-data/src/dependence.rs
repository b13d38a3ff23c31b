//! Rows that depend on each other: rows of one group, and rows in the order of time.
//!
//! Rows of one patient are alike, and so are rows of one day. If some of them train and others
//! test, the test accuracy is higher than on new patients or days. So a split may keep groups
//! together, or test on the last rows.

use crate::bad_cell::BadCell;
use crate::error::{DataError, SplitError};
use crate::table::{Table, Values};
use crate::text_column::Text;
use crate::time;
use crate::truncated_list::TruncatedList;

/// How the rows of a table depend on each other.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum RowDependence {
    /// Not at all: a split may put any row into any part.
    #[default]
    Independent,
    /// Rows of one group stay together. Each row has the number of its group, from 0.
    Groups(Vec<u32>),
    /// The last rows test. Each row has the rank of its time, from 0; equal times have one rank.
    Time(Vec<u32>),
}

impl RowDependence {
    /// The same for chosen rows.
    ///
    /// # Panics
    /// When a row is out of range.
    pub fn select(&self, rows: &[u32]) -> Self {
        let of = |all: &[u32]| rows.iter().map(|&row| all[row as usize]).collect();
        match self {
            Self::Independent => Self::Independent,
            Self::Groups(groups) => Self::Groups(of(groups)),
            Self::Time(ranks) => Self::Time(of(ranks)),
        }
    }
}

/// The number of each row's group, from 0: rows with equal values in a column are a group.
///
/// # Errors
/// When there is no such column, and when a cell is missing.
pub fn group_ids(table: &Table, column: &str) -> Result<Vec<u32>, DataError> {
    Ok(known_text(table, column, "a group")?.codes().to_vec())
}

/// The rank of each row in the order of a column, from 0; equal times have one rank. The column
/// holds numbers, or dates such as `2024-05-31` or `2024-05-31 14:05:00`.
///
/// # Errors
/// When there is no such column, and when a cell is missing or no time.
pub fn time_ranks(table: &Table, column: &str) -> Result<Vec<u32>, DataError> {
    let text = known_text(table, column, "a time")?;
    let times: Vec<Option<time::Key>> =
        text.categories().iter().map(|category| time::read(category)).collect();
    let codes = text.codes().iter().enumerate();
    let bad = codes.filter(|(_, code)| times[**code as usize].is_none());
    let cells: TruncatedList<BadCell> = bad
        .map(|(row, _)| BadCell {
            location: table.location(row),
            column: column.to_owned(),
            found: text.get(row).unwrap_or_default().to_owned(),
        })
        .collect();
    let (file, column) = (table.name().to_owned(), column.to_owned());
    if !cells.is_empty() {
        return Err(SplitError::NoTime { file, column, cells }.into());
    }
    let times: Vec<time::Key> = times.into_iter().flatten().collect();
    let numbers = times.iter().filter(|key| key.is_number()).count();
    if numbers != 0 && numbers != times.len() {
        return Err(SplitError::MixedTimes { file, column }.into());
    }
    let mut order = times.clone();
    order.sort_unstable();
    order.dedup();
    let rank = |key: &time::Key| order.partition_point(|other| other < key) as u32;
    let ranks: Vec<u32> = times.iter().map(rank).collect();
    Ok(text.codes().iter().map(|&code| ranks[code as usize]).collect())
}

/// The cells of a column as text, none of them missing.
pub(crate) fn known_text(
    table: &Table,
    column: &str,
    expected: &'static str,
) -> Result<Text, DataError> {
    let text = match &table.column(column)?.values {
        Values::Text(text) => text.clone(),
        Values::Number(cells) => Text::from_numbers(cells),
    };
    let codes = text.codes().iter().enumerate();
    let missing = codes.filter(|(_, code)| **code == Text::MISSING);
    let locations: TruncatedList<String> = missing.map(|(row, _)| table.location(row)).collect();
    if locations.is_empty() {
        return Ok(text);
    }
    let (file, column) = (table.name().to_owned(), column.to_owned());
    Err(SplitError::MissingCells { file, column, expected, locations }.into())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{LoadOptions, load_bytes};

    fn table(text: &str) -> Table {
        let options = LoadOptions { as_category: vec!["k".into()], ..LoadOptions::default() };
        load_bytes("t.csv", text, &options).unwrap().table
    }

    #[test]
    fn groups_are_the_values_of_a_column() {
        let found = group_ids(&table("k,y\nb,0\na,1\nb,1\n"), "k").unwrap();
        assert_eq!(found, [1, 0, 1]);
        assert_eq!(RowDependence::Groups(found).select(&[2, 1]), RowDependence::Groups(vec![1, 0]));
        // Numbers that f32 cannot tell apart are two groups.
        let found = group_ids(&table("k,y\n123456789,0\n123456790,1\n"), "k").unwrap();
        assert_eq!(found, [0, 1]);
        let error = group_ids(&table("k,y\nb,0\n,1\n"), "k").unwrap_err().to_string();
        assert!(error.contains("line 3") && error.contains("a group"), "{error}");
    }

    #[test]
    fn times_are_ranked() {
        let ranks = |text| time_ranks(&table(text), "k");
        assert_eq!(ranks("k,y\n2024-10-01,0\n2024-9-30,1\n2024-10-01,1\n").unwrap(), [1, 0, 1]);
        assert_eq!(ranks("k,y\n1700000001,0\n9,1\n1700000000,1\n").unwrap(), [2, 0, 1]);
        let error = ranks("k,y\n2024-10-01,0\nsoon,1\n").unwrap_err().to_string();
        assert!(error.contains("line 3, column `k`: `soon`"), "{error}");
        let error = ranks("k,y\n2024-10-01,0\n7,1\n").unwrap_err().to_string();
        assert!(error.contains("numbers and dates"), "{error}");
    }
}
