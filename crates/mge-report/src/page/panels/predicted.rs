//! Predicted against true numbers, residuals, and the error by the size of the true number.

use crate::page::PageError;
use crate::page::panel::Panel;
use crate::report_data::ReportData;
use crate::text::{clean, number};
use askama::Template;
use mge_plot::{Figure, Plot, Series, SeriesStyle};

/// Groups of rows in the table of errors.
const GROUPS: usize = 5;
/// Fewer rows are no basis for groups.
const MIN_ROWS: usize = 10;

#[derive(Template)]
#[template(path = "panels/predicted.html")]
struct Predicted {
    lead: String,
    targets: Vec<TargetErrors>,
}

/// One target column.
struct TargetErrors {
    name: String,
    figures: Vec<Figure>,
    groups: Vec<Group>,
}

/// Rows with similar true numbers.
struct Group {
    range: String,
    rows: usize,
    mean_error: String,
    absolute_error: String,
}

pub fn panel(run: &ReportData) -> Result<Option<Panel>, PageError> {
    let Some(stored) = &run.calibration else { return Ok(None) };
    let (rows, part) = match &stored.test {
        Some(test) => (test, "test"),
        None => (&stored.sample, "training"),
    };
    let predicted = run.model.values_of(rows).unwrap_or_default();
    if rows.labels.len() < MIN_ROWS || predicted.len() != rows.values.len() {
        return Ok(None);
    }
    let names = run.model.target_columns();
    let mut targets = Vec::new();
    for ((name, predicted), truth) in names.iter().zip(&predicted).zip(&rows.values) {
        let pairs: Vec<(f64, f64)> = truth.iter().copied().zip(predicted.iter().copied()).collect();
        let figures = figures(&pairs)?;
        targets.push(TargetErrors { name: clean(name), figures, groups: groups(&pairs) });
    }
    if targets.is_empty() {
        return Ok(None);
    }
    let lead = format!(
        "On {} {part} rows. A residual is the predicted number minus the true one.",
        rows.labels.len()
    );
    Panel::of("predicted", "Predicted and true", &Predicted { lead, targets })
}

/// Predicted against true numbers, and residuals against predicted ones.
fn figures(pairs: &[(f64, f64)]) -> Result<Vec<Figure>, PageError> {
    let low = pairs.iter().fold(f64::INFINITY, |low, pair| low.min(pair.0));
    let high = pairs.iter().fold(f64::NEG_INFINITY, |high, pair| high.max(pair.0));
    let plot = |title, x, y, points: Vec<(f64, f64)>, name: &str, guide: Vec<(f64, f64)>| {
        let series = vec![
            Series::line("rows", 0, points).styled(SeriesStyle::Dots),
            Series::line(name, 1, guide).styled(SeriesStyle::Dashed),
        ];
        Plot { title, x, y, from_zero: false, max: None, series }.draw()
    };
    let residuals: Vec<(f64, f64)> = pairs.iter().map(|(t, p)| (*p, p - t)).collect();
    let ends = residuals.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |ends, point| {
        (ends.0.min(point.0), ends.1.max(point.0))
    });
    let diagonal = vec![(low, low), (high, high)];
    let zero = vec![(ends.0, 0.0), (ends.1, 0.0)];
    let predicted =
        plot("Predicted against true", "true", "predicted", pairs.to_vec(), "equal", diagonal)?;
    let residual = plot("Residuals", "predicted", "residual", residuals, "no error", zero)?;
    Ok(predicted.into_iter().chain(residual).collect())
}

/// The errors in groups of rows with similar true numbers, from small to large ones.
fn groups(pairs: &[(f64, f64)]) -> Vec<Group> {
    let mut sorted = pairs.to_vec();
    sorted.sort_by(|a, b| a.0.total_cmp(&b.0));
    let count = GROUPS.min(sorted.len() / 2).max(1);
    let group = |group: usize| {
        let part = &sorted[group * sorted.len() / count..(group + 1) * sorted.len() / count];
        let mean = |error: fn(f64) -> f64| {
            part.iter().map(|(t, p)| error(p - t)).sum::<f64>() / part.len() as f64
        };
        Group {
            range: format!("{} to {}", number(part[0].0), number(part[part.len() - 1].0)),
            rows: part.len(),
            mean_error: number(mean(|error| error)),
            absolute_error: number(mean(f64::abs)),
        }
    };
    (0..count).map(group).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_have_all_rows_and_their_errors() {
        let pairs: Vec<(f64, f64)> = (0..23).map(|n| (f64::from(n), f64::from(n) + 0.5)).collect();
        let groups = groups(&pairs);
        assert_eq!(groups.iter().map(|group| group.rows).sum::<usize>(), 23);
        assert!(groups.iter().all(|group| group.mean_error == "0.5"));
        assert_eq!(groups[0].range, "0 to 3");
        assert_eq!(figures(&pairs).unwrap().len(), 2);
    }
}
