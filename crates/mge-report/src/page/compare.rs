//! Several runs on one page.

use super::settings_text::flat;
use super::{Frame, PageError, json_in_html};
use crate::network_diagram::NetworkDiagram;
use crate::report_data::ReportData;
use crate::svg::{Style, svg};
use crate::text::clean;
use askama::Template;
use mge::net::confusion::wilson_interval;
use mge::net::{Network, Size, table_bytes};
use mge_plot::{Figure, Plot, Series, SeriesStyle};
use std::collections::BTreeMap;

/// The most networks on the page.
const MAX_NETWORKS: usize = 12;
/// Larger networks are drawn in their own reports only.
const MAX_CONNECTIONS: usize = 600;

#[derive(Template)]
#[template(path = "compare.html")]
struct ComparePage {
    frame: Frame,
    title: String,
    several_data: bool,
    rows: Vec<RunRow>,
    charts: Vec<FrontChart>,
    fronts: String,
    figures: Vec<Figure>,
    names: Vec<String>,
    differences: Vec<(String, Vec<String>)>,
    networks: Vec<(String, String)>,
    left_out: usize,
}

/// One run in the table.
struct RunRow {
    name: String,
    link: Option<String>,
    data: String,
    method: String,
    seed: u64,
    validation: String,
    train: String,
    test: Option<TestCells>,
    neurons: usize,
    connections: usize,
    features: usize,
    operations: usize,
    bytes: usize,
    seconds: String,
}

/// The test figures of a run, in a table of their own.
struct TestCells {
    accuracy: String,
    interval: String,
    rows: usize,
}

