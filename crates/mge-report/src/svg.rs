//! The network as SVG. CSS classes set the colours, so that a page can restyle it. Each node and
//! connection has a tooltip.

use crate::graph::{GraphEdge, NetworkGraph, NodeKind, TooLarge};
use crate::layout::{Layout, MAX_LABEL, Point};
use crate::network_diagram::NetworkDiagram;
use crate::text::{escape, number, shorten};
use crate::theme::Theme;
use std::fmt::Write;

/// The fonts of labels. PNG pictures use the first one, which is part of the program.
pub const FONTS: &str = "'DejaVu Sans Condensed','DejaVu Sans','Roboto Condensed',sans-serif";
/// Up to so many connections, negative ones are dashed, for prints without colour.
const MAX_DASHED: usize = 150;
/// Up to so many connections, weights are written beside them.
const MAX_WEIGHTS: usize = 24;

/// How a drawing gets its colours.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Style {
    /// From a style sheet inside the file.
    Own(Theme),
    /// From the page around the drawing.
    OfPage,
}

/// Draws a network as SVG.
///
/// # Errors
/// When it is too large for a picture.
pub fn svg(diagram: &NetworkDiagram<'_>, style: Style) -> Result<String, TooLarge> {
    let graph = NetworkGraph::of(diagram)?;
    let layout = Layout::of(&graph, diagram);
    let mut drawing = Drawing { diagram, graph: &graph, layout: &layout, text: String::new() };
    drawing.open(style);
    drawing.edges();
    drawing.weights();
    drawing.nodes();
    drawing.legend();
    drawing.text.push_str("</svg>\n");
    Ok(drawing.text)
}

struct Drawing<'a> {
    diagram: &'a NetworkDiagram<'a>,
    graph: &'a NetworkGraph,
    layout: &'a Layout,
    text: String,
}

