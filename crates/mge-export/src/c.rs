//! C99: one header, one source file, an example, a Makefile and a test with golden vectors.
//!
//! The source needs nothing but `stdint.h`, and `math.h` in its float form. On AVR, tables stay in
//! flash (`__flash`, so compile as gnu99 there).

mod device;
mod float;
mod integer;
mod project;

pub use device::{ARM_LINKER_SCRIPT, arm_program, avr_program};
pub use integer::explain;
pub use project::{ARM_FLAGS, AVR_FLAGS, files, header_and_source};

use crate::integer::IntegerProgram;
use crate::names;
use crate::options::Layout;
use crate::program::Program;
use crate::text::filled;

/// A program as one of the targets of C writes it.
pub struct CForm<'a> {
    /// The network.
    pub program: &'a Program,
    /// Its integers; floats without.
    pub integer: Option<&'a IntegerProgram>,
    /// Tables or code.
    pub layout: Layout,
}

impl CForm<'_> {
    /// The type of an input.
    pub fn value_type(&self) -> &'static str {
        match self.integer {
            None => "float",
            Some(integer) => value_type(integer),
        }
    }

    /// The type of a class. It holds their number too, where loops over classes end.
    pub fn class_type(&self) -> &'static str {
        unsigned_for(self.program.classes.len())
    }

    /// Bytes of the tables, for those who have no compiler at hand: code comes on top. Without
    /// labels.
    pub fn table_bytes(&self) -> usize {
        let program = self.program;
        match self.integer {
            Some(integer) => integer::table_bytes(self, integer),
            None => {
                let sums = program.neurons.len() + program.outputs.len();
                4 * (program.links() + sums + program.inputs.len()) + program.links() + sums
            }
        }
    }

    fn name(&self) -> &str {
        &self.program.name
    }

    fn fill(&self, template: &str, more: &[(&str, String)]) -> String {
        let mut values = vec![
            ("name", self.name().to_owned()),
            ("NAME", self.name().to_ascii_uppercase()),
            ("value", self.value_type().to_owned()),
            ("class", self.class_type().to_owned()),
            ("inputs", self.program.inputs.len().to_string()),
            ("classes", self.program.classes.len().to_string()),
            ("outputs", self.program.outputs.len().to_string()),
        ];
        values.extend(more.iter().cloned());
        filled(template, &values)
    }

    /// The function that gives a class its name: all names in one array, which stays in flash.
    fn labels(&self) -> String {
        let names: Vec<String> = self
            .program
            .classes
            .iter()
            .map(|class| {
                let literal = names::c_string(class);
                format!("    {}\\0\"", &literal[..literal.len() - 1])
            })
            .collect();
        self.fill(
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
}

fn value_type(integer: &IntegerProgram) -> &'static str {
    if integer.width.is_wide() { "uint16_t" } else { "uint8_t" }
}

/// The smallest unsigned type that holds a number.
fn unsigned_for(largest: usize) -> &'static str {
    match largest {
        0..=255 => "uint8_t",
        256..=65_535 => "uint16_t",
        _ => "uint32_t",
    }
}
