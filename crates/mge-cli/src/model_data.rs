//! Loading a model and the raw table it is to be used on.

use crate::{loading, print};
use mge::Model;
use mge::data::{LoadOptions, Loaded, UnseenCategories};
use std::path::Path;

/// The model in a file.
pub fn model(path: &Path) -> anyhow::Result<Model> {
    Model::load(path).map_err(anyhow::Error::from)
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
