//! The run folder: everything a run leaves on disk, each file written whole or not at all.
//!
//! | file | content |
//! | --- | --- |
//! | `run.json` | data and settings; written first, so that a killed run can be resumed. At the end time and machine |
//! | `checkpoint.bin` | the state of the search, every few seconds |
//! | `curves.csv` | accuracy, size and diversity at some generations; written with checkpoints |
//! | `events.jsonl` | the events of the search, one on a line, as they happen |
//! | `tensorboard/` | the same numbers for TensorBoard, if asked for |
//! | `history.csv` | one line for each generation; written at the end |
//! | `baselines.json` | what simpler models reach on the same rows |
//! | `front.json` | the best network at every size, from methods that keep a front |
//! | `front-metrics.json` | the metrics of those networks on the training and the test rows |
//! | `calibration.bin` | rows to choose integers from, for exports: see [`Calibration`](crate::Calibration) |
//! | `report.html` | the report of the run; written by `mge-report` |
//! | `model.json` | the model; written last, so its presence means the run is complete |

use crate::calibration::FILE_NAME as CALIBRATION_FILE;
use crate::{Fitted, ResolvedSettings, RunRecord};
use mge_data::Fingerprint;
use mge_evolve::Record;
use mge_io::{remove_unfinished, write_atomically};
use serde::{Deserialize, Serialize};
use std::fmt::Write;
use std::io;
use std::path::{Path, PathBuf};
use thiserror::Error;

const FORMAT: &str = "mge-run";
const VERSION: u32 = 2;

/// A folder that belongs to one run.
#[derive(Debug, Clone)]
pub struct RunFolder {
    path: PathBuf,
}

/// What a run is about to do: enough to repeat or to resume it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RunPlan {
    format: String,
    version: u32,
    /// Where the data is.
    pub source: RunSource,
    /// The settings.
    pub settings: ResolvedSettings,
    /// The commands that made the run, each as its arguments: the first one, then those that resumed
    /// it. Empty for runs that no command made.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub commands: Vec<Vec<String>>,
    /// Time and machine of the finished run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub record: Option<RunRecord>,
}

/// Where a run's data is, from wherever it is resumed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RunSource {
    /// A built-in name, or the absolute path of a file.
    pub data: String,
    /// What the data was, so that a change is noticed.
    pub fingerprint: Fingerprint,
    /// The folder that the user named for data sets that are not built in.
    pub data_dir: Option<PathBuf>,
    /// A file with the test rows, if they came in one of their own.
    pub test: Option<String>,
    /// The column of labels, if the user named it.
    pub target: Option<String>,
}

impl RunPlan {
    /// A plan.
    pub fn new(source: RunSource, settings: ResolvedSettings) -> Self {
        let (format, version, commands) = (FORMAT.to_owned(), VERSION, Vec::new());
        Self { format, version, source, settings, commands, record: None }
    }

    /// The plan with one more command that works on it.
    pub fn with_command(mut self, arguments: Vec<String>) -> Self {
        self.commands.push(arguments);
        self
    }
}

/// A run folder that cannot be used.
#[derive(Debug, Error)]
pub enum FolderError {
    /// The folder cannot be made.
    #[error("cannot make the run folder {}: {source}", path.display())]
    Make {
        /// The folder.
        path: PathBuf,
        /// The reason.
        source: io::Error,
    },
    /// The folder holds another run already.
    #[error(
        "{} holds a run already; resume it by --resume {0}, or choose another folder",
        path.display()
    )]
    Taken {
        /// The folder.
        path: PathBuf,
    },
    /// The folder holds a file that the run would write.
    #[error("{} exists already and is not part of a run; choose another folder", path.display())]
    Foreign {
        /// The file.
        path: PathBuf,
    },
    /// A file cannot be written.
    #[error("cannot write {}: {source}", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// The reason.
        source: io::Error,
    },
    /// A file cannot be read.
    #[error("cannot read {}: {source}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// The reason.
        source: io::Error,
    },
    /// There is no run to resume.
    #[error("{} holds no run: cannot read run.json: {source}", path.display())]
    NoRun {
        /// The folder.
        path: PathBuf,
        /// The reason.
        source: io::Error,
    },
    /// The plan cannot be understood.
    #[error("{} is damaged: {reason}", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// Where and why.
        reason: String,
    },
}

