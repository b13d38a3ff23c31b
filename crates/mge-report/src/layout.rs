//! The positions of nodes and edges: layers from left to right, nodes from top to bottom.
//!
//! A layer with many nodes takes several columns side by side. Each node keeps its own height, so
//! that connections can be followed. So a picture with 300 neurons is still as tall as a page.

pub(crate) mod order;

use crate::graph::NetworkGraph;
use crate::network_diagram::NetworkDiagram;
use crate::text;
use order::Ordered;

/// A point of the picture, in pixels from the upper left corner.
pub type Point = (f64, f64);

/// The largest length of a label, in characters. The tooltip has the whole name.
pub const MAX_LABEL: usize = 30;
const MARGIN: f64 = 18.0;
/// The height of the legend.
const LEGEND: f64 = 34.0;
/// The height of a waypoint, as a fraction of that of a neuron.
const WAYPOINT: f64 = 0.4;

/// A finished layout.
pub struct Layout {
    /// The width of the picture.
    pub width: f64,
    /// The height of the picture.
    pub height: f64,
    /// The centre of each node.
    pub points: Vec<Point>,
    /// The radius of each node.
    pub radii: Vec<f64>,
    /// The points that each edge passes through, without its ends.
    pub edge_paths: Vec<Vec<Point>>,
    /// Font sizes of the names of inputs and of outputs.
    pub label_sizes: (f64, f64),
    /// Whether a word fits into each neuron.
    pub fits_label: bool,
}

/// The sizes of one layer.
struct LayerShape {
    pitch: f64,
    radius: f64,
    columns: usize,
    /// The distance between columns.
    step: f64,
}

impl Layout {
    /// The layout of a graph.
    pub fn of(graph: &NetworkGraph, diagram: &NetworkDiagram<'_>) -> Self {
        let ordered = Ordered::of(graph);
        let last = graph.layers - 1;
        let weights: Vec<f64> = ordered.layers.iter().map(|items| weight(items, graph)).collect();
        let tallest = weights.iter().map(|&n| n * pitch(n)).fold(0.0, f64::max);
        let shapes: Vec<LayerShape> = (0..graph.layers)
            .map(|layer| {
                let n = weights[layer].max(1.0);
                let loose = (0.7 * tallest / n).min(52.0);
                let min_pitch = if layer == last { 17.0 } else { 0.0 };
                LayerShape::new(pitch(n).max(loose).max(min_pitch), layer == 0)
            })
            .collect();
        let heights = heights(graph, &ordered, &shapes);
        let top = heights.iter().copied().fold(f64::INFINITY, f64::min);
        let bottom = heights.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let tall = if top.is_finite() { bottom - top } else { 0.0 };

        let label_sizes = (
            (shapes[0].pitch * shapes[0].columns as f64 * 0.8).clamp(8.0, 13.0),
            (shapes[last].pitch * 0.8).clamp(9.0, 14.0),
        );
        let hidden = (last - 1).max(1) as f64;
        let gap = (0.34 * tall / hidden.sqrt()).clamp(130.0, 360.0);
        let label_width = |node: usize, size| {
            text::width(&text::shorten(&graph.name(node, diagram), MAX_LABEL), size)
        };
        let widest = |layer: usize, size: f64| {
            let nodes = ordered.layers[layer].iter().filter(|&&item| item < graph.nodes.len());
            nodes.map(|&node| label_width(node, size)).fold(0.0, f64::max)
        };

        // The middle of the first column of each layer.
        let mut lefts = Vec::with_capacity(graph.layers);
        let mut steps: Vec<f64> = shapes.iter().map(|shape| shape.step).collect();
        steps[0] = widest(0, label_sizes.0) + 2.0 * shapes[0].radius + 14.0;
        let mut x = MARGIN + steps[0];
        for layer in 0..graph.layers {
            lefts.push(x);
            x += (shapes[layer].columns - 1) as f64 * steps[layer] + gap;
        }
        let width = x - gap + shapes[last].radius + 8.0 + widest(last, label_sizes.1) + MARGIN;
        let height = MARGIN + 10.0 + tall + 10.0 + LEGEND;

        let mut points = vec![(0.0, 0.0); heights.len()];
        let mut spans = vec![(0.0, 0.0); graph.layers];
        for (layer, items) in ordered.layers.iter().enumerate() {
            let LayerShape { columns, .. } = shapes[layer];
            spans[layer] = (lefts[layer], lefts[layer] + (columns - 1) as f64 * steps[layer]);
            let nodes = items.iter().filter(|&&item| item < graph.nodes.len());
            for (index, &item) in nodes.enumerate() {
                points[item].0 = lefts[layer] + (index % columns) as f64 * steps[layer];
            }
        }
        for (point, y) in points.iter_mut().zip(&heights) {
            point.1 = MARGIN + 10.0 + y - top;
        }
        let edges = graph.edges.iter().zip(&ordered.waypoints);
        let edge_paths = edges
            .map(|(edge, items)| {
                let (from, to) = (graph.nodes[edge.from].layer, graph.nodes[edge.to].layer);
                let through = items.iter().zip(&spans[from + 1..]);
                let mut path: Vec<Point> = Vec::new();
                // Horizontal past the other columns of its own layer. All heights differ, so the line
                // runs between their nodes and names.
                if points[edge.from].0 < spans[from].1 {
                    path.push((spans[from].1 + shapes[from].radius, points[edge.from].1));
                }
                path.extend(
                    through.flat_map(|(&item, span)| [span.0, span.1].map(|x| (x, points[item].1))),
                );
                if points[edge.to].0 > spans[to].0 {
                    path.push((spans[to].0 - shapes[to].radius, points[edge.to].1));
                }
                path
            })
            .collect();
        points.truncate(graph.nodes.len());
        let radii = graph.nodes.iter().map(|node| shapes[node.layer].radius).collect();
        let fits_label = shapes[1..last].iter().all(|shape| shape.radius >= 12.0);
        Self { width: width.max(360.0), height, points, radii, edge_paths, label_sizes, fits_label }
    }
}

