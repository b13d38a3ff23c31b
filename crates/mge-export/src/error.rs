//! What can go wrong on the way out.

use std::io;
use std::path::PathBuf;

use mge_net::Activation;
use thiserror::Error;

use crate::options::{Device, Layout, Number, Target};

/// Why something could not be exported or measured.
#[derive(Debug, Error)]
pub enum ExportError {
    /// The preprocessing and the network speak of different features.
    #[error("the preprocessing makes {found} features, but the network expects {expected}")]
    Features {
        /// Features that preprocessing makes.
        found: usize,
        /// Inputs of the network.
        expected: usize,
    },
    /// The names and the network speak of different classes.
    #[error("there are {found} class names, but the network expects {expected}")]
    Classes {
        /// Names that were given.
        found: usize,
        /// Classes of the network.
        expected: usize,
    },
    /// A target that has no such form.
    #[error("{target} has no {number} form with the layout {layout}; expected {expected}")]
    Form {
        /// The target.
        target: Target,
        /// The numbers that were asked for.
        number: Number,
        /// The layout that was asked for.
        layout: Layout,
        /// What the target can do.
        expected: &'static str,
    },
    /// Integers need training rows to choose their scales from.
    #[error("{number} needs the training rows to choose scales from; expected a table of them")]
    NoTrainingRows {
        /// The numbers that were asked for.
        number: Number,
    },
    /// An activation that integer code cannot compute.
    #[error("the activation {activation} has no integer form; expected `--number f32`")]
    NoIntegerForm {
        /// The activation.
        activation: Activation,
    },
    /// Rounding costs more than the user allows.
    #[error(
        "{number} loses {loss:.4} of the accuracy ({before:.4} before, {after:.4} after, \
         {rows} rows); at most {allowed} is allowed"
    )]
    Loss {
        /// The numbers that were asked for.
        number: Number,
        /// Accuracy that is lost.
        loss: f64,
        /// Accuracy of the model.
        before: f64,
        /// Accuracy in integers.
        after: f64,
        /// Rows that it was measured on.
        rows: usize,
        /// The most that may be lost.
        allowed: f64,
    },
    /// Files that somebody else may have written.
    #[error("{} holds other files of these names: {files}; expected another folder", folder.display())]
    Taken {
        /// Their names, with commas.
        files: String,
        /// Where they are.
        folder: PathBuf,
    },
    /// A file where a folder is needed.
    #[error("{} is a file; expected a folder, which may be new", path.display())]
    NoFolder {
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
    /// A program that is too large.
    #[error("the program does not fit into the flash or the RAM of the {device}")]
    TooLarge {
        /// What it is too large for.
        device: Device,
    },
    /// A compiler or an emulator failed.
    #[error("{tool} failed: {said}")]
    Tool {
        /// The program.
        tool: String,
        /// What it said.
        said: String,
    },
    /// A compiler or an emulator is not there.
    #[error("{tool} is not installed (Debian: {package})")]
    NoTool {
        /// The program.
        tool: String,
        /// Where it comes from.
        package: &'static str,
    },
}
