//! Classifiers as code: C, Rust, ONNX, Python, JavaScript and Arduino, in floats or small integers.
//!
//! A [`Classifier`] (network, preprocessing, class names) becomes a [`Program`]: the network with
//! its scaling folded into the weights. [`export`] writes it in the language of a [`Target`]. The
//! integer forms ([`Number::Int8`], [`Number::Int16`]) are an [`IntegerProgram`], whose scales are
//! chosen from training rows; what that costs is measured on validation rows and never more than
//! allowed.
//!
//! The exported function takes the numbers that the network wants, in the order of its features:
//! columns of numbers as they are, categories as 0 and 1. The text of each export says which is
//! which. NaN is a missing value in the float forms.
//!
//! ```
//! use mge_data::{LoadOptions, Preprocess, PreprocessOptions, load};
//! use mge_export::{Classifier, ExportOptions, Target, export};
//! use mge_net::{Activation, Link, Network, Neuron, Output, Source};
//!
//! let wine = load("wine", &LoadOptions::default())?;
//! let rows: Vec<u32> = (0..178).collect();
//! let preprocess = Preprocess::fit(&wine.table, "class", &rows, &PreprocessOptions::default())?;
//! let links = vec![Link { source: Source::Input(0), weight: 0.5 }];
//! let neuron = Neuron { activation: Activation::Sigmoid, bias: None, links };
//! let output = Output { bias: None, links: vec![Link { source: Source::Neuron(0), weight: 1.0 }] };
//! let outputs = vec![output, Output::default(), Output::default()];
//! let network = Network::new(13, vec![neuron], outputs)?;
//!
//! let classes = ["1", "2", "3"].map(str::to_owned);
//! let classifier =
//!     Classifier { name: "wine", network: &network, preprocess: &preprocess, classes: &classes };
//! let exported = export(&classifier, &ExportOptions::new(Target::Python), None)?;
//! assert_eq!(exported.files[0].path, "wine.py");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod c;
pub mod device;
pub mod names;

mod arduino;
mod error;
mod integer;
mod js;
mod onnx;
mod options;
mod program;
mod python;
mod rust;
mod text;

use std::path::Path;

use mge_net::Columns;

pub use error::ExportError;
pub use integer::{
    Calibration, IntegerInput, IntegerNeuron, IntegerProgram, IntegerSum, Op, Width,
};
pub use onnx::OPSET;
pub use options::{Device, Layout, Number, Target, UnknownWord};
pub use program::{Classifier, Input, LARGEST_FOLDED, Program, Sum, Term};
pub use text::OutFile;

/// What to export.
#[derive(Debug, Clone, PartialEq)]
pub struct ExportOptions {
    /// The language or format.
    pub target: Target,
    /// What the code computes with. Default: f32.
    pub number: Number,
    /// How the network is written down. Default: tables.
    pub layout: Layout,
    /// The most accuracy that integers may lose. Default: 0.01.
    pub max_accuracy_drop: f64,
}

impl ExportOptions {
    /// The defaults for a target.
    pub fn new(target: Target) -> Self {
        Self { target, number: Number::F32, layout: Layout::Table, max_accuracy_drop: 0.01 }
    }
}

/// Rows to choose integers from and to measure them on. The numbers are those of
/// [`Preprocess::unscaled`](mge_data::Preprocess::unscaled).
#[derive(Debug, Clone, Copy)]
pub struct Rows<'a> {
    /// Training rows: scales come from these alone.
    pub train: &'a Columns,
    /// Rows that tell what the integers cost.
    pub validation: &'a Columns,
    /// The class of each validation row.
    pub labels: &'a [u32],
}

/// What integers cost.
#[derive(Debug, Clone, PartialEq)]
pub struct Cost {
    /// Validation rows.
    pub rows: usize,
    /// Accuracy of the floats.
    pub before: f64,
    /// Accuracy of the integers.
    pub after: f64,
    /// Share of rows on which both give the same class.
    pub agreement: f64,
}

/// An export.
#[derive(Debug, Clone, PartialEq)]
pub struct Exported {
    /// The files.
    pub files: Vec<OutFile>,
    /// The network as it was exported.
    pub program: Program,
    /// Its integers, if it has any.
    pub integer: Option<IntegerProgram>,
    /// What they cost.
    pub cost: Option<Cost>,
}

