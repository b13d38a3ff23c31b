//! What `mge export --json` prints.

use crate::calibration::validation_rows;
use mge::Calibration;
use mge_export::{ExportOptions, Exported, Exporter};
use serde::Serialize;
use std::path::Path;

/// An export.
#[derive(Serialize)]
pub struct ExportReport<'a> {
    target: &'static str,
    number: &'static str,
    layout: &'static str,
    folder: &'a Path,
    files: Vec<&'a str>,
    /// What the code takes, in this order.
    inputs: Vec<InputReport<'a>>,
    classes: &'a [String],
    /// Of integer forms only.
    #[serde(skip_serializing_if = "Option::is_none")]
    quantization: Option<IntegerAccuracy>,
}

#[derive(Serialize)]
struct InputReport<'a> {
    name: &'a str,
    /// Whether the network reads it.
    used: bool,
}

/// The integer form beside the float network.
#[derive(Serialize)]
struct IntegerAccuracy {
    rows: String,
    float_accuracy: f64,
    integer_accuracy: f64,
    /// The fraction of the rows that get the same class.
    agreement: f64,
}

impl<'a> ExportReport<'a> {
    /// The report of what was written into a folder.
    pub fn of(
        exported: &'a Exported,
        exporter: &dyn Exporter,
        options: &ExportOptions,
        rows: Option<&Calibration>,
        folder: &'a Path,
    ) -> Self {
        let inputs = exported.program.inputs.iter();
        let inputs = inputs.map(|input| InputReport { name: &input.name, used: input.used });
        let accuracy = exported.quantization.as_ref().zip(rows).map(|(report, rows)| {
            let (float_accuracy, integer_accuracy) =
                (report.float_accuracy, report.integer_accuracy);
            let (rows, agreement) = (validation_rows(rows), report.agreement);
            IntegerAccuracy { rows, float_accuracy, integer_accuracy, agreement }
        });
        Self {
            target: exporter.name(),
            number: options.number.name(),
            layout: options.layout.name(),
            folder,
            files: exported.files.iter().map(|file| file.path.as_str()).collect(),
            inputs: inputs.collect(),
            classes: &exported.program.classes,
            quantization: accuracy,
        }
    }
}
