//! The float form of the crate.

use mge_net::Activation;

use super::unsigned_for;
use crate::exporter::Form;
use crate::options::Layout;
use crate::program::{Program, WeightedSum};
use crate::text::{f32_text, list};

/// The source after the labels.
pub fn body(form: &Form<'_>) -> String {
    let program = form.program;
    let mut text = if program.outputs.len() == 1 { ONE } else { SOFTMAX }.to_owned();
    text += &match form.layout {
        Layout::Table => tables(program),
        Layout::Code => statements(program),
    };
    text += PREDICT_IF;
    text += EXP;
    text + &program.helpers(|source| source.rust)
}

const ONE: &str = "
/// The class of a row, from 0.
pub fn predict(x: &[f32; INPUTS]) -> usize {
    usize::from(sums(x)[0] > 0.0)
}

/// The probability of each class.
pub fn probabilities(x: &[f32; INPUTS]) -> [f32; CLASSES] {
    let sum = bounded(sums(x)[0]);
    [1.0 / (1.0 + exp(sum)), 1.0 / (1.0 + exp(-sum))]
}
";

const SOFTMAX: &str = "
/// The class of a row, from 0.
pub fn predict(x: &[f32; INPUTS]) -> usize {
    let sums = sums(x);
    let mut best = 0;
    for index in 1..CLASSES {
        if bounded(sums[index]) > bounded(sums[best]) {
            best = index;
        }
    }
    best
}

/// The probability of each class.
pub fn probabilities(x: &[f32; INPUTS]) -> [f32; CLASSES] {
    let mut p = sums(x).map(bounded);
    let largest = p.iter().fold(-1e30, |a: f32, &b| if b > a { b } else { a });
    let mut total = 0.0;
    for p in &mut p {
        *p = exp(*p - largest);
        total += *p;
    }
    p.map(|p| p / total)
}
";

const PREDICT_IF: &str = "
/// The class of a row if its probability is at least `min_probability`.
pub fn predict_if(x: &[f32; INPUTS], min_probability: f32) -> Option<usize> {
    let class = predict(x);
    if probabilities(x)[class] >= min_probability { Some(class) } else { None }
}
";

const EXP: &str = "
/// Clamps a sum to a range in which no later step can overflow; NaN becomes 0.
fn bounded(sum: f32) -> f32 {
    if sum == sum { sum.clamp(-1e30, 1e30) } else { 0.0 }
}

/// exp as a power of two times a polynomial.
fn exp(x: f32) -> f32 {
    if !(x > -87.0) {
        return 0.0;
    }
    if x > 88.5 {
        return f32::INFINITY;
    }
    let k = (x * core::f32::consts::LOG2_E + if x < 0.0 { -0.5 } else { 0.5 }) as i32;
    let r = x - k as f32 * 0.693_359_4 + k as f32 * 2.121_944_4e-4;
    let p = 1.0 / 720.0 + r * (1.0 / 5040.0);
    let p = 1.0 + r * (1.0 + r * (0.5 + r * (1.0 / 6.0 + r * (1.0 / 24.0 + r * (1.0 / 120.0 + r * p)))));
    // In two factors, since 2^128 is not an f32.
    let power = |k: i32| f32::from_bits(((k + 127) as u32) << 23);
    p * power(k / 2) * power(k - k / 2)
}
";

fn call(activation: Activation) -> &'static str {
    activation.source_text().rust.expression
}

