//! What is exported: the network with its scaling folded in, before any language.
//!
//! A feature reaches the network as `(x - offset) * factor`. The factor goes into the weights and
//! the offset into the bias of each unit that reads the feature; only where the offset is so large
//! that folding it would lose digits of an f32 ([`LARGEST_FOLDED`]) it stays a subtraction. Neurons
//! that reach no output are left out, and neurons that read nothing become part of a bias.

use mge_data::{Encoding, Feature, Preprocess, RawColumn};
use mge_net::{Activation, Link, Network, Snippet, Source, SourceText};

use crate::error::ExportError;
use crate::text::f32_text;

/// An offset of more than this many standard deviations (or ranges) is not folded into a bias.
pub const LARGEST_FOLDED: f64 = 32.0;

/// What is to be exported.
#[derive(Debug, Clone, Copy)]
pub struct Classifier<'a> {
    /// What it is called; an identifier is made of it.
    pub name: &'a str,
    /// The network.
    pub network: &'a Network,
    /// From raw columns to the network's inputs.
    pub preprocess: &'a Preprocess,
    /// The class names.
    pub classes: &'a [String],
}

/// One number that the exported function takes.
#[derive(Debug, Clone, PartialEq)]
pub struct Input {
    /// The feature's name.
    pub name: String,
    /// What to pass, for people: which raw column, which category.
    pub meaning: String,
    /// Stands in for a missing value (NaN).
    pub fill: f32,
    /// Subtracted before weights are applied; 0 where the offset is folded.
    pub shift: f32,
    /// Whether it is 0 or 1 by its nature.
    pub flag: bool,
    /// Whether any unit reads it.
    pub used: bool,
    /// Where typical values lie: `center` plus or minus a few `spread`.
    pub center: f64,
    /// See `center`.
    pub spread: f64,
}

/// A weighted source.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Term {
    /// An input or an earlier neuron.
    pub source: Source,
    /// What it is multiplied with.
    pub weight: f64,
}

/// A weighted sum.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Sum {
    /// The constant.
    pub bias: f64,
    /// What is added to it.
    pub terms: Vec<Term>,
}

impl Sum {
    /// As an expression of the C family over `v0..` (inputs) and `h0..` (neurons); `suffix` marks
    /// numbers as 32-bit floats.
    pub(crate) fn expression(&self, suffix: &str) -> String {
        let value = |source: Source| match source {
            Source::Input(index) => format!("v{index}"),
            Source::Neuron(index) => format!("h{index}"),
        };
        let terms = self.terms.iter();
        let mut parts: Vec<String> = terms
            .map(|term| format!("{}{suffix} * {}", f32_text(term.weight), value(term.source)))
            .collect();
        parts.push(format!("{}{suffix}", f32_text(self.bias)));
        parts.join("\n        + ")
    }
}

/// A program of sums: neurons in order, then outputs.
#[derive(Debug, Clone, PartialEq)]
pub struct Program {
    /// The identifier that files and functions start with.
    pub name: String,
    /// The name as it was given.
    pub title: String,
    /// What the function takes, in order.
    pub inputs: Vec<Input>,
    /// Hidden neurons, each after those it reads.
    pub neurons: Vec<(Activation, Sum)>,
    /// One sum for two classes, else one for each class.
    pub outputs: Vec<Sum>,
    /// The class names.
    pub classes: Vec<String>,
}

impl Program {
    /// The place of a source in a list of all inputs, then all neurons.
    pub(crate) fn place(&self, source: Source) -> usize {
        match source {
            Source::Input(index) => index as usize,
            Source::Neuron(index) => self.inputs.len() + index as usize,
        }
    }

