//! Error curves (appendix "Error Curve of Fittest Individual").

use super::ExperimentReport;
use crate::{ExperimentError, ResultRow, ResultTable, Results, TableCell, TableColumn};
use mge_plot::{Axes, Curve, line_chart};

/// Reports the error of the fittest individual, the mean of all runs: a figure for each data set
/// and one file of data.
pub fn error_curves(title: &str, results: &Results) -> Result<ExperimentReport, ExperimentError> {
    let columns =
        ["Data set", "Method", "Runs", "Generation", "Error"].map(TableColumn::from).to_vec();
    let mut points = ResultTable { title: title.to_owned(), columns, ..ResultTable::default() };
    let columns = ["Data set", "Method", "Runs", "First", "Last"].map(TableColumn::from).to_vec();
    let notes = vec!["Mean square error of the fittest on the training rows.".to_owned()];
    let mut table =
        ResultTable { title: title.to_owned(), columns, notes, ..ResultTable::default() };
    let mut charts = Vec::new();
    for name in results.data_sets() {
        let mut curves = Vec::new();
        for row in results.rows.iter().filter(|row| row.data == name && !row.runs.is_empty()) {
            let curve = mean_curve(row);
            let head: Vec<TableCell> =
                vec![name.into(), row.title().into(), row.runs.len().to_string().into()];
            points.rows.extend(curve.iter().map(|&(generation, error)| {
                let more = [TableCell::number(generation, 0), TableCell::number(error, 6)];
                head.iter().cloned().chain(more).collect()
            }));
            let ends = [curve.first(), curve.last()].map(|end| end.map_or(0.0, |end| end.1));
            let ends = ends.map(|error| TableCell::number(error, 4));
            table.rows.push(head.into_iter().chain(ends).collect());
            curves.push(Curve::new(row.title(), curve));
        }
        let axes = Axes {
            title: format!("{name}: error of the fittest"),
            x: "generation".to_owned(),
            y: "mean square error".to_owned(),
        };
        charts.push((format!("error-{name}.svg"), line_chart(&axes, &curves)?));
    }
    let mut report = ExperimentReport::new("fig-error-curves", table);
    report.add_file("curves.csv", points.csv());
    charts.into_iter().for_each(|(name, svg)| report.add_file(name, svg));
    Ok(report)
}

/// The mean over all runs, at the generations that all of them have recorded.
fn mean_curve(row: &ResultRow) -> Vec<(f64, f64)> {
    let length = row.runs.iter().map(|run| run.curve.len()).min().unwrap_or(0);
    (0..length)
        .filter_map(|index| {
            let losses: Option<Vec<f64>> =
                row.runs.iter().map(|run| run.curve[index].best_loss).collect();
            let losses = losses?;
            let generation = row.runs[0].curve[index].generation as f64;
            Some((generation, losses.iter().sum::<f64>() / losses.len() as f64))
        })
        .collect()
}
