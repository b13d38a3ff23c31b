//! The most frequent class, whatever the row: what every other classifier must beat.

use crate::{Classifier, Cost, Rows};
use mge_net::Columns;

/// Answers with one class.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Majority {
    class: u32,
}

impl Majority {
    /// The most frequent class, the first among equals.
    pub fn fit(rows: &Rows<'_>) -> Self {
        Self { class: most_frequent(&rows.class_counts()) }
    }
}

/// The class with the most rows, the first among equals.
pub(crate) fn most_frequent(counts: &[usize]) -> u32 {
    let mut best = 0;
    for (class, &count) in counts.iter().enumerate() {
        if count > counts[best] {
            best = class;
        }
    }
    best as u32
}

impl Classifier for Majority {
    fn predict(&self, columns: &Columns) -> Vec<u32> {
        vec![self.class; columns.rows()]
    }

    /// No operation, and one byte for the class.
    fn cost(&self) -> Cost {
        Cost { operations: 0, bytes: 1 }
    }
}
