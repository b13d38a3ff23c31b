//! Folds a network's scaling into its weights.

use mge_data::{Encoding, Feature, Preprocess, RawColumn};
use mge_net::{Activation, Link, Network, OutputLink, Source};

use super::{Program, ProgramInput, SumTerm, TrainedClassifier, WeightedSum};
use crate::error::ExportError;

/// An offset of more than this many standard deviations (or ranges) is not folded into a bias: the
/// sum would lose digits of an f32.
const LARGEST_FOLDED: f64 = 32.0;

impl Program {
    /// Folds the scaling into the weights.
    ///
    /// # Errors
    /// When the parts do not fit together.
    pub fn new(classifier: &TrainedClassifier<'_>) -> Result<Self, ExportError> {
        let TrainedClassifier { name, network, preprocess, classes } = *classifier;
        let features = preprocess.features();
        if features.len() != network.inputs() {
            let (found, expected) = (features.len(), network.inputs());
            return Err(ExportError::FeatureCount { found, expected });
        }
        if classes.is_empty() {
            return Err(ExportError::Numbers);
        }
        let expected = OutputLink::for_outputs(network.outputs().len()).classes();
        if classes.len() != expected {
            let found = classes.len();
            return Err(ExportError::ClassCount { found, expected });
        }
        let mut inputs: Vec<ProgramInput> =
            features.iter().map(|feature| input(feature, preprocess)).collect();
        let mut fold = Fold { features, folded: Vec::new(), neurons: Vec::new() };
        let reached = reached(network);
        for (neuron, reached) in network.neurons().iter().zip(reached) {
            let folded = if reached {
                let sum = fold.sum(neuron.bias, &neuron.links);
                if sum.terms.is_empty() {
                    FoldedNeuron::Constant(neuron.activation.apply(sum.bias))
                } else {
                    fold.neurons.push((neuron.activation, sum));
                    FoldedNeuron::Neuron(fold.neurons.len() as u32 - 1)
                }
            } else {
                FoldedNeuron::Constant(0.0)
            };
            fold.folded.push(folded);
        }
        let outputs: Vec<WeightedSum> =
            network.outputs().iter().map(|output| fold.sum(output.bias, &output.links)).collect();
        let neurons = fold.neurons;
        for term in neurons.iter().map(|(_, sum)| sum).chain(&outputs).flat_map(|sum| &sum.terms) {
            if let Source::Input(index) = term.source {
                inputs[index as usize].used = true;
            }
        }
        Ok(Self {
            name: crate::names::identifier(name),
            title: name.to_owned(),
            inputs,
            neurons,
            outputs,
            classes: classes.to_vec(),
        })
    }
}

/// A neuron of the network after folding.
enum FoldedNeuron {
    /// A neuron of the program, by index.
    Neuron(u32),
    /// A constant, which goes into the biases of its readers.
    Constant(f64),
}

struct Fold<'a> {
    features: &'a [Feature],
    folded: Vec<FoldedNeuron>,
    neurons: Vec<(Activation, WeightedSum)>,
}

impl Fold<'_> {
    fn sum(&self, bias: Option<f32>, links: &[Link]) -> WeightedSum {
        let mut sum = WeightedSum { bias: f64::from(bias.unwrap_or(0.0)), terms: Vec::new() };
        for link in links.iter().filter(|link| link.weight != 0.0) {
            let weight = f64::from(link.weight);
            match link.source {
                Source::Input(index) => {
                    let feature = &self.features[index as usize];
                    let weight = weight * f64::from(feature.factor);
                    if folds(feature) {
                        sum.bias -= weight * f64::from(feature.offset);
                    }
                    sum.terms.push(SumTerm { source: link.source, weight });
                }
                Source::Neuron(index) => match self.folded[index as usize] {
                    FoldedNeuron::Neuron(index) => {
                        sum.terms.push(SumTerm { source: Source::Neuron(index), weight });
                    }
                    FoldedNeuron::Constant(value) => sum.bias += weight * value,
                },
            }
        }
        sum
    }
}

fn folds(feature: &Feature) -> bool {
    (f64::from(feature.offset) * f64::from(feature.factor)).abs() <= LARGEST_FOLDED
}

/// Whether some output depends on each neuron.
fn reached(network: &Network) -> Vec<bool> {
    let mut reached = vec![false; network.neurons().len()];
    let mark = |links: &[Link], reached: &mut Vec<bool>| {
        for link in links.iter().filter(|link| link.weight != 0.0) {
            if let Source::Neuron(index) = link.source {
                reached[index as usize] = true;
            }
        }
    };
    for output in network.outputs() {
        mark(&output.links, &mut reached);
    }
    // Neurons read earlier ones only, so one pass backwards is enough.
    for index in (0..reached.len()).rev() {
        if reached[index] {
            mark(&network.neurons()[index].links, &mut reached);
        }
    }
    reached
}

/// The category that replaces a missing cell.
fn fill_of(raw: &RawColumn) -> Option<&str> {
    match raw {
        RawColumn::Number { .. } => None,
        RawColumn::Boolean { fill, .. } | RawColumn::Category { fill, .. } => Some(fill),
    }
}

fn input(feature: &Feature, preprocess: &Preprocess) -> ProgramInput {
    let raw = preprocess.columns().iter().find(|column| column.name() == feature.column);
    let column = &feature.column;
    let (description, fill, flag) = match (&feature.encoding, raw) {
        (Encoding::Value, Some(RawColumn::Number { fill, .. })) => {
            (format!("column {column}"), *fill, false)
        }
        (Encoding::Is(category), Some(raw)) => {
            let fill = if fill_of(raw) == Some(category.as_str()) { 1.0 } else { 0.0 };
            (format!("1 where column {column} is {category}, else 0"), fill, true)
        }
        (Encoding::Ordinal, Some(raw)) => {
            let codes: Vec<String> = raw
                .categories()
                .iter()
                .enumerate()
                .map(|(code, category)| format!("{code} = {category}"))
                .collect();
            let fill = fill_of(raw).unwrap_or_default();
            let code = raw.categories().iter().position(|category| category == fill);
            let fill = code.unwrap_or(0) as f32;
            (format!("column {column} as a number: {}", codes.join(", ")), fill, false)
        }
        (Encoding::Missing, _) => {
            (format!("1 where column {column} is missing, else 0"), 1.0, true)
        }
        _ => (format!("column {column}"), 0.0, false),
    };
    ProgramInput {
        name: feature.name.clone(),
        description,
        fill,
        shift: if folds(feature) { 0.0 } else { feature.offset },
        flag,
        used: false,
        center: f64::from(feature.offset),
        spread: 1.0 / f64::from(feature.factor),
    }
}
