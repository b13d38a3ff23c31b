//! The network in small integers: no floats, no library, the same bits on every machine.
//!
//! Every value of an input or neuron is an unsigned number `q` that stands for `zero + step * q`.
//! A neuron adds integer weights times values to its bias. It shifts the sum right by its own
//! number of bits and applies one of four functions ([`IntegerActivation`]). tanh(x) is
//! 2 sig(2 x) - 1, so the sigmoid serves tanh as well, with the factors folded into the weights.
//! relu and identity are clamps. The class is the output with the largest sum, without an exp.
//!
//! This file defines the numbers and how they are computed with. [`IntegerProgram::fit`] chooses
//! them by calibration rows.

mod activation;
mod dead_neurons;
mod fit;
mod inputs;
mod outputs;
mod sample;

use mge_net::Source;

pub use activation::IntegerActivation;

use crate::options::Number;

/// The integer format of weights and values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct IntegerFormat {
    /// Values lie between 0 and this.
    pub max_value: u32,
    /// Weights lie between minus and plus this.
    pub max_weight: i64,
    /// Bits of an activation's argument: the sigmoid saturates beyond `2^argument_bits - 1`.
    pub argument_bits: u32,
}

impl IntegerFormat {
    /// 8-bit weights and values.
    pub const INT8: Self = Self { max_value: 255, max_weight: 127, argument_bits: 8 };
    /// 16-bit weights and 15-bit values: their product fits 31 bits.
    pub const INT16: Self = Self { max_value: 32_767, max_weight: 32_767, argument_bits: 14 };

    /// The format of a number form; `None` for floats.
    pub fn of(number: Number) -> Option<Self> {
        match number {
            Number::F32 => None,
            Number::Int8 => Some(Self::INT8),
            Number::Int16 => Some(Self::INT16),
        }
    }

    /// Whether weights and values take two bytes.
    pub fn is_16_bit(self) -> bool {
        self.argument_bits > 8
    }

    /// The value that stands for one, a step above [`IntegerFormat::max_value`].
    pub fn one(self) -> i64 {
        i64::from(self.max_value) + 1
    }
}

/// How the numbers of a feature become integers: `q = round((x - low) / step)`, clamped to 0..=top.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct IntegerInput {
    /// The number that `q = 0` stands for.
    pub low: f64,
    /// The difference that one step of `q` stands for.
    pub step: f64,
    /// The largest `q`.
    pub top: u32,
}

impl IntegerInput {
    /// The integer of a number.
    pub fn quantize(&self, x: f32) -> u32 {
        let q = ((f64::from(x) - self.low) / self.step + 0.5).floor();
        // NaN cannot occur: missing values were filled before.
        q.clamp(0.0, f64::from(self.top)) as u32
    }
}

/// Integer weights of sources, and a constant.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct IntegerSum {
    /// The constant.
    pub bias: i64,
    /// The weights.
    pub terms: Vec<(Source, i64)>,
}

/// A neuron: `activation(sum >> shift)`.
#[derive(Debug, Clone, PartialEq)]
pub struct IntegerNeuron {
    /// The activation.
    pub activation: IntegerActivation,
    /// Bits that are dropped; rounding is part of the bias.
    pub shift: u32,
    /// The sum.
    pub sum: IntegerSum,
}

/// A whole classifier in integers.
#[derive(Debug, Clone, PartialEq)]
pub struct IntegerProgram {
    /// The format of weights and values.
    pub format: IntegerFormat,
    /// One for each input of the program it was made from.
    pub inputs: Vec<IntegerInput>,
    /// In the same order as the program's.
    pub neurons: Vec<IntegerNeuron>,
    /// In the same order as the program's.
    pub outputs: Vec<IntegerSum>,
    /// Bits of a neuron's sum: 16 or 32.
    pub sum_bits: u32,
    /// Bits of an output's sum: 16 or 32.
    pub score_bits: u32,
    /// The difference that one step of an output's sum stands for.
    pub score_step: f64,
}

impl IntegerProgram {
    /// The integers of a row of numbers.
    pub fn quantize(&self, row: &[f32]) -> Vec<u32> {
        self.inputs.iter().zip(row).map(|(input, &x)| input.quantize(x)).collect()
    }

    /// The sum of each output for a row of integers.
    pub fn scores(&self, row: &[u32]) -> Vec<i64> {
        let mut values: Vec<u32> = Vec::with_capacity(self.neurons.len());
        let total = |sum: &IntegerSum, bits: u32, values: &[u32]| {
            let value = |source: Source| match source {
                Source::Input(index) => row[index as usize],
                Source::Neuron(index) => values[index as usize],
            };
            let terms = sum.terms.iter().map(|&(source, w)| w * i64::from(value(source)));
            wrapped(terms.fold(sum.bias, |all, term| all + term), bits)
        };
        for neuron in &self.neurons {
            let sum = total(&neuron.sum, self.sum_bits, &values);
            values.push(neuron.activation.apply(self.format, sum >> neuron.shift));
        }
        self.outputs.iter().map(|sum| total(sum, self.score_bits, &values)).collect()
    }

    /// The class that the scores decide on: the first of the largest.
    pub fn class(scores: &[i64]) -> usize {
        match *scores {
            [score] => usize::from(score > 0),
            _ => scores
                .iter()
                .enumerate()
                .fold(0, |best, (index, score)| if *score > scores[best] { index } else { best }),
        }
    }

    /// Whether each neuron feeds exactly one output and nothing else. Then no value has to be
    /// stored, and a prediction needs no memory but its input.
    pub fn is_fused(&self) -> bool {
        let mut uses = vec![0; self.neurons.len()];
        let mut fused = !self.neurons.is_empty();
        let mut read = |sum: &IntegerSum, by_output: bool| {
            for (source, _) in &sum.terms {
                match source {
                    Source::Neuron(index) if by_output => uses[*index as usize] += 1,
                    Source::Input(_) if !by_output => {}
                    _ => fused = false,
                }
            }
        };
        self.neurons.iter().for_each(|neuron| read(&neuron.sum, false));
        self.outputs.iter().for_each(|sum| read(sum, true));
        fused && uses.iter().all(|&uses| uses == 1)
    }

    /// The activations in use, each once.
    pub fn activations(&self) -> Vec<IntegerActivation> {
        let in_use = |activation: &IntegerActivation| {
            self.neurons.iter().any(|neuron| neuron.activation == *activation)
        };
        IntegerActivation::ALL.into_iter().filter(in_use).collect()
    }

    /// The number of terms of the longest sum.
    pub fn max_terms(&self) -> usize {
        let sums = self.neurons.iter().map(|neuron| &neuron.sum).chain(&self.outputs);
        sums.map(|sum| sum.terms.len()).max().unwrap_or(0)
    }
}

/// A number wrapped to 16 or 32 bits, two's complement.
fn wrapped(number: i64, bits: u32) -> i64 {
    match bits {
        16 => i64::from(number as i16),
        _ => i64::from(number as i32),
    }
}
