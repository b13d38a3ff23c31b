//! The integer forms of the C source: a byte table and a loop, or one statement for each neuron.
//!
//! The table is read once, forwards. A neuron is its number of links, its shift, its bias and then
//! source and weight of each link; numbers of more than a byte have their low byte first. Where each
//! neuron feeds exactly one output (modular networks of one layer), neurons stand under their
//! output with their output weight, and no value is ever stored ("fused").

use mge_net::Source;

use super::{CForm, unsigned_for, value_type};
use crate::integer::{IntegerProgram, IntegerSum, Op};
use crate::names;
use crate::options::Layout;
use crate::program::Program;
use crate::text::{f64_text, list};

/// Everything of the source file between its first lines and the labels.
pub fn body(form: &CForm<'_>, integer: &IntegerProgram) -> String {
    let writer = Writer { form, integer, encoding: Encoding::of(integer) };
    let mut text = form.fill(HOOK, &[]);
    for op in integer.ops() {
        text += &writer.function(op);
    }
    text += &match form.layout {
        Layout::Code => writer.statements(),
        Layout::Table if integer.is_fused() => writer.fused(),
        Layout::Table => writer.general(),
    };
    text + &writer.quantize()
}

/// Bytes of all tables, labels not counted.
pub fn table_bytes(form: &CForm<'_>, integer: &IntegerProgram) -> usize {
    let writer = Writer { form, integer, encoding: Encoding::of(integer) };
    let value = if integer.width.argument > 8 { 2 } else { 1 };
    let points = integer.ops().iter().map(|op| op.table(integer.width).len()).sum::<usize>();
    writer.table().len() + value * points
}

const HOOK: &str = "
/* Called with the sum of each output, for those who want more than the class. */
#ifndef @NAME@_ON_SCORE
#define @NAME@_ON_SCORE(output, score) ((void)0)
#endif
";

/// How numbers are written into the byte table.
pub struct Encoding {
    /// Bytes of a source.
    source: usize,
    /// Bytes of a weight.
    weight: usize,
    /// Bytes of a count.
    count: usize,
    /// Whether a neuron's count and shift share a byte.
    packed: bool,
    /// The functions, by number; no number is stored for a single one.
    ops: Vec<Op>,
}

impl Encoding {
    /// The smallest encoding of a program.
    pub fn of(integer: &IntegerProgram) -> Self {
        let ops = integer.ops();
        let fits = |neuron: &crate::integer::IntegerNeuron| {
            neuron.shift < 16 && neuron.sum.terms.len() < 16
        };
        let neurons = integer.neurons.len();
        Self {
            source: bytes_for(integer.inputs.len() + neurons),
            weight: if integer.width.argument > 8 { 2 } else { 1 },
            count: bytes_for(integer.most_terms().max(neurons)),
            packed: ops.len() == 1 && integer.neurons.iter().all(fits),
            ops,
        }
    }
}

fn bytes_for(largest: usize) -> usize {
    match largest {
        0..=255 => 1,
        256..=65_535 => 2,
        _ => 4,
    }
}

/// The low bytes of a number, lowest first.
fn push(table: &mut Vec<u8>, number: i64, bytes: usize) {
    table.extend_from_slice(&number.to_le_bytes()[..bytes]);
}

struct Writer<'a> {
    form: &'a CForm<'a>,
    integer: &'a IntegerProgram,
    encoding: Encoding,
}

