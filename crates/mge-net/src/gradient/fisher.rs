//! How the loss bends: the Fisher information of all weights together, from some rows.
//!
//! For the cross-entropy it is the Gauss-Newton matrix, the part of the Hessian that is never
//! negative. The optimal brain surgeon (Hassibi and Stork 1993) cuts weights by it.

use super::inverse::invert_blocked;
use super::pass::{Aim, Pass, column};
use super::sums::dots;
use super::{GradientEvaluator, GradientScratch, Topology};
use crate::batch::dispatch::{self, Kernel};
use crate::simd::UsableLevel;

/// Over which classes of a row the information is taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FisherSampling {
    /// All of them: exact, as many passes as there are classes.
    Exact,
    /// One, drawn by its probability with this seed: right on average, one pass.
    MonteCarlo(u64),
}

/// A symmetric matrix with a row for each weight.
#[derive(Debug, Clone)]
pub struct FisherMatrix {
    level: UsableLevel,
    size: usize,
    /// Row after row, both halves.
    values: Vec<f64>,
}

impl FisherMatrix {
    /// How many weights.
    pub fn size(&self) -> usize {
        self.size
    }

    /// Row after row.
    pub fn values(&self) -> &[f64] {
        &self.values
    }

    /// The curvature along each weight alone.
    pub fn diagonal(&self) -> impl Iterator<Item = f64> {
        self.values.iter().step_by(self.size + 1).copied()
    }

    /// The inverse, row after row, after a damping above zero for each weight was added to its own
    /// curvature.
    ///
    /// # Panics
    /// When there are more weights than dampings.
    pub fn into_inverse(self, damping: &[f64]) -> Vec<f64> {
        let Self { size, mut values, level } = self;
        for k in 0..size {
            values[k * size + k] += damping[k];
        }
        invert_blocked(&mut values, size, level);
        values
    }
}

impl GradientEvaluator {
    /// The mean Fisher information over the rows of some blocks.
    ///
    /// # Panics
    /// As [`GradientEvaluator::loss`].
    pub fn curvature(
        &self,
        topology: &Topology,
        weights: &[f32],
        blocks: impl IntoIterator<Item = usize>,
        draw: FisherSampling,
        scratch: &mut GradientScratch,
    ) -> FisherMatrix {
        let size = weights.len();
        let mut values = vec![0.0; size * size];
        let mut slices = vec![0.0f32; size * self.rows.blocks.longest()];
        let aims: Vec<Aim> = match draw {
            FisherSampling::Exact => (0..self.link().classes() as u32).map(Aim::Class).collect(),
            FisherSampling::MonteCarlo(seed) => vec![Aim::Drawn(seed)],
        };
        let rows = self.each_block(topology, weights, blocks, scratch, |mut pass| {
            for &aim in &aims {
                let (pass, slices, values) = (&mut pass, &mut slices, &mut values);
                dispatch::run(self.rows.level, AddInformation { pass, aim, slices, values });
            }
        });
        let share = 1.0 / rows.max(1) as f64;
        for row in 0..size {
            for column in 0..=row {
                let value = values[row * size + column] * share;
                values[row * size + column] = value;
                values[column * size + row] = value;
            }
        }
        FisherMatrix { level: self.rows.level, size, values }
    }
}

struct AddInformation<'a, 'p> {
    pass: &'a mut Pass<'p>,
    aim: Aim,
    /// The gradient of each row, weight after weight.
    slices: &'a mut [f32],
    values: &'a mut [f64],
}

impl Kernel for AddInformation<'_, '_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let Self { pass, aim, slices, values } = self;
        pass.forward_backward(aim);
        let (start, rows) = pass.span();
        let Pass { evaluator, topology, weights, scratch, .. } = pass;
        let inputs = evaluator.rows.blocks.block(start, rows);
        let hidden = scratch.values.get();
        for index in 0..topology.units() {
            let (unit, sources) = topology.unit(index);
            let delta = &scratch.deltas.get()[index * rows..][..rows];
            if unit.has_bias {
                slices[unit.first * rows..][..rows].copy_from_slice(delta);
            }
            for (place, &source) in sources.iter().enumerate() {
                let into = &mut slices[(unit.first_link() + place) * rows..][..rows];
                let from: &[f32] = column(source, inputs, hidden, rows);
                for row in 0..rows {
                    into[row] = delta[row] * from[row];
                }
            }
        }
        let size = weights.len();
        let slice = |k: usize| &slices[k * rows..][..rows];
        for row in 0..size {
            let into = &mut values[row * size..][..row + 1];
            let (fours, rest) = into.as_chunks_mut::<4>();
            let left = 4 * fours.len();
            for (k, four) in fours.iter_mut().enumerate() {
                let others: [&[f32]; 4] = std::array::from_fn(|j| slice(4 * k + j));
                let products = dots(slice(row), others);
                for j in 0..4 {
                    four[j] += products[j];
                }
            }
            for (k, value) in rest.iter_mut().enumerate() {
                *value += dots(slice(row), [slice(left + k)])[0];
            }
        }
    }
}
