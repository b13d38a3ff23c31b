//! The front: how accurate a network of each size is. A chart, what each network is, and a table.
//!
//! All figures are those of the rows that choose, never of test rows.

use crate::network_diagram::NetworkDiagram;
use crate::original_formula::OriginalFormula;
use crate::page::panel::Panel;
use crate::page::{PageError, json_in_html};
use crate::report_data::ReportData;
use crate::svg::{Style, svg};
use crate::text::clean;
use askama::Template;
use mge::hybrid::{HybridParams, Limits, Pick};
use mge::net::{Size, table_bytes};
use mge::{Front, FrontNetwork, FrontPoint, NetworkFront};

/// Drawings and formulas of the networks may take so many bytes of the page.
const MAX_DRAWINGS: usize = 300_000;
/// Networks with more connections are neither drawn nor written here.
const MAX_CONNECTIONS: usize = 250;

#[derive(Template)]
#[template(path = "panels/front.html")]
struct FrontPanel {
    lead: String,
    json: String,
    networks: Vec<NetworkDetail>,
    has_loss: bool,
    measure: &'static str,
}

/// A network of the front, as it is shown after a click.
struct NetworkDetail {
    index: usize,
    is_chosen: bool,
    operations: usize,
    bytes: usize,
    neurons: usize,
    connections: usize,
    features: usize,
    accuracy: String,
    loss: String,
    command: Option<String>,
    drawing: Option<String>,
    formula: Option<String>,
}

pub fn panel(run: &ReportData) -> Result<Option<Panel>, PageError> {
    match &run.front {
        Some(front) if !front.points.is_empty() => of_front(run, front),
        _ => of_generations(run),
    }
}

fn of_front(run: &ReportData, front: &NetworkFront) -> Result<Option<Panel>, PageError> {
    let networks = details(run, front);
    let points: Vec<serde_json::Value> = front
        .points
        .iter()
        .zip(&networks)
        .map(|(point, network)| {
            serde_json::json!({
                "operations": network.operations,
                "bytes": network.bytes,
                "accuracy": short(point.member.accuracy),
                "loss": short(point.member.loss),
                "error": short(point.member.standard_error),
                "neurons": network.neurons,
                "connections": network.connections,
                "features": network.features,
                "chosen": network.is_chosen,
            })
        })
        .collect();
    let baselines: Vec<serde_json::Value> = run
        .baselines
        .iter()
        .filter_map(|baseline| {
            Some(serde_json::json!({
                "name": clean(&baseline.name),
                "operations": baseline.operations,
                "bytes": baseline.bytes,
                "accuracy": short(baseline.validation_accuracy?),
            }))
        })
        .collect();
    let part = clean(&front.part);
    let json = serde_json::json!({
        "part": part, "measure": run.score_name(), "points": points, "baselines": baselines,
        "open": true,
    });
    let lead = format!(
        "Each point is a network of this run. The line joins those that no smaller one beats. \
         Figures are of {part} rows, which chose the networks; test rows had no part in it."
    );
    let panel = FrontPanel {
        lead,
        json: json_in_html(&json),
        networks,
        has_loss: true,
        measure: run.score_name(),
    };
    Panel::of("front", format!("{} against size", title(run)), &panel)
}

/// The networks that were the best of the run for some generations, of methods without a front.
fn of_generations(run: &ReportData) -> Result<Option<Panel>, PageError> {
    let passed = run
        .curves
        .iter()
        .map(|point| FrontPoint { operations: point.operations, accuracy: point.train_accuracy });
    let front = Front::of(passed, "training");
    if front.points.is_empty() {
        return Ok(None);
    }
    let own = FrontPoint {
        operations: run.model.size.operations,
        accuracy: run.model.metrics.train.accuracy,
    };
    let point = |point: &FrontPoint| {
        serde_json::json!({
            "operations": point.operations,
            "accuracy": short(point.accuracy),
            "chosen": *point == own,
        })
    };
    let others = front.points.iter().filter(|&point| *point != own);
    let points: Vec<serde_json::Value> = others.chain([&own]).map(point).collect();
    let json = serde_json::json!({
        "part": "training", "measure": run.score_name(), "points": points, "open": false,
    });
    let lead = "The best networks of the generations that no smaller one beats, on training rows. \
                This method keeps no front of its own, and only its last network.";
    let lead = lead.to_owned();
    let panel = FrontPanel {
        lead,
        json: json_in_html(&json),
        networks: Vec::new(),
        has_loss: false,
        measure: run.score_name(),
    };
    Panel::of("front", format!("{} against size", title(run)), &panel)
}

