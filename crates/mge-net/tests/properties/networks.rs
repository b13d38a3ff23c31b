//! Random networks of every shape, and random rows for them.

use mge_net::{
    Activation, Columns, Link, Loss, Network, Neuron, Output, OutputLink, Source, Targets,
    merge_links,
};
use proptest::collection::vec;
use proptest::prelude::*;

/// How a random network looks.
#[derive(Debug, Clone, Copy)]
pub struct Shape {
    pub neurons: usize,
    pub links: usize,
    pub weight: f32,
}

impl Default for Shape {
    fn default() -> Self {
        Self { neurons: 10, links: 6, weight: 1.5 }
    }
}

/// A link before its source is known: a number that selects the source, and a weight.
fn draws(shape: Shape) -> impl Strategy<Value = Vec<(u32, f32)>> {
    vec((any::<u32>(), -shape.weight..shape.weight), 0..=shape.links)
}

/// Resolves the sources. Hidden neurons come first, since deep networks test more than wide ones.
fn links(draws: Vec<(u32, f32)>, inputs: usize, earlier: usize) -> Vec<Link> {
    let link = |(draw, weight)| {
        let index = draw as usize % (inputs + earlier);
        let source = if index < earlier {
            Source::Neuron(index as u32)
        } else {
            Source::Input((index - earlier) as u32)
        };
        Link { source, weight }
    };
    merge_links(draws.into_iter().map(link))
}

fn bias(shape: Shape) -> impl Strategy<Value = Option<f32>> {
    proptest::option::of(-shape.weight..shape.weight)
}

pub fn activation() -> impl Strategy<Value = Activation> {
    proptest::sample::select(Activation::ALL.to_vec())
}

/// A network with the given number of inputs and outputs.
pub fn network(inputs: usize, outputs: usize, shape: Shape) -> impl Strategy<Value = Network> {
    let neurons = vec((activation(), bias(shape), draws(shape)), 0..=shape.neurons);
    let outputs = vec((bias(shape), draws(shape)), outputs);
    (neurons, outputs).prop_map(move |(neurons, outputs)| {
        let neurons: Vec<Neuron> = neurons
            .into_iter()
            .enumerate()
            .map(|(index, (activation, bias, draws))| Neuron {
                activation,
                bias,
                links: links(draws, inputs, index),
            })
            .collect();
        let earlier = neurons.len();
        let outputs = outputs
            .into_iter()
            .map(|(bias, draws)| Output { bias, links: links(draws, inputs, earlier) })
            .collect();
        Network::new(inputs, neurons, outputs).expect("valid by construction")
    })
}

/// Any number of inputs and outputs.
pub fn any_network(shape: Shape) -> impl Strategy<Value = Network> {
    (1usize..6, 1usize..6).prop_flat_map(move |(inputs, outputs)| network(inputs, outputs, shape))
}

/// Rows with classes, or with numbers.
#[derive(Debug, Clone)]
pub struct Rows {
    pub columns: Columns,
    pub labels: Vec<u32>,
    /// The numbers, output by output; `None` for classes.
    pub values: Option<Vec<f32>>,
}

impl Rows {
    /// The targets for a network with these outputs.
    pub fn targets_of(&self, network: &Network) -> Targets<'_> {
        if let Some(values) = &self.values {
            return Targets::values(values, network.outputs().len());
        }
        let link = OutputLink::for_outputs(network.outputs().len());
        Targets::Classes { labels: &self.labels, link }
    }
}

/// Between zero and `rows` rows, with values of the size of scaled data.
pub fn rows(inputs: usize, classes: usize, rows: usize) -> impl Strategy<Value = Rows> {
    (0..=rows).prop_flat_map(move |rows| {
        let values = vec(-4f32..4.0, rows * inputs);
        let labels = vec(0..classes as u32, rows);
        (values, labels).prop_map(move |(dense, labels)| {
            let columns = Columns::from_fn(rows, inputs, |column, values| {
                for (row, value) in values.iter_mut().enumerate() {
                    *value = dense[row * inputs + column];
                }
            });
            Rows { columns, labels, values: None }
        })
    })
}

/// The same rows with numbers of the size of scaled targets.
pub fn rows_of_values(inputs: usize, outputs: usize, rows: usize) -> impl Strategy<Value = Rows> {
    self::rows(inputs, 2, rows).prop_flat_map(move |rows| {
        let count = rows.columns.rows() * outputs;
        vec(-3f32..3.0, count).prop_map(move |values| Rows { values: Some(values), ..rows.clone() })
    })
}

/// Every loss of numbers, with several parameters.
pub fn value_loss() -> impl Strategy<Value = Loss> {
    prop_oneof![
        Just(Loss::MeanSquaredError),
        Just(Loss::MeanAbsoluteError),
        (0.05f32..3.0).prop_map(|delta| Loss::Huber { delta }),
        (0.02f32..0.98).prop_map(|quantile| Loss::Pinball { quantile }),
    ]
}

/// Every loss of classes.
pub fn class_loss() -> impl Strategy<Value = Loss> {
    proptest::sample::select(Loss::for_link(OutputLink::Logistic).to_vec())
}
