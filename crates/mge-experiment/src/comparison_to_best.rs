//! Where a method stands among its rivals: tests against the best of a data set.
//!
//! Bold is as in the paper (section "Statistical Tests"): the best accuracy of a data set and those
//! that do not differ from it at the 0.025 level, unless that is all of them.

use crate::{Figure, Results, Row, RunRecord};
use mge_stats::{
    Distribution, Effect, MOST_EXACT_PAIRS, MOST_EXACT_VALUES, Moments, StatsError, TTest,
    WilcoxonTest, a12, one_sample_t, rank_sum, signed_rank, welch_t,
};
use std::fmt;
use std::str::FromStr;
use thiserror::Error;

/// The paper's level of significance.
pub const SIGNIFICANCE: f64 = 0.025;

/// Wilcoxon's test between methods.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum RankTest {
    /// Of the runs that both have, pair by pair: the usual one, since all methods of a plan run on
    /// the same splits.
    #[default]
    SignedRank,
    /// Of all runs of both, as if they had nothing in common.
    RankSum,
}

/// A name that is no test.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("unknown test `{found}`; expected signed-rank or rank-sum")]
pub struct UnknownTest {
    found: String,
}

impl FromStr for RankTest {
    type Err = UnknownTest;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text {
            "signed-rank" => Ok(Self::SignedRank),
            "rank-sum" => Ok(Self::RankSum),
            _ => Err(UnknownTest { found: text.to_owned() }),
        }
    }
}

impl fmt::Display for RankTest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::SignedRank => "signed-rank",
            Self::RankSum => "rank-sum",
        })
    }
}

