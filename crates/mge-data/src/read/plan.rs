//! The user's wishes, held against the columns that a file has, before any cell is read.

use std::collections::HashSet;

use super::column::Wish;
use crate::error::DataError;
use crate::form::FileForm;
use crate::listed::Listed;
use crate::note::Note;
use crate::options::{LoadOptions, Target};
use crate::table::Kind;

/// Names that a column of labels often has.
pub(crate) const TARGET_NAMES: [&str; 4] = ["class", "target", "label", "y"];

/// The name of the column at this place (from 0) where a format or a file has no names.
pub(crate) fn name_of_place(place: usize) -> String {
    format!("column_{}", place + 1)
}

/// The place (from 0) that a name of [`name_of_place`] stands for.
pub(crate) fn nameless(name: &str) -> Option<usize> {
    name.strip_prefix("column_")?.parse::<usize>().ok()?.checked_sub(1)
}

/// The name of the labels where a format has labels but no name for them: what the user or the
/// model calls them, else `class`.
pub(crate) fn label_name(names: &[String], options: &LoadOptions) -> String {
    match &options.target {
        Target::Named(name) | Target::IfPresent(name) if !names.contains(name) => name.clone(),
        _ => {
            let mut name = "class".to_owned();
            while names.contains(&name) {
                name.push('\'');
            }
            name
        }
    }
}

/// Whether a column has the name that pandas gives to the numbers or names of rows.
pub(crate) fn is_index_name(name: &str) -> bool {
    name.starts_with("__index_level_") && name.ends_with("__")
}

/// What to do with each column of a file.
#[derive(Debug, Clone)]
pub(crate) struct Plan {
    /// The column of labels.
    pub target: Option<String>,
    /// For each column of the file what it is to be; `None` leaves it out.
    pub wishes: Vec<Option<Wish>>,
    /// Columns that nobody asked for and that may only number the rows.
    pub indexes: Vec<usize>,
    /// What a model knows about the file.
    pub form: FileForm,
}

impl Plan {
    /// Checks every name that the options mention, and chooses the target.
    pub fn new(
        file: &str,
        names: &[String],
        options: &LoadOptions,
        notes: &mut Vec<Note>,
    ) -> Result<Self, DataError> {
        Self::with_index(file, names, None, options, notes)
    }

    /// The same for a file in which the column at place `index` may only number the rows.
    pub fn with_index(
        file: &str,
        names: &[String],
        index: Option<usize>,
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
        let may_be_index = |place: usize| index == Some(place) || is_index_name(&names[place]);
        let target = target(file, names, &may_be_index, options, notes)?;
        let mut wishes = Vec::with_capacity(names.len());
        for name in names {
            wishes.push(wish(name, target.as_deref(), options)?);
        }
        check_names(file, names, &wishes)?;
        let unasked = |place: &usize| wishes[*place] == Some(Wish::Find) && may_be_index(*place);
        let indexes = (0..names.len()).filter(unasked).collect();
        Ok(Self { target, wishes, indexes, form: options.form.clone() })
    }
}

/// Names of columns that are read must differ, or nobody knows which one is meant.
fn check_names(file: &str, names: &[String], wishes: &[Option<Wish>]) -> Result<(), DataError> {
    let (mut seen, mut twice) = (HashSet::new(), HashSet::new());
    let read = names.iter().zip(wishes).filter(|(_, wish)| wish.is_some());
    let repeated: Listed<String> = read
        .map(|(name, _)| name)
        .filter(|name| !seen.insert(name.as_str()) && twice.insert(name.as_str()))
        .cloned()
        .collect();
    if repeated.is_empty() {
        return Ok(());
    }
    Err(DataError::DuplicateColumns { file: file.to_owned(), names: repeated })
}

