//! The summary table of a plan: the form of the paper's tables, with intervals as details.

use crate::metric::TargetKinds;
use crate::{
    ComparisonToBest, Metric, RankTest, ResultRow, ResultTable, Results, SIGNIFICANCE, TableCell,
    TableColumn,
};
use mge_stats::one_sample_t;

impl Results {
    /// The summary table: one line for each row of the results.
    pub fn summary_table(&self) -> ResultTable {
        let one_protocol = self.rows.windows(2).all(|pair| pair[0].protocol == pair[1].protocol);
        let mut columns: Vec<TableColumn> = vec!["Data set".into(), "Method".into()];
        if !one_protocol {
            columns.push("Protocol".into());
        }
        columns.push("Runs".into());
        let targets = self.target_kinds();
        let (metrics, score) = match targets {
            TargetKinds::Classes => (&Metric::OF_PAPER[..], "accuracy"),
            TargetKinds::Values => (&Metric::OF_VALUES[..], "R2"),
            TargetKinds::Both => (&Metric::OF_VALUES[..], "accuracy, or R2 of numbers,"),
        };
        for metric in metrics {
            let title = metric.title_for(targets);
            columns.push(title.into());
            if *metric == Metric::Accuracy {
                columns.push(TableColumn::detail(format!("{title} 95 %")));
            }
        }
        columns.extend([TableColumn::detail("Difference"), TableColumn::detail("Difference 95 %")]);
        columns.extend([format!("{} p", self.test).into(), "A12".into()]);
        let comparisons_to_best = self.comparisons_to_best();
        let rows = self.rows.iter().zip(&comparisons_to_best);
        let rows =
            rows.map(|(row, comparison)| cells(row, comparison, metrics, one_protocol)).collect();
        let protocol = match self.rows.first() {
            Some(row) if one_protocol => format!(", protocol {}", row.protocol),
            _ => String::new(),
        };
        ResultTable {
            title: format!("{}{protocol}: average ± standard deviation", self.name),
            columns,
            rows,
            notes: vec![
                format!(
                    "Bold (*): the best {score} of a data set and those equal to it by {} at \
                     {SIGNIFICANCE}, unless all are equal.",
                    self.test.described(&comparisons_to_best)
                ),
                "p: of that test against the best; A12: chance to be better than the best."
                    .to_owned(),
            ],
            detail_notes: vec![format!(
                "95 %: Student's confidence interval of the mean; none where nothing varies. \
                     Difference: {} minus that of the best, {}.",
                score.trim_end_matches(','),
                match self.test {
                    RankTest::SignedRank => "on the common splits, with Student's interval",
                    RankTest::RankSum => "of all runs, with Welch's interval",
                }
            )],
        }
    }
}

fn cells(
    row: &ResultRow,
    comparison: &ComparisonToBest,
    metrics: &[Metric],
    one_protocol: bool,
) -> Vec<TableCell> {
    let mut cells: Vec<TableCell> = vec![row.data.as_str().into(), row.title().into()];
    if !one_protocol {
        cells.push(row.protocol.to_string().into());
    }
    let done = row.runs.len();
    cells.push(if done == row.planned {
        done.to_string().into()
    } else {
        format!("{done} of {}", row.planned).into()
    });
    for &metric in metrics {
        let moments = row.moments(metric);
        let is_tested = metric == Metric::Accuracy;
        cells.push(TableCell::mean(moments, row.digits(metric), is_tested && comparison.bold));
        if is_tested {
            let mean = moments.and_then(|moments| one_sample_t(&moments, 0.0).ok());
            cells.push(TableCell::interval(mean.as_ref(), metric.digits()));
        }
    }
    let digits = Metric::Accuracy.digits();
    let compared = comparison.against_best.filter(|_| !comparison.is_best);
    let difference = compared.and_then(|found| found.difference);
    cells.push(match difference {
        Some(test) => TableCell::Difference { value: test.difference, digits },
        None => TableCell::Empty,
    });
    cells.push(TableCell::interval(difference.as_ref(), digits));
    match compared {
        Some(found) => {
            cells.extend([
                TableCell::P(found.test.p_value),
                TableCell::number(found.effect.value, 2),
            ]);
        }
        None => cells.extend([TableCell::Empty, TableCell::Empty]),
    }
    cells
}