impl Writer<'_> {
    fn place(&self, source: Source) -> i64 {
        match source {
            Source::Input(index) => i64::from(index),
            Source::Neuron(index) => self.integer.inputs.len() as i64 + i64::from(index),
        }
    }

    fn head(&self, table: &mut Vec<u8>, neuron: &crate::integer::IntegerNeuron) {
        let count = neuron.sum.terms.len() as i64;
        if self.encoding.packed {
            return push(table, i64::from(neuron.shift) << 4 | count, 1);
        }
        push(table, count, self.encoding.count);
        let kind = self.encoding.ops.iter().position(|op| *op == neuron.op).unwrap_or(0) as i64;
        push(table, kind << 5 | i64::from(neuron.shift), 1);
    }

    fn links(&self, table: &mut Vec<u8>, sum: &IntegerSum) {
        for &(source, weight) in &sum.terms {
            push(table, self.place(source), self.encoding.source);
            push(table, weight, self.encoding.weight);
        }
    }

    fn array(&self, table: &[u8]) -> String {
        self.form.fill(
            "\nstatic const @NAME@_FLASH uint8_t table[] = {\n@items@\n};\n",
            &[("items", list(table))],
        )
    }

    /// C that reads a number of so many bytes at `p` and moves on.
    fn read(bytes: usize, signed: bool) -> String {
        let (kind, text) = match bytes {
            1 => ("int8_t", "*p++"),
            2 => ("int16_t", "(p += 2, (uint16_t)p[-2] | (uint16_t)p[-1] << 8)"),
            _ => (
                "int32_t",
                "(p += 4, (uint32_t)p[-4] | (uint32_t)p[-3] << 8 | (uint32_t)p[-2] << 16 \
                 | (uint32_t)p[-1] << 24)",
            ),
        };
        if signed { format!("({kind})({text})") } else { text.to_owned() }
    }

    fn sum_type(&self) -> &'static str {
        if self.integer.sum_bits == 16 { "int16_t" } else { "int32_t" }
    }

    fn score_type(&self) -> &'static str {
        if self.integer.score_bits == 16 { "int16_t" } else { "int32_t" }
    }

    /// Lines that read a neuron's head: `count`, `shift` and, if there are several, `kind`.
    fn read_head(&self, indent: &str) -> String {
        if self.encoding.packed {
            return format!(
                "{indent}uint8_t shift = *p++, count = shift & 15;\n{indent}shift >>= 4;\n"
            );
        }
        let count = unsigned_for(if self.encoding.count == 1 { 255 } else { 65_535 });
        let kind = if self.encoding.ops.len() > 1 {
            format!("{indent}uint8_t kind = shift >> 5;\n{indent}shift &= 31;\n")
        } else {
            String::new()
        };
        let count = format!("{indent}{count} count = {};\n", Self::read(self.encoding.count, false));
        format!("{count}{indent}uint8_t shift = *p++;\n{kind}")
    }

    /// Lines that add the links of a neuron to `z`.
    fn add_links(&self, indent: &str, unsigned: &str, signed: &str, value: &str) -> String {
        let source = unsigned_for(if self.encoding.source == 1 { 255 } else { 65_535 });
        format!(
            "{indent}for (; count != 0; --count) {{\n\
             {indent}    {source} i = {};\n\
             {indent}    {} weight = {};\n\
             {indent}    z += ({unsigned})(({signed})weight * {value});\n\
             {indent}}}\n",
            Self::read(self.encoding.source, false),
            if self.encoding.weight == 1 { "int8_t" } else { "int16_t" },
            Self::read(self.encoding.weight, true),
        )
    }

    /// The call of a neuron's function on `u`.
    fn apply(&self, argument: &str) -> String {
        match self.encoding.ops.as_slice() {
            [] => "0".to_owned(),
            [one] => format!("{}({argument})", one.name()),
            several => {
                let mut text = String::new();
                for (number, op) in several.iter().enumerate() {
                    let call = format!("{}({argument})", op.name());
                    if number + 1 == several.len() {
                        text += &call;
                    } else {
                        text += &format!("kind == {number} ? {call} : ");
                    }
                }
                text
            }
        }
    }

    /// Lines that start and end a walk over the outputs.
    fn compare(&self, indent: &str) -> String {
        self.form.fill(
            "@in@@NAME@_ON_SCORE(output, (@score@)score);\n\
             @in@if (output == 0 || (@score@)score > best) {\n\
             @in@    best = (@score@)score;\n\
             @in@    winner = output;\n\
             @in@}\n",
            &[("in", indent.to_owned()), ("score", self.score_type().to_owned())],
        )
    }

    fn has_output_biases(&self) -> bool {
        self.integer.outputs.iter().any(|output| output.bias != 0)
    }

    /// The byte table, fused or not.
    fn table(&self) -> Vec<u8> {
        let integer = self.integer;
        let bias_bytes = integer.sum_bits as usize / 8;
        let score_bytes = integer.score_bits as usize / 8;
        let mut table = Vec::new();
        if !integer.is_fused() {
            for neuron in &integer.neurons {
                self.head(&mut table, neuron);
                push(&mut table, neuron.sum.bias, bias_bytes);
                self.links(&mut table, &neuron.sum);
            }
            for output in &integer.outputs {
                push(&mut table, output.terms.len() as i64, self.encoding.count);
                push(&mut table, output.bias, score_bytes);
                self.links(&mut table, output);
            }
            return table;
        }
        let biased = self.has_output_biases();
        for output in &integer.outputs {
            if biased {
                push(&mut table, output.bias, score_bytes);
            }
            push(&mut table, output.terms.len() as i64, self.encoding.count);
            for &(source, weight) in &output.terms {
                let Source::Neuron(index) = source else { continue };
                let neuron = &integer.neurons[index as usize];
                self.head(&mut table, neuron);
                push(&mut table, weight, self.encoding.weight);
                push(&mut table, neuron.sum.bias, bias_bytes);
                self.links(&mut table, &neuron.sum);
            }
        }
        table
    }

    fn fused(&self) -> String {
        let integer = self.integer;
        let (sum, score) = (self.sum_type(), self.score_type());
        let biased = self.has_output_biases();
        let bias_bytes = integer.sum_bits as usize / 8;
        let score_bytes = integer.score_bits as usize / 8;
        let start = if biased { Self::read(score_bytes, false) } else { "0".to_owned() };
        let one = integer.outputs.len() == 1;
        let indent = if one { "    " } else { "        " };
        let count = unsigned_for(if self.encoding.count == 1 { 255 } else { 65_535 });
        let weight = if self.encoding.weight == 1 { "int8_t" } else { "int16_t" };
        let mut text = self.array(&self.table());
        text += &self.form.fill(
            "\n@class@ @name@_predict(const @value@ *x) {\n    const @NAME@_FLASH uint8_t *p = table;\n",
            &[],
        );
        if !one {
            text += &self.form.fill(
                "    @score@ best = 0;\n    @class@ winner = 0;\n\
                 \x20   for (@class@ output = 0; output < @outputs@; ++output) {\n",
                &[("score", score.to_owned())],
            );
        }
        text += &format!("{indent}u{score} score = {start};\n");
        text += &format!(
            "{indent}for ({count} n = {}; n != 0; --n) {{\n",
            Self::read(self.encoding.count, false)
        );
        let inner = format!("{indent}    ");
        text += &self.read_head(&inner);
        text += &format!(
            "{inner}{weight} out = {};\n{inner}u{sum} z = {};\n",
            Self::read(self.encoding.weight, true),
            Self::read(bias_bytes, false)
        );
        text += &self.add_links(&inner, &format!("u{sum}"), product(integer), "x[i]");
        text += &format!(
            "{inner}score += (u{score})(({})out * ({}));\n{indent}}}\n",
            product(integer),
            self.apply(&format!("({sum})z >> shift"))
        );
        if one {
            text += &self.form.fill(
                "    @NAME@_ON_SCORE(0, (@score@)score);\n    return (@score@)score > 0;\n}\n",
                &[("score", score.to_owned())],
            );
        } else {
            text += &self.compare(indent);
            text += "    }\n    return winner;\n}\n";
        }
        text
    }

    fn general(&self) -> String {
        let integer = self.integer;
        let (sum, score) = (self.sum_type(), self.score_type());
        let bias_bytes = integer.sum_bits as usize / 8;
        let score_bytes = integer.score_bits as usize / 8;
        let neurons = integer.neurons.len();
        let inputs = integer.inputs.len();
        let value = value_type(integer);
        let read_value = if neurons == 0 {
            "x[i]".to_owned()
        } else {
            format!("(i < {inputs} ? x[i] : h[i - {inputs}])")
        };
        let mut text = self.array(&self.table());
        text += &self.form.fill(
            "\n@class@ @name@_predict(const @value@ *x) {\n    const @NAME@_FLASH uint8_t *p = table;\n",
            &[],
        );
        if neurons > 0 {
            let number = unsigned_for(neurons);
            text += &format!("    {value} h[{neurons}];\n    for ({number} n = 0; n < {neurons}; ++n) {{\n");
            text += &self.read_head("        ");
            text += &format!("        u{sum} z = {};\n", Self::read(bias_bytes, false));
            text += &self.add_links("        ", &format!("u{sum}"), product(integer), &read_value);
            text += &format!(
                "        h[n] = {};\n    }}\n",
                self.apply(&format!("({sum})z >> shift"))
            );
        }
        let count = unsigned_for(if self.encoding.count == 1 { 255 } else { 65_535 });
        let count = format!("{count} count = {};\n", Self::read(self.encoding.count, false));
        let start = Self::read(score_bytes, false);
        let one = integer.outputs.len() == 1;
        let indent = if one { "    " } else { "        " };
        if !one {
            text += &self.form.fill(
                "    @score@ best = 0;\n    @class@ winner = 0;\n\
                 \x20   for (@class@ output = 0; output < @outputs@; ++output) {\n",
                &[("score", score.to_owned())],
            );
        }
        text += &format!("{indent}{count}{indent}u{score} z = {start};\n");
        text += &self.add_links(indent, &format!("u{score}"), product(integer), &read_value);
        text += &format!("{indent}u{score} score = z;\n");
        if one {
            text += &self.form.fill(
                "    @NAME@_ON_SCORE(0, (@score@)score);\n    return (@score@)score > 0;\n}\n",
                &[("score", score.to_owned())],
            );
        } else {
            text += &self.compare(indent);
            text += "    }\n    return winner;\n}\n";
        }
        text
    }

    fn statements(&self) -> String {
        let integer = self.integer;
        let (sum, score) = (self.sum_type(), self.score_type());
        let expression = |of: &IntegerSum, kind: &str| {
            let mut parts = vec![format!("(u{kind}){}", literal(of.bias))];
            for &(source, weight) in &of.terms {
                let value = match source {
                    Source::Input(index) => format!("x[{index}]"),
                    Source::Neuron(index) => format!("h{index}"),
                };
                let product = product(integer);
                parts.push(format!("(u{kind})(({product}){weight} * {value})"));
            }
            format!("({kind})(u{kind})({})", parts.join("\n        + "))
        };
        let mut text =
            self.form.fill("\n@class@ @name@_predict(const @value@ *x) {\n", &[]);
        for (index, neuron) in integer.neurons.iter().enumerate() {
            let argument = format!("{} >> {}", expression(&neuron.sum, sum), neuron.shift);
            let call = format!("{}({argument})", neuron.op.name());
            text += &self.form.fill("    const @value@ h", &[]);
            text += &format!("{index} = {call};\n");
        }
        text += &format!("    {score} score;\n");
        if integer.inputs.is_empty() || integer.most_terms() == 0 {
            text += "    (void)x;\n";
        }
        let one = integer.outputs.len() == 1;
        if !one {
            text += &self.form.fill(
                "    @score@ best = 0;\n    @class@ winner = 0;\n",
                &[("score", score.to_owned())],
            );
        }
        for (index, output) in integer.outputs.iter().enumerate() {
            text += &format!("    score = {};\n", expression(output, score));
            text += &self.form.fill(
                "    @NAME@_ON_SCORE(@index@, score);\n",
                &[("index", index.to_string())],
            );
            text += &match (one, index) {
                (true, _) => "    return score > 0;\n".to_owned(),
                (false, 0) => "    best = score;\n".to_owned(),
                _ => format!(
                    "    if (score > best) {{\n        best = score;\n        winner = {index};\n    }}\n"
                ),
            };
        }
        text + if one { "}\n" } else { "    return winner;\n}\n" }
    }

    fn function(&self, op: Op) -> String {
        let integer = self.integer;
        let width = integer.width;
        let value = value_type(integer);
        let sum = self.sum_type();
        let difference = if width.argument > 8 { "int32_t" } else { "int16_t" };
        let bits = op.fraction_bits(width);
        let largest = (1u32 << width.argument) - 1;
        let values = [
            ("op", op.name().to_owned()),
            ("points", list(op.table(width))),
            ("sum", sum.to_owned()),
            ("difference", difference.to_owned()),
            ("bits", bits.to_string()),
            ("mask", ((1u32 << bits) - 1).to_string()),
            ("largest", largest.to_string()),
            ("half", largest.div_ceil(2).to_string()),
            ("below", (largest.div_ceil(2) - 1).to_string()),
            ("one", width.one().to_string()),
            ("middle", (width.one() / 2).to_string()),
            ("most", width.most.to_string()),
            ("error", format!("{:.4}", op.error(width))),
            ("value", value.to_owned()),
        ];
        let line = "
/* Straight lines between points; at most @error@ off where the function is 0 to 1. */
static const @NAME@_FLASH @value@ @op@_points[] = {
@points@
};

static @value@ @op@_line(u@sum@ m) {
    const @NAME@_FLASH @value@ *p = @op@_points + (m >> @bits@);
    @value@ a = p[0];
    return (@value@)(a + ((((@difference@)p[1] - a) * (uint8_t)(m & @mask@)) >> @bits@));
}
";
        let magnitude = "
    u@sum@ m = u < 0 ? (u@sum@)(0 - (u@sum@)u) : (u@sum@)u;
    if (m > @largest@) m = @largest@;
";
        let template = match op {
            Op::Clamp => "
static @value@ clamp(@sum@ u) {
    return u < 0 ? 0 : u > @most@ ? @most@ : (@value@)u;
}
"
            .to_owned(),
            Op::Sigmoid => format!(
                "{line}\nstatic @value@ sigmoid(@sum@ u) {{{magnitude}    @value@ y = sigmoid_line(m);\n    \
                 return u < 0 ? (@value@)(@one@ - y) : y;\n}}\n"
            ),
            Op::Gauss => format!(
                "{line}\nstatic @value@ gauss(@sum@ u) {{{magnitude}    return gauss_line(m);\n}}\n"
            ),
            Op::Sine => format!(
                "{line}\nstatic @value@ sine(@sum@ u) {{\n    @value@ y = sine_line((u@sum@)u & @below@);\n    \
                 return (@value@)((u@sum@)u & @half@ ? @middle@ - y : @middle@ + y);\n}}\n"
            ),
        };
        self.form.fill(&template, &values)
    }

    /// From numbers to integers, for those who have floats.
    fn quantize(&self) -> String {
        let inputs = &self.integer.inputs;
        let fills = self.form.program.inputs.iter().zip(inputs);
        self.form.fill(
            "
#ifdef @NAME@_WITH_FLOAT
void @name@_quantize(const float *numbers, @value@ *x) {
    static const double low[] = {
@lows@
    };
    static const double step[] = {
@steps@
    };
    static const @value@ top[] = {
@tops@
    };
    static const @value@ fill[] = {
@fills@
    };
    for (unsigned i = 0; i < @inputs@; ++i) {
        double q = (numbers[i] - low[i]) / step[i] + 0.5;
        x[i] = q != q ? fill[i] : q < 0 ? 0 : q > top[i] ? top[i] : (@value@)q;
    }
}
#endif
",
            &[
                ("lows", list(inputs.iter().map(|input| f64_text(input.low)))),
                ("steps", list(inputs.iter().map(|input| f64_text(input.step)))),
                ("tops", list(inputs.iter().map(|input| input.top))),
                ("fills", list(fills.map(|(input, integer)| integer.quantize(input.fill)))),
            ],
        )
    }
}

/// The type in which a weight times a value is computed.
fn product(integer: &IntegerProgram) -> &'static str {
    if integer.width.argument > 8 || integer.sum_bits == 32 && integer.score_bits == 32 {
        "int32_t"
    } else {
        // 127 * 255 fits, and AVR has an instruction for it.
        "int16_t"
    }
}

/// A constant that is read the same with 16-bit and 32-bit int.
fn literal(number: i64) -> String {
    if i16::try_from(number).is_ok() { format!("({number})") } else { format!("({number}L)") }
}

/// How the header explains what an input's integers stand for.
pub fn explain(program: &Program, integer: &IntegerProgram, index: usize) -> String {
    let input = &integer.inputs[index];
    let fill = input.quantize(program.inputs[index].fill);
    let whole = match (input.low, input.step) {
        (0.0, 1.0) => "the number itself".to_owned(),
        (0.0, step) => format!("round(number * {})", f64_text(1.0 / step)),
        (low, 1.0) => format!("number - {}", f64_text(low)),
        (low, step) => format!("round((number - {}) / {})", f64_text(low), f64_text(step)),
    };
    names::comment(&format!("; pass {whole}, 0 to {}; if missing {fill}", input.top)).replace("<U+002F>", "/")
}
