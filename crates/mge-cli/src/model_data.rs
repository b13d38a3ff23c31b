//! Loading a model and the raw table it is to be used on.

use crate::{loading, print};
use mge::Model;
use mge::data::{LoadOptions, Loaded, Target, Unseen};
use miette::IntoDiagnostic;
use std::path::{Path, PathBuf};

/// The model in a file.
pub fn model(path: &Path) -> miette::Result<Model> {
    Model::load(path).into_diagnostic()
}

/// A table, its columns read as the model needs them.
pub fn table(
    model: &Model,
    spec: &str,
    target: Target,
    data_dir: Option<PathBuf>,
) -> miette::Result<Loaded> {
    let options = LoadOptions { data_dir, ..model.load_options(target) };
    loading::table(spec, options, false)
}

/// Tells about categories that the training rows did not have.
pub fn tell_unseen(unseen: &[Unseen]) {
    for one in unseen {
        print::note(format_args!("note: {one}"));
    }
}
