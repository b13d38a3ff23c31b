//! Folds a network's scaling into its weights.

use mge_data::{Encoding, Feature, FileLayout, Preprocess, RawColumn};
use mge_net::{Activation, Link, OutputLink, Source};

use super::{InputCell, Program, ProgramInput, SumTerm, TrainedClassifier, WeightedSum};
use crate::error::ExportError;
use crate::options::Inputs;

/// An offset of more than this many standard deviations (or ranges) is not folded into a bias: the
/// sum would lose digits of an f32.
const LARGEST_FOLDED: f64 = 32.0;

impl Program {
    /// Folds the scaling into the weights.
    ///
    /// # Errors
    /// When the parts do not fit together.
    pub fn new(classifier: &TrainedClassifier<'_>, which: Inputs) -> Result<Self, ExportError> {
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
        let mut inputs: Vec<ProgramInput> = features
            .iter()
            .enumerate()
            .map(|(index, feature)| input(index, feature, preprocess))
            .collect();
        let mut fold = Fold { features, folded: Vec::new(), neurons: Vec::new() };
        let reached = network.neurons_in_use();
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
        let mut program = Self {
            name: crate::names::identifier(name),
            title: name.to_owned(),
            inputs,
            neurons,
            outputs,
            classes: classes.to_vec(),
            table: FileLayout::default(),
            provenance: Vec::new(),
        };
        if which == Inputs::Used {
            program.drop_unused_inputs();
        }
        Ok(program)
    }

    /// Removes the inputs that no unit reads. The first one stays if none is read, since most
    /// languages have no empty arrays.
    fn drop_unused_inputs(&mut self) {
        let mut kept: Vec<bool> = self.inputs.iter().map(|input| input.used).collect();
        if !kept.contains(&true)
            && let Some(first) = kept.first_mut()
        {
            *first = true;
        }
        let mut count = 0;
        let new_index: Vec<u32> = kept
            .iter()
            .map(|&kept| {
                count += u32::from(kept);
                count.saturating_sub(1)
            })
            .collect();
        let mut kept = kept.into_iter();
        self.inputs.retain(|_| kept.next().unwrap_or(false));
        let sums = self.neurons.iter_mut().map(|(_, sum)| sum).chain(&mut self.outputs);
        for term in sums.flat_map(|sum| &mut sum.terms) {
            if let Source::Input(index) = &mut term.source {
                *index = new_index[*index as usize];
            }
        }
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

/// The category that replaces a missing cell.
fn fill_of(raw: &RawColumn) -> Option<&str> {
    match raw {
        RawColumn::Number { .. } => None,
        RawColumn::Boolean { fill, .. } | RawColumn::Category { fill, .. } => Some(fill),
    }
}

fn input(index: usize, feature: &Feature, preprocess: &Preprocess) -> ProgramInput {
    let raw = preprocess.columns().iter().find(|column| column.name() == feature.column);
    let column = &feature.column;
    let (description, fill, cell) = match (&feature.encoding, raw) {
        (Encoding::Value, Some(RawColumn::Number { fill, .. })) => {
            (format!("column {column}"), *fill, InputCell::Number)
        }
        (Encoding::Is(category), Some(raw)) => {
            let fill = if fill_of(raw) == Some(category.as_str()) { 1.0 } else { 0.0 };
            let description = format!("1 where column {column} is {category}, else 0");
            (description, fill, InputCell::Is(category.clone()))
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
            let description = format!("column {column} as a number: {}", codes.join(", "));
            (description, code.unwrap_or(0) as f32, InputCell::Ordinal(raw.categories().to_vec()))
        }
        (Encoding::Missing, _) => {
            let description = format!("1 where column {column} is missing, else 0");
            (description, 1.0, InputCell::IsMissing)
        }
        _ => (format!("column {column}"), 0.0, InputCell::Number),
    };
    ProgramInput {
        feature: index,
        name: feature.name.clone(),
        column: column.clone(),
        flag: matches!(cell, InputCell::Is(_) | InputCell::IsMissing),
        cell,
        description,
        fill,
        shift: if folds(feature) { 0.0 } else { feature.offset },
        used: false,
        center: f64::from(feature.offset),
        spread: 1.0 / f64::from(feature.factor),
        categories: raw.map_or_else(Vec::new, |raw| raw.categories().to_vec()),
        range: None,
    }
}