// Writing to a string cannot fail, so results are dropped throughout.
impl Drawing<'_> {
    fn open(&mut self, style: Style) {
        let (width, height) = (self.layout.width.ceil(), self.layout.height.ceil());
        let size =
            self.graph.nodes.iter().filter(|n| matches!(n.kind, NodeKind::Neuron(..))).count();
        let _ = write!(
            self.text,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"net\" viewBox=\"0 0 {width} {height}\" \
             width=\"{width}\" height=\"{height}\" font-family=\"{FONTS}\" role=\"img\" \
             aria-label=\"Network of {size} hidden neurons and {} connections\">",
            self.graph.edges.len(),
        );
        if let Style::Own(theme) = style {
            let _ =
                write!(self.text, "<style>{}</style>", theme.css("", self.graph.outputs().count()));
            let _ = write!(self.text, "<rect class=\"bg\" width=\"{width}\" height=\"{height}\"/>");
        }
    }

    fn edges(&mut self) {
        let max_weight = self.graph.max_weight();
        let count = self.graph.edges.len();
        // Few lines may be bold; a thousand must be thin and transparent.
        let (thickest, solid) = match count {
            0..=60 => (4.0, 0.95),
            61..=400 => (3.2, 0.8),
            _ => (2.4, 0.65),
        };
        // The largest weights come last, so that they lie on top.
        let mut order: Vec<usize> = (0..count).collect();
        order.sort_by(|&a, &b| {
            let size = |index: usize| self.graph.edges[index].weight.abs();
            size(a).total_cmp(&size(b))
        });
        self.text.push_str("<g class=\"edges\">");
        for index in order {
            let edge = self.graph.edges[index];
            let fraction = edge.weight.abs() / max_weight;
            let dash = if edge.weight < 0.0 { self.dash() } else { "" };
            let _ = write!(
                self.text,
                "<path class=\"{}\" data-a=\"{}\" data-b=\"{}\" d=\"{}\" stroke-width=\"{:.2}\" \
                 stroke-opacity=\"{:.2}\"{dash}><title>{} → {}: {}</title></path>",
                if edge.weight < 0.0 { "n" } else { "p" },
                self.graph.nodes[edge.from].id(),
                self.graph.nodes[edge.to].id(),
                self.path_data(index),
                0.5 + (thickest - 0.5) * fraction,
                solid * (0.35 + 0.65 * fraction),
                escape(&self.graph.name(edge.from, self.diagram)),
                escape(&self.graph.name(edge.to, self.diagram)),
                number(edge.weight),
            );
        }
        self.text.push_str("</g>");
    }

    /// The attribute that dashes a negative connection, unless there are too many.
    fn dash(&self) -> &'static str {
        if self.graph.edges.len() <= MAX_DASHED { " stroke-dasharray=\"7 4\"" } else { "" }
    }

    /// A smooth line through the waypoints, horizontal at each of its points.
    fn path_data(&self, index: usize) -> String {
        let points = self.edge_path(index);
        let mut path = format!("M{:.1} {:.1}", points[0].0, points[0].1);
        for pair in points.windows(2) {
            let ((x1, y1), (x2, y2)) = (pair[0], pair[1]);
            let middle = (x1 + x2) / 2.0;
            let _ = write!(path, "C{middle:.1} {y1:.1} {middle:.1} {y2:.1} {x2:.1} {y2:.1}");
        }
        path
    }

    /// The points of an edge, from the rim of a node to the rim of the next.
    fn edge_path(&self, index: usize) -> Vec<Point> {
        let GraphEdge { from, to, .. } = self.graph.edges[index];
        let rim = |node: usize, side: f64| {
            let (x, y) = self.layout.points[node];
            (x + side * self.layout.radii[node], y)
        };
        let mut points = vec![rim(from, 1.0)];
        points.extend(&self.layout.edge_paths[index]);
        points.push(rim(to, -1.0));
        points
    }

    fn weights(&mut self) {
        if self.graph.edges.len() > MAX_WEIGHTS {
            return;
        }
        let mut taken: Vec<Point> = Vec::new();
        for (index, edge) in self.graph.edges.iter().enumerate() {
            let path = self.edge_path(index);
            // A free point near the node that the connection comes from, where connections to one
            // neuron are still apart; no text if there is none.
            let fractions = [0.2, 0.14, 0.27, 0.34, 0.42, 0.5, 0.6, 0.7];
            let candidates = fractions.map(|t| on_curve(path[0], path[1], t));
            let free = |&(x, y): &Point| {
                taken.iter().all(|other| (other.0 - x).abs() > 32.0 || (other.1 - y).abs() > 10.0)
            };
            let Some((x, y)) = candidates.into_iter().find(free) else { continue };
            taken.push((x, y));
            let _ = write!(
                self.text,
                "<text class=\"t\" x=\"{x:.1}\" y=\"{:.1}\" font-size=\"9.5\" text-anchor=\"middle\">{}</text>",
                y + 3.0,
                number(edge.weight),
            );
        }
    }

    fn nodes(&mut self) {
        for index in 0..self.graph.nodes.len() {
            let node = &self.graph.nodes[index];
            let ((x, y), radius) = (self.layout.points[index], self.layout.radii[index]);
            let name = self.graph.name(index, self.diagram);
            let colour = match (node.kind, node.module()) {
                (NodeKind::Input(_), _) | (_, None) => "s".to_owned(),
                (_, Some(module)) => format!("m{module}"),
            };
            let _ = write!(
                self.text,
                "<g class=\"node\" data-id=\"{}\"><title>{}</title>",
                node.id(),
                escape(&self.tooltip(index)),
            );
            let (x, y) = (format!("{x:.1}"), (y, format!("{y:.1}")));
            match node.kind {
                NodeKind::Output(_) => {
                    let side = 2.0 * radius;
                    let left = self.layout.points[index].0 - radius;
                    let _ = write!(
                        self.text,
                        "<rect class=\"c {colour}\" x=\"{left:.1}\" y=\"{:.1}\" width=\"{side:.1}\" \
                         height=\"{side:.1}\" rx=\"{:.1}\"/>",
                        y.0 - radius,
                        radius * 0.35,
                    );
                    let size = self.layout.label_sizes.1;
                    self.label(left + side + 6.0, y.0 + 0.35 * size, size, "start", &name);
                }
                NodeKind::Input(_) => {
                    let _ = write!(
                        self.text,
                        "<circle class=\"c {colour}\" cx=\"{x}\" cy=\"{}\" r=\"{radius:.1}\"/>",
                        y.1
                    );
                    let size = self.layout.label_sizes.0;
                    let right = self.layout.points[index].0 - radius - 4.0;
                    self.label(right, y.0 + 0.35 * size, size, "end", &name);
                }
                NodeKind::Neuron(_, activation) => {
                    let _ = write!(
                        self.text,
                        "<circle class=\"c {colour}\" cx=\"{x}\" cy=\"{}\" r=\"{radius:.1}\"/>",
                        y.1
                    );
                    if self.layout.fits_label {
                        let word = activation.name();
                        let size = if word.len() > 4 { 6.5 } else { 8.5 };
                        let _ = write!(
                            self.text,
                            "<text class=\"w\" x=\"{x}\" y=\"{:.1}\" font-size=\"{size}\" \
                             text-anchor=\"middle\">{word}</text>",
                            y.0 + 0.35 * size,
                        );
                    }
                }
            }
            self.text.push_str("</g>");
        }
    }

    fn label(&mut self, x: f64, y: f64, size: f64, anchor: &str, name: &str) {
        let _ = write!(
            self.text,
            "<text class=\"t\" x=\"{x:.1}\" y=\"{y:.1}\" font-size=\"{size:.1}\" text-anchor=\"{anchor}\">{}</text>",
            escape(&shorten(name, MAX_LABEL)),
        );
    }

    fn tooltip(&self, index: usize) -> String {
        let node = &self.graph.nodes[index];
        let name = self.graph.name(index, self.diagram);
        let bias = node.bias.map_or(String::new(), |b| format!(", bias {}", number(f64::from(b))));
        match node.kind {
            NodeKind::Input(_) => format!("{name} → {}", self.reached(index)),
            NodeKind::Neuron(_, activation) => {
                format!("{name}: {}{bias} → {}", activation.name(), self.reached(index))
            }
            NodeKind::Output(_) => format!("class {name}{bias}"),
        }
    }

    /// The classes that a node reaches.
    fn reached(&self, index: usize) -> String {
        let reaches = &self.graph.nodes[index].reaches;
        let names: Vec<String> =
            reaches.iter().map(|&output| self.diagram.class_label(output)).collect();
        if names.is_empty() { "no output".to_owned() } else { names.join(", ") }
    }

    fn legend(&mut self) {
        let y = self.layout.height - 14.0;
        let mut max_weight = number(self.graph.max_weight());
        if self.graph.left_out > 0 {
            max_weight += &format!("; {} weaker ones are left out", self.graph.left_out);
        }
        let _ = write!(
            self.text,
            "<g class=\"legend\" font-size=\"10.5\">\
             <path class=\"p\" d=\"M18 {a:.1}h26\" stroke-width=\"3\"/>\
             <text class=\"f\" x=\"49\" y=\"{y:.1}\">positive</text>\
             <path class=\"n\" d=\"M104 {a:.1}h26\" stroke-width=\"3\"{dash}/>\
             <text class=\"f\" x=\"135\" y=\"{y:.1}\">negative; the widest is {max_weight}</text>",
            a = y - 4.0,
            dash = self.dash(),
        );
        let several = self.graph.outputs().count() > 1;
        let shared = |node: &crate::graph::GraphNode| node.reaches.len() > 1;
        let hidden = self.graph.nodes.iter().filter(|n| matches!(n.kind, NodeKind::Neuron(..)));
        if several
            && self.graph.left_out == 0
            && hidden.clone().any(shared)
            && self.layout.width > 470.0
        {
            let _ = write!(
                self.text,
                "<circle class=\"s\" cx=\"304\" cy=\"{:.1}\" r=\"5\"/>\
                 <text class=\"f\" x=\"313\" y=\"{y:.1}\">feeds several classes</text>",
                y - 4.0,
            );
        }
        self.text.push_str("</g>");
    }
}

/// A point of the curve that [`Drawing::path_data`] draws.
fn on_curve((x1, y1): Point, (x2, y2): Point, t: f64) -> Point {
    let middle = (x1 + x2) / 2.0;
    let u = 1.0 - t;
    let (a, b, c, d) = (u * u * u, 3.0 * u * u * t, 3.0 * u * t * t, t * t * t);
    ((a * x1 + (b + c) * middle + d * x2), ((a + b) * y1 + (c + d) * y2))
}
