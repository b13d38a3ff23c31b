//! How features become integers, and which integer activation replaces which activation.

use mge_data::FeatureRange;
use mge_net::{Activation, IntegerForm, Source};

use super::{IntegerActivation, IntegerFormat, IntegerInput};
use crate::program::{Program, ProgramInput};

/// How a feature becomes integers. Whole numbers that fit stay as they are.
pub(super) fn integer_input(
    program: &Program,
    index: usize,
    range: FeatureRange,
    format: IntegerFormat,
) -> IntegerInput {
    if program.inputs[index].flag {
        return flag_input(program, index, format);
    }
    let max = f64::from(format.max_value);
    let (mut low, mut high) = (f64::from(range.low), f64::from(range.high));
    if low > high {
        (low, high) = (program.inputs[index].center, program.inputs[index].center);
    }
    let headroom = headroom(format, high - low);
    if !range.whole {
        let range = high - low + 2.0 * headroom;
        let step = if range > 0.0 { range / max } else { 1.0 };
        return IntegerInput::new(low - headroom, step, format.max_value, false);
    }
    let headroom = headroom.ceil();
    if low >= 0.0 && high <= max {
        return IntegerInput::new(0.0, 1.0, (high + headroom).clamp(1.0, max) as u32, true);
    }
    let (low, range) = (low - headroom, high - low + 2.0 * headroom);
    let mut step = 1.0;
    while range / step > max {
        step *= 2.0;
    }
    IntegerInput::new(low, step, (range / step + 0.5).floor().clamp(1.0, max) as u32, true)
}

/// Gives inputs that are passed as they are, such as pixels, the same largest integer. Code then
/// needs one constant for all of them, and no table.
pub(super) fn share_top(program: &Program, inputs: &mut [IntegerInput]) {
    let plain = |index: usize, input: &IntegerInput| {
        !program.inputs[index].flag && input.low == 0.0 && input.step == 1.0
    };
    let tops = inputs.iter().enumerate().filter(|(index, input)| plain(*index, input));
    let Some(top) = tops.map(|(_, input)| input.top).max() else { return };
    for (index, input) in inputs.iter_mut().enumerate() {
        if plain(index, input) {
            *input = IntegerInput::new(0.0, 1.0, top, true);
        }
    }
}

/// A flag has as many steps as its largest weight needs.
fn flag_input(program: &Program, index: usize, format: IntegerFormat) -> IntegerInput {
    let units = |applied| {
        let (activation, factor) = integer_activation(applied);
        let is_clamp = activation == IntegerActivation::Clamp;
        if is_clamp { 0.0 } else { factor * activation.units(format) }
    };
    let weights = program.neurons.iter().flat_map(|(applied, sum)| {
        let units = units(*applied);
        sum.terms
            .iter()
            .filter(|term| term.source == Source::Input(index as u32))
            .map(move |term| (term.weight * units).abs())
    });
    let largest = weights.fold(0.0, f64::max) / (format.max_weight as f64 / 2.0);
    let mut top = 1u32;
    while f64::from(top) < largest && top < format.max_value / 2 {
        top *= 2;
    }
    IntegerInput::new(0.0, 1.0 / f64::from(top), top, true)
}

/// What stays free on each side of a range, for rows beyond those of training. Sixteen bits have
/// the steps to spare, eight do not.
fn headroom(format: IntegerFormat, range: f64) -> f64 {
    if format.is_16_bit() { range / 4.0 } else { 0.0 }
}

/// Gives features with coarse steps finer ones. Where a neuron reads a flag and a fine-grained
/// column, one scale cannot serve both weights. Only features that `may` change do.
pub(super) fn balance(
    program: &Program,
    inputs: &mut [IntegerInput],
    format: IntegerFormat,
    may: impl Fn(&ProgramInput) -> bool,
) {
    let grain =
        |index: usize, input: &IntegerInput| f64::from(input.step) / program.inputs[index].spread;
    let used = || program.inputs.iter().enumerate().filter(|(_, input)| input.used);
    let finest =
        used().map(|(index, _)| grain(index, &inputs[index])).fold(f64::INFINITY, f64::min);
    for (index, _) in used().filter(|(_, input)| may(input)) {
        let input = &mut inputs[index];
        while grain(index, input) > 2.0 * finest && input.top <= format.max_value / 2 {
            *input = input.with_finer_steps();
        }
    }
}

/// The integer form of an activation. [`IntegerProgram::fit`](super::IntegerProgram::fit) has
/// checked that there is one.
pub(super) fn integer_form(activation: Activation) -> IntegerForm {
    activation.integer_form().expect("checked for all activations of the program")
}

/// The integer activation that replaces an activation, and the factor of its argument.
pub(super) fn integer_activation(applied: Activation) -> (IntegerActivation, f64) {
    match integer_form(applied) {
        IntegerForm::Sigmoid { slope, .. } => (IntegerActivation::Sigmoid, slope),
        IntegerForm::Sine => (IntegerActivation::Sine, 0.5 / std::f64::consts::PI),
        IntegerForm::Gauss => (IntegerActivation::Gauss, 1.0),
        IntegerForm::Clamp { .. } => (IntegerActivation::Clamp, 1.0),
    }
}
