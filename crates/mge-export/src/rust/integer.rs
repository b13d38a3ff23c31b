//! The integer forms of the crate.

use mge_net::Source;

use super::{unsigned_for, value_type};
use crate::exporter::Form;
use crate::integer::{IntegerActivation, IntegerProgram, IntegerSum, POWERS};
use crate::options::Layout;
use crate::text::{f32_text, filled, list};

/// The source after the labels.
pub fn body(form: &Form<'_>, integer: &IntegerProgram) -> String {
    let values = [
        ("outputs", integer.outputs.len().to_string()),
        ("value", value_type(form).to_owned()),
        ("sum", bits(integer.sum_bits).to_owned()),
        ("score", bits(integer.score_bits).to_owned()),
        ("neurons", integer.neurons.len().to_string()),
        ("tops", list(integer.inputs.iter().map(|input| input.top))),
    ];
    let predict = if integer.outputs.len() == 1 { ONE } else { SEVERAL };
    let mut text = filled(HEAD, &values) + predict + &filled(&answers(form, integer), &values);
    text += &filled(&quantize(form, integer), &values);
    text += &match form.layout {
        Layout::Table => filled(&tables(integer), &values),
        Layout::Code => filled(&statements(integer), &values),
    };
    for activation in integer.activations() {
        text += &filled(&function(activation, integer), &values);
    }
    text
}

fn bits(bits: u32) -> &'static str {
    if bits == 16 { "i16" } else { "i32" }
}

const HEAD: &str = "
/// Output sums: one for two classes, else one for each class.
pub const OUTPUTS: usize = @outputs@;

/// The largest value of each input. Larger ones count as the largest.
#[rustfmt::skip]
static TOPS: [Value; INPUTS] = [
@tops@
];
";

const ONE: &str = "
/// The class of a row, from 0.
pub fn predict(x: &[Value; INPUTS]) -> usize {
    usize::from(scores(x)[0] > 0)
}
";

const SEVERAL: &str = "
/// The class of a row, from 0.
pub fn predict(x: &[Value; INPUTS]) -> usize {
    let scores = scores(x);
    let mut best = 0;
    for index in 1..OUTPUTS {
        if scores[index] > scores[best] {
            best = index;
        }
    }
    best
}
";

const ANSWERS: &str = "
/// The value that stands for the probability 1.
pub const CERTAIN: Value = @certain@;

static POWERS: [u16; 17] = [
@powers@
];

/// Two to the power of minus a difference of sums, in 32768ths.
fn power(d: u32) -> u32 {
    if d >= @limit@ {
        return 0;
    }
    let t = (d >> @drop@).wrapping_mul(@factor@) >> @shift@;
    if t >= 4096 {
        return 0;
    }
    let at = (t >> 4 & 15) as usize;
    let (a, b) = (POWERS[at] as u32, POWERS[at + 1] as u32);
    (a - ((a - b) * (t & 15) >> 4)) >> (t >> 8)
}

/// The probability of each class, by whole numbers alone: [`CERTAIN`] stands for 1.
pub fn probabilities(x: &[Value; INPUTS]) -> [Value; CLASSES] {
    let sums = scores(x);
    let score = |class: usize| if OUTPUTS == CLASSES { sums[class] } else { sums[0] * class as i32 };
    let mut largest = score(0);
    for class in 1..CLASSES {
        largest = largest.max(score(class));
    }
    let mut powers = [0u32; CLASSES];
    let mut total = 0;
    for class in 0..CLASSES {
        powers[class] = power((largest as u32).wrapping_sub(score(class) as u32));
        total += powers[class];
    }
    powers.map(|power| ((power * CERTAIN as u32 + total / 2) / total) as Value)
}

/// The class of a row if its probability is at least `min_probability`.
pub fn predict_if(x: &[Value; INPUTS], min_probability: Value) -> Option<usize> {
    let class = predict(x);
    if probabilities(x)[class] >= min_probability { Some(class) } else { None }
}

/// The value of an input for a raw reading, a whole number, by whole numbers alone. A reading is the
/// number of the input, times the power of ten that the list at the top says. Readings outside the
/// range count as its ends; `None` is a missing one.
pub fn from_reading(input: usize, reading: Option<i32>) -> Value {
    // Ends, factor, bias, dropped bits, missing.
    #[rustfmt::skip]
    static SCALING: [(i32, i32, u32, u32, u8, u8, Value); INPUTS] = [
@scaling@
    ];
    let (low, high, factor, bias, drop, shift, missing) = SCALING[input];
    let Some(reading) = reading else { return missing };
    let difference = (reading.clamp(low, high) as u32).wrapping_sub(low as u32) >> drop;
    let q = difference.wrapping_mul(factor).wrapping_add(bias) >> shift;
    q.min(TOPS[input] as u32) as Value
}
";

