//! The weights of a network as a matrix, for networks of hundreds of connections, whose drawing is
//! a tangle. A row is a neuron or an output, a column a feature or a neuron that they read.

use crate::graph::{NetworkGraph, NodeKind, TooLarge};
use crate::network_diagram::NetworkDiagram;
use crate::svg::{FONTS, Style};
use crate::text::{escape, number, shorten, width};
use std::fmt::Write;

/// The side of a cell.
const CELL: f64 = 13.0;
const FONT: f64 = 10.0;
const MARGIN: f64 = 10.0;
/// The longest name, in characters.
const MAX_NAME: usize = 24;
/// The most rows or columns of a picture.
const MAX_SIDE: usize = 1500;

/// Draws the weights as a matrix of squares: blue for positive weights, orange for negative ones,
/// the larger the stronger.
///
/// # Errors
/// When the network is too large for a picture.
pub fn adjacency(diagram: &NetworkDiagram<'_>, style: Style) -> Result<String, TooLarge> {
    let graph = NetworkGraph::of(diagram)?;
    let nodes = || 0..graph.nodes.len();
    let is_output = |node: usize| matches!(graph.nodes[node].kind, NodeKind::Output(_));
    let is_input = |node: usize| matches!(graph.nodes[node].kind, NodeKind::Input(_));
    let reads = |node: usize| graph.edges.iter().any(|edge| edge.from == node);
    let columns: Vec<usize> = nodes().filter(|&node| !is_output(node) && reads(node)).collect();
    let rows: Vec<usize> = nodes().filter(|&node| !is_input(node)).collect();
    for (what, found) in [("rows", rows.len()), ("columns", columns.len())] {
        if found > MAX_SIDE {
            return Err(TooLarge { what, found, max: MAX_SIDE });
        }
    }
    let name = |node: usize| match graph.nodes[node].kind {
        NodeKind::Neuron(index, activation) => format!("h{} {activation}", index + 1),
        _ => shorten(&graph.name(node, diagram), MAX_NAME),
    };
    let widest =
        |nodes: &[usize]| nodes.iter().map(|&node| width(&name(node), FONT)).fold(30.0, f64::max);
    let (left, top) = (MARGIN + widest(&rows) + 6.0, MARGIN + widest(&columns) + 6.0);
    let (wide, tall) = (columns.len() as f64 * CELL, rows.len() as f64 * CELL);
    let (full_width, full_height) =
        ((left + wide + MARGIN + 8.0).max(300.0).ceil(), (top + tall + MARGIN + 24.0).ceil());
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"net adjacency\" \
         viewBox=\"0 0 {full_width} {full_height}\" width=\"{full_width}\" \
         height=\"{full_height}\" font-family=\"{FONTS}\" role=\"img\" \
         aria-label=\"Weights of {} connections as a matrix\">",
        graph.edges.len()
    );
    // Writing to a string cannot fail, so results are dropped throughout.
    if let Style::Own(theme) = style {
        let _ = write!(text, "<style>{}</style>", theme.css("", graph.outputs().count()));
        let _ =
            write!(text, "<rect class=\"bg\" width=\"{full_width}\" height=\"{full_height}\"/>");
    }
    for (index, &node) in columns.iter().enumerate() {
        let x = left + (index as f64 + 0.5) * CELL + 0.35 * FONT;
        let _ = write!(
            text,
            "<text class=\"t\" transform=\"translate({x:.1} {:.1}) rotate(-90)\" font-size=\"{FONT}\">{}</text>",
            top - 5.0,
            escape(&name(node)),
        );
    }
    for (index, &node) in rows.iter().enumerate() {
        let y = top + index as f64 * CELL;
        if index % 2 == 0 {
            let _ = write!(
                text,
                "<rect class=\"f\" fill-opacity=\"0.08\" x=\"{left:.1}\" y=\"{y:.1}\" width=\"{wide:.1}\" height=\"{CELL}\"/>"
            );
        }
        let _ = write!(
            text,
            "<text class=\"t\" x=\"{:.1}\" y=\"{:.1}\" font-size=\"{FONT}\" text-anchor=\"end\">{}</text>",
            left - 5.0,
            y + CELL / 2.0 + 0.35 * FONT,
            escape(&name(node)),
        );
    }
    let _ = write!(
        text,
        "<rect class=\"g\" x=\"{left:.1}\" y=\"{top:.1}\" width=\"{wide:.1}\" height=\"{tall:.1}\"/>"
    );
    let mut column_of = vec![0; graph.nodes.len()];
    let mut row_of = vec![0; graph.nodes.len()];
    columns.iter().enumerate().for_each(|(index, &node)| column_of[node] = index);
    rows.iter().enumerate().for_each(|(index, &node)| row_of[node] = index);
    let max_weight = graph.max_weight();
    for edge in &graph.edges {
        // The area of a square is the weight; the smallest can still be seen.
        let side = (CELL - 2.0) * (edge.weight.abs() / max_weight).sqrt().max(0.22);
        let x = left + (column_of[edge.from] as f64 + 0.5) * CELL - side / 2.0;
        let y = top + (row_of[edge.to] as f64 + 0.5) * CELL - side / 2.0;
        let _ = write!(
            text,
            "<rect class=\"{}\" x=\"{x:.1}\" y=\"{y:.1}\" width=\"{side:.1}\" height=\"{side:.1}\">\
             <title>{} → {}: {}</title></rect>",
            if edge.weight < 0.0 { "cn" } else { "cp" },
            escape(&graph.name(edge.from, diagram)),
            escape(&graph.name(edge.to, diagram)),
            number(edge.weight),
        );
    }
    let y = full_height - 10.0;
    let _ = writeln!(
        text,
        "<g class=\"legend\" font-size=\"10.5\"><rect class=\"cp\" x=\"14\" y=\"{a:.1}\" width=\"9\" height=\"9\"/>\
         <text class=\"f\" x=\"28\" y=\"{y:.1}\">positive</text>\
         <rect class=\"cn\" x=\"84\" y=\"{a:.1}\" width=\"9\" height=\"9\"/>\
         <text class=\"f\" x=\"98\" y=\"{y:.1}\">negative; the largest is {}</text></g></svg>",
        number(max_weight),
        a = y - 8.5,
    );
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples;

    #[test]
    fn every_connection_is_a_square_with_its_weight() {
        let sample = samples::layered(3, 60, 3, 5);
        let diagram = sample.diagram();
        let connections = NetworkGraph::of(&diagram).unwrap().edges.len();
        let svg = adjacency(&diagram, Style::OfPage).unwrap();
        assert_eq!(svg.matches("<title>").count(), connections);
        let top = adjacency(&sample.diagram().with_top(9), Style::OfPage).unwrap();
        assert_eq!(top.matches("<title>").count(), 9);
    }
}
