//! What a caller may say about a table before it is read.

use std::collections::BTreeMap;
use std::path::PathBuf;

use crate::form::FileForm;
use crate::progress::Progress;
use crate::table::Kind;

/// Which column holds the labels.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Target {
    /// The last column named `class`, `target`, `label` or `y` (in any case), else the last
    /// column; a [`Note`](crate::Note) says which was taken.
    #[default]
    Guess,
    /// This one; an error if there is none.
    Named(String),
    /// This one if there is one: for predicting, where the labels may be unknown.
    IfPresent(String),
    /// None.
    Absent,
}

/// The name if there is one, else a guess.
impl From<Option<String>> for Target {
    fn from(name: Option<String>) -> Self {
        name.map_or(Target::Guess, Target::Named)
    }
}

/// How to read a table. The default finds out everything by itself.
#[derive(Debug, Clone, Default)]
pub struct LoadOptions {
    /// The column of labels. It is known before cells are read, so that labels keep their text.
    pub target: Target,
    /// Columns to leave out; an error if there is no such column.
    pub drop: Vec<String>,
    /// Columns to take as categories although they look like numbers.
    pub as_category: Vec<String>,
    /// Columns to take as numbers; text in them is an error.
    pub as_number: Vec<String>,
    /// What a model expects of columns. Unlike the wishes above, columns that are not there are
    /// no error here: applying the model names all of them at once.
    pub expected: BTreeMap<String, Kind>,
    /// The values that a model knows of columns of text, the labels among them. They help to tell
    /// a header from a row; other values are no error here.
    pub values: BTreeMap<String, Vec<String>>,
    /// How the file was written that the model was made from; this one is read in the same way.
    pub form: FileForm,
    /// Columns that a model was told to leave out; no error if they are not there.
    pub ignore: Vec<String>,
    /// Whether columns that are neither expected nor the target are left unread, so that nothing
    /// in them can be wrong. For predicting; a table read so has another fingerprint.
    pub only_expected: bool,
    /// Told how far reading is.
    pub progress: Progress,
    /// A folder to look for `flame` and `mnist` in, before `MGE_DATA_DIR` and the user's cache.
    pub data_dir: Option<PathBuf>,
}

impl LoadOptions {
    /// The same wishes where a format knows its column of labels: no guess is needed.
    pub(crate) fn labelled(&self, label: Option<&String>) -> Self {
        let mut options = self.clone();
        if let (Target::Guess, Some(label)) = (&options.target, label)
            && !options.drop.contains(label)
        {
            options.target = Target::Named(label.clone());
        }
        options
    }
}
