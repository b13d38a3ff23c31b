//! Real weights in the genes: initialisation, mutation and crossover of values and steps.
//!
//! - Mutation is that of evolution strategies with one step for each gene, which mutates first
//!   (Schwefel 1981; Beyer and Schwefel 2002, "Evolution strategies: a comprehensive
//!   introduction"): `s' = s * exp(t * N)`, then `v' = v + s' * N_i` for each value, with
//!   independent standard normal `N` and `N_i`, and `t = 1 / sqrt(n)` for `n` values.
//! - Crossover blends aligned genes with a common ancestor (BLX-alpha; Eshelman and Schaffer 1993).
//!   Each value of an offspring is drawn from the interval between the parents' values, extended by
//!   `alpha` times its length on either side. The step is the geometric mean of the parents' steps.

use super::Genotype;
use mge_random::Stream;
use serde::{Deserialize, Serialize};
use thiserror::Error;

/// Steps stay in this range. A step of zero could never grow again.
const STEPS: std::ops::RangeInclusive<f32> = MIN_STEP as f32..=MAX_STEP as f32;
const MIN_STEP: f64 = 1e-4;
const MAX_STEP: f64 = 10.0;

/// The largest absolute value.
pub const MAX_VALUE: f32 = 1000.0;

/// Settings of real weights.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct RealParams {
    /// Values of a new gene are uniform in (-range, range). Default 1, the range of weights in the
    /// paper's grammar.
    pub range: f64,
    /// The step of a new gene. Default 0.5. Evolution adapts it soon.
    pub step: f64,
    /// How many genes of an offspring mutate their values, on average. Default 1. Raise it for short
    /// runs from a poor start; lower it to refine.
    pub mutated_genes: f64,
    /// The probability that a value changes when its gene mutates. Default 0.5.
    pub mutated_values: f64,
    /// The probability that two aligned genes with a common ancestor blend in a crossover. Default
    /// 0.5.
    pub blend_rate: f64,
    /// How far a blend may leave the interval of the parents, as a fraction of its length. With the
    /// default, 0.5, blending alone neither widens nor narrows a population. 0 never leaves it.
    pub blend_alpha: f64,
    /// Steps of gradient descent for each tuned offspring before it is evaluated. The tuned weights
    /// are written back into its genes. Default 0: no offspring is tuned.
    #[serde(skip_serializing_if = "is_zero")]
    pub tuning: u32,
    /// The fraction of the offspring that are tuned, drawn independently. Default 1. Lower it when
    /// tuning takes too much of the time.
    #[serde(alias = "tuned_share", skip_serializing_if = "is_one")]
    pub tuned_fraction: f64,
}

impl Default for RealParams {
    fn default() -> Self {
        Self {
            range: 1.0,
            step: 0.5,
            mutated_genes: 1.0,
            mutated_values: 0.5,
            blend_rate: 0.5,
            blend_alpha: 0.5,
            tuning: 0,
            tuned_fraction: 1.0,
        }
    }
}

// Default settings of tuning are not serialized. So runs without tuning keep the files and the keys
// that they had before there was any tuning.

fn is_zero(number: &u32) -> bool {
    *number == 0
}

fn is_one(number: &f64) -> bool {
    *number == 1.0
}

/// A setting of real weights that cannot be used.
#[derive(Debug, Clone, PartialEq, Error)]
#[error("real.{name} is {found}, expected a number from {min} to {max}")]
pub struct RealParamError {
    /// The setting.
    pub name: &'static str,
    /// What was given.
    pub found: f64,
    /// The smallest valid value.
    pub min: f64,
    /// The largest valid value.
    pub max: f64,
}

impl RealParams {
    /// Checks the settings.
    pub(super) fn check(&self) -> Result<(), RealParamError> {
        for (name, found, min, max) in [
            ("range", self.range, 0.0, f64::from(MAX_VALUE)),
            ("step", self.step, MIN_STEP, MAX_STEP),
            ("mutated_genes", self.mutated_genes, 0.0, 1e6),
            ("mutated_values", self.mutated_values, 0.0, 1.0),
            ("blend_rate", self.blend_rate, 0.0, 1.0),
            ("blend_alpha", self.blend_alpha, 0.0, 10.0),
            ("tuning", self.tuning.into(), 0.0, 1000.0),
            ("tuned_fraction", self.tuned_fraction, 0.0, 1.0),
        ] {
            if !(min..=max).contains(&found) {
                return Err(RealParamError { name, found, min, max });
            }
        }
        Ok(())
    }
}

