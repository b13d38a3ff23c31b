//! C99: one header, one source file, an example, a Makefile and a test with golden vectors.
//!
//! The source needs only `stdint.h`, and `math.h` in its float form. On AVR, tables stay in flash
//! (`__flash`, so AVR code is compiled as gnu99).

mod device;
mod float;
mod host_program;
mod integer;
mod project;
mod single_header;

pub(crate) use integer::{explain, table_bytes as integer_table_bytes};
pub(crate) use project::{ARM_FLAGS, AVR_FLAGS, header_and_source};

use crate::exporter::{Capabilities, Exporter, Form};
use crate::files::OutFile;
use crate::integer::IntegerProgram;
use crate::names;
use crate::text::filled;

/// The target `c`.
#[derive(Debug, Clone, Copy)]
pub struct C;

impl Exporter for C {
    fn name(&self) -> &'static str {
        "c"
    }

    fn summary(&self) -> &'static str {
        "C99: a header and a source file, an example, a test and programs for small devices"
    }

    fn capabilities(&self) -> Capabilities {
        Capabilities::ALL
    }

    fn paths(&self, name: &str) -> Vec<String> {
        let source = [format!("{name}.h"), format!("{name}.c")];
        source.into_iter().chain(project::PATHS.map(str::to_owned)).collect()
    }

    fn files(&self, form: &Form<'_>) -> Vec<OutFile> {
        project::files(form)
    }

    fn single_header(&self, form: &Form<'_>) -> Option<Vec<OutFile>> {
        Some(single_header::files(form))
    }
}

/// The type of an input.
pub(crate) fn value_type(form: &Form<'_>) -> &'static str {
    form.integer.map_or("float", integer_type)
}

fn integer_type(integer: &IntegerProgram) -> &'static str {
    if integer.format.is_16_bit() { "uint16_t" } else { "uint8_t" }
}

/// The type of a class. It also holds the number of classes, at which loops over them end.
pub(crate) fn class_type(form: &Form<'_>) -> &'static str {
    unsigned_for(form.program.classes.len())
}

/// A template with the names, types and sizes of a form, and with `more` values.
fn fill(form: &Form<'_>, template: &str, more: &[(&str, String)]) -> String {
    let program = form.program;
    let mut values = vec![
        ("name", program.name.clone()),
        ("NAME", program.name.to_ascii_uppercase()),
        ("value", value_type(form).to_owned()),
        ("class", class_type(form).to_owned()),
        ("inputs", program.inputs.len().to_string()),
        ("classes", program.classes.len().to_string()),
        ("outputs", program.outputs.len().to_string()),
    ];
    values.extend(more.iter().cloned());
    filled(template, &values)
}

/// The function that gives a class its name. All names are in one array, which stays in flash.
fn labels(form: &Form<'_>) -> String {
    let names: Vec<String> = form
        .program
        .classes
        .iter()
        .map(|class| {
            let literal = names::c_string(class);
            format!("    {}\\0\"", &literal[..literal.len() - 1])
        })
        .collect();
    fill(
        form,
        "static const @NAME@_FLASH char labels[] =\n@names@;\n
const @NAME@_FLASH char *@name@_label(@class@ index) {
    const @NAME@_FLASH char *label = labels;
    for (; index != 0; --index)
        while (*label++ != 0) {
        }
    return label;
}\n",
        &[("names", names.join("\n"))],
    )
}

/// The smallest unsigned type that holds a number.
fn unsigned_for(largest: usize) -> &'static str {
    match largest {
        0..=255 => "uint8_t",
        256..=65_535 => "uint16_t",
        _ => "uint32_t",
    }
}