impl LayerShape {
    fn new(pitch: f64, input: bool) -> Self {
        let radius =
            if input { (0.3 * pitch).clamp(2.5, 5.0) } else { (0.4 * pitch).clamp(4.5, 13.0) };
        // Names of inputs need the height of a line, neurons that of a circle.
        let need = if input { 9.5 } else { 2.0 * radius + 2.0 };
        let columns = (need / pitch).ceil().max(1.0) as usize;
        Self { pitch, radius, columns, step: 3.2 * radius }
    }
}

/// The number of nodes of a layer; a waypoint counts as a fraction of one.
fn weight(items: &[usize], graph: &NetworkGraph) -> f64 {
    let nodes = items.iter().filter(|&&item| item < graph.nodes.len()).count();
    nodes as f64 + WAYPOINT * (items.len() - nodes) as f64
}

/// The distance between nodes in a layer of so many.
fn pitch(nodes: f64) -> f64 {
    (900.0 / nodes.max(1.0)).clamp(4.5, 36.0)
}

/// The height of each item. The fullest layer is spaced evenly. The others follow it on both sides:
/// each item is as near to the mean height of its neighbours as the distances allow.
fn heights(graph: &NetworkGraph, ordered: &Ordered, shapes: &[LayerShape]) -> Vec<f64> {
    let offsets: Vec<Vec<f64>> = (0..graph.layers)
        .map(|layer| offsets(&ordered.layers[layer], graph, ordered, shapes[layer].pitch))
        .collect();
    let total = |layer: usize| offsets[layer].last().copied().unwrap_or(0.0);
    // Of equals the one that is nearest to the outputs, where modules are.
    let anchor = (0..graph.layers).max_by(|&a, &b| total(a).total_cmp(&total(b))).unwrap_or(0);
    let mut heights = vec![0.0; ordered.group.len()];
    for (layer, (items, offsets)) in ordered.layers.iter().zip(&offsets).enumerate() {
        for (&item, offset) in items.iter().zip(offsets) {
            heights[item] = offset - total(layer) / 2.0;
        }
    }
    let mut follow = |layer: usize, neighbours: &[Vec<usize>]| {
        let items = &ordered.layers[layer];
        let mean_height = |&item: &usize| {
            let near = &neighbours[item];
            let sum: f64 = near.iter().map(|&other| heights[other]).sum();
            if near.is_empty() { heights[item] } else { sum / near.len() as f64 }
        };
        let targets: Vec<f64> = items.iter().map(mean_height).collect();
        for (&item, height) in items.iter().zip(separated(&targets, &offsets[layer])) {
            heights[item] = height;
        }
    };
    (anchor + 1..graph.layers).for_each(|layer| follow(layer, &ordered.before));
    (0..anchor).rev().for_each(|layer| follow(layer, &ordered.behind));
    heights
}