/// Initialisation and variation of the values and steps of genes.
#[derive(Debug, Clone)]
pub(super) struct RealVariation {
    params: RealParams,
    /// How many values a gene has.
    pub(super) values: usize,
    /// `t` in the formula of the module.
    learning_rate: f64,
}

impl RealVariation {
    pub(super) fn new(params: RealParams, values: usize) -> Self {
        Self { params, values, learning_rate: 1.0 / (values.max(1) as f64).sqrt() }
    }

    /// Sets the step and the values of a new gene.
    pub(super) fn initialise(&self, genotype: &mut Genotype, gene: usize, stream: &mut Stream) {
        let Some((step, values)) = genotype.step_and_values_mut(gene) else { return };
        *step = self.params.step as f32;
        values.fill_with(|| ((stream.unit() * 2.0 - 1.0) * self.params.range) as f32);
    }

    pub(super) fn mutate(&self, genotype: &mut Genotype, stream: &mut Stream) {
        let chance = self.params.mutated_genes / genotype.len().max(1) as f64;
        for gene in 0..genotype.len() {
            if stream.chance(chance)
                && let Some((step, values)) = genotype.step_and_values_mut(gene)
            {
                self.mutate_gene(step, values, stream);
            }
        }
    }

    fn mutate_gene(&self, step: &mut f32, values: &mut [f32], stream: &mut Stream) {
        let factor = libm::exp(self.learning_rate * stream.normal());
        *step = bounded_step(f64::from(*step) * factor);
        for value in values {
            if stream.chance(self.params.mutated_values) {
                *value = bounded(f64::from(*value) + f64::from(*step) * stream.normal());
            }
        }
    }

    /// Blends aligned genes of two offspring. Genes without a common ancestor do not blend, because
    /// their values have different roles. Equal values do not blend, because nothing would change.
    pub(super) fn blend(&self, offspring: [&mut Genotype; 2], stream: &mut Stream) {
        let [one, other] = offspring;
        for gene in 0..one.len().min(other.len()) {
            if !stream.chance(self.params.blend_rate) || !one.shares_origin(other, gene) {
                continue;
            }
            let Some((step, values)) = one.step_and_values_mut(gene) else { return };
            let Some((other_step, others)) = other.step_and_values_mut(gene) else { return };
            let mean = bounded_step((f64::from(*step) * f64::from(*other_step)).sqrt());
            (*step, *other_step) = (mean, mean);
            for (value, other) in values.iter_mut().zip(others) {
                (*value, *other) =
                    (self.between(*value, *other, stream), self.between(*value, *other, stream));
            }
        }
    }

    /// A number from the extended interval between two values.
    fn between(&self, one: f32, other: f32, stream: &mut Stream) -> f32 {
        let (one, length) = (f64::from(one), f64::from(other) - f64::from(one));
        let alpha = self.params.blend_alpha;
        bounded(one + length * (stream.unit() * (1.0 + 2.0 * alpha) - alpha))
    }
}

pub(super) fn bounded(value: f64) -> f32 {
    (value as f32).clamp(-MAX_VALUE, MAX_VALUE)
}

fn bounded_step(step: f64) -> f32 {
    (step as f32).clamp(*STEPS.start(), *STEPS.end())
}

/// Whether a step and values are within their bounds.
pub(super) fn are_valid(step: f32, values: &[f32]) -> bool {
    STEPS.contains(&step) && values.iter().all(|value| value.abs() <= MAX_VALUE)
}

#[cfg(test)]
mod tests {
    use super::*;
    use mge_random::Purpose;
    use proptest::prelude::*;

