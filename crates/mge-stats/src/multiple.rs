//! Correction for many tests at once.

/// Holm's correction. The corrected p-values, in the given order, can be compared with one common
/// significance level although there are many tests.
pub fn holm(p_values: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..p_values.len()).collect();
    order.sort_by(|&a, &b| p_values[a].total_cmp(&p_values[b]));
    let mut adjusted = vec![0.0; p_values.len()];
    let mut lower_bound: f64 = 0.0;
    for (rank, &index) in order.iter().enumerate() {
        let remaining = (p_values.len() - rank) as f64;
        lower_bound = lower_bound.max((remaining * p_values[index]).min(1.0));
        adjusted[index] = lower_bound;
    }
    adjusted
}
