//! A borrowed block of rows, stored column by column so that rows sit side by side in SIMD lanes.

use thiserror::Error;

/// Rows that are computed side by side: one AVX-512 register of `f32`.
pub const LANES: usize = 16;

/// Column-major `f32` values: column `i` is `values[i * stride..][..rows]`, followed by zeros up
/// to the stride.
#[derive(Debug, Clone, Copy)]
pub struct Columns<'a> {
    values: &'a [f32],
    rows: usize,
    stride: usize,
}

/// Why a slice is no block of columns.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ColumnsError {
    /// The stride must hold all rows and whole groups of [`LANES`].
    #[error("a stride of {stride} for {rows} rows; expected a multiple of {LANES}, not below rows")]
    Stride {
        /// The stride as given.
        stride: usize,
        /// The rows as given.
        rows: usize,
    },
    /// The slice ends within a column.
    #[error("{values} values do not fill whole columns of {stride}")]
    Length {
        /// How many values there are.
        values: usize,
        /// The stride as given.
        stride: usize,
    },
    /// A value between the last row and the stride is not zero.
    #[error("column {column} has a value other than zero in its padding")]
    Padding {
        /// The column, counted from 0.
        column: usize,
    },
}

impl<'a> Columns<'a> {
    /// Checks the layout. [`Columns::stride_for`] tells the usual stride.
    ///
    /// # Errors
    /// When the stride is zero, no multiple of [`LANES`] or below `rows`; when the slice holds no
    /// whole number of columns; when the padding is not zero.
    pub fn new(values: &'a [f32], rows: usize, stride: usize) -> Result<Self, ColumnsError> {
        if stride == 0 || !stride.is_multiple_of(LANES) || stride < rows {
            return Err(ColumnsError::Stride { stride, rows });
        }
        if !values.len().is_multiple_of(stride) {
            return Err(ColumnsError::Length { values: values.len(), stride });
        }
        let padded = |column: &[f32]| column[rows..].iter().any(|&value| value != 0.0);
        if let Some(column) = values.chunks_exact(stride).position(padded) {
            return Err(ColumnsError::Padding { column });
        }
        Ok(Self { values, rows, stride })
    }

    /// The least stride for a number of rows: the next multiple of [`LANES`], at least one group.
    pub fn stride_for(rows: usize) -> usize {
        rows.max(1).next_multiple_of(LANES)
    }

    /// Rows, without padding.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// Columns.
    pub fn count(&self) -> usize {
        self.values.len() / self.stride
    }

    /// The rows of column `index`.
    ///
    /// # Panics
    /// When there is no such column.
    pub fn column(&self, index: usize) -> &'a [f32] {
        &self.padded(index)[..self.rows]
    }

    /// Column `index` with its padding of zeros.
    ///
    /// # Panics
    /// When there is no such column.
    pub fn padded(&self, index: usize) -> &'a [f32] {
        &self.values[index * self.stride..][..self.stride]
    }

    /// Writes one row into `into`, one value for each column.
    ///
    /// # Panics
    /// When there is no such row, or `into` does not have [`Columns::count`] places.
    pub fn copy_row(&self, row: usize, into: &mut [f32]) {
        assert!(row < self.rows, "row {row} of {}", self.rows);
        assert_eq!(into.len(), self.count());
        for (index, place) in into.iter_mut().enumerate() {
            *place = self.values[index * self.stride + row];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_column_is_its_rows_and_then_zeros() {
        let mut values = vec![0.0; 32];
        values[..3].copy_from_slice(&[1.0, 2.0, 3.0]);
        values[16..19].copy_from_slice(&[4.0, 5.0, 6.0]);
        let columns = Columns::new(&values, 3, 16).unwrap();
        assert_eq!((columns.rows(), columns.count()), (3, 2));
        assert_eq!(columns.column(1), [4.0, 5.0, 6.0]);
        assert_eq!(columns.padded(1).len(), 16);
        let mut row = [0.0; 2];
        columns.copy_row(2, &mut row);
        assert_eq!(row, [3.0, 6.0]);
    }

    #[test]
    fn wrong_layouts_are_refused() {
        let values = [1.0; 32];
        assert!(matches!(Columns::new(&values, 3, 0), Err(ColumnsError::Stride { .. })));
        assert!(matches!(Columns::new(&values, 3, 8), Err(ColumnsError::Stride { .. })));
        assert!(matches!(Columns::new(&values, 17, 16), Err(ColumnsError::Stride { .. })));
        assert!(matches!(Columns::new(&values[1..], 16, 16), Err(ColumnsError::Length { .. })));
        assert!(matches!(Columns::new(&values, 3, 16), Err(ColumnsError::Padding { column: 0 })));
        assert!(Columns::new(&values, 16, 16).is_ok());
        assert_eq!(Columns::new(&[], 0, 16).unwrap().count(), 0);
        assert_eq!((Columns::stride_for(0), Columns::stride_for(17)), (16, 32));
    }
}
