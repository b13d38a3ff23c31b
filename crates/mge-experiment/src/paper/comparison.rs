//! Ours beside the published values, with the difference and its significance.
//!
//! Against a published mean with its deviation: Welch's t. Against a mean alone: Student's t of
//! our runs (9 degrees of freedom for ten runs, as the paper has it). Over all rows: Holm. Where
//! nothing varies (equal runs against a mean alone) there is no test: no p-value, no verdict.

use super::{PublishedRow, published};
use crate::{
    Cell, Column, ExperimentError, Figure, ResultTable, Results, Row, RunRecord, SIGNIFICANCE,
};
use mge_stats::{Moments, StatsError, TTest, holm, one_sample_t, welch_t};

/// The comparison of one table. The first of `figures` is the one that is tested.
pub fn compare(
    table: &str,
    title: &str,
    figures: &[Figure],
    results: &Results,
    not_built: &[String],
) -> Result<ResultTable, ExperimentError> {
    let all = published()?;
    let wanted = |row: &&PublishedRow| match &row.data {
        Some(data) => results.rows.iter().any(|ours| ours.data == *data),
        None => true,
    };
    let rows: Vec<&PublishedRow> = all.table(table).filter(wanted).collect();
    let tested = figures[0];
    let tests: Vec<Option<TTest>> =
        rows.iter().map(|row| against(row, &ours(row, results), tested)).collect();
    let known: Vec<f64> = tests.iter().filter_map(p_value).collect();
    let mut adjusted = holm(&known).into_iter();
    let with_protocol = rows.iter().any(|row| row.protocol.is_some());
    let mut columns: Vec<Column> = vec!["Data set".into(), "Method".into()];
    if with_protocol {
        columns.push("Protocol".into());
    }
    columns.push("Runs".into());
    for (place, figure) in figures.iter().enumerate() {
        columns.extend([figure.title().into(), format!("{} paper", figure.title()).into()]);
        if place == 0 {
            columns.extend(["Difference".into(), Column::detail("Difference 95 %")]);
            columns.extend(["p", "Holm p", "Verdict"].map(Column::from));
        }
    }
    let comparisons_to_best = results.comparisons_to_best();
    let bold: Vec<&Row> = results
        .rows
        .iter()
        .zip(&comparisons_to_best)
        .filter(|(_, it)| it.bold)
        .map(|(row, _)| row)
        .collect();
    let mut cells = Vec::new();
    for (row, test) in rows.iter().zip(tests) {
        let corrected = p_value(&test).and_then(|_| adjusted.next());
        let mut line: Vec<Cell> = vec![row.data.clone().unwrap_or_default().into()];
        line.push(method_title(row).into());
        if with_protocol {
            line.push(row.protocol.map(|p| p.to_string()).unwrap_or_default().into());
        }
        let runs = ours(row, results);
        line.push(state(row, &runs, not_built).into());
        let is_best = bold.iter().any(|ours| is_ours(row, ours));
        for (place, &figure) in figures.iter().enumerate() {
            let moments = sample(&runs, figure);
            let (theirs, digits) = (row.figure(figure), figure.digits());
            let is_accuracy = figure == Figure::Accuracy;
            line.push(Cell::mean(moments, digits, is_accuracy && is_best));
            line.push(Cell::published(theirs, digits, is_accuracy && row.bold));
            if place == 0 {
                let means = moments.zip(theirs).map(|(ours, theirs)| (ours.mean, theirs.0));
                line.extend(difference_cells(means, test.as_ref(), digits));
                line.push(corrected.map_or(Cell::Empty, Cell::P));
                line.push(verdict(row, means, test.as_ref(), corrected).into());
            }
        }
        cells.push(line);
    }
    let mut notes = vec![
        format!(
            "Difference: ours minus the paper's. p: Welch's t against the published mean, \
             deviation and number of runs, or Student's t against a mean alone; two-sided. \
             Verdict at {SIGNIFICANCE} of the corrected p (Holm, all tests of the table); n.s.: no \
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
    Ok(ResultTable { title: title.to_owned(), columns, rows: cells, notes, detail_notes })
}

/// Ours minus theirs, the interval of that, and its p-value. The last two only of tests that say
/// anything.
pub(super) fn difference_cells(
    means: Option<(f64, f64)>,
    test: Option<&TTest>,
    digits: usize,
) -> [Cell; 3] {
    let difference = means
        .map_or(Cell::Empty, |(ours, theirs)| Cell::Difference { value: ours - theirs, digits });
    let p = p_value(&test.copied()).map_or(Cell::Empty, Cell::P);
    [difference, Cell::interval(test, digits), p]
}

fn verdict(
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
        // Too few runs show nothing; that is not to be equal.
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

/// How many runs there are, or why there are none.
fn state(row: &PublishedRow, runs: &[&RunRecord], not_built: &[String]) -> String {
    match runs.len() {
        // A selection of features before the classifier is not one of our methods.
        0 if row.feature_selection || not_built.contains(&row.method) => "not built".to_owned(),
        0 => "not run".to_owned(),
        count => count.to_string(),
    }
}

fn is_ours(row: &PublishedRow, ours: &Row) -> bool {
    let same_data = row.data.as_ref().is_none_or(|data| *data == ours.data);
    let same_parts = row.protocol.is_none_or(|protocol| protocol.parts == ours.protocol.parts);
    same_data && same_parts && ours.method == row.method && !row.feature_selection
}

/// Our runs of a published row.
pub(super) fn ours<'r>(row: &PublishedRow, results: &'r Results) -> Vec<&'r RunRecord> {
    let rows = results.rows.iter().filter(|ours| is_ours(row, ours));
    rows.flat_map(|ours| &ours.records).collect()
}

fn sample(runs: &[&RunRecord], figure: Figure) -> Option<Moments> {
    let values: Vec<f64> = runs.iter().map(|run| figure.of(run)).collect();
    Moments::of(&values).ok()
}

/// Our runs against the published value, where there are enough of them.
pub(super) fn against(row: &PublishedRow, runs: &[&RunRecord], figure: Figure) -> Option<TTest> {
    against_published(row, &sample(runs, figure)?, row.figure(figure)?).ok()
}

/// Welch's t where the paper gives a deviation, else Student's.
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

/// The p-value of a test that says anything.
pub(super) fn p_value(test: &Option<TTest>) -> Option<f64> {
    test.filter(TTest::has_spread).map(|test| test.p_value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_runs_are_no_proof_against_a_mean_alone() {
        let row = PublishedRow { runs: 30, ..PublishedRow::default() };
        let equal = Moments { count: 70, mean: 0.0, deviation: 0.0 };
        let told = |ours: &Moments, theirs: (f64, Option<f64>)| {
            let test = against_published(&row, ours, theirs).ok();
            let means = Some((ours.mean, theirs.0));
            let p = p_value(&test);
            let [_, interval, shown] = difference_cells(means, test.as_ref(), 2);
            assert_eq!(shown, p.map_or(Cell::Empty, Cell::P));
            (verdict(&row, means, test.as_ref(), p), interval.show(""), p.is_some())
        };
        let nothing = ("no test", String::new(), false);
        assert_eq!(told(&equal, (0.5, None)), nothing);
        assert_eq!(told(&equal, (0.0, None)), nothing);
        assert_eq!(told(&equal, (0.5, Some(0.0))), nothing);
        // The paper's own deviation measures it.
        assert_eq!(told(&equal, (0.5, Some(0.5))), ("below", "[-0.69, -0.31]".to_owned(), true));
        let one = Moments { count: 1, ..equal };
        assert_eq!(told(&one, (0.5, None)), ("", String::new(), false));
        let varied = Moments { count: 9, mean: 0.9, deviation: 0.3 };
        assert_eq!(told(&varied, (0.5, None)), ("above", "[0.17, 0.63]".to_owned(), true));
    }
}
