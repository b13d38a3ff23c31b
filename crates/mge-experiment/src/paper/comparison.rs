//! Our results beside the published values, with the difference and its significance.
//!
//! The test is Welch's t if the paper gives a deviation, and else Student's t of our runs (nine
//! degrees of freedom for ten runs, as in the paper). Holm's correction covers all rows. If all
//! runs are equal and the paper gives no deviation, there is no test, no p-value and no outcome.

use super::{PublishedRow, published};
use crate::{
    ExperimentError, FinishedRun, Metric, ResultRow, ResultTable, Results, SIGNIFICANCE, TableCell,
    TableColumn,
};
use mge_stats::{Moments, StatsError, TTest, holm, one_sample_t, welch_t};

/// Compares one table. The first of `metrics` is the one that is tested.
pub fn compare(
    table: &str,
    title: &str,
    metrics: &[Metric],
    results: &Results,
    unavailable_methods: &[String],
) -> Result<ResultTable, ExperimentError> {
    let all = published()?;
    let is_wanted = |row: &&PublishedRow| match &row.data {
        Some(data) => results.rows.iter().any(|ours| ours.data == *data),
        None => true,
    };
    let rows: Vec<&PublishedRow> = all.table(table).filter(is_wanted).collect();
    let tested = metrics[0];
    let tests: Vec<Option<TTest>> =
        rows.iter().map(|row| against(row, &ours(row, results), tested)).collect();
    let known: Vec<f64> = tests.iter().filter_map(p_value).collect();
    let mut adjusted = holm(&known).into_iter();
    let with_protocol = rows.iter().any(|row| row.protocol.is_some());
    let mut columns: Vec<TableColumn> = vec!["Data set".into(), "Method".into()];
    if with_protocol {
        columns.push("Protocol".into());
    }
    columns.push("Runs".into());
    for (index, metric) in metrics.iter().enumerate() {
        columns.extend([metric.title().into(), format!("{} paper", metric.title()).into()]);
        if index == 0 {
            columns.extend(["Difference".into(), TableColumn::detail("Difference 95 %")]);
            columns.extend(["p", "Holm p", "Outcome"].map(TableColumn::from));
        }
    }
    let comparisons_to_best = results.comparisons_to_best();
    let bold: Vec<&ResultRow> = results
        .rows
        .iter()
        .zip(&comparisons_to_best)
        .filter(|(_, it)| it.bold)
        .map(|(row, _)| row)
        .collect();
    let mut cells = Vec::new();
    for (row, test) in rows.iter().zip(tests) {
        let corrected = p_value(&test).and_then(|_| adjusted.next());
        let mut line: Vec<TableCell> = vec![row.data.clone().unwrap_or_default().into()];
        line.push(method_title(row).into());
        if with_protocol {
            line.push(row.protocol.map(|p| p.to_string()).unwrap_or_default().into());
        }
        let runs = ours(row, results);
        line.push(state(row, &runs, unavailable_methods).into());
        let is_best = bold.iter().any(|ours| is_ours(row, ours));
        for (index, &metric) in metrics.iter().enumerate() {
            let moments = sample(&runs, metric);
            let (theirs, digits) = (row.metric(metric), metric.digits());
            let is_accuracy = metric == Metric::Accuracy;
            line.push(TableCell::mean(moments, digits, is_accuracy && is_best));
            line.push(TableCell::published(theirs, digits, is_accuracy && row.bold));
            if index == 0 {
                let means = moments.zip(theirs).map(|(ours, theirs)| (ours.mean, theirs.0));
                line.extend(difference_cells(means, test.as_ref(), digits));
                line.push(corrected.map_or(TableCell::Empty, TableCell::P));
                line.push(outcome(row, means, test.as_ref(), corrected).into());
            }
        }
        cells.push(line);
    }
    let mut notes = vec![
        format!(
            "Difference: ours minus the paper's. p: Welch's t against the published mean, \
             deviation and number of runs, or Student's t against a mean alone; two-sided. \
             Outcome at {SIGNIFICANCE} of the corrected p (Holm, all tests of the table); n.s.: no \
             significant difference; no test: all runs are equal, so nothing measures the difference."
        ),
        "Bold (*): ours by Wilcoxon's signed-rank test on common splits, the paper's as printed."
            .to_owned(),
    ];
    for row in rows.iter().filter(|row| row.no_target.is_some()) {
        let why = row.no_target.clone().unwrap_or_default();
        let data = row.data.clone().unwrap_or_default();
        notes.push(format!("{data} {}: no target, {why}.", method_title(row)));
    }
    notes.push(format!("Published values: {}.", all.source));
    let detail_notes =
        vec!["95 %: confidence interval of the difference, by the same t.".to_owned()];
    Ok(ResultTable {
        title: title.to_owned(),
        columns,
        rows: cells,
        notes,
        detail_notes,
        ..ResultTable::default()
    })
}

