//! `mge predict`: a label for each row.

use crate::{model_data, print};
use anyhow::anyhow;
use clap::Args;
use mge::data::{LoadOptions, TargetColumn, quoted};
use std::fmt::Write;
use std::path::PathBuf;

/// Predict the label of each row of a table
///
/// Columns are found by name, in any order. Other columns are ignored. Each row gives one line with
/// its label. With --proba the probability of each class follows, in the order of `mge show`.
#[derive(Args)]
#[command(after_help = "Examples:
  mge predict model.json new.csv
  mge predict model.json new.csv --proba --header --out answers.csv")]
pub struct PredictArgs {
    /// Model file
    model: PathBuf,
    /// Built-in data set or file
    data: String,
    /// Print the probability of each class, too
    #[arg(long)]
    proba: bool,
    /// Print a line with column names first
    #[arg(long)]
    header: bool,
    /// File to write to [default: standard output]
    #[arg(long, value_name = "FILE")]
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
        let data = model_data::table(&self.data, options)?;
        let predictions = model.predict(&data.table).map_err(anyhow::Error::from)?;
        model_data::report_unseen(&predictions.unseen);
        let mut text = String::new();
        if self.header {
            text += "label";
            for class in model.classes.iter().filter(|_| self.proba) {
                text += &format!(",{}", quoted(&format!("p_{class}")));
            }
            text.push('\n');
        }
        for (class, row) in predictions.classes().zip(predictions.probabilities.iter()) {
            text += &quoted(model.class_name(class));
            for p in row.iter().filter(|_| self.proba) {
                // Writing to a string cannot fail.
                let _ = write!(text, ",{p}");
            }
            text.push('\n');
        }
        match self.out {
            None => print::out(&text),
            Some(path) => mge_io::write_atomically(&path, text.as_bytes())
                .map_err(|error| anyhow!("cannot write {}: {error}", path.display())),
        }
    }
}
