//! The feature matrix that data preparation makes and networks read.
//!
//! [`Columns`] is column-major, because a sparse network reads few features of many rows. Each
//! column ends with zeros up to a multiple of [`LANES`] rows, so that vector code needs no tail.
//! The values are immutable and shared: a clone costs one reference count.
//!
//! ```
//! use mge_columns::{Columns, LANES};
//!
//! let columns = Columns::from_columns([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])?;
//! assert_eq!((columns.rows(), columns.count()), (3, 2));
//! assert_eq!(columns.column(1), [4.0, 5.0, 6.0]);
//! assert_eq!(columns.padded(1).len(), LANES);
//!
//! let reversed = columns.select(&[2, 1, 0]);
//! assert_eq!(reversed.column(0), [3.0, 2.0, 1.0]);
//! # Ok::<(), mge_columns::ColumnsError>(())
//! ```

use std::sync::Arc;

use thiserror::Error;

/// Rows that are computed side by side: one AVX-512 register of `f32`.
pub const LANES: usize = 16;

/// An owned matrix of `f32` features, stored column by column and cheap to clone.
///
/// Invariant: the columns are equally long, and every column is padded with zeros to
/// [`Columns::stride_for`] its rows.
#[derive(Debug, Clone, PartialEq)]
pub struct Columns {
    // A `Vec` in an `Arc`, not a slice: wrapping it does not copy the values.
    values: Arc<Vec<f32>>,
    rows: usize,
    count: usize,
}

/// Why columns do not form a matrix.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum ColumnsError {
    /// A column has more or fewer rows than the first one.
    #[error("column {column} has {found} rows, expected {expected} as in column 0")]
    Length {
        /// The column, counted from 0.
        column: usize,
        /// Its rows.
        found: usize,
        /// The rows of the first column.
        expected: usize,
    },
}

impl Columns {
    /// Copies equally long columns. No columns give a matrix without rows.
    ///
    /// # Errors
    /// When the columns differ in length.
    pub fn from_columns<C: AsRef<[f32]>>(
        columns: impl IntoIterator<Item = C>,
    ) -> Result<Self, ColumnsError> {
        let columns: Vec<C> = columns.into_iter().collect();
        let rows = columns.first().map_or(0, |first| first.as_ref().len());
        let lengths = columns.iter().map(|values| values.as_ref().len());
        if let Some((column, found)) = lengths.enumerate().find(|&(_, found)| found != rows) {
            return Err(ColumnsError::Length { column, found, expected: rows });
        }
        Ok(Self::from_fn(rows, columns.len(), |column, values| {
            values.copy_from_slice(columns[column].as_ref());
        }))
    }

    /// Makes a matrix by filling one column after the other. `fill` gets the index of a column
    /// and its rows, which are zero before.
    pub fn from_fn(rows: usize, count: usize, mut fill: impl FnMut(usize, &mut [f32])) -> Self {
        let stride = Self::stride_for(rows);
        let mut values = vec![0.0; stride * count];
        for (column, padded) in values.chunks_exact_mut(stride).enumerate() {
            fill(column, &mut padded[..rows]);
        }
        Self { values: Arc::new(values), rows, count }
    }

    /// A new matrix of the chosen rows, in the given order.
    ///
    /// # Panics
    /// When there is no such row.
    pub fn select(&self, rows: &[u32]) -> Self {
        Self::from_fn(rows.len(), self.count, |column, values| {
            let source = self.column(column);
            for (value, &row) in values.iter_mut().zip(rows) {
                *value = source[row as usize];
            }
        })
    }

    /// The length of a padded column: the next multiple of [`LANES`], at least [`LANES`] itself.
    pub fn stride_for(rows: usize) -> usize {
        rows.max(1).next_multiple_of(LANES)
    }

    /// The number of rows, without padding.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// The number of columns.
    pub fn count(&self) -> usize {
        self.count
    }

    /// The rows of column `index`, without padding.
    ///
    /// # Panics
    /// When there is no such column.
    pub fn column(&self, index: usize) -> &[f32] {
        &self.padded(index)[..self.rows]
    }

    /// Column `index` with its padding of zeros.
    ///
    /// # Panics
    /// When there is no such column.
    pub fn padded(&self, index: usize) -> &[f32] {
        let stride = Self::stride_for(self.rows);
        &self.values[index * stride..][..stride]
    }

    /// Writes one row into `into`, one value for each column.
    ///
    /// # Panics
    /// When there is no such row, or `into` does not hold [`Columns::count`] values.
    pub fn copy_row(&self, row: usize, into: &mut [f32]) {
        assert!(row < self.rows, "row {row} of {}", self.rows);
        assert_eq!(into.len(), self.count, "one value for each column");
        let stride = Self::stride_for(self.rows);
        for (index, value) in into.iter_mut().enumerate() {
            *value = self.values[index * stride + row];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_padded_with_zeros() {
        let columns = Columns::from_columns([vec![1.0; 17], vec![2.0; 17]]).unwrap();
        assert_eq!((columns.rows(), columns.count()), (17, 2));
        assert_eq!(columns.column(1), [2.0; 17]);
        for index in 0..2 {
            assert_eq!(columns.padded(index).len(), 32);
            assert!(columns.padded(index)[17..].iter().all(|&value| value == 0.0));
        }
        assert_eq!((Columns::stride_for(0), Columns::stride_for(17)), (16, 32));
    }

    #[test]
    fn a_row_is_copied_across_the_columns() {
        let columns = Columns::from_columns([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]).unwrap();
        let mut row = [0.0; 2];
        columns.copy_row(2, &mut row);
        assert_eq!(row, [3.0, 6.0]);
    }

    #[test]
    fn selected_rows_keep_the_given_order() {
        let columns = Columns::from_columns([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]).unwrap();
        let selected = columns.select(&[2, 0, 2, 1]);
        let expected = Columns::from_columns([[3.0, 1.0, 3.0, 2.0], [6.0, 4.0, 6.0, 5.0]]);
        assert_eq!(Ok(selected), expected);
    }

    #[test]
    fn a_clone_shares_the_values() {
        let columns = Columns::from_columns([[1.0; 40]]).unwrap();
        assert_eq!(columns.clone().column(0).as_ptr(), columns.column(0).as_ptr());
    }

    #[test]
    fn columns_of_different_lengths_are_refused() {
        let error = Columns::from_columns([vec![1.0; 3], vec![1.0; 2]]).unwrap_err();
        assert_eq!(error, ColumnsError::Length { column: 1, found: 2, expected: 3 });
    }

    #[test]
    fn a_matrix_may_have_no_rows_or_no_columns() {
        let no_rows = Columns::from_fn(0, 3, |_, values| assert!(values.is_empty()));
        assert_eq!((no_rows.rows(), no_rows.count(), no_rows.padded(2).len()), (0, 3, 16));
        let no_columns = Columns::from_fn(5, 0, |_, _| unreachable!("no column"));
        assert_eq!((no_columns.rows(), no_columns.count()), (5, 0));
    }
}