fn wish(
    name: &str,
    target: Option<&str>,
    options: &LoadOptions,
) -> Result<Option<Wish>, DataError> {
    let named = |list: &[String]| list.iter().any(|other| other == name);
    let conflict = |one, other| Err(DataError::Contradiction { column: name.into(), one, other });
    let (drop, category, number) =
        (named(&options.drop), named(&options.as_category), named(&options.as_number));
    let is_target = target == Some(name);
    match (drop, category, number) {
        (true, _, _) if is_target => conflict("dropped", "the target"),
        (true, true, _) => conflict("dropped", "taken as categories"),
        (true, _, true) => conflict("dropped", "taken as numbers"),
        (_, true, true) => conflict("taken as categories", "taken as numbers"),
        (true, ..) => Ok(None),
        _ if named(&options.ignore) && !is_target => Ok(None),
        _ if is_target => Ok(Some(Wish::Label)),
        _ if category => Ok(Some(Wish::Category)),
        (_, _, true) => Ok(Some(Wish::AsNumber)),
        _ => Ok(match options.expected.get(name) {
            None if options.only_expected => None,
            None => Some(Wish::Find),
            Some(Kind::Number) => Some(Wish::Modelled),
            Some(Kind::Boolean | Kind::Category) => Some(Wish::Category),
        }),
    }
}

fn target(
    file: &str,
    names: &[String],
    may_be_index: &dyn Fn(usize) -> bool,
    options: &LoadOptions,
    notes: &mut Vec<Note>,
) -> Result<Option<String>, DataError> {
    match &options.target {
        Target::Absent => Ok(None),
        Target::IfPresent(name) => Ok(names.contains(name).then(|| name.clone())),
        Target::Named(name) if names.contains(name) => Ok(Some(name.clone())),
        Target::Named(name) => {
            Err(DataError::no_such_column(file, name, names.iter().map(String::as_str)))
        }
        Target::Guess => {
            let likely = (0..names.len()).rev().filter(|&place| !may_be_index(place));
            let kept = || likely.clone().map(|at| &names[at]).filter(|n| !options.drop.contains(n));
            let by_name = kept()
                .find(|name| TARGET_NAMES.iter().any(|usual| name.eq_ignore_ascii_case(usual)));
            let guess = by_name.or_else(|| kept().next()).cloned();
            if let Some(column) = guess.clone() {
                notes.push(Note::TargetGuessed { column, by_name: by_name.is_some() });
            }
            Ok(guess)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn guess(names: &[&str]) -> (Option<String>, Vec<Note>) {
        let names: Vec<String> = names.iter().map(|name| name.to_string()).collect();
        let mut notes = Vec::new();
        let plan = Plan::new("t", &names, &LoadOptions::default(), &mut notes).unwrap();
        (plan.target, notes)
    }

    #[test]
    fn the_target_is_guessed_by_name_then_by_place_and_said() {
        let (target, notes) = guess(&["label", "Class", "z"]);
        assert_eq!(target.as_deref(), Some("Class"));
        assert!(matches!(&notes[..], [Note::TargetGuessed { by_name: true, .. }]));
        let (target, notes) = guess(&["a", "b"]);
        assert_eq!(target.as_deref(), Some("b"));
        assert!(matches!(&notes[..], [Note::TargetGuessed { by_name: false, .. }]));
    }

    #[test]
    fn wishes_for_columns_that_are_not_there_are_errors() {
        let names = ["age".to_owned(), "class".to_owned()];
        let options = LoadOptions { drop: vec!["agee".into()], ..LoadOptions::default() };
        let error = Plan::new("t", &names, &options, &mut Vec::new()).unwrap_err();
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
        let plan = |options: LoadOptions| Plan::new("t", &names, &options, &mut Vec::new());
        let error = plan(LoadOptions::default()).unwrap_err().to_string();
        assert!(error.contains("\n  a\n  b"), "{error}");
        assert!(plan(LoadOptions { drop: vec!["a".into()], ..Default::default() }).is_err());
        let drop = vec!["a".into(), "b".into()];
        assert!(plan(LoadOptions { drop, ..Default::default() }).is_ok());
    }

    #[test]
    fn wishes_that_exclude_each_other_are_errors() {
        let names = ["age".to_owned(), "class".to_owned()];
        let options = LoadOptions {
            drop: vec!["class".into()],
            target: Target::Named("class".into()),
            ..LoadOptions::default()
        };
        let error = Plan::new("t", &names, &options, &mut Vec::new()).unwrap_err();
        assert!(matches!(error, DataError::Contradiction { .. }), "{error}");
    }
}
