//! The report of one run.

use super::numbers::{FeatureUse, Part, feature_use, flat};
use super::{Frame, PageError, json_in_html};
use crate::graph::{Graph, Kind};
use crate::input_map::{PixelGrid, input_maps};
use crate::plot::{Figure, Mark, Plot, Series};
use crate::run::Run;
use crate::subject::NetworkDiagram;
use crate::svg::{Style, svg};
use crate::text::{clean, number};
use askama::Template;
use mge::net::Formula;
use mge::{BaselineResult, Front, FrontPoint};

#[derive(Template)]
#[template(path = "report.html")]
struct Page {
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
    parts: Vec<Part>,
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

/// A number that one looks for first.
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
pub fn report(run: &Run) -> Result<String, PageError> {
    let model = &run.model;
    let subject = NetworkDiagram::of(model);
    let graph = Graph::of(&subject);
    let network = svg(&subject, Style::OfPage).map_err(|error| error.to_string());
    let network_json = match &graph {
        Ok(graph) => hover_data(graph, &subject),
        Err(_) => "{\"nodes\":{},\"links\":[]}".to_owned(),
    };
    let grid = PixelGrid::of(model).ok();
    let method = &model.settings.method;
    let mut settings = flat(&serde_json::to_value(&model.settings).unwrap_or_default());
    settings.retain(|(name, _)| !name.ends_with("grammar.text"));
    let page = Page {
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
        answer: answer(&subject),
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

fn lead(run: &Run) -> String {
    let model = &run.model;
    let method = &model.settings.method;
    let variant = method.variant().map_or(String::new(), |variant| format!(" ({variant})"));
    format!(
        "{} classes of {}, told apart by {} features in {} hidden neurons. Method {}{variant}, seed {}.",
        model.classes.len(),
        clean(&model.data.name),
        model.size.features,
        model.size.neurons,
        method.method(),
        model.settings.seed,
    )
}

fn cards(run: &Run) -> Vec<Card> {
    let (model, size) = (&run.model, &run.model.size);
    let (train, test) = (&model.metrics.train, &model.metrics.test);
    let card = |name, value: String, note: String| Card { value, name, note };
    let mut cards = Vec::new();
    if test.rows > 0 {
        let note = format!("of {} rows that nothing saw", test.rows);
        cards.push(card("test accuracy", format!("{:.4}", test.accuracy), note));
    }
    cards.extend([
        card(
            "training accuracy",
            format!("{:.4}", train.accuracy),
            format!("of {} rows", train.rows),
        ),
        card("hidden neurons", size.neurons.to_string(), layers(size.hidden_layers)),
        card(
            "connections",
            size.connections.to_string(),
            format!("{:.0} % of a dense one's are missing", 100.0 * size.sparsity),
        ),
        card("features", size.features.to_string(), format!("of {}", model.network.inputs())),
        card("operations", size.operations.to_string(), "for one prediction".to_owned()),
        card(
            "search",
            format!("{:.2} s", model.run.seconds),
            format!("{} evaluations", model.search.evaluations),
        ),
    ]);
    cards
}

fn layers(count: usize) -> String {
    format!("in {count} layer{}", if count == 1 { "" } else { "s" })
}

fn folds(run: &Run) -> Option<FoldTable> {
    let folds = run.model.cross_validation.as_ref()?;
    let spread =
        |s: &mge::Spread, digits: usize| format!("{:.digits$} ± {:.digits$}", s.mean, s.deviation);
    Some(FoldTable {
        rows: vec![
            ("accuracy", spread(&folds.accuracy, 4)),
            ("RMSE", spread(&folds.rmse, 4)),
            ("neurons", spread(&folds.neurons, 1)),
            ("operations", spread(&folds.operations, 1)),
        ],
        accuracies: folds.accuracies.iter().map(|accuracy| format!("{accuracy:.3}")).collect(),
    })
}

/// The model and those it is compared with; nothing if there are none.
fn baselines(run: &Run) -> Vec<BaselineResult> {
    if run.baselines.is_empty() {
        return Vec::new();
    }
    let all = std::iter::once(BaselineResult::of(&run.model)).chain(run.baselines.iter().cloned());
    all.map(|one| BaselineResult { name: clean(&one.name), ..one }).collect()
}

fn parts(run: &Run) -> Vec<Part> {
    let (model, metrics) = (&run.model, &run.model.metrics);
    let test = Part::of("test", "Test rows", &metrics.test, &model.classes);
    let train = Part::of("train", "Training rows", &metrics.train, &model.classes);
    if test.rows > 0 { vec![test, train] } else { vec![train] }
}

/// The learning curves.
fn figures(run: &Run) -> Result<Vec<Figure>, PageError> {
    let history = |value: fn(&mge::evolve::Record) -> f64| {
        run.history.iter().map(|r| (r.generation as f64, value(r))).collect::<Vec<_>>()
    };
    let curve = |value: fn(&mge::CurvePoint) -> f64| {
        run.curves.iter().map(|p| (p.generation as f64, value(p))).collect::<Vec<_>>()
    };
    let mut before = 0;
    let invalid = run.history.iter().map(|record| {
        let evaluated = (record.evaluations - before.min(record.evaluations)).max(1);
        before = record.evaluations;
        (record.generation as f64, record.invalid_individuals as f64 / evaluated as f64)
    });
    let invalid = invalid.collect();
    let accuracy = curve(|point| point.train_accuracy);
    let test = &run.model.metrics.test;
    let mut accuracies = vec![Series::line("training", 0, accuracy.clone())];
    if let (Some(first), Some(last), true) = (accuracy.first(), accuracy.last(), test.rows > 0) {
        let level = vec![(first.0, test.accuracy), (last.0, test.accuracy)];
        accuracies
            .push(Series::line("the final model on test rows", 1, level).marked(Mark::Dashed));
    }
    let plot = |title, y, from_zero, series| {
        // Counts and losses have no end; all else is a share.
        let most = (!matches!(y, "count" | "training loss")).then_some(1.0);
        Plot { title, x: "generation", y, from_zero, most, series }
    };
    let plots = [
        plot(
            "Loss",
            "training loss",
            false,
            vec![
                Series::line("best individual", 0, history(|r| r.best_loss)),
                Series::line("mean of the population", 1, history(|r| r.mean_loss)),
            ],
        ),
        plot("Accuracy", "share of rows", false, accuracies),
        plot(
            "Size of the best network",
            "count",
            true,
            vec![
                Series::line("hidden neurons", 0, curve(|p| p.neurons as f64)),
                Series::line("features", 1, curve(|p| p.features as f64)),
                Series::line("connections", 2, curve(|p| p.connections as f64)),
            ],
        ),
        plot(
            "Invalid individuals",
            "share of a generation",
            true,
            vec![Series::line("invalid", 5, invalid)],
        ),
        plot(
            "Diversity",
            "distinct losses / individuals",
            true,
            vec![Series::line("diversity", 2, curve(|p| p.diversity))],
        ),
    ];
    let figures = plots.into_iter().map(|plot| plot.draw().map_err(PageError::from));
    Ok(figures.collect::<Result<Vec<_>, _>>()?.into_iter().flatten().collect())
}

/// The front that the method kept; else the networks that were the best for a while, which is
/// what the search passed on its way.
fn front(run: &Run) -> Result<Option<(Figure, String)>, PageError> {
    let plot = |series| Plot {
        title: "Accuracy against operations",
        x: "operations of one prediction",
        y: "accuracy",
        from_zero: false,
        most: Some(1.0),
        series,
    };
    let points = |front: &Front| {
        let points = front.points.iter().map(|p| (p.operations as f64, p.accuracy));
        let mut points: Vec<_> = points.collect();
        // A front of bytes, or one where features cost, may stand in another order.
        points.sort_by(|a, b| a.0.total_cmp(&b.0));
        points
    };
    let (series, note) = match &run.front {
        Some(front) => (
            vec![Series::line("front", 0, points(front)).marked(Mark::Steps)],
            format!("Accuracy on {} rows of the best network at each size.", clean(&front.part)),
        ),
        None => {
            let passed = run
                .curves
                .iter()
                .map(|p| FrontPoint { operations: p.operations, accuracy: p.train_accuracy });
            let front = Front::of(passed.clone(), "training");
            let all: Vec<_> = passed.map(|p| (p.operations as f64, p.accuracy)).collect();
            let note = "Networks that were the best of their time, on training rows; the line \
                        joins those that no other beats in both. This method keeps no front of \
                        its own.";
            let series = vec![
                Series::line("best of its time", 4, all).marked(Mark::Dots),
                Series::line("not beaten", 0, points(&front)).marked(Mark::Steps),
            ];
            (series, note.to_owned())
        }
    };
    Ok(plot(series).draw()?.map(|figure| (figure, note)))
}

fn formula(run: &Run) -> Vec<(String, String)> {
    let model = &run.model;
    // Names of features stand in the formula as they are; there is one for each input.
    let names: Vec<String> = model.preprocess.features().iter().map(|f| clean(&f.name)).collect();
    let formula =
        Formula::with_names(&model.network, &names).unwrap_or_else(|_| Formula::of(&model.network));
    let outputs = formula.outputs.into_iter().enumerate();
    let outputs = outputs.map(|(output, text)| (format!("output{}", output + 1), text));
    formula.definitions.into_iter().chain(outputs).collect()
}

fn answer(subject: &NetworkDiagram<'_>) -> String {
    match subject.other_class() {
        Some(other) => {
            let class = subject.class(0);
            format!("p({class}) = sig(output1), p({other}) = 1 − p({class})")
        }
        None => {
            let outputs = subject.network().outputs().len();
            format!("p = softmax(output1 … output{outputs}), in the order of the classes")
        }
    }
}

fn origin(run: &Run) -> Vec<(&'static str, String)> {
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
        ("loss", format!("{}, training", number(model.search.best_loss))),
        (
            "RMSE",
            format!(
                "{:.4} test, {:.4} training",
                model.metrics.test.rmse, model.metrics.train.rmse
            ),
        ),
        ("made by", format!("mge {}, {} threads", model.run.mge_version, model.run.threads)),
    ];
    rows.iter_mut().for_each(|(_, value)| *value = clean(value));
    rows
}

/// What hovering tells: names and kinds by id, and all connections.
fn hover_data(graph: &Graph, subject: &NetworkDiagram<'_>) -> String {
    let mut nodes = serde_json::Map::new();
    for (index, node) in graph.nodes.iter().enumerate() {
        let (kind, detail) = match node.kind {
            Kind::Input(_) => ("feature", String::new()),
            Kind::Neuron(_, activation) => ("neuron", activation.name().to_owned()),
            Kind::Output(_) => ("class", String::new()),
        };
        let classes: Vec<String> = node.reaches.iter().map(|&o| subject.speaks_for(o)).collect();
        let value = serde_json::json!({
            "name": graph.name(index, subject),
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
