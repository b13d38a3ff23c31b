//! Where a search starts: the configurations that are tried before any is varied, and the networks
//! that they start from.

use crate::params::HybridParams;
use crate::training_config::TrainingConfig;
use crate::training_set::TrainingSet;
use mge_net::{Link, Output, Size, Source, SparseNetwork};
use mge_random::{Purpose, Stream};
use std::cmp::Reverse;

/// The maximum number of start neurons that read one input each.
const MAX_CURVES: usize = 200;

/// The L2 penalty on range-scaled weights, multiplied by the number of rows. It corresponds to a
/// Gaussian prior on these weights with a standard deviation near one.
const RANGE_SCALED_L2: f64 = 1.5;

/// The L2 penalty of large tables on unscaled weights: almost none.
const MIN_L2: f64 = 1e-6;

/// The shape of the table that configurations are chosen for.
#[derive(Debug, Clone, Copy)]
pub(crate) struct TableShape {
    pub(crate) rows: usize,
    pub(crate) inputs: usize,
    pub(crate) outputs: usize,
}

/// Draws random weights around zero.
struct InitialWeights(Stream);

impl InitialWeights {
    fn one(&mut self, width: f64) -> f32 {
        ((2.0 * self.0.unit() - 1.0) * width) as f32
    }

    fn of_inputs(&mut self, inputs: usize, width: f64) -> Vec<Link> {
        let link = |input| Link { source: Source::Input(input), weight: self.one(width) };
        (0..inputs as u32).map(link).collect()
    }
}

impl TrainingConfig {
    /// A logistic regression.
    fn linear(settings: &HybridParams, l2: f64) -> Self {
        Self {
            hidden_neurons: 0,
            activation: settings.activations[0],
            curves_per_input: 0,
            direct_links: true,
            l1: 0.0,
            l2,
            range_scaled: false,
            regrowth_cycles: 0,
            warm_start: None,
            seed: 1,
        }
    }

    /// The first configurations of a small table. For each penalty the linear one comes first, so a
    /// network with neurons has to be clearly better to replace it. Those from given networks come
    /// last, and have to be better than what a search without them finds.
    pub(crate) fn first_of_small_table(settings: &HybridParams, size: TableShape) -> Vec<Self> {
        let TableShape { rows, inputs, outputs } = size;
        // Few inputs need more neurons where there are rows to train them with.
        let hidden_neurons = if inputs * outputs > 300 { 12 } else { (rows / 120).clamp(6, 16) };
        let mut configs = Vec::new();
        for l2 in [0.01, 0.003, 0.03, 0.0003] {
            let linear = Self::linear(settings, l2);
            configs.push(linear.clone());
            for &activation in &settings.activations {
                configs.push(Self { hidden_neurons, activation, ..linear.clone() });
            }
            configs.push(Self { hidden_neurons: 4, curves_per_input: 1, ..linear });
        }
        let linear = configs[0].clone();
        configs.extend(Self::warm_starts(settings, &linear));
        configs
    }

    /// The first configurations of a large table. Where there are given networks, the largest of
    /// them is the only start: it is pruned to all budgets, and the others are on the front.
    pub(crate) fn first_of_large_table(settings: &HybridParams, size: TableShape) -> Vec<Self> {
        let TableShape { rows, outputs, .. } = size;
        let unscaled = Self::linear(settings, MIN_L2);
        // The penalties that given networks were trained with are unknown; offspring find them.
        if let Some(warm) = Self::warm_starts(settings, &unscaled).into_iter().next() {
            return vec![warm];
        }
        let unscaled = Self { l1: 1e-4, ..unscaled };
        let l2 = RANGE_SCALED_L2 / rows as f64;
        let scaled = Self { l2, range_scaled: true, ..unscaled.clone() };
        let hidden_neurons = (2 * outputs).clamp(16, 32);
        let mut configs = Vec::new();
        let scaled = Some(&scaled).filter(|_| settings.range_scaled_penalty);
        for base in scaled.into_iter().chain([&unscaled]) {
            for &activation in &settings.activations {
                configs.push(Self { hidden_neurons, activation, ..base.clone() });
            }
        }
        configs.push(unscaled);
        configs
    }

