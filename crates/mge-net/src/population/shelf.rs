//! The columns of one block, many in one piece of memory.
//!
//! A column of a block is two kibibytes. Asked for one by one, the memory of a thread grows page by
//! page, and each page is a call of the system for which all other threads of the process wait.

use crate::batch::blocks::AlignedValues;

/// Columns in a piece: 64 kibibytes for a full block. It is zeroed when its first column comes, so
/// that it is still in the cache when the others do.
const PER_PIECE: usize = 32;

/// Columns by number.
#[derive(Debug, Default)]
pub(super) struct Shelf {
    /// Empty until one of their columns comes.
    pieces: Vec<AlignedValues>,
    /// Most rows of a column.
    rows: usize,
    /// For an output: the steps of the rows of its own class, added up.
    own_steps: Vec<i64>,
}

/// A column that is read.
#[derive(Debug, Clone, Copy)]
pub(super) struct ColumnRef<'a> {
    pub(super) values: &'a [f32],
    pub(super) own_steps: i64,
}

impl Shelf {
    /// Makes room for this many columns of at most `rows` rows, which is always the same number.
    pub(super) fn reserve(&mut self, rows: usize, columns: usize) {
        if self.own_steps.len() < columns {
            self.own_steps.resize(columns, 0);
            let pieces = columns.div_ceil(PER_PIECE);
            self.pieces.resize_with(pieces, AlignedValues::default);
            self.rows = rows;
        }
    }

    /// The first `rows` values of a column.
    #[inline(always)]
    pub(super) fn column(&self, index: u32, rows: usize) -> ColumnRef<'_> {
        let index = index as usize;
        let values = &self.pieces[index / PER_PIECE].get()[index % PER_PIECE * rows..][..rows];
        ColumnRef { values, own_steps: self.own_steps[index] }
    }

    #[inline(always)]
    pub(super) fn put(&mut self, index: u32, values: &[f32], own_steps: i64) {
        let (index, rows) = (index as usize, values.len());
        let piece = &mut self.pieces[index / PER_PIECE];
        if piece.get().is_empty() {
            *piece = AlignedValues::zeros(PER_PIECE * self.rows);
        }
        piece.get_mut()[index % PER_PIECE * rows..][..rows].copy_from_slice(values);
        self.own_steps[index] = own_steps;
    }
}
