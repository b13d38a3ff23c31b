//! `mge predict`: a label for each row.

use crate::{kept_columns, model_data, print};
use clap::Args;
use mge::data::{Column, LoadOptions, TargetColumn, quoted};
use mge::{Model, Predictions};
use serde::Serialize;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::PathBuf;

/// Predict the label of each row of a table
///
/// Columns are found by name, in any order. Other columns are ignored. Each row gives one line with
/// its label. With --proba the probability of each class follows, in the order of `mge show`.
#[derive(Args)]
#[command(after_help = "Examples:
  mge predict runs/wdbc-hybrid-1 new.csv
  mge predict model.json new.csv --proba --header --out answers.csv
  mge predict model.json new.csv --keep id,site --header")]
pub struct PredictArgs {
    /// Run folder or model file
    model: PathBuf,
    /// Built-in data set or file
    data: String,
    /// Print the probability of each class, too
    #[arg(long)]
    proba: bool,
    /// Print a line with column names first
    #[arg(long)]
    header: bool,
    /// Columns of the table to copy to the answers, before the label, such as the name of a row
    #[arg(long, value_name = "COLUMN,..", value_delimiter = ',')]
    keep: Vec<String>,
    /// Print JSON: one object for each row, always with the probabilities
    #[arg(long, conflicts_with_all = ["proba", "header"])]
    json: bool,
    /// File to write to [default: standard output]
    #[arg(short, long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Folder with the files of flame and mnist [default: MGE_DATA_DIR, then the cache folder]
    #[arg(long, value_name = "DIR")]
    data_dir: Option<PathBuf>,
}

impl PredictArgs {
    /// Runs the subcommand.
    pub fn run(self) -> anyhow::Result<()> {
        let model = model_data::model(&self.model)?;
        let target = TargetColumn::IfPresent(vec![model.target.clone()]);
        let options = LoadOptions {
            data_dir: self.data_dir,
            only_expected: true,
            ..model.load_options(target)
        };
        let options = kept_columns::options(&self.keep, options);
        let data = model_data::table(&self.data, options)?;
        let predictions = model.predict(&data.table).map_err(anyhow::Error::from)?;
        model_data::report_unseen(&predictions.unseen);
        let kept = kept_columns::columns(&data.table, &self.keep)?;
        if self.json {
            let text = json(&model, &predictions, &kept)?;
            return print::to(self.out.as_deref(), &text);
        }
        let mut text = String::new();
        if self.header {
            for column in &kept {
                text += &quoted(&column.name);
                text.push(',');
            }
            text += "label";
            for class in model.classes.iter().filter(|_| self.proba) {
                text += &format!(",{}", quoted(&format!("p_{class}")));
            }
            text.push('\n');
        }
        let rows = predictions.classes().zip(predictions.probabilities.iter());
        for (index, (class, row)) in rows.enumerate() {
            for column in &kept {
                text += &quoted(&kept_columns::cell(column, index));
                text.push(',');
            }
            text += &quoted(model.class_name(class));
            for p in row.iter().filter(|_| self.proba) {
                // Writing to a string cannot fail.
                let _ = write!(text, ",{p}");
            }
            text.push('\n');
        }
        print::to(self.out.as_deref(), &text)
    }
}

/// One row, as `--json` prints it.
#[derive(Serialize)]
struct JsonRow<'a> {
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    keep: BTreeMap<&'a str, String>,
    label: &'a str,
    probabilities: BTreeMap<&'a str, f64>,
}

fn json(model: &Model, predictions: &Predictions, kept: &[&Column]) -> anyhow::Result<String> {
    let rows = predictions.classes().zip(predictions.probabilities.iter()).enumerate();
    let rows: Vec<JsonRow> = rows
        .map(|(index, (class, row))| JsonRow {
            keep: kept
                .iter()
                .map(|column| (column.name.as_str(), kept_columns::cell(column, index)))
                .collect(),
            label: model.class_name(class),
            probabilities: model
                .classes
                .iter()
                .map(String::as_str)
                .zip(row.iter().copied())
                .collect(),
        })
        .collect();
    Ok(serde_json::to_string_pretty(&rows)? + "\n")
}
