//! `mge export`: a model as code.

use crate::calibration::{CalibrationFlags, quantization, validation_rows};
use crate::export_report::ExportReport;
use crate::model_data::{self, ModelFile};
use crate::print;
use anyhow::anyhow;
use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser, ValueParser};
use mge::{Calibration, Model, SplitRecord};
use mge_export::{
    EXPORTERS, ExportError, ExportOptions, Exported, Exporter, Inputs, Layout, Number, Program,
    Provenance, TrainedClassifier, export, find_exporter,
};
use std::path::{Path, PathBuf};

/// Write a model as code: C, Rust, ONNX, Python, MicroPython, JavaScript or an Arduino library
///
/// The code takes the numbers that the network reads, unscaled; a comment in it lists their order.
/// The integer forms (--number int8 or int16) choose their scales by rows that trained the model.
/// Their accuracy is measured on rows that were kept apart.
#[derive(Args)]
#[command(after_help = "Examples:
  mge export model.json --to c -o device --number int8
  mge export model.json --to onnx -o .
  mge export runs/fault --to arduino -o libraries --number int8
  mge export model.json --to c -o . --number int8 --single-header")]
pub struct ExportArgs {
    /// Run folder or model file
    model: PathBuf,
    /// Language or format
    #[arg(long, value_name = "TARGET", value_parser = target_parser())]
    to: &'static dyn Exporter,
    /// Folder to write to
    #[arg(short, long, value_name = "DIR")]
    out: PathBuf,
    /// Replace files of the same names
    #[arg(long)]
    force: bool,
    /// What the code computes with: f32, int8 or int16
    #[arg(long, default_value_t = Number::F32)]
    number: Number,
    /// How the network is written down: table (small) or code (fast)
    #[arg(long, default_value_t = Layout::Table)]
    layout: Layout,
    /// What the code asks for: used (what the network reads) or all (every feature of the model)
    #[arg(long, default_value_t = Inputs::Used)]
    inputs: Inputs,
    /// Write C in one header that can be pasted into a project
    #[arg(long)]
    single_header: bool,
    /// Accuracy that integers may lose; more is an error, and nothing is written
    #[arg(long, alias = "max-loss", value_name = "FRACTION", default_value_t = 0.01)]
    max_accuracy_drop: f64,
    /// Name of files and functions [default: the data's]
    #[arg(long)]
    name: Option<String>,
    #[command(flatten)]
    calibration: CalibrationFlags,
    /// Print one JSON object on standard output
    #[arg(long)]
    json: bool,
}

impl ExportArgs {
    /// Runs the subcommand.
    pub fn run(self) -> anyhow::Result<()> {
        if !(0.0..=1.0).contains(&self.max_accuracy_drop) {
            return Err(anyhow!(
                "--max-accuracy-drop is {}, expected a fraction from 0 to 1",
                self.max_accuracy_drop
            ));
        }
        let ModelFile { path: file, model } = model_data::open(&self.model)?;
        let options = ExportOptions {
            number: self.number,
            layout: self.layout,
            max_accuracy_drop: self.max_accuracy_drop,
            inputs: self.inputs,
            provenance: self.provenance(&model),
            table: model.data.form.clone(),
            single_header: self.single_header,
        };
        let rows = match self.number {
            // Floats need no rows; a web page shows their ranges.
            Number::F32 if !self.calibration.are_given() => {
                self.calibration.read(&model, &file).ok()
            }
            _ => Some(self.calibration.read(&model, &file)?),
        };
        let name = name(&model, self.name.as_deref());
        let exported = with_rows(&model, &name, self.to, &options, rows.as_ref())?;
        if self.force {
            exported.overwrite(&self.out)?;
        } else {
            exported.write(&self.out).map_err(|error| match error {
                ExportError::WouldReplace { .. } => {
                    anyhow!("{error}\n  help: --force replaces them")
                }
                other => anyhow!(other),
            })?;
        }
        if self.json {
            let rows = rows.as_ref();
            return print::json(&ExportReport::of(&exported, self.to, &options, rows, &self.out));
        }
        print::out(&summary(&exported, self.to, &options, rows.as_ref(), &self.out))
    }
}