    /// A configuration for each given network, the most expensive first.
    fn warm_starts(settings: &HybridParams, base: &Self) -> Vec<Self> {
        let mut given: Vec<usize> = (0..settings.start.len()).collect();
        given.sort_by_key(|&index| Reverse(Size::of(&settings.start[index]).operations));
        let config = |index| Self { warm_start: Some(index), ..base.clone() };
        given.into_iter().map(config).collect()
    }

    /// The network that is trained first and then pruned.
    pub(crate) fn start_network(
        &self,
        training_set: &TrainingSet,
        settings: &HybridParams,
    ) -> SparseNetwork {
        let mut weights = InitialWeights(Stream::at(self.seed, Purpose::Initialisation, 0, 0));
        match self.warm_start.and_then(|index| settings.start.get(index)) {
            Some(network) => warm_start(network.into(), training_set, &mut weights),
            None => self.wide(training_set, settings.modular, &mut weights),
        }
    }

    /// A network with all links. In modular networks each neuron feeds one output only.
    fn wide(
        &self,
        training_set: &TrainingSet,
        modular: bool,
        weights: &mut InitialWeights,
    ) -> SparseNetwork {
        let (inputs, outputs) =
            (training_set.evaluator().inputs(), training_set.evaluator().outputs());
        let is_direct = self.direct_links || self.hidden_neurons == 0;
        let output = |_| {
            let links = if is_direct { weights.of_inputs(inputs, 0.01) } else { Vec::new() };
            Output { bias: Some(0.0), links }
        };
        let mut network = SparseNetwork::new(inputs, (0..outputs).map(output).collect());
        let mut push = |bias: f32, links: Vec<Link>, width: f64, weights: &mut InitialWeights| {
            let own = network.neurons().len() % outputs;
            let feeds = (0..outputs).filter(|&output| !modular || output == own);
            let feeds: Vec<_> = feeds.map(|output| (output, weights.one(width))).collect();
            network.push_neuron(self.activation, Some(bias), links, feeds);
        };
        let curves =
            if inputs * self.curves_per_input <= MAX_CURVES { self.curves_per_input } else { 0 };
        for curve in 0..curves {
            // The centres of curves are spread over the typical range of the inputs.
            let centre = 2.0 * (curve as f32 + 0.5) / curves as f32 - 1.0;
            for input in 0..inputs as u32 {
                let links = vec![Link { source: Source::Input(input), weight: 2.0 }];
                push(-2.0 * centre, links, 0.05, weights);
            }
        }
        for _ in 0..self.hidden_neurons {
            let links = weights.of_inputs(inputs, (3.0 / inputs.max(1) as f64).sqrt());
            let bias = weights.one(1.0);
            push(bias, links, (3.0 / self.hidden_neurons as f64).sqrt(), weights);
        }
        let scales = training_set.weight_scales(&network, self.regularization());
        for (weight, scale) in network.weights_mut().zip(scales) {
            *weight /= scale as f32;
        }
        network.zero_non_finite();
        network
    }
}

/// The structure of a given network. On large tables its weights are kept and trained once more on
/// the rows that train. On small tables they are drawn anew, because the held-out rows of a fold
/// may have trained them.
fn warm_start(
    mut network: SparseNetwork,
    training_set: &TrainingSet,
    weights: &mut InitialWeights,
) -> SparseNetwork {
    if training_set.has_validation() {
        return network;
    }
    let mut drawn = Vec::with_capacity(network.size());
    for unit in 0..network.units() {
        let links = network.links_of(unit).len();
        let width = (3.0 / links.max(1) as f64).sqrt();
        let of_links: Vec<f32> = (0..links).map(|_| weights.one(width)).collect();
        // The bias comes first among the weights of a unit, and is drawn last.
        drawn.extend(network.bias_of(unit).map(|_| weights.one(0.5)));
        drawn.extend(of_links);
    }
    network.set_weights(&drawn);
    network
}

#[cfg(test)]
mod tests;