    fn two(codons: [[u16; 4]; 2], reals: [(f32, [f32; 3]); 2]) -> [Genotype; 2] {
        let mut next = codons.into_iter().zip(reals);
        std::array::from_fn(|_| {
            let (codons, (step, values)) = next.next().unwrap();
            let mut genotype = Genotype::with_values(3);
            genotype.push(codons);
            let (own_step, own_values) = genotype.step_and_values_mut(0).unwrap();
            *own_step = step;
            own_values.copy_from_slice(&values);
            genotype
        })
    }

    fn step_and_values() -> impl Strategy<Value = (f32, [f32; 3])> {
        (1e-4f32..10.0, prop::array::uniform3(-1000f32..1000.0))
    }

    proptest! {
        #[test]
        fn a_blend_stays_in_its_interval(
            a in step_and_values(), b in step_and_values(), alpha in 0.0f64..2.0, seed: u64,
        ) {
            let params = RealParams { blend_rate: 1.0, blend_alpha: alpha, ..Default::default() };
            let variation = RealVariation::new(params, 3);
            let [mut one, mut other] = two([[1, 2, 3, 4], [1, 2, 9, 4]], [a, b]);
            let mut stream = Stream::at(seed, Purpose::Crossover, 0, 0);
            variation.blend([&mut one, &mut other], &mut stream);
            for blended in [&one, &other] {
                let (step, values) = blended.step_and_values(0).unwrap();
                prop_assert!(are_valid(step, values));
                let slack = 1e-6 * a.0.max(b.0);
                prop_assert!(step >= a.0.min(b.0) - slack && step <= a.0.max(b.0) + slack);
                for (&value, (&x, &y)) in values.iter().zip(a.1.iter().zip(&b.1)) {
                    let wide = alpha as f32 * (x - y).abs() + 1e-3;
                    prop_assert!(value >= x.min(y) - wide && value <= x.max(y) + wide);
                }
            }
        }

        #[test]
        fn genes_without_a_common_ancestor_do_not_blend(
            a in step_and_values(), b in step_and_values(), seed: u64,
        ) {
            let params = RealParams { blend_rate: 1.0, ..Default::default() };
            let before = two([[1, 2, 3, 4], [1, 7, 8, 9]], [a, b]);
            let [mut one, mut other] = before.clone();
            let mut stream = Stream::at(seed, Purpose::Crossover, 0, 0);
            RealVariation::new(params, 3).blend([&mut one, &mut other], &mut stream);
            prop_assert_eq!([one, other], before);
        }

        #[test]
        fn steps_stay_positive_and_values_finite(
            a in step_and_values(), seed: u64, step in 1e-4f64..10.0,
        ) {
            let params = RealParams { mutated_genes: 1.0, mutated_values: 1.0, step, ..Default::default() };
            let variation = RealVariation::new(params, 3);
            let [mut genotype, _] = two([[1; 4], [1; 4]], [a, a]);
            let mut stream = Stream::at(seed, Purpose::Mutation, 0, 0);
            for _ in 0..200 {
                variation.mutate(&mut genotype, &mut stream);
                let (step, values) = genotype.step_and_values(0).unwrap();
                prop_assert!(are_valid(step, values), "{step} {values:?}");
            }
        }
    }

    #[test]
    fn steps_and_values_follow_the_formula() {
        let params = RealParams { mutated_values: 1.0, ..Default::default() };
        let variation = RealVariation::new(params, 4);
        let mut stream = Stream::at(1, Purpose::Mutation, 0, 0);
        let (mut logs, mut moves) = (Vec::new(), Vec::new());
        for _ in 0..20_000 {
            let (mut step, mut values) = (0.5, [0.0; 4]);
            variation.mutate_gene(&mut step, &mut values, &mut stream);
            logs.push(libm::log(f64::from(step) / 0.5));
            moves.extend(values.map(|value| f64::from(value / step)));
        }
        let mean = |list: &[f64]| list.iter().sum::<f64>() / list.len() as f64;
        let square = |list: &[f64]| list.iter().map(|x| x * x).sum::<f64>() / list.len() as f64;
        // t = 1 / sqrt(4).
        assert!(mean(&logs).abs() < 0.02 && (square(&logs) - 0.25).abs() < 0.01);
        assert!(mean(&moves).abs() < 0.02 && (square(&moves) - 1.0).abs() < 0.03);
    }
}
