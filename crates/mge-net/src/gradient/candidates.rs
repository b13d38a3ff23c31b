//! What connections that do not exist would bring: the derivative of the loss by a weight of
//! zero, and how much it varies from row to row, for every source and every unit.

use super::pass::{Aim, Pass};
use super::sums::{dots, total};
use super::{GradientEvaluator, GradientScratch, Topology};
use crate::batch::dispatch::{self, Kernel};
use crate::network::Source;

/// For every unit (hidden neurons, then outputs) and every source (inputs, then hidden neurons,
/// then the bias).
#[derive(Debug, Clone, PartialEq)]
pub struct Candidates {
    sources: usize,
    inputs: usize,
    /// `[unit][source]`, the mean derivative and the mean of its square.
    values: Vec<(f64, f64)>,
}

impl Candidates {
    /// `g^2 / 2F`: by how much the loss would fall if it were a parabola along this weight.
    /// `damping` keeps a curvature near zero from promising everything.
    pub fn gain(&self, unit: usize, source: usize, damping: f64) -> f64 {
        self.gain_by(self.derivative(unit, source), unit, source, damping)
    }

    /// The same for a derivative that other rows gave.
    pub fn gain_by(&self, derivative: f64, unit: usize, source: usize, damping: f64) -> f64 {
        derivative * derivative / (2.0 * (self.curvature(unit, source) + damping))
    }

    /// The mean square of the derivative, an estimate of the curvature along this weight.
    pub fn curvature(&self, unit: usize, source: usize) -> f64 {
        self.values[unit * self.sources + source].1
    }

    /// The mean derivative by a connection's weight.
    pub fn derivative(&self, unit: usize, source: usize) -> f64 {
        self.values[unit * self.sources + source].0
    }

    /// The place of an input or a hidden neuron among the sources.
    pub fn place_of(&self, source: Source) -> usize {
        match source {
            Source::Input(input) => input as usize,
            Source::Neuron(neuron) => self.inputs + neuron as usize,
        }
    }

    /// The source that is the bias.
    pub fn bias(&self) -> usize {
        self.sources - 1
    }
}

impl GradientEvaluator {
    /// What each possible connection would bring, over the rows of some blocks.
    ///
    /// # Panics
    /// As [`GradientEvaluator::loss`].
    pub fn candidates(
        &self,
        topology: &Topology,
        weights: &[f32],
        blocks: impl IntoIterator<Item = usize>,
        scratch: &mut GradientScratch,
    ) -> Candidates {
        let sources = self.inputs() + topology.neurons() + 1;
        let mut values = vec![(0.0, 0.0); topology.units() * sources];
        let mut squares = vec![0.0f32; (topology.units() + 1) * self.rows.blocks.longest()];
        let rows = self.each_block(topology, weights, blocks, scratch, |pass| {
            let (squares, values) = (&mut squares, &mut values);
            dispatch::run(self.rows.level, AddCandidates { pass, squares, values });
        });
        let share = 1.0 / rows.max(1) as f64;
        for (derivative, square) in &mut values {
            *derivative *= share;
            *square *= share;
        }
        Candidates { sources, inputs: self.inputs(), values }
    }
}

struct AddCandidates<'a> {
    pass: Pass<'a>,
    /// The squared delta of each unit, then the square of one source.
    squares: &'a mut [f32],
    values: &'a mut [(f64, f64)],
}

impl Kernel for AddCandidates<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let Self { mut pass, squares, values } = self;
        pass.forward_backward(Aim::Label);
        let (start, rows) = pass.span();
        let Pass { evaluator, topology, scratch, .. } = pass;
        let units = topology.units();
        let deltas = &scratch.deltas.get()[..units * rows];
        let (squares, own_square) = squares.split_at_mut(units * rows);
        let own_square = &mut own_square[..rows];
        for (square, &delta) in squares.iter_mut().zip(deltas) {
            *square = delta * delta;
        }
        let inputs = evaluator.rows.blocks.block(start, rows);
        let hidden = &scratch.values.get()[..topology.neurons() * rows];
        let sources = evaluator.inputs() + topology.neurons() + 1;
        let columns = inputs.chunks_exact(rows).chain(hidden.chunks_exact(rows));
        for (source, column) in columns.enumerate() {
            for row in 0..rows {
                own_square[row] = column[row] * column[row];
            }
            let mut unit = 0;
            while unit < units {
                // Four at a time; a unit past the end is the last once more, and not counted.
                let four: [usize; 4] = std::array::from_fn(|k| (unit + k).min(units - 1));
                let derivatives = dots(column, four.map(|unit| &deltas[unit * rows..][..rows]));
                let curves = dots(own_square, four.map(|unit| &squares[unit * rows..][..rows]));
                for k in 0..(units - unit).min(4) {
                    let value = &mut values[(unit + k) * sources + source];
                    value.0 += derivatives[k];
                    value.1 += curves[k];
                }
                unit += 4;
            }
        }
        for unit in 0..units {
            let value = &mut values[unit * sources + sources - 1];
            value.0 += total(&deltas[unit * rows..][..rows]);
            value.1 += total(&squares[unit * rows..][..rows]);
        }
    }
}
