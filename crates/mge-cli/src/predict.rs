//! `mge predict`: a label, or the predicted numbers, for each row.

use crate::{kept_columns, model_data, print};
use anyhow::anyhow;
use clap::Args;
use mge::data::{Column, LoadOptions, TargetColumn, quoted};
use mge::{Model, ModelValues, Predictions};
use serde::Serialize;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::PathBuf;

/// Predict the label of each row of a table, or its numbers
///
/// Columns are found by name, in any order. Other columns are ignored. Each row gives one line with
/// its label. With --proba the probability of each class follows, in the order of `mge show`. A
/// regression gives the predicted numbers in the units of the targets, one for each target.
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
        let target = TargetColumn::IfPresent(model.target_columns());
        let options = LoadOptions {
            data_dir: self.data_dir.clone(),
            only_expected: true,
            ..model.load_options(target)
        };
        let options = kept_columns::options(&self.keep, options);
        let data = model_data::table(&self.data, options)?;
        let predictions = model.predict(&data.table).map_err(anyhow::Error::from)?;
        model_data::report_unseen(&predictions.unseen);
        let kept = kept_columns::columns(&data.table, &self.keep)?;
        if self.proba && model.values.is_some() {
            return Err(anyhow!(
                "--proba is about classes, and this model predicts numbers; expected no --proba"
            ));
        }
        if self.json {
            let text = json(&model, &predictions, &kept)?;
            return print::to(self.out.as_deref(), &text);
        }
        if let Some(values) = &model.values {
            let text = self.numbers(values, predictions.values(), &kept);
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
        let rows = predictions.probabilities().into_iter().flat_map(|all| all.iter());
        let rows = predictions.classes().zip(rows);
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

    /// A line for each row: kept columns, then the number of each target.
    fn numbers(&self, of: &ModelValues, values: &[Vec<f64>], kept: &[&Column]) -> String {
        let mut text = String::new();
        if self.header {
            let kept = kept.iter().map(|column| &column.name);
            let names: Vec<_> = kept.chain(&of.columns).map(|name| quoted(name)).collect();
            text += &names.join(",");
            text.push('\n');
        }
        for row in 0..values.first().map_or(0, Vec::len) {
            for column in kept {
                text += &quoted(&kept_columns::cell(column, row));
                text.push(',');
            }
            let numbers: Vec<String> =
                values.iter().map(|column| column[row].to_string()).collect();
            text += &numbers.join(",");
            text.push('\n');
        }
        text
    }
}

/// One row, as `--json` prints it.
#[derive(Serialize)]
struct JsonRow<'a> {
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    keep: BTreeMap<&'a str, String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    label: Option<&'a str>,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    probabilities: BTreeMap<&'a str, f64>,
    /// Of a regression: the number of each target.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    values: BTreeMap<&'a str, f64>,
}

fn json(model: &Model, predictions: &Predictions, kept: &[&Column]) -> anyhow::Result<String> {
    let kept = |index: usize| {
        kept.iter()
            .map(|column| (column.name.as_str(), kept_columns::cell(column, index)))
            .collect()
    };
    let rows: Vec<JsonRow> = match (&model.values, predictions.probabilities()) {
        (None, Some(probabilities)) => {
            let rows = predictions.classes().zip(probabilities.iter()).enumerate();
            rows.map(|(index, (class, row))| JsonRow {
                keep: kept(index),
                label: Some(model.class_name(class)),
                probabilities: model
                    .classes
                    .iter()
                    .map(String::as_str)
                    .zip(row.iter().copied())
                    .collect(),
                values: BTreeMap::new(),
            })
            .collect()
        }
        (values, _) => {
            let names: Vec<&str> = values
                .iter()
                .flat_map(|values| values.columns.iter().map(String::as_str))
                .collect();
            let rows = 0..predictions.values().first().map_or(0, Vec::len);
            rows.map(|index| JsonRow {
                keep: kept(index),
                label: None,
                probabilities: BTreeMap::new(),
                values: names
                    .iter()
                    .copied()
                    .zip(predictions.values().iter().map(|column| column[index]))
                    .collect(),
            })
            .collect()
        }
    };
    Ok(serde_json::to_string_pretty(&rows)? + "\n")
}
