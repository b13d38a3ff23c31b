//! The integer forms of the C source: a byte table and a loop, or one statement for each neuron.
//!
//! The table is read once, forwards. A neuron is its number of links, its shift, its bias and then
//! source and weight of each link; numbers of more than a byte have their low byte first. Where each
//! neuron feeds exactly one output (modular networks of one layer), neurons stand under their
//! output with their output weight, and no value is ever stored ("fused").

mod functions;
mod loops;
mod statements;
mod table;

use super::CForm;
use crate::integer::IntegerProgram;
use crate::options::Layout;
use crate::program::Program;
use crate::text::f64_text;
use table::Encoding;

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
    let value = if integer.width.is_wide() { 2 } else { 1 };
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

struct Writer<'a> {
    form: &'a CForm<'a>,
    integer: &'a IntegerProgram,
    encoding: Encoding,
}

/// The type in which a weight times a value is computed.
fn product(integer: &IntegerProgram) -> &'static str {
    if integer.width.is_wide() || integer.sum_bits == 32 && integer.score_bits == 32 {
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
    let shifted = |low: f64| {
        let sign = if low < 0.0 { '+' } else { '-' };
        format!("number {sign} {}", f64_text(low.abs()))
    };
    let top = input.top;
    if program.inputs[index].flag && top > 1 {
        return format!("; pass {top} for 1, 0 for 0; if missing {fill}");
    }
    let whole = match (input.low, input.step) {
        (0.0, 1.0) => "the number itself".to_owned(),
        (0.0, step) => format!("round(number * {})", f64_text(1.0 / step)),
        (low, 1.0) => shifted(low),
        (low, step) => format!("round(({}) / {})", shifted(low), f64_text(step)),
    };
    format!("; pass {whole}, 0 to {top}; if missing {fill}")
}
