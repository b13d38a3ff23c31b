//! From a classifier to the files of a target.

use std::path::Path;

use mge_data::{Columns, FeatureRange, FileLayout};

use crate::error::ExportError;
use crate::exporter::{Exporter, Form};
use crate::files::{OutFile, other_content, write_files};
use crate::integer::{IntegerFormat, IntegerProgram};
use crate::options::{Inputs, Layout, Number};
use crate::program::{Program, TrainedClassifier};
use crate::provenance::Provenance;

/// How to export.
#[derive(Debug, Clone, PartialEq)]
pub struct ExportOptions {
    /// What the code computes with. Default: f32.
    pub number: Number,
    /// How the network is written down. Default: tables.
    pub layout: Layout,
    /// The largest drop of accuracy that integers may cause. Default: 0.01.
    pub max_accuracy_drop: f64,
    /// Which numbers the exported function takes. Default: those that the network reads.
    pub inputs: Inputs,
    /// What the files say about where they come from. Default: nothing but the licence.
    pub provenance: Provenance,
    /// The layout of the table that the model was made from: generated programs read it.
    pub table: FileLayout,
    /// C in one header, to be pasted, in place of a folder of files. Default: no.
    pub single_header: bool,
}

impl Default for ExportOptions {
    fn default() -> Self {
        Self {
            number: Number::F32,
            layout: Layout::Table,
            max_accuracy_drop: 0.01,
            inputs: Inputs::Used,
            provenance: Provenance::default(),
            table: FileLayout::default(),
            single_header: false,
        }
    }
}

/// Rows to choose integers by and to measure them on. The numbers are those of
/// [`Preprocess::unscaled`](mge_data::Preprocess::unscaled).
#[derive(Debug, Clone, Copy)]
pub struct QuantizationRows<'a> {
    /// The range of each feature over all training rows.
    pub ranges: &'a [FeatureRange],
    /// A sample of the training rows. Scales come from it and from the ranges alone.
    pub sample: &'a Columns,
    /// Rows that measure the accuracy of the integers: kept apart where there are any.
    pub validation: &'a Columns,
    /// The class of each validation row.
    pub labels: &'a [u32],
}

/// The same for the inputs of a program, in their order.
struct ProgramRows<'a> {
    ranges: Vec<FeatureRange>,
    sample: Columns,
    validation: Columns,
    labels: &'a [u32],
}

impl<'a> ProgramRows<'a> {
    fn new(program: &Program, rows: &QuantizationRows<'a>) -> Self {
        let features: Vec<usize> = program.inputs.iter().map(|input| input.feature).collect();
        let select = |all: &Columns| {
            Columns::from_fn(all.rows(), features.len(), |index, cells| {
                cells.copy_from_slice(all.column(features[index]));
            })
        };
        Self {
            ranges: features.iter().map(|&feature| rows.ranges[feature]).collect(),
            sample: select(rows.sample),
            validation: select(rows.validation),
            labels: rows.labels,
        }
    }
}

/// How well integers do in place of floats.
#[derive(Debug, Clone, PartialEq)]
pub struct QuantizationReport {
    /// Validation rows.
    pub rows: usize,
    /// Accuracy of the floats.
    pub float_accuracy: f64,
    /// Accuracy of the integers.
    pub integer_accuracy: f64,
    /// Fraction of rows on which both give the same class.
    pub agreement: f64,
}

impl QuantizationReport {
    /// The accuracy that integers lose; negative where they gain.
    pub fn accuracy_drop(&self) -> f64 {
        self.float_accuracy - self.integer_accuracy
    }

