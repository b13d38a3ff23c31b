//! The order of nodes within layers, by the barycentre rule (Sugiyama, Tagawa, Toda 1981). Each node
//! moves to the mean position of its neighbours, layer by layer, forwards and backwards. The order
//! with the fewest crossings wins.
//!
//! Outputs keep the order of the classes, and hidden neurons of one module stay together. A
//! connection that skips layers passes through waypoints, one for each layer and source, so that it
//! runs between the neurons and not over them.

use crate::graph::{NetworkGraph, NodeKind};
use std::collections::BTreeMap;

/// Sweeps forwards and backwards; later ones change next to nothing.
const SWEEPS: usize = 12;
/// With more waypoints than this, connections that skip layers run straight.
const MAX_WAYPOINTS: usize = 3000;

/// Layers of items: the nodes of the graph first, then waypoints.
pub struct Ordered {
    /// The items of each layer, from top to bottom.
    pub layers: Vec<Vec<usize>>,
    /// The waypoints of each edge, from its source on.
    pub waypoints: Vec<Vec<usize>>,
    /// Neighbours of each item in the layer before.
    pub before: Vec<Vec<usize>>,
    /// Neighbours of each item in the layer behind.
    pub behind: Vec<Vec<usize>>,
    /// The mean output that each item leads to. Items with the same one stay together.
    pub group: Vec<f64>,
}

impl Ordered {
    /// Finds a good order.
    pub fn of(graph: &NetworkGraph) -> Self {
        let mut ordered = Self::first(graph);
        let inner = 1..graph.layers - 1;
        let mut best = (ordered.crossings(), ordered.layers.clone());
        for sweep in 0..SWEEPS {
            if best.0 == 0 {
                break;
            }
            if sweep % 2 == 0 {
                (0..graph.layers - 1).rev().for_each(|layer| ordered.sort(layer, false));
            } else {
                inner.clone().for_each(|layer| ordered.sort(layer, true));
            }
            let crossings = ordered.crossings();
            if crossings < best.0 {
                best = (crossings, ordered.layers.clone());
            }
        }
        ordered.layers = best.1;
        ordered
    }

    fn first(graph: &NetworkGraph) -> Self {
        let mut group: Vec<f64> = graph.nodes.iter().map(|node| mean(&node.reaches)).collect();
        let mut layers = vec![Vec::new(); graph.layers];
        for (index, node) in graph.nodes.iter().enumerate() {
            layers[node.layer].push(index);
        }
        let span = |edge: &crate::graph::GraphEdge| {
            graph.nodes[edge.from].layer + 1..graph.nodes[edge.to].layer
        };
        let mut chains: BTreeMap<(usize, usize), usize> = BTreeMap::new();
        for edge in &graph.edges {
            for layer in span(edge) {
                chains.insert((edge.from, layer), 0);
                if chains.len() > MAX_WAYPOINTS {
                    break;
                }
            }
        }
        let straight = chains.len() > MAX_WAYPOINTS;
        if !straight {
            for (&(source, layer), item) in &mut chains {
                *item = group.len();
                layers[layer].push(*item);
                group.push(group[source]);
            }
        }
        let mut before = vec![Vec::new(); group.len()];
        let mut behind = vec![Vec::new(); group.len()];
        let mut waypoints = Vec::with_capacity(graph.edges.len());
        for edge in &graph.edges {
            let path: Vec<usize> = if straight {
                Vec::new()
            } else {
                span(edge).map(|layer| chains[&(edge.from, layer)]).collect()
            };
            let mut from = edge.from;
            for &to in path.iter().chain([&edge.to]) {
                before[to].push(from);
                behind[from].push(to);
                from = to;
            }
            waypoints.push(path);
        }
        for list in before.iter_mut().chain(&mut behind) {
            list.sort_unstable();
            list.dedup();
        }
        for layer in &mut layers[1..graph.layers - 1] {
            layer.sort_by(|&a, &b| group[a].total_cmp(&group[b]));
        }
        // Outputs keep the order of the classes.
        layers[graph.layers - 1].sort_by_key(|&index| match graph.nodes[index].kind {
            NodeKind::Output(output) => output,
            _ => 0,
        });
        Self { layers, waypoints, before, behind, group }
    }