/// The fronts on one table of data.
struct FrontChart {
    index: usize,
    name: String,
    /// The name and the colour of each run, and whether its line is dashed.
    legend: Vec<(String, &'static str, bool)>,
}

/// Writes a page that compares runs. `links` are the addresses of their own reports, as seen from
/// the page.
///
/// # Errors
/// When a plot or the page cannot be written.
pub fn compare(runs: &[ReportData], links: &[Option<String>]) -> Result<String, PageError> {
    let data: Vec<&str> = runs.iter().map(|run| run.model.data.name.as_str()).collect();
    let several_data = data.windows(2).any(|pair| pair[0] != pair[1]);
    let names = names(runs);
    let drawable = |run: &&ReportData| run.model.size.connections <= MAX_CONNECTIONS;
    let drawn: Vec<(String, String)> = runs
        .iter()
        .zip(&names)
        .filter(|(run, _)| drawable(run))
        .take(MAX_NETWORKS)
        .filter_map(|(run, name)| {
            Some((name.clone(), svg(&NetworkDiagram::of(&run.model), Style::OfPage).ok()?))
        })
        .collect();
    let (charts, fronts) = fronts(runs, &names);
    let page = ComparePage {
        frame: Frame::new(
            runs.iter().map(|run| run.model.network.outputs().len()).max().unwrap_or(0),
        ),
        title: format!("{} runs", runs.len()),
        several_data,
        rows: rows(runs, &names, links),
        charts,
        fronts,
        figures: figures(runs, &names)?,
        differences: differences(runs),
        left_out: runs.len() - drawn.len(),
        networks: drawn,
        names,
    };
    Ok(page.render()?)
}

/// The runs' names; those that several have get a number.
fn names(runs: &[ReportData]) -> Vec<String> {
    let mut seen: BTreeMap<String, usize> = BTreeMap::new();
    let name = |run: &ReportData| {
        let name = clean(&run.name);
        let count = seen.entry(name.clone()).or_insert(0);
        *count += 1;
        if *count > 1 { format!("{name} ({count})") } else { name }
    };
    runs.iter().map(name).collect()
}

fn rows(runs: &[ReportData], names: &[String], links: &[Option<String>]) -> Vec<RunRow> {
    let row = |(index, run): (usize, &ReportData)| {
        let model = &run.model;
        let (size, method) = (&model.size, &model.settings.method);
        let variant = method.variant().map_or(String::new(), |v| format!(" ({v})"));
        let test = &model.metrics.test;
        let interval = match model.values {
            None => {
                let correct = (test.accuracy * test.rows as f64).round() as u64;
                let (low, high) = wilson_interval(correct, test.rows as u64);
                format!("{low:.3} to {high:.3}")
            }
            Some(_) => "–".to_owned(),
        };
        let validation = run.chosen().map(|member| member.accuracy);
        RunRow {
            name: names[index].clone(),
            link: links.get(index).cloned().flatten(),
            data: clean(&model.data.name),
            method: format!("{}{variant}", method.method()),
            seed: model.settings.seed,
            validation: validation.map_or_else(|| "–".to_owned(), |a| format!("{a:.4}")),
            train: format!("{:.4}", model.metrics.train.accuracy),
            test: (test.rows > 0).then(|| TestCells {
                accuracy: format!("{:.4}", test.accuracy),
                interval,
                rows: test.rows,
            }),
            neurons: size.neurons,
            connections: size.connections,
            features: size.features,
            operations: size.operations,
            bytes: table_bytes(&model.network),
            seconds: run.seconds().map_or_else(|| "–".to_owned(), |s| format!("{s:.2}")),
        }
    };
    runs.iter().enumerate().map(row).collect()
}

/// The fronts of the runs on each table of data.
fn fronts(runs: &[ReportData], names: &[String]) -> (Vec<FrontChart>, String) {
    let mut tables: Vec<(String, Vec<usize>)> = Vec::new();
    for (index, run) in runs.iter().enumerate() {
        let name = clean(&run.model.data.name);
        match tables.iter_mut().find(|(known, _)| *known == name) {
            Some((_, members)) => members.push(index),
            None => tables.push((name, vec![index])),
        }
    }
    let mut data = Vec::new();
    let mut charts = Vec::new();
    for (name, members) in tables {
        let lines: Vec<Line> = members
            .iter()
            .enumerate()
            .map(|(order, &index)| Line::of(&runs[index], names[index].clone(), order))
            .collect();
        let json = |line: &Line| {
            serde_json::json!({
                "name": line.name, "part": line.part, "measure": line.measure, "points": line.points,
                "colour": line.colour, "dashed": line.is_dashed,
            })
        };
        data.push(serde_json::json!({ "runs": lines.iter().map(json).collect::<Vec<_>>() }));
        let legend = lines.into_iter().map(|line| (line.name, line.colour, line.is_dashed));
        charts.push(FrontChart { index: charts.len(), name, legend: legend.collect() });
    }
    (charts, json_in_html(&serde_json::Value::Array(data)))
}

/// The front of a run in a chart.
struct Line {
    name: String,
    part: String,
    measure: &'static str,
    points: Vec<serde_json::Value>,
    colour: &'static str,
    is_dashed: bool,
}

impl Line {
    /// The whole front. Of a method that keeps none, its one network, on training rows.
    fn of(run: &ReportData, name: String, order: usize) -> Self {
        let model = &run.model;
        let point = |network: &Network, accuracy: f64, loss: f64| {
            serde_json::json!({
                "operations": Size::of(network).operations,
                "bytes": table_bytes(network),
                "accuracy": (accuracy * 1e6).round() / 1e6,
                "loss": (loss * 1e6).round() / 1e6,
                "chosen": *network == model.network,
            })
        };
        let (part, points) = match &run.front {
            Some(front) if !front.points.is_empty() => {
                let members = front.points.iter().map(|network| &network.member);
                let points = members.map(|m| point(&m.network, m.accuracy, m.loss)).collect();
                (clean(&front.part), points)
            }
            _ => {
                let train = &model.metrics.train;
                let points = vec![point(&model.network, train.accuracy, train.loss)];
                ("training".to_owned(), points)
            }
        };
        let palette = mge_plot::PALETTE;
        let (colour, is_dashed) = (palette[order % palette.len()], order >= palette.len());
        Self { name, part, measure: run.score_name(), points, colour, is_dashed }
    }
}

/// How the searches went.
fn figures(runs: &[ReportData], names: &[String]) -> Result<Vec<Figure>, PageError> {
    // Beyond the list of colours, lines are dashed.
    let mark = |index: usize| {
        if index < mge_plot::PALETTE.len() { SeriesStyle::Line } else { SeriesStyle::Dashed }
    };
    let is_one_loss =
        runs.windows(2).all(|pair| has_population(&pair[0]) == has_population(&pair[1]));
    let series = |points: &dyn Fn(&ReportData) -> Vec<(f64, f64)>| -> Vec<Series> {
        let one = |(index, run): (usize, &ReportData)| {
            Series::line(&names[index], index, points(run)).styled(mark(index))
        };
        runs.iter().enumerate().map(one).collect()
    };
    let curve = |value: fn(&mge::CurvePoint) -> f64| {
        move |run: &ReportData| {
            run.curves.iter().map(|p| (p.evaluations as f64, value(p))).collect()
        }
    };
    let loss = |run: &ReportData| -> Vec<(f64, f64)> {
        run.history.iter().map(|r| (r.evaluations as f64, r.best_loss)).collect()
    };
    let plot = |title, y, from_zero, series| {
        // Counts and losses have no maximum; all others are fractions.
        let max = (!matches!(y, "count" | "training loss" | "validation loss")).then_some(1.0);
        Plot { title, x: "evaluations", y, from_zero, max, series }
    };
    let mut plots = Vec::new();
    // Losses on different rows cannot be compared.
    if is_one_loss {
        let y = if runs.iter().any(has_population) { "training loss" } else { "validation loss" };
        plots.push(plot("Loss of the best network", y, false, series(&loss)));
    }
    plots.extend([
        plot("Training accuracy", "fraction of rows", false, series(&curve(|p| p.train_accuracy))),
        plot("Hidden neurons", "count", true, series(&curve(|p| p.neurons as f64))),
        plot("Diversity", "distinct losses / individuals", true, series(&curve(|p| p.diversity))),
    ]);
    let figures = plots.into_iter().map(|plot| plot.draw().map_err(PageError::from));
    Ok(figures.collect::<Result<Vec<_>, _>>()?.into_iter().flatten().collect())
}

fn has_population(run: &ReportData) -> bool {
    run.model.settings.method.population().is_some()
}

/// The settings in which the runs differ, the value of each run beside them.
fn differences(runs: &[ReportData]) -> Vec<(String, Vec<String>)> {
    let settings: Vec<BTreeMap<String, String>> = runs
        .iter()
        .map(|run| flat(&serde_json::to_value(&run.model.settings).unwrap_or_default()))
        .map(|pairs| pairs.into_iter().filter(|(n, _)| !n.ends_with("grammar.text")).collect())
        .collect();
    let mut names: Vec<&String> = settings.iter().flat_map(BTreeMap::keys).collect();
    names.sort_unstable();
    names.dedup();
    let value = |name: &String| -> Vec<String> {
        settings.iter().map(|s| s.get(name).cloned().unwrap_or("–".to_owned())).collect()
    };
    let rows = names.into_iter().map(|name| (name.clone(), value(name)));
    rows.filter(|(_, values)| values.windows(2).any(|pair| pair[0] != pair[1])).collect()
}
