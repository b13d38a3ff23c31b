//! The optimal brain surgeon (Hassibi and Stork 1993).
//!
//! `H` is the damped Fisher matrix and `C` its inverse. Removing weight `w_k` raises the loss by
//! about `w_k^2 / (2 C_kk)`. The other weights move by `-(w_k / C_kk) C_k` to compensate. Removing
//! a neuron or a feature sets several weights `w` to zero at once. It raises the loss by about
//! `w' C_part^-1 w / 2`, where `C_part` has the rows and columns of these weights.

use super::Pruning;
use crate::cost_model::CostModel;
use mge_net::gradient::invert;
use mge_net::{Connection, GradientScratch, Source, SparseNetwork};

/// The scores of neurons and features change slowly, so they are computed once in this many
/// removals.
const GROUP_INTERVAL: usize = 4;

/// The weights of a network with the inverse of their Fisher matrix.
pub(super) struct ObsPruner {
    size: usize,
    inverse: Vec<f64>,
    weights: Vec<f64>,
    connections: Vec<Connection>,
    is_kept: Vec<bool>,
    cost_model: CostModel,
    /// The weights that read each input, where features cost; else empty.
    feature_readers: Vec<Vec<usize>>,
    /// The weights that read each neuron.
    readers: Vec<Vec<usize>>,
    /// The weights of each neuron: its links and its bias.
    own: Vec<Vec<usize>>,
    neuron_is_kept: Vec<bool>,
}

/// What can be removed.
#[derive(Clone, Copy)]
enum PruneTarget {
    Weight(usize),
    Neuron(usize),
    Feature(usize),
}

/// A target and the loss increase for each unit of cost that its removal saves.
#[derive(Clone, Copy)]
struct Scored {
    score: f64,
    target: PruneTarget,
}

impl ObsPruner {
    pub(super) fn new(
        network: &SparseNetwork,
        pruning: Pruning<'_>,
        scratch: &mut GradientScratch,
    ) -> Self {
        let Pruning { training_set, cost_model, regularization, seed, .. } = pruning;
        let size = network.size();
        let fisher = training_set.fisher_matrix(network, seed, scratch);
        let mean = fisher.diagonal().sum::<f64>() / size as f64;
        let scales = training_set.weight_scales(network, regularization);
        let l2 =
            |k: usize| regularization.penalty.l2 * scales.get(k).map_or(1.0, |scale| scale * scale);
        let own_l2 = |(k, is_link): (usize, bool)| if is_link { l2(k) } else { 0.0 };
        let own_l2 = network.is_link().into_iter().enumerate().map(own_l2);
        let damping: Vec<f64> = own_l2.map(|l2| l2 + 1e-4 * mean + 1e-9).collect();
        let neurons = network.neurons().len();
        let connections = network.connections();
        let (mut readers, mut own) = (vec![Vec::new(); neurons], vec![Vec::new(); neurons]);
        let features_cost = cost_model.feature > 0;
        let mut feature_readers =
            vec![Vec::new(); if features_cost { network.inputs() } else { 0 }];
        for (weight, connection) in connections.iter().enumerate() {
            if connection.unit() < neurons {
                own[connection.unit()].push(weight);
            }
            match *connection {
                Connection::Link { source: Source::Neuron(neuron), .. } => {
                    readers[neuron as usize].push(weight);
                }
                Connection::Link { source: Source::Input(input), .. } if features_cost => {
                    feature_readers[input as usize].push(weight);
                }
                _ => {}
            }
        }
        Self {
            size,
            inverse: fisher.into_inverse(&damping),
            weights: network.weights().into_iter().map(f64::from).collect(),
            connections,
            is_kept: vec![true; size],
            cost_model,
            feature_readers,
            readers,
            own,
            neuron_is_kept: vec![true; neurons],
        }
    }

