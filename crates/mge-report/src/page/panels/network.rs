//! The chosen network: its drawing, and what each node is connected with.

use crate::adjacency::adjacency;
use crate::graph::{NetworkGraph, NodeKind};
use crate::network_diagram::NetworkDiagram;
use crate::page::panel::Panel;
use crate::page::{PageError, json_in_html};
use crate::report_data::ReportData;
use crate::svg::{Style, svg};
use askama::Template;

/// From so many connections on, the page also has the matrix of the weights.
const MIN_MATRIX: usize = 100;

#[derive(Template)]
#[template(path = "panels/network.html")]
struct NetworkPanel {
    size: String,
    drawing: Result<String, String>,
    matrix: Option<String>,
    json: String,
    top: Option<String>,
}

pub fn panel(run: &ReportData) -> Result<Option<Panel>, PageError> {
    let model = &run.model;
    let diagram = NetworkDiagram::of(model);
    let graph = NetworkGraph::of(&diagram);
    let json = match &graph {
        Ok(graph) => hover_data(graph, &diagram),
        Err(_) => "{\"nodes\":{},\"links\":[]}".to_owned(),
    };
    let size = &model.size;
    let matrix =
        (size.connections >= MIN_MATRIX).then(|| adjacency(&diagram, Style::OfPage).ok()).flatten();
    let panel = NetworkPanel {
        size: format!(
            "{} hidden neuron{}{}, {} connections and {} of {} features; {:.0} % fewer connections \
             than a dense network of these neurons.",
            size.neurons,
            if size.neurons == 1 { "" } else { "s" },
            layers(size.hidden_layers),
            size.connections,
            size.features,
            model.network.inputs(),
            100.0 * size.sparsity
        ),
        drawing: svg(&diagram, Style::OfPage).map_err(|error| error.to_string()),
        top: matrix
            .is_some()
            .then(|| format!("mge draw {}/model.json --top 40 -o network.svg", run.address())),
        matrix,
        json,
    };
    Panel::of("network", "The chosen network", &panel)
}

fn layers(count: usize) -> String {
    if count > 1 { format!(" in {count} layers") } else { String::new() }
}

/// The data for hovering: names and kinds by identifier, and all connections.
fn hover_data(graph: &NetworkGraph, diagram: &NetworkDiagram<'_>) -> String {
    let mut nodes = serde_json::Map::new();
    for (index, node) in graph.nodes.iter().enumerate() {
        let (kind, detail) = match node.kind {
            NodeKind::Input(_) => ("feature", String::new()),
            NodeKind::Neuron(_, activation) => ("neuron", activation.name().to_owned()),
            NodeKind::Output(_) if diagram.is_regression() => ("target", String::new()),
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
