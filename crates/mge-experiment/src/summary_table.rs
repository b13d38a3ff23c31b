//! The summary table of a plan: the form of the paper's tables, with intervals as details.

use crate::{
    ComparisonToBest, Metric, RankTest, ResultRow, ResultTable, Results, SIGNIFICANCE,
    SummaryColumn, TableCell, TableColumn,
};
use mge_stats::one_sample_t;

impl Results {
    /// The summary table: one line for each row of the results.
    pub fn summary_table(&self) -> ResultTable {
        let columns = SummaryColumn::defaults(self.has_one_protocol(), self.target_kinds());
        let heads = columns.iter().map(|&column| match column.is_detail() {
            true => TableColumn::detail(self.head(column)),
            false => self.head(column).into(),
        });
        self.table_of(&columns, heads.collect())
    }

    /// The summary table with these columns only, in this order.
    pub fn summary_table_of(&self, columns: &[SummaryColumn]) -> ResultTable {
        let heads = columns.iter().map(|&column| self.head(column).into()).collect();
        let mut table = self.table_of(columns, heads);
        table.notes.append(&mut table.detail_notes);
        table
    }

    fn table_of(&self, columns: &[SummaryColumn], heads: Vec<TableColumn>) -> ResultTable {
        let comparisons = self.comparisons_to_best();
        let rows = self.rows.iter().zip(&comparisons);
        let rows = rows.map(|(row, comparison)| {
            columns.iter().map(|&column| cell(row, comparison, column)).collect()
        });
        let has_protocol = columns.contains(&SummaryColumn::Protocol);
        let protocol = match self.rows.first() {
            Some(row) if self.has_one_protocol() && !has_protocol => {
                format!(", protocol {}", row.protocol)
            }
            _ => String::new(),
        };
        ResultTable {
            label: format!("tab:{}", self.name),
            title: format!("{}{protocol}: average ± standard deviation", self.name),
            columns: heads,
            rows: rows.collect(),
            notes: self.notes(columns, &comparisons),
            detail_notes: self.interval_note(columns).into_iter().collect(),
        }
    }

    fn has_one_protocol(&self) -> bool {
        self.rows.windows(2).all(|pair| pair[0].protocol == pair[1].protocol)
    }

    fn head(&self, column: SummaryColumn) -> String {
        match column {
            SummaryColumn::Data => "Data set".to_owned(),
            SummaryColumn::Method => "Method".to_owned(),
            SummaryColumn::Protocol => "Protocol".to_owned(),
            SummaryColumn::Runs => "Runs".to_owned(),
            SummaryColumn::AccuracyInterval => {
                format!("{} 95 %", Metric::Accuracy.title_for(self.target_kinds()))
            }
            SummaryColumn::Difference => "Difference".to_owned(),
            SummaryColumn::DifferenceInterval => "Difference 95 %".to_owned(),
            SummaryColumn::P => format!("{} p", self.test),
            SummaryColumn::A12 => "A12".to_owned(),
            other => {
                let targets = self.target_kinds();
                other.metric().map_or("", |metric| metric.title_for(targets)).to_owned()
            }
        }
    }

    /// What bold means, the tests, the metrics, and what no test of so few runs can find.
    fn notes(&self, columns: &[SummaryColumn], comparisons: &[ComparisonToBest]) -> Vec<String> {
        let has = |column| columns.contains(&column);
        let targets = self.target_kinds();
        let mut notes = Vec::new();
        if has(SummaryColumn::Accuracy) {
            notes.push(format!(
                "Bold (*): the best {} of a data set and those equal to it by {} at \
                 {SIGNIFICANCE}, unless all are equal.",
                targets.score(),
                self.test.described(comparisons)
            ));
        }
        let p = "p: of that test against the best";
        let a12 = "A12: chance to be better than the best";
        match (has(SummaryColumn::P), has(SummaryColumn::A12)) {
            (true, true) => notes.push(format!("{p}; {a12}.")),
            (true, false) => notes.push(format!("{p}.")),
            (false, true) => notes.push(format!("{a12}.")),
            (false, false) => {}
        }
        let metrics = columns.iter().filter_map(|column| column.metric());
        let legend: Vec<String> = metrics
            .map(|m| format!("{}: {}", m.title_for(targets), m.meaning_for(targets)))
            .collect();
        if !legend.is_empty() {
            notes.push(format!("{}.", legend.join("; ")));
        }
        if has(SummaryColumn::Accuracy) || has(SummaryColumn::P) {
            notes.extend(self.too_few_runs());
        }
        notes
    }

    fn interval_note(&self, columns: &[SummaryColumn]) -> Option<String> {
        let detail = columns.iter().any(|column| column.is_detail());
        detail.then(|| {
            format!(
                "95 %: Student's confidence interval of the mean; none where nothing varies. \
                     Difference: {} minus that of the best, {}.",
                self.target_kinds().score(),
                match self.test {
                    RankTest::SignedRank => "on the common splits, with Student's interval",
                    RankTest::RankSum => "of all runs, with Welch's interval",
                }
            )
        })
    }
}

fn cell(row: &ResultRow, comparison: &ComparisonToBest, column: SummaryColumn) -> TableCell {
    let digits = Metric::Accuracy.digits();
    let compared = comparison.against_best.filter(|_| !comparison.is_best);
    let difference = compared.and_then(|found| found.difference);
    match column {
        SummaryColumn::Data => row.data.as_str().into(),
        SummaryColumn::Method => row.title().into(),
        SummaryColumn::Protocol => row.protocol.to_string().into(),
        SummaryColumn::Runs => match row.runs.len() {
            done if done == row.planned => done.to_string().into(),
            done => format!("{done} of {}", row.planned).into(),
        },
        SummaryColumn::AccuracyInterval => {
            let moments = row.moments(Metric::Accuracy);
            let mean = moments.and_then(|moments| one_sample_t(&moments, 0.0).ok());
            TableCell::interval(mean.as_ref(), digits)
        }
        SummaryColumn::Difference => match difference {
            Some(test) => TableCell::Difference { value: test.difference, digits },
            None => TableCell::Empty,
        },
        SummaryColumn::DifferenceInterval => TableCell::interval(difference.as_ref(), digits),
        SummaryColumn::P => {
            compared.map_or(TableCell::Empty, |found| TableCell::P(found.test.p_value))
        }
        SummaryColumn::A12 => {
            compared.map_or(TableCell::Empty, |found| TableCell::number(found.effect.value, 2))
        }
        other => match other.metric() {
            Some(metric) => {
                let bold = metric == Metric::Accuracy && comparison.bold;
                TableCell::mean(row.moments(metric), row.digits(metric), bold)
            }
            None => TableCell::Empty,
        },
    }
}