    /// Folds the scaling into the weights.
    ///
    /// # Errors
    /// When the parts do not fit together.
    pub fn new(classifier: &Classifier<'_>) -> Result<Self, ExportError> {
        let Classifier { name, network, preprocess, classes } = *classifier;
        let features = preprocess.features();
        if features.len() != network.inputs() {
            let (found, expected) = (features.len(), network.inputs());
            return Err(ExportError::Features { found, expected });
        }
        if classes.len() != network.classes() {
            let (found, expected) = (classes.len(), network.classes());
            return Err(ExportError::Classes { found, expected });
        }
        let mut inputs: Vec<Input> =
            features.iter().map(|feature| input(feature, preprocess)).collect();
        let mut fold = Fold { features, known: Vec::new(), neurons: Vec::new() };
        let reached = reached(network);
        for (neuron, reached) in network.neurons().iter().zip(reached) {
            let known = if reached {
                let sum = fold.sum(neuron.bias, &neuron.links);
                if sum.terms.is_empty() {
                    Known::Constant(neuron.activation.apply(sum.bias))
                } else {
                    fold.neurons.push((neuron.activation, sum));
                    Known::Neuron(fold.neurons.len() as u32 - 1)
                }
            } else {
                Known::Constant(0.0)
            };
            fold.known.push(known);
        }
        let outputs: Vec<Sum> =
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

    /// A row with what stands in for its missing values.
    pub fn filled(&self, row: &[f32]) -> Vec<f32> {
        let cells = row.iter().zip(&self.inputs);
        cells.map(|(x, input)| if x.is_nan() { input.fill } else { *x }).collect()
    }

    /// The value of each neuron and the sum of each output for one row of raw numbers, in f64.
    pub fn walk(&self, row: &[f32]) -> (Vec<f64>, Vec<f64>) {
        let mut values: Vec<f64> = Vec::with_capacity(self.neurons.len());
        let total = |sum: &Sum, values: &[f64]| {
            let value = |source: Source| match source {
                Source::Input(index) => {
                    let input = &self.inputs[index as usize];
                    let x = row[index as usize];
                    f64::from(if x.is_nan() { input.fill } else { x }) - f64::from(input.shift)
                }
                Source::Neuron(index) => values[index as usize],
            };
            sum.terms.iter().fold(sum.bias, |all, term| all + term.weight * value(term.source))
        };
        for (activation, sum) in &self.neurons {
            let value = activation.apply(total(sum, &values));
            values.push(value);
        }
        let outputs = self.outputs.iter().map(|sum| total(sum, &values)).collect();
        (values, outputs)
    }

    /// The class that output sums stand for: the first of the largest.
    pub fn class(sums: &[f64]) -> usize {
        match *sums {
            [sum] => usize::from(sum > 0.0),
            _ => sums.iter().enumerate().fold(
                0,
                |best, (index, sum)| {
                    if *sum > sums[best] { index } else { best }
                },
            ),
        }
    }

    /// The probability of each class for output sums.
    pub fn probabilities(sums: &[f64]) -> Vec<f64> {
        let both;
        let sums = match *sums {
            [sum] => {
                both = [0.0, sum];
                &both[..]
            }
            _ => sums,
        };
        let largest = sums.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let shares: Vec<f64> = sums.iter().map(|sum| libm::exp(sum - largest)).collect();
        let total: f64 = shares.iter().sum();
        shares.into_iter().map(|share| share / total).collect()
    }

    /// Rows of raw numbers that look like data without being data: golden vectors give nothing of
    /// the training rows away. The last row has a missing value in every place.
    pub fn example_rows(&self, count: usize) -> Vec<Vec<f32>> {
        // Multiples of the golden ratio spread evenly and are the same everywhere.
        const STEP: f64 = 0.618_033_988_749_894_9;
        let mut rows: Vec<Vec<f32>> = (0..count)
            .map(|row| {
                let place = |(index, input): (usize, &Input)| {
                    let at = (1 + row * (2 * self.inputs.len() + 1) + index) as f64 * STEP;
                    let at = at - at.floor();
                    if input.flag {
                        return if at > 0.5 { 1.0 } else { 0.0 };
                    }
                    (input.center + (4.0 * at - 2.0) * input.spread) as f32
                };
                self.inputs.iter().enumerate().map(place).collect()
            })
            .collect();
        rows.push(vec![f32::NAN; self.inputs.len()]);
        rows
    }

    /// All sums, neurons first.
    pub fn sums(&self) -> impl Iterator<Item = &Sum> {
        self.neurons.iter().map(|(_, sum)| sum).chain(&self.outputs)
    }

    /// The activations of its neurons, each once.
    pub fn activations(&self) -> Vec<Activation> {
        let applies = |one: &Activation| self.neurons.iter().any(|(applied, _)| applied == one);
        Activation::ALL.into_iter().filter(applies).collect()
    }

    /// The activations of its neurons, and the identity of its outputs.
    pub(crate) fn activations_and_identity(&self) -> Vec<Activation> {
        let mut activations = self.activations();
        if !activations.contains(&Activation::Identity) {
            activations.push(Activation::Identity);
        }
        activations
    }

    /// The functions that its activations call in one language, each once.
    pub(crate) fn helpers(&self, language: impl Fn(&SourceText) -> Snippet) -> String {
        let mut helpers: Vec<&str> = Vec::new();
        for activation in self.activations() {
            let helper = language(activation.source_text()).helper;
            if !helpers.contains(&helper) {
                helpers.push(helper);
            }
        }
        helpers.concat()
    }

    /// Weighted sources of all sums.
    pub fn links(&self) -> usize {
        self.sums().map(|sum| sum.terms.len()).sum()
    }

    /// Whether some input needs its offset subtracted.
    pub fn shifts(&self) -> bool {
        self.inputs.iter().any(|input| input.used && input.shift != 0.0)
    }
}

/// What became of a neuron of the network.
enum Known {
    Neuron(u32),
    Constant(f64),
}

struct Fold<'a> {
    features: &'a [Feature],
    known: Vec<Known>,
    neurons: Vec<(Activation, Sum)>,
}

