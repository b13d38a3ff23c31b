//! Ranks of a sample. Tied values share the mean of the ranks that they occupy (mid-ranks).
//!
//! Two values are tied if they differ by at most 1e-12 of the largest one. Accuracies are quotients
//! of integers, and equal differences of such quotients can differ in their last bits.

/// The largest difference of tied values, as a fraction of the largest value.
pub(crate) const TIE: f64 = 1e-12;

/// Twice the mid-rank of each value: an integer, at least 2.
pub(crate) fn doubled_ranks(values: &[f64]) -> Vec<u64> {
    let tolerance = tolerance(values);
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by(|&a, &b| values[a].total_cmp(&values[b]));
    let mut ranks = vec![0; values.len()];
    let mut start = 0;
    while start < order.len() {
        let mut end = start + 1;
        while end < order.len() && values[order[end]] - values[order[end - 1]] <= tolerance {
            end += 1;
        }
        // Twice the mean of the ranks start + 1 ..= end.
        for &index in &order[start..end] {
            ranks[index] = (start + 1 + end) as u64;
        }
        start = end;
    }
    ranks
}

/// The largest difference of tied values in this sample.
pub(crate) fn tolerance(values: &[f64]) -> f64 {
    TIE * values.iter().fold(0.0, |max: f64, value| max.max(value.abs()))
}

/// The sum of `t^3 - t` over groups of `t` tied values.
pub(crate) fn tie_term(doubled_ranks: &[u64]) -> f64 {
    let mut sorted = doubled_ranks.to_vec();
    sorted.sort_unstable();
    sorted
        .chunk_by(|a, b| a == b)
        .map(|group| group.len() as f64)
        .map(|size| size * size * size - size)
        .sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tied_values_have_the_mean_rank() {
        assert_eq!(doubled_ranks(&[3.0, 1.0, 3.0, 2.0]), [7, 2, 7, 4]);
        assert_eq!(tie_term(&[7, 2, 7, 4]), 6.0);
        assert_eq!(doubled_ranks(&[]), Vec::<u64>::new());
    }

    #[test]
    fn rounding_does_not_break_a_tie() {
        // Both are 1/171 in decimal arithmetic.
        let (one, other) = (165.0 / 171.0 - 164.0 / 171.0, 100.0 / 171.0 - 99.0 / 171.0);
        assert_ne!(one, other);
        assert_eq!(doubled_ranks(&[one, other]), [3, 3]);
    }
}
