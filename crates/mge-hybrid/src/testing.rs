//! Small tables and networks for the unit tests.

use crate::held_out::Dependence;
use crate::training_data::TrainingData;
use crate::training_set::{Optimiser, Regularization, TrainingSet};
use mge_net::gradient::Penalty;
use mge_net::{Activation, Columns, Link, Loss, Output, Source, SparseNetwork, Targets};
use mge_random::{Purpose, Stream};

/// A table of any columns.
pub(crate) struct TestTable {
    columns: Columns,
    labels: Vec<u32>,
}

impl TestTable {
    pub(crate) fn new(columns: Vec<Vec<f32>>, labels: Vec<u32>) -> Self {
        Self { columns: Columns::from_columns(columns).expect("equal lengths"), labels }
    }

    /// Classes are rings around the origin of the first two of `inputs` features.
    pub(crate) fn rings(rows: usize, inputs: usize, classes: u32) -> Self {
        let mut stream = Stream::at(3, Purpose::Seed, 0, 0);
        let mut column = || (0..rows).map(|_| (4.0 * stream.unit() - 2.0) as f32).collect();
        let columns: Vec<Vec<f32>> = (0..inputs).map(|_| column()).collect();
        let ring = |row: usize| {
            let [x, y] = [columns[0][row], columns[1][row]];
            ((x * x + y * y) as u32).min(classes - 1)
        };
        let labels = (0..rows).map(ring).collect();
        Self::new(columns, labels)
    }

    pub(crate) fn data(&self) -> TrainingData<'_> {
        let classes = self.labels.iter().max().map_or(0, |&class| class as usize + 1);
        TrainingData {
            columns: &self.columns,
            targets: Targets::classes(&self.labels, classes),
            loss: Loss::CrossEntropy,
            is_balanced: false,
            dependence: Dependence::Independent,
        }
    }

    /// All rows, trained by L-BFGS.
    pub(crate) fn training_set(&self, iterations: usize) -> TrainingSet {
        let rows: Vec<u32> = (0..self.labels.len() as u32).collect();
        let optimiser = Optimiser::Lbfgs(iterations);
        TrainingSet::new(&self.data(), &rows, rows.len(), optimiser).expect("valid rows")
    }
}

pub(crate) fn no_regularization() -> Regularization {
    Regularization { penalty: Penalty::default(), range_scaled: false }
}

/// A shallow network with random weights: hidden neurons read all inputs and feed all outputs, and
/// outputs read all inputs.
pub(crate) fn random_network(
    inputs: usize,
    hidden: usize,
    outputs: usize,
    seed: u64,
) -> SparseNetwork {
    let mut stream = Stream::at(seed, Purpose::Initialisation, 0, 0);
    let mut weight = || (2.0 * stream.unit() - 1.0) as f32;
    let mut links = || -> (Option<f32>, Vec<Link>) {
        let link = |input| Link { source: Source::Input(input), weight: weight() };
        let links = (0..inputs as u32).map(link).collect();
        (Some(weight()), links)
    };
    let output = |_| {
        let (bias, links) = links();
        Output { bias, links }
    };
    let mut network = SparseNetwork::new(inputs, (0..outputs).map(output).collect());
    for neuron in 0..hidden {
        let activation = [Activation::Tanh, Activation::Gauss][neuron % 2];
        let (bias, own) = links();
        let feeds: Vec<_> = (0..outputs).map(|output| (output, 0.5 - output as f32)).collect();
        network.push_neuron(activation, bias, own, feeds);
    }
    network
}
