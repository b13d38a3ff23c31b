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
mod error_bound;
mod fit;
mod inputs;
mod outputs;
mod probability;
mod raw_scale;
mod sample;

use mge_net::Source;

pub use activation::IntegerActivation;
pub(crate) use probability::POWERS;
pub use probability::ProbabilityScale;
pub use raw_scale::RawScale;

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
    pub low: f32,
    /// The difference that one step of `q` stands for.
    pub step: f32,
    /// The largest `q`. Larger integers count as this one.
    pub top: u32,
    /// How a raw reading, a whole number, becomes the integer without a float.
    pub raw: RawScale,
}

impl IntegerInput {
    /// An input; the ends are rounded to f32.
    pub(crate) fn new(low: f64, step: f64, top: u32, whole: bool) -> Self {
        // A step that f32 cannot hold would divide by zero or by infinity.
        let step = (step as f32).clamp(f32::MIN_POSITIVE, f32::MAX);
        let low = (low as f32).clamp(f32::MIN, f32::MAX);
        Self { low, step, top, raw: RawScale::new(f64::from(low), f64::from(step), top, whole) }
    }

    /// The same range in twice as many steps.
    pub(crate) fn with_finer_steps(&self) -> Self {
        let whole = self.raw.decimals <= 0;
        Self::new(f64::from(self.low), f64::from(self.step) / 2.0, self.top * 2, whole)
    }

    /// The integer of a number that is not NaN.
    pub fn quantize(&self, x: f32) -> u32 {
        let q = (x - self.low) / self.step + 0.5;
        // Casts saturate, and infinity minus infinity counts as missing elsewhere.
        (q as u32).min(self.top)
    }

    /// The number that an integer stands for. Integers above the top count as the top.
    pub fn number(&self, q: u32) -> f64 {
        f64::from(self.low) + f64::from(self.step) * f64::from(q.min(self.top))
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

impl IntegerSum {
    /// Whether the sum stays inside a signed number of so many bits, in every order of its terms,
    /// for all values up to the top of their source.
    pub(crate) fn stays_in(&self, bits: u32, top: impl Fn(Source) -> u32) -> bool {
        let (mut low, mut high) = (self.bias, self.bias);
        for &(source, weight) in &self.terms {
            let product = weight * i64::from(top(source));
            if product > 0 { high += product } else { low += product }
        }
        let limit = 1i64 << (bits - 1);
        // The negative end is left out: its magnitude is no number of these bits.
        -limit < low && high < limit
    }
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
    /// Sums times their step differ by at most this from the sums of the floats for the numbers that
    /// the integers stand for. It holds for every row of integers.
    pub score_error: f64,
}

impl IntegerProgram {
    /// The integers of a row of numbers.
    pub fn quantize(&self, row: &[f32]) -> Vec<u32> {
        self.inputs.iter().zip(row).map(|(input, &x)| input.quantize(x)).collect()
    }

    /// The sum of each output for a row of integers. An integer above the top of its input counts as
    /// the top, so that no sum leaves its bits: see [`IntegerProgram::never_wraps`].
    pub fn scores(&self, row: &[u32]) -> Vec<i64> {
        let mut values: Vec<u32> = Vec::with_capacity(self.neurons.len());
        let total = |sum: &IntegerSum, values: &[u32]| {
            let value = |source: Source| match source {
                Source::Input(index) => row[index as usize].min(self.inputs[index as usize].top),
                Source::Neuron(index) => values[index as usize],
            };
            let terms = sum.terms.iter().map(|&(source, w)| w * i64::from(value(source)));
            terms.fold(sum.bias, |all, term| all + term)
        };
        for neuron in &self.neurons {
            let sum = total(&neuron.sum, &values);
            values.push(neuron.activation.apply(self.format, sum >> neuron.shift));
        }
        self.outputs.iter().map(|sum| total(sum, &values)).collect()
    }

    /// Whether every sum stays in its bits, also while it is added up, whatever integers the inputs
    /// have. [`IntegerProgram::fit`] makes no other programs.
    pub fn never_wraps(&self) -> bool {
        let top = |source: Source| match source {
            Source::Input(index) => self.inputs[index as usize].top,
            Source::Neuron(_) => self.format.max_value,
        };
        let mut neurons = self.neurons.iter();
        neurons.all(|neuron| neuron.sum.stays_in(self.sum_bits, top))
            && self.outputs.iter().all(|sum| sum.stays_in(self.score_bits, top))
    }

    /// The largest integer of each input that needs a clamp: those whose type holds more.
    pub(crate) fn clamped_tops(&self) -> Vec<Option<u32>> {
        let max_of_type = if self.format.is_16_bit() { 0xFFFF } else { 0xFF };
        self.inputs.iter().map(|input| (input.top < max_of_type).then_some(input.top)).collect()
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