fn answers(form: &Form<'_>, integer: &IntegerProgram) -> String {
    let scale = integer.probability_scale();
    let inputs = integer.inputs.iter().zip(&form.program.inputs);
    let rows = inputs.map(|(input, of)| {
        let (raw, missing) = (input.raw, input.quantize(of.fill));
        format!(
            "({}, {}, {}, {}, {}, {}, {missing})",
            raw.low, raw.high, raw.factor, raw.bias, raw.drop, raw.shift
        )
    });
    filled(
        ANSWERS,
        &[
            ("certain", integer.certain().to_string()),
            ("powers", list(POWERS)),
            ("limit", scale.limit.to_string()),
            ("drop", scale.drop.to_string()),
            ("factor", scale.factor.to_string()),
            ("shift", scale.shift.to_string()),
            ("scaling", list(rows)),
        ],
    )
}

fn quantize(form: &Form<'_>, integer: &IntegerProgram) -> String {
    let inputs = form.program.inputs.iter().zip(&integer.inputs);
    let rows = inputs.map(|(input, coded)| {
        let fill = coded.quantize(input.fill);
        format!("({}, {}, {fill})", f32_text(f64::from(coded.low)), f32_text(f64::from(coded.step)))
    });
    format!(
        "
/// Turns numbers into the values that `predict` takes. NaN is a missing value.
pub fn quantize(numbers: [f32; INPUTS]) -> [Value; INPUTS] {{
    // Low end, step, value that replaces a missing one.
    #[rustfmt::skip]
    static SCALES: [(f32, f32, Value); INPUTS] = [
{}
    ];
    let mut x = [0; INPUTS];
    for i in 0..INPUTS {{
        let (low, step, fill) = SCALES[i];
        let q = (numbers[i] - low) / step + 0.5;
        // Casts saturate.
        x[i] = if q != q {{ fill }} else {{ (q as Value).min(TOPS[i]) }};
    }}
    x
}}
",
        list(rows)
    )
}

fn tables(integer: &IntegerProgram) -> String {
    let inputs = integer.inputs.len();
    let index_of = |source: Source| match source {
        Source::Input(index) => index as usize,
        Source::Neuron(index) => inputs + index as usize,
    };
    let number_of = |activation: IntegerActivation| {
        IntegerActivation::ALL.iter().position(|one| *one == activation).unwrap_or(0)
    };
    let sums = || integer.neurons.iter().map(|neuron| &neuron.sum).chain(&integer.outputs);
    let links = sums().flat_map(|sum| &sum.terms);
    let links: Vec<String> =
        links.map(|&(source, weight)| format!("({}, {weight})", index_of(source))).collect();
    let neurons = integer.neurons.iter().map(|neuron| {
        let kind = number_of(neuron.activation);
        format!("({}, {}, {kind}, {})", neuron.sum.terms.len(), neuron.shift, neuron.sum.bias)
    });
    let outputs = integer.outputs.iter().map(|sum| format!("({}, {})", sum.terms.len(), sum.bias));
    let cases = integer.activations().into_iter().map(|activation| {
        format!("            {} => {}(u),\n", number_of(activation), activation.name())
    });
    let source = unsigned_for(inputs + integer.neurons.len());
    let weight = if integer.format.is_16_bit() { "i16" } else { "i8" };
    let count = unsigned_for(integer.max_terms());
    format!(
        "
/// Source and weight of each link.
#[rustfmt::skip]
static LINKS: [({source}, {weight}); {links_count}] = [
{links}
];
/// Links, shift, function and bias of each neuron.
#[rustfmt::skip]
static NEURONS: [({count}, u8, u8, @sum@); @neurons@] = [
{neurons}
];
/// Links and bias of each output.
#[rustfmt::skip]
static SUMS: [({count}, @score@); OUTPUTS] = [
{outputs}
];

/// The sum of each output.
pub fn scores(x: &[Value; INPUTS]) -> [i32; OUTPUTS] {{
    let mut h = [0 as Value; @neurons@];
    let mut at = 0;
    for (n, &(count, shift, kind, bias)) in NEURONS.iter().enumerate() {{
        let mut z = bias;
        for &(source, weight) in &LINKS[at..at + count as usize] {{
            let i = source as usize;
            let value = if i < INPUTS {{ x[i].min(TOPS[i]) }} else {{ h[i - INPUTS] }};
            z = z.wrapping_add((weight as i32 * value as i32) as @sum@);
        }}
        at += count as usize;
        let u = z >> shift;
        let _ = u;
        h[n] = match kind {{
{cases}            _ => 0,
        }};
    }}
    let mut scores = [0; OUTPUTS];
    for (score, &(count, bias)) in scores.iter_mut().zip(&SUMS) {{
        let mut z = bias;
        for &(source, weight) in &LINKS[at..at + count as usize] {{
            let i = source as usize;
            let value = if i < INPUTS {{ x[i].min(TOPS[i]) }} else {{ h[i - INPUTS] }};
            z = z.wrapping_add((weight as i32 * value as i32) as @score@);
        }}
        at += count as usize;
        *score = z as i32;
    }}
    scores
}}
",
        links_count = links.len(),
        links = list(links),
        neurons = list(neurons),
        outputs = list(outputs),
        cases = cases.collect::<String>(),
    )
}