/// The smallest distance of each item of a layer below the first.
fn offsets(items: &[usize], graph: &NetworkGraph, ordered: &Ordered, pitch: f64) -> Vec<f64> {
    let inner = |item: usize| {
        graph.nodes.get(item).is_none_or(|node| node.layer > 0 && node.layer + 1 < graph.layers)
    };
    let size = |item: usize| if item < graph.nodes.len() { 1.0 } else { WAYPOINT };
    let mut offset = 0.0;
    let mut offsets = Vec::with_capacity(items.len());
    for (index, &item) in items.iter().enumerate() {
        if let Some(&above) = index.checked_sub(1).and_then(|above| items.get(above)) {
            let between = inner(item) && ordered.group[item] != ordered.group[above];
            let extra = if between { 0.6 } else { 0.0 };
            offset += pitch * ((size(item) + size(above)) / 2.0 + extra);
        }
        offsets.push(offset);
    }
    offsets
}

/// The heights nearest to the targets (least squares) that are at least as far apart as the
/// offsets: isotonic regression by pooling neighbours that are too close.
fn separated(targets: &[f64], offsets: &[f64]) -> Vec<f64> {
    let mut pools: Vec<(f64, usize)> = Vec::new();
    for (target, offset) in targets.iter().zip(offsets) {
        let mut pool = (target - offset, 1);
        while let Some(&(sum, count)) = pools.last() {
            if sum / count as f64 <= pool.0 / pool.1 as f64 {
                break;
            }
            pool = (pool.0 + sum, pool.1 + count);
            pools.pop();
        }
        pools.push(pool);
    }
    let levels =
        pools.iter().flat_map(|&(sum, count)| std::iter::repeat_n(sum / count as f64, count));
    levels.zip(offsets).map(|(level, offset)| level + offset).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples;

    #[test]
    fn nodes_do_not_overlap_and_lie_inside_the_picture() {
        for (seed, neurons, layers, outputs) in [
            (1, 1, 1, 1),
            (2, 3, 1, 1),
            (3, 30, 1, 3),
            (4, 30, 3, 10),
            (5, 300, 1, 10),
            (6, 300, 4, 26),
        ] {
            let sample = samples::layered(seed, neurons, layers, outputs);
            let diagram = sample.diagram();
            let graph = NetworkGraph::of(&diagram).unwrap();
            let layout = Layout::of(&graph, &diagram);
            for (index, &(x, y)) in layout.points.iter().enumerate() {
                let radius = layout.radii[index];
                assert!(x - radius >= 0.0 && x + radius <= layout.width, "{neurons}: x {x}");
                assert!(y - radius >= 0.0 && y + radius <= layout.height, "{neurons}: y {y}");
                for (other, &(x2, y2)) in layout.points.iter().enumerate().skip(index + 1) {
                    let distance = ((x - x2).powi(2) + (y - y2).powi(2)).sqrt();
                    let min_distance = radius + layout.radii[other];
                    assert!(
                        distance >= min_distance,
                        "{neurons} neurons: {index} and {other} overlap"
                    );
                }
            }
        }
    }

    #[test]
    fn heights_are_the_targets_where_distances_allow() {
        assert_eq!(separated(&[0.0, 10.0], &[0.0, 4.0]), [0.0, 10.0]);
        assert_eq!(separated(&[5.0, 5.0], &[0.0, 4.0]), [3.0, 7.0]);
        assert_eq!(separated(&[9.0, 1.0, 20.0], &[0.0, 2.0, 4.0]), [4.0, 6.0, 20.0]);
    }
}
