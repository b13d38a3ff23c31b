//! The user's wishes, held against the columns that a file has, before any cell is read.

use std::collections::HashSet;

use super::column::Wish;
use crate::cell::{self, Cell};
use crate::error::DataError;
use crate::fault::BadCell;
use crate::listed::Listed;
use crate::note::Note;
use crate::options::{LoadOptions, Target};
use crate::table::{Column, Kind, Lines, Values};
use crate::text::Text;

/// Names that a column of labels often has.
const TARGET_NAMES: [&str; 4] = ["class", "target", "label", "y"];

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

/// What to do with each column of a file.
#[derive(Debug)]
pub(crate) struct Plan {
    /// The column of labels.
    pub target: Option<String>,
    /// For each column of the file what it is to be; `None` leaves it out.
    pub wishes: Vec<Option<Wish>>,
}

/// Names must differ, or nobody knows which column is meant.
pub(crate) fn check_names(file: &str, names: &[String]) -> Result<(), DataError> {
    let (mut seen, mut twice) = (HashSet::new(), HashSet::new());
    let repeated: Listed<String> = names
        .iter()
        .filter(|name| !seen.insert(name.as_str()) && twice.insert(name.as_str()))
        .cloned()
        .collect();
    if repeated.is_empty() {
        return Ok(());
    }
    Err(DataError::DuplicateColumns { file: file.to_owned(), names: repeated })
}

impl Plan {
    /// Checks every name that the options mention, and chooses the target.
    pub fn new(
        file: &str,
        names: &[String],
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
        let target = target(file, names, options, notes)?;
        let mut wishes = Vec::with_capacity(names.len());
        for name in names {
            wishes.push(wish(name, target.as_deref(), options)?);
        }
        Ok(Self { target, wishes })
    }

    /// Makes columns that a format already typed into what they are to be.
    pub fn shape(&self, file: &str, columns: Vec<Column>) -> Result<Vec<Column>, DataError> {
        let mut shaped = Vec::with_capacity(columns.len());
        for (column, wish) in columns.into_iter().zip(&self.wishes) {
            let Column { name, values } = column;
            let values = match (wish, values) {
                (None, _) => continue,
                (Some(Wish::Category), Values::Number(cells)) => {
                    Values::Text(Text::from_numbers(&cells))
                }
                (Some(Wish::Number | Wish::Modelled), Values::Text(text)) => {
                    numbers(file, &name, &text)?
                }
                (Some(_), values) => values,
            };
            shaped.push(Column { name, values });
        }
        Ok(shaped)
    }
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
        _ if is_target || category => Ok(Some(Wish::Category)),
        (_, _, true) => Ok(Some(Wish::Number)),
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
            let kept = || names.iter().rev().filter(|name| !options.drop.contains(name));
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

/// Text as numbers, where the user or a model says that it is numbers.
fn numbers(file: &str, name: &str, text: &Text) -> Result<Values, DataError> {
    let meanings: Vec<Cell> =
        text.categories().iter().map(|category| cell::read(category, false)).collect();
    let mut wrong = Listed::default();
    let cells =
        text.codes().iter().enumerate().map(|(row, &code)| match meanings.get(code as usize) {
            Some(Cell::Number(value)) => *value,
            Some(Cell::Text | Cell::NotFinite) => {
                wrong.add(|| BadCell {
                    place: Lines::None.place(row),
                    column: name.to_owned(),
                    found: text.get(row).unwrap_or_default().to_owned(),
                });
                f32::NAN
            }
            Some(Cell::Missing | Cell::Mark) | None => f32::NAN,
        });
    let cells = cells.collect();
    if wrong.is_empty() {
        return Ok(Values::Number(cells));
    }
    let (file, column) = (file.to_owned(), name.to_owned());
    Err(DataError::TextInNumbers { file, column, cells: wrong })
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
