//! The mean of the nearest training rows, by the Euclidean distance of the scaled features.
//! Validation rows choose how many rows are taken.

use mge_net::Columns;
use rayon::prelude::*;

use super::rows::{OwnedTargetRows, TargetRows, squared_errors};
use super::{BaselineRegressor, RegressionBaseline};
use crate::PredictionCost;
use crate::model_selection::{best, shuffled};

pub(super) const BASELINE: RegressionBaseline = RegressionBaseline {
    name: "nearest neighbours",
    summary: "The mean of the nearest training rows; all rows are kept.",
    max_features: Some(1 << 12),
    fit: |rows, seed| Box::new(NearestNeighbours::fit(rows, seed)),
};

/// The candidates, from smooth to rough.
const COUNTS: [usize; 9] = [30, 20, 15, 10, 7, 5, 3, 2, 1];
/// Rows and cells that are kept; of a larger table a sample of the rows is.
const MAX_ROWS: usize = 5_000;
const MAX_CELLS: usize = 500_000;
const MIN_ROWS: usize = 100;

/// The training rows, and how many neighbours count.
pub(super) struct NearestNeighbours {
    features: usize,
    /// The features of each row, row by row.
    cells: Vec<f32>,
    values: Vec<f64>,
    neighbours: usize,
}

impl std::fmt::Debug for NearestNeighbours {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (rows, neighbours) = (self.values.len(), self.neighbours);
        f.debug_struct("NearestNeighbours")
            .field("rows", &rows)
            .field("neighbours", &neighbours)
            .finish_non_exhaustive()
    }
}

impl NearestNeighbours {
    /// Chooses the number of neighbours and keeps the rows.
    pub(super) fn fit(rows: &TargetRows<'_>, seed: u64) -> Self {
        let limit = (MAX_CELLS / rows.columns.count().max(1)).clamp(MIN_ROWS, MAX_ROWS);
        let sample: OwnedTargetRows;
        let kept = if rows.len() > limit {
            let mut order = shuffled(rows.len(), seed);
            order.truncate(limit);
            order.sort_unstable();
            sample = rows.take(&order);
            &sample.rows()
        } else {
            rows
        };
        let mut losses = vec![Vec::new(); COUNTS.len()];
        for split in kept.validation_splits(usize::MAX, seed) {
            let (train, validation) = (kept.take(&split.train), kept.take(&split.validation));
            let largest = Self::with_neighbours(&train.rows(), COUNTS[0]);
            let predicted = largest.predict_all(validation.rows().columns, &COUNTS);
            for (losses, predicted) in losses.iter_mut().zip(predicted) {
                losses.extend(squared_errors(&predicted, validation.rows().values));
            }
        }
        Self::with_neighbours(kept, COUNTS[best(&losses)])
    }

    /// Keeps these rows, with a chosen number of neighbours.
    pub(super) fn with_neighbours(rows: &TargetRows<'_>, neighbours: usize) -> Self {
        let features = rows.columns.count();
        let neighbours = neighbours.clamp(1, rows.len().max(1));
        Self { features, cells: by_row(rows.columns), values: rows.values.to_vec(), neighbours }
    }

    /// The predictions of each row by different numbers of neighbours.
    fn predict_all(&self, columns: &Columns, counts: &[usize]) -> Vec<Vec<f64>> {
        assert_eq!(columns.count(), self.features, "columns must match the training rows");
        if self.values.is_empty() {
            return vec![vec![0.0; columns.rows()]; counts.len()];
        }
        let cells = by_row(columns);
        let max = counts.iter().copied().max().unwrap_or(1).clamp(1, self.values.len());
        let of_row = |row: usize| -> Vec<f64> {
            let wanted = &cells[row * self.features..(row + 1) * self.features];
            let distance = |stored: usize| {
                let own = &self.cells[stored * self.features..(stored + 1) * self.features];
                let squares = own.iter().zip(wanted).map(|(a, b)| {
                    let difference = f64::from(*a) - f64::from(*b);
                    difference * difference
                });
                squares.sum::<f64>()
            };
            let mut all: Vec<(f64, usize)> =
                (0..self.values.len()).map(|stored| (distance(stored), stored)).collect();
            // Of equally distant rows, the first ones count.
            let order =
                |a: &(f64, usize), b: &(f64, usize)| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1));
            if max < all.len() {
                all.select_nth_unstable_by(max - 1, order);
                all.truncate(max);
            }
            all.sort_unstable_by(order);
            let mean = |count: &usize| {
                let nearest = &all[..(*count).clamp(1, all.len())];
                nearest.iter().map(|(_, row)| self.values[*row]).sum::<f64>() / nearest.len() as f64
            };
            counts.iter().map(mean).collect()
        };
        let rows: Vec<Vec<f64>> = (0..columns.rows()).into_par_iter().map(of_row).collect();
        (0..counts.len()).map(|at| rows.iter().map(|means| means[at]).collect()).collect()
    }
}

/// The cells of a table, row by row.
fn by_row(columns: &Columns) -> Vec<f32> {
    let (rows, count) = (columns.rows(), columns.count());
    let mut cells = vec![0.0; rows * count];
    for index in 0..count {
        for (row, &x) in columns.column(index).iter().enumerate() {
            cells[row * count + index] = x;
        }
    }
    cells
}

impl BaselineRegressor for NearestNeighbours {
    fn predict(&self, columns: &Columns) -> Vec<f64> {
        self.predict_all(columns, &[self.neighbours]).swap_remove(0)
    }

    /// For each row that is kept: three operations for each feature (a difference, its square, a
    /// sum) and a comparison; then one for each neighbour. Features and values take four bytes.
    fn cost(&self) -> PredictionCost {
        let rows = self.values.len();
        let operations = rows * (3 * self.features + 1) + self.neighbours;
        PredictionCost { operations, bytes: 4 * rows * (self.features + 1) }
    }
}