    /// Sorts a layer by the mean position of its neighbours before or behind it.
    fn sort(&mut self, layer: usize, by_before: bool) {
        let neighbours = if by_before { &self.before } else { &self.behind };
        let positions = self.positions();
        let own = &self.layers[layer];
        let key = |item: usize| {
            let near = &neighbours[item];
            let sum: f64 = near.iter().map(|&other| positions[other]).sum();
            if near.is_empty() { positions[item] } else { sum / near.len() as f64 }
        };
        let keep_groups = layer > 0;
        let mut keyed: Vec<(f64, f64, usize)> = own
            .iter()
            .map(|&item| (if keep_groups { self.group[item] } else { 0.0 }, key(item), item))
            .collect();
        keyed.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1)));
        self.layers[layer] = keyed.into_iter().map(|(_, _, item)| item).collect();
    }

    /// The position of each item in its layer, from 0 to 1.
    fn positions(&self) -> Vec<f64> {
        let mut positions = vec![0.0; self.group.len()];
        for layer in &self.layers {
            let count = layer.len() as f64;
            for (index, &item) in layer.iter().enumerate() {
                positions[item] = (index as f64 + 0.5) / count;
            }
        }
        positions
    }

    /// How many pairs of connections between neighbouring layers cross.
    fn crossings(&self) -> u64 {
        let mut position = vec![0usize; self.group.len()];
        for layer in &self.layers {
            layer.iter().enumerate().for_each(|(index, &item)| position[item] = index);
        }
        let mut crossings = 0;
        for (left, right) in self.layers.iter().zip(&self.layers[1..]) {
            // A Fenwick tree counts the earlier ends that lie below.
            let mut tree = vec![0u64; right.len() + 1];
            let mut seen = 0;
            for &item in left {
                // Straight connections may end in a farther layer; they are not counted.
                let near =
                    self.behind[item].iter().filter(|&&to| right.get(position[to]) == Some(&to));
                let mut ends: Vec<usize> = near.map(|&to| position[to]).collect();
                ends.sort_unstable();
                for &end in &ends {
                    let mut index = end + 1;
                    let mut not_below = 0;
                    while index > 0 {
                        not_below += tree[index];
                        index -= index & index.wrapping_neg();
                    }
                    crossings += seen - not_below;
                }
                for end in ends {
                    seen += 1;
                    let mut index = end + 1;
                    while index < tree.len() {
                        tree[index] += 1;
                        index += index & index.wrapping_neg();
                    }
                }
            }
        }
        crossings
    }
}

fn mean(outputs: &[usize]) -> f64 {
    let sum: usize = outputs.iter().sum();
    if outputs.is_empty() { f64::INFINITY } else { sum as f64 / outputs.len() as f64 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples;

    /// The slow twin: every pair of connections between neighbouring layers.
    fn crossings_by_pairs(ordered: &Ordered) -> u64 {
        let position = |layer: &[usize], item| layer.iter().position(|&other| other == item);
        let mut count = 0;
        for (left, right) in ordered.layers.iter().zip(&ordered.layers[1..]) {
            let edges: Vec<(usize, usize)> = left
                .iter()
                .enumerate()
                .flat_map(|(from, &item)| ordered.behind[item].iter().map(move |&to| (from, to)))
                .filter_map(|(from, to)| position(right, to).map(|to| (from, to)))
                .collect();
            for (index, a) in edges.iter().enumerate() {
                let cross =
                    |b: &&(usize, usize)| (a.0 < b.0 && a.1 > b.1) || (a.0 > b.0 && a.1 < b.1);
                count += edges[index + 1..].iter().filter(cross).count() as u64;
            }
        }
        count
    }

    #[test]
    fn sorting_lowers_the_number_of_crossings() {
        for seed in 0..12 {
            let sample = samples::layered(seed, 30, 3, 4);
            let graph = NetworkGraph::of(&sample.diagram()).unwrap();
            let first = Ordered::first(&graph);
            assert_eq!(first.crossings(), crossings_by_pairs(&first));
            let best = Ordered::of(&graph);
            assert_eq!(best.crossings(), crossings_by_pairs(&best));
            assert!(best.crossings() <= first.crossings());
        }
    }

    #[test]
    fn every_item_stays_in_its_layer() {
        let sample = samples::layered(7, 60, 4, 5);
        let graph = NetworkGraph::of(&sample.diagram()).unwrap();
        let ordered = Ordered::of(&graph);
        let mut seen = vec![0; ordered.group.len()];
        for (layer, items) in ordered.layers.iter().enumerate() {
            for &item in items {
                seen[item] += 1;
                if let Some(node) = graph.nodes.get(item) {
                    assert_eq!(node.layer, layer);
                }
            }
        }
        assert!(seen.iter().all(|&count| count == 1));
    }
}
