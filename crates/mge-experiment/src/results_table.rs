//! The table of a plan's results, in the form of the paper's tables, with intervals as details.

use crate::{
    Cell, Column, ComparisonToBest, Figure, RankTest, ResultTable, Results, Row, SIGNIFICANCE,
};
use mge_stats::one_sample_t;

impl Results {
    /// The table.
    pub fn sheet(&self) -> ResultTable {
        let one_protocol = self.rows.windows(2).all(|pair| pair[0].protocol == pair[1].protocol);
        let mut columns: Vec<Column> = vec!["Data set".into(), "Method".into()];
        if !one_protocol {
            columns.push("Protocol".into());
        }
        columns.push("Runs".into());
        for figure in Figure::OF_PAPER {
            columns.push(figure.title().into());
            if figure == Figure::Accuracy {
                columns.push(Column::detail(format!("{} 95 %", figure.title())));
            }
        }
        columns.extend([Column::detail("Difference"), Column::detail("Difference 95 %")]);
        columns.extend([format!("{} p", self.test).into(), "A12".into()]);
        let comparisons_to_best = self.comparisons_to_best();
        let rows = self.rows.iter().zip(&comparisons_to_best);
        let rows = rows.map(|(row, standing)| cells(row, standing, one_protocol)).collect();
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
                    "Bold (*): the best accuracy of a data set and those equal to it by {} at \
                     {SIGNIFICANCE}, unless all are equal.",
                    self.test.described(&comparisons_to_best)
                ),
                "p: of that test against the best; A12: chance to be better than the best."
                    .to_owned(),
            ],
            detail_notes: vec![format!(
                "95 %: Student's confidence interval of the mean; none where nothing varies. \
                     Difference: accuracy minus that of the best, {}.",
                match self.test {
                    RankTest::SignedRank => "on the common splits, with Student's interval",
                    RankTest::RankSum => "of all runs, with Welch's interval",
                }
            )],
        }
    }
}

fn cells(row: &Row, standing: &ComparisonToBest, one_protocol: bool) -> Vec<Cell> {
    let mut cells: Vec<Cell> = vec![row.data.as_str().into(), row.title().into()];
    if !one_protocol {
        cells.push(row.protocol.to_string().into());
    }
    let done = row.records.len();
    cells.push(if done == row.planned {
        done.to_string().into()
    } else {
        format!("{done} of {}", row.planned).into()
    });
    for figure in Figure::OF_PAPER {
        let moments = row.moments(figure);
        let is_tested = figure == Figure::Accuracy;
        cells.push(Cell::mean(moments, figure.digits(), is_tested && standing.bold));
        if is_tested {
            let mean = moments.and_then(|moments| one_sample_t(&moments, 0.0).ok());
            cells.push(Cell::interval(mean.as_ref(), figure.digits()));
        }
    }
    let digits = Figure::Accuracy.digits();
    let compared = standing.against_best.filter(|_| !standing.is_best);
    let difference = compared.and_then(|found| found.difference);
    cells.push(match difference {
        Some(test) => Cell::Difference { value: test.difference, digits },
        None => Cell::Empty,
    });
    cells.push(Cell::interval(difference.as_ref(), digits));
    match compared {
        Some(found) => {
            cells.extend([Cell::P(found.test.p_value), Cell::number(found.effect.value, 2)]);
        }
        None => cells.extend([Cell::Empty, Cell::Empty]),
    }
    cells
}
