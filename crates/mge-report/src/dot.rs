//! The network for Graphviz, to be laid out or styled there.

use crate::graph::{NetworkGraph, NodeKind, TooLarge};
use crate::network_diagram::NetworkDiagram;
use crate::text;
use crate::theme::{Theme, class_colour};
use std::fmt::Write;

/// Draws a network as DOT.
///
/// # Errors
/// When it is too large for a picture.
pub fn dot(diagram: &NetworkDiagram<'_>, theme: Theme) -> Result<String, TooLarge> {
    let graph = NetworkGraph::of(diagram)?;
    let palette = theme.palette();
    let max_weight = graph.max_weight();
    let mut text = format!(
        "digraph network {{\n  rankdir=LR; bgcolor=\"{}\"; splines=true; ranksep=1.5;\n  \
         node [fontname=\"DejaVu Sans Condensed, sans-serif\", fontsize=11, style=filled, \
         color=\"{}\"];\n  edge [arrowhead=none];\n",
        palette.paper, palette.paper,
    );
    for layer in 0..graph.layers {
        text.push_str("  { rank=same;\n");
        for (index, node) in graph.nodes.iter().enumerate().filter(|(_, n)| n.layer == layer) {
            let name = graph.name(index, diagram);
            let colour = match (node.kind, node.module()) {
                (NodeKind::Input(_), _) | (_, None) => palette.shared.to_owned(),
                (_, Some(module)) => class_colour(module),
            };
            let look = match node.kind {
                NodeKind::Input(_) => {
                    format!("shape=plaintext, style=\"\", fontcolor=\"{}\"", palette.ink)
                }
                NodeKind::Neuron(..) => {
                    format!("shape=circle, fillcolor=\"{colour}\", fontcolor=\"#ffffff\"")
                }
                NodeKind::Output(_) => format!(
                    "shape=box, style=\"filled,rounded\", fillcolor=\"{colour}\", fontcolor=\"#ffffff\""
                ),
            };
            let label = match node.kind {
                NodeKind::Neuron(_, activation) => activation.name().to_owned(),
                _ => name.clone(),
            };
            // Writing to a string cannot fail.
            let _ = writeln!(
                text,
                "    {} [label={}, tooltip={}, {look}];",
                node.id(),
                text::dot(&label),
                text::dot(&name),
            );
        }
        text.push_str("  }\n");
    }
    for edge in &graph.edges {
        let (colour, style) = if edge.weight < 0.0 {
            (palette.negative, "dashed")
        } else {
            (palette.positive, "solid")
        };
        let _ = writeln!(
            text,
            "  {} -> {} [color=\"{colour}\", style={style}, penwidth={:.2}, tooltip=\"{}\"];",
            graph.nodes[edge.from].id(),
            graph.nodes[edge.to].id(),
            0.5 + 3.5 * edge.weight.abs() / max_weight,
            // The shortest decimal of the f32, as in the model file.
            edge.weight as f32,
        );
    }
    text.push_str("}\n");
    Ok(text)
}