impl Fold<'_> {
    fn sum(&self, bias: Option<f32>, links: &[Link]) -> Sum {
        let mut sum = Sum { bias: f64::from(bias.unwrap_or(0.0)), terms: Vec::new() };
        for link in links.iter().filter(|link| link.weight != 0.0) {
            let weight = f64::from(link.weight);
            match link.source {
                Source::Input(index) => {
                    let feature = &self.features[index as usize];
                    let weight = weight * f64::from(feature.factor);
                    if folds(feature) {
                        sum.bias -= weight * f64::from(feature.offset);
                    }
                    sum.terms.push(Term { source: link.source, weight });
                }
                Source::Neuron(index) => match self.known[index as usize] {
                    Known::Neuron(index) => {
                        sum.terms.push(Term { source: Source::Neuron(index), weight });
                    }
                    Known::Constant(value) => sum.bias += weight * value,
                },
            }
        }
        sum
    }
}

fn folds(feature: &Feature) -> bool {
    (f64::from(feature.offset) * f64::from(feature.factor)).abs() <= LARGEST_FOLDED
}

/// Which neurons some output depends on.
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
    // Neurons read earlier ones only, so one walk backwards is enough.
    for index in (0..reached.len()).rev() {
        if reached[index] {
            mark(&network.neurons()[index].links, &mut reached);
        }
    }
    reached
}

/// What stands in for a missing cell of text.
fn fill_of(raw: &RawColumn) -> Option<&str> {
    match raw {
        RawColumn::Number { .. } => None,
        RawColumn::Boolean { fill, .. } | RawColumn::Category { fill, .. } => Some(fill),
    }
}

fn input(feature: &Feature, preprocess: &Preprocess) -> Input {
    let raw = preprocess.columns().iter().find(|column| column.name() == feature.column);
    let column = &feature.column;
    let (meaning, fill, flag) = match (&feature.encoding, raw) {
        (Encoding::Value, Some(RawColumn::Number { fill, .. })) => {
            (format!("column {column}"), *fill, false)
        }
        (Encoding::Is(category), Some(raw)) => {
            let fill = if fill_of(raw) == Some(category.as_str()) { 1.0 } else { 0.0 };
            (format!("1 where column {column} is {category}, else 0"), fill, true)
        }
        (Encoding::Ordinal, Some(raw)) => {
            let places: Vec<String> = raw
                .categories()
                .iter()
                .enumerate()
                .map(|(place, category)| format!("{place} = {category}"))
                .collect();
            let fill = fill_of(raw).unwrap_or_default();
            let at = raw.categories().iter().position(|category| category == fill);
            let fill = at.unwrap_or(0) as f32;
            (format!("column {column} as a number: {}", places.join(", ")), fill, false)
        }
        (Encoding::Missing, _) => {
            (format!("1 where column {column} is missing, else 0"), 1.0, true)
        }
        _ => (format!("column {column}"), 0.0, false),
    };
    Input {
        name: feature.name.clone(),
        meaning,
        fill,
        shift: if folds(feature) { 0.0 } else { feature.offset },
        flag,
        used: false,
        center: f64::from(feature.offset),
        spread: 1.0 / f64::from(feature.factor),
    }
}
