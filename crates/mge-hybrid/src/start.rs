//! Where recipes begin: wide networks with small random weights, and the recipes that are tried
//! before any is varied.

use crate::draft::Draft;
use crate::ground::Ground;
use crate::params::HybridParams;
use crate::recipe::Recipe;
use mge_net::{Link, Output, Size, Source};
use mge_random::{Purpose, Stream};
use std::cmp::Reverse;

/// Most neurons of a start that read one input each.
const MOST_CURVES: usize = 200;

/// The L2 penalty on weights of inputs from 0 to 1, times the rows: about as if weights were around
/// one before any row was seen.
const PRIOR: f64 = 1.5;

/// The L2 penalty of large tables where weights are as they are: next to none.
const LEAST_L2: f64 = 1e-6;

/// Links with weights around zero.
struct Weights(Stream);

impl Weights {
    fn one(&mut self, width: f64) -> f32 {
        ((2.0 * self.0.unit() - 1.0) * width) as f32
    }

    fn of_inputs(&mut self, inputs: usize, width: f64) -> Vec<Link> {
        let link = |input| Link { source: Source::Input(input), weight: self.one(width) };
        (0..inputs as u32).map(link).collect()
    }
}

impl Recipe {
    /// The recipes that are tried first. For each penalty the linear one comes before all others, so
    /// that a network with neurons has to be clearly better to take a rung over; those from known
    /// networks come last, and have to be better than what a search without them finds.
    pub(crate) fn starts(
        settings: &HybridParams,
        is_large: bool,
        rows: usize,
        (inputs, outputs): (usize, usize),
    ) -> Vec<Self> {
        let first = settings.activations[0];
        let plain = |l2| Recipe {
            hidden: 0,
            activation: first,
            curves: 0,
            direct: true,
            l1: 0.0,
            l2,
            by_range: false,
            cycles: 0,
            from: None,
            seed: 1,
        };
        let mut starts = Vec::new();
        if is_large {
            let linear = Recipe { l1: 1e-4, ..plain(LEAST_L2) };
            let by_range = Recipe { l2: PRIOR / rows as f64, by_range: true, ..linear.clone() };
            let hidden = (2 * outputs).clamp(16, 32);
            let bases =
                [&by_range, &linear].into_iter().filter(|base| !base.by_range || settings.ranges);
            for base in bases {
                for &activation in &settings.activations {
                    starts.push(Recipe { hidden, activation, ..base.clone() });
                }
            }
            starts.push(linear);
        } else {
            // Few inputs need more neurons where there are rows to train them by.
            let hidden = if inputs * outputs > 300 { 12 } else { (rows / 120).clamp(6, 16) };
            for l2 in [0.01, 0.003, 0.03, 0.0003] {
                starts.push(plain(l2));
                for &activation in &settings.activations {
                    starts.push(Recipe { hidden, activation, ..plain(l2) });
                }
                starts.push(Recipe { hidden: 4, curves: 1, ..plain(l2) });
            }
        }
        let cost = |place: &usize| Reverse(Size::of(&settings.start[*place]).operations);
        let mut known: Vec<usize> = (0..settings.start.len()).collect();
        known.sort_by_key(cost);
        // What the networks were trained with is not known: on large tables offspring find it.
        let l2 = if is_large { LEAST_L2 } else { starts[0].l2 };
        let warm = |from| Recipe { from: Some(from), ..plain(l2) };
        let warm: Vec<Self> = known.into_iter().map(warm).collect();
        if is_large && !warm.is_empty() {
            // The largest is cut down to all rungs, the others have their places on the front.
            return vec![warm[0].clone()];
        }
        starts.into_iter().chain(warm).collect()
    }

    /// The network that is trained first and then cut.
    pub(crate) fn start(&self, ground: &Ground, settings: &HybridParams) -> Draft {
        let mut weights = Weights(Stream::at(self.seed, Purpose::Initialisation, 0, 0));
        match self.from.and_then(|from| settings.start.get(from)) {
            Some(network) => self.again(Draft::of(network), ground, &mut weights),
            None => self.wide(ground, settings.modular, &mut weights),
        }
    }

    /// A known structure. Rows that are to judge it may have trained its weights, so they are
    /// drawn anew. On large tables they are kept and tuned once more on the rows that train.
    fn again(&self, mut draft: Draft, ground: &Ground, weights: &mut Weights) -> Draft {
        if ground.has_validation() {
            return draft;
        }
        for unit in 0..draft.units() {
            let (bias, links) = draft.unit_mut(unit);
            let width = (3.0 / links.len().max(1) as f64).sqrt();
            for link in links {
                link.weight = weights.one(width);
            }
            if let Some(bias) = bias {
                *bias = weights.one(0.5);
            }
        }
        draft
    }

    /// Everything linked to everything; in modular networks each neuron to one output.
    fn wide(&self, ground: &Ground, modular: bool, weights: &mut Weights) -> Draft {
        let (inputs, count) = (ground.evaluator().inputs(), ground.evaluator().outputs());
        let outputs = (0..count).map(|_| {
            let is_direct = self.direct || self.hidden == 0;
            let links = if is_direct { weights.of_inputs(inputs, 0.01) } else { Vec::new() };
            Output { bias: Some(0.0), links }
        });
        let mut draft = Draft { inputs, neurons: Vec::new(), outputs: outputs.collect() };
        let mut push = |bias: f32, links: Vec<Link>, width: f64, weights: &mut Weights| {
            let own = draft.neurons.len() % count;
            let feeds = (0..count).filter(|&output| !modular || output == own);
            let feeds: Vec<_> = feeds.map(|output| (output, weights.one(width))).collect();
            draft.push_neuron(self.activation, Some(bias), links, feeds);
        };
        let curves = if inputs * self.curves <= MOST_CURVES { self.curves } else { 0 };
        for bend in 0..curves {
            // Bends are spread over the usual range of the inputs.
            let at = 2.0 * (bend as f32 + 0.5) / curves as f32 - 1.0;
            for input in 0..inputs as u32 {
                let links = vec![Link { source: Source::Input(input), weight: 2.0 }];
                push(-2.0 * at, links, 0.05, weights);
            }
        }
        for _ in 0..self.hidden {
            let links = weights.of_inputs(inputs, (3.0 / inputs.max(1) as f64).sqrt());
            let bias = weights.one(1.0);
            push(bias, links, (3.0 / self.hidden as f64).sqrt(), weights);
        }
        let units = ground.units(&draft, self.price());
        for (weight, unit) in draft.weights_mut().zip(units) {
            *weight /= unit as f32;
        }
        draft
    }
}
