//! Several runs on one page.

use super::numbers::flat;
use super::{Frame, PageError};
use crate::network_diagram::NetworkDiagram;
use crate::report_data::ReportData;
use crate::svg::{Style, svg};
use crate::text::clean;
use askama::Template;
use mge::{Front, FrontPoint};
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
    test: String,
    train: String,
    loss: String,
    neurons: usize,
    connections: usize,
    features: usize,
    operations: usize,
    seconds: String,
    best: bool,
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
    let page = ComparePage {
        frame: Frame::new(),
        title: format!("{} runs", runs.len()),
        several_data,
        rows: rows(runs, &names, links, several_data),
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

fn rows(
    runs: &[ReportData],
    names: &[String],
    links: &[Option<String>],
    several_data: bool,
) -> Vec<RunRow> {
    let accuracy = |run: &ReportData| run.model.metrics.test.accuracy;
    let best = runs.iter().map(accuracy).fold(f64::NEG_INFINITY, f64::max);
    let row = |(index, run): (usize, &ReportData)| {
        let model = &run.model;
        let (size, method) = (&model.size, &model.settings.method);
        let variant = method.variant().map_or(String::new(), |v| format!(" ({v})"));
        RunRow {
            name: names[index].clone(),
            link: links.get(index).cloned().flatten(),
            data: clean(&model.data.name),
            method: format!("{}{variant}", method.method()),
            seed: model.settings.seed,
            test: format!("{:.4}", accuracy(run)),
            train: format!("{:.4}", model.metrics.train.accuracy),
            loss: format!("{:.4}", model.search.best_loss),
            neurons: size.neurons,
            connections: size.connections,
            features: size.features,
            operations: size.operations,
            seconds: run.seconds().map_or_else(|| "-".to_owned(), |s| format!("{s:.2}")),
            best: !several_data && runs.len() > 1 && accuracy(run) == best,
        }
    };
    runs.iter().enumerate().map(row).collect()
}

fn figures(runs: &[ReportData], names: &[String]) -> Result<Vec<Figure>, PageError> {
    // Beyond the list of colours, lines are dashed.
    let mark = |index: usize| {
        if index < mge_plot::PALETTE.len() { SeriesStyle::Line } else { SeriesStyle::Dashed }
    };
    let series = |points: &dyn Fn(&ReportData) -> Vec<(f64, f64)>| -> Vec<Series> {
        let one = |(index, run): (usize, &ReportData)| {
            Series::line(&names[index], index, points(run)).styled(mark(index))
        };
        runs.iter().enumerate().map(one).collect()
    };
    let cost: Vec<FrontPoint> = runs
        .iter()
        .map(|run| FrontPoint {
            operations: run.model.size.operations,
            accuracy: run.model.metrics.test.accuracy,
        })
        .collect();
    let front = Front::of(cost.iter().copied(), "test");
    let dot = |point: &FrontPoint| (point.operations as f64, point.accuracy);
    let mut against: Vec<Series> = vec![
        Series::line("front", 7, front.points.iter().map(dot).collect()).styled(SeriesStyle::Steps),
    ];
    against.extend(cost.iter().enumerate().map(|(index, point)| {
        Series::line(&names[index], index, vec![dot(point)]).styled(SeriesStyle::Dots)
    }));
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
        let max = (!matches!(y, "count" | "loss")).then_some(1.0);
        Plot { title, x: "evaluations", y, from_zero, max, series }
    };
    let plots = [
        Plot {
            title: "Test accuracy against operations",
            x: "operations of one prediction",
            y: "accuracy",
            from_zero: false,
            max: Some(1.0),
            series: against,
        },
        plot("Loss of the best network", "loss", false, series(&loss)),
        plot("Training accuracy", "fraction of rows", false, series(&curve(|p| p.train_accuracy))),
        plot("Hidden neurons", "count", true, series(&curve(|p| p.neurons as f64))),
        plot("Diversity", "distinct losses / individuals", true, series(&curve(|p| p.diversity))),
    ];
    let figures = plots.into_iter().map(|plot| plot.draw().map_err(PageError::from));
    Ok(figures.collect::<Result<Vec<_>, _>>()?.into_iter().flatten().collect())
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
