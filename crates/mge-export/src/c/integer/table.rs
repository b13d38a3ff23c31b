//! The byte table of an integer program.

use mge_net::Source;

use super::Writer;
use crate::integer::{IntegerNeuron, IntegerProgram, IntegerSum, Op};
use crate::text::list;

/// How numbers are written into the byte table.
pub struct Encoding {
    /// Bytes of a source.
    pub(super) source: usize,
    /// Bytes of a weight.
    pub(super) weight: usize,
    /// Bytes of a count.
    pub(super) count: usize,
    /// Whether a neuron's count, then at least one, and its shift share a byte.
    pub(super) packed: bool,
    /// The functions, by number; no number is stored for a single one.
    pub(super) ops: Vec<Op>,
}

impl Encoding {
    /// The smallest encoding of a program.
    pub fn of(integer: &IntegerProgram) -> Self {
        let ops = integer.ops();
        let fits =
            |neuron: &IntegerNeuron| neuron.shift < 16 && (1..16).contains(&neuron.sum.terms.len());
        let neurons = integer.neurons.len();
        Self {
            source: bytes_for(integer.inputs.len() + neurons),
            weight: if integer.width.is_wide() { 2 } else { 1 },
            count: bytes_for(integer.most_terms().max(neurons)),
            packed: ops.len() == 1 && integer.neurons.iter().all(fits),
            ops,
        }
    }
}

fn bytes_for(largest: usize) -> usize {
    match largest {
        0..=255 => 1,
        256..=65_535 => 2,
        _ => 4,
    }
}

/// The low bytes of a number, lowest first.
fn push(table: &mut Vec<u8>, number: i64, bytes: usize) {
    table.extend_from_slice(&number.to_le_bytes()[..bytes]);
}

impl Writer<'_> {
    pub(super) fn place(&self, source: Source) -> i64 {
        match source {
            Source::Input(index) => i64::from(index),
            Source::Neuron(index) => self.integer.inputs.len() as i64 + i64::from(index),
        }
    }

    pub(super) fn head(&self, table: &mut Vec<u8>, neuron: &IntegerNeuron) {
        let count = neuron.sum.terms.len() as i64;
        if self.encoding.packed {
            return push(table, i64::from(neuron.shift) << 4 | count, 1);
        }
        push(table, count, self.encoding.count);
        let kind = self.encoding.ops.iter().position(|op| *op == neuron.op).unwrap_or(0) as i64;
        push(table, kind << 5 | i64::from(neuron.shift), 1);
    }

    pub(super) fn links(&self, table: &mut Vec<u8>, sum: &IntegerSum) {
        for &(source, weight) in &sum.terms {
            push(table, self.place(source), self.encoding.source);
            push(table, weight, self.encoding.weight);
        }
    }

    pub(super) fn array(&self, table: &[u8]) -> String {
        self.form.fill(
            "\nstatic const @NAME@_FLASH uint8_t table[] = {\n@items@\n};\n",
            &[("items", list(table))],
        )
    }

    pub(super) fn has_output_biases(&self) -> bool {
        self.integer.outputs.iter().any(|output| output.bias != 0)
    }

    /// The byte table, fused or not.
    pub(super) fn table(&self) -> Vec<u8> {
        let integer = self.integer;
        let bias_bytes = integer.sum_bits as usize / 8;
        let score_bytes = integer.score_bits as usize / 8;
        let mut table = Vec::new();
        if !integer.is_fused() {
            for neuron in &integer.neurons {
                self.head(&mut table, neuron);
                push(&mut table, neuron.sum.bias, bias_bytes);
                self.links(&mut table, &neuron.sum);
            }
            for output in &integer.outputs {
                push(&mut table, output.terms.len() as i64, self.encoding.count);
                push(&mut table, output.bias, score_bytes);
                self.links(&mut table, output);
            }
            return table;
        }
        let biased = self.has_output_biases();
        for output in &integer.outputs {
            if biased {
                push(&mut table, output.bias, score_bytes);
            }
            push(&mut table, output.terms.len() as i64, self.encoding.count);
            for &(source, weight) in &output.terms {
                let Source::Neuron(index) = source else { continue };
                let neuron = &integer.neurons[index as usize];
                self.head(&mut table, neuron);
                push(&mut table, weight, self.encoding.weight);
                push(&mut table, neuron.sum.bias, bias_bytes);
                self.links(&mut table, &neuron.sum);
            }
        }
        table
    }
}
