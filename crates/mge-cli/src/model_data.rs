//! What commands work on: the model of a run folder or of a file, the run that it belongs to, and
//! the raw table that it is to be used on.

use crate::{loading, print};
use anyhow::anyhow;
use mge::data::{LoadOptions, Loaded, UnseenCategories};
use mge::{Model, ModelError, RunFolder};
use std::path::{Path, PathBuf};

/// A model, and the file that it is from. What belongs to its run is beside that file.
pub struct ModelFile {
    /// The file.
    pub path: PathBuf,
    /// Its model.
    pub model: Model,
}

/// The model of a run folder or of a file.
pub fn open(spec: &Path) -> anyhow::Result<ModelFile> {
    let path = if spec.is_dir() { model_in(spec)? } else { spec.to_owned() };
    let model = Model::load(&path).map_err(|error| explained(&path, error))?;
    Ok(ModelFile { path, model })
}

/// The model of a run folder or of a file, for commands that need nothing beside it.
pub fn model(spec: &Path) -> anyhow::Result<Model> {
    open(spec).map(|file| file.model)
}

/// The run folder that is meant: a folder itself, or that of a file in it, such as `model.json`.
pub fn run_folder(spec: &Path) -> anyhow::Result<PathBuf> {
    if spec.is_dir() {
        return if RunFolder::read(spec).is_ok() { Ok(spec.to_owned()) } else { no_run_in(spec) };
    }
    let shown = spec.display();
    if !spec.exists() {
        return Err(anyhow!("{shown}: no such run folder{}", elsewhere(spec)));
    }
    let folder = match spec.parent() {
        Some(folder) if folder != Path::new("") => folder,
        _ => Path::new("."),
    };
    if RunFolder::read(folder).is_ok() {
        return Ok(folder.to_owned());
    }
    Err(anyhow!("{shown} is not in a run folder; expected the folder of a run"))
}

/// The folder of a finished run.
pub fn finished_run(spec: &Path) -> anyhow::Result<PathBuf> {
    let folder = run_folder(spec)?;
    model_in(&folder)?;
    Ok(folder)
}

/// The model file of a run folder.
fn model_in(folder: &Path) -> anyhow::Result<PathBuf> {
    let file = folder.join("model.json");
    if file.is_file() {
        return Ok(file);
    }
    let shown = folder.display();
    match RunFolder::read(folder) {
        Ok(_) => Err(anyhow!(
            "the run in {shown} is not finished, so it has no model.json yet; \
             `mge fit --resume {shown}` finishes it"
        )),
        Err(_) => no_run_in(folder),
    }
}

/// The error for a folder that is not that of a run.
fn no_run_in<T>(folder: &Path) -> anyhow::Result<T> {
    let shown = folder.display();
    // A plan that cannot be read is worth its own message.
    if folder.join("run.json").exists() {
        RunFolder::read(folder)?;
    }
    let runs = runs_below(folder);
    let Some(first) = runs.first() else {
        return Err(anyhow!(
            "{shown} is not a run folder: it has neither run.json nor model.json; expected a run \
             folder or a model file"
        ));
    };
    let (first, count) = (first.display(), print::count(runs.len(), "run"));
    Err(anyhow!(
        "{shown} is a folder of {count}; expected one of them, such as {first} \
         (`mge runs {shown}` lists them)"
    ))
}

/// The run folders directly below a folder, by name.
pub fn runs_below(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut runs: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
    runs.retain(|path| path.join("run.json").is_file());
    runs.sort();
    runs
}

/// What is wrong with a model file, and which file may be meant.
fn explained(path: &Path, error: ModelError) -> anyhow::Error {
    let shown = path.display();
    match &error {
        ModelError::Read { source, .. } if source.kind() == std::io::ErrorKind::NotFound => {
            anyhow!("{error}{}", elsewhere(path))
        }
        ModelError::NotAModel { .. } => {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            let folder = path.parent().unwrap_or(Path::new(""));
            let run = if folder == Path::new("") { Path::new(".") } else { folder }.display();
            match name.as_ref() {
                "front.json" => anyhow!(
                    "{shown} is the front of a run, not a model; expected {}, or the model that \
                     `mge pick {run} --out FILE` writes",
                    folder.join("model.json").display()
                ),
                name if RUN_FILES.contains(&name) && folder.join("run.json").is_file() => anyhow!(
                    "{shown} is a file of a run, not its model; expected {} or the folder",
                    folder.join("model.json").display()
                ),
                _ => anyhow!(error),
            }
        }
        _ => anyhow!(error),
    }
}

/// What else a run writes; see `mge::RunFolder`.
const RUN_FILES: [&str; 8] = [
    "run.json",
    "front-metrics.json",
    "baselines.json",
    "calibration.bin",
    "checkpoint.bin",
    "history.csv",
    "curves.csv",
    "report.html",
];

/// Names the run of this name below `runs`, where `mge fit` puts them.
fn elsewhere(path: &Path) -> String {
    let below = Path::new("runs").join(path);
    let is_run = path.is_relative() && below.join("run.json").is_file();
    if is_run { format!("; did you mean {}?", below.display()) } else { String::new() }
}

/// A table, its columns read as the options of a model say.
pub fn table(spec: &str, options: LoadOptions) -> anyhow::Result<Loaded> {
    loading::table(spec, options, false)
}

/// Tells about categories that the training rows did not have.
pub fn report_unseen(unseen: &[UnseenCategories]) {
    for one in unseen {
        print::note(format_args!("note: {one}"));
    }
}
