//! Compares each method with the best method of its data set.
//!
//! Bold marks the best accuracy of a data set and those that do not differ from it at the 0.025
//! level, as in the paper (section "Statistical Tests"). If none differs, nothing is bold.
//!
//! For numbers, R2 takes the place of accuracy. Two runs on one split have the same test rows, so
//! a difference of R2 is one of mean squared errors, in units of the variance of the target.

use crate::{FinishedRun, Metric, ResultRow, Results};
use mge_stats::{
    Distribution, EffectSize, MAX_EXACT_PAIRS, MAX_EXACT_VALUES, Moments, StatsError, TTest,
    WilcoxonTest, a12, one_sample_t, rank_sum, signed_rank, welch_t,
};

/// The significance level of the paper.
pub(crate) const SIGNIFICANCE: f64 = 0.025;

mge_names::named_enum! {
    /// Wilcoxon's test for comparing methods.
    #[derive(Default)]
    pub enum RankTest: "test" {
        /// The test of paired runs. The default, because all methods of a plan run on the same
        /// splits.
        #[default]
        SignedRank = "signed-rank",
        /// The test of all runs of both methods, as independent samples.
        RankSum = "rank-sum",
    }
}

impl RankTest {
    /// The sentence of a note that says what was tested and how the p-values were computed.
    pub(crate) fn described(self, comparisons_to_best: &[ComparisonToBest]) -> String {
        let others = comparisons_to_best.iter().filter(|comparison| !comparison.is_best);
        let found: Vec<Distribution> = others
            .filter_map(|comparison| Some(comparison.against_best.as_ref()?.test.distribution))
            .collect();
        let (of, ties, limit) = match self {
            Self::SignedRank => {
                let limit = format!("{MAX_EXACT_PAIRS} pairs");
                ("on the common splits", "mid-ranks, pairs without difference left out", limit)
            }
            Self::RankSum => {
                ("of all runs", "mid-ranks", format!("{MAX_EXACT_VALUES} runs of both"))
            }
        };
        let normal = "normal approximation with tie and continuity correction";
        let has = |distribution| found.contains(&distribution);
        let how = match (has(Distribution::Exact), has(Distribution::Normal)) {
            (false, false) => String::new(),
            (true, false) => "exact, ".to_owned(),
            (false, true) => format!("{normal}, "),
            (true, true) => format!("exact up to {limit}, above that {normal}, "),
        };
        format!("Wilcoxon's {self} test {of} ({how}{ties})")
    }
}

/// The comparison of one method with another, by test accuracy.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Comparison {
    /// The test of whether they differ.
    pub test: WilcoxonTest,
    /// The effect size: how often the first method is better.
    pub effect: EffectSize,
    /// The difference of the means and its interval: Student's t of the pairs, or Welch's t of all
    /// runs. `None` for fewer than two runs.
    pub difference: Option<TTest>,
}

/// The comparison of a row with the best row of its data set.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ComparisonToBest {
    /// Whether this row is the best one.
    pub is_best: bool,
    /// `None` if no runs can be compared.
    pub against_best: Option<Comparison>,
    /// Whether it does not differ from the best while another row does.
    pub bold: bool,
}

impl ResultRow {
    /// The accuracies of the runs that both rows have, as pairs.
    fn paired(&self, other: &ResultRow) -> (Vec<f64>, Vec<f64>) {
        let split = |run: &FinishedRun| (run.entry.seed(), run.entry.fold);
        let pairs = self.runs.iter().filter_map(|run| {
            let twin = other.runs.iter().find(|twin| split(twin) == split(run))?;
            Some((run.test.accuracy, twin.test.accuracy))
        });
        pairs.unzip()
    }

    /// Compares the test accuracies of two rows; `None` if no runs can be compared.
    pub fn compare(&self, other: &ResultRow, by: RankTest) -> Option<Comparison> {
        let compared = match by {
            RankTest::SignedRank => {
                let (ours, theirs) = self.paired(other);
                compared_pairs(&ours, &theirs)
            }
            RankTest::RankSum => {
                compared_runs(&self.sample(Metric::Accuracy), &other.sample(Metric::Accuracy))
            }
        };
        compared.ok()
    }
}

fn compared_pairs(ours: &[f64], theirs: &[f64]) -> Result<Comparison, StatsError> {
    let test = signed_rank(ours, theirs)?;
    let differences: Vec<f64> = ours.iter().zip(theirs).map(|(a, b)| a - b).collect();
    let difference = one_sample_t(&Moments::of(&differences)?, 0.0).ok();
    Ok(Comparison { test, effect: a12(ours, theirs)?, difference })
}

fn compared_runs(ours: &[f64], theirs: &[f64]) -> Result<Comparison, StatsError> {
    let test = rank_sum(ours, theirs)?;
    let difference = welch_t(&Moments::of(ours)?, &Moments::of(theirs)?).ok();
    Ok(Comparison { test, effect: a12(ours, theirs)?, difference })
}