impl Exported {
    /// Writes all files into a folder, which is made if need be. Files that are there with other
    /// content are somebody's work: then nothing is written.
    ///
    /// # Errors
    /// When files would be replaced, and when one cannot be written.
    pub fn write(&self, folder: &Path) -> Result<(), ExportError> {
        let taken = |file: &&OutFile| {
            let path = folder.join(&file.path);
            // What cannot be read, a folder for instance, is not the same content either.
            path.exists() && std::fs::read(path).ok().as_deref() != Some(&file.bytes[..])
        };
        let taken: Vec<String> =
            self.files.iter().filter(taken).map(|file| file.path.clone()).collect();
        if taken.is_empty() {
            return self.overwrite(folder);
        }
        Err(ExportError::Taken { files: taken.join(", "), folder: folder.to_owned() })
    }

    /// Writes all files into a folder, whatever is there.
    ///
    /// # Errors
    /// When a file cannot be written.
    pub fn overwrite(&self, folder: &Path) -> Result<(), ExportError> {
        if folder.is_file() {
            return Err(ExportError::NoFolder { path: folder.to_owned() });
        }
        write_files(&self.files, folder)
    }
}

/// Writes files into a folder.
pub(crate) fn write_files(files: &[OutFile], folder: &Path) -> Result<(), ExportError> {
    for file in files {
        let path = folder.join(&file.path);
        let made = path.parent().map_or(Ok(()), std::fs::create_dir_all);
        made.and_then(|()| mge_io::write_atomically(&path, &file.bytes))
            .map_err(|source| ExportError::Write { path, source })?;
    }
    Ok(())
}

/// Exports a classifier.
///
/// # Errors
/// When the target has no such form, when integers are asked for without rows, and when they cost
/// more accuracy than allowed.
pub fn export(
    classifier: &Classifier<'_>,
    options: &ExportOptions,
    rows: Option<&Rows<'_>>,
) -> Result<Exported, ExportError> {
    let &ExportOptions { target, number, layout, max_accuracy_drop } = options;
    let program = Program::new(classifier)?;
    let takes_all = matches!(target, Target::C | Target::Rust | Target::Arduino);
    if !takes_all && (number, layout) != (Number::F32, Layout::Table) {
        let expected = "f32 and table";
        return Err(ExportError::Form { target, number, layout, expected });
    }
    let (integer, cost) = match Width::of(number) {
        None => (None, None),
        Some(width) => {
            let rows = rows.ok_or(ExportError::NoTrainingRows { number })?;
            let integer = IntegerProgram::fit(&program, width, Calibration { rows: rows.train })?;
            let cost = cost(&program, &integer, rows);
            let loss = cost.before - cost.after;
            if loss > max_accuracy_drop {
                let Cost { before, after, rows, .. } = cost;
                let allowed = max_accuracy_drop;
                return Err(ExportError::Loss { number, loss, before, after, rows, allowed });
            }
            (Some(integer), Some(cost))
        }
    };
    let c_form = c::CForm { program: &program, integer: integer.as_ref(), layout };
    let files = match target {
        Target::C => c::files(&c_form),
        Target::Arduino => arduino::files(&c_form),
        Target::Rust => {
            rust::files(&rust::RustForm { program: &program, integer: integer.as_ref(), layout })
        }
        Target::Onnx => onnx::files(&program),
        Target::Python => python::files(&program),
        Target::Js => js::files(&program),
    };
    Ok(Exported { files, program, integer, cost })
}

/// What integers cost on validation rows.
fn cost(program: &Program, integer: &IntegerProgram, rows: &Rows<'_>) -> Cost {
    let columns = rows.validation;
    let (mut before, mut after, mut agreed) = (0u32, 0u32, 0u32);
    let mut row = vec![0.0; columns.count()];
    for (index, &label) in rows.labels.iter().enumerate() {
        columns.copy_row(index, &mut row);
        let float = Program::class(&program.walk(&row).1);
        let small = IntegerProgram::class(&integer.scores(&integer.quantize(&row)));
        before += u32::from(float == label as usize);
        after += u32::from(small == label as usize);
        agreed += u32::from(float == small);
    }
    let share = |count: u32| f64::from(count) / rows.labels.len().max(1) as f64;
    Cost {
        rows: rows.labels.len(),
        before: share(before),
        after: share(after),
        agreement: share(agreed),
    }
}
