//! The report of one run.

use super::numbers::{FeatureUse, PartScores, feature_use, flat};
use super::{Frame, PageError, json_in_html};
use crate::graph::{NetworkGraph, NodeKind};
use crate::input_map::{PixelGrid, input_maps};
use crate::network_diagram::NetworkDiagram;
use crate::report_data::ReportData;
use crate::svg::{Style, svg};
use crate::text::{clean, number};
use askama::Template;
use mge::net::Formula;
use mge::{BaselineResult, Front, FrontPoint};
use mge_plot::{Figure, Plot, Series, SeriesStyle};

#[derive(Template)]
#[template(path = "report.html")]
struct ReportPage {
    frame: Frame,
    title: String,
    lead: String,
    cards: Vec<Card>,
    folds: Option<FoldTable>,
    baselines: Vec<BaselineResult>,
    remark: Option<String>,
    figures: Vec<Figure>,
    network: Result<String, String>,
    network_json: String,
    maps: Option<String>,
    parts: Vec<PartScores>,
    features: Vec<FeatureUse>,
    all_features: usize,
    formula: Vec<(String, String)>,
    answer: String,
    front: Option<(Figure, String)>,
    settings: Vec<(String, String)>,
    grammar: Option<(String, String)>,
    commands: Vec<String>,
    origin: Vec<(&'static str, String)>,
}

/// One of the numbers at the top of the page.
struct Card {
    value: String,
    name: &'static str,
    note: String,
}

struct FoldTable {
    rows: Vec<(&'static str, String)>,
    accuracies: Vec<String>,
}

/// Writes the report of a run as one HTML file.
///
/// # Errors
/// When a plot or the page cannot be written, which no run that was read should cause.
pub fn report(run: &ReportData) -> Result<String, PageError> {
    let model = &run.model;
    let diagram = NetworkDiagram::of(model);
    let graph = NetworkGraph::of(&diagram);
    let network = svg(&diagram, Style::OfPage).map_err(|error| error.to_string());
    let network_json = match &graph {
        Ok(graph) => hover_data(graph, &diagram),
        Err(_) => "{\"nodes\":{},\"links\":[]}".to_owned(),
    };
    let grid = PixelGrid::of(model).ok();
    let method = &model.settings.method;
    let mut settings = flat(&serde_json::to_value(&model.settings).unwrap_or_default());
    settings.retain(|(name, _)| !name.ends_with("grammar.text"));
    let page = ReportPage {
        frame: Frame::new(),
        title: clean(&run.name),
        lead: lead(run),
        cards: cards(run),
        folds: folds(run),
        baselines: baselines(run),
        remark: BaselineResult::remark(&run.baselines, model),
        figures: figures(run)?,
        network,
        network_json,
        maps: grid.map(|grid| input_maps(model, &grid, Style::OfPage)),
        parts: parts(run),
        features: feature_use(model),
        all_features: model.network.inputs(),
        formula: formula(run),
        answer: answer(&diagram),
        front: front(run)?,
        settings,
        grammar: method.grammar().map(|grammar| {
            let lines: Vec<String> = grammar.text.lines().map(clean).collect();
            (clean(&grammar.name), lines.join("\n"))
        }),
        commands: run.commands(),
        origin: origin(run),
    };
    Ok(page.render()?)
}

fn lead(run: &ReportData) -> String {
    let model = &run.model;
    let method = &model.settings.method;
    let variant = method.variant().map_or(String::new(), |variant| format!(" ({variant})"));
    let what = match &model.values {
        None => format!("{} classes", model.classes.len()),
        Some(values) => {
            values.columns.iter().map(|name| clean(name)).collect::<Vec<_>>().join(" and ")
        }
    };
    format!(
        "The network predicts {what} of {} from {} features with {} hidden neurons. Method {}{variant}, seed {}.",
        clean(&model.data.name),
        model.size.features,
        model.size.neurons,
        method.method(),
        model.settings.seed,
    )
}

fn cards(run: &ReportData) -> Vec<Card> {
    let (model, size) = (&run.model, &run.model.size);
    let (train, test) = (&model.metrics.train, &model.metrics.test);
    let card = |name, value: String, note: String| Card { value, name, note };
    let is_regression = model.values.is_some();
    let names = if is_regression {
        ("test R2", "training R2")
    } else {
        ("test accuracy", "training accuracy")
    };
    let mut cards = Vec::new();
    if test.rows > 0 {
        let note = format!("of {} rows that no training used", test.rows);
        cards.push(card(names.0, format!("{:.4}", test.accuracy), note));
    }
    if test.rows > 0 && is_regression {
        let note = "in the units of the target".to_owned();
        cards.push(card("test RMSE", number(test.rmse), note));
    }
    cards.extend([
        card(names.1, format!("{:.4}", train.accuracy), format!("of {} rows", train.rows)),
        card("hidden neurons", size.neurons.to_string(), layers(size.hidden_layers)),
        card(
            "connections",
            size.connections.to_string(),
            format!("{:.0} % fewer than in a dense network", 100.0 * size.sparsity),
        ),
        card("features", size.features.to_string(), format!("of {}", model.network.inputs())),
        card("operations", size.operations.to_string(), "for one prediction".to_owned()),
        card(
            "search",
            run.seconds().map_or_else(|| "-".to_owned(), |seconds| format!("{seconds:.2} s")),
            format!("{} evaluations", model.search.evaluations),
        ),
    ]);
    cards
}

fn layers(count: usize) -> String {
    format!("in {count} layer{}", if count == 1 { "" } else { "s" })
}

fn folds(run: &ReportData) -> Option<FoldTable> {
    let folds = run.model.cross_validation.as_ref()?;
    let spread =
        |s: &mge::Spread, digits: usize| format!("{:.digits$} ± {:.digits$}", s.mean, s.deviation);
    Some(FoldTable {
        rows: vec![
            (score_name(run), spread(&folds.accuracy, 4)),
            ("RMSE", spread(&folds.rmse, 4)),
            ("neurons", spread(&folds.neurons, 1)),
            ("operations", spread(&folds.operations, 1)),
        ],
        accuracies: folds.accuracies.iter().map(|accuracy| format!("{accuracy:.3}")).collect(),
    })
}

/// The name of the score in which higher is better.
fn score_name(run: &ReportData) -> &'static str {
    if run.model.values.is_some() { "R2" } else { "accuracy" }
}

/// The model and those it is compared with; nothing if there are none.
fn baselines(run: &ReportData) -> Vec<BaselineResult> {
    if run.baselines.is_empty() {
        return Vec::new();
    }
    let all = std::iter::once(BaselineResult::of(&run.model)).chain(run.baselines.iter().cloned());
    all.map(|one| BaselineResult { name: clean(&one.name), ..one }).collect()
}

fn parts(run: &ReportData) -> Vec<PartScores> {
    let (model, metrics) = (&run.model, &run.model.metrics);
    if model.values.is_some() {
        // Numbers have no confusion matrix.
        return Vec::new();
    }
    let test = PartScores::of("test", "Test rows", &metrics.test, &model.classes);
    let train = PartScores::of("train", "Training rows", &metrics.train, &model.classes);
    if test.rows > 0 { vec![test, train] } else { vec![train] }
}

/// The names of losses in the history of a run.
struct LossNames {
    axis: &'static str,
    best: &'static str,
    mean: &'static str,
}

/// Methods with a population record training losses of its individuals. Methods with a front record
/// the losses of its networks on the rows that choose among them.
fn loss_names(run: &ReportData) -> LossNames {
    if has_population(run) {
        let (best, mean) = ("best individual", "mean of the population");
        LossNames { axis: "training loss", best, mean }
    } else {
        let (best, mean) = ("best network", "mean of the front");
        LossNames { axis: "validation loss", best, mean }
    }
}

fn has_population(run: &ReportData) -> bool {
    run.model.settings.method.population().is_some()
}

/// The learning curves.
fn figures(run: &ReportData) -> Result<Vec<Figure>, PageError> {
    let history = |value: fn(&mge::evolve::Record) -> f64| {
        run.history.iter().map(|r| (r.generation as f64, value(r))).collect::<Vec<_>>()
    };
    let curve = |value: fn(&mge::CurvePoint) -> f64| {
        run.curves.iter().map(|p| (p.generation as f64, value(p))).collect::<Vec<_>>()
    };
    let names = loss_names(run);
    let plot = |title, y, from_zero, max, series| Plot {
        title,
        x: "generation",
        y,
        from_zero,
        max,
        series,
    };
    let losses = vec![
        Series::line(names.best, 0, history(|r| r.best_loss)),
        Series::line(names.mean, 1, history(|r| r.mean_loss)),
    ];
    let sizes = vec![
        Series::line("hidden neurons", 0, curve(|p| p.neurons as f64)),
        Series::line("features", 1, curve(|p| p.features as f64)),
        Series::line("connections", 2, curve(|p| p.connections as f64)),
    ];
    let accuracies = accuracies(run, curve(|point| point.train_accuracy));
    let mut plots = vec![
        plot("Loss", names.axis, false, None, losses),
        match run.model.values {
            None => plot("Accuracy", "fraction of rows", false, Some(1.0), accuracies),
            Some(_) => plot("R2", "fraction of the variance", false, Some(1.0), accuracies),
        },
        plot("Size of the best network", "count", true, None, sizes),
    ];
    if has_population(run) {
        let invalid = vec![Series::line("invalid", 5, invalid_individuals(run))];
        let diversity = vec![Series::line("diversity", 2, curve(|p| p.diversity))];
        let (fraction, distinct) = ("fraction of a generation", "distinct losses / individuals");
        plots.push(plot("Invalid individuals", fraction, true, Some(1.0), invalid));
        plots.push(plot("Diversity", distinct, true, Some(1.0), diversity));
    }
    let figures = plots.into_iter().map(|plot| plot.draw().map_err(PageError::from));
    Ok(figures.collect::<Result<Vec<_>, _>>()?.into_iter().flatten().collect())
}

/// The training accuracy of the best network, and the test accuracy of the final model.
fn accuracies(run: &ReportData, training: Vec<(f64, f64)>) -> Vec<Series> {
    let test = &run.model.metrics.test;
    let ends = training.first().zip(training.last()).map(|(first, last)| (first.0, last.0));
    let mut series = vec![Series::line("training", 0, training)];
    if let (Some((first, last)), true) = (ends, test.rows > 0) {
        let level = vec![(first, test.accuracy), (last, test.accuracy)];
        let name = "the final model on test rows";
        series.push(Series::line(name, 1, level).styled(SeriesStyle::Dashed));
    }
    series
}

/// The fraction of invalid individuals in each generation.
fn invalid_individuals(run: &ReportData) -> Vec<(f64, f64)> {
    let mut before = 0;
    let fraction = run.history.iter().map(|record| {
        let evaluated = (record.evaluations - before.min(record.evaluations)).max(1);
        before = record.evaluations;
        (record.generation as f64, record.invalid_individuals as f64 / evaluated as f64)
    });
    fraction.collect()
}

/// The front that the method kept. Without one, the networks that were the best of the run for some
/// generations.
fn front(run: &ReportData) -> Result<Option<(Figure, String)>, PageError> {
    let plot = |series| Plot {
        title: if run.model.values.is_some() {
            "R2 against operations"
        } else {
            "Accuracy against operations"
        },
        x: "operations of one prediction",
        y: score_name(run),
        from_zero: false,
        max: Some(1.0),
        series,
    };
    let points = |front: &Front| {
        let points = front.points.iter().map(|p| (p.operations as f64, p.accuracy));
        let mut points: Vec<_> = points.collect();
        // A front of another objective than operations may have another order.
        points.sort_by(|a, b| a.0.total_cmp(&b.0));
        points
    };
    let (series, note) = match &run.front {
        Some(front) => (
            vec![Series::line("front", 0, points(front)).styled(SeriesStyle::Steps)],
            format!(
                "{} on {} rows of the best network at each size.",
                if run.model.values.is_some() { "R2" } else { "Accuracy" },
                clean(&front.part)
            ),
        ),
        None => {
            let passed = run
                .curves
                .iter()
                .map(|p| FrontPoint { operations: p.operations, accuracy: p.train_accuracy });
            let front = Front::of(passed.clone(), "training");
            let all: Vec<_> = passed.map(|p| (p.operations as f64, p.accuracy)).collect();
            let note = "The best networks of the generations, on training rows. The line joins \
                        those that no other beats in both accuracy and operations. This method \
                        keeps no front of its own.";
            let series = vec![
                Series::line("best of a generation", 4, all).styled(SeriesStyle::Dots),
                Series::line("front", 0, points(&front)).styled(SeriesStyle::Steps),
            ];
            (series, note.to_owned())
        }
    };
    Ok(plot(series).draw()?.map(|figure| (figure, note)))
}

fn formula(run: &ReportData) -> Vec<(String, String)> {
    let model = &run.model;
    // There is one feature name for each input.
    let names: Vec<String> = model.preprocess.features().iter().map(|f| clean(&f.name)).collect();
    // Of numbers in their own units.
    let network = model.network_in_units();
    let formula = Formula::with_names(&network, &names).unwrap_or_else(|_| Formula::of(&network));
    let outputs = formula.outputs.into_iter().enumerate();
    let outputs = outputs.map(|(output, text)| (format!("output{}", output + 1), text));
    formula.definitions.into_iter().chain(outputs).collect()
}

fn answer(diagram: &NetworkDiagram<'_>) -> String {
    match diagram.other_class() {
        Some(other) => {
            let class = diagram.class(0);
            format!("p({class}) = sig(output1), p({other}) = 1 − p({class})")
        }
        None if diagram.is_regression() => {
            let outputs = 0..diagram.network().outputs().len();
            let names = outputs.map(|o| format!("{} = output{}", diagram.class(o), o + 1));
            names.collect::<Vec<_>>().join(", ")
        }
        None => {
            let outputs = diagram.network().outputs().len();
            format!("p = softmax(output1 … output{outputs}), in the order of the classes")
        }
    }
}

fn origin(run: &ReportData) -> Vec<(&'static str, String)> {
    let model = &run.model;
    let mut rows = vec![
        ("data", model.data.name.clone()),
        ("target", model.target.clone()),
        ("classes", model.classes.join(", ")),
        (
            "rows",
            format!("{} training, {} test", model.metrics.train.rows, model.metrics.test.rows),
        ),
        ("end", model.search.stop_reason.to_string()),
        (loss_names(run).axis, number(model.search.best_loss)),
        (
            "RMSE",
            format!(
                "{:.4} test, {:.4} training",
                model.metrics.test.rmse, model.metrics.train.rmse
            ),
        ),
        ("made by", made_by(run)),
    ];
    rows.iter_mut().for_each(|(_, value)| *value = clean(value));
    rows
}

/// Version, threads, machine and date, as far as they are known.
fn made_by(run: &ReportData) -> String {
    let mut text = format!("mge {}", run.model.mge_version);
    if let Some(record) = &run.plan.record {
        let plural = if record.threads == 1 { "" } else { "s" };
        text += &format!(", {} thread{plural}", record.threads);
        for known in [&record.platform, &record.date] {
            if !known.is_empty() {
                text += &format!(", {known}");
            }
        }
    }
    text
}

/// The data for hovering: names and kinds by identifier, and all connections.
fn hover_data(graph: &NetworkGraph, diagram: &NetworkDiagram<'_>) -> String {
    let mut nodes = serde_json::Map::new();
    for (index, node) in graph.nodes.iter().enumerate() {
        let (kind, detail) = match node.kind {
            NodeKind::Input(_) => ("feature", String::new()),
            NodeKind::Neuron(_, activation) => ("neuron", activation.name().to_owned()),
            NodeKind::Output(_) => ("class", String::new()),
        };
        let classes: Vec<String> = node.reaches.iter().map(|&o| diagram.class_label(o)).collect();
        let value = serde_json::json!({
            "name": graph.name(index, diagram),
            "kind": kind,
            "detail": detail,
            "bias": node.bias,
            "classes": classes,
        });
        nodes.insert(node.id(), value);
    }
    let links: Vec<serde_json::Value> = graph
        .edges
        .iter()
        .map(|e| serde_json::json!([graph.nodes[e.from].id(), graph.nodes[e.to].id(), e.weight]))
        .collect();
    json_in_html(&serde_json::json!({ "nodes": nodes, "links": links }))
}