/// The difference (ours minus theirs), its interval, and its p-value. The last two are empty if the
/// samples are constant.
pub(super) fn difference_cells(
    means: Option<(f64, f64)>,
    test: Option<&TTest>,
    digits: usize,
) -> [TableCell; 3] {
    let difference = means.map_or(TableCell::Empty, |(ours, theirs)| TableCell::Difference {
        value: ours - theirs,
        digits,
    });
    let p = p_value(&test.copied()).map_or(TableCell::Empty, TableCell::P);
    [difference, TableCell::interval(test, digits), p]
}

/// The outcome of the test of a row, in one word.
fn outcome(
    row: &PublishedRow,
    means: Option<(f64, f64)>,
    test: Option<&TTest>,
    corrected: Option<f64>,
) -> &'static str {
    let Some((ours, theirs)) = means else { return "" };
    match corrected {
        _ if row.no_target.is_some() => "no target",
        None if test.is_some() => "no test",
        None => "",
        // Not significant does not mean equal: there may be too few runs.
        Some(p) if p >= SIGNIFICANCE => "n.s.",
        Some(_) if ours > theirs => "above",
        Some(_) => "below",
    }
}

fn method_title(row: &PublishedRow) -> String {
    if row.feature_selection {
        format!("{} (selected features)", row.method)
    } else {
        row.method.clone()
    }
}

/// The number of runs, or why there are none.
fn state(row: &PublishedRow, runs: &[&FinishedRun], unavailable_methods: &[String]) -> String {
    match runs.len() {
        // No method of ours selects features before it starts.
        0 if row.feature_selection || unavailable_methods.contains(&row.method) => {
            "not built".to_owned()
        }
        0 => "not run".to_owned(),
        count => count.to_string(),
    }
}

fn is_ours(row: &PublishedRow, ours: &ResultRow) -> bool {
    let same_data = row.data.as_ref().is_none_or(|data| *data == ours.data);
    let same_parts = row.protocol.is_none_or(|protocol| protocol.scheme == ours.protocol.scheme);
    same_data && same_parts && ours.method == row.method && !row.feature_selection
}

/// Our runs of a published row.
pub(super) fn ours<'r>(row: &PublishedRow, results: &'r Results) -> Vec<&'r FinishedRun> {
    let rows = results.rows.iter().filter(|ours| is_ours(row, ours));
    rows.flat_map(|ours| &ours.runs).collect()
}

fn sample(runs: &[&FinishedRun], metric: Metric) -> Option<Moments> {
    let values: Vec<f64> = runs.iter().map(|run| metric.of(run)).collect();
    Moments::of(&values).ok()
}

/// Tests our runs against the published value; `None` if there are too few.
pub(super) fn against(row: &PublishedRow, runs: &[&FinishedRun], metric: Metric) -> Option<TTest> {
    against_published(row, &sample(runs, metric)?, row.metric(metric)?).ok()
}

/// Welch's t if the paper gives a deviation, else Student's t.
pub(super) fn against_published(
    row: &PublishedRow,
    ours: &Moments,
    theirs: (f64, Option<f64>),
) -> Result<TTest, StatsError> {
    match row.moments(theirs) {
        Some(theirs) => welch_t(ours, &theirs),
        None => one_sample_t(ours, theirs.0),
    }
}

/// The p-value of a test, unless the samples are constant.
pub(super) fn p_value(test: &Option<TTest>) -> Option<f64> {
    test.filter(TTest::has_spread).map(|test| test.p_value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_runs_cannot_be_tested_against_a_mean_alone() {
        let row = PublishedRow { runs: 30, ..PublishedRow::default() };
        let equal = Moments { count: 70, mean: 0.0, deviation: 0.0 };
        let reported = |ours: &Moments, theirs: (f64, Option<f64>)| {
            let test = against_published(&row, ours, theirs).ok();
            let means = Some((ours.mean, theirs.0));
            let p = p_value(&test);
            let [_, interval, shown] = difference_cells(means, test.as_ref(), 2);
            assert_eq!(shown, p.map_or(TableCell::Empty, TableCell::P));
            (outcome(&row, means, test.as_ref(), p), interval.show(""), p.is_some())
        };
        let nothing = ("no test", String::new(), false);
        assert_eq!(reported(&equal, (0.5, None)), nothing);
        assert_eq!(reported(&equal, (0.0, None)), nothing);
        assert_eq!(reported(&equal, (0.5, Some(0.0))), nothing);
        // The deviation of the paper allows a test.
        assert_eq!(
            reported(&equal, (0.5, Some(0.5))),
            ("below", "[-0.69, -0.31]".to_owned(), true)
        );
        let one = Moments { count: 1, ..equal };
        assert_eq!(reported(&one, (0.5, None)), ("", String::new(), false));
        let varied = Moments { count: 9, mean: 0.9, deviation: 0.3 };
        assert_eq!(reported(&varied, (0.5, None)), ("above", "[0.17, 0.63]".to_owned(), true));
    }
}