impl RunFolder {
    /// Makes the folder and writes the plan into it, which shows that it can be written to. A folder
    /// that holds a run is refused.
    pub fn create(path: impl Into<PathBuf>, plan: &RunPlan) -> Result<Self, FolderError> {
        let folder = Self { path: path.into() };
        if folder.plan_file().exists() {
            return Err(FolderError::Taken { path: folder.path });
        }
        let files = [
            folder.checkpoint_file(),
            folder.history_file(),
            folder.model_file(),
            folder.curves_file(),
            folder.front_file(),
            folder.front_metrics_file(),
            folder.report_file(),
            folder.baselines_file(),
            folder.calibration_file(),
        ];
        if let Some(path) = files.into_iter().find(|file| file.exists()) {
            return Err(FolderError::Foreign { path });
        }
        std::fs::create_dir_all(&folder.path)
            .map_err(|source| FolderError::Make { path: folder.path.clone(), source })?;
        folder.write_plan(plan)?;
        Ok(folder)
    }

    /// Opens the folder of an earlier run, to resume it.
    pub fn open(path: impl Into<PathBuf>) -> Result<(Self, RunPlan), FolderError> {
        let folder = Self { path: path.into() };
        let plan = folder.plan()?;
        // A killed run may have left some. If they cannot be removed, the run can resume all the same.
        let _ = remove_unfinished(&folder.path);
        Ok((folder, plan))
    }

    /// Reads the folder of a run, which may be under way, and changes nothing. The folder of a fold
    /// has the plan of its run.
    pub fn read(path: impl Into<PathBuf>) -> Result<(Self, RunPlan), FolderError> {
        let folder = Self { path: path.into() };
        let missing = match folder.plan() {
            Err(error @ FolderError::NoRun { .. }) => error,
            plan => return Ok((folder, plan?)),
        };
        let is_fold = folder.path.file_name().is_some_and(|name| {
            let number = name.to_str().and_then(|name| name.strip_prefix("fold-"));
            number.is_some_and(|number| number.parse::<usize>().is_ok())
        });
        match folder.path.parent() {
            Some(run) if is_fold && folder.model_file().exists() => {
                let plan = Self { path: run.to_owned() }.plan()?;
                // Its time is that of the final model.
                Ok((folder, RunPlan { record: None, ..plan }))
            }
            _ => Err(missing),
        }
    }

    fn plan(&self) -> Result<RunPlan, FolderError> {
        let file = self.plan_file();
        let text = std::fs::read_to_string(&file)
            .map_err(|source| FolderError::NoRun { path: self.path.clone(), source })?;
        let damaged = |reason| FolderError::Damaged { path: file.clone(), reason };
        let plan: RunPlan =
            serde_json::from_str(&text).map_err(|error| damaged(error.to_string()))?;
        if plan.format != FORMAT || plan.version != VERSION {
            let found = format!("it is {} version {}", plan.format, plan.version);
            return Err(damaged(format!("{found}, expected {FORMAT} version {VERSION}")));
        }
        Ok(plan)
    }

    /// The folder of one fold of a cross-validation, from 0: `fold-1` and so on, made if needed. It
    /// has all that a run has, but no plan of its own.
    pub fn fold(&self, fold: usize) -> Result<Self, FolderError> {
        let path = self.path.join(format!("fold-{}", fold + 1));
        std::fs::create_dir_all(&path)
            .map_err(|source| FolderError::Make { path: path.clone(), source })?;
        Ok(Self { path })
    }

    /// Writes the plan, for a new run or for one that is resumed under other stopping rules.
    pub fn write_plan(&self, plan: &RunPlan) -> Result<(), FolderError> {
        let json = serde_json::to_string_pretty(plan)
            .expect("a plan has text keys and finite numbers only");
        self.write(self.plan_file(), &json)
    }

    /// Writes what the run found; the model last.
    pub fn save(&self, fitted: &Fitted) -> Result<(), FolderError> {
        self.write(self.history_file(), &history_csv(&fitted.history))?;
        if let Some(front) = &fitted.front {
            let path = self.front_file();
            front.save(&path).map_err(|source| FolderError::Write { path, source })?;
            let path = self.front_metrics_file();
            front.save_metrics(&path).map_err(|source| FolderError::Write { path, source })?;
        }
        if !fitted.baselines.is_empty() {
            let json = serde_json::to_string_pretty(&fitted.baselines)
                .expect("names and finite numbers only");
            self.write(self.baselines_file(), &json)?;
        }
        let front = fitted.front.iter().flat_map(|front| &front.points);
        let networks = front.map(|point| &point.member.network).chain([&fitted.model.network]);
        let calibration = fitted.calibration.for_networks(networks);
        calibration
            .write(&self.path)
            .map_err(|source| FolderError::Write { path: self.calibration_file(), source })?;
        // The folder of a fold has no plan of its own.
        if self.plan_file().exists() {
            self.write_plan(&RunPlan { record: Some(fitted.run.clone()), ..self.plan()? })?;
        }
        self.write(self.model_file(), &fitted.model.to_json())
    }

