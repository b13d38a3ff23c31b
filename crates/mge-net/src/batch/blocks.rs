//! The rows in the layout of the evaluator: blocks of at most [`BLOCK_ROWS`] rows. Inside a block
//! the values are stored column by column, and every column starts on a cache line.
//!
//! The columns of a block and the values of a network's neurons for it fit the first-level cache.
//! In the column-major original, the columns of a few rows are far apart.

use mge_columns::{Columns, LANES};

/// Maximum number of rows in a block: 2 KiB of `f32`.
pub(crate) const BLOCK_ROWS: usize = 512;

/// Bytes in a cache line and in the widest vector.
const LINE: usize = 64;

/// Storage that starts on a cache line, so that no vector load crosses a line.
#[derive(Debug)]
pub(crate) struct AlignedValues<T = f32> {
    // Never grown in place: that would move the start of the line.
    values: Vec<T>,
    start: usize,
    len: usize,
}

impl<T> Default for AlignedValues<T> {
    fn default() -> Self {
        Self { values: Vec::new(), start: 0, len: 0 }
    }
}

impl<T: Copy + Default> AlignedValues<T> {
    pub(crate) fn zeros(len: usize) -> Self {
        let per_line = LINE / size_of::<T>();
        let values = vec![T::default(); len + per_line - 1];
        let offset = values.as_ptr().align_offset(LINE);
        // Where the alignment is unknown, the values are correct and only slower to load.
        let start = if offset < per_line { offset } else { 0 };
        Self { values, start, len }
    }

    /// A copy of `values`.
    pub(crate) fn of(values: &[T]) -> Self {
        let mut aligned = Self::zeros(values.len());
        aligned.get_mut().copy_from_slice(values);
        aligned
    }

    /// Makes room for `len` values. Earlier values are lost.
    pub(crate) fn reserve(&mut self, len: usize) {
        if self.len < len {
            *self = Self::zeros(len.max(2 * self.len));
        }
    }
}

impl<T> AlignedValues<T> {
    #[inline(always)]
    pub(crate) fn get(&self) -> &[T] {
        &self.values[self.start..][..self.len]
    }

    #[inline(always)]
    pub(crate) fn get_mut(&mut self) -> &mut [T] {
        &mut self.values[self.start..][..self.len]
    }
}

/// Columns split into blocks.
#[derive(Debug)]
pub(crate) struct Blocks {
    values: AlignedValues,
    columns: usize,
    /// Rows with padding: a multiple of [`LANES`].
    padded_rows: usize,
    /// Rows of each block; the last one may have fewer.
    block_rows: usize,
}

impl Blocks {
    pub(crate) fn new(columns: &Columns) -> Self {
        let padded_rows = Columns::stride_for(columns.rows());
        // Blocks have about equal length, since a short one costs as much as a full one.
        let count = padded_rows.div_ceil(BLOCK_ROWS);
        let block_rows = padded_rows.div_ceil(count).next_multiple_of(LANES);
        let mut blocks = Self {
            values: AlignedValues::zeros(padded_rows * columns.count()),
            columns: columns.count(),
            padded_rows,
            block_rows,
        };
        let values = blocks.values.get_mut();
        let mut next = 0;
        for start in (0..padded_rows).step_by(block_rows) {
            let end = padded_rows.min(start + block_rows);
            for column in 0..columns.count() {
                let from = &columns.padded(column)[start..end];
                values[next..][..from.len()].copy_from_slice(from);
                next += from.len();
            }
        }
        blocks
    }

    pub(crate) fn columns(&self) -> usize {
        self.columns
    }

    /// The first row and the length of each block.
    pub(crate) fn spans(&self) -> impl Iterator<Item = (usize, usize)> + use<> {
        let (padded, step) = (self.padded_rows, self.block_rows);
        (0..padded).step_by(step).map(move |start| (start, step.min(padded - start)))
    }

    /// The rows of the longest block.
    pub(crate) fn longest(&self) -> usize {
        self.block_rows
    }

    /// All columns of the block that starts at row `start`, each `len` long.
    #[inline(always)]
    pub(crate) fn block(&self, start: usize, len: usize) -> &[f32] {
        &self.values.get()[start * self.columns..][..len * self.columns]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_hold_all_columns() {
        for rows in [0, 1, 16, 398, 512, 513, 1040, 5000] {
            let columns = Columns::from_fn(rows, 3, |column, values| {
                for (row, value) in values.iter_mut().enumerate() {
                    *value = (column * 10_000 + row) as f32;
                }
            });
            let blocks = Blocks::new(&columns);
            let mut next = 0;
            for (start, len) in blocks.spans() {
                assert_eq!(start, next);
                assert!(len > 0 && len % LANES == 0 && len <= BLOCK_ROWS);
                let block = blocks.block(start, len);
                for column in 0..3 {
                    let expected = &columns.padded(column)[start..start + len];
                    assert_eq!(&block[column * len..][..len], expected);
                }
                next += len;
            }
            assert_eq!(next, Columns::stride_for(rows));
        }
    }

    #[test]
    fn storage_starts_on_a_cache_line() {
        let mut values = AlignedValues::<f32>::zeros(100);
        assert_eq!(values.get().as_ptr().align_offset(LINE), 0);
        values.reserve(1000);
        assert!(values.get().len() >= 1000);
        assert_eq!(values.get().as_ptr().align_offset(LINE), 0);
    }
}
