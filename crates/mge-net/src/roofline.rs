//! A speed limit to compare [`BatchEvaluator`] with: the same loads, multiply-adds, sigmoids and
//! exponentials on the same rows, in plain loops without a network.
//!
//! It supports networks of one form: a layer of sigmoids with a bias and two inputs each, each of
//! which feeds one of several outputs.

use crate::batch::BatchEvaluator;
use crate::batch::approximate::{exp, reciprocal, sigmoid, sigmoid_divisor};
use crate::batch::blocks::{AlignedValues, BLOCK_ROWS};
use crate::batch::dispatch::{self, Kernel};
use crate::network::{Network, Source};

/// One neuron: two inputs with weights, a bias, and an output with a weight.
#[derive(Debug, Clone, Copy)]
struct FlatNeuron {
    inputs: [usize; 2],
    weights: [f32; 2],
    bias: f32,
    output: usize,
    to_output: f32,
}

/// A network of the supported form, as a flat list of neurons.
#[derive(Debug)]
pub struct Roofline {
    neurons: Vec<FlatNeuron>,
    outputs: usize,
}

impl Roofline {
    /// Flattens a network; `None` if it does not have the supported form.
    pub fn new(network: &Network) -> Option<Self> {
        let mut neurons = Vec::new();
        for (output, unit) in network.outputs().iter().enumerate() {
            for link in &unit.links {
                let Source::Neuron(index) = link.source else { return None };
                let neuron = &network.neurons()[index as usize];
                let [a, b] = neuron.links[..] else { return None };
                let (Source::Input(first), Source::Input(second)) = (a.source, b.source) else {
                    return None;
                };
                neurons.push(FlatNeuron {
                    inputs: [first as usize, second as usize],
                    weights: [a.weight, b.weight],
                    bias: neuron.bias?,
                    output,
                    to_output: link.weight,
                });
            }
        }
        Some(Self { neurons, outputs: network.outputs().len() })
    }

    /// Runs over all rows of an evaluator. Which loops are faster depends on the machine; the limit
    /// is the better time of the two. The result has no meaning: it prevents the compiler from
    /// removing the work.
    pub fn run(&self, evaluator: &BatchEvaluator, loops: Loops) -> f32 {
        dispatch::run(evaluator.level, RooflineKernel { roofline: self, evaluator, loops })
    }
}

/// How a neuron iterates over the rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Loops {
    /// One loop.
    Fused,
    /// One loop that waits for memory and two that compute, as in the evaluator.
    Split,
}

impl Loops {
    /// Both forms.
    pub const ALL: [Self; 2] = [Self::Fused, Self::Split];
}

struct RooflineKernel<'a> {
    roofline: &'a Roofline,
    evaluator: &'a BatchEvaluator,
    loops: Loops,
}

impl Kernel for RooflineKernel<'_> {
    type Output = f32;

    #[inline(always)]
    fn run(self) -> f32 {
        let Self { roofline, evaluator, loops } = self;
        let mut values = AlignedValues::zeros(BLOCK_ROWS);
        let mut sums = AlignedValues::zeros(roofline.outputs * BLOCK_ROWS);
        let (values, sums) = (values.get_mut(), sums.get_mut());
        let mut all = 0.0;
        for (start, rows) in evaluator.blocks.spans() {
            let block = evaluator.blocks.block(start, rows);
            sums.fill(0.0);
            for neuron in &roofline.neurons {
                let [a, b] = neuron.inputs.map(|input| &block[input * rows..][..rows]);
                let sums = &mut sums[neuron.output * rows..][..rows];
                let values = &mut values[..rows];
                let FlatNeuron { weights: [v, w], bias, to_output, .. } = *neuron;
                match loops {
                    Loops::Fused => {
                        for row in 0..rows {
                            sums[row] += to_output * sigmoid(bias + v * a[row] + w * b[row]);
                        }
                    }
                    Loops::Split => {
                        for row in 0..rows {
                            values[row] = bias + v * a[row] + w * b[row];
                        }
                        for value in &mut *values {
                            *value = sigmoid_divisor(*value);
                        }
                        for row in 0..rows {
                            sums[row] += to_output * reciprocal(values[row]);
                        }
                    }
                }
            }
            let mut totals = [0.0f32; BLOCK_ROWS];
            for sums in sums[..roofline.outputs * rows].chunks_exact(rows) {
                for (total, &sum) in totals[..rows].iter_mut().zip(sums) {
                    *total += exp(sum);
                }
            }
            all += totals[rows / 2];
        }
        all
    }
}
