//! Rows that occur more than once, with equal features and equal target.
//!
//! The accuracy on a test row that also trained says nothing about new rows.

use std::collections::HashSet;

use mge_columns::Columns;

/// A 128-bit hash of each row: its features as a network sees them, and its target.
pub struct RowHashes(Vec<[u64; 2]>);

impl RowHashes {
    /// Of rows and the bits of their targets.
    pub fn new(columns: &Columns, targets: impl IntoIterator<Item = u32>) -> Self {
        let mut hashes: Vec<[u64; 2]> = Vec::with_capacity(columns.rows());
        hashes.extend(targets.into_iter().map(|target| {
            let mut hash = [0x9e37_79b9_7f4a_7c15, 0xc2b2_ae3d_27d4_eb4f];
            mix(&mut hash, target);
            hash
        }));
        debug_assert_eq!(hashes.len(), columns.rows(), "a target for each row");
        for column in 0..columns.count() {
            for (hash, value) in hashes.iter_mut().zip(columns.column(column)) {
                mix(hash, value.to_bits());
            }
        }
        Self(hashes)
    }

    /// Of rows and their values, one list for each numeric target.
    pub fn of_values(columns: &Columns, values: &[Vec<f64>]) -> Self {
        let mut hashes = Self::new(columns, (0..columns.rows()).map(|_| 0));
        for values in values {
            debug_assert_eq!(values.len(), columns.rows(), "a value for each row");
            for (hash, value) in hashes.0.iter_mut().zip(values) {
                // Minus zero is zero.
                let bits = (value + 0.0).to_bits();
                mix(hash, (bits >> 32) as u32);
                mix(hash, bits as u32);
            }
        }
        hashes
    }

    /// How many of these rows also occur among others.
    pub fn among(&self, others: &Self) -> usize {
        let known: HashSet<&[u64; 2]> = others.0.iter().collect();
        self.0.iter().filter(|hash| known.contains(hash)).count()
    }

    /// How many rows have an equal row in another part.
    pub fn across(&self, part_of: &[u32]) -> usize {
        let mut rows: Vec<(&[u64; 2], u32)> = self.0.iter().zip(part_of.iter().copied()).collect();
        rows.sort_unstable();
        let equal = rows.chunk_by(|a, b| a.0 == b.0);
        // Sorted, so the first and the last part differ if any two do.
        let divided = equal.filter(|run| run.first().map(|r| r.1) != run.last().map(|r| r.1));
        divided.map(<[_]>::len).sum()
    }
}

/// Adds a cell to the hash of a row.
pub(crate) fn mix(hash: &mut [u64; 2], bits: u32) {
    for (lane, multiplier) in hash.iter_mut().zip([0xff51_afd7_ed55_8ccd, 0xc4ce_b9fe_1a85_ec53]) {
        let mixed: u64 = (*lane ^ u64::from(bits)).wrapping_mul(multiplier);
        *lane = (mixed ^ (mixed >> 32)).wrapping_mul(0x9fb2_1c65_1e98_df25).rotate_left(23);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hashes(rows: &[[f32; 2]], targets: &[u32]) -> RowHashes {
        let columns = Columns::from_fn(rows.len(), 2, |feature, values| {
            for (value, row) in values.iter_mut().zip(rows) {
                *value = row[feature];
            }
        });
        RowHashes::new(&columns, targets.iter().copied())
    }

    #[test]
    fn rows_are_equal_in_all_features_and_the_target() {
        let train = hashes(&[[1.0, 2.0], [1.0, 2.0], [3.0, 4.0]], &[0, 1, 0]);
        let test = hashes(&[[1.0, 2.0], [2.0, 1.0], [3.0, 4.0], [3.0, 4.0]], &[1, 0, 1, 0]);
        assert_eq!(test.among(&train), 2);
    }

    #[test]
    fn rows_of_numeric_targets_are_equal_in_every_value() {
        let columns = Columns::from_columns([[1.0f32, 1.0, 1.0]]).unwrap();
        let hashes = |values: [[f64; 3]; 2]| {
            RowHashes::of_values(&columns, &values.map(|values| values.to_vec()))
        };
        let train = hashes([[0.5, 1e9, 3.0], [1.0, 2.0, 3.0]]);
        assert_eq!(hashes([[0.5, 1e9 + 1.0, -0.0], [1.0, 2.0, 3.0]]).among(&train), 1);
        assert_eq!(hashes([[0.5, 1e9, 3.0], [1.5, 2.0, 3.0]]).among(&train), 2);
    }

    #[test]
    fn equal_rows_of_one_part_do_not_count() {
        let rows = hashes(&[[1.0, 1.0], [1.0, 1.0], [2.0, 2.0], [2.0, 2.0], [3.0, 3.0]], &[0; 5]);
        assert_eq!(rows.across(&[0, 0, 1, 2, 1]), 2);
        assert_eq!(rows.across(&[0, 0, 1, 1, 1]), 0);
    }
}
