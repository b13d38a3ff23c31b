//! Why an export or a measurement on a device fails.

use std::io;
use std::path::PathBuf;

use mge_net::Activation;
use thiserror::Error;

use crate::export::QuantizationReport;
use crate::exporter::Capabilities;
use crate::options::{Device, Layout, Number};

/// Why something could not be exported or measured.
#[derive(Debug, Error)]
pub enum ExportError {
    /// The preprocessing and the network disagree on the features.
    #[error("the preprocessing makes {found} features, but the network expects {expected}")]
    FeatureCount {
        /// Features that preprocessing makes.
        found: usize,
        /// Inputs of the network.
        expected: usize,
    },
    /// The names and the network disagree on the classes.
    #[error("there are {found} class names, but the network expects {expected}")]
    ClassCount {
        /// Names that were given.
        found: usize,
        /// Classes of the network.
        expected: usize,
    },
    /// A network that predicts numbers.
    #[error("the network predicts numbers, and exports are of classes; expected a classifier")]
    Numbers,
    /// A target that has no such form.
    #[error(
        "{target} has no {number} form with the layout {layout}; expected {} and {}",
        listed(capabilities.numbers, Number::name),
        listed(capabilities.layouts, Layout::name)
    )]
    Unsupported {
        /// The target.
        target: &'static str,
        /// The numbers that were asked for.
        number: Number,
        /// The layout that was asked for.
        layout: Layout,
        /// What the target can do.
        capabilities: Capabilities,
    },
    /// A target without headers.
    #[error("{target} has no form in a single header; expected the target c")]
    NoSingleHeader {
        /// The target.
        target: &'static str,
    },
    /// Integers need rows to choose their scales by.
    #[error("{number} needs calibration rows to choose its scales; expected training rows")]
    NoCalibration {
        /// The numbers that were asked for.
        number: Number,
    },
    /// An activation that integer code cannot compute.
    #[error("the activation {activation} has no integer form; expected `--number f32`")]
    NoIntegerForm {
        /// The activation.
        activation: Activation,
    },
    /// Rounding costs more accuracy than the user allows.
    #[error(
        "{number} lowers the accuracy by {:.4} (from {:.4} to {:.4} on {} rows); \
         at most {allowed} is allowed",
        report.accuracy_drop(), report.float_accuracy, report.integer_accuracy, report.rows
    )]
    AccuracyDrop {
        /// The numbers that were asked for.
        number: Number,
        /// What was measured.
        report: QuantizationReport,
        /// The largest drop that is allowed.
        allowed: f64,
    },
    /// Files of the same names with another content.
    #[error("{} holds other files of these names: {files}; expected another folder", folder.display())]
    WouldReplace {
        /// Their names, with commas.
        files: String,
        /// Where they are.
        folder: PathBuf,
    },
    /// A file where a folder is needed.
    #[error("{} is a file; expected a folder, which may be new", path.display())]
    NotAFolder {
        /// The file.
        path: PathBuf,
    },
    /// A file could not be written or read.
    #[error("cannot write {}: {source}", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// The reason.
        source: io::Error,
    },
    /// A program that is too large for a device.
    #[error("the program does not fit into the flash or the RAM of the {device}")]
    TooLarge {
        /// The device.
        device: Device,
    },
    /// A compiler or an emulator failed.
    #[error("{tool} failed: {output}")]
    ToolFailed {
        /// The compiler or emulator.
        tool: String,
        /// What it printed.
        output: String,
    },
    /// A compiler or an emulator is not installed.
    #[error("{tool} is not installed (Debian: {package})")]
    ToolMissing {
        /// The compiler or emulator.
        tool: String,
        /// The package that has it.
        package: &'static str,
    },
}

/// `a, b or c`.
fn listed<T: Copy>(items: &[T], name: fn(T) -> &'static str) -> String {
    let names: Vec<&str> = items.iter().map(|&item| name(item)).collect();
    match names.as_slice() {
        [first @ .., last] if !first.is_empty() => format!("{} or {last}", first.join(", ")),
        names => names.concat(),
    }
}
