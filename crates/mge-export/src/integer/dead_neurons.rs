//! Removes dead neurons: rounding may leave a neuron that nothing reads.

use mge_net::Source;

use super::{IntegerProgram, IntegerSum};

impl IntegerProgram {
    /// Removes neurons that nothing reads since all their weights were rounded to zero.
    pub(super) fn drop_dead_neurons(&mut self) {
        let neuron_of = |source: &Source| match source {
            Source::Neuron(index) => Some(*index as usize),
            Source::Input(_) => None,
        };
        let mut read = vec![false; self.neurons.len()];
        let mark = |sum: &IntegerSum| {
            sum.terms.iter().filter_map(|(source, _)| neuron_of(source)).collect::<Vec<_>>()
        };
        for sum in &self.outputs {
            mark(sum).into_iter().for_each(|index| read[index] = true);
        }
        for index in (0..read.len()).rev() {
            if read[index] {
                mark(&self.neurons[index].sum).into_iter().for_each(|index| read[index] = true);
            }
        }
        let mut count = 0;
        let new_index: Vec<u32> = read
            .iter()
            .map(|&read| {
                count += u32::from(read);
                count.saturating_sub(1)
            })
            .collect();
        let mut kept = read.iter();
        self.neurons.retain(|_| kept.next().copied().unwrap_or(false));
        let sums = self.neurons.iter_mut().map(|neuron| &mut neuron.sum).chain(&mut self.outputs);
        for (source, _) in sums.flat_map(|sum| &mut sum.terms) {
            if let Source::Neuron(index) = source {
                *index = new_index[*index as usize];
            }
        }
    }
}
