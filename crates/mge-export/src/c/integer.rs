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
/* The next byte of a table. */
#if defined(__AVR__) && defined(__FLASH)
#define @NAME@_NEXT(p) \\
    __extension__({ uint8_t byte; __asm__(\"lpm %0, Z+\" : \"=r\"(byte), \"+z\"(p)); byte; })
#else
#define @NAME@_NEXT(p) (*(p)++)
#endif

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
    /// Whether a neuron's count, then at least one, and its shift share a byte.
    packed: bool,
    /// The functions, by number; no number is stored for a single one.
    ops: Vec<Op>,
}

impl Encoding {
    /// The smallest encoding of a program.
    pub fn of(integer: &IntegerProgram) -> Self {
        let ops = integer.ops();
        let fits = |neuron: &crate::integer::IntegerNeuron| {
            neuron.shift < 16 && (1..16).contains(&neuron.sum.terms.len())
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

    /// Lines that read a number of so many bytes into a new variable.
    fn read(&self, indent: &str, kind: &str, name: &str, bytes: usize) -> String {
        let next = self.form.fill("@NAME@_NEXT(p)", &[]);
        let unsigned = match bytes {
            1 => "uint8_t",
            2 => "uint16_t",
            _ => "uint32_t",
        };
        if bytes == 1 {
            return format!("{indent}{kind} {name} = ({kind}){next};\n");
        }
        // The unsigned number first: shifting into a sign is undefined.
        let plain = kind.starts_with('u');
        let raw = if plain { name.to_owned() } else { format!("{name}_bits") };
        let mut text = format!("{indent}{unsigned} {raw} = {next};\n");
        for byte in 1..bytes {
            text += &format!("{indent}{raw} |= ({unsigned}){next} << {};\n", 8 * byte);
        }
        if !plain {
            text += &format!("{indent}{kind} {name} = ({kind}){raw};\n");
        }
        text
    }

    fn sum_type(&self) -> &'static str {
        if self.integer.sum_bits == 16 { "int16_t" } else { "int32_t" }
    }

    fn score_type(&self) -> &'static str {
        if self.integer.score_bits == 16 { "int16_t" } else { "int32_t" }
    }

    /// Lines that read a neuron's head: `head`, or `count`, `shift` and `kind`.
    fn read_head(&self, indent: &str) -> String {
        if self.encoding.packed {
            return self.read(indent, "uint8_t", "head", 1);
        }
        let kind = if self.encoding.ops.len() > 1 {
            format!("{indent}uint8_t kind = shift >> 5;\n{indent}shift &= 31;\n")
        } else {
            String::new()
        };
        self.read_count(indent, "count") + &self.read(indent, "uint8_t", "shift", 1) + &kind
    }

    fn read_count(&self, indent: &str, name: &str) -> String {
        let kind = ["uint8_t", "uint16_t", "uint32_t"][self.encoding.count / 2];
        self.read(indent, kind, name, self.encoding.count)
    }

    /// Lines that add the links of a unit to `z`.
    fn add_links(&self, indent: &str, unsigned: &str, value: &str, packed: bool) -> String {
        let source = ["uint8_t", "uint16_t", "uint32_t"][self.encoding.source / 2];
        let inner = format!("{indent}    ");
        let weight = if self.encoding.weight == 1 { "int8_t" } else { "int16_t" };
        let body = self.read(&inner, source, "i", self.encoding.source)
            + &self.read(&inner, weight, "weight", self.encoding.weight)
            + &format!("{inner}z += ({unsigned})(({})weight * {value});\n", product(self.integer));
        if packed {
            return format!("{indent}do {{\n{body}{indent}}} while (--head & 15);\n");
        }
        format!("{indent}for (; count != 0; --count) {{\n{body}{indent}}}\n")
    }

    /// The argument of a neuron's function.
    fn argument(&self) -> String {
        let shift = if self.encoding.packed { "(head >> 4)" } else { "shift" };
        format!("({})z >> {shift}", self.sum_type())
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
             @in@if ((@score@)score > best) {\n\
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
        let one = integer.outputs.len() == 1;
        let indent = if one { "    " } else { "        " };
        let inner = format!("{indent}    ");
        let weight = if self.encoding.weight == 1 { "int8_t" } else { "int16_t" };
        let mut text = self.array(&self.table()) + &self.begin();
        text += &if biased {
            self.read(indent, &format!("u{score}"), "score", score_bytes)
        } else {
            format!("{indent}u{score} score = 0;\n")
        };
        text += &self.read_count(indent, "n");
        text += &format!("{indent}for (; n != 0; --n) {{\n");
        text += &self.read_head(&inner);
        text += &self.read(&inner, weight, "out", self.encoding.weight);
        text += &self.read(&inner, &format!("u{sum}"), "z", bias_bytes);
        text += &self.add_links(&inner, &format!("u{sum}"), "x[i]", self.encoding.packed);
        text += &format!(
            "{inner}score += (u{score})(({})out * ({}));\n{indent}}}\n",
            product(integer),
            self.apply(&self.argument())
        );
        text + &self.end()
    }

    /// Lines up to the first output.
    fn begin_outputs(&self) -> String {
        if self.integer.outputs.len() == 1 {
            return String::new();
        }
        self.form.fill(
            "    @score@ best = @least@;\n    @class@ winner = 0;\n\
             \x20   for (@class@ output = 0; output < @outputs@; ++output) {\n",
            &[
                ("score", self.score_type().to_owned()),
                ("least", self.score_type().to_ascii_uppercase().replace("_T", "_MIN")),
            ],
        )
    }

    fn begin(&self) -> String {
        let start = "\n@class@ @name@_predict(const @value@ *x) {\n    \
                     const @NAME@_FLASH uint8_t *p = table;\n";
        self.form.fill(start, &[]) + &self.begin_outputs()
    }

    /// Lines from the sum of an output, `score`, to the end.
    fn end(&self) -> String {
        if self.integer.outputs.len() > 1 {
            return self.compare("        ") + "    }\n    return winner;\n}\n";
        }
        self.form.fill(
            "    @NAME@_ON_SCORE(0, (@score@)score);\n    return (@score@)score > 0;\n}\n",
            &[("score", self.score_type().to_owned())],
        )
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
        let start = "\n@class@ @name@_predict(const @value@ *x) {\n    \
                     const @NAME@_FLASH uint8_t *p = table;\n";
        text += &self.form.fill(start, &[]);
        if neurons > 0 {
            let (number, indent) = (unsigned_for(neurons), "        ");
            text += &format!(
                "    {value} h[{neurons}];\n    for ({number} n = 0; n < {neurons}; ++n) {{\n"
            );
            text += &self.read_head(indent);
            text += &self.read(indent, &format!("u{sum}"), "z", bias_bytes);
            text += &self.add_links(indent, &format!("u{sum}"), &read_value, self.encoding.packed);
            text += &format!("        h[n] = {};\n    }}\n", self.apply(&self.argument()));
        }
        text += &self.begin_outputs();
        let indent = if integer.outputs.len() == 1 { "    " } else { "        " };
        text += &self.read_count(indent, "count");
        text += &self.read(indent, &format!("u{score}"), "z", score_bytes);
        text += &self.add_links(indent, &format!("u{score}"), &read_value, false);
        text += &format!("{indent}u{score} score = z;\n");
        text + &self.end()
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
        let mut text = self.form.fill("\n@class@ @name@_predict(const @value@ *x) {\n", &[]);
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
            text += &self
                .form
                .fill("    @NAME@_ON_SCORE(@index@, score);\n", &[("index", index.to_string())]);
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
            ("line", if width.argument > 8 { format!("u{sum}") } else { "uint8_t".to_owned() }),
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
        // Eight bits throughout, and the next byte of flash for nothing, where a table rises.
        let small_line = "
/* Straight lines between points; at most @error@ off where the function is 0 to 1. */
static const @NAME@_FLASH uint8_t @op@_points[] = {
@points@
};

static uint8_t @op@_line(uint8_t m) {
    const @NAME@_FLASH uint8_t *p = @op@_points + (m >> @bits@);
    uint8_t a = @NAME@_NEXT(p);
    return (uint8_t)(a + (((uint8_t)(@NAME@_NEXT(p) - a) * (uint8_t)(m & @mask@)) >> @bits@));
}
";
        let rises = op == Op::Sigmoid && width.argument == 8;
        let line = if rises { small_line } else { line };
        let magnitude = "
    u@sum@ m = (u@sum@)u;
    if (u < 0) m = (u@sum@)(0 - m);
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
                "{line}\nstatic @value@ sigmoid(@sum@ u) {{{magnitude}    @value@ y = sigmoid_line((@line@)m);\n    \
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
    names::comment(&format!("; pass {whole}, 0 to {}; if missing {fill}", input.top))
        .replace("<U+002F>", "/")
}
