//! Applies the user's options to the columns of a file, before any cell is read.

use std::collections::HashSet;

use super::column::ColumnHint;
use crate::error::DataError;
use crate::file_layout::FileLayout;
use crate::note::Note;
use crate::options::{LoadOptions, TargetColumn};
use crate::table::ColumnKind;
use crate::target_columns;
use crate::truncated_list::TruncatedList;

/// Names that a column of labels often has.
pub(crate) const TARGET_NAMES: [&str; 4] = ["class", "target", "label", "y"];

/// The name of column `index` (from 0) in a file without column names.
pub(crate) fn default_name(index: usize) -> String {
    format!("column_{}", index + 1)
}

/// The index (from 0) behind a name of [`default_name`].
pub(crate) fn index_of_default_name(name: &str) -> Option<usize> {
    name.strip_prefix("column_")?.parse::<usize>().ok()?.checked_sub(1)
}

/// A name for labels in a format that does not name them: the one that the user or the model
/// gives, else `class`.
pub(crate) fn label_name(names: &[String], options: &LoadOptions) -> String {
    match &options.target {
        TargetColumn::Named(name) if !names.contains(name) => name.clone(),
        TargetColumn::Exactly(wanted) | TargetColumn::IfPresent(wanted)
            if wanted.len() == 1 && !names.contains(&wanted[0]) =>
        {
            wanted[0].clone()
        }
        _ => {
            let mut name = "class".to_owned();
            while names.contains(&name) {
                name.push('\'');
            }
            name
        }
    }
}

/// Whether this is a column name that pandas gives to its row index.
pub(crate) fn is_index_name(name: &str) -> bool {
    name.starts_with("__index_level_") && name.ends_with("__")
}

/// What to do with each column of a file.
#[derive(Debug, Clone)]
pub(crate) struct ColumnPlan {
    /// The target columns, in the order in which they were named.
    pub targets: Vec<String>,
    /// The hint for each column of the file; `None` skips the column.
    pub hints: Vec<Option<ColumnHint>>,
    /// Columns without a hint that may only number the rows.
    pub row_number_columns: Vec<usize>,
    /// The layout that a model expects.
    pub layout: FileLayout,
}

impl ColumnPlan {
    /// Checks every name that the options mention, and chooses the target.
    pub fn new(
        file: &str,
        names: &[String],
        options: &LoadOptions,
        notes: &mut Vec<Note>,
    ) -> Result<Self, DataError> {
        Self::with_index(file, names, None, options, notes)
    }

    /// The same for a file in which the column `row_numbers` may only number the rows.
    pub fn with_index(
        file: &str,
        names: &[String],
        row_numbers: Option<usize>,
        options: &LoadOptions,
        notes: &mut Vec<Note>,
    ) -> Result<Self, DataError> {
        let mentioned = [&options.drop, &options.as_category, &options.as_number];
        let there: HashSet<&str> = names.iter().map(String::as_str).collect();
        for wanted in mentioned.into_iter().flatten() {
            if !there.contains(wanted.as_str()) {
                let names = names.iter().map(String::as_str);
                return Err(DataError::no_such_column(file, wanted, names));
            }
        }
        let may_be_index =
            |index: usize| row_numbers == Some(index) || is_index_name(&names[index]);
        let targets = targets(file, names, &may_be_index, options, notes)?;
        let mut hints = Vec::with_capacity(names.len());
        for name in names {
            hints.push(hint(name, targets.contains(name), options)?);
        }
        check_names(file, names, &hints)?;
        let unasked =
            |index: &usize| hints[*index] == Some(ColumnHint::Infer) && may_be_index(*index);
        let row_number_columns = (0..names.len()).filter(unasked).collect();
        Ok(Self { targets, hints, row_number_columns, layout: options.layout.clone() })
    }
}

/// Columns that are read must have distinct names.
fn check_names(
    file: &str,
    names: &[String],
    hints: &[Option<ColumnHint>],
) -> Result<(), DataError> {
    let (mut seen, mut twice) = (HashSet::new(), HashSet::new());
    let read = names.iter().zip(hints).filter(|(_, hint)| hint.is_some());
    let repeated: TruncatedList<String> = read
        .map(|(name, _)| name)
        .filter(|name| !seen.insert(name.as_str()) && twice.insert(name.as_str()))
        .cloned()
        .collect();
    if repeated.is_empty() {
        return Ok(());
    }
    Err(DataError::DuplicateColumns { file: file.to_owned(), names: repeated })
}

