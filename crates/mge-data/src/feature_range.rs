//! The range of one feature over some rows: what a quantiser needs to know of them.

use serde::{Deserialize, Serialize};

/// The smallest and the largest value of a feature, and whether all its values are whole numbers.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct FeatureRange {
    /// The smallest value.
    pub low: f32,
    /// The largest value.
    pub high: f32,
    /// Whether every value is a whole number.
    pub whole: bool,
}

impl FeatureRange {
    /// The range of no rows: its ends are infinite and in the wrong order.
    pub const EMPTY: Self = Self { low: f32::INFINITY, high: f32::NEG_INFINITY, whole: true };

    /// The range of a column.
    pub fn of(cells: &[f32]) -> Self {
        let mut range = Self::EMPTY;
        range.extend(cells);
        range
    }

    /// Extends the range by more rows.
    pub fn extend(&mut self, cells: &[f32]) {
        for &x in cells {
            self.low = self.low.min(x);
            self.high = self.high.max(x);
            self.whole &= x == x.floor();
        }
    }
}
