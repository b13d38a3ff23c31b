//! The inverse of a [`FisherMatrix`](super::FisherMatrix), which the optimal brain surgeon needs.
//!
//! Gauss-Jordan elimination. A damped curvature needs no pivot search. Several pivots are
//! eliminated together, so that each row is read and written once for all of them. Sums run in a
//! fixed order and are never fused, so the bits are the same on every SIMD level. [`invert`] is the
//! simple twin, one pivot at a time.

use crate::batch::dispatch::{self, Kernel};
use crate::simd::UsableLevel;

/// Pivots that are eliminated together.
const WIDTH: usize = 4;

/// A smaller pivot is zero up to rounding and is skipped.
const MIN_PIVOT: f64 = 1e-300;

/// Inverts a symmetric positive matrix in place, row after row.
pub fn invert(matrix: &mut [f64], size: usize) {
    let mut line = vec![0.0; size];
    for pivot in 0..size {
        eliminate(matrix, size, pivot, &mut line);
    }
}

/// The same for large matrices, with the instructions of a SIMD level.
pub(super) fn invert_blocked(matrix: &mut [f64], size: usize, level: UsableLevel) {
    dispatch::run(level, Invert { matrix, size });
}

struct Invert<'a> {
    matrix: &'a mut [f64],
    size: usize,
}

impl Kernel for Invert<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let Self { matrix, size } = self;
        let mut pivots = vec![0.0; WIDTH * size];
        let whole = size - size % WIDTH;
        for first in (0..whole).step_by(WIDTH) {
            eliminate_several(matrix, size, first, &mut pivots);
        }
        for pivot in whole..size {
            eliminate(matrix, size, pivot, &mut pivots[..size]);
        }
    }
}

/// Eliminates the pivots from `first` on. With `P` for their rows and `I` for the inverse of the
/// part where they meet, every other row `r` becomes `r - r_P I P`, and their own become `I P`.
#[inline(always)]
fn eliminate_several(matrix: &mut [f64], size: usize, first: usize, pivots: &mut [f64]) {
    pivots.copy_from_slice(&matrix[first * size..][..WIDTH * size]);
    let lines: [&[f64]; WIDTH] = std::array::from_fn(|p| &pivots[p * size..][..size]);
    let own = |k: usize| lines[k / WIDTH][first + k % WIDTH];
    let mut inverse: [f64; WIDTH * WIDTH] = std::array::from_fn(own);
    invert(&mut inverse, WIDTH);
    for (index, row) in matrix.chunks_exact_mut(size).enumerate() {
        let factors: [f64; WIDTH] = if (first..first + WIDTH).contains(&index) {
            row.fill(0.0);
            std::array::from_fn(|p| inverse[(index - first) * WIDTH + p])
        } else {
            let own = &row[first..][..WIDTH];
            let product = |p: usize, q: usize| own[q] * inverse[q * WIDTH + p];
            std::array::from_fn(|p| -(0..WIDTH).map(|q| product(p, q)).sum::<f64>())
        };
        let columns = lines[0].iter().zip(lines[1]).zip(lines[2]).zip(lines[3]);
        for (value, (((a, b), c), d)) in row.iter_mut().zip(columns) {
            *value += factors[0] * a + factors[1] * b + factors[2] * c + factors[3] * d;
        }
        row[first..][..WIDTH].copy_from_slice(&factors);
    }
}

/// Eliminates one pivot; `line` is a buffer for its row.
#[inline(always)]
fn eliminate(matrix: &mut [f64], size: usize, pivot: usize, line: &mut [f64]) {
    let value = matrix[pivot * size + pivot];
    if value.abs() < MIN_PIVOT {
        return;
    }
    let scale = 1.0 / value;
    line.copy_from_slice(&matrix[pivot * size..][..size]);
    for (index, row) in matrix.chunks_exact_mut(size).enumerate() {
        if index == pivot {
            for value in row.iter_mut() {
                *value *= scale;
            }
            row[pivot] = scale;
            continue;
        }
        let factor = row[pivot] * scale;
        for (value, &from) in row.iter_mut().zip(line.iter()) {
            *value -= factor * from;
        }
        row[pivot] = -factor;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simd::Level;
    use mge_random::{Purpose, Stream};

    /// `A A' + I / 10`, so that it is symmetric and positive.
    fn positive(size: usize) -> Vec<f64> {
        let mut stream = Stream::at(1, Purpose::Mutation, 0, size as u64);
        let any: Vec<f64> = (0..size * size).map(|_| stream.unit() - 0.5).collect();
        let value = |row: usize, column: usize| {
            let pairs = any[row * size..][..size].iter().zip(&any[column * size..][..size]);
            let own = if row == column { 0.1 } else { 0.0 };
            pairs.map(|(a, b)| a * b).sum::<f64>() + own
        };
        (0..size * size).map(|k| value(k / size, k % size)).collect()
    }

    #[test]
    fn both_give_one_times_the_matrix_and_equal_bits_on_every_level() {
        for size in [1, 3, 7, 8, 9, 16, 37] {
            let matrix = positive(size);
            let mut plain = matrix.clone();
            invert(&mut plain, size);
            let mut of_levels = Vec::new();
            for level in Level::available() {
                let mut fast = matrix.clone();
                let level = UsableLevel::new(level).expect("a usable one");
                invert_blocked(&mut fast, size, level);
                of_levels.push(fast);
            }
            for fast in &of_levels {
                assert_eq!(fast, &of_levels[0]);
                for inverse in [fast, &plain] {
                    for (row, column) in (0..size * size).map(|k| (k / size, k % size)) {
                        let product: f64 = (0..size)
                            .map(|k| matrix[row * size + k] * inverse[k * size + column])
                            .sum();
                        let expected = if row == column { 1.0 } else { 0.0 };
                        assert!((product - expected).abs() < 1e-9, "size {size}: {product}");
                    }
                }
            }
        }
    }
}
