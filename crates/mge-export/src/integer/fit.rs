//! Chooses scales from training rows.
//!
//! Ranges of inputs and neurons are those of the training rows. The shift of each neuron is the
//! one with the least squared error of its value over a sample of them, rare large weights being
//! cut where that costs less than making all others coarse; its bias makes up for the mean error
//! of the rounded weights. Sums of 16 bits are taken where they agree with the float program as
//! well as those of 32.

use mge_net::Columns;
use mge_net::{Activation, IntegerForm, Source};

use super::inputs::{balance, form_of, input, op_of, room};
use super::sample::Sample;
use super::{IntegerInput, IntegerNeuron, IntegerProgram, IntegerSum, Op, Width, wrapped};
use crate::error::ExportError;
use crate::program::{Program, Sum};

/// Sums of 16 bits may disagree on this share of the sample more than those of 32.
const WORTH_OF_SMALL_SUMS: f64 = 0.002;
/// Whole numbers are passed as they are if the integers of one byte, or of two, agree with the
/// floats on this share of the sample.
const GOOD_AGREEMENT: [f64; 2] = [0.995, 1.0];
/// Shifts are stored in four bits for 8-bit numbers, in five otherwise.
const LARGEST_SHIFT: [i32; 2] = [15, 30];
/// A function may be less steep than the floats' by so many powers of two: a sigmoid steeper than
/// weights can tell stays a step at the same place.
const STEEPEST: i32 = -200;

/// Training rows: numbers before scaling, missing values filled.
#[derive(Debug, Clone, Copy)]
pub struct Calibration<'a> {
    /// The features of [`Preprocess::unscaled`](mge_data::Preprocess::unscaled).
    pub rows: &'a Columns,
}

/// What an integer stands for: `zero + step * q`, `q` up to `top`.
#[derive(Clone, Copy)]
pub(super) struct Meaning {
    zero: f64,
    step: f64,
    top: f64,
}

impl IntegerProgram {
    /// Chooses the integers of a program.
    ///
    /// # Errors
    /// When an activation has no integer form.
    pub fn fit(
        program: &Program,
        width: Width,
        calibration: Calibration<'_>,
    ) -> Result<Self, ExportError> {
        let has_no_form = |one: &Activation| one.integer_form().is_none();
        if let Some(activation) = program.activations().into_iter().find(has_no_form) {
            return Err(ExportError::NoIntegerForm { activation });
        }
        let mut inputs: Vec<IntegerInput> = (0..program.inputs.len())
            .map(|index| input(program, index, calibration.rows.column(index), width))
            .collect();
        // Flags are passed as constants, whatever these are.
        balance(program, &mut inputs, width, |input| input.flag);
        let plain = Self::best_form(program, width, &inputs, calibration.rows);
        if plain.1 >= GOOD_AGREEMENT[usize::from(width.is_wide())] {
            return Ok(plain.0);
        }
        balance(program, &mut inputs, width, |_| true);
        let balanced = Self::best_form(program, width, &inputs, calibration.rows);
        Ok(if balanced.1 > plain.1 { balanced.0 } else { plain.0 })
    }

    /// The smallest sums that agree well, and how well.
    fn best_form(
        program: &Program,
        width: Width,
        inputs: &[IntegerInput],
        rows: &Columns,
    ) -> (Self, f64) {
        let sample = Sample::new(program, inputs, rows);
        let forms: &[(u32, u32)] =
            if !width.is_wide() { &[(16, 16), (16, 32), (32, 32)] } else { &[(32, 32)] };
        let mut made: Vec<(Self, f64)> = Vec::new();
        for &(sum_bits, score_bits) in forms {
            let fit = Fit { program, width, sample: &sample, inputs, sum_bits, score_bits };
            made.push(fit.run());
        }
        let best = made.iter().map(|(_, agreement)| *agreement).fold(0.0, f64::max);
        let chosen =
            made.into_iter().find(|(_, agreement)| *agreement >= best - WORTH_OF_SMALL_SUMS);
        chosen.expect("the best form agrees as well as the best form")
    }
}

fn mean(column: &[u32]) -> f64 {
    column.iter().map(|&q| f64::from(q)).sum::<f64>() / column.len().max(1) as f64
}

/// The squared error of integer values.
fn error(values: &[u32], meaning: Meaning, exact: &[f64]) -> f64 {
    let off = |(&q, exact): (&u32, &f64)| meaning.zero + meaning.step * f64::from(q) - exact;
    values.iter().zip(exact).map(off).map(|off| off * off).sum()
}

