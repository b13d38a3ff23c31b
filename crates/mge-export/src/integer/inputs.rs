//! How features become integers, and which integer function serves which activation.

use mge_net::{Activation, IntegerForm, Source};

use super::{IntegerInput, Op, Width};
use crate::program::{Input, Program};

/// How a feature becomes integers: whole numbers that fit stay as they are.
pub(super) fn input(program: &Program, index: usize, cells: &[f32], width: Width) -> IntegerInput {
    let most = f64::from(width.most);
    if program.inputs[index].flag {
        // A flag is worth as many steps as its largest weight needs.
        let units = |activation| {
            let (op, factor) = op_of(activation);
            if op == Op::Clamp { 0.0 } else { factor * op.units(width) }
        };
        let weights = program.neurons.iter().flat_map(|(activation, sum)| {
            let units = units(*activation);
            sum.terms
                .iter()
                .filter(|term| term.source == Source::Input(index as u32))
                .map(move |term| (term.weight * units).abs())
        });
        let largest = weights.fold(0.0, f64::max) / (width.weight as f64 / 2.0);
        let mut top = 1u32;
        while f64::from(top) < largest && top < width.most / 2 {
            top *= 2;
        }
        return IntegerInput { low: 0.0, step: 1.0 / f64::from(top), top };
    }
    let (mut low, mut high, mut whole) = (f64::INFINITY, f64::NEG_INFINITY, true);
    for &x in cells {
        let x = f64::from(x);
        (low, high, whole) = (low.min(x), high.max(x), whole && x == x.floor());
    }
    if low > high {
        (low, high) = (program.inputs[index].center, program.inputs[index].center);
    }
    let room = room(width, high - low);
    if !whole {
        let range = high - low + 2.0 * room;
        let step = if range > 0.0 { range / most } else { 1.0 };
        return IntegerInput { low: low - room, step, top: width.most };
    }
    let room = room.ceil();
    if low >= 0.0 && high <= most {
        return IntegerInput { low: 0.0, step: 1.0, top: (high + room).clamp(1.0, most) as u32 };
    }
    let (low, range) = (low - room, high - low + 2.0 * room);
    let mut step = 1.0;
    while range / step > most {
        step *= 2.0;
    }
    IntegerInput { low, step, top: (range / step + 0.5).floor().clamp(1.0, most) as u32 }
}

/// What is left free on each side of a range for rows that lie beyond those of training: sixteen
/// bits have it to spare, eight do not.
pub(super) fn room(width: Width, range: f64) -> f64 {
    if width.is_wide() { range / 4.0 } else { 0.0 }
}

/// Gives features with few steps more of them: where a neuron reads a flag and a fine-grained
/// column, one scale cannot serve both their weights. Only those that `may` change do.
pub(super) fn balance(
    program: &Program,
    inputs: &mut [IntegerInput],
    width: Width,
    may: impl Fn(&Input) -> bool,
) {
    let grain = |index: usize, input: &IntegerInput| input.step / program.inputs[index].spread;
    let used = || program.inputs.iter().enumerate().filter(|(_, input)| input.used);
    let finest =
        used().map(|(index, _)| grain(index, &inputs[index])).fold(f64::INFINITY, f64::min);
    for (index, _) in used().filter(|(_, input)| may(input)) {
        let input = &mut inputs[index];
        while grain(index, input) > 2.0 * finest && input.top <= width.most / 2 {
            input.step /= 2.0;
            input.top *= 2;
        }
    }
}

/// The integer form of an activation; [`IntegerProgram::fit`](super::IntegerProgram::fit) has
/// checked that there is one.
pub(super) fn form_of(activation: Activation) -> IntegerForm {
    activation.integer_form().expect("checked for all activations of the program")
}

/// The integer function of an activation, and what its argument is multiplied with.
pub(super) fn op_of(activation: Activation) -> (Op, f64) {
    match form_of(activation) {
        IntegerForm::Sigmoid { slope, .. } => (Op::Sigmoid, slope),
        IntegerForm::Sine => (Op::Sine, 0.5 / std::f64::consts::PI),
        IntegerForm::Gauss => (Op::Gauss, 1.0),
        IntegerForm::Clamp { .. } => (Op::Clamp, 1.0),
    }
}
