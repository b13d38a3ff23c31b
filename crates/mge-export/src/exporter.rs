//! The export targets. A target is one file or folder that implements [`Exporter`], and one line
//! in [`EXPORTERS`]. The command line, the docs and the tests read that table.

use crate::files::OutFile;
use crate::integer::IntegerProgram;
use crate::options::{Layout, Number};
use crate::program::Program;
use crate::{Arduino, C, JavaScript, MicroPython, Onnx, Python, Rust};
use mge_names::UnknownName;

/// A language or format that a program can be written in.
pub trait Exporter: Send + Sync {
    /// The name on the command line.
    fn name(&self) -> &'static str;

    /// What is written, in one line.
    fn summary(&self) -> &'static str;

    /// What the target can do.
    fn capabilities(&self) -> Capabilities;

    /// The paths of the files for a program called `name`, in the order of [`Exporter::files`].
    fn paths(&self, name: &str) -> Vec<String>;

    /// Writes a form that [`Exporter::capabilities`] allows.
    fn files(&self, form: &Form<'_>) -> Vec<OutFile>;

    /// The same in one header, where the language has headers.
    fn single_header(&self, _form: &Form<'_>) -> Option<Vec<OutFile>> {
        None
    }
}

/// What a target can do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Capabilities {
    /// The numbers that its code can compute with.
    pub numbers: &'static [Number],
    /// The layouts that it can write.
    pub layouts: &'static [Layout],
    /// Bits of its floats: 32, or 64 where the language has no smaller ones.
    pub float_bits: u32,
}

impl Capabilities {
    /// All numbers and layouts, with floats of 32 bits.
    pub const ALL: Self = Self { numbers: &Number::ALL, layouts: &Layout::ALL, float_bits: 32 };

    /// Tables of floats only.
    pub const fn floats(float_bits: u32) -> Self {
        Self { numbers: &[Number::F32], layouts: &[Layout::Table], float_bits }
    }

    /// Whether the target can write this form.
    pub fn allow(&self, number: Number, layout: Layout) -> bool {
        self.numbers.contains(&number) && self.layouts.contains(&layout)
    }
}

/// A program in the form that is written.
#[derive(Debug, Clone, Copy)]
pub struct Form<'a> {
    /// The network.
    pub program: &'a Program,
    /// Its integers; `None` for floats.
    pub integer: Option<&'a IntegerProgram>,
    /// Tables or code.
    pub layout: Layout,
}

/// All targets, in the order in which they are listed.
pub static EXPORTERS: &[&dyn Exporter] =
    &[&C, &Rust, &Onnx, &Python, &JavaScript, &Arduino, &MicroPython];

/// The target of a name.
///
/// # Errors
/// When no target has this name.
pub fn find_exporter(name: &str) -> Result<&'static dyn Exporter, UnknownName> {
    let unknown =
        || UnknownName::new("target", name, EXPORTERS.iter().map(|exporter| exporter.name()));
    EXPORTERS.iter().copied().find(|exporter| exporter.name() == name).ok_or_else(unknown)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_unique_and_found() {
        for exporter in EXPORTERS {
            assert_eq!(find_exporter(exporter.name()).unwrap().summary(), exporter.summary());
            let same = EXPORTERS.iter().filter(|other| other.name() == exporter.name());
            assert_eq!(same.count(), 1, "{}", exporter.name());
        }
        let Err(error) = find_exporter("cobol") else { panic!("there is no such target") };
        assert_eq!(
            error.to_string(),
            "unknown target `cobol`; expected c, rust, onnx, python, js, arduino or micropython"
        );
    }
}
