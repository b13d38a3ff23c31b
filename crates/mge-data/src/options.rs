//! Options for loading a table.

use std::collections::BTreeMap;
use std::path::PathBuf;

use crate::file_layout::FileLayout;
use crate::progress::ReadProgress;
use crate::table::ColumnKind;

/// Which columns are the targets: a column of classes, or one or several columns of numbers.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum TargetColumn {
    /// The last column named `class`, `target`, `label` or `y` (in any case), else the last
    /// column; a [`Note`](crate::Note) says which was taken.
    #[default]
    Guess,
    /// As a user writes it: the name of a column, or several names separated by commas. A name may
    /// hold commas. An error if there is no such column.
    Named(String),
    /// The columns with these names; an error if one is absent.
    Exactly(Vec<String>),
    /// Those of these columns that there are: for predicting, where targets may be unknown.
    IfPresent(Vec<String>),
    /// None.
    Absent,
}

/// The columns that the user named, or [`TargetColumn::Guess`].
impl From<Option<String>> for TargetColumn {
    fn from(name: Option<String>) -> Self {
        name.map_or(TargetColumn::Guess, TargetColumn::Named)
    }
}

/// How to read a table. The default infers everything.
#[derive(Debug, Clone, Default)]
pub struct LoadOptions {
    /// The targets. They are chosen before cells are read, so that their cells keep their text.
    pub target: TargetColumn,
    /// Columns to leave out; an error if there is no such column.
    pub drop: Vec<String>,
    /// Columns to take as categories although they look like numbers.
    pub as_category: Vec<String>,
    /// Columns to take as numbers; text in them is an error.
    pub as_number: Vec<String>,
    /// The column kinds that a model expects. A missing column is no error here: applying the
    /// model reports all missing columns at once.
    pub expected: BTreeMap<String, ColumnKind>,
    /// The known values of text columns, labels included, from a model. They help to tell a header
    /// from a row. Other values are no error here.
    pub values: BTreeMap<String, Vec<String>>,
    /// The layout of the model's training file; this file is read in the same way.
    pub layout: FileLayout,
    /// Columns that the training left out; no error if they are missing.
    pub ignore: Vec<String>,
    /// Whether to skip columns that are neither expected nor the target, so that errors in them do
    /// not matter. For predicting. The table then has a different fingerprint.
    pub only_expected: bool,
    /// Receives the progress of reading.
    pub progress: ReadProgress,
    /// A folder to look for `flame` and `mnist` in, before `MGE_DATA_DIR` and the user's cache.
    pub data_dir: Option<PathBuf>,
}

impl LoadOptions {
    /// The same options for a format that knows its column of labels.
    pub(crate) fn with_labels(&self, label: Option<&String>) -> Self {
        let mut options = self.clone();
        if let (TargetColumn::Guess, Some(label)) = (&options.target, label)
            && !options.drop.contains(label)
        {
            options.target = TargetColumn::Named(label.clone());
        }
        options
    }
}
