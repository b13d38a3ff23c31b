//! Loads a table from a built-in name, a file, standard input or memory.

use std::io::Cursor;
use std::path::Path;

use crate::catalogue::{self, Entry};
use crate::detect_task::{DetectedTask, detect_task};
use crate::error::{DataError, TargetError};
use crate::fingerprint::Fingerprint;
use crate::note::Note;
use crate::options::{LoadOptions, TargetColumn};
use crate::read::{self, Input};
use crate::table::{Table, Values};
use crate::target::ClassTarget;
use crate::value_target::ValueTarget;

/// A table, its target columns, and the notes of the reader.
#[derive(Debug, Clone)]
pub struct Loaded {
    /// All columns, the target among them.
    pub table: Table,
    /// The target columns: one of classes, or one or several of numbers. Empty if there is none.
    pub targets: Vec<String>,
    /// The test part of a data set that comes with one (mnist).
    pub standard_test: Option<Table>,
    /// The catalogue's entry, for a built-in name.
    pub entry: Option<&'static Entry>,
    /// The assumptions of the reader, to be shown to the user.
    pub notes: Vec<Note>,
    /// Identifies the content of `table`.
    pub fingerprint: Fingerprint,
}

impl Loaded {
    /// The classes and labels of the table.
    ///
    /// # Errors
    /// When the table has no target column, or the column is no class label.
    pub fn class_target(&self) -> Result<ClassTarget, DataError> {
        let file = || self.table.name().to_owned();
        match &self.targets[..] {
            [target] => ClassTarget::new(&self.table, target),
            [] => Err(DataError::NoTarget { file: file() }),
            several => {
                let targets = several.to_vec();
                Err(TargetError::SeveralClasses { file: file(), targets }.into())
            }
        }
    }

    /// The targets as numbers.
    ///
    /// # Errors
    /// As [`ValueTarget::new`].
    pub fn value_target(&self) -> Result<ValueTarget, DataError> {
        ValueTarget::new(&self.table, &self.targets)
    }

    /// Whether the targets are classes or numbers.
    ///
    /// # Errors
    /// As [`detect_task`].
    pub fn detect_task(&self) -> Result<DetectedTask, DataError> {
        detect_task(&self.table, &self.targets)
    }

    /// Options for another file with the same columns, such as test rows. Each column keeps its kind;
    /// columns in `ignore` may be absent.
    pub fn options_for_another(&self, ignore: &[String]) -> LoadOptions {
        let columns = self.table.columns();
        let features = columns.iter().filter(|column| !self.targets.contains(&column.name));
        let values = columns.iter().filter_map(|column| match &column.values {
            Values::Text(text) => Some((column.name.clone(), text.categories().to_vec())),
            Values::Number(_) => None,
        });
        LoadOptions {
            target: match &self.targets[..] {
                [] => TargetColumn::Guess,
                targets => TargetColumn::Exactly(targets.to_vec()),
            },
            expected: features.map(|column| (column.name.clone(), column.values.kind())).collect(),
            values: values.collect(),
            layout: self.table.layout().clone(),
            ignore: ignore.to_vec(),
            ..LoadOptions::default()
        }
    }

    pub(crate) fn new(table: Table, targets: Vec<String>, notes: Vec<Note>) -> Self {
        let fingerprint = Fingerprint::of(&table);
        Self { table, targets, standard_test: None, entry: None, notes, fingerprint }
    }
}

/// Loads a built-in data set by name, a file by path, or standard input (`-`).
///
/// A built-in name wins over a file of the same name in the current folder; `./wine` or
/// `wine.csv`, anything with a path separator or a dot, is always a file.
///
/// ```
/// use mge_data::{LoadOptions, load};
///
/// let wine = load("wine", &LoadOptions::default())?;
/// assert_eq!(wine.table.rows(), 178);
/// assert_eq!(wine.class_target()?.classes(), ["1", "2", "3"]);
/// # Ok::<(), mge_data::DataError>(())
/// ```
pub fn load(spec: &str, options: &LoadOptions) -> Result<Loaded, DataError> {
    if spec == "-" {
        return from_input(Input::standard(&options.progress)?, options);
    }
    let path = Path::new(spec);
    if !looks_like_path(spec) {
        if let Some(entry) = catalogue::entries().iter().find(|entry| entry.name == spec) {
            return catalogue::load(entry, options);
        }
        if !path.exists() {
            return Err(catalogue::unknown(spec));
        }
    }
    from_input(Input::open(path, &options.progress)?, options)
}

/// Loads a table from bytes in memory, in any format that [`load`] reads. `name` is what messages
/// call it, and its ending counts as a file's does.
pub fn load_bytes(
    name: &str,
    bytes: impl Into<Vec<u8>>,
    options: &LoadOptions,
) -> Result<Loaded, DataError> {
    from_input(Input::new(name.to_owned(), Cursor::new(bytes.into()))?, options)
}

pub(crate) fn from_input(input: Input, options: &LoadOptions) -> Result<Loaded, DataError> {
    let name = input.file.clone();
    let parsed = read::read(input, options)?;
    let test =
        parsed.test.map(|columns| Table::new(format!("{name} (test)"), columns)).transpose()?;
    let decimal_comma = parsed.notes.contains(&Note::DecimalComma);
    let table =
        Table::new(name, parsed.columns)?.of_file(parsed.lines, parsed.layout, decimal_comma);
    check_rows(&table)?;
    Ok(Loaded { standard_test: test, ..Loaded::new(table, parsed.targets, parsed.notes) })
}

/// Row indices have 32 bits everywhere, which halves their memory.
pub(crate) fn check_rows(table: &Table) -> Result<(), DataError> {
    const MAX_ROWS: usize = u32::MAX as usize - 1;
    if table.rows() > MAX_ROWS {
        let (file, rows) = (table.name().to_owned(), table.rows());
        return Err(DataError::TooManyRows { file, rows, max: MAX_ROWS });
    }
    Ok(())
}

fn looks_like_path(spec: &str) -> bool {
    spec.contains(['/', '\\', '.'])
}
