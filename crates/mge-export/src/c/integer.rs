//! The integer forms of the C source: a byte table and a loop, or one statement for each neuron.
//!
//! A prediction reads the table once, from start to end. A neuron is its number of links, its shift,
//! its bias, and the source and weight of each link. Numbers of several bytes have the low byte
//! first. In the fused form each neuron feeds exactly one output, as in modular networks of one
//! layer. The table then lists neurons under their output, with their output weight, and the code
//! stores no value.

mod answers;
mod clamp;
mod functions;
mod loops;
mod statements;
mod table;

use super::fill;
use crate::exporter::Form;
use crate::integer::IntegerProgram;
use crate::options::Layout;
use crate::program::Program;
use crate::text::f32_text;
pub(super) use answers::DECLARATIONS;
use table::TableEncoding;

/// The source between the include of the header and the labels.
pub fn body(form: &Form<'_>, integer: &IntegerProgram) -> String {
    let writer = Writer { form, integer, encoding: TableEncoding::of(integer) };
    let mut text = fill(form, HOOK, &[]);
    for activation in integer.activations() {
        text += &writer.function(activation);
    }
    text += &match form.layout {
        Layout::Code => writer.statements(),
        Layout::Table if integer.is_fused() => writer.fused(),
        Layout::Table => writer.general(),
    };
    text + &writer.answers() + &writer.quantize()
}

/// Bytes of all tables, without the labels.
pub(crate) fn table_bytes(form: &Form<'_>, integer: &IntegerProgram) -> usize {
    let writer = Writer { form, integer, encoding: TableEncoding::of(integer) };
    let value = if integer.format.is_16_bit() { 2 } else { 1 };
    let activations = integer.activations().into_iter();
    let points: usize = activations.map(|one| one.table(integer.format).len()).sum();
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

/* Called with the sum of each output; define it to get more than the class. */
#ifndef @NAME@_ON_SCORE
#define @NAME@_ON_SCORE(output, score) ((void)0)
#endif
";

struct Writer<'a> {
    form: &'a Form<'a>,
    integer: &'a IntegerProgram,
    encoding: TableEncoding,
}

/// The type in which a weight times a value is computed.
fn product(integer: &IntegerProgram) -> &'static str {
    if integer.format.is_16_bit() || integer.sum_bits == 32 && integer.score_bits == 32 {
        "int32_t"
    } else {
        // 127 * 255 fits, and AVR has an instruction for it.
        "int16_t"
    }
}

/// A constant that has the same value with 16-bit and 32-bit int.
fn literal(number: i64) -> String {
    if i16::try_from(number).is_ok() { format!("({number})") } else { format!("({number}L)") }
}

/// The comment that tells how a number becomes an input's integer.
pub(crate) fn explain(program: &Program, integer: &IntegerProgram, index: usize) -> String {
    let input = &integer.inputs[index];
    let fill = input.quantize(program.inputs[index].fill);
    let shifted = |low: f32| {
        let sign = if low < 0.0 { '+' } else { '-' };
        format!("number {sign} {}", f32_text(f64::from(low.abs())))
    };
    let top = input.top;
    if program.inputs[index].flag && top > 1 {
        return format!("; pass {top} for 1, 0 for 0; if missing {fill}");
    }
    let reading = match input.raw.decimals {
        0 => String::new(),
        decimals => format!("; reading: number * 1e{decimals}"),
    };
    let whole = match (input.low, input.step) {
        (0.0, 1.0) => "the number itself".to_owned(),
        (0.0, step) => format!("round(number * {})", f32_text(1.0 / f64::from(step))),
        (low, 1.0) => shifted(low),
        (low, step) => format!("round(({}) / {})", shifted(low), f32_text(f64::from(step))),
    };
    format!("; pass {whole}, 0 to {top}; if missing {fill}{reading}")
}
