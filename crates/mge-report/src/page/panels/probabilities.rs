//! Whether probabilities mean what they say, and what a threshold on them costs: calibration curve,
//! ROC and precision-recall curve.

use crate::page::PageError;
use crate::page::panel::Panel;
use crate::page::threshold_curves::{Scored, calibration, precision_recall, roc};
use crate::report_data::ReportData;
use crate::text::clean;
use askama::Template;
use mge::net::Probabilities;
use mge_plot::{Figure, Plot, Series, SeriesStyle};

/// Fewer rows give curves of a few steps only.
const MIN_ROWS: usize = 20;

#[derive(Template)]
#[template(path = "panels/figures.html")]
struct Curves {
    lead: String,
    figures: Vec<Figure>,
}

pub fn panel(run: &ReportData) -> Result<Option<Panel>, PageError> {
    let Some(stored) = &run.calibration else { return Ok(None) };
    let (rows, part) = match &stored.test {
        Some(test) => (test, "test"),
        None => (&stored.sample, "training"),
    };
    let count = rows.labels.len();
    let Ok(probabilities) = run.model.probabilities_of(rows) else { return Ok(None) };
    if count < MIN_ROWS {
        return Ok(None);
    }
    let classes: Vec<String> = run.model.classes.iter().map(|class| clean(class)).collect();
    let of_all = if rows.of > count { format!(" of {}", rows.of) } else { String::new() };
    let mut lead = format!("On {count}{of_all} {part} rows.");
    let mut figures = Vec::new();
    if let [_, positive] = &classes[..] {
        let scored = second_class(&probabilities, &rows.labels);
        let (roc, area) = roc(&scored);
        let (curve, precision) = precision_recall(&scored);
        lead += &format!(
            " “Positive” is the class {positive}. Area under the ROC curve {area:.3}, average \
             precision {precision:.3}."
        );
        let chance = vec![(0.0, 0.0), (1.0, 1.0)];
        let base = scored.iter().filter(|row| row.is_positive).count() as f64 / count as f64;
        figures.extend(plot(
            "ROC curve",
            "false positive rate",
            "true positive rate",
            roc,
            chance,
        )?);
        let base = vec![(0.0, base), (1.0, base)];
        figures.extend(plot("Precision and recall", "recall", "precision", curve, base)?);
        let (curve, error) = calibration(&scored);
        lead += &format!(" Mean calibration error {error:.3}.");
        let (x, y) = ("predicted probability", "fraction that is positive");
        figures.extend(plot("Calibration", x, y, curve, vec![(0.0, 0.0), (1.0, 1.0)])?);
    } else {
        let scored = answers(&probabilities, &rows.labels);
        let (curve, error) = calibration(&scored);
        lead += &format!(" Mean calibration error {error:.3}.");
        let (x, y) = ("probability of the answer", "fraction that is right");
        figures.extend(plot("Calibration", x, y, curve, vec![(0.0, 0.0), (1.0, 1.0)])?);
    }
    Panel::of("probabilities", "Probabilities", &Curves { lead, figures })
}

/// The probability of the second class of each row.
fn second_class(probabilities: &Probabilities, labels: &[u32]) -> Vec<Scored> {
    let rows = probabilities.iter().zip(labels);
    rows.map(|(row, &label)| Scored { score: row[1], is_positive: label == 1 }).collect()
}

/// The probability of the answer to each row, and whether it is right.
fn answers(probabilities: &Probabilities, labels: &[u32]) -> Vec<Scored> {
    let answer = |(row, &label): (&[f64], &u32)| {
        let class = probabilities.link().predicted_class(row);
        Scored { score: row[class], is_positive: class == label as usize }
    };
    probabilities.iter().zip(labels).map(answer).collect()
}

fn plot(
    title: &'static str,
    x: &'static str,
    y: &'static str,
    points: Vec<(f64, f64)>,
    guide: Vec<(f64, f64)>,
) -> Result<Option<Figure>, PageError> {
    let is_calibration = title == "Calibration";
    let network = Series::line("this network", 0, points.clone());
    let mut series = vec![network];
    if is_calibration {
        series.push(Series::line("", 0, points).styled(SeriesStyle::Dots));
    }
    let name = match title {
        "Calibration" => "probabilities that are true",
        _ => "guessing",
    };
    series.push(Series::line(name, 4, guide).styled(SeriesStyle::Dashed));
    let figure = Plot { title, x, y, from_zero: true, max: Some(1.0), series }.draw()?;
    Ok(figure.map(|mut figure| {
        figure.legend.retain(|(name, _, _)| !name.is_empty());
        figure
    }))
}
