//! How few runs are too few: below a number of runs, no difference can be significant.

use crate::distinct::distinct;
use crate::{RankTest, ResultRow, Results, SIGNIFICANCE};

impl RankTest {
    /// The smallest p-value that this many runs of each method can have: that of runs which all
    /// differ in the same direction.
    pub(crate) fn smallest_p(self, runs: usize) -> f64 {
        match self {
            // Two of the 2^n ways to give signs to n differences are as extreme.
            Self::SignedRank => 2.0 * 0.5_f64.powi(runs.min(1_000) as i32),
            // Two of the (2n over n) ways to divide 2n values are as extreme.
            Self::RankSum => {
                let runs = runs.min(1_000) as u32;
                let factors = (1..=runs).map(|k| f64::from(k) / f64::from(runs + k));
                2.0 * factors.product::<f64>()
            }
        }
        .min(1.0)
    }

    /// The smallest number of runs whose p-value can be significant.
    pub(crate) fn fewest_runs(self) -> usize {
        (1..).find(|&runs| self.smallest_p(runs) < SIGNIFICANCE).unwrap_or(usize::MAX)
    }
}

impl Results {
    /// A note if the plan has too few runs for any difference to be significant, on some data sets
    /// or on all of them.
    pub fn too_few_runs(&self) -> Option<String> {
        let compared = |row: &&ResultRow| {
            self.rows.iter().filter(|other| other.is_compared_with(row)).count() > 1
        };
        let rows: Vec<&ResultRow> = self.rows.iter().filter(compared).collect();
        let needed = self.test.fewest_runs();
        // A pair of methods has as many runs as the method with fewer.
        let second_largest = |row: &ResultRow| {
            let group = rows.iter().filter(|other| other.is_compared_with(row));
            let mut planned: Vec<usize> = group.map(|other| other.planned).collect();
            planned.sort_unstable();
            planned.iter().rev().nth(1).copied().unwrap_or(0)
        };
        let short: Vec<&&ResultRow> =
            rows.iter().filter(|row| second_largest(row) < needed).collect();
        let max_runs = short.iter().map(|row| second_largest(row)).max()?;
        let smallest = self.test.smallest_p(max_runs);
        let data_sets = match short.len() == rows.len() {
            true => String::new(),
            false => {
                let names = distinct(short.iter().map(|row| row.data.as_str()));
                format!(" on {}", names.join(", "))
            }
        };
        let runs = if max_runs == 1 { "1 run".to_owned() } else { format!("{max_runs} runs") };
        Some(format!(
            "No difference{data_sets} can be significant: with {runs} of each method, the smallest p \
             of the {} test is {smallest:.3}, above {SIGNIFICANCE}. Expected {needed} runs or more.",
            self.test
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use mge_stats::{rank_sum, signed_rank};

    #[test]
    fn the_smallest_p_is_that_of_runs_that_all_agree() {
        for runs in 1..=12 {
            let theirs: Vec<f64> = (0..runs).map(|i| 0.01 * i as f64).collect();
            let ours: Vec<f64> = theirs.iter().map(|x| 1.0 + 1.01 * x).collect();
            let pairs = signed_rank(&ours, &theirs).unwrap().p_value;
            let all = rank_sum(&ours, &theirs).unwrap().p_value;
            assert!((RankTest::SignedRank.smallest_p(runs) - pairs).abs() < 1e-12, "{runs}");
            assert!((RankTest::RankSum.smallest_p(runs) - all).abs() < 1e-12, "{runs}");
        }
    }

    #[test]
    fn seven_pairs_can_be_significant_and_six_cannot() {
        assert_eq!(RankTest::SignedRank.fewest_runs(), 7);
        assert_eq!(RankTest::RankSum.fewest_runs(), 5);
    }
}
