//! One file for MicroPython: integers alone, or its floats. It also runs in CPython.
//!
//! It uses only what small ports have: no classes, no string formatting, no imports but `array` and,
//! for floats, `math`. Tables are tuples and bytes, which stay in flash where the file is frozen.

use mge_net::Source;

use crate::exporter::{Capabilities, Exporter, Form};
use crate::files::OutFile;
use crate::integer::{IntegerActivation, IntegerProgram, IntegerSum, POWERS};
use crate::names;
use crate::options::{Layout, Number};
use crate::program::{Program, WeightedSum};
use crate::text::{classes, f32_text, f64_text, filled, inputs, list};

/// The target `micropython`.
#[derive(Debug, Clone, Copy)]
pub struct MicroPython;

impl Exporter for MicroPython {
    fn name(&self) -> &'static str {
        "micropython"
    }

    fn summary(&self) -> &'static str {
        "one file for MicroPython, without imports in its integer forms"
    }

    fn capabilities(&self) -> Capabilities {
        Capabilities { numbers: &Number::ALL, layouts: &[Layout::Table], float_bits: 32 }
    }

    fn paths(&self, name: &str) -> Vec<String> {
        vec![format!("{name}.py")]
    }

    fn files(&self, form: &Form<'_>) -> Vec<OutFile> {
        let body = match form.integer {
            None => float(form.program),
            Some(integer) => integers(form, integer),
        };
        vec![OutFile::text(format!("{}.py", form.program.name), head(form) + &body)]
    }
}

fn head(form: &Form<'_>) -> String {
    let program = form.program;
    let extra = |index: usize| match form.integer {
        None => {
            let fill = f32_text(f64::from(program.inputs[index].fill));
            format!("; if missing (NaN or None): {fill}")
        }
        Some(integer) => crate::c::explain(program, integer, index),
    };
    let constants = |kind: &str, names: Vec<String>| -> String {
        let names = names::constants(names.iter().map(String::as_str)).into_iter().enumerate();
        names.map(|(index, name)| format!("{kind}_{name} = {index}\n")).collect()
    };
    let features = program.inputs.iter().map(|input| input.name.clone()).collect();
    filled(
        "# @title@: a classifier made by mge, for MicroPython.
#
# Inputs, in order (scaling is part of the weights):
@list@#
# Classes:
@answers@
CLASSES = (
@classes@
)
INPUTS = @inputs@
@input_names@@class_names@
",
        &[
            ("title", names::comment(&program.title)),
            ("list", inputs(program, "#   ", extra)),
            ("answers", classes(program, "#   ")),
            ("classes", list(program.classes.iter().map(|class| names::python_string(class)))),
            ("inputs", program.inputs.len().to_string()),
            ("input_names", constants("INPUT", features)),
            ("class_names", constants("CLASS", program.classes.clone())),
        ],
    )
}

fn tuple(items: impl Iterator<Item = String>) -> String {
    format!("({})", items.map(|item| item + ", ").collect::<String>().trim_end())
}

fn float(program: &Program) -> String {
    let unit = |activation: &str, sum: &WeightedSum| {
        let terms = sum.terms.iter();
        let sources =
            tuple(terms.clone().map(|term| program.source_index(term.source).to_string()));
        let weights = tuple(terms.map(|term| f64_text(term.weight)));
        format!("    (\"{activation}\", {}, {sources}, {weights}),\n", f64_text(sum.bias))
    };
    let neurons: String =
        program.neurons.iter().map(|(activation, sum)| unit(activation.name(), sum)).collect();
    let outputs: String = program.outputs.iter().map(|sum| unit("identity", sum)).collect();
    let activations = program.activations_and_identity().into_iter();
    let activations: String =
        activations.map(|one| format!("    \"{one}\": {},\n", one.source_text().python)).collect();
    filled(
        FLOAT,
        &[
            ("fills", list(program.inputs.iter().map(|i| f64_text(f64::from(i.fill))))),
            ("shifts", list(program.inputs.iter().map(|i| f64_text(f64::from(i.shift))))),
            ("neurons", neurons),
            ("outputs", outputs),
            ("activations", activations),
        ],
    )
}