impl RankTest {
    /// What the test was of, and how its p-values were found, in the words of a note.
    pub(crate) fn described(self, comparisons_to_best: &[ComparisonToBest]) -> String {
        let others = comparisons_to_best.iter().filter(|standing| !standing.is_best);
        let found: Vec<Distribution> = others
            .filter_map(|standing| Some(standing.against_best.as_ref()?.test.distribution))
            .collect();
        let (of, ties, limit) = match self {
            Self::SignedRank => {
                let limit = format!("{MOST_EXACT_PAIRS} pairs");
                ("on the common splits", "mid-ranks, pairs without difference left out", limit)
            }
            Self::RankSum => {
                ("of all runs", "mid-ranks", format!("{MOST_EXACT_VALUES} runs of both"))
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

/// The test accuracies of one method against those of another.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Comparison {
    /// Whether they differ.
    pub test: WilcoxonTest,
    /// How often the first is better.
    pub effect: Effect,
    /// The difference of the means, for its interval: Student's t of the pairs, or Welch's of all
    /// runs. `None` for fewer than two.
    pub difference: Option<TTest>,
}

/// A row against the best of its data set.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ComparisonToBest {
    /// Whether it is the best itself.
    pub is_best: bool,
    /// `None` without a run that could be compared.
    pub against_best: Option<Comparison>,
    /// Whether it is as good as the best while others are not.
    pub bold: bool,
}

impl Row {
    /// Accuracies of the runs that both have, pair by pair.
    fn paired(&self, other: &Row) -> (Vec<f64>, Vec<f64>) {
        let place = |run: &RunRecord| (run.entry.seed(), run.entry.fold);
        let pairs = self.records.iter().filter_map(|run| {
            let twin = other.records.iter().find(|twin| place(twin) == place(run))?;
            Some((run.test.accuracy, twin.test.accuracy))
        });
        pairs.unzip()
    }

    /// Compares the test accuracies; `None` without any that can be compared.
    pub fn compare(&self, other: &Row, by: RankTest) -> Option<Comparison> {
        let compared = match by {
            RankTest::SignedRank => {
                let (ours, theirs) = self.paired(other);
                compared_pairs(&ours, &theirs)
            }
            RankTest::RankSum => {
                compared_runs(&self.sample(Figure::Accuracy), &other.sample(Figure::Accuracy))
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
    /// The row with the best mean accuracy among the rivals of a row.
    pub fn best_rival(&self, row: &Row) -> Option<&Row> {
        let mean = |row: &Row| row.moments(Figure::Accuracy).map_or(f64::NEG_INFINITY, |m| m.mean);
        let rivals = self.rows.iter().filter(|rival| rival.is_rival(row));
        rivals
            .filter(|rival| !rival.records.is_empty())
            .reduce(|best, rival| if mean(rival) > mean(best) { rival } else { best })
    }

    /// Where each row stands, in the order of the rows.
    pub fn comparisons_to_best(&self) -> Vec<ComparisonToBest> {
        let stand = |row: &Row| {
            let best = self.best_rival(row);
            ComparisonToBest {
                is_best: best.is_some_and(|best| std::ptr::eq(best, row)),
                against_best: best.and_then(|best| row.compare(best, self.test)),
                bold: false,
            }
        };
        let mut comparisons_to_best: Vec<ComparisonToBest> = self.rows.iter().map(stand).collect();
        let equal: Vec<Option<bool>> =
            comparisons_to_best.iter().map(ComparisonToBest::equals_best).collect();
        for (place, row) in self.rows.iter().enumerate() {
            let rivals = self.rows.iter().zip(&equal).filter(|(rival, _)| rival.is_rival(row));
            let is_one_worse = rivals.into_iter().any(|(_, &equal)| equal == Some(false));
            comparisons_to_best[place].bold = equal[place] == Some(true) && is_one_worse;
        }
        comparisons_to_best
    }
}

impl ComparisonToBest {
    /// `None` where nothing could be compared.
    fn equals_best(&self) -> Option<bool> {
        self.against_best.map(|found| found.test.p_value >= SIGNIFICANCE)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn standing(ours: &[f64], theirs: &[f64], by: RankTest) -> ComparisonToBest {
        let compared = match by {
            RankTest::SignedRank => compared_pairs(ours, theirs),
            RankTest::RankSum => compared_runs(ours, theirs),
        };
        ComparisonToBest { is_best: false, against_best: Some(compared.unwrap()), bold: false }
    }

    #[test]
    fn pairs_see_what_all_runs_together_do_not() {
        // Splits differ much more than methods do.
        let theirs: Vec<f64> = (0..12).map(|i| 0.5 + 0.03 * f64::from(i)).collect();
        let ours: Vec<f64> =
            theirs.iter().zip([0.01, 0.02].iter().cycle()).map(|(t, d)| t + d).collect();
        let [pairs, all] = [RankTest::SignedRank, RankTest::RankSum]
            .map(|test| standing(&ours, &theirs, test).against_best.unwrap());
        assert_eq!(pairs.test.p_value, 2.0 / 4096.0);
        assert!(all.test.p_value > 0.5, "{all:?}");
        let [narrow, wide] =
            [pairs, all].map(|found| found.difference.unwrap().confidence(0.95).unwrap());
        assert!(wide.low < 0.0 && narrow.low > 0.01 && narrow.high < 0.02 && wide.high > 0.02);
    }

    #[test]
    fn the_note_says_what_was_done() {
        let sample = |count: u32, shift: f64| -> Vec<f64> {
            (0..count).map(|i| f64::from(i * 37 % count) / 1000.0 + shift).collect()
        };
        let few = standing(&sample(9, 0.0), &sample(9, 0.2), RankTest::SignedRank);
        let many = standing(&sample(201, 0.0), &sample(201, 0.2), RankTest::SignedRank);
        let told = |comparisons_to_best: &[ComparisonToBest]| {
            RankTest::SignedRank.described(comparisons_to_best)
        };
        assert_eq!(
            told(&[few]),
            "Wilcoxon's signed-rank test on the common splits (exact, mid-ranks, pairs without \
             difference left out)"
        );
        assert!(told(&[many]).contains("(normal approximation"), "{}", told(&[many]));
        assert!(told(&[few, many]).contains("(exact up to 200 pairs, above that normal"));
        let best = ComparisonToBest { is_best: true, ..many };
        assert!(told(&[best]).contains("(mid-ranks"), "the best is compared with nobody");
        let runs = standing(&sample(61, 0.0), &sample(60, 0.2), RankTest::RankSum);
        assert!(RankTest::RankSum.described(&[runs]).contains("of all runs (normal"));
    }

    #[test]
    fn tests_have_names() {
        for test in [RankTest::SignedRank, RankTest::RankSum] {
            assert_eq!(test.to_string().parse(), Ok(test));
        }
        let error = "sign".parse::<RankTest>().unwrap_err().to_string();
        assert_eq!(error, "unknown test `sign`; expected signed-rank or rank-sum");
    }
}
