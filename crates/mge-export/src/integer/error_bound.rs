//! How far integers can be from the floats: a bound that holds for every row of integers.
//!
//! The floats are those of the numbers that the integers stand for, so a value outside the range of
//! an input counts as the end of the range. The bound follows the largest error of each sum through
//! the network. Sums are linear, so their largest error over all integers is exact. An activation
//! multiplies an error by at most its steepest slope, and a bounded one never errs by more than its
//! range. For large networks the bound is far above the errors that occur.

use mge_net::{Activation, IntegerForm};

use super::fit::{AffineScale, Quantizer, RealSum};
use super::inputs::integer_form;
use super::{IntegerActivation, IntegerNeuron, IntegerProgram, IntegerSum};

/// The ends of an interval.
#[derive(Clone, Copy)]
struct Interval {
    low: f64,
    high: f64,
}

impl Interval {
    fn magnitude(self) -> f64 {
        self.low.abs().max(self.high.abs())
    }

    /// The values of a sum over integers from 0 to their top.
    fn of(constant: f64, terms: impl Iterator<Item = (f64, f64)>) -> Self {
        let mut made = Self { low: constant, high: constant };
        for (coefficient, top) in terms {
            let product = coefficient * top;
            if product > 0.0 { made.high += product } else { made.low += product }
        }
        made
    }
}

impl Quantizer<'_> {
    /// The largest error of an output's sum. `scales` are those of the neurons, dead ones included.
    pub(super) fn score_error(&self, integer: &IntegerProgram, scales: &[AffineScale]) -> f64 {
        let mut errors = Vec::with_capacity(scales.len());
        for (index, (applied, sum)) in self.program.neurons.iter().enumerate() {
            let real = self.argument(*applied, sum, scales[index], scales);
            let neuron = &integer.neurons[index];
            errors.push(self.neuron_error(*applied, neuron, &real, scales[index], scales, &errors));
        }
        let outputs = integer.outputs.iter().zip(&self.program.outputs).map(|(sum, real)| {
            let real = self.real_sum(real, scales, 1.0);
            self.sum_error(sum, integer.score_step, 0.0, &real, scales, &errors)
        });
        outputs.fold(0.0, f64::max)
    }

    /// The largest error of an integer sum times `unit`, in place of a sum of reals. `errors` are
    /// those of the neurons so far.
    fn sum_error(
        &self,
        sum: &IntegerSum,
        unit: f64,
        half: f64,
        real: &RealSum,
        scales: &[AffineScale],
        errors: &[f64],
    ) -> f64 {
        let top = |source| self.source_scale(source, scales).top;
        let rounded = |source| sum.terms.iter().find(|(of, _)| *of == source);
        // A sum may read a source twice; the difference is then spread over equal terms.
        let real_terms = real.terms.iter().map(|&(source, c)| (-c, top(source)));
        let own_terms = sum.terms.iter().map(|&(source, w)| (w as f64 * unit, top(source)));
        let is_simple = real.terms.len() >= sum.terms.len()
            && real.terms.iter().enumerate().all(|(index, (source, _))| {
                real.terms[..index].iter().all(|(earlier, _)| earlier != source)
            });
        let constant = (sum.bias as f64 - half) * unit - real.constant;
        let off = if is_simple {
            let terms = real.terms.iter().map(|&(source, c)| {
                let weight = rounded(source).map_or(0.0, |(_, w)| *w as f64);
                (weight * unit - c, top(source))
            });
            Interval::of(constant, terms)
        } else {
            Interval::of(constant, real_terms.chain(own_terms))
        };
        off.magnitude() + self.inherited_error(real, scales, errors)
    }

    /// What the errors of the neurons that a sum reads add to its own.
    fn inherited_error(&self, real: &RealSum, scales: &[AffineScale], errors: &[f64]) -> f64 {
        let inherited = real.terms.iter().map(|&(source, coefficient)| match source {
            mge_net::Source::Input(_) => 0.0,
            mge_net::Source::Neuron(index) => {
                (coefficient / scales[index as usize].step).abs() * errors[index as usize]
            }
        });
        inherited.sum()
    }

    /// The largest error of a neuron's value. `real` is its sum in the units of the activation.
    fn neuron_error(
        &self,
        applied: Activation,
        neuron: &IntegerNeuron,
        real: &RealSum,
        scale: AffineScale,
        scales: &[AffineScale],
        errors: &[f64],
    ) -> f64 {
        let unit = libm::exp2(-f64::from(neuron.shift));
        let half = if neuron.shift > 0 { 0.5 / unit } else { 0.0 };
        // Dropping the bits rounds to the nearest, by at most half a unit.
        let argument = self.sum_error(&neuron.sum, unit, half, real, scales, errors) + 0.5;
        let range = scale.step * self.format.one() as f64;
        let table = neuron.activation.error(self.format) * range;
        let slope = match neuron.activation {
            IntegerActivation::Sigmoid => 0.25,
            IntegerActivation::Gauss => 0.857_763_885,
            IntegerActivation::Sine => std::f64::consts::PI,
            IntegerActivation::Clamp => {
                return scale.step * (argument + self.overshoot(applied, real, scale, scales));
            }
        };
        let through = slope / neuron.activation.units(self.format) * argument * range;
        (through + table).min(range)
    }

    /// How far a clamped sum can be beyond the clamp, in steps.
    fn overshoot(
        &self,
        applied: Activation,
        real: &RealSum,
        scale: AffineScale,
        scales: &[AffineScale],
    ) -> f64 {
        let terms =
            real.terms.iter().map(|&(source, c)| (c, self.source_scale(source, scales).top));
        let sum = Interval::of(real.constant, terms);
        let above = (sum.high - scale.top).max(0.0);
        match integer_form(applied) {
            // Below zero, relu is zero too.
            IntegerForm::Clamp { is_signed: false } => above,
            _ => above.max(-sum.low),
        }
    }
}
