//! Data sets by name: those of the paper, and tables and functions with numeric targets.
//!
//! Fifteen tables are embedded in the program (see `data/README.md` of this crate for sources,
//! licences and checksums). Functions such as `friedman1` give rows that are drawn. `flame` and
//! `mnist` are read from a data folder: the caller's, then `MGE_DATA_DIR`, then `mge/data` in the
//! user's cache folder.

mod entries;
mod folder;
mod functions;

pub use entries::entries;

use serde::Serialize;
use std::io::Cursor;
use std::path::{Path, PathBuf};

use crate::detect_task::TargetKind;
use crate::error::{CatalogueError, DataError};
use crate::load::{Loaded, from_input};
use crate::nearest::nearest;
use crate::note::Note;
use crate::options::{LoadOptions, TargetColumn};
use crate::read::Input;

/// How the paper splits a data set (decision 17).
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Protocol {
    /// A random part of the rows for training, the rest for testing.
    Fraction(f64),
    /// The data set comes with a test part.
    Standard,
}

/// The catalogue entry of a data set.
#[derive(Debug, Clone, Serialize)]
pub struct Entry {
    /// The name on the command line.
    pub name: &'static str,
    /// What it is.
    pub title: &'static str,
    /// How many rows, the standard test part not counted.
    pub rows: usize,
    /// How many columns besides the targets.
    pub features: usize,
    /// What the target is.
    #[serde(rename = "task")]
    pub kind: TargetKind,
    /// How many classes; 0 if the target is a number.
    pub classes: usize,
    /// Who to cite.
    pub citation: &'static str,
    /// Under which licence it is given.
    pub licence: &'static str,
    /// How the paper splits it.
    pub protocol: Protocol,
    /// The target, or several targets separated by commas.
    pub target: &'static str,
    #[serde(skip)]
    source: DatasetSource,
}

/// The location of a data set.
#[derive(Debug, Clone)]
enum DatasetSource {
    /// In the program, compressed.
    Embedded(&'static [u8]),
    /// A function whose rows are drawn.
    Function(&'static functions::Function),
    /// A CSV file in a data folder.
    Table(&'static str),
    /// Images and labels in a data folder, for training and for testing.
    Images { train: [&'static str; 2], test: [&'static str; 2] },
}

impl Entry {
    /// Whether the data is embedded in the program, or drawn by it. Other data sets need a data
    /// folder.
    pub fn is_embedded(&self) -> bool {
        matches!(self.source, DatasetSource::Embedded(_) | DatasetSource::Function(_))
    }

    /// The target columns.
    pub fn targets(&self) -> impl Iterator<Item = &'static str> {
        self.target.split(',')
    }

    /// The files it is in, looked for in the same folders as by a load; none for one that is part of the
    /// program. Nothing is read.
    ///
    /// # Errors
    /// When a file is in none of the folders.
    pub fn files(&self, data_dir: Option<&Path>) -> Result<Vec<PathBuf>, DataError> {
        let find = |file: &&str| folder::find(self.name, file, data_dir);
        match &self.source {
            DatasetSource::Embedded(_) | DatasetSource::Function(_) => Ok(Vec::new()),
            DatasetSource::Table(file) => find(file).map(|path| vec![path]),
            DatasetSource::Images { train, test } => train.iter().chain(test).map(find).collect(),
        }
    }
}

/// The folders in which the files of data sets are looked for, in this order: a chosen one, then
/// `MGE_DATA_DIR`, then the user's cache. They need not exist.
pub fn data_folders(chosen: Option<&Path>) -> Vec<PathBuf> {
    folder::folders(chosen, |name| std::env::var_os(name))
}

/// The entry with this name; the error names the nearest one.
pub fn find(name: &str) -> Result<&'static Entry, DataError> {
    entries().iter().find(|entry| entry.name == name).ok_or_else(|| unknown(name))
}

pub(crate) fn unknown(name: &str) -> DataError {
    let known: Vec<&str> = entries().iter().map(|entry| entry.name).collect();
    CatalogueError::UnknownName {
        name: name.to_owned(),
        nearest: nearest(name, known.iter().copied()).map(str::to_owned),
        known,
    }
    .into()
}

/// Loads a data set of the catalogue.
pub(crate) fn load(entry: &'static Entry, options: &LoadOptions) -> Result<Loaded, DataError> {
    let mut options = options.clone();
    if options.target == TargetColumn::Guess {
        options.target = TargetColumn::Named(entry.target.to_owned());
    }
    // All files are found before the first is read, because reading takes seconds.
    let files = entry.files(options.data_dir.as_deref())?;
    let mut loaded = match &entry.source {
        DatasetSource::Embedded(bytes) => from_input(Input::memory(entry.name, bytes)?, &options)?,
        DatasetSource::Function(function) => {
            let bytes = Cursor::new(function.csv().into_bytes());
            from_input(Input::new(entry.name.to_owned(), bytes)?, &options)?
        }
        DatasetSource::Table(_) => {
            from_input(Input::open(&files[0], &options.progress)?, &options)?
        }
        DatasetSource::Images { .. } => folder::images(entry, &files, &options)?,
    };
    let note = |path: &PathBuf| Note::DataFolder { file: path.display().to_string() };
    loaded.notes.extend(files.iter().map(note));
    entry.check(&loaded, &options)?;
    loaded.entry = Some(entry);
    Ok(loaded)
}

impl Entry {
    /// Checks the shape, because a file in a data folder may hold anything.
    fn check(&self, loaded: &Loaded, options: &LoadOptions) -> Result<(), DataError> {
        let columns = loaded.table.columns().len() + options.drop.len();
        // A table that is read for a model has only the columns of the model.
        let is_whole = !options.only_expected && options.ignore.is_empty();
        let columns_fit = columns == self.features + self.targets().count() || !is_whole;
        if loaded.table.rows() == self.rows && columns_fit {
            return Ok(());
        }
        let shape = |rows: usize, columns: usize| format!("{rows} rows of {columns} columns");
        Err(CatalogueError::NotTheDataset {
            file: loaded.table.name().to_owned(),
            dataset: self.name,
            expected: shape(self.rows, self.features + self.targets().count()),
            found: shape(loaded.table.rows(), columns),
        }
        .into())
    }
}
