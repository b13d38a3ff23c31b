//! Quantization: chooses the integers of a program by calibration rows.
//!
//! The ranges of inputs and neurons are those of the training rows. Each neuron gets the shift with
//! the least squared error of its value over a sample of the rows. A rare large weight is clipped
//! where that costs less than a coarse step for all others. The bias makes up for the mean error of
//! the rounded weights. Sums of 16 bits are taken where they agree with the floats as well as sums
//! of 32 bits do. No sum can leave its bits: what does not fit gets coarser steps.

use mge_data::{Columns, FeatureRange};
use mge_net::{Activation, IntegerForm, Source};

use super::inputs::{balance, integer_activation, integer_form, integer_input, share_top};
use super::sample::CalibrationSample;
use super::{
    IntegerActivation, IntegerFormat, IntegerInput, IntegerNeuron, IntegerProgram, IntegerSum,
};
use crate::error::ExportError;
use crate::program::{Program, WeightedSum};

/// Sums of 16 bits may agree on this fraction of the sample less than sums of 32 bits.
const SMALL_SUMS_TOLERANCE: f64 = 0.002;
/// Whole numbers are passed as they are if the integers of one byte, or of two, agree with the
/// floats on this fraction of the sample.
const GOOD_AGREEMENT: [f64; 2] = [0.995, 1.0];
/// Shifts are stored in four bits for 8-bit numbers, in five otherwise.
const MAX_SHIFT: [i32; 2] = [15, 30];
/// The lower end of the search for a shift. A sigmoid steeper than weights can express becomes a
/// step at the same position. Here all weights that f32 has are zero, so that every sum fits.
const MIN_SHIFT: i32 = -700;

/// What an integer stands for: `zero + step * q`, with `q` up to `top`.
#[derive(Clone, Copy)]
pub(super) struct AffineScale {
    pub(super) zero: f64,
    pub(super) step: f64,
    pub(super) top: f64,
}

impl IntegerProgram {
    /// Chooses the integers of a program. `ranges` are those of all training rows, `sample` is a
    /// part of the rows. Both are before scaling, with missing values filled.
    ///
    /// # Errors
    /// When an activation has no integer form.
    pub fn fit(
        program: &Program,
        format: IntegerFormat,
        ranges: &[FeatureRange],
        sample: &Columns,
    ) -> Result<Self, ExportError> {
        let has_no_form = |one: &Activation| one.integer_form().is_none();
        if let Some(activation) = program.activations().into_iter().find(has_no_form) {
            return Err(ExportError::NoIntegerForm { activation });
        }
        let mut inputs: Vec<IntegerInput> = (0..program.inputs.len())
            .map(|index| integer_input(program, index, ranges[index], format))
            .collect();
        // Flags are passed as constants, so their scale is free.
        balance(program, &mut inputs, format, |input| input.flag);
        let plain = Self::best_form(program, format, &inputs, sample);
        if plain.1 >= GOOD_AGREEMENT[usize::from(format.is_16_bit())] {
            return Ok(plain.0);
        }
        balance(program, &mut inputs, format, |_| true);
        let balanced = Self::best_form(program, format, &inputs, sample);
        Ok(if balanced.1 > plain.1 { balanced.0 } else { plain.0 })
    }

    /// The program with the smallest sums that agree well, and its agreement.
    fn best_form(
        program: &Program,
        format: IntegerFormat,
        inputs: &[IntegerInput],
        rows: &Columns,
    ) -> (Self, f64) {
        let sample = CalibrationSample::new(program, inputs, rows);
        let forms: &[(u32, u32)] =
            if format.is_16_bit() { &[(32, 32)] } else { &[(16, 16), (16, 32), (32, 32)] };
        let mut made: Vec<(Self, f64)> = Vec::new();
        for &(sum_bits, score_bits) in forms {
            let sample = &sample;
            let quantizer = Quantizer { program, format, sample, inputs, sum_bits, score_bits };
            made.push(quantizer.run());
        }
        let best = made.iter().map(|(_, agreement)| *agreement).fold(0.0, f64::max);
        let chosen =
            made.into_iter().find(|(_, agreement)| *agreement >= best - SMALL_SUMS_TOLERANCE);
        chosen.expect("the best form agrees as well as the best form")
    }
}

