//! The values of the columns of one block: cached ones and temporary ones.
//!
//! Cached columns are many, so 32 of them share one allocation. With an allocation for each
//! column, the memory of a thread grows page by page, and every new page is a system call during
//! which the other threads of the process wait. Temporary columns are few and reused; each has its
//! own allocation, so that a column can be computed in place.

use crate::batch::blocks::AlignedValues;

/// Columns in one allocation: 64 KiB for a full block. The memory is zeroed when its first column
/// arrives, and is then still in the processor's cache for the next ones.
const COLUMNS_PER_CHUNK: usize = 32;

/// The cached columns of a block, by slot.
#[derive(Debug, Default)]
pub(super) struct ColumnCache {
    /// A chunk is empty until one of its columns arrives.
    chunks: Vec<AlignedValues>,
    /// Maximum number of rows in a column.
    rows: usize,
    /// For output columns: the sum, in fixed point, over the rows whose class is this output.
    true_class_sums: Vec<i64>,
}

impl ColumnCache {
    /// Makes room for `columns` columns of at most `rows` rows. `rows` is the same in every call.
    pub(super) fn reserve(&mut self, rows: usize, columns: usize) {
        if self.true_class_sums.len() < columns {
            self.true_class_sums.resize(columns, 0);
            let chunks = columns.div_ceil(COLUMNS_PER_CHUNK);
            self.chunks.resize_with(chunks, AlignedValues::default);
            self.rows = rows;
        }
    }

    /// The first `rows` values of a column.
    #[inline(always)]
    pub(super) fn column(&self, slot: u32, rows: usize) -> &[f32] {
        let slot = slot as usize;
        &self.chunks[slot / COLUMNS_PER_CHUNK].get()[slot % COLUMNS_PER_CHUNK * rows..][..rows]
    }

    #[inline(always)]
    pub(super) fn true_class_sum(&self, slot: u32) -> i64 {
        self.true_class_sums[slot as usize]
    }

    #[inline(always)]
    pub(super) fn store(&mut self, slot: u32, values: &[f32], true_class_sum: i64) {
        let (slot, rows) = (slot as usize, values.len());
        let chunk = &mut self.chunks[slot / COLUMNS_PER_CHUNK];
        if chunk.get().is_empty() {
            *chunk = AlignedValues::zeros(COLUMNS_PER_CHUNK * self.rows);
        }
        chunk.get_mut()[slot % COLUMNS_PER_CHUNK * rows..][..rows].copy_from_slice(values);
        self.true_class_sums[slot] = true_class_sum;
    }
}

/// The temporary columns of a thread, by buffer.
#[derive(Debug, Default)]
pub(super) struct TempColumns {
    columns: Vec<AlignedValues>,
    /// As in [`ColumnCache`].
    true_class_sums: Vec<i64>,
}

impl TempColumns {
    /// Makes room for `buffers` columns of at most `rows` rows.
    pub(super) fn reserve(&mut self, rows: usize, buffers: usize) {
        if self.columns.len() < buffers {
            self.columns.resize_with(buffers, || AlignedValues::zeros(rows));
            self.true_class_sums.resize(buffers, 0);
        }
    }

    /// The first `rows` values of a column.
    #[inline(always)]
    pub(super) fn column(&self, buffer: u32, rows: usize) -> &[f32] {
        &self.columns[buffer as usize].get()[..rows]
    }

    #[inline(always)]
    pub(super) fn true_class_sum(&self, buffer: u32) -> i64 {
        self.true_class_sums[buffer as usize]
    }

    /// Moves a column out, to be computed and stored again.
    #[inline(always)]
    pub(super) fn take(&mut self, buffer: u32) -> AlignedValues {
        std::mem::take(&mut self.columns[buffer as usize])
    }

    #[inline(always)]
    pub(super) fn store(&mut self, buffer: u32, column: AlignedValues, true_class_sum: i64) {
        self.columns[buffer as usize] = column;
        self.true_class_sums[buffer as usize] = true_class_sum;
    }
}
