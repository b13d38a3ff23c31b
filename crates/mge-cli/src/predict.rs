//! `mge predict`: a label, or the predicted numbers, for each row.

use crate::{kept_columns, model_data, print};
use anyhow::anyhow;
use clap::Args;
use mge::data::{Column, LoadOptions, TargetColumn, quoted};
use mge::{Model, Predictions};
use serde::Serialize;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::PathBuf;

/// Predict the label of each row of a table, or its numbers
///
/// Columns are found by name, in any order. Columns that the network does not read may be absent.
/// Each row gives one line with its label. With --proba the probability of each class follows, in
/// the order of `mge show`. A regression gives the predicted numbers in the units of the targets, one
/// for each target.
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
        if self.proba && model.values.is_some() {
            return Err(anyhow!(
                "--proba is about classes, and this model predicts numbers; expected no --proba"
            ));
        }
        let target = TargetColumn::IfPresent(model.target_columns());
        let mut options = LoadOptions {
            data_dir: self.data_dir,
            only_expected: true,
            ..model.load_options(target)
        };
        // Columns that the network does not read may be absent, and errors in them do not matter.
        let in_use = model.columns_in_use();
        if !in_use.is_empty() {
            options.expected.retain(|column, _| in_use.contains(column.as_str()));
        }
        let options = kept_columns::options(&self.keep, options);
        let data = model_data::table(&self.data, options)?;
        let predictions = model.predict(&data.table).map_err(anyhow::Error::from)?;
        model_data::report_unseen(&predictions.unseen);
        let kept = kept_columns::columns(&data.table, &self.keep)?;
        if self.json {
            let text = json(&model, &predictions, &kept, data.table.rows())?;
            return print::to(self.out.as_deref(), &text);
        }
        let answers = Answers { model: &model, predictions: &predictions, with_proba: self.proba };
        let mut text = String::new();
        if self.header {
            let kept = kept.iter().map(|column| quoted(&column.name));
            let names: Vec<String> = kept.chain(answers.names()).collect();
            text += &names.join(",");
            text.push('\n');
        }
        for row in 0..data.table.rows() {
            for column in &kept {
                text += &quoted(&kept_columns::cell(column, row));
                text.push(',');
            }
            answers.write(row, &mut text);
            text.push('\n');
        }
        print::to(self.out.as_deref(), &text)
    }
}

/// What is printed for each row.
struct Answers<'a> {
    model: &'a Model,
    predictions: &'a Predictions,
    with_proba: bool,
}

impl Answers<'_> {
    /// The names of the answers.
    fn names(&self) -> Vec<String> {
        if let Some(values) = &self.model.values {
            return values.columns.iter().map(|name| quoted(name)).collect();
        }
        let classes = self.model.classes.iter().filter(|_| self.with_proba);
        let classes = classes.map(|class| quoted(&format!("p_{class}")));
        std::iter::once("label".to_owned()).chain(classes).collect()
    }

    /// Appends the answers for a row: numbers, or a label and perhaps probabilities.
    fn write(&self, row: usize, text: &mut String) {
        let Some(probabilities) = self.predictions.probabilities() else {
            for (index, column) in self.predictions.values().iter().enumerate() {
                let comma = if index == 0 { "" } else { "," };
                // Writing to a string cannot fail.
                let _ = write!(text, "{comma}{}", column[row]);
            }
            return;
        };
        let row = probabilities.row(row);
        *text += &quoted(self.model.class_name(probabilities.link().predicted_class(row)));
        for p in row.iter().filter(|_| self.with_proba) {
            let _ = write!(text, ",{p}");
        }
    }
}

/// One row, as `--json` prints it.
#[derive(Serialize)]
struct JsonRow<'a> {
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    keep: BTreeMap<&'a str, String>,
    #[serde(flatten)]
    answer: JsonAnswer<'a>,
}

#[derive(Serialize)]
#[serde(untagged)]
enum JsonAnswer<'a> {
    Class { label: &'a str, probabilities: BTreeMap<&'a str, f64> },
    Values { values: BTreeMap<&'a str, f64> },
}

fn json(
    model: &Model,
    predictions: &Predictions,
    kept: &[&Column],
    rows: usize,
) -> anyhow::Result<String> {
    let answer = |row: usize| match predictions.probabilities() {
        Some(probabilities) => {
            let of_row = probabilities.row(row);
            let classes = model.classes.iter().map(String::as_str);
            JsonAnswer::Class {
                label: model.class_name(probabilities.link().predicted_class(of_row)),
                probabilities: classes.zip(of_row.iter().copied()).collect(),
            }
        }
        None => {
            let names = model.values.iter().flat_map(|values| &values.columns);
            let values = predictions.values().iter().map(|column| column[row]);
            JsonAnswer::Values { values: names.map(String::as_str).zip(values).collect() }
        }
    };
    let row = |row: usize| JsonRow {
        keep: kept
            .iter()
            .map(|column| (column.name.as_str(), kept_columns::cell(column, row)))
            .collect(),
        answer: answer(row),
    };
    let rows: Vec<JsonRow> = (0..rows).map(row).collect();
    Ok(serde_json::to_string_pretty(&rows)? + "\n")
}
