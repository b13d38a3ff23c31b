//! `mge evaluate`: how good a model is on a table with labels or true numbers.

use crate::model_data::{self, ModelFile};
use crate::print;
use anyhow::anyhow;
use clap::{Args, ValueEnum};
use mge::data::{LoadOptions, Loaded, Table, TargetColumn, UnseenCategories};
use mge::net::{Metrics, Size, ValueMetrics};
use mge::{Measured, Model, SplitRecord, Task};
use serde::Serialize;
use std::path::PathBuf;

/// Measure a model on a table with labels: accuracy, RMSE, confusion matrix, size
///
/// Of a regression: RMSE, R2, mean and median absolute error, in the units of the target.
#[derive(Args)]
#[command(after_help = "Examples:
  mge evaluate model.json fresh.csv
  mge evaluate runs/wdbc-hybrid-1 wdbc --part test --json")]
pub struct EvaluateArgs {
    /// Run folder or model file
    model: PathBuf,
    /// Built-in data set or file
    data: String,
    /// Which rows to measure, if the model was made from this table
    #[arg(long, value_enum, default_value_t = RowPart::All)]
    part: RowPart,
    /// Folder with the files of flame and mnist [default: MGE_DATA_DIR, then the cache folder]
    #[arg(long, value_name = "DIR")]
    data_dir: Option<PathBuf>,
    /// Print one JSON object on standard output
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, PartialEq, ValueEnum)]
enum RowPart {
    /// Every row
    All,
    /// The rows that trained the model
    Train,
    /// The rows that were kept apart
    Test,
}

/// What `evaluate --json` prints.
#[derive(Serialize)]
struct EvaluateReport<'a> {
    dataset: &'a str,
    model: String,
    classes: &'a [String],
    /// The targets of a regression.
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    targets: &'a [String],
    /// Categories that the training rows did not have.
    unseen: &'a [UnseenCategories],
    #[serde(flatten)]
    metrics: &'a Metrics,
    #[serde(flatten)]
    size: &'a Size,
}

impl EvaluateArgs {
    /// Runs the subcommand.
    pub fn run(self) -> anyhow::Result<()> {
        let ModelFile { path, model } = model_data::open(&self.model)?;
        let target = TargetColumn::Exactly(model.target_columns());
        // The whole table tells whether it is the one that the model was made from.
        let options = LoadOptions {
            data_dir: self.data_dir,
            only_expected: self.part == RowPart::All,
            ..model.load_options(target)
        };
        let data = model_data::table(&self.data, options)?;
        let table = part(&model, data, self.part)?;
        let Measured { metrics, unseen } = model.evaluate(&table)?;
        model_data::report_unseen(&unseen);
        let path = path.display().to_string();
        if self.json {
            return print::json(&EvaluateReport {
                dataset: table.name(),
                model: path,
                classes: &model.classes,
                targets: model.values.as_ref().map_or(&[], |values| &values.columns),
                unseen: &unseen,
                metrics: &metrics,
                size: &model.size,
            });
        }
        let mut lines =
            vec![("data", format!("{} ({})", table.name(), print::count(metrics.rows, "row")))];
        match &metrics.values {
            None => lines.extend([
                ("accuracy", format!("{:.4}", metrics.accuracy)),
                ("rmse", format!("{:.4}", metrics.rmse)),
                ("loss", format!("{:.4}", metrics.loss)),
            ]),
            Some(values) => lines.extend([
                ("r2", format!("{:.4}", values.r2)),
                ("rmse", print::short(metrics.rmse)),
                ("mae", print::short(values.mae)),
                (
                    "median",
                    format!("{} absolute error", print::short(values.median_absolute_error)),
                ),
                ("loss", format!("{:.4}, {} of scaled targets", metrics.loss, model.settings.loss)),
            ]),
        }
        lines.extend([
            ("network", crate::show::size_line(&model.size)),
            ("cost", format!("{} operations for each prediction", model.size.operations)),
        ]);
        let mut text = print::table(&lines);
        text.push('\n');
        match (&metrics.values, &model.values) {
            (Some(metrics), Some(values)) if values.columns.len() > 1 => {
                text += &by_target(&values.columns, metrics);
            }
            (Some(_), _) => {}
            (None, _) => text += &print::confusion(&model.classes, &metrics.confusion),
        }
        print::out(&text)
    }
}

/// The metrics of each target, where there are several.
fn by_target(columns: &[String], metrics: &ValueMetrics) -> String {
    let names: Vec<String> = columns.iter().map(|name| mge_report::clean(name)).collect();
    let width = names.iter().map(|name| name.chars().count()).max().unwrap_or(0).max(6);
    let mut text = format!("{:width$}  {:>8}  {:>12}  {:>12}\n", "target", "r2", "rmse", "mae");
    for (name, output) in names.iter().zip(&metrics.outputs) {
        let (rmse, mae) = (print::short(output.rmse), print::short(output.mae));
        text += &format!("{name:width$}  {:>8.4}  {rmse:>12}  {mae:>12}\n", output.r2);
    }
    text
}

/// The rows that were asked for.
fn part(model: &Model, data: Loaded, part: RowPart) -> anyhow::Result<Table> {
    let is_origin = data.fingerprint == model.data.fingerprint;
    if part == RowPart::All {
        let is_named = data.entry.is_some_and(|entry| entry.name == model.data.name);
        if is_origin || is_named {
            print::note(match &model.data.split {
                SplitRecord::Fraction { .. } | SplitRecord::Time { .. } | SplitRecord::Standard => {
                    "note: the model was made from these rows; \
                     --part test measures those kept apart"
                }
                _ => "note: the model was trained on these rows",
            });
        }
        return Ok(data.table);
    }
    if !is_origin {
        return Err(anyhow!(
            "{} is not the table that the model was made from, so it has no training and test \
             part; expected --part all",
            data.table.name()
        ));
    }
    match (&model.data.split, part) {
        (SplitRecord::Folds { folds, .. }, RowPart::Test) => Err(anyhow!(
            "every row trained the model; its test figures come from {folds} folds and stand in \
             the model file; expected --part all or train"
        )),
        (SplitRecord::Standard, RowPart::Test) => data
            .standard_test
            .ok_or_else(|| anyhow!("{} came without its test part", data.table.name())),
        (SplitRecord::TestTable { name, .. }, RowPart::Test) => {
            Err(anyhow!("the test rows came from {name}; expected that file as DATA"))
        }
        (split, _) => {
            let task = Task::of(&data, model.settings.task)?;
            let split = split.rows(&data.table, &task.strata(), model.settings.seed)?;
            let rows = if part == RowPart::Train { split.train } else { split.test };
            Ok(data.table.select(&rows))
        }
    }
}
