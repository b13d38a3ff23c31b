//! `mge doctor`: what this program and this machine have, and what the rest would be needed for.

use crate::environment::VARIABLES;
use crate::print;
use clap::Args;
use mge::data::catalogue;
use mge::net::Level;
use mge_export::device::tools;
use serde::Serialize;
use std::path::PathBuf;

/// Check compilers, emulators, data folder, processor and build
///
/// Nothing that is missing stops `mge fit`. Each line says what it is needed for.
#[derive(Args)]
#[command(after_help = "Examples:
  mge doctor
  mge doctor --json")]
pub struct DoctorArgs {
    /// Folder with the files of flame and mnist [default: MGE_DATA_DIR, then the cache folder]
    #[arg(long, value_name = "DIR")]
    data_dir: Option<PathBuf>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// One thing that is there or not.
#[derive(Serialize)]
struct Check {
    group: &'static str,
    name: String,
    ok: bool,
    /// What was found, or how to get it.
    found: String,
    needed_for: &'static str,
}

impl DoctorArgs {
    /// Runs the subcommand.
    pub fn run(self) -> anyhow::Result<()> {
        let mut checks = vec![version(), threads(), simd()];
        checks.extend(features());
        checks.extend(data(self.data_dir));
        checks.extend(compilers());
        checks.push(browser());
        checks.extend(variables());
        if self.json { print::json(&checks) } else { print::out(&table(&checks)) }
    }
}

fn table(checks: &[Check]) -> String {
    let mut text = String::new();
    let width = checks.iter().map(|check| check.name.len()).max().unwrap_or(0);
    let mut group = "";
    for check in checks {
        if check.group != group {
            let space = if text.is_empty() { "" } else { "\n" };
            text += &format!("{space}{}\n", check.group);
            group = check.group;
        }
        let state = if check.ok { "ok     " } else { "missing" };
        let mut line = format!("  {state}  {:<width$}", check.name);
        for (separator, part) in [("  ", check.found.as_str()), ("; for ", check.needed_for)] {
            if !part.is_empty() {
                line += separator;
                line += &print::harmless(part);
            }
        }
        text += &line;
        text.push('\n');
    }
    text
}

fn version() -> Check {
    Check {
        group: "program",
        name: "mge".to_owned(),
        ok: true,
        found: crate::VERSION.to_owned(),
        needed_for: "",
    }
}

fn threads() -> Check {
    let threads = std::thread::available_parallelism();
    Check {
        group: "program",
        name: "threads".to_owned(),
        ok: threads.is_ok(),
        found: threads.map_or_else(|error| error.to_string(), |count| count.to_string()),
        needed_for: "speed",
    }
}

fn simd() -> Check {
    let level = Level::chosen();
    let found = match &level {
        Ok(level) => {
            let all: Vec<&str> = Level::available().into_iter().map(Level::name).collect();
            format!("{level}, of {}", all.join(", "))
        }
        Err(error) => error.to_string(),
    };
    Check {
        group: "program",
        name: "SIMD".to_owned(),
        ok: level.is_ok(),
        found,
        needed_for: "speed",
    }
}

/// What the build has.
pub const FEATURES: [(&str, bool, &str); 6] = [
    ("mimalloc", cfg!(feature = "mimalloc"), "searches some 5 to 10 % faster"),
    ("parquet", cfg!(feature = "parquet"), "Parquet files"),
    ("png", cfg!(feature = "png"), "mge draw -o net.png"),
    ("research", cfg!(feature = "research"), "mge experiment, analyze, paper and bench"),
    ("sqlite", cfg!(feature = "sqlite"), "the SQLite index of experiments"),
    ("manual", cfg!(feature = "manual"), "mge man"),
];

fn features() -> impl Iterator<Item = Check> {
    FEATURES.into_iter().map(|(name, ok, needed_for)| Check {
        group: "features of this build",
        name: name.to_owned(),
        ok,
        found: if ok { "built in" } else { "cargo install --path crates/mge-cli --features full" }
            .to_owned(),
        needed_for,
    })
}

/// The folders of data sets, and the data sets that are not inside the program. Only files are
/// looked for.
fn data(data_dir: Option<PathBuf>) -> Vec<Check> {
    const GROUP: &str = "data sets outside of the program";
    let folders = catalogue::data_folders(data_dir.as_deref()).into_iter();
    let mut checks: Vec<Check> = folders
        .map(|folder| Check {
            group: GROUP,
            name: "folder".to_owned(),
            ok: folder.is_dir(),
            found: folder.display().to_string(),
            needed_for: "",
        })
        .collect();
    let outside = catalogue::entries().iter().filter(|entry| !entry.is_embedded());
    let check = |entry: &catalogue::Entry| {
        let files = entry.files(data_dir.as_deref());
        Check {
            group: GROUP,
            name: entry.name.to_owned(),
            ok: files.is_ok(),
            found: match files {
                Ok(files) => files.first().map_or_else(String::new, |f| f.display().to_string()),
                Err(_) => "put its files into such a folder; MGE_DATA_DIR names one".to_owned(),
            },
            needed_for: "the data set of that name",
        }
    };
    checks.extend(outside.map(check));
    checks
}

fn compilers() -> impl Iterator<Item = Check> {
    tools().into_iter().map(|tool| Check {
        group: "compilers and emulators",
        name: tool.name.to_owned(),
        ok: tool.path.is_some(),
        found: match tool.path {
            Some(path) => path.display().to_string(),
            None => format!("Debian package {}", tool.package),
        },
        needed_for: tool.needed_for,
    })
}

fn browser() -> Check {
    let is_there = crate::open::has_display();
    Check {
        group: "browser",
        name: "display".to_owned(),
        ok: is_there,
        found: if is_there { "found" } else { "mge open prints the path of the page" }.to_owned(),
        needed_for: "mge open",
    }
}

fn variables() -> impl Iterator<Item = Check> {
    VARIABLES.iter().filter_map(|variable| {
        let value = std::env::var_os(variable.name)?;
        Some(Check {
            group: "environment variables that are set",
            name: variable.name.to_owned(),
            ok: true,
            found: value.to_string_lossy().into_owned(),
            needed_for: "",
        })
    })
}