    /// Removes targets, the one of lowest score first, until the network meets the budget.
    pub(super) fn prune(mut self, network: &mut SparseNetwork, budget: usize) {
        let mut cost = self.cost_model.cost(network);
        let mut removals = 0;
        let mut groups: Vec<Scored> = Vec::new();
        while cost > budget {
            let excess = cost - budget;
            if removals % GROUP_INTERVAL == 0 {
                groups = self.scored_groups(excess);
            }
            removals += 1;
            let weights = (0..self.size).filter_map(|k| self.scored_weight(k, excess));
            let groups = groups.iter().copied().filter(|group| self.is_present(group.target));
            let best = weights.chain(groups).min_by(|a, b| a.score.total_cmp(&b.score));
            let Some(Scored { target, .. }) = best else { break };
            cost -= self.cost_reduction(target);
            self.remove(target);
        }
        self.write(network);
        // Removed neurons stay in the network until it is simplified.
        let removed = self.neuron_is_kept.iter().filter(|&&is_kept| !is_kept).count();
        debug_assert_eq!(cost + removed * self.cost_model.neuron, self.cost_model.cost(network));
    }

    /// A weight with its score; `None` if it is gone, or free, as a bias may be.
    fn scored_weight(&self, k: usize, excess: usize) -> Option<Scored> {
        let target = PruneTarget::Weight(k);
        if !self.is_present(target) {
            return None;
        }
        let loss = self.weights[k] * self.weights[k] / self.inverse[k * self.size + k];
        let savings = self.savings(target, excess);
        (savings > 0).then(|| Scored { score: 0.5 * loss / savings as f64, target })
    }

    /// Neurons, and features that cost, with their scores.
    fn scored_groups(&self, excess: usize) -> Vec<Scored> {
        let neurons = self.readers.iter().enumerate();
        let neurons = neurons.map(|(neuron, readers)| (PruneTarget::Neuron(neuron), readers));
        let features = self.feature_readers.iter().enumerate();
        let features = features.map(|(input, readers)| (PruneTarget::Feature(input), readers));
        let groups = neurons.chain(features).filter(|&(target, _)| self.is_present(target));
        let scored = |(target, readers): (PruneTarget, &Vec<usize>)| {
            let loss = self.loss_increase(&self.kept(readers));
            Scored { score: loss / self.savings(target, excess) as f64, target }
        };
        groups.map(scored).collect()
    }

    /// The cost that counts as saved by a removal. A feature may cost many times the excess. Then
    /// only the excess counts, so that it is not removed for little.
    fn savings(&self, target: PruneTarget, excess: usize) -> usize {
        let reduction = self.cost_reduction(target);
        if self.cost_model.feature > 0 { reduction.min(excess) } else { reduction }
    }

    fn is_present(&self, target: PruneTarget) -> bool {
        match target {
            PruneTarget::Weight(k) => self.is_kept[k],
            PruneTarget::Neuron(neuron) => self.neuron_is_kept[neuron],
            PruneTarget::Feature(input) => {
                self.feature_readers[input].iter().any(|&k| self.is_kept[k])
            }
        }
    }

    /// By how much a removal lowers the cost.
    fn cost_reduction(&self, target: PruneTarget) -> usize {
        match target {
            PruneTarget::Weight(k) => match self.neuron_read_only_by(k) {
                Some(neuron) => self.cost_reduction(PruneTarget::Neuron(neuron)),
                None => self.cost_of_weights(&[k]),
            },
            PruneTarget::Neuron(neuron) => {
                let weights: Vec<usize> =
                    self.readers[neuron].iter().chain(&self.own[neuron]).copied().collect();
                self.cost_of_weights(&self.kept(&weights)) + self.cost_model.neuron
            }
            PruneTarget::Feature(input) => {
                self.cost_of_weights(&self.kept(&self.feature_readers[input]))
            }
        }
    }

    /// The cost of these weights, with the features that nothing else reads.
    fn cost_of_weights(&self, weights: &[usize]) -> usize {
        let of_weight = |&k: &usize| match self.connections[k] {
            Connection::Bias { .. } => self.cost_model.bias,
            Connection::Link { .. } => self.cost_model.link,
        };
        let features = self.cost_model.feature * self.features_read_only_by(weights);
        weights.iter().map(of_weight).sum::<usize>() + features
    }

