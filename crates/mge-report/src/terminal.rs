//! The network in a terminal: names at the sides, connections as braille dots between them.
//!
//! Each character holds two by four dots. Positive connections are solid lines, negative ones have
//! every third dot only.

use crate::graph::{NetworkGraph, TooLarge};
use crate::layout::order::Ordered;
use crate::network_diagram::NetworkDiagram;
use crate::text::shorten;

const MAX_ROWS: usize = 32;
const MAX_NAME: usize = 24;
/// The width of the count of further inputs in one row.
const COUNT_WIDTH: usize = 5;

/// Draws a network in at most `width` columns.
///
/// # Errors
/// When it is too large for a picture.
pub fn terminal(diagram: &NetworkDiagram<'_>, width: usize) -> Result<String, TooLarge> {
    let graph = NetworkGraph::of(diagram)?;
    let ordered = Ordered::of(&graph);
    let last = graph.layers - 1;
    let nodes_of = |layer: usize| -> Vec<usize> {
        ordered.layers[layer].iter().copied().filter(|&item| item < graph.nodes.len()).collect()
    };
    let (inputs, outputs) = (nodes_of(0), nodes_of(last));
    let widest = (1..last).map(|layer| nodes_of(layer).len()).max().unwrap_or(1);
    let rows = inputs.len().max(outputs.len()).max(widest.div_ceil(3)).clamp(3, MAX_ROWS);

    let left = labels(&inputs, rows, &graph, diagram);
    let right = labels(&outputs, rows, &graph, diagram);
    let side = |labels: &[String]| labels.iter().map(|l| l.chars().count()).max().unwrap_or(0);
    let (left_width, right_width) = (side(&left), side(&right));
    let across = width.saturating_sub(left_width + right_width + 2).clamp(20, 24 * last + 16);

    let mut canvas = Canvas::new(across, rows);
    let mut cells = vec![(0usize, 0usize); ordered.group.len()];
    for (layer, items) in ordered.layers.iter().enumerate() {
        let middle = layer * (across - 1) / last;
        // Neurons of one row are side by side.
        let crowd = items.len().div_ceil(rows);
        for (index, &item) in items.iter().enumerate() {
            let row = (2 * index + 1) * rows / (2 * items.len());
            let column = if layer == 0 || layer == last {
                middle
            } else {
                (middle + 2 * (index % crowd)).saturating_sub(crowd - 1)
            };
            cells[item] = (column.min(across - 1), row.min(rows - 1));
        }
    }
    let max_weight = graph.max_weight();
    for (edge, path) in graph.edges.iter().zip(&ordered.waypoints) {
        let mut from = cells[edge.from];
        for &item in path.iter().chain([&edge.to]) {
            // Small weights would make everything black.
            if graph.edges.len() < 150 || edge.weight.abs() > 0.25 * max_weight {
                canvas.line(from, cells[item], edge.weight < 0.0);
            }
            from = cells[item];
        }
    }
    for (node, &(column, row)) in graph.nodes.iter().zip(&cells) {
        let mark = match node.layer {
            0 => '○',
            layer if layer == last => '■',
            _ => '●',
        };
        canvas.mark(column, row, mark);
    }
    let lines = (0..rows).map(|row| {
        let line = format!("{:>left_width$} {} {}", left[row], canvas.row(row), right[row]);
        line.trim_end().to_owned() + "\n"
    });
    Ok(lines.collect())
}

/// The text beside each row.
fn labels(
    nodes: &[usize],
    rows: usize,
    graph: &NetworkGraph,
    diagram: &NetworkDiagram<'_>,
) -> Vec<String> {
    let mut labels = vec![(String::new(), 0usize); rows];
    for (index, &node) in nodes.iter().enumerate() {
        let row = ((2 * index + 1) * rows / (2 * nodes.len())).min(rows - 1);
        if labels[row].1 == 0 {
            labels[row].0 = shorten(&graph.name(node, diagram), MAX_NAME);
        }
        labels[row].1 += 1;
    }
    let finish = |(name, count): (String, usize)| match count {
        0 | 1 => name,
        _ => format!("{} +{}", shorten(&name, MAX_NAME - COUNT_WIDTH), count - 1),
    };
    labels.into_iter().map(finish).collect()
}

/// A grid of characters that are made of dots.
struct Canvas {
    columns: usize,
    dots: Vec<u8>,
    marks: Vec<Option<char>>,
}

impl Canvas {
    fn new(columns: usize, rows: usize) -> Self {
        Self { columns, dots: vec![0; columns * rows], marks: vec![None; columns * rows] }
    }

    fn mark(&mut self, column: usize, row: usize, mark: char) {
        self.marks[row * self.columns + column] = Some(mark);
    }

    /// From the middle of one cell to the middle of another.
    fn line(&mut self, from: (usize, usize), to: (usize, usize), dotted: bool) {
        let dot = |(column, row): (usize, usize)| (2 * column as i64 + 1, 4 * row as i64 + 2);
        let ((x1, y1), (x2, y2)) = (dot(from), dot(to));
        let steps = (x2 - x1).abs().max((y2 - y1).abs()).max(1);
        for step in (0..=steps).filter(|step| !dotted || step % 3 == 0) {
            let at = |a: i64, b: i64| a + ((b - a) * step * 2 + steps) / (2 * steps);
            self.dot(at(x1, x2), at(y1, y2));
        }
    }

    fn dot(&mut self, x: i64, y: i64) {
        const BITS: [[u8; 4]; 2] = [[0x01, 0x02, 0x04, 0x40], [0x08, 0x10, 0x20, 0x80]];
        let (column, row) = (x as usize / 2, y as usize / 4);
        if let Some(cell) = self.dots.get_mut(row * self.columns + column) {
            *cell |= BITS[x as usize % 2][y as usize % 4];
        }
    }

    fn row(&self, row: usize) -> String {
        let cells = row * self.columns..(row + 1) * self.columns;
        let character = |index: usize| match (self.marks[index], self.dots[index]) {
            (Some(mark), _) => mark,
            (None, 0) => ' ',
            (None, dots) => char::from_u32(0x2800 + u32::from(dots)).unwrap_or(' '),
        };
        cells.map(character).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples;

    #[test]
    fn drawings_fit_the_terminal() {
        for (neurons, layers, outputs) in [(1, 1, 1), (3, 1, 1), (30, 2, 3), (300, 3, 26)] {
            let sample = samples::layered(4, neurons, layers, outputs);
            let drawing = terminal(&sample.diagram(), 80).unwrap();
            assert!(drawing.lines().count() <= MAX_ROWS);
            let widest = drawing.lines().map(|line| line.chars().count()).max().unwrap();
            assert!(widest <= 80, "{widest} columns for {neurons} neurons:\n{drawing}");
            assert!(drawing.contains('●') && drawing.contains('■') && drawing.contains('○'));
        }
    }
}
