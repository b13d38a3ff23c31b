//! What the network loses without each column.

use crate::page::PageError;
use crate::page::panel::Panel;
use crate::report_data::ReportData;
use crate::text::clean;
use askama::Template;
use mge::{ColumnImportance, SHUFFLES, column_importance};

/// Columns that are shown at once.
const MAX_SHOWN: usize = 25;

#[derive(Template)]
#[template(path = "panels/importance.html")]
struct Importance {
    measure: &'static str,
    rows: usize,
    shuffles: usize,
    unread: usize,
    shown: Vec<Line>,
    more: Vec<Line>,
}

struct Line {
    name: String,
    features: usize,
    lost: String,
    loss: String,
    /// Ends of the bar and of the deviation, in per cent of the widest.
    bar: String,
    low: String,
    width: String,
}

pub fn panel(run: &ReportData) -> Result<Option<Panel>, PageError> {
    let Some(calibration) = &run.calibration else { return Ok(None) };
    let found = column_importance(&run.model, calibration).unwrap_or_default();
    if found.is_empty() {
        return Ok(None);
    }
    let end = |one: &ColumnImportance| one.accuracy_lost.mean + one.accuracy_lost.deviation;
    let widest = found.iter().map(end).fold(1e-9, f64::max);
    let line = |one: &ColumnImportance| {
        let (lost, gained) = (one.accuracy_lost, one.loss_gained);
        let at = |value: f64| (100.0 * value / widest).clamp(0.0, 100.0);
        let (low, high) = (at(lost.mean - lost.deviation), at(lost.mean + lost.deviation));
        Line {
            name: clean(&one.column),
            features: one.features,
            lost: format!("{:.3} ± {:.3}", lost.mean, lost.deviation).replace('-', "−"),
            loss: format!("{:.3} ± {:.3}", gained.mean, gained.deviation).replace('-', "−"),
            bar: format!("{:.1}", at(lost.mean)),
            low: format!("{low:.1}"),
            width: format!("{:.1}", high - low),
        }
    };
    let mut shown: Vec<Line> = found.iter().map(line).collect();
    let more = shown.split_off(shown.len().min(MAX_SHOWN));
    let panel = Importance {
        measure: run.score_name(),
        rows: calibration.sample.labels.len(),
        shuffles: SHUFFLES,
        unread: run.model.preprocess.columns().len() - found.len(),
        shown,
        more,
    };
    Panel::of("importance", "Importance of columns", &panel)
}