fn statements(integer: &IntegerProgram) -> String {
    let expression = |sum: &IntegerSum, kind: &str| {
        let mut text = format!("({} as @{kind}@)", sum.bias);
        for &(source, weight) in &sum.terms {
            let value = match source {
                Source::Input(index) => format!("x[{index}].min(TOPS[{index}])"),
                Source::Neuron(index) => format!("h{index}"),
            };
            text += &format!("\n        .wrapping_add(({weight} * {value} as i32) as @{kind}@)");
        }
        text
    };
    let mut text = String::from(
        "\n/// The sum of each output.\n#[rustfmt::skip]\n#[allow(unused_variables)]\n\
         pub fn scores(x: &[Value; INPUTS]) -> [i32; OUTPUTS] {\n",
    );
    for (index, neuron) in integer.neurons.iter().enumerate() {
        let sum = expression(&neuron.sum, "sum");
        let (activation, shift) = (neuron.activation.name(), neuron.shift);
        text += &format!("    let h{index} = {activation}({sum} >> {shift});\n");
    }
    let outputs =
        integer.outputs.iter().map(|sum| format!("        {} as i32,\n", expression(sum, "score")));
    text + &format!("    [\n{}    ]\n}}\n", outputs.collect::<String>())
}

fn function(activation: IntegerActivation, integer: &IntegerProgram) -> String {
    let format = integer.format;
    let (bits, name) = (activation.fraction_bits(format), activation.name());
    let largest = (1u32 << format.argument_bits) - 1;
    let upper = name.to_ascii_uppercase();
    let points = activation.table(format);
    let line = format!(
        "
/// Linear interpolation between points; the error is at most {:.4} on a scale of 0 to 1.
#[rustfmt::skip]
static {upper}: [Value; {}] = [
{}
];

fn {name}_line(m: u32) -> i32 {{
    let at = (m >> {bits}) as usize;
    let (a, b) = ({upper}[at] as i32, {upper}[at + 1] as i32);
    a + (((b - a) * (m & {}) as i32) >> {bits})
}}
",
        activation.error(format),
        points.len(),
        list(points),
        (1u32 << bits) - 1
    );
    let half = largest.div_ceil(2);
    let (one, middle, max) = (format.one(), format.one() / 2, format.max_value);
    match activation {
        IntegerActivation::Clamp => format!(
            "\nfn clamp(u: @sum@) -> Value {{\n    (u as i32).clamp(0, {max}) as Value\n}}\n"
        ),
        IntegerActivation::Sigmoid => format!(
            "{line}\nfn sigmoid(u: @sum@) -> Value {{\n    let y = sigmoid_line((u as i32).unsigned_abs().min({largest}));\n    \
             (if u < 0 {{ {one} - y }} else {{ y }}) as Value\n}}\n"
        ),
        IntegerActivation::Gauss => format!(
            "{line}\nfn gauss(u: @sum@) -> Value {{\n    gauss_line((u as i32).unsigned_abs().min({largest})) as Value\n}}\n"
        ),
        IntegerActivation::Sine => format!(
            "{line}\nfn sine(u: @sum@) -> Value {{\n    let y = sine_line(u as u32 & {});\n    \
             (if u as u32 & {half} != 0 {{ {middle} - y }} else {{ {middle} + y }}) as Value\n}}\n",
            half - 1
        ),
    }
}
