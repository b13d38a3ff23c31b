//! What missing connections would gain.
//!
//! For every unit and every source: the derivative of the loss by a weight of zero, and the mean
//! square of that derivative over the rows.

use super::pass::{LossTarget, Pass};
use super::sums::{dots, total};
use super::{GradientEvaluator, GradientScratch};
use crate::batch::dispatch::{self, Kernel};
use crate::network::Source;
use crate::sparse_network::{Connection, SparseNetwork};

/// Derivatives for every unit (hidden neurons, then outputs) and every source (inputs, then hidden
/// neurons, then the bias).
#[derive(Debug, Clone, PartialEq)]
pub struct Candidates {
    sources: usize,
    inputs: usize,
    /// `[unit][source]`, the mean derivative and the mean of its square.
    values: Vec<(f64, f64)>,
}

impl Candidates {
    /// `g^2 / 2F`: by how much the loss would fall if it were a parabola along this weight, with
    /// derivative `g` and curvature `F`. `damping` is added to the curvature and bounds the gain
    /// where the curvature is near zero.
    pub fn gain(&self, connection: Connection, damping: f64) -> f64 {
        self.gain_with(self.derivative(connection), connection, damping)
    }

    /// The same with a derivative measured on other rows.
    pub fn gain_with(&self, derivative: f64, connection: Connection, damping: f64) -> f64 {
        derivative * derivative / (2.0 * (self.curvature(connection) + damping))
    }

    /// The mean square of the derivative, an estimate of the curvature along this weight.
    pub fn curvature(&self, connection: Connection) -> f64 {
        self.values[self.candidate_index(connection)].1
    }

    /// The mean derivative by the weight of a connection.
    pub fn derivative(&self, connection: Connection) -> f64 {
        self.values[self.candidate_index(connection)].0
    }

    fn candidate_index(&self, connection: Connection) -> usize {
        let source = match connection {
            Connection::Bias { .. } => self.sources - 1,
            Connection::Link { source: Source::Input(input), .. } => input as usize,
            Connection::Link { source: Source::Neuron(neuron), .. } => {
                self.inputs + neuron as usize
            }
        };
        connection.unit() * self.sources + source
    }
}

impl GradientEvaluator {
    /// What each possible connection would gain, over the rows of some blocks.
    ///
    /// # Panics
    /// As [`GradientEvaluator::loss`].
    pub fn candidates(
        &self,
        network: &SparseNetwork,
        blocks: impl IntoIterator<Item = usize>,
        scratch: &mut GradientScratch,
    ) -> Candidates {
        let sources = self.inputs() + network.neurons().len() + 1;
        let mut values = vec![(0.0, 0.0); network.units() * sources];
        let mut squares = vec![0.0f32; (network.units() + 1) * self.rows.blocks.longest()];
        let rows = self.each_block(network, blocks, scratch, |pass| {
            let (squares, values) = (&mut squares, &mut values);
            dispatch::run(self.rows.level, AddCandidates { pass, squares, values });
        });
        let scale = 1.0 / rows.max(1) as f64;
        for (derivative, square) in &mut values {
            *derivative *= scale;
            *square *= scale;
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
        pass.forward_backward(LossTarget::Label);
        let (start, rows) = pass.span();
        let Pass { evaluator, network, scratch, .. } = pass;
        let (units, neurons) = (network.units(), network.neurons().len());
        let deltas = &scratch.deltas.get()[..units * rows];
        let (squares, own_square) = squares.split_at_mut(units * rows);
        let own_square = &mut own_square[..rows];
        for (square, &delta) in squares.iter_mut().zip(deltas) {
            *square = delta * delta;
        }
        let inputs = evaluator.rows.blocks.block(start, rows);
        let hidden = &scratch.values.get()[..neurons * rows];
        let sources = evaluator.inputs() + neurons + 1;
        let columns = inputs.chunks_exact(rows).chain(hidden.chunks_exact(rows));
        for (source, column) in columns.enumerate() {
            for row in 0..rows {
                own_square[row] = column[row] * column[row];
            }
            let mut unit = 0;
            while unit < units {
                // Four units at a time; past the end the last one is repeated and not counted.
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
