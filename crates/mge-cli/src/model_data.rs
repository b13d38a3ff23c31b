//! Loading a model and the raw table it is to be used on.

use crate::print;
use mge::Model;
use mge::data::{LoadOptions, Loaded, Target, Unseen, load};
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
    let expected = model.preprocess.expected();
    let options = LoadOptions { target, expected, data_dir, ..Default::default() };
    load(spec, &options).into_diagnostic()
}

/// Tells about categories that the training rows did not have.
pub fn tell_unseen(unseen: &[Unseen]) {
    for one in unseen {
        print::note(format_args!("note: {one}"));
    }
}