    /// The number of features that nothing would read without these weights.
    fn features_read_only_by(&self, weights: &[usize]) -> usize {
        if self.feature_readers.is_empty() {
            return 0;
        }
        let input = |&k: &usize| match self.connections[k] {
            Connection::Link { source: Source::Input(input), .. } => Some(input as usize),
            _ => None,
        };
        let mut inputs: Vec<usize> = weights.iter().filter_map(input).collect();
        inputs.sort_unstable();
        inputs.dedup();
        let is_unread = |input: &usize| {
            let mut readers = self.feature_readers[*input].iter().filter(|&&k| self.is_kept[k]);
            readers.all(|k| weights.contains(k))
        };
        inputs.iter().filter(|input| is_unread(input)).count()
    }

    fn kept(&self, weights: &[usize]) -> Vec<usize> {
        weights.iter().copied().filter(|&k| self.is_kept[k]).collect()
    }

    /// The neuron that is removed with this weight because nothing else reads it.
    fn neuron_read_only_by(&self, k: usize) -> Option<usize> {
        let Connection::Link { source: Source::Neuron(neuron), .. } = self.connections[k] else {
            return None;
        };
        let neuron = neuron as usize;
        let readers = self.readers[neuron].iter().filter(|&&j| self.is_kept[j]).count();
        (readers == 1).then_some(neuron)
    }

    /// The loss increase of setting these weights to zero: `w' C_part^-1 w / 2`.
    fn loss_increase(&self, weights: &[usize]) -> f64 {
        let count = weights.len();
        let mut part = vec![0.0; count * count];
        for (row, &a) in weights.iter().enumerate() {
            for (column, &b) in weights.iter().enumerate() {
                part[row * count + column] = self.inverse[a * self.size + b];
            }
        }
        invert(&mut part, count);
        let mut loss = 0.0;
        for (row, &a) in weights.iter().enumerate() {
            for (column, &b) in weights.iter().enumerate() {
                loss += self.weights[a] * part[row * count + column] * self.weights[b];
            }
        }
        0.5 * loss.max(0.0)
    }

    fn remove(&mut self, target: PruneTarget) {
        match target {
            PruneTarget::Weight(k) => match self.neuron_read_only_by(k) {
                Some(neuron) => self.remove_neuron(neuron),
                None => self.remove_weight(k),
            },
            PruneTarget::Neuron(neuron) => self.remove_neuron(neuron),
            PruneTarget::Feature(input) => {
                for k in self.kept(&self.feature_readers[input]) {
                    self.remove_weight(k);
                }
            }
        }
    }

    fn remove_neuron(&mut self, neuron: usize) {
        self.neuron_is_kept[neuron] = false;
        for k in self.kept(&self.readers[neuron]) {
            self.remove_weight(k);
        }
        // Without a reader its own weights have no effect, and need no compensation.
        for k in self.kept(&self.own[neuron]) {
            self.weights[k] = 0.0;
            self.remove_weight(k);
        }
    }

    /// Sets a weight to zero for good. The others move to compensate, and it leaves the inverse.
    fn remove_weight(&mut self, removed: usize) {
        let size = self.size;
        self.is_kept[removed] = false;
        let row: Vec<f64> = self.inverse[removed * size..][..size].to_vec();
        let pivot = row[removed];
        if pivot > 0.0 {
            let step = self.weights[removed] / pivot;
            for k in 0..size {
                if !self.is_kept[k] {
                    continue;
                }
                self.weights[k] -= step * row[k];
                let factor = row[k] / pivot;
                if factor != 0.0 {
                    let own = &mut self.inverse[k * size..][..size];
                    for (value, &from) in own.iter_mut().zip(&row) {
                        *value -= factor * from;
                    }
                }
            }
        }
        self.weights[removed] = 0.0;
    }

    fn write(&self, network: &mut SparseNetwork) {
        let weights: Vec<f32> = self.weights.iter().map(|&weight| weight as f32).collect();
        network.set_weights(&weights);
        network.retain_connections(&self.is_kept);
        network.zero_non_finite();
    }
}
