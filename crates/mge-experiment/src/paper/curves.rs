//! Error curves (appendix "Error Curve of Fittest Individual").

use super::Report;
use crate::figure::{Axes, Curve, chart};
use crate::{Cell, Column, ExperimentError, ResultTable, Results, Row};

/// The error of the fittest, the mean of all runs: a figure for each data set and one data file.
pub fn error_curves(title: &str, results: &Results) -> Result<Report, ExperimentError> {
    let columns = ["Data set", "Method", "Runs", "Generation", "Error"].map(Column::from).to_vec();
    let mut points = ResultTable { title: title.to_owned(), columns, ..ResultTable::default() };
    let columns = ["Data set", "Method", "Runs", "First", "Last"].map(Column::from).to_vec();
    let notes = vec!["Mean square error of the fittest on the training rows.".to_owned()];
    let mut sheet =
        ResultTable { title: title.to_owned(), columns, notes, ..ResultTable::default() };
    let mut figures = Vec::new();
    for name in results.data_sets() {
        let mut curves = Vec::new();
        for row in results.rows.iter().filter(|row| row.data == name && !row.records.is_empty()) {
            let curve = mean_curve(row);
            let head: Vec<Cell> =
                vec![name.into(), row.title().into(), row.records.len().to_string().into()];
            points.rows.extend(curve.iter().map(|&(generation, error)| {
                let more = [Cell::number(generation, 0), Cell::number(error, 6)];
                head.iter().cloned().chain(more).collect()
            }));
            let ends = [curve.first(), curve.last()].map(|end| end.map_or(0.0, |end| end.1));
            let ends = ends.map(|error| Cell::number(error, 4));
            sheet.rows.push(head.into_iter().chain(ends).collect());
            curves.push(Curve { name: row.title(), points: curve });
        }
        let axes = Axes {
            title: format!("{name}: error of the fittest"),
            x: "generation".to_owned(),
            y: "mean square error".to_owned(),
        };
        figures.push((format!("error-{name}.svg"), chart(&axes, &curves)?));
    }
    let mut report = Report::new("fig-error-curves", sheet);
    report.files.push(("curves.csv".to_owned(), points.csv()));
    report.files.extend(figures);
    Ok(report)
}

/// The mean over all runs at the generations that all of them recorded.
fn mean_curve(row: &Row) -> Vec<(f64, f64)> {
    let length = row.records.iter().map(|run| run.curve.len()).min().unwrap_or(0);
    (0..length)
        .filter_map(|place| {
            let losses: Option<Vec<f64>> =
                row.records.iter().map(|run| run.curve[place].best_loss).collect();
            let losses = losses?;
            let generation = row.records[0].curve[place].generation as f64;
            Some((generation, losses.iter().sum::<f64>() / losses.len() as f64))
        })
        .collect()
}