impl Results {
    /// The row with the best mean accuracy among those that a row is compared with.
    pub fn best_row(&self, row: &ResultRow) -> Option<&ResultRow> {
        let mean =
            |row: &ResultRow| row.moments(Metric::Accuracy).map_or(f64::NEG_INFINITY, |m| m.mean);
        let candidates = self.rows.iter().filter(|other| other.is_compared_with(row));
        candidates
            .filter(|other| !other.runs.is_empty())
            .reduce(|best, other| if mean(other) > mean(best) { other } else { best })
    }

    /// The comparison of each row with the best one, in the order of the rows.
    pub fn comparisons_to_best(&self) -> Vec<ComparisonToBest> {
        let compare = |row: &ResultRow| {
            let best = self.best_row(row);
            ComparisonToBest {
                is_best: best.is_some_and(|best| std::ptr::eq(best, row)),
                against_best: best.and_then(|best| row.compare(best, self.test)),
                bold: false,
            }
        };
        let mut comparisons_to_best: Vec<ComparisonToBest> =
            self.rows.iter().map(compare).collect();
        let equal: Vec<Option<bool>> =
            comparisons_to_best.iter().map(ComparisonToBest::equals_best).collect();
        for (index, row) in self.rows.iter().enumerate() {
            let compared =
                self.rows.iter().zip(&equal).filter(|(other, _)| other.is_compared_with(row));
            let is_one_worse = compared.into_iter().any(|(_, &equal)| equal == Some(false));
            comparisons_to_best[index].bold = equal[index] == Some(true) && is_one_worse;
        }
        comparisons_to_best
    }
}

impl ComparisonToBest {
    /// Whether it does not differ from the best; `None` if no runs can be compared.
    fn equals_best(&self) -> Option<bool> {
        self.against_best.map(|found| found.test.p_value >= SIGNIFICANCE)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn comparison(ours: &[f64], theirs: &[f64], by: RankTest) -> ComparisonToBest {
        let compared = match by {
            RankTest::SignedRank => compared_pairs(ours, theirs),
            RankTest::RankSum => compared_runs(ours, theirs),
        };
        ComparisonToBest { is_best: false, against_best: Some(compared.unwrap()), bold: false }
    }

    #[test]
    fn paired_tests_detect_what_unpaired_tests_miss() {
        // The accuracy varies much more between splits than between methods.
        let theirs: Vec<f64> = (0..12).map(|i| 0.5 + 0.03 * f64::from(i)).collect();
        let ours: Vec<f64> =
            theirs.iter().zip([0.01, 0.02].iter().cycle()).map(|(t, d)| t + d).collect();
        let [pairs, all] = [RankTest::SignedRank, RankTest::RankSum]
            .map(|test| comparison(&ours, &theirs, test).against_best.unwrap());
        assert_eq!(pairs.test.p_value, 2.0 / 4096.0);
        assert!(all.test.p_value > 0.5, "{all:?}");
        let [narrow, wide] =
            [pairs, all].map(|found| found.difference.unwrap().confidence(0.95).unwrap());
        assert!(wide.low < 0.0 && narrow.low > 0.01 && narrow.high < 0.02 && wide.high > 0.02);
    }

    #[test]
    fn the_note_describes_the_test() {
        let sample = |count: u32, shift: f64| -> Vec<f64> {
            (0..count).map(|i| f64::from(i * 37 % count) / 1000.0 + shift).collect()
        };
        let few = comparison(&sample(9, 0.0), &sample(9, 0.2), RankTest::SignedRank);
        let many = comparison(&sample(201, 0.0), &sample(201, 0.2), RankTest::SignedRank);
        let reported = |comparisons_to_best: &[ComparisonToBest]| {
            RankTest::SignedRank.described(comparisons_to_best)
        };
        assert_eq!(
            reported(&[few]),
            "Wilcoxon's signed-rank test on the common splits (exact, mid-ranks, pairs without \
             difference left out)"
        );
        assert!(reported(&[many]).contains("(normal approximation"), "{}", reported(&[many]));
        assert!(reported(&[few, many]).contains("(exact up to 200 pairs, above that normal"));
        let best = ComparisonToBest { is_best: true, ..many };
        assert!(reported(&[best]).contains("(mid-ranks"), "the best is not compared");
        let runs = comparison(&sample(61, 0.0), &sample(60, 0.2), RankTest::RankSum);
        assert!(RankTest::RankSum.described(&[runs]).contains("of all runs (normal"));
    }

    #[test]
    fn test_names_round_trip() {
        for test in [RankTest::SignedRank, RankTest::RankSum] {
            assert_eq!(test.to_string().parse(), Ok(test));
        }
        let error = "sign".parse::<RankTest>().unwrap_err().to_string();
        assert_eq!(error, "unknown test `sign`; expected signed-rank or rank-sum");
    }
}