    fn write(&self, path: PathBuf, text: &str) -> Result<(), FolderError> {
        write_atomically(&path, text.as_bytes())
            .map_err(|source| FolderError::Write { path, source })
    }

    /// The folder.
    pub fn path(&self) -> &Path {
        &self.path
    }

    fn plan_file(&self) -> PathBuf {
        self.path.join("run.json")
    }

    /// Where checkpoints go.
    pub fn checkpoint_file(&self) -> PathBuf {
        self.path.join("checkpoint.bin")
    }

    /// Where the history goes.
    pub fn history_file(&self) -> PathBuf {
        self.path.join("history.csv")
    }

    /// `events.jsonl`.
    pub fn events_file(&self) -> PathBuf {
        self.path.join("events.jsonl")
    }

    /// `tensorboard`, a folder.
    pub fn tensorboard_folder(&self) -> PathBuf {
        self.path.join("tensorboard")
    }

    /// Where the learning curves go.
    pub fn curves_file(&self) -> PathBuf {
        self.path.join("curves.csv")
    }

    /// Where the front goes, of methods that keep one.
    pub fn front_file(&self) -> PathBuf {
        self.path.join("front.json")
    }

    /// Where the metrics of the networks of the front go. They are on training and test rows, so
    /// they stay out of `front.json`, which people choose by.
    pub fn front_metrics_file(&self) -> PathBuf {
        self.path.join("front-metrics.json")
    }

    /// Where the baselines go, if there are any.
    pub fn baselines_file(&self) -> PathBuf {
        self.path.join("baselines.json")
    }

    /// Where the calibration goes.
    pub fn calibration_file(&self) -> PathBuf {
        self.path.join(CALIBRATION_FILE)
    }

    /// Where the report goes.
    pub fn report_file(&self) -> PathBuf {
        self.path.join("report.html")
    }

    /// The history that [`RunFolder::save`] wrote.
    pub fn history(&self) -> Result<Vec<Record>, FolderError> {
        let path = self.history_file();
        let text = std::fs::read_to_string(&path)
            .map_err(|source| FolderError::Read { path: path.clone(), source })?;
        let lines = text.lines().enumerate().skip(1);
        let records = lines.map(|(number, line)| {
            read_record(line).ok_or_else(|| FolderError::Damaged {
                path: path.clone(),
                reason: format!("line {}: expected six numbers", number + 1),
            })
        });
        records.collect()
    }

    /// Where the model goes.
    pub fn model_file(&self) -> PathBuf {
        self.path.join("model.json")
    }
}

fn history_csv(history: &[Record]) -> String {
    let mut text = String::from(
        "generation,evaluations,best_loss,mean_loss,invalid_individuals,invalid_genes\n",
    );
    for r in history {
        let (best, mean) = (r.best_loss, r.mean_loss);
        let invalid = (r.invalid_individuals, r.invalid_parts);
        // Writing to a string cannot fail.
        let _ = writeln!(
            text,
            "{},{},{best},{mean},{},{}",
            r.generation, r.evaluations, invalid.0, invalid.1
        );
    }
    text
}

fn read_record(line: &str) -> Option<Record> {
    let cells: Vec<&str> = line.split(',').collect();
    let [generation, evaluations, best, mean, individuals, genes] = cells.as_slice() else {
        return None;
    };
    Some(Record {
        generation: generation.parse().ok()?,
        evaluations: evaluations.parse().ok()?,
        best_loss: best.parse().ok()?,
        mean_loss: mean.parse().ok()?,
        invalid_individuals: individuals.parse().ok()?,
        invalid_parts: genes.parse().ok()?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn history_is_read_as_it_was_written() {
        let record = |generation: u64, best_loss: f64| Record {
            generation,
            evaluations: 20 * generation,
            best_loss,
            mean_loss: f64::INFINITY,
            invalid_individuals: 3,
            invalid_parts: 7,
        };
        let history = vec![record(1, 0.1 + 0.2), record(2, f64::MIN_POSITIVE)];
        let text = history_csv(&history);
        let read: Vec<Record> = text.lines().skip(1).filter_map(read_record).collect();
        assert_eq!(read, history);
        assert_eq!(read_record("1,2,3"), None);
    }
}
