//! What is exported: the network with its scaling folded in, before any language.
//!
//! A feature reaches the network as `(x - offset) * factor`. The factor goes into the weights, and
//! the offset into the bias of each unit that reads the feature. An offset so large that folding it
//! would lose digits of an f32 stays a subtraction. Neurons that reach no output are left out.
//! Neurons that read nothing become part of a bias.

mod fold;

use mge_data::{FeatureRange, FileLayout, Preprocess};
use mge_net::{Activation, Network, Snippet, Source, SourceText};

use crate::text::f32_text;

/// A trained classifier, as it is exported.
#[derive(Debug, Clone, Copy)]
pub struct TrainedClassifier<'a> {
    /// Its name. Files and functions are named by an identifier made of it.
    pub name: &'a str,
    /// The network.
    pub network: &'a Network,
    /// Turns raw columns into the network's inputs.
    pub preprocess: &'a Preprocess,
    /// The class names.
    pub classes: &'a [String],
}

/// How a cell of a table becomes an input.
#[derive(Debug, Clone, PartialEq)]
pub enum InputCell {
    /// The number in it.
    Number,
    /// 1 where the cell is this category, else 0.
    Is(String),
    /// The position of the cell's category in this list.
    Ordinal(Vec<String>),
    /// 1 where the cell is missing, else 0.
    IsMissing,
}

/// One number that the exported function takes.
#[derive(Debug, Clone, PartialEq)]
pub struct ProgramInput {
    /// The index of the feature in the model.
    pub feature: usize,
    /// The feature's name.
    pub name: String,
    /// The raw column that it comes from.
    pub column: String,
    /// How a cell of that column becomes this input.
    pub cell: InputCell,
    /// What to pass, in words: which raw column, which category.
    pub description: String,
    /// Replaces a missing value (NaN).
    pub fill: f32,
    /// Subtracted before weights are applied; 0 where the offset is folded.
    pub shift: f32,
    /// Whether it is always 0 or 1.
    pub flag: bool,
    /// Whether any unit reads it.
    pub used: bool,
    /// The middle of typical values.
    pub center: f64,
    /// The unit of their spread: a standard deviation or a range.
    pub spread: f64,
    /// The categories of the raw column; none of a column of numbers.
    pub categories: Vec<String>,
    /// The range of the training rows, where it is known.
    pub range: Option<FeatureRange>,
}

/// A source and its weight.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SumTerm {
    /// An input or an earlier neuron.
    pub source: Source,
    /// The factor of its value.
    pub weight: f64,
}

/// A weighted sum.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct WeightedSum {
    /// The constant.
    pub bias: f64,
    /// The weighted sources.
    pub terms: Vec<SumTerm>,
}

impl WeightedSum {
    /// The sum as an expression of C or Rust over `v0..` (inputs) and `h0..` (neurons). The suffix
    /// marks numbers as 32-bit floats.
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
    /// The numbers that the function takes, in order. There is at least one: a network that reads
    /// none gets its first feature.
    pub inputs: Vec<ProgramInput>,
    /// Hidden neurons, each after those it reads.
    pub neurons: Vec<(Activation, WeightedSum)>,
    /// One sum for two classes, else one for each class.
    pub outputs: Vec<WeightedSum>,
    /// The class names.
    pub classes: Vec<String>,
    /// The layout of the table that the model was made from.
    pub table: FileLayout,
    /// Where it comes from, for formats without comments.
    pub provenance: Vec<String>,
}

impl Program {
    /// The index of a source in a list of all inputs, then all neurons.
    pub(crate) fn source_index(&self, source: Source) -> usize {
        match source {
            Source::Input(index) => index as usize,
            Source::Neuron(index) => self.inputs.len() + index as usize,
        }
    }

    /// A row with its missing values replaced.
    pub fn filled(&self, row: &[f32]) -> Vec<f32> {
        let cells = row.iter().zip(&self.inputs);
        cells.map(|(x, input)| if x.is_nan() { input.fill } else { *x }).collect()
    }

    /// The value of each neuron and the sum of each output for one row of raw numbers, in f64.
    pub fn evaluate(&self, row: &[f32]) -> (Vec<f64>, Vec<f64>) {
        let mut values: Vec<f64> = Vec::with_capacity(self.neurons.len());
        let total = |sum: &WeightedSum, values: &[f64]| {
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

    /// The class that the output sums decide on: the first of the largest.
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
        let exps: Vec<f64> = sums.iter().map(|sum| libm::exp(sum - largest)).collect();
        let total: f64 = exps.iter().sum();
        exps.into_iter().map(|exp| exp / total).collect()
    }

    /// Made-up rows of raw numbers in the range of the data. Tests of exported code use them, so
    /// that no training row leaves with the code. In the last row every value is missing.
    pub fn example_rows(&self, count: usize) -> Vec<Vec<f32>> {
        // Multiples of the golden ratio spread evenly and are the same everywhere.
        const STEP: f64 = 0.618_033_988_749_894_9;
        let mut rows: Vec<Vec<f32>> = (0..count)
            .map(|row| {
                let value = |(index, input): (usize, &ProgramInput)| {
                    let at = (1 + row * (2 * self.inputs.len() + 1) + index) as f64 * STEP;
                    let at = at - at.floor();
                    if input.flag {
                        return if at > 0.5 { 1.0 } else { 0.0 };
                    }
                    (input.center + (4.0 * at - 2.0) * input.spread) as f32
                };
                self.inputs.iter().enumerate().map(value).collect()
            })
            .collect();
        rows.push(vec![f32::NAN; self.inputs.len()]);
        rows
    }

    /// All sums, neurons first.
    pub fn sums(&self) -> impl Iterator<Item = &WeightedSum> {
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

    /// The number of weighted sources in all sums.
    pub fn links(&self) -> usize {
        self.sums().map(|sum| sum.terms.len()).sum()
    }

    /// Whether the offset of some input has to be subtracted.
    pub fn has_shifts(&self) -> bool {
        self.inputs.iter().any(|input| input.used && input.shift != 0.0)
    }
}
