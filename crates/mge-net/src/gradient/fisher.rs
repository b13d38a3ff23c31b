//! The Fisher information of all weights, an estimate of the curvature of the loss.
//!
//! For the cross-entropy it is the Gauss-Newton matrix, the part of the Hessian that is never
//! negative. For numbers it is the Gauss-Newton matrix of the loss itself, with the curvatures of
//! [`Loss::curvature_of_error`](crate::Loss::curvature_of_error): exact for `mse`. The optimal brain surgeon (Hassibi and Stork 1993) prunes weights by its inverse.

use super::inverse::invert_blocked;
use super::pass::{LossTarget, Pass, column};
use super::sums::dots;
use super::{GradientEvaluator, GradientScratch};
use crate::batch::dispatch::{self, Kernel};
use crate::simd::UsableLevel;
use crate::sparse_network::SparseNetwork;

/// How the expectation over the classes of a row, or the sum over its outputs, is taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FisherSampling {
    /// Over all classes or outputs: exact, with one pass for each.
    Exact,
    /// By one class for each row, drawn by its probability with this seed: one pass, without bias.
    /// For numbers, by a random sign for each row and output.
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
    /// The number of weights.
    pub fn size(&self) -> usize {
        self.size
    }

    /// The entries, row after row.
    pub fn values(&self) -> &[f64] {
        &self.values
    }

    /// The curvature along each weight.
    pub fn diagonal(&self) -> impl Iterator<Item = f64> {
        self.values.iter().step_by(self.size + 1).copied()
    }

    /// The inverse of the damped matrix, row after row. `damping`, above zero, is added to the
    /// diagonal.
    ///
    /// # Panics
    /// When `damping` is shorter than the diagonal.
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
    pub fn fisher_matrix(
        &self,
        network: &SparseNetwork,
        blocks: impl IntoIterator<Item = usize>,
        sampling: FisherSampling,
        scratch: &mut GradientScratch,
    ) -> FisherMatrix {
        let size = network.size();
        let mut values = vec![0.0; size * size];
        let mut slices = vec![0.0f32; size * self.rows.blocks.longest()];
        let link = self.link();
        let targets: Vec<LossTarget> = match (sampling, link.is_identity()) {
            (FisherSampling::Exact, false) => {
                (0..link.classes() as u32).map(LossTarget::Class).collect()
            }
            (FisherSampling::MonteCarlo(seed), false) => vec![LossTarget::Sampled(seed)],
            (FisherSampling::Exact, true) => {
                (0..link.outputs() as u32).map(LossTarget::Output).collect()
            }
            (FisherSampling::MonteCarlo(seed), true) => vec![LossTarget::SampledSigns(seed)],
        };
        let rows = self.each_block(network, blocks, scratch, |mut pass| {
            for &target in &targets {
                let (pass, slices, values) = (&mut pass, &mut slices, &mut values);
                dispatch::run(self.rows.level, AddInformation { pass, target, slices, values });
            }
        });
        let scale = 1.0 / rows.max(1) as f64;
        for row in 0..size {
            for column in 0..=row {
                let value = values[row * size + column] * scale;
                values[row * size + column] = value;
                values[column * size + row] = value;
            }
        }
        FisherMatrix { level: self.rows.level, size, values }
    }
}

struct AddInformation<'a, 'p> {
    pass: &'a mut Pass<'p>,
    target: LossTarget,
    /// The gradient of each row, weight after weight.
    slices: &'a mut [f32],
    values: &'a mut [f64],
}

impl Kernel for AddInformation<'_, '_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let Self { pass, target, slices, values } = self;
        pass.forward_backward(target);
        let (start, rows) = pass.span();
        let Pass { evaluator, network, scratch, .. } = pass;
        let inputs = evaluator.rows.blocks.block(start, rows);
        let hidden = scratch.values.get();
        let mut size = 0;
        for index in 0..network.units() {
            let unit = network.unit(index);
            let delta = &scratch.deltas.get()[index * rows..][..rows];
            if unit.bias.is_some() {
                slices[size * rows..][..rows].copy_from_slice(delta);
                size += 1;
            }
            for link in unit.links {
                let into = &mut slices[size * rows..][..rows];
                let from: &[f32] = column(link.source, inputs, hidden, rows);
                for row in 0..rows {
                    into[row] = delta[row] * from[row];
                }
                size += 1;
            }
        }
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
