//! Ours beside the published values, with the difference and its significance.
//!
//! Against a published mean with its deviation: Welch's t. Against a mean alone: Student's t of
//! our runs (9 degrees of freedom for ten runs, as the paper has it). Over all rows: Holm.

use super::{PublishedRow, published};
use crate::{Cell, Figure, LabError, Results, Row, RunRecord, SIGNIFICANCE, Sheet};
use mge_stats::{Moments, holm, one_sample_t, welch_t};

/// The comparison of one table. The first of `figures` is the one that is tested.
pub fn compare(
    table: &str,
    title: &str,
    figures: &[Figure],
    results: &Results,
    not_built: &[String],
) -> Result<Sheet, LabError> {
    let all = published()?;
    let wanted = |row: &&PublishedRow| match &row.data {
        Some(data) => results.rows.iter().any(|ours| ours.data == *data),
        None => true,
    };
    let rows: Vec<&PublishedRow> = all.table(table).filter(wanted).collect();
    let tested = figures[0];
    let p_values: Vec<Option<f64>> =
        rows.iter().map(|row| significance(row, &ours(row, results), tested)).collect();
    let known: Vec<f64> = p_values.iter().copied().flatten().collect();
    let mut adjusted = holm(&known).into_iter();
    let with_protocol = rows.iter().any(|row| row.protocol.is_some());
    let mut columns = vec!["Data set".to_owned(), "Method".to_owned()];
    if with_protocol {
        columns.push("Protocol".to_owned());
    }
    columns.push("Runs".to_owned());
    for (place, figure) in figures.iter().enumerate() {
        columns.extend([figure.title().to_owned(), format!("{} paper", figure.title())]);
        if place == 0 {
            columns.extend(["Difference", "p", "Holm p", "Verdict"].map(String::from));
        }
    }
    let mut cells = Vec::new();
    for (row, p) in rows.iter().zip(p_values) {
        let corrected = p.and_then(|_| adjusted.next());
        let mut line: Vec<Cell> = vec![row.data.clone().unwrap_or_default().into()];
        line.push(method_title(row).into());
        if with_protocol {
            line.push(row.protocol.map(|p| p.to_string()).unwrap_or_default().into());
        }
        let runs = ours(row, results);
        line.push(state(row, &runs, not_built).into());
        for (place, &figure) in figures.iter().enumerate() {
            let moments = sample(&runs, figure);
            line.push(cell(
                moments.map(|m| (m.mean, m.known_deviation())),
                figure,
                is_bold(row, results, figure),
            ));
            let theirs = row.figure(figure);
            line.push(cell(theirs, figure, figure == Figure::Accuracy && row.bold));
            if place == 0 {
                line.extend(verdict(row, moments, theirs, figure, p, corrected));
            }
        }
        cells.push(line);
    }
    let mut notes = vec![
        format!(
            "Difference: ours minus the paper's. p: Welch's t against the published mean, \
             deviation and number of runs, or Student's t against a mean alone; two-sided. \
             Verdict at {SIGNIFICANCE} of the corrected p (Holm, all rows of the table); n.s.: no \
             significant difference."
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
    Ok(Sheet { title: title.to_owned(), columns, rows: cells, notes })
}

fn verdict(
    row: &PublishedRow,
    ours: Option<Moments>,
    theirs: Option<(f64, Option<f64>)>,
    figure: Figure,
    p: Option<f64>,
    corrected: Option<f64>,
) -> [Cell; 4] {
    let (Some(ours), Some((theirs, _))) = (ours, theirs) else {
        return [Cell::Empty, Cell::Empty, Cell::Empty, Cell::Empty];
    };
    let difference = ours.mean - theirs;
    let word = match corrected {
        _ if row.no_target.is_some() => "no target",
        None => "",
        // Too few runs show nothing; that is not to be equal.
        Some(p) if p >= SIGNIFICANCE => "n.s.",
        Some(_) if difference > 0.0 => "above",
        Some(_) => "below",
    };
    let signed = format!("{difference:+.digits$}", digits = figure.digits());
    let shown = |p: Option<f64>| p.map_or(Cell::Empty, Cell::p_value);
    [signed.into(), shown(p), shown(corrected), word.into()]
}

fn cell(figures: Option<(f64, Option<f64>)>, figure: Figure, bold: bool) -> Cell {
    match figures {
        Some((mean, deviation)) => Cell::Figure { mean, deviation, digits: figure.digits(), bold },
        None => Cell::Empty,
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

fn is_bold(row: &PublishedRow, results: &Results, figure: Figure) -> bool {
    let mut rows = results.rows.iter().filter(|ours| is_ours(row, ours));
    figure == Figure::Accuracy && rows.any(|ours| results.is_bold(ours))
}

fn sample(runs: &[&RunRecord], figure: Figure) -> Option<Moments> {
    let values: Vec<f64> = runs.iter().map(|run| figure.of(run)).collect();
    Moments::of(&values).ok()
}

/// The p-value of the difference, where there are enough runs.
pub(super) fn significance(row: &PublishedRow, runs: &[&RunRecord], figure: Figure) -> Option<f64> {
    let ours = sample(runs, figure)?;
    let theirs = row.figure(figure)?;
    let test = match row.moments(theirs) {
        Some(moments) => welch_t(&ours, &moments),
        None => one_sample_t(&ours, theirs.0),
    };
    test.ok().map(|test| test.p_value)
}
