//! Classifiers as code: C, Rust, ONNX, Python, MicroPython, JavaScript and Arduino, in floats or small
//! integers.
//!
//! A [`TrainedClassifier`] (network, preprocessing, class names) becomes a [`Program`]: the network with
//! its scaling folded into the weights. The integer forms ([`Number::Int8`], [`Number::Int16`])
//! are an [`IntegerProgram`], whose scales come from calibration rows ([`QuantizationRows`]). Its sums
//! never wrap, and their distance from the floats has a bound. An
//! [`Exporter`] writes a program in one language or format; [`EXPORTERS`] lists all of them.
//! [`export`] does all of it, and refuses integers that cost more accuracy than allowed.
//!
//! The exported function takes the numbers that the network reads ([`Inputs`]), in their order:
//! columns of numbers as they are, categories as 0 and 1. A comment in each export lists them.
//! NaN is a missing value in the float forms.
//!
//! ```
//! use mge_data::{LoadOptions, Preprocess, PreprocessOptions, load};
//! use mge_export::{TrainedClassifier, ExportOptions, Python, export};
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
//!     TrainedClassifier { name: "wine", network: &network, preprocess: &preprocess, classes: &classes };
//! let exported = export(&classifier, &Python, &ExportOptions::default(), None)?;
//! assert_eq!(exported.files[0].path, "wine.py");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod device;

mod arduino;
mod c;
mod error;
mod export;
mod exporter;
mod files;
mod integer;
mod js;
mod micropython;
mod names;
mod onnx;
mod options;
mod program;
mod provenance;
mod python;
mod rust;
mod text;

pub use arduino::Arduino;
pub use c::C;
pub use error::ExportError;
pub use export::{ExportOptions, Exported, QuantizationReport, QuantizationRows, export};
pub use exporter::{Capabilities, EXPORTERS, Exporter, Form, find_exporter};
pub use files::OutFile;
pub use integer::{
    IntegerActivation, IntegerFormat, IntegerInput, IntegerNeuron, IntegerProgram, IntegerSum,
    ProbabilityScale, RawScale,
};
pub use js::JavaScript;
pub use micropython::MicroPython;
pub use onnx::Onnx;
pub use options::{Device, Inputs, Layout, Number};
pub use program::{InputCell, Program, ProgramInput, SumTerm, TrainedClassifier, WeightedSum};
pub use provenance::{LICENCE, Provenance};
pub use python::Python;
pub use rust::Rust;
