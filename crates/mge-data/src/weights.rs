//! Rows that count more or less than others, as rows that are repeated.
//!
//! All methods and all preprocessing know rows, and none knows weights. So a row of weight three is
//! three rows, and one of weight zero is none. Whole weights are exact. Others are rounded so that
//! the rows before any row, together, are at most half a row off.

use crate::bad_cell::BadCell;
use crate::dependence::known_text;
use crate::error::{DataError, SplitError};
use crate::table::Table;
use crate::truncated_list::TruncatedList;

/// Whole weights are repeated as they are while rows are repeated this often on average, or less.
const MAX_EXACT: f64 = 8.0;
/// How often a row is repeated on average where weights are rounded.
const ROUNDED: f64 = 4.0;

/// The weight of each row: the numbers of a column, from 0 on.
///
/// # Errors
/// When there is no such column, and when a cell is missing or no weight.
pub fn row_weights(table: &Table, column: &str) -> Result<Vec<f64>, DataError> {
    let text = known_text(table, column, "a weight")?;
    let read =
        |text: &String| text.trim().parse::<f64>().ok().filter(|w| w.is_finite() && *w >= 0.0);
    let weights: Vec<Option<f64>> = text.categories().iter().map(read).collect();
    let codes = text.codes().iter().enumerate();
    let cells: TruncatedList<BadCell> = codes
        .filter(|(_, code)| weights[**code as usize].is_none())
        .map(|(row, _)| BadCell {
            location: table.location(row),
            column: column.to_owned(),
            found: text.get(row).unwrap_or_default().to_owned(),
        })
        .collect();
    if !cells.is_empty() {
        let (file, column) = (table.name().to_owned(), column.to_owned());
        return Err(SplitError::NoWeight { file, column, cells }.into());
    }
    Ok(text.codes().iter().filter_map(|&code| weights[code as usize]).collect())
}

/// The rows that stand for `rows` with these weights, one weight for each row of the table: each row
/// as often as its weight says, in the same order.
pub fn repeat_rows(rows: &[u32], weights: &[f64]) -> Vec<u32> {
    let of = |row: &u32| weights[*row as usize];
    let (sum, count) = (rows.iter().map(of).sum::<f64>(), rows.len() as f64);
    let smallest = rows.iter().map(of).filter(|&w| w > 0.0).fold(f64::INFINITY, f64::min);
    let is_whole = |x: f64| (x - x.round()).abs() <= 1e-9 * x.abs().max(1.0);
    // One of these makes all weights whole, or nothing does.
    let units = [smallest, 1.0].into_iter();
    let mut exact = units.filter(|unit| rows.iter().all(|row| is_whole(of(row) / unit)));
    let unit = match exact.next() {
        Some(unit) if sum / unit <= MAX_EXACT * count => unit,
        _ => sum / (ROUNDED * count),
    };
    let (mut repeated, mut done, mut before) = (Vec::new(), 0.0, 0.0);
    for row in rows {
        before += of(row) / unit;
        let times = (before - done + 0.5).floor().max(0.0);
        done += times;
        repeated.extend(std::iter::repeat_n(*row, times as usize));
    }
    repeated
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{LoadOptions, load_bytes};
    use proptest::prelude::*;

    #[test]
    fn whole_weights_are_exact() {
        let rows = [0, 1, 2, 3];
        assert_eq!(repeat_rows(&rows, &[1.0, 0.0, 3.0, 2.0]), [0, 2, 2, 2, 3, 3]);
        assert_eq!(repeat_rows(&rows, &[0.5, 0.5, 1.0, 0.5]), [0, 1, 2, 2, 3]);
        assert_eq!(repeat_rows(&rows, &[7.0; 4]), rows);
        assert_eq!(repeat_rows(&rows, &[2.0, 3.0, 2.0, 3.0]).len(), 10);
        assert_eq!(repeat_rows(&[3, 1], &[0.0, 2.0, 0.0, 1.0]), [3, 1, 1]);
    }

    #[test]
    fn cells_that_are_no_weights_are_named() {
        let options = LoadOptions { as_category: vec!["w".into()], ..Default::default() };
        let table = load_bytes("t.csv", "w,y\n1,a\n-2,b\nx,a\n", &options).unwrap().table;
        let error = row_weights(&table, "w").unwrap_err().to_string();
        assert!(error.contains("line 3, column `w`: `-2`"), "{error}");
        assert!(error.contains("line 4, column `w`: `x`"), "{error}");
        let table = load_bytes("t.csv", "w,y\n1,a\n0.25,b\n", &options).unwrap().table;
        assert_eq!(row_weights(&table, "w").unwrap(), [1.0, 0.25]);
    }

    proptest! {
        #[test]
        fn every_part_has_its_share(weights in prop::collection::vec(0.0f64..10.0, 1..200)) {
            let rows: Vec<u32> = (0..weights.len() as u32).collect();
            let repeated = repeat_rows(&rows, &weights);
            prop_assert!(repeated.is_sorted());
            let sum: f64 = weights.iter().sum();
            // Unless the weights happen to be whole multiples of one.
            let rounded = ROUNDED * rows.len() as f64;
            prop_assume!((repeated.len() as f64 - rounded).abs() <= 0.5 + 1e-6);
            let unit = sum / (ROUNDED * rows.len() as f64);
            let mut before = 0.0;
            for &row in &rows {
                before += weights[row as usize] / unit;
                let count = repeated.partition_point(|&other| other <= row) as f64;
                prop_assert!((count - before).abs() <= 0.5 + 1e-6, "row {row}: {count} {before}");
            }
        }
    }
}