fn mean(column: &[u32]) -> f64 {
    column.iter().map(|&q| f64::from(q)).sum::<f64>() / column.len().max(1) as f64
}

/// The squared error of integer values.
fn error(values: &[u32], scale: AffineScale, exact: &[f64]) -> f64 {
    let off = |(&q, exact): (&u32, &f64)| scale.zero + scale.step * f64::from(q) - exact;
    values.iter().zip(exact).map(off).map(|off| off * off).sum()
}

/// Quantizes a program with sums of given sizes.
pub(super) struct Quantizer<'a> {
    pub(super) program: &'a Program,
    pub(super) format: IntegerFormat,
    pub(super) sample: &'a CalibrationSample,
    pub(super) inputs: &'a [IntegerInput],
    sum_bits: u32,
    pub(super) score_bits: u32,
}

/// What the values of an integer neuron should be.
struct NeuronTarget<'a> {
    activation: IntegerActivation,
    scale: AffineScale,
    /// The values of the floats on the sample.
    exact: &'a [f64],
}

/// A sum in real numbers: coefficients of integer values, and a constant.
pub(super) struct RealSum {
    pub(super) constant: f64,
    pub(super) terms: Vec<(Source, f64)>,
}

impl Quantizer<'_> {
    fn run(&self) -> (IntegerProgram, f64) {
        let mut scales = Vec::new();
        let mut columns: Vec<Vec<u32>> = Vec::new();
        let mut neurons = Vec::new();
        for (index, (applied, sum)) in self.program.neurons.iter().enumerate() {
            let activation = integer_activation(*applied).0;
            let exact = &self.sample.values[index];
            let mut scale = self.neuron_scale(*applied, exact, sum, &scales);
            let (neuron, column) = loop {
                let real = self.argument(*applied, sum, scale, &scales);
                let target = NeuronTarget { activation, scale, exact };
                if let Some(made) = self.neuron(&target, &real, &columns, &scales) {
                    break made;
                }
                // Large terms that cancel each other need coarser steps to fit.
                scale.step *= 2.0;
            };
            neurons.push(neuron);
            columns.push(column);
            scales.push(scale);
        }
        let (outputs, score_step, agreement) = self.outputs(&columns, &scales);
        let mut program = IntegerProgram {
            format: self.format,
            inputs: self.inputs.to_vec(),
            neurons,
            outputs,
            sum_bits: self.sum_bits,
            score_bits: self.score_bits,
            score_step,
            score_error: 0.0,
        };
        let mut shared = program.inputs.clone();
        share_top(self.program, &mut shared);
        let own = std::mem::replace(&mut program.inputs, shared);
        if !program.never_wraps() {
            program.inputs = own;
        }
        program.score_error =
            Quantizer { inputs: &program.inputs, ..*self }.score_error(&program, &scales);
        program.drop_dead_neurons();
        (program, agreement)
    }

    /// The argument of a neuron's integer activation, whose values have a scale.
    pub(super) fn argument(
        &self,
        applied: Activation,
        sum: &WeightedSum,
        scale: AffineScale,
        scales: &[AffineScale],
    ) -> RealSum {
        let (activation, factor) = integer_activation(applied);
        if activation != IntegerActivation::Clamp {
            return self.real_sum(sum, scales, factor * activation.units(self.format));
        }
        let mut real = self.real_sum(sum, scales, factor / scale.step);
        real.constant -= scale.zero / scale.step;
        real
    }

    /// The scale of a neuron's values.
    fn neuron_scale(
        &self,
        activation: Activation,
        exact: &[f64],
        sum: &WeightedSum,
        scales: &[AffineScale],
    ) -> AffineScale {
        let one = self.format.one() as f64;
        let top = f64::from(self.format.max_value);
        match integer_form(activation) {
            IntegerForm::Sigmoid { is_centered: true, .. } | IntegerForm::Sine => {
                AffineScale { zero: -1.0, step: 2.0 / one, top }
            }
            IntegerForm::Clamp { is_signed } => {
                let high = exact.iter().copied().fold(f64::NEG_INFINITY, f64::max);
                let low = exact.iter().copied().fold(f64::INFINITY, f64::min);
                let (low, high) = self.with_headroom(low, high, sum, scales);
                let zero = if !is_signed || low > high { 0.0 } else { low };
                let range = high - zero;
                // A neuron that is always off must not make others coarse.
                let step = if range > 0.0 && range.is_finite() { range / top } else { 1.0 / one };
                AffineScale { zero, step, top }
            }
            _ => AffineScale { zero: 0.0, step: 1.0 / one, top },
        }
    }

    /// The range of a clamped neuron with what stays free beyond the training rows. Sixteen bits have
    /// steps for all that its inputs can add up to, within a limit; eight do not.
    fn with_headroom(
        &self,
        low: f64,
        high: f64,
        sum: &WeightedSum,
        scales: &[AffineScale],
    ) -> (f64, f64) {
        const LIMIT: f64 = 16.0;
        if !self.format.is_16_bit() || low > high {
            return (low, high);
        }
        let (mut lowest, mut highest) = (sum.bias, sum.bias);
        for term in &sum.terms {
            let scale = self.source_scale(term.source, scales);
            let ends = [scale.zero, scale.zero + scale.step * scale.top].map(|x| x * term.weight);
            lowest += ends[0].min(ends[1]);
            highest += ends[0].max(ends[1]);
        }
        // Training rows that never switch a neuron on say nothing about its range.
        let room = if high > low { LIMIT * (high - low) } else { f64::INFINITY };
        (lowest.max(low - room).min(low), highest.min(high + room).max(high))
    }

    /// A sum over integer values, times `units`.
    pub(super) fn real_sum(
        &self,
        sum: &WeightedSum,
        scales: &[AffineScale],
        units: f64,
    ) -> RealSum {
        let mut constant = sum.bias;
        let mut terms = Vec::with_capacity(sum.terms.len());
        for term in &sum.terms {
            let scale = self.source_scale(term.source, scales);
            constant += term.weight * scale.zero;
            terms.push((term.source, term.weight * scale.step * units));
        }
        RealSum { constant: constant * units, terms }
    }

    pub(super) fn source_scale(&self, source: Source, scales: &[AffineScale]) -> AffineScale {
        match source {
            Source::Neuron(index) => scales[index as usize],
            Source::Input(index) => {
                let input = self.inputs[index as usize];
                let shift = f64::from(self.program.inputs[index as usize].shift);
                AffineScale {
                    zero: f64::from(input.low) - shift,
                    step: f64::from(input.step),
                    top: f64::from(input.top),
                }
            }
        }
    }

    fn column<'a>(&'a self, source: Source, columns: &'a [Vec<u32>]) -> &'a [u32] {
        match source {
            Source::Input(index) => &self.sample.inputs[index as usize],
            Source::Neuron(index) => &columns[index as usize],
        }
    }

    /// The neuron with the best shift, and its values on the sample. `None` if its sum fits with no
    /// shift.
    fn neuron(
        &self,
        target: &NeuronTarget<'_>,
        real: &RealSum,
        columns: &[Vec<u32>],
        scales: &[AffineScale],
    ) -> Option<(IntegerNeuron, Vec<u32>)> {
        let activation = target.activation;
        let largest = real.terms.iter().map(|(_, c)| c.abs()).fold(0.0, f64::max);
        let max_shift = MAX_SHIFT[usize::from(self.format.is_16_bit())];
        // The shift at which the largest weight just fits.
        let fits =
            if largest > 0.0 { libm::log2(self.format.max_weight as f64 / largest) } else { 0.0 };
        let min_shift = if activation == IntegerActivation::Clamp { 0 } else { MIN_SHIFT };
        let fits = (fits.floor() as i32).clamp(min_shift, max_shift);
        let mut best: Option<(f64, IntegerNeuron, Vec<u32>)> = None;
        for shift in (min_shift..=(fits + 3).min(max_shift)).rev() {
            let sum = self.rounded(real, libm::exp2(f64::from(shift)), shift, columns);
            if !self.stays_in_bits(&sum, self.sum_bits, scales) {
                continue;
            }
            if shift < fits - 1 && best.is_some() {
                break;
            }
            let neuron = IntegerNeuron { activation, shift: shift.max(0) as u32, sum };
            let values = self.values(&neuron, columns);
            let error = error(&values, target.scale, target.exact);
            if best.as_ref().is_none_or(|(best_error, ..)| error < *best_error) {
                best = Some((error, neuron, values));
            }
        }
        let (best_error, mut neuron, mut values) = best?;
        self.refine_weights(&mut neuron, &mut values, best_error, columns, |neuron, values| {
            let fits = self.stays_in_bits(&neuron.sum, self.sum_bits, scales);
            fits.then(|| error(values, target.scale, target.exact))
        });
        Some((neuron, values))
    }

    /// Moves each weight by one, and the bias with it, wherever that lowers the error.
    fn refine_weights(
        &self,
        neuron: &mut IntegerNeuron,
        values: &mut Vec<u32>,
        mut best_error: f64,
        columns: &[Vec<u32>],
        error_of: impl Fn(&IntegerNeuron, &[u32]) -> Option<f64>,
    ) {
        for index in (0..neuron.sum.terms.len()).chain(0..neuron.sum.terms.len()) {
            for step in [1, -1] {
                let mut moved = neuron.clone();
                let (source, weight) = &mut moved.sum.terms[index];
                *weight += step;
                if *weight == 0 || weight.abs() > self.format.max_weight {
                    continue;
                }
                let mean = mean(self.column(*source, columns));
                moved.sum.bias -= (step as f64 * mean).round() as i64;
                let moved_values = self.values(&moved, columns);
                if let Some(error) = error_of(&moved, &moved_values)
                    && error < best_error
                {
                    (best_error, *neuron, *values) = (error, moved, moved_values);
                }
            }
        }
    }

    /// A sum with rounded weights. The bias is corrected by the mean error of the rounding, and has
    /// the half step that makes the shift round to nearest.
    pub(super) fn rounded(
        &self,
        real: &RealSum,
        scale: f64,
        shift: i32,
        columns: &[Vec<u32>],
    ) -> IntegerSum {
        let mut constant = real.constant * scale;
        let mut terms = Vec::with_capacity(real.terms.len());
        for &(source, coefficient) in &real.terms {
            let exact = coefficient * scale;
            let limit = self.format.max_weight as f64;
            let weight = (exact + 0.5).floor().clamp(-limit, limit);
            constant += (exact - weight) * mean(self.column(source, columns));
            if weight != 0.0 {
                terms.push((source, weight as i64));
            }
        }
        let half = if shift > 0 { libm::exp2(f64::from(shift - 1)) } else { 0.0 };
        // Far beyond any sum, so that the cast cannot overflow.
        let bias = (constant + half + 0.5).floor().clamp(-1e15, 1e15) as i64;
        IntegerSum { bias, terms }
    }

    /// Whether the sum stays inside its bits for all values in range.
    pub(super) fn stays_in_bits(
        &self,
        sum: &IntegerSum,
        bits: u32,
        scales: &[AffineScale],
    ) -> bool {
        sum.stays_in(bits, |source| self.source_scale(source, scales).top as u32)
    }

    pub(super) fn sums(&self, sum: &IntegerSum, columns: &[Vec<u32>]) -> Vec<i64> {
        let mut sums = vec![sum.bias; self.sample.rows];
        for &(source, weight) in &sum.terms {
            let column = self.column(source, columns);
            sums.iter_mut().zip(column).for_each(|(sum, &q)| *sum += weight * i64::from(q));
        }
        sums
    }

    fn values(&self, neuron: &IntegerNeuron, columns: &[Vec<u32>]) -> Vec<u32> {
        let sums = self.sums(&neuron.sum, columns);
        sums.into_iter()
            .map(|sum| neuron.activation.apply(self.format, sum >> neuron.shift))
            .collect()
    }
}
