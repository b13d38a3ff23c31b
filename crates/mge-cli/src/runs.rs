//! `mge runs`: a table of the runs in a folder.

use crate::print;
use anyhow::anyhow;
use clap::Args;
use mge::{Model, NetworkFront, RunFolder, utc};
use mge_report::clean;
use serde::Serialize;
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

/// Folders below the given one that are looked into.
const MAX_DEPTH: usize = 3;

/// List the runs in a folder: data, method, seed, accuracy, size, state
///
/// The newest run is the last. The accuracy is that of the validation rows, which chose the network.
/// Methods that keep no front have none. `mge report` compares test figures.
#[derive(Args)]
#[command(after_help = "Examples:
  mge runs
  mge runs old-runs --json")]
pub struct RunsArgs {
    /// Folder with runs, or a run
    #[arg(value_name = "DIR", default_value = "runs")]
    folder: PathBuf,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// One run, as printed.
#[derive(Serialize)]
struct RunLine {
    folder: PathBuf,
    /// `finished`, `unfinished` or `damaged`.
    state: &'static str,
    /// Why it is damaged.
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
    /// When the search ended; of an unfinished run, when it was last continued.
    when: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    data: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    method: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    seed: Option<u64>,
    /// Of methods that keep a front.
    #[serde(skip_serializing_if = "Option::is_none")]
    validation_accuracy: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    operations: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    bytes: Option<usize>,
}

impl RunsArgs {
    /// Runs the subcommand.
    pub fn run(self) -> anyhow::Result<()> {
        let shown = self.folder.display();
        if !self.folder.is_dir() {
            return Err(anyhow!(
                "{shown}: no such folder; expected one with runs, such as `mge fit` makes in runs"
            ));
        }
        let mut lines: Vec<RunLine> =
            run_folders(&self.folder, MAX_DEPTH).into_iter().map(RunLine::of).collect();
        lines.sort_by(|a, b| a.when.cmp(&b.when).then_with(|| a.folder.cmp(&b.folder)));
        if self.json {
            return print::json(&lines);
        }
        if lines.is_empty() {
            return print::out(&format!("{shown} has no runs\n"));
        }
        print::out(&table(&lines))
    }
}

/// The run folders in a folder, or the folder itself.
pub fn run_folders(folder: &Path, depth: usize) -> Vec<PathBuf> {
    if folder.join("run.json").is_file() {
        return vec![folder.to_owned()];
    }
    if depth == 0 {
        return Vec::new();
    }
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    // A link may lead back up.
    let folders = entries.filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir()));
    let mut found: Vec<PathBuf> =
        folders.flat_map(|entry| run_folders(&entry.path(), depth - 1)).collect();
    found.sort();
    found
}

impl RunLine {
    fn of(folder: PathBuf) -> Self {
        let mut line = Self {
            state: "unfinished",
            reason: None,
            when: changed(&folder.join("run.json")),
            data: None,
            method: None,
            seed: None,
            validation_accuracy: None,
            operations: None,
            bytes: None,
            folder,
        };
        if let Err(error) = line.read() {
            line.state = "damaged";
            line.reason = Some(error.to_string());
        }
        line
    }

    fn read(&mut self) -> anyhow::Result<()> {
        let (run, plan) = RunFolder::read(&self.folder)?;
        let name = Path::new(&plan.source.data).file_name().unwrap_or_default();
        self.data = Some(name.to_string_lossy().into_owned());
        self.method = Some(plan.settings.method.short_name().to_owned());
        self.seed = Some(plan.settings.seed);
        if !run.model_file().is_file() {
            return Ok(());
        }
        let model = Model::load(&run.model_file())?;
        self.state = "finished";
        let record = plan.record.as_ref().or(model.old_run_record());
        if let Some(record) = record.filter(|record| !record.date.is_empty()) {
            self.when = record.date.clone();
        }
        self.operations = Some(model.size.operations);
        self.bytes = Some(mge::net::table_bytes(&model.network));
        if run.front_file().is_file() {
            let front = NetworkFront::load(&run.front_file())?;
            let own = front.points.iter().find(|point| point.member.network == model.network);
            self.validation_accuracy = own.map(|point| point.member.accuracy);
        }
        Ok(())
    }
}

/// When a file was last written.
fn changed(file: &Path) -> String {
    let time = std::fs::metadata(file).and_then(|file| file.modified()).ok();
    let seconds = time.and_then(|time| time.duration_since(UNIX_EPOCH).ok());
    seconds.map_or_else(String::new, |since| utc(since.as_secs()))
}

fn table(lines: &[RunLine]) -> String {
    let head =
        ["run", "data", "method", "seed", "validation", "operations", "bytes", "when", "state"];
    let known = |text: Option<String>| text.unwrap_or_else(|| "-".to_owned());
    let number = |value: Option<usize>| known(value.map(|value| value.to_string()));
    let mut rows = vec![head.map(str::to_owned)];
    rows.extend(lines.iter().map(|line| {
        // Minutes are enough to tell runs apart.
        let when = line.when.get(..16).unwrap_or("-").replace('T', " ");
        [
            clean(&line.folder.display().to_string()),
            known(line.data.as_deref().map(clean)),
            known(line.method.clone()),
            known(line.seed.map(|seed| seed.to_string())),
            known(line.validation_accuracy.map(|accuracy| format!("{accuracy:.4}"))),
            number(line.operations),
            number(line.bytes),
            when,
            match &line.reason {
                Some(reason) => format!("{}: {}", line.state, clean(reason)),
                None => line.state.to_owned(),
            },
        ]
    }));
    print::columns(&rows, &[3, 4, 5, 6])
}
