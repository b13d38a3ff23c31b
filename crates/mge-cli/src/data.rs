//! `mge data`: the built-in data sets, and what is in a table.

use crate::describe::{DescribeArgs, value_line};
use crate::print;
use anyhow::anyhow;
use clap::{Args, Subcommand};
use mge::data::catalogue::{self, Entry, Protocol};
use mge::data::{ClassTarget, LoadOptions, TargetKind, TargetSummary, load};
use std::path::PathBuf;

/// List and show built-in data sets, or describe a table
#[derive(Args)]
#[command(after_help = "Examples:
  mge data list
  mge data show wine
  mge data write friedman1 -o friedman1.csv
  mge data describe measurements.csv")]
pub struct DataArgs {
    #[command(subcommand)]
    command: DataCommand,
}

#[derive(Subcommand)]
enum DataCommand {
    /// List the built-in data sets
    #[command(after_help = "Example:\n  mge data list --json")]
    List {
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Show the source, licence and shape of a built-in data set
    #[command(after_help = "Example:\n  mge data show wdbc")]
    Show {
        /// Its name
        name: String,
        /// Folder with the files of flame and mnist [default: MGE_DATA_DIR, then the cache folder]
        #[arg(long, value_name = "DIR")]
        data_dir: Option<PathBuf>,
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Write a built-in data set as CSV
    #[command(after_help = "Example:\n  mge data write friedman1 -o friedman1.csv")]
    Write {
        /// Its name
        name: String,
        /// File to write to [default: standard output]
        #[arg(short, long, value_name = "FILE")]
        output: Option<PathBuf>,
        /// Folder with the files of flame and mnist [default: MGE_DATA_DIR, then the cache folder]
        #[arg(long, value_name = "DIR")]
        data_dir: Option<PathBuf>,
    },
    Describe(Box<DescribeArgs>),
}

impl DataArgs {
    /// Runs the subcommand.
    pub fn run(self) -> anyhow::Result<()> {
        match self.command {
            DataCommand::List { json: true } => print::json(&catalogue::entries()),
            DataCommand::List { json: false } => print::out(&list()),
            DataCommand::Describe(args) => args.run(),
            DataCommand::Write { name, output, data_dir } => {
                let entry = catalogue::find(&name)?;
                let options = LoadOptions { data_dir, ..Default::default() };
                let mut csv = Vec::new();
                load(entry.name, &options)?.table.write_csv(&mut csv)?;
                match output {
                    None => print::bytes(&csv),
                    Some(path) => mge_io::write_atomically(&path, &csv)
                        .map_err(|error| anyhow!("cannot write {}: {error}", path.display())),
                }
            }
            DataCommand::Show { name, json, data_dir } => {
                let entry = catalogue::find(&name)?;
                if json { print::json(entry) } else { print::out(&show(entry, data_dir)?) }
            }
        }
    }
}

fn list() -> String {
    let mut text = format!(
        "{:<11} {:>6} {:>8} {:<9} {:>7}  {:<9} what it is\n",
        "name", "rows", "features", "task", "classes", "where"
    );
    for entry in catalogue::entries() {
        let location = if entry.is_embedded() { "built in" } else { "data dir" };
        let (task, classes) = match entry.kind {
            TargetKind::Classes => ("classify", entry.classes.to_string()),
            TargetKind::Values => ("regress", "-".to_owned()),
        };
        text += &format!(
            "{:<11} {:>6} {:>8} {task:<9} {classes:>7}  {location:<9} {}\n",
            entry.name, entry.rows, entry.features, entry.title
        );
    }
    text
}

fn show(entry: &Entry, data_dir: Option<PathBuf>) -> anyhow::Result<String> {
    let options = LoadOptions { data_dir, ..Default::default() };
    let data = load(entry.name, &options)?;
    let spread = match entry.kind {
        TargetKind::Classes => vec![("classes", balance(&data.class_target()?))],
        TargetKind::Values => {
            let summaries = data.describe().values;
            let several = summaries.len() > 1;
            let line = |summary: &TargetSummary| {
                let of = if several { format!("{}: ", summary.name) } else { String::new() };
                ("values", of + &value_line(summary))
            };
            summaries.iter().map(line).collect()
        }
    };
    let names = data.table.columns().iter().map(|column| column.name.as_str());
    let names: Vec<&str> = names.filter(|name| !entry.targets().any(|t| t == *name)).collect();
    let shown = names.iter().take(40).copied().collect::<Vec<_>>().join(", ");
    let more =
        if names.len() > 40 { format!(", and {} more", names.len() - 40) } else { String::new() };
    let split = match entry.protocol {
        Protocol::Fraction(fraction) => {
            format!("{:.0} % of the rows train, shuffled", 100.0 * fraction)
        }
        Protocol::Standard => "as published".to_owned(),
    };
    let mut lines = vec![
        ("name", format!("{}: {}", entry.name, entry.title)),
        ("rows", data.table.rows().to_string()),
        ("features", format!("{}: {shown}{more}", names.len())),
        ("target", entry.targets().collect::<Vec<_>>().join(", ")),
    ];
    lines.extend(spread);
    lines.extend([
        ("split", split),
        ("sha256", data.fingerprint.sha256.clone()),
        ("cite", entry.citation.to_owned()),
        ("licence", entry.licence.to_owned()),
    ]);
    Ok(print::table(&lines))
}

/// How many rows each class has.
fn balance(task: &ClassTarget) -> String {
    let rows_of = |class: usize| task.labels().iter().filter(|&&l| l as usize == class).count();
    let classes = task.classes().iter().enumerate();
    let counts = classes.map(|(index, class)| format!("{class}: {}", rows_of(index)));
    counts.collect::<Vec<String>>().join(", ")
}
