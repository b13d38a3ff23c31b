//! The report of one run: its most important numbers, then the panels of its kind of task.

use super::panel::{Panel, panels_of};
use super::{Frame, PageError};
use crate::report_data::ReportData;
use crate::text::clean;
use askama::Template;
use mge::net::table_bytes;

#[derive(Template)]
#[template(path = "report.html")]
struct ReportPage {
    frame: Frame,
    title: String,
    lead: String,
    cards: Vec<Card>,
    panels: Vec<Panel>,
}

/// One of the numbers at the top of the page.
struct Card {
    value: String,
    name: &'static str,
    note: String,
}

/// Writes the report of a run as one HTML file.
///
/// # Errors
/// When a plot or the page cannot be written, which no run that was read should cause.
pub fn report(run: &ReportData) -> Result<String, PageError> {
    let mut panels = Vec::new();
    for write in panels_of(run.task_kind()) {
        panels.extend(write(run)?);
    }
    let page = ReportPage {
        frame: Frame::new(run.model.network.outputs().len()),
        title: clean(&run.name),
        lead: lead(run),
        cards: cards(run),
        panels,
    };
    Ok(page.render()?)
}

fn lead(run: &ReportData) -> String {
    let model = &run.model;
    let method = &model.settings.method;
    let variant = method.variant().map_or(String::new(), |variant| format!(" ({variant})"));
    let date = run.plan.record.as_ref().map_or("", |record| record.date.as_str());
    let date = date.split('T').next().filter(|day| !day.is_empty());
    let date = date.map_or(String::new(), |day| format!(", {day}"));
    let what = match &model.values {
        None => format!("{} ({} classes)", clean(&model.target), model.classes.len()),
        Some(values) => {
            values.columns.iter().map(|name| clean(name)).collect::<Vec<_>>().join(" and ")
        }
    };
    format!(
        "A network that predicts {what} in {}. Method {}{variant}, seed {}, mge {}{date}.",
        clean(&model.data.name),
        method.method(),
        model.settings.seed,
        model.mge_version,
    )
}

fn cards(run: &ReportData) -> Vec<Card> {
    let (model, size) = (&run.model, &run.model.size);
    let card = |name, value: String, note: String| Card { value, name, note };
    let train = &model.metrics.train;
    let names = match model.values {
        None => ("validation accuracy", "training accuracy"),
        Some(_) => ("validation R²", "training R²"),
    };
    let accuracy = match run.chosen() {
        Some(member) => {
            let note = "on the rows that chose the network".to_owned();
            card(names.0, format!("{:.4}", member.accuracy), note)
        }
        None => card(names.1, format!("{:.4}", train.accuracy), format!("of {} rows", train.rows)),
    };
    let plural = |count: usize| if count == 1 { "" } else { "s" };
    let mut cards = vec![
        accuracy,
        card("operations", size.operations.to_string(), "for one prediction".to_owned()),
        card("bytes", table_bytes(&model.network).to_string(), "as tables of int8".to_owned()),
        card(
            "hidden neurons",
            size.neurons.to_string(),
            match size.hidden_layers {
                0 => "a linear network".to_owned(),
                layers => format!("in {layers} layer{}", plural(layers)),
            },
        ),
        card("connections", size.connections.to_string(), "weights and biases".to_owned()),
        card("features", size.features.to_string(), format!("of {}", model.network.inputs())),
    ];
    if let Some(seconds) = run.seconds() {
        let note = format!("{} evaluations", model.search.evaluations);
        cards.push(card("search", format!("{seconds:.1} s"), note));
    }
    cards
}
