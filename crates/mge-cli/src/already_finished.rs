//! `mge fit --resume` of a run that has nothing left to do.

use crate::print;
use mge::evolve::StopReason;
use mge::{Model, RunFolder};
use serde::Serialize;
use std::path::PathBuf;

/// What `fit --json` prints then.
#[derive(Serialize)]
struct AlreadyFinished {
    already_finished: bool,
    generations: u64,
    stop_reason: String,
    model: PathBuf,
}

/// The model of a run that ended by itself. A run that somebody stopped can go on.
pub fn model(folder: &RunFolder) -> Option<Model> {
    let model = Model::load(&folder.model_file()).ok()?;
    (model.search.stop_reason != StopReason::Interrupted).then_some(model)
}

/// Says that a run is finished, and how it could go on.
pub fn print(folder: &RunFolder, model: &Model, json: bool) -> anyhow::Result<()> {
    let (path, search) = (folder.path().display(), &model.search);
    if json {
        return print::json(&AlreadyFinished {
            already_finished: true,
            generations: search.generations,
            stop_reason: search.stop_reason.to_string(),
            model: folder.model_file(),
        });
    }
    let generations = print::count(search.generations as usize, "generation");
    print::out(&format!(
        "{path} is already finished: {generations}, end: {}\n\
         to go on, give a new limit: mge fit --resume {path} --generations {}\n",
        search.stop_reason,
        2 * search.generations
    ))?;
    if !folder.report_file().is_file() {
        print::note(format_args!("it has no report.html; mge report {path} writes it"));
    }
    Ok(())
}
