//! Which classes are taken for which.

use crate::page::PageError;
use crate::page::panel::Panel;
use crate::page::scores::{class_scores, worst_confusion};
use crate::report_data::ReportData;
use crate::text::clean;
use askama::Template;
use mge::net::Metrics;

/// The most classes of a matrix on the page.
const MAX_MATRIX: usize = 40;

#[derive(Template)]
#[template(path = "panels/confusion.html")]
struct Confusion {
    parts: Vec<Part>,
}

/// The answers for one part of the rows.
struct Part {
    id: &'static str,
    name: &'static str,
    words: String,
    matrix: Option<Vec<(String, Vec<MatrixCell>)>>,
    scores: Vec<(String, u64, [String; 3])>,
}

/// A cell of the matrix.
struct MatrixCell {
    count: u64,
    /// Its fraction of the row.
    fraction: String,
    percent: String,
    is_right: bool,
}

pub fn panel(run: &ReportData) -> Result<Option<Panel>, PageError> {
    let (model, metrics) = (&run.model, &run.model.metrics);
    let classes: Vec<String> = model.classes.iter().map(|class| clean(class)).collect();
    let mut parts = Vec::new();
    if metrics.test.rows > 0 {
        parts.push(part("test", "Test rows", &metrics.test, &classes));
    }
    parts.push(part("train", "Training rows", &metrics.train, &classes));
    Panel::of("confusion", "Confusion matrix", &Confusion { parts })
}

fn part(id: &'static str, name: &'static str, metrics: &Metrics, classes: &[String]) -> Part {
    let counts = &metrics.confusion;
    let matrix = (counts.len() <= MAX_MATRIX).then(|| {
        let rows = counts.iter().enumerate().map(|(class, row)| {
            let total = row.iter().sum::<u64>();
            let cell = |(answer, &count): (usize, &u64)| {
                let fraction = count as f64 / total.max(1) as f64;
                MatrixCell {
                    count,
                    fraction: format!("{fraction:.3}"),
                    percent: percent(count, total),
                    is_right: answer == class,
                }
            };
            (classes[class].clone(), row.iter().enumerate().map(cell).collect())
        });
        rows.collect()
    });
    let show = |value: Option<f64>| value.map_or("–".to_owned(), |v| format!("{v:.3}"));
    let scores = class_scores(metrics).into_iter().zip(classes).map(|(score, class)| {
        let numbers = [score.precision, score.recall, score.f1].map(show);
        (class.clone(), score.rows, numbers)
    });
    Part { id, name, words: words(metrics, classes), matrix, scores: scores.collect() }
}

/// A fraction in per cent; nothing for none.
fn percent(count: u64, total: u64) -> String {
    match (count, total) {
        (0, _) | (_, 0) => String::new(),
        _ => format!("{:.0} %", 100.0 * count as f64 / total as f64),
    }
}

/// The worst confusion in words.
fn words(metrics: &Metrics, classes: &[String]) -> String {
    let wrong = metrics.rows as u64
        - (0..classes.len()).map(|class| metrics.confusion[class][class]).sum::<u64>();
    match worst_confusion(metrics) {
        Some((class, answer, count, total)) => format!(
            "{wrong} of {} answers are wrong. The most frequent error: {count} of {total} rows of \
             {} ({:.0} %) are taken for {}.",
            metrics.rows,
            classes[class],
            100.0 * count as f64 / total as f64,
            classes[answer],
        ),
        None => format!("All {} answers are right.", metrics.rows),
    }
}