    fn measure(program: &Program, integer: &IntegerProgram, rows: &ProgramRows<'_>) -> Self {
        let (mut float_right, mut integer_right, mut agreed) = (0u32, 0u32, 0u32);
        let mut row = vec![0.0; rows.validation.count()];
        for (index, &label) in rows.labels.iter().enumerate() {
            rows.validation.copy_row(index, &mut row);
            let float = Program::class(&program.evaluate(&row).1);
            let quantized = IntegerProgram::class(&integer.scores(&integer.quantize(&row)));
            float_right += u32::from(float == label as usize);
            integer_right += u32::from(quantized == label as usize);
            agreed += u32::from(float == quantized);
        }
        let fraction = |count: u32| f64::from(count) / rows.labels.len().max(1) as f64;
        Self {
            rows: rows.labels.len(),
            float_accuracy: fraction(float_right),
            integer_accuracy: fraction(integer_right),
            agreement: fraction(agreed),
        }
    }
}

/// An export.
#[derive(Debug, Clone, PartialEq)]
pub struct Exported {
    /// The files.
    pub files: Vec<OutFile>,
    /// The network as it was exported.
    pub program: Program,
    /// Its integers; `None` for floats.
    pub integer: Option<IntegerProgram>,
    /// Tables or code.
    pub layout: Layout,
    /// How well the integers do; `None` for floats.
    pub quantization: Option<QuantizationReport>,
}

impl Exported {
    /// The form that was written, for [`crate::device`].
    pub fn form(&self) -> Form<'_> {
        Form { program: &self.program, integer: self.integer.as_ref(), layout: self.layout }
    }

    /// Writes all files into a folder, which is made if need be. If a file of the same name has
    /// another content, nothing is written.
    ///
    /// # Errors
    /// When files would be replaced, and when one cannot be written.
    pub fn write(&self, folder: &Path) -> Result<(), ExportError> {
        let differing = other_content(&self.files, folder);
        if differing.is_empty() {
            return self.overwrite(folder);
        }
        let folder = folder.to_owned();
        Err(ExportError::WouldReplace { files: differing.join(", "), folder })
    }

    /// Writes all files into a folder, and replaces what is there.
    ///
    /// # Errors
    /// When a file cannot be written.
    pub fn overwrite(&self, folder: &Path) -> Result<(), ExportError> {
        if folder.is_file() {
            return Err(ExportError::NotAFolder { path: folder.to_owned() });
        }
        write_files(&self.files, folder)
    }
}

/// Exports a classifier.
///
/// # Errors
/// When the target has no such form, when integers are asked for without rows or for an activation
/// that has none, and when they cost more accuracy than allowed.
pub fn export(
    classifier: &TrainedClassifier<'_>,
    exporter: &dyn Exporter,
    options: &ExportOptions,
    rows: Option<&QuantizationRows<'_>>,
) -> Result<Exported, ExportError> {
    let &ExportOptions { number, layout, max_accuracy_drop, inputs, single_header, .. } = options;
    let mut program = Program::new(classifier, inputs)?;
    if let Some(rows) = rows {
        for input in &mut program.inputs {
            input.range = rows.ranges.get(input.feature).copied();
        }
    }
    program.table = options.table.clone();
    program.provenance = options.provenance.lines();
    let capabilities = exporter.capabilities();
    if !capabilities.allow(number, layout) {
        let target = exporter.name();
        return Err(ExportError::Unsupported { target, number, layout, capabilities });
    }
    let (integer, quantization) = match IntegerFormat::of(number) {
        None => (None, None),
        Some(format) => {
            let rows = rows.ok_or(ExportError::NoCalibration { number })?;
            let rows = ProgramRows::new(&program, rows);
            let integer = IntegerProgram::fit(&program, format, &rows.ranges, &rows.sample)?;
            let report = QuantizationReport::measure(&program, &integer, &rows);
            if report.accuracy_drop() > max_accuracy_drop {
                let allowed = max_accuracy_drop;
                return Err(ExportError::AccuracyDrop { number, report, allowed });
            }
            (Some(integer), Some(report))
        }
    };
    let form = Form { program: &program, integer: integer.as_ref(), layout };
    let files = if single_header {
        let target = exporter.name();
        exporter.single_header(&form).ok_or(ExportError::NoSingleHeader { target })?
    } else {
        exporter.files(&form)
    };
    let provenance = &options.provenance;
    let files = files.into_iter().map(|file| provenance.annotate(file)).collect();
    Ok(Exported { files, program, integer, layout, quantization })
}
