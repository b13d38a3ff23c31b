//! Solves symmetric linear equations by Cholesky decomposition with pivoting. Unknowns that depend
//! on others, such as a copy of a column, become zero.

/// A symmetric, positive semidefinite matrix, row by row.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct SymmetricMatrix {
    pub(super) size: usize,
    pub(super) cells: Vec<f64>,
}

impl SymmetricMatrix {
    pub(super) fn get(&self, row: usize, column: usize) -> f64 {
        self.cells[row * self.size + column]
    }

    /// The matrix with a number added to each cell of the diagonal.
    pub(super) fn plus_diagonal(&self, number: f64) -> Self {
        let mut sum = self.clone();
        sum.cells.iter_mut().step_by(self.size + 1).for_each(|cell| *cell += number);
        sum
    }

    /// The unknowns `x` with `matrix * x = right`. An unknown whose pivot falls below `min_pivot`
    /// times its diagonal cell depends on others, and is zero.
    pub(super) fn solve(&self, right: &[f64], min_pivot: f64) -> Vec<f64> {
        let n = self.size;
        let mut cells = self.cells.clone();
        let mut left: Vec<f64> = (0..n).map(|i| self.get(i, i)).collect();
        let diagonal = left.clone();
        // The order of unknowns: those with a pivot, and then the dependent ones.
        let mut order: Vec<usize> = (0..n).collect();
        let mut rank = 0;
        while rank < n {
            // The largest fraction of a diagonal cell that is left, the first among equals.
            let fraction = |&i: &usize| if diagonal[i] > 0.0 { left[i] / diagonal[i] } else { 0.0 };
            let largest = (rank..n)
                .reduce(|a, b| if fraction(&order[b]) > fraction(&order[a]) { b } else { a });
            let Some(at) = largest.filter(|&at| fraction(&order[at]) > min_pivot) else { break };
            order.swap(rank, at);
            let pivot = order[rank];
            let root = left[pivot].sqrt();
            // Row `i` of `cells` keeps the factor of unknown `i` in its first `rank` columns of
            // the order.
            let (done, rest) = order.split_at(rank);
            let pivot_row: Vec<f64> = done.iter().map(|&k| cells[pivot * n + k]).collect();
            for &i in &rest[1..] {
                let row = &cells[i * n..(i + 1) * n];
                let known: f64 = done.iter().zip(&pivot_row).map(|(&k, p)| row[k] * p).sum();
                let factor = (self.get(i, pivot) - known) / root;
                cells[i * n + pivot] = factor;
                left[i] -= factor * factor;
            }
            cells[pivot * n + pivot] = root;
            rank += 1;
        }
        let order = &order[..rank];
        let mut x = vec![0.0; n];
        for (step, &i) in order.iter().enumerate() {
            let known: f64 = order[..step].iter().map(|&k| cells[i * n + k] * x[k]).sum();
            x[i] = (right[i] - known) / cells[i * n + i];
        }
        for (step, &i) in order.iter().enumerate().rev() {
            let known: f64 = order[step + 1..].iter().map(|&k| cells[k * n + i] * x[k]).sum();
            x[i] = (x[i] - known) / cells[i * n + i];
        }
        x
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn product(factor: &[Vec<f64>]) -> SymmetricMatrix {
        let size = factor.len();
        let cell = |i: usize, j: usize| factor[i].iter().zip(&factor[j]).map(|(a, b)| a * b).sum();
        let cells = (0..size * size).map(|at| cell(at / size, at % size)).collect();
        SymmetricMatrix { size, cells }
    }

    #[test]
    fn a_copy_of_a_column_gets_zero() {
        let rows = vec![vec![1.0, 2.0, 0.5], vec![1.0, 2.0, 0.5], vec![0.0, 1.0, 3.0]];
        let matrix = product(&rows);
        let x = matrix.solve(&[5.25, 5.25, 3.5], 1e-10);
        assert_eq!(x.iter().filter(|x| **x == 0.0).count(), 2, "{x:?}");
        assert!((x[0] + x[1] - 1.0).abs() < 1e-12, "{x:?}");
        let zero = SymmetricMatrix { size: 2, cells: vec![0.0; 4] };
        assert_eq!(zero.solve(&[1.0, 1.0], 1e-10), [0.0, 0.0]);
    }

    proptest! {
        #[test]
        fn the_solution_solves(
            factor in (1usize..8).prop_flat_map(|n| {
                proptest::collection::vec(proptest::collection::vec(-3.0f64..3.0, n + 2), n)
            }),
            penalty in 0.01f64..2.0,
        ) {
            let matrix = product(&factor).plus_diagonal(penalty);
            let right: Vec<f64> = (0..matrix.size).map(|i| i as f64 - 1.5).collect();
            let x = matrix.solve(&right, 1e-12);
            for (i, right) in right.iter().enumerate() {
                let sum: f64 = (0..matrix.size).map(|j| matrix.get(i, j) * x[j]).sum();
                prop_assert!((sum - right).abs() < 1e-6, "{sum} {right}");
            }
        }
    }
}
