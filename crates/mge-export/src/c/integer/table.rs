//! The byte table of an integer program.

use mge_net::Source;

use super::Writer;
use crate::c::fill;
use crate::integer::{IntegerActivation, IntegerNeuron, IntegerProgram, IntegerSum};
use crate::text::list;

/// The sizes of numbers in the byte table.
pub(super) struct TableEncoding {
    /// Bytes of a source.
    pub(super) source: usize,
    /// Bytes of a weight.
    pub(super) weight: usize,
    /// Bytes of a count.
    pub(super) count: usize,
    /// Whether a neuron's count and its shift share a byte. The count is then at least one.
    pub(super) packed: bool,
    /// The activations, by number. A single one needs no number.
    pub(super) activations: Vec<IntegerActivation>,
}

impl TableEncoding {
    /// The smallest encoding of a program.
    pub(super) fn of(integer: &IntegerProgram) -> Self {
        let activations = integer.activations();
        let fits =
            |neuron: &IntegerNeuron| neuron.shift < 16 && (1..16).contains(&neuron.sum.terms.len());
        let neurons = integer.neurons.len();
        Self {
            source: bytes_for(integer.inputs.len() + neurons),
            weight: if integer.format.is_16_bit() { 2 } else { 1 },
            count: bytes_for(integer.max_terms().max(neurons)),
            packed: activations.len() == 1 && integer.neurons.iter().all(fits),
            activations,
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
    pub(super) fn source_index(&self, source: Source) -> i64 {
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
        let activations = &self.encoding.activations;
        let kind = activations.iter().position(|one| *one == neuron.activation).unwrap_or(0) as i64;
        push(table, kind << 5 | i64::from(neuron.shift), 1);
    }

    pub(super) fn links(&self, table: &mut Vec<u8>, sum: &IntegerSum) {
        for &(source, weight) in &sum.terms {
            push(table, self.source_index(source), self.encoding.source);
            push(table, weight, self.encoding.weight);
        }
    }

    pub(super) fn array(&self, table: &[u8]) -> String {
        fill(
            self.form,
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
