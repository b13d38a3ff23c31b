//! `mge export`: a model as code.

use crate::{model_data, print};
use anyhow::anyhow;
use clap::Args;
use mge::data::{Columns, DataError, LoadOptions, Loaded, TargetColumn};
use mge::{Model, RunFolder, SplitRecord};
use mge_export::{
    Classifier, Cost, ExportError, ExportOptions, Exported, Layout, Number, Rows, Target, export,
};
use std::path::{Path, PathBuf};

/// Write a model as code: C, Rust, ONNX, Python, JavaScript or an Arduino library
///
/// The code takes the numbers of the model's features, unscaled, in the order that its header
/// tells. The integer forms (--number int8 or int16) choose their scales from the rows that trained
/// the model; what they cost is measured on the rows that were kept apart.
#[derive(Args)]
#[command(after_help = "Examples:
  mge export model.json --to c -o device --number int8
  mge export model.json --to onnx -o .
  mge export runs/fault/model.json --to arduino -o libraries --number int8 --data fault.csv")]
pub struct ExportArgs {
    /// Model file
    model: PathBuf,
    /// Language or format: c, rust, onnx, python, js or arduino
    #[arg(long, value_name = "TARGET")]
    to: Target,
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
    /// Accuracy that integers may lose; more is an error, and nothing is written
    #[arg(long, alias = "max-loss", value_name = "FRACTION", default_value_t = 0.01)]
    max_accuracy_drop: f64,
    /// Name of files and functions [default: the data's]
    #[arg(long)]
    name: Option<String>,
    /// Data that the model was made from, for the integer forms [default: found by its name]
    #[arg(long)]
    data: Option<String>,
    /// Folder to look for flame and mnist in [default: MGE_DATA_DIR, then the cache folder]
    #[arg(long, value_name = "DIR")]
    data_dir: Option<PathBuf>,
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
        let model = model_data::model(&self.model)?;
        let options = ExportOptions {
            target: self.to,
            number: self.number,
            layout: self.layout,
            max_accuracy_drop: self.max_accuracy_drop,
        };
        let data = match self.number {
            Number::F32 => None,
            _ => Some(RowsOf::new(&model, &self.model, self.data.as_deref(), self.data_dir)?),
        };
        let name = name(&model, self.name.as_deref());
        let exported = with_rows(&model, &name, &options, data.as_ref())?;
        if self.force {
            exported.overwrite(&self.out)?;
        } else {
            exported.write(&self.out).map_err(|error| match error {
                ExportError::Taken { .. } => anyhow!("{error}\n  help: --force replaces them"),
                other => anyhow!(other),
            })?;
        }
        print::out(&summary(&exported, &options, data.as_ref(), &self.out))
    }
}

/// What the code is called: the hint, or the data's name without its ending.
pub fn name(model: &Model, hint: Option<&str>) -> String {
    let stem = Path::new(&model.data.name).file_stem();
    let stem = stem.map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
    hint.map_or(stem, str::to_owned)
}

/// Exports a model, with the rows that integers need.
pub fn with_rows(
    model: &Model,
    name: &str,
    options: &ExportOptions,
    data: Option<&RowsOf>,
) -> anyhow::Result<Exported> {
    let classifier = Classifier {
        name,
        network: &model.network,
        preprocess: &model.preprocess,
        classes: &model.classes,
    };
    let rows = data.map(|data| Rows {
        train: &data.train,
        validation: &data.validation,
        labels: &data.labels,
    });
    export(&classifier, options, rows.as_ref()).map_err(anyhow::Error::from)
}

/// The rows that trained a model and those that were kept apart, as numbers before scaling.
pub struct RowsOf {
    train: Columns,
    validation: Columns,
    labels: Vec<u32>,
    /// What the validation rows are.
    what: &'static str,
}

impl RowsOf {
    /// Reads the data that a model was made from and parts it as its training did. The run that a
    /// model file lies in knows where the data is; the model itself has its name alone.
    pub fn new(
        model: &Model,
        file: &Path,
        data: Option<&str>,
        data_dir: Option<PathBuf>,
    ) -> anyhow::Result<Self> {
        let run = file.parent().and_then(|folder| RunFolder::read(folder).ok());
        let (known, known_dir) = match run.map(|(_, plan)| plan.source) {
            Some(source) if source.fingerprint == model.data.fingerprint => {
                (Some(source.data), source.data_dir)
            }
            _ => (None, None),
        };
        let spec = data.or(known.as_deref()).unwrap_or(&model.data.name);
        let data_dir = data_dir.or(known_dir);
        let target = TargetColumn::Named(model.target.clone());
        let options = LoadOptions { data_dir, ..model.load_options(target) };
        let loaded = model_data::table(spec, options).map_err(|error| {
            if data.is_some() {
                return error;
            }
            error.context(format!(
                "integers need the rows that the model was made from ({spec}); expected --data FILE"
            ))
        })?;
        if loaded.fingerprint != model.data.fingerprint {
            return Err(anyhow!(
                "{} is not the table that the model was made from; expected {} with the same \
                 content, because scales come from the training rows alone",
                loaded.table.name(),
                model.data.name
            ));
        }
        Self::split_as_trained(model, &loaded).map_err(anyhow::Error::from)
    }

    fn split_as_trained(model: &Model, loaded: &Loaded) -> Result<Self, DataError> {
        let numbers = model.preprocess.unscaled();
        let task = loaded.class_target()?;
        let split = model.data.split.rows(&task, model.settings.seed)?;
        let train = numbers.apply(&loaded.table, Some(&split.train))?.columns;
        let labels = |rows: &[u32]| -> Vec<u32> {
            rows.iter().map(|&row| task.labels()[row as usize]).collect()
        };
        match (&model.data.split, &loaded.standard_test) {
            (SplitRecord::Standard, Some(test)) => Ok(Self {
                train,
                validation: numbers.apply(test, None)?.columns,
                labels: mge::data::class_labels(test, &model.target, &model.classes)?,
                what: "test rows",
            }),
            _ if split.test.is_empty() => {
                let validation = train.clone();
                let labels = labels(&split.train);
                Ok(Self { train, validation, labels, what: "training rows (no others at hand)" })
            }
            _ => Ok(Self {
                train,
                validation: numbers.apply(&loaded.table, Some(&split.test))?.columns,
                labels: labels(&split.test),
                what: "test rows",
            }),
        }
    }
}

fn summary(
    exported: &Exported,
    options: &ExportOptions,
    data: Option<&RowsOf>,
    out: &Path,
) -> String {
    let files: Vec<&str> = exported.files.iter().map(|file| file.path.as_str()).collect();
    let used = exported.program.inputs.iter().filter(|input| input.used).count();
    // Python and JavaScript have no smaller floats.
    let number = match options.target {
        Target::Python | Target::Js => "f64",
        _ => options.number.name(),
    };
    let mut rows = vec![
        ("target", format!("{}, {number}, {}", options.target, options.layout)),
        ("folder", out.display().to_string()),
        ("files", files.join(", ")),
        ("inputs", format!("{} numbers, {used} of them used", exported.program.inputs.len())),
        ("classes", exported.program.classes.len().to_string()),
    ];
    if let (Some(Cost { rows: count, before, after, agreement }), Some(data)) =
        (&exported.cost, data)
    {
        rows.push((
            "accuracy",
            format!("{before:.4} before, {after:.4} after, on {count} {}", data.what),
        ));
        rows.push((
            "agreement",
            format!("{:.2} % of the rows have the same class", 100.0 * agreement),
        ));
    }
    print::table(&rows)
}
