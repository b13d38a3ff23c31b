//! The columns of one block: those that are kept, many in one piece of memory, and those that are
//! passing, each by itself, so that it can be computed where it stays.
//!
//! A column of a block is two kibibytes. Asked for one by one, the memory of a thread grows page by
//! page, and each page is a call of the system for which all other threads of the process wait. Passing
//! columns are few, and their memory is used again by every population.

use crate::batch::blocks::AlignedValues;

/// Columns in a piece: 64 kibibytes for a full block. It is zeroed when its first column comes, so
/// that it is still in the cache when the others do.
const PER_PIECE: usize = 32;

/// Columns that are kept, by number.
#[derive(Debug, Default)]
pub(super) struct Shelf {
    /// Empty until one of their columns comes.
    pieces: Vec<AlignedValues>,
    /// Most rows of a column.
    rows: usize,
    /// For an output: the steps of the rows of its own class, added up.
    own_steps: Vec<i64>,
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
    pub(super) fn column(&self, index: u32, rows: usize) -> &[f32] {
        let index = index as usize;
        &self.pieces[index / PER_PIECE].get()[index % PER_PIECE * rows..][..rows]
    }

    #[inline(always)]
    pub(super) fn own_steps(&self, index: u32) -> i64 {
        self.own_steps[index as usize]
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

/// Columns that are passing, by the number of their room.
#[derive(Debug, Default)]
pub(super) struct Passing {
    columns: Vec<AlignedValues>,
    /// As in [`Shelf`].
    own_steps: Vec<i64>,
}

impl Passing {
    /// Makes room for this many columns of at most `rows` rows.
    pub(super) fn reserve(&mut self, rows: usize, columns: usize) {
        if self.columns.len() < columns {
            self.columns.resize_with(columns, || AlignedValues::zeros(rows));
            self.own_steps.resize(columns, 0);
        }
    }

    /// The first `rows` values of a column.
    #[inline(always)]
    pub(super) fn column(&self, index: u32, rows: usize) -> &[f32] {
        &self.columns[index as usize].get()[..rows]
    }

    #[inline(always)]
    pub(super) fn own_steps(&self, index: u32) -> i64 {
        self.own_steps[index as usize]
    }

    /// Takes a column out, to be computed and put back.
    #[inline(always)]
    pub(super) fn take(&mut self, index: u32) -> AlignedValues {
        std::mem::take(&mut self.columns[index as usize])
    }

    #[inline(always)]
    pub(super) fn put(&mut self, index: u32, column: AlignedValues, own_steps: i64) {
        self.columns[index as usize] = column;
        self.own_steps[index as usize] = own_steps;
    }
}