/// One way to fit, and what it is fitted to.
pub(super) struct Fit<'a> {
    pub(super) program: &'a Program,
    pub(super) width: Width,
    pub(super) sample: &'a Sample,
    inputs: &'a [IntegerInput],
    sum_bits: u32,
    pub(super) score_bits: u32,
}

/// A sum in real units: coefficients of integers and a constant.
pub(super) struct Real {
    constant: f64,
    pub(super) terms: Vec<(Source, f64)>,
}

impl Fit<'_> {
    fn run(&self) -> (IntegerProgram, f64) {
        let mut meanings = Vec::new();
        let mut columns: Vec<Vec<u32>> = Vec::new();
        let mut neurons = Vec::new();
        for (index, (activation, sum)) in self.program.neurons.iter().enumerate() {
            let (op, factor) = op_of(*activation);
            let exact = &self.sample.values[index];
            let meaning = self.meaning(*activation, exact);
            let units = if op == Op::Clamp { 1.0 / meaning.step } else { op.units(self.width) };
            let mut real = self.real(sum, &meanings, factor * units);
            if op == Op::Clamp {
                real.constant -= meaning.zero * units;
            }
            let (neuron, column) = self.neuron(op, &real, meaning, exact, &columns, &meanings);
            neurons.push(neuron);
            columns.push(column);
            meanings.push(meaning);
        }
        let (outputs, score_step, agreement) = self.outputs(&columns, &meanings);
        let mut program = IntegerProgram {
            width: self.width,
            inputs: self.inputs.to_vec(),
            neurons,
            outputs,
            sum_bits: self.sum_bits,
            score_bits: self.score_bits,
            score_step,
        };
        program.drop_unread();
        (program, agreement)
    }

    /// What a neuron's integers stand for.
    fn meaning(&self, activation: Activation, exact: &[f64]) -> Meaning {
        let one = self.width.one() as f64;
        let top = f64::from(self.width.most);
        match form_of(activation) {
            IntegerForm::Sigmoid { is_centered: true, .. } | IntegerForm::Sine => {
                Meaning { zero: -1.0, step: 2.0 / one, top }
            }
            IntegerForm::Clamp { is_signed } => {
                let high = exact.iter().copied().fold(f64::NEG_INFINITY, f64::max);
                let low = exact.iter().copied().fold(f64::INFINITY, f64::min);
                let room = room(self.width, high - low);
                let zero = if !is_signed || low > high { 0.0 } else { low - room };
                let range = high + room - zero;
                // A neuron that is always off must not make others coarse.
                let step = if range > 0.0 && range.is_finite() { range / top } else { 1.0 / one };
                Meaning { zero, step, top }
            }
            _ => Meaning { zero: 0.0, step: 1.0 / one, top },
        }
    }

    /// A sum as coefficients of integers, times `units`.
    pub(super) fn real(&self, sum: &Sum, meanings: &[Meaning], units: f64) -> Real {
        let mut constant = sum.bias;
        let mut terms = Vec::with_capacity(sum.terms.len());
        for term in &sum.terms {
            let meaning = self.meaning_of(term.source, meanings);
            constant += term.weight * meaning.zero;
            terms.push((term.source, term.weight * meaning.step * units));
        }
        Real { constant: constant * units, terms }
    }

    fn meaning_of(&self, source: Source, meanings: &[Meaning]) -> Meaning {
        match source {
            Source::Neuron(index) => meanings[index as usize],
            Source::Input(index) => {
                let input = self.inputs[index as usize];
                let shift = f64::from(self.program.inputs[index as usize].shift);
                Meaning { zero: input.low - shift, step: input.step, top: f64::from(input.top) }
            }
        }
    }

    fn column<'a>(&'a self, source: Source, columns: &'a [Vec<u32>]) -> &'a [u32] {
        match source {
            Source::Input(index) => &self.sample.inputs[index as usize],
            Source::Neuron(index) => &columns[index as usize],
        }
    }

    /// The neuron with the best shift, and its values on the sample.
    fn neuron(
        &self,
        op: Op,
        real: &Real,
        meaning: Meaning,
        exact: &[f64],
        columns: &[Vec<u32>],
        meanings: &[Meaning],
    ) -> (IntegerNeuron, Vec<u32>) {
        let largest = real.terms.iter().map(|(_, c)| c.abs()).fold(0.0, f64::max);
        let most = LARGEST_SHIFT[usize::from(self.width.is_wide())];
        // The shift at which the largest weight just fits.
        let fits = if largest > 0.0 { libm::log2(self.width.weight as f64 / largest) } else { 0.0 };
        let least = if op == Op::Clamp { 0 } else { STEEPEST };
        let fits = (fits.floor() as i32).clamp(least, most);
        let mut best: Option<(f64, IntegerNeuron, Vec<u32>)> = None;
        for shift in (least..=(fits + 3).min(most)).rev() {
            let sum = self.rounded(real, libm::exp2(f64::from(shift)), shift, columns);
            if !self.stays_inside(&sum, self.sum_bits, meanings) {
                if shift > least {
                    continue;
                }
            } else if shift < fits - 1 && best.is_some() {
                break;
            }
            let neuron = IntegerNeuron { op, shift: shift.max(0) as u32, sum };
            let values = self.values(&neuron, columns);
            let error = error(&values, meaning, exact);
            if best.as_ref().is_none_or(|(least, ..)| error < *least) {
                best = Some((error, neuron, values));
            }
        }
        let (least, mut neuron, mut values) = best.expect("the least shift is always tried");
        self.nudge(&mut neuron, &mut values, least, columns, |neuron, values| {
            let fits = self.stays_inside(&neuron.sum, self.sum_bits, meanings);
            fits.then(|| error(values, meaning, exact))
        });
        (neuron, values)
    }

    /// Moves each weight by one, and the bias with it, as long as that brings values closer.
    fn nudge(
        &self,
        neuron: &mut IntegerNeuron,
        values: &mut Vec<u32>,
        mut least: f64,
        columns: &[Vec<u32>],
        judge: impl Fn(&IntegerNeuron, &[u32]) -> Option<f64>,
    ) {
        for place in (0..neuron.sum.terms.len()).chain(0..neuron.sum.terms.len()) {
            for step in [1, -1] {
                let mut moved = neuron.clone();
                let (source, weight) = &mut moved.sum.terms[place];
                *weight += step;
                if *weight == 0 || weight.abs() > self.width.weight {
                    continue;
                }
                let mean = mean(self.column(*source, columns));
                moved.sum.bias -= (step as f64 * mean).round() as i64;
                let moved_values = self.values(&moved, columns);
                if let Some(error) = judge(&moved, &moved_values)
                    && error < least
                {
                    (least, *neuron, *values) = (error, moved, moved_values);
                }
            }
        }
    }

    /// Integer weights; the bias makes up for what rounding changes on average, and rounds.
    pub(super) fn rounded(
        &self,
        real: &Real,
        scale: f64,
        shift: i32,
        columns: &[Vec<u32>],
    ) -> IntegerSum {
        let mut constant = real.constant * scale;
        let mut terms = Vec::with_capacity(real.terms.len());
        for &(source, coefficient) in &real.terms {
            let exact = coefficient * scale;
            let limit = self.width.weight as f64;
            let weight = (exact + 0.5).floor().clamp(-limit, limit);
            constant += (exact - weight) * mean(self.column(source, columns));
            if weight != 0.0 {
                terms.push((source, weight as i64));
            }
        }
        let half = if shift > 0 { libm::exp2(f64::from(shift - 1)) } else { 0.0 };
        // Far beyond any sum; keeps the cast honest.
        let bias = (constant + half + 0.5).floor().clamp(-2e9, 2e9) as i64;
        IntegerSum { bias, terms }
    }

    /// Whether no sum of values in range leaves its bits.
    pub(super) fn stays_inside(&self, sum: &IntegerSum, bits: u32, meanings: &[Meaning]) -> bool {
        let (mut low, mut high) = (sum.bias, sum.bias);
        for &(source, weight) in &sum.terms {
            let top = self.meaning_of(source, meanings).top as i64;
            if weight > 0 {
                high += weight * top;
            } else {
                low += weight * top;
            }
        }
        wrapped(low, bits) == low
            && wrapped(high, bits) == high
            && wrapped(sum.bias, bits) == sum.bias
    }

    pub(super) fn sums(&self, sum: &IntegerSum, bits: u32, columns: &[Vec<u32>]) -> Vec<i64> {
        let mut sums = vec![sum.bias; self.sample.rows];
        for &(source, weight) in &sum.terms {
            let column = self.column(source, columns);
            sums.iter_mut().zip(column).for_each(|(sum, &q)| *sum += weight * i64::from(q));
        }
        sums.into_iter().map(|sum| wrapped(sum, bits)).collect()
    }

    fn values(&self, neuron: &IntegerNeuron, columns: &[Vec<u32>]) -> Vec<u32> {
        let sums = self.sums(&neuron.sum, self.sum_bits, columns);
        sums.into_iter().map(|sum| neuron.op.apply(self.width, sum >> neuron.shift)).collect()
    }
}