fn details(run: &ReportData, front: &NetworkFront) -> Vec<NetworkDetail> {
    let chosen = chosen(run, front);
    let mut room = MAX_DRAWINGS;
    // The networks near the chosen one are drawn first, should there be no room for all.
    let mut order: Vec<usize> = (0..front.points.len()).collect();
    order.sort_by_key(|index| index.abs_diff(chosen.unwrap_or(0)));
    let mut details: Vec<(usize, NetworkDetail)> = Vec::new();
    for index in order {
        let mut detail = detail(run, front, index);
        detail.is_chosen = chosen == Some(index);
        let size = |text: &Option<String>| text.as_ref().map_or(0, String::len);
        let bytes = size(&detail.drawing) + size(&detail.formula);
        if bytes > room {
            (detail.drawing, detail.formula) = (None, None);
        } else {
            room -= bytes;
        }
        details.push((index, detail));
    }
    details.sort_by_key(|(index, _)| *index);
    details.into_iter().map(|(_, detail)| detail).collect()
}

/// The network of the front that the model is.
fn chosen(run: &ReportData, front: &NetworkFront) -> Option<usize> {
    front.points.iter().position(|point| point.member.network == run.model.network)
}

fn detail(run: &ReportData, front: &NetworkFront, index: usize) -> NetworkDetail {
    let FrontNetwork { member, .. } = &front.points[index];
    let (network, size) = (&member.network, Size::of(&member.network));
    let is_small = size.connections <= MAX_CONNECTIONS;
    let diagram = is_small.then(|| NetworkDiagram::of_network(&run.model, network));
    NetworkDetail {
        index,
        is_chosen: false,
        operations: size.operations,
        bytes: table_bytes(network),
        neurons: size.neurons,
        connections: size.connections,
        features: size.features,
        accuracy: format!("{:.4}", member.accuracy),
        loss: format!("{:.4}", member.loss),
        command: pick_command(run, front, index),
        drawing: diagram.and_then(|diagram| svg(&diagram, Style::OfPage).ok()),
        formula: is_small.then(|| {
            let rows = run.calibration.as_ref().map(|calibration| &calibration.sample);
            OriginalFormula::of(&run.model, network, rows).to_string()
        }),
    }
}

/// The command that picks exactly this network, if there is one. `mge pick` keeps limits of the
/// run that no flag replaces.
fn pick_command(run: &ReportData, front: &NetworkFront, index: usize) -> Option<String> {
    let network = &front.points[index].member.network;
    let params = run.model.settings.method.get::<HybridParams>()?;
    let &HybridParams { max_ops, max_bytes, max_features, max_neurons, .. } = params;
    let own = Limits { max_ops, max_bytes, max_features, max_neurons };
    let (operations, bytes) = (Size::of(network).operations, table_bytes(network));
    let with_operations = Limits { max_ops: Some(operations), ..own };
    let with_bytes = Limits { max_bytes: Some(bytes), ..own };
    let with_both = Limits { max_bytes: Some(bytes), ..with_operations };
    let flags = [
        (with_operations, format!("--max-ops {operations}")),
        (with_bytes, format!("--max-bytes {bytes}")),
        (with_both, format!("--max-ops {operations} --max-bytes {bytes}")),
    ];
    let picks = |limits: &Limits| {
        let picked = front.pick(limits, Pick::LowestLoss);
        picked.is_some_and(|point| point.member.network == *network)
    };
    let (_, flags) = flags.into_iter().find(|(limits, _)| picks(limits))?;
    Some(format!("mge pick {} {flags} --pick lowest-loss --out model.json", run.address()))
}

/// The score at the beginning of a heading.
fn title(run: &ReportData) -> &'static str {
    if run.model.values.is_some() { "R²" } else { "Accuracy" }
}

/// A number with six decimals, so that the page stays small.
fn short(value: f64) -> f64 {
    (value * 1e6).round() / 1e6
}