fn hint(
    name: &str,
    is_target: bool,
    options: &LoadOptions,
) -> Result<Option<ColumnHint>, DataError> {
    let named = |list: &[String]| list.iter().any(|other| other == name);
    let conflict = |one, other| Err(DataError::Contradiction { column: name.into(), one, other });
    let (drop, category, number) =
        (named(&options.drop), named(&options.as_category), named(&options.as_number));
    match (drop, category, number) {
        (true, _, _) if is_target => conflict("dropped", "the target"),
        (true, true, _) => conflict("dropped", "taken as categories"),
        (true, _, true) => conflict("dropped", "taken as numbers"),
        (_, true, true) => conflict("taken as categories", "taken as numbers"),
        (true, ..) => Ok(None),
        _ if named(&options.ignore) && !is_target => Ok(None),
        _ if is_target => Ok(Some(ColumnHint::Label)),
        _ if category => Ok(Some(ColumnHint::Category)),
        (_, _, true) => Ok(Some(ColumnHint::ForcedNumber)),
        _ => Ok(match options.expected.get(name) {
            None if options.only_expected => None,
            None => Some(ColumnHint::Infer),
            Some(ColumnKind::Number) => Some(ColumnHint::ModelNumber),
            Some(ColumnKind::Boolean | ColumnKind::Category) => Some(ColumnHint::Category),
        }),
    }
}

fn targets(
    file: &str,
    names: &[String],
    may_be_index: &dyn Fn(usize) -> bool,
    options: &LoadOptions,
    notes: &mut Vec<Note>,
) -> Result<Vec<String>, DataError> {
    match &options.target {
        TargetColumn::Absent => Ok(Vec::new()),
        TargetColumn::IfPresent(wanted) => {
            Ok(wanted.iter().filter(|name| names.contains(name)).cloned().collect())
        }
        TargetColumn::Exactly(wanted) => target_columns::exactly(file, wanted, names),
        TargetColumn::Named(text) => target_columns::named(file, text, names),
        TargetColumn::Guess => {
            let likely = (0..names.len()).rev().filter(|&index| !may_be_index(index));
            let kept = || likely.clone().map(|at| &names[at]).filter(|n| !options.drop.contains(n));
            let by_name = kept()
                .find(|name| TARGET_NAMES.iter().any(|known| name.eq_ignore_ascii_case(known)));
            let guess = by_name.or_else(|| kept().next()).cloned();
            if let Some(column) = guess.clone() {
                notes.push(Note::TargetGuessed { column, by_name: by_name.is_some() });
            }
            Ok(guess.into_iter().collect())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn guess(names: &[&str]) -> (Option<String>, Vec<Note>) {
        let names: Vec<String> = names.iter().map(|name| name.to_string()).collect();
        let mut notes = Vec::new();
        let plan = ColumnPlan::new("t", &names, &LoadOptions::default(), &mut notes).unwrap();
        assert!(plan.targets.len() <= 1);
        (plan.targets.into_iter().next(), notes)
    }

    #[test]
    fn the_target_is_guessed_by_name_and_then_by_position() {
        let (target, notes) = guess(&["label", "Class", "z"]);
        assert_eq!(target.as_deref(), Some("Class"));
        assert!(matches!(&notes[..], [Note::TargetGuessed { by_name: true, .. }]));
        let (target, notes) = guess(&["a", "b"]);
        assert_eq!(target.as_deref(), Some("b"));
        assert!(matches!(&notes[..], [Note::TargetGuessed { by_name: false, .. }]));
    }

    #[test]
    fn options_for_missing_columns_are_errors() {
        let names = ["age".to_owned(), "class".to_owned()];
        let options = LoadOptions { drop: vec!["agee".into()], ..LoadOptions::default() };
        let error = ColumnPlan::new("t", &names, &options, &mut Vec::new()).unwrap_err();
        assert!(error.to_string().contains("did you mean `age`?"), "{error}");
    }

    #[test]
    fn row_numbers_are_never_the_target() {
        let (target, _) = guess(&["a", "b", "__index_level_0__"]);
        assert_eq!(target.as_deref(), Some("b"));
        assert_eq!(guess(&["__index_level_0__"]).0, None);
    }

    #[test]
    fn columns_that_are_not_read_may_share_a_name() {
        let names = ["a", "a", "b", "b"].map(str::to_owned);
        let plan = |options: LoadOptions| ColumnPlan::new("t", &names, &options, &mut Vec::new());
        let error = plan(LoadOptions::default()).unwrap_err().to_string();
        assert!(error.contains("\n  a\n  b"), "{error}");
        assert!(plan(LoadOptions { drop: vec!["a".into()], ..Default::default() }).is_err());
        let drop = vec!["a".into(), "b".into()];
        assert!(plan(LoadOptions { drop, ..Default::default() }).is_ok());
    }

    #[test]
    fn contradicting_options_are_errors() {
        let names = ["age".to_owned(), "class".to_owned()];
        let options = LoadOptions {
            drop: vec!["class".into()],
            target: TargetColumn::Named("class".into()),
            ..LoadOptions::default()
        };
        let error = ColumnPlan::new("t", &names, &options, &mut Vec::new()).unwrap_err();
        assert!(matches!(error, DataError::Contradiction { .. }), "{error}");
    }
}