const FLOAT: &str = "import math

# The value that replaces a missing one, and what is subtracted before weights are applied.
_FILLS = (
@fills@
)
_SHIFTS = (
@shifts@
)
# Activation, bias, sources and weights. Sources index inputs, then neurons.
_NEURONS = (
@neurons@)
_OUTPUTS = (
@outputs@)


def _exp(z):
    return math.exp(min(z, 87.0))


_ACTIVATIONS = {
@activations@}


def _sum(unit, values):
    activation, bias, sources, weights = unit
    z = 0.0
    for i in range(len(sources)):
        z += weights[i] * values[sources[i]]
    return _ACTIVATIONS[activation](z + bias)


def scores(row):
    # The sum of each output for a row of numbers.
    values = []
    for i in range(INPUTS):
        x = row[i]
        if x is None or x != x:
            x = _FILLS[i]
        values.append(x - _SHIFTS[i])
    for unit in _NEURONS:
        values.append(_sum(unit, values))
    return [_sum(unit, values) for unit in _OUTPUTS]


def probabilities(row):
    # The probability of each class.
    sums = [0.0 if z != z else max(-1e30, min(1e30, z)) for z in scores(row)]
    if len(sums) == 1:
        return [1.0 / (1.0 + _exp(sums[0])), 1.0 / (1.0 + _exp(-sums[0]))]
    largest = max(sums)
    exps = [_exp(max(z - largest, -87.0)) for z in sums]
    total = sum(exps)
    return [exp / total for exp in exps]


def predict(row):
    # The class of a row, from 0.
    p = probabilities(row)
    return p.index(max(p))


def predict_if(row, min_probability):
    # The class of a row if its probability is at least this, else None.
    p = probabilities(row)
    best = max(p)
    return p.index(best) if best >= min_probability else None
";

fn integers(form: &Form<'_>, integer: &IntegerProgram) -> String {
    let inputs = integer.inputs.len();
    let parts = |sum: &IntegerSum| {
        let index = |source: Source| match source {
            Source::Input(index) => index as usize,
            Source::Neuron(index) => inputs + index as usize,
        };
        let sources = tuple(sum.terms.iter().map(|&(source, _)| index(source).to_string()));
        let weights = tuple(sum.terms.iter().map(|(_, weight)| weight.to_string()));
        format!("{}, {sources}, {weights}", sum.bias)
    };
    let neurons: String = integer
        .neurons
        .iter()
        .map(|one| {
            format!("    (_{}, {}, {}),\n", one.activation.name(), one.shift, parts(&one.sum))
        })
        .collect();
    let outputs: String =
        integer.outputs.iter().map(|sum| format!("    ({}),\n", parts(sum))).collect();
    let scaling = integer.inputs.iter().zip(&form.program.inputs).map(|(input, of)| {
        let (raw, missing) = (input.raw, input.quantize(of.fill));
        format!(
            "({}, {}, {}, {}, {}, {}, {missing})",
            raw.low, raw.high, raw.factor, raw.bias, raw.drop, raw.shift
        )
    });
    let scale = integer.probability_scale();
    let functions: String =
        integer.activations().into_iter().map(|one| function(one, integer)).collect();
    filled(
        INTEGER,
        &[
            ("functions", functions),
            ("tops", list(integer.inputs.iter().map(|input| input.top))),
            ("neurons", neurons),
            ("outputs", outputs),
            ("scaling", list(scaling)),
            ("certain", integer.certain().to_string()),
            ("powers", list(POWERS)),
            ("limit", scale.limit.to_string()),
            ("drop", scale.drop.to_string()),
            ("factor", scale.factor.to_string()),
            ("shift", scale.shift.to_string()),
        ],
    )
}