fn tables(program: &Program) -> String {
    let (inputs, neurons) = (program.inputs.len(), program.neurons.len());
    let terms = || program.sums().flat_map(|sum| &sum.terms);
    let number = |of: Activation| Activation::ALL.iter().position(|one| *one == of).unwrap_or(0);
    let units = program.sums().enumerate().map(|(index, sum)| {
        let kind = program.neurons.get(index).map_or(0, |(activation, _)| number(*activation));
        format!("({}, {kind}, {})", sum.terms.len(), f32_text(sum.bias))
    });
    let links = terms()
        .map(|term| format!("({}, {})", program.source_index(term.source), f32_text(term.weight)));
    let fills = program.inputs.iter().map(|input| f32_text(f64::from(input.fill)));
    let shifts = program.inputs.iter().map(|input| f32_text(f64::from(input.shift)));
    let source = unsigned_for(inputs + neurons);
    let in_use = program.activations().into_iter();
    let cases: String =
        in_use.map(|one| format!("                {} => {},\n", number(one), call(one))).collect();
    let (shift_table, shift) = if program.has_shifts() {
        let table = format!(
            "/// Subtracted from inputs.\nstatic SHIFTS: [f32; INPUTS] = [\n{}\n];\n",
            list(shifts)
        );
        (table, " - SHIFTS[i]")
    } else {
        (String::new(), "")
    };
    format!(
        "
/// Source and weight of each link.
#[rustfmt::skip]
static LINKS: [({source}, f32); {links_count}] = [
{links}
];
/// Links, activation and bias of each neuron and output.
#[rustfmt::skip]
static UNITS: [(u32, u8, f32); {units_count}] = [
{units}
];
/// The value that replaces a missing one.
#[rustfmt::skip]
static FILLS: [f32; INPUTS] = [
{fills}
];
{shift_table}
fn input(x: &[f32; INPUTS], i: usize) -> f32 {{
    let x = if x[i] == x[i] {{ x[i] }} else {{ FILLS[i] }};
    x{shift}
}}

fn sums(x: &[f32; INPUTS]) -> [f32; {outputs}] {{
    let mut h = [0.0f32; {neurons}];
    let mut sums = [0.0f32; {outputs}];
    let mut at = 0;
    for (unit, &(count, kind, bias)) in UNITS.iter().enumerate() {{
        let mut z = 0.0f32;
        for &(source, weight) in &LINKS[at..at + count as usize] {{
            let i = source as usize;
            z += weight * if i < INPUTS {{ input(x, i) }} else {{ h[i - INPUTS] }};
        }}
        at += count as usize;
        z += bias;
        if unit < {neurons} {{
            h[unit] = match kind {{
{cases}                _ => 0.0,
            }};
        }} else {{
            sums[unit - {neurons}] = z;
        }}
    }}
    sums
}}
",
        links_count = program.links(),
        links = list(links),
        units_count = neurons + program.outputs.len(),
        units = list(units),
        fills = list(fills),
        outputs = program.outputs.len(),
    )
}

fn statements(program: &Program) -> String {
    let expression = |sum: &WeightedSum| sum.expression("f32");
    let outputs = program.outputs.len();
    let mut text = format!(
        "\nfn filled(x: f32, fill: f32) -> f32 {{\n    if x == x {{ x }} else {{ fill }}\n}}\n\n\
         #[rustfmt::skip]\n#[allow(unused_variables)]\nfn sums(x: &[f32; INPUTS]) -> [f32; {outputs}] {{\n    let _ = filled;\n"
    );
    for (index, input) in program.inputs.iter().enumerate().filter(|(_, input)| input.used) {
        let (fill, shift) = (f64::from(input.fill), f64::from(input.shift));
        text += &format!(
            "    let v{index} = filled(x[{index}], {}) - {}f32;\n",
            f32_text(fill),
            f32_text(shift)
        );
    }
    for (index, (activation, sum)) in program.neurons.iter().enumerate() {
        text += &format!("    let z: f32 = {};\n", expression(sum));
        text += &format!("    let h{index} = {};\n", call(*activation));
    }
    for (index, output) in program.outputs.iter().enumerate() {
        text += &format!("    let s{index}: f32 = {};\n", expression(output));
    }
    let sums: Vec<String> = (0..outputs).map(|index| format!("s{index}")).collect();
    text + &format!("    [{}]\n}}\n", sums.join(", "))
}