impl ExportArgs {
    /// Where the export comes from. It names no folder, so that equal exports have equal bytes
    /// wherever they are made.
    fn provenance(&self, model: &Model) -> Provenance {
        let data = &model.data;
        let kept_apart = match data.split {
            SplitRecord::Folds { .. } => "in cross-validation",
            _ => "on test rows",
        };
        Provenance {
            tool: format!("mge {} (commit {})", env!("CARGO_PKG_VERSION"), env!("MGE_COMMIT")),
            command: self.command(),
            model: format!("sha256 {}", model.sha256()),
            data: format!("{}, {} rows", data.name, data.fingerprint.rows),
            fingerprint: format!("sha256 {}", data.fingerprint.sha256),
            accuracy: format!("{:.4} {kept_apart}", model.metrics.test.accuracy),
            seed: Some(model.settings.seed),
        }
    }

    /// The command, without folders and without what changes no byte of the files.
    fn command(&self) -> String {
        let last = |path: &Path| {
            let name = path.file_name().map(|name| name.to_string_lossy().into_owned());
            quoted_word(&name.unwrap_or_else(|| ".".to_owned()))
        };
        let mut words = vec!["mge export".to_owned(), last(&self.model)];
        words.push(format!("--to {}", self.to.name()));
        if self.number != Number::F32 {
            words.push(format!("--number {}", self.number));
        }
        if self.layout != Layout::Table {
            words.push(format!("--layout {}", self.layout));
        }
        if self.inputs != Inputs::Used {
            words.push(format!("--inputs {}", self.inputs));
        }
        if self.single_header {
            words.push("--single-header".to_owned());
        }
        if let Some(name) = &self.name {
            words.push(format!("--name {}", quoted_word(name)));
        }
        words.join(" ")
    }
}

/// A word of a command, in quotes where a shell needs them.
fn quoted_word(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./+=:,".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', "'\\''"))
}

/// Parses the name of a target; the help lists all of them.
fn target_parser() -> ValueParser {
    let values = EXPORTERS.iter().map(|one| PossibleValue::new(one.name()).help(one.summary()));
    PossibleValuesParser::new(values).try_map(|name| find_exporter(&name)).into()
}

/// The name of the code: the given one, or the data's name without its ending.
pub fn name(model: &Model, given: Option<&str>) -> String {
    let stem = Path::new(&model.data.name).file_stem();
    let stem = stem.map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
    given.map_or(stem, str::to_owned)
}

/// Exports a model, with the rows that integers need.
pub fn with_rows(
    model: &Model,
    name: &str,
    exporter: &dyn Exporter,
    options: &ExportOptions,
    rows: Option<&Calibration>,
) -> anyhow::Result<Exported> {
    let classifier = TrainedClassifier {
        name,
        network: &model.network,
        preprocess: &model.preprocess,
        classes: &model.classes,
    };
    let rows = rows.map(quantization);
    export(&classifier, exporter, options, rows.as_ref()).map_err(anyhow::Error::from)
}

/// What the code asks for, such as `2 numbers: speed, load=heavy`.
fn inputs(program: &Program) -> String {
    const SHOWN: usize = 8;
    let count = print::count(program.inputs.len(), "number");
    let names: Vec<String> =
        program.inputs.iter().take(SHOWN).map(|input| print::harmless(&input.name)).collect();
    let more = program.inputs.len().saturating_sub(SHOWN);
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    let unused = program.inputs.iter().filter(|input| !input.used).count();
    let unused = if unused > 0 { format!(" ({unused} not used)") } else { String::new() };
    format!("{count}: {}{more}{unused}", names.join(", "))
}

fn summary(
    exported: &Exported,
    exporter: &dyn Exporter,
    options: &ExportOptions,
    calibration: Option<&Calibration>,
    out: &Path,
) -> String {
    let files: Vec<&str> = exported.files.iter().map(|file| file.path.as_str()).collect();
    let number = match (options.number, exporter.capabilities().float_bits) {
        (Number::F32, bits) => format!("f{bits}"),
        (number, _) => number.to_string(),
    };
    let mut rows = vec![
        ("target", format!("{}, {number}, {}", exporter.name(), options.layout)),
        ("folder", out.display().to_string()),
        ("files", files.join(", ")),
        ("inputs", inputs(&exported.program)),
        ("classes", exported.program.classes.len().to_string()),
    ];
    if let (Some(report), Some(calibration)) = (&exported.quantization, calibration) {
        let (float, integer) = (report.float_accuracy, report.integer_accuracy);
        let measured = validation_rows(calibration);
        rows.push((
            "accuracy",
            format!("{float:.4} in floats, {integer:.4} in {number}, on {measured}"),
        ));
        rows.push((
            "agreement",
            format!("{:.2} % of the rows have the same class", 100.0 * report.agreement),
        ));
    }
    print::table(&rows)
}