fn function(activation: IntegerActivation, integer: &IntegerProgram) -> String {
    let format = integer.format;
    let (bits, name) = (activation.fraction_bits(format), activation.name());
    let largest = (1u32 << format.argument_bits) - 1;
    let (one, middle, max) = (format.one(), format.one() / 2, format.max_value);
    let half = largest.div_ceil(2);
    let line = format!(
        "
# Linear interpolation between points.
_{name}_points = (
{}
)


def _{name}_line(m):
    a = _{name}_points[m >> {bits}]
    return a + ((_{name}_points[(m >> {bits}) + 1] - a) * (m & {}) >> {bits})
",
        list(activation.table(format)),
        (1u32 << bits) - 1
    );
    match activation {
        IntegerActivation::Clamp => {
            format!("\n\ndef _clamp(u):\n    return 0 if u < 0 else {max} if u > {max} else u\n")
        }
        IntegerActivation::Sigmoid => format!(
            "{line}\n\ndef _sigmoid(u):\n    y = _sigmoid_line(min(abs(u), {largest}))\n    \
             return {one} - y if u < 0 else y\n"
        ),
        IntegerActivation::Gauss => {
            format!("{line}\n\ndef _gauss(u):\n    return _gauss_line(min(abs(u), {largest}))\n")
        }
        IntegerActivation::Sine => format!(
            "{line}\n\ndef _sine(u):\n    y = _sine_line(u & {})\n    \
             return {middle} - y if u & {half} else {middle} + y\n",
            half - 1
        ),
    }
}

const INTEGER: &str = "@functions@

# The largest value of each input. Larger ones count as the largest.
_TOPS = (
@tops@
)
# Function, shift, bias, sources and weights of each neuron. Sources index inputs, then neurons.
_NEURONS = (
@neurons@)
# Bias, sources and weights of each output.
_OUTPUTS = (
@outputs@)
# Ends, factor, bias, dropped bits and missing value of each input's readings.
_SCALING = (
@scaling@
)
_POWERS = (
@powers@
)
# The whole number that stands for the probability 1.
CERTAIN = @certain@


def _sum(z, sources, weights, values):
    for i in range(len(sources)):
        z += weights[i] * values[sources[i]]
    return z


def scores(x):
    # The sum of each output for a row of values.
    values = []
    for i in range(INPUTS):
        values.append(max(0, min(x[i], _TOPS[i])))
    for function, shift, bias, sources, weights in _NEURONS:
        values.append(function(_sum(bias, sources, weights, values) >> shift))
    return [_sum(bias, sources, weights, values) for bias, sources, weights in _OUTPUTS]


def _class_of(sums):
    if len(sums) == 1:
        return 1 if sums[0] > 0 else 0
    return sums.index(max(sums))


def predict(x):
    # The class of a row, from 0.
    return _class_of(scores(x))


def _power(d):
    # Two to the power of minus a difference of sums, in 32768ths.
    if d >= @limit@:
        return 0
    t = (d >> @drop@) * @factor@ >> @shift@
    if t >= 4096:
        return 0
    a = _POWERS[t >> 4 & 15]
    return (a - ((a - _POWERS[(t >> 4 & 15) + 1]) * (t & 15) >> 4)) >> (t >> 8)


def probabilities(x):
    # The probability of each class, by whole numbers alone: CERTAIN stands for 1.
    sums = scores(x)
    if len(sums) == 1:
        sums = [0, sums[0]]
    largest = max(sums)
    powers = [_power(largest - z) for z in sums]
    total = sum(powers)
    return [(power * CERTAIN + total // 2) // total for power in powers]


def predict_if(x, min_probability):
    # The class of a row if its probability is at least this, else None.
    best = predict(x)
    return best if probabilities(x)[best] >= min_probability else None


def from_reading(index, reading):
    # The value of an input for a raw reading, a whole number, or None for a missing one. A reading is
    # the number of the input, times the power of ten that the list at the top says.
    low, high, factor, bias, drop, shift, missing = _SCALING[index]
    if reading is None:
        return missing
    difference = max(low, min(reading, high)) - low
    return min(_TOPS[index], ((difference >> drop) * factor + bias) >> shift)
";
