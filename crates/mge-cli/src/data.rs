//! `mge data`: the built-in data sets, and what is in a table.

use crate::describe::DescribeArgs;
use crate::print;
use clap::{Args, Subcommand};
use mge::data::catalogue::{self, Entry, Protocol};
use mge::data::{LoadOptions, load};
use std::path::PathBuf;

/// List and show built-in data sets, or describe a table
#[derive(Args)]
#[command(after_help = "Examples:
  mge data list
  mge data show wine
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
    Describe(Box<DescribeArgs>),
}

impl DataArgs {
    /// Runs the subcommand.
    pub fn run(self) -> anyhow::Result<()> {
        match self.command {
            DataCommand::List { json: true } => print::json(&catalogue::entries()),
            DataCommand::List { json: false } => print::out(&list()),
            DataCommand::Describe(args) => args.run(),
            DataCommand::Show { name, json, data_dir } => {
                let entry = catalogue::find(&name)?;
                if json { print::json(entry) } else { print::out(&show(entry, data_dir)?) }
            }
        }
    }
}

fn list() -> String {
    let mut text = format!(
        "{:<11} {:>6} {:>8} {:>7}  {:<9} what it is\n",
        "name", "rows", "features", "classes", "where"
    );
    for entry in catalogue::entries() {
        let location = if entry.is_embedded() { "built in" } else { "data dir" };
        text += &format!(
            "{:<11} {:>6} {:>8} {:>7}  {:<9} {}\n",
            entry.name, entry.rows, entry.features, entry.classes, location, entry.title
        );
    }
    text
}

fn show(entry: &Entry, data_dir: Option<PathBuf>) -> anyhow::Result<String> {
    let options = LoadOptions { data_dir, ..Default::default() };
    let data = load(entry.name, &options)?;
    let task = data.class_target()?;
    let balance: Vec<String> = task
        .classes()
        .iter()
        .enumerate()
        .map(|(index, class)| {
            let rows = task.labels().iter().filter(|&&label| label as usize == index).count();
            format!("{class}: {rows}")
        })
        .collect();
    let names = data.table.columns().iter().map(|column| column.name.as_str());
    let names: Vec<&str> = names.filter(|name| *name != entry.target).collect();
    let shown = names.iter().take(40).copied().collect::<Vec<_>>().join(", ");
    let more =
        if names.len() > 40 { format!(", and {} more", names.len() - 40) } else { String::new() };
    let split = match entry.protocol {
        Protocol::Fraction(fraction) => {
            format!("{:.0} % of the rows train, shuffled", 100.0 * fraction)
        }
        Protocol::Standard => "as published".to_owned(),
    };
    Ok(print::table(&[
        ("name", format!("{}: {}", entry.name, entry.title)),
        ("rows", data.table.rows().to_string()),
        ("features", format!("{}: {shown}{more}", names.len())),
        ("target", entry.target.to_owned()),
        ("classes", balance.join(", ")),
        ("split", split),
        ("sha256", data.fingerprint.sha256.clone()),
        ("cite", entry.citation.to_owned()),
        ("licence", entry.licence.to_owned()),
    ]))
}
