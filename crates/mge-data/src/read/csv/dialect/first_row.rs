//! Whether the first row names the columns.
//!
//! A row that has the name of the target or of a column of the model does. Read for a model that
//! knows names, a first row without any of them is an error; for a model that knows places, what
//! does not fit to the model's columns is a header. Without a model: words above numbers are
//! names, unless most cells above numbers are numbers; numbers are names only when they count
//! 0, 1, 2 or 1, 2, 3, or stand beside a usual name of labels that never comes again; a row of
//! words is none when every word occurs again below it.

use std::collections::HashSet;

use super::Sample;
use crate::cell::{self, Cell};
use crate::known::Known;
use crate::options::{LoadOptions, Target};
use crate::read::plan::{TARGET_NAMES, name_of_place, nameless};
use crate::table::Kind;
use crate::text::plain_truth;

/// What the first row is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::read::csv) enum FirstRow {
    /// The names of the columns.
    Names,
    /// The names of the columns, some of which are numbers.
    NumericNames,
    /// A row like the others.
    Data,
    /// Names above columns that the model knows by their places.
    OtherNames,
    /// None of the names that the model needs.
    NotTheNames,
}

impl FirstRow {
    pub fn find(rows: &Sample, decimal_comma: bool, options: &LoadOptions) -> Self {
        let Some((first, below)) = rows.split_first() else {
            return FirstRow::Names;
        };
        let is_named = |name: &str| first.iter().any(|cell| cell == name);
        let by_place = |name: &str| nameless(name).is_some();
        if known_names(options).any(is_named) {
            return FirstRow::Names;
        }
        if !options.expected.is_empty() {
            if options.form.header == Some(true) || !options.expected.keys().all(|n| by_place(n)) {
                return FirstRow::NotTheNames;
            }
            let other = fits_nowhere(first, decimal_comma, options);
            return if other { FirstRow::OtherNames } else { FirstRow::Data };
        }
        // Who asks for `column_3` knows that the table has no names.
        if known_names(options).next().is_some_and(by_place) {
            return FirstRow::Data;
        }
        guess(first, below, decimal_comma)
    }
}

/// The names that a user or a model expects in the header.
pub(super) fn known_names(options: &LoadOptions) -> impl Iterator<Item = &str> {
    let asked = match &options.target {
        Target::Named(name) | Target::IfPresent(name) => Some(name.as_str()),
        Target::Guess | Target::Absent => None,
    };
    options.expected.keys().map(String::as_str).chain(asked)
}

/// Whether no cell of the row is what the model has in its column, and it is not by chance: a
/// word where numbers belong in a row without holes, or two unknown words.
fn fits_nowhere(first: &[String], decimal_comma: bool, options: &LoadOptions) -> bool {
    let (mut words, mut unknown, mut holes) = (0, 0, 0);
    for (place, cell) in first.iter().enumerate() {
        let (name, meaning) = (name_of_place(place), cell::read(cell, decimal_comma));
        if matches!(meaning, Cell::Missing | Cell::Mark) {
            holes += 1;
            continue;
        }
        let is_number = options.expected.get(&name) == Some(&Kind::Number);
        if is_number {
            let is_missing = options.form.missing_words.get(&name) == Some(cell);
            let is_truth = plain_truth(cell).is_some() || options.form.truths.contains(&name);
            if meaning != Cell::Text || is_missing || is_truth {
                return false;
            }
            words += 1;
        } else if let Some(values) = options.values.get(&name) {
            if Known::new(values).find(cell).is_some() {
                return false;
            }
            unknown += 1;
        }
    }
    words + unknown > 1 || words > 0 && holes == 0
}

fn guess(first: &[String], below: &[Vec<String>], decimal_comma: bool) -> FirstRow {
    let meaning = |text: &str| cell::read(text, decimal_comma);
    let is_number = |text: &str| matches!(meaning(text), Cell::Number(_) | Cell::NotFinite);
    let column = |place: usize| below.iter().filter_map(move |row| row.get(place));
    let is_numeric = |place: usize| {
        let known = || column(place).filter(|cell| meaning(cell) != Cell::Missing);
        known().next().is_some() && known().all(|cell| is_number(cell))
    };
    let numeric: Vec<usize> = (0..first.len()).filter(|&place| is_numeric(place)).collect();
    let words = numeric.iter().filter(|&&place| meaning(&first[place]) == Cell::Text).count();
    let numbers = numeric.iter().filter(|&&place| is_number(&first[place])).count();
    let any_number = first.iter().any(|cell| is_number(cell));
    if words > 0 && words >= numbers {
        return if any_number { FirstRow::NumericNames } else { FirstRow::Names };
    }
    let again = |place: usize| column(place).any(|cell| *cell == first[place]);
    if any_number {
        let is_usual = |cell: &String| TARGET_NAMES.iter().any(|n| cell.eq_ignore_ascii_case(n));
        let counts = |base: usize| {
            let mut cells = first.iter().enumerate();
            cells.all(|(place, cell)| match is_number(cell) {
                true => cell.parse() == Ok(place + base),
                false => !again(place),
            })
        };
        let enough = first.iter().filter(|cell| is_number(cell)).count() > 2
            || first.len() > 1 && first.iter().any(is_usual);
        let counted = counts(0) || counts(1);
        // A usual name of labels that never comes again says more than the numbers beside it;
        // a long row that counts up is a header even where no row below it is in the sample.
        let titled = (0..first.len()).any(|place| is_usual(&first[place]) && !again(place));
        let named = match below.is_empty() {
            false => enough && counted || titled && first.len() > 1,
            true => counted && first.len() > 20,
        };
        return if named { FirstRow::NumericNames } else { FirstRow::Data };
    }
    let distinct: HashSet<&String> = first.iter().collect();
    let repeated = (0..first.len()).filter(|&place| again(place)).count();
    let is_data = if distinct.len() < first.len() {
        2 * repeated >= first.len()
    } else {
        repeated == first.len() && below.len() > 1
    };
    if is_data { FirstRow::Data } else { FirstRow::Names }
}

#[cfg(test)]
mod tests {
    use super::super::Dialect;
    use super::*;
    use crate::form::FileForm;

    fn first_row(text: &str, options: &LoadOptions) -> FirstRow {
        Dialect::find(text.as_bytes(), "t", options).first_row
    }

    #[test]
    fn headers() {
        let first_row = |text| first_row(text, &LoadOptions::default());
        assert_eq!(first_row("a,b\nx,y\nz,w\n"), FirstRow::Names, "words that come once");
        assert_eq!(first_row("p,x,s\np,x,s\ne,x,t\np,b,s\n"), FirstRow::Data, "all come again");
        assert_eq!(first_row("5.1,3.5,setosa\n4.9,3.0,setosa\n"), FirstRow::Data);
        assert_eq!(first_row("0,1,2,class\n5.1,3.5,1,x\n"), FirstRow::NumericNames);
        assert_eq!(first_row("0,1,class\n5.1,3.5,x\n"), FirstRow::NumericNames);
        assert_eq!(first_row("0,1,2,3\n5,3,8,9\n"), FirstRow::NumericNames);
        assert_eq!(first_row("2010,2011,class\n5,3,a\n6,4,b\n"), FirstRow::NumericNames);
        assert_eq!(first_row("name,1999,size\nx,1,2\n"), FirstRow::NumericNames);
        for rows in ["1,4\n3,4\n", "1,2\n3,4\n", "0,1\n1,1\n", "1,2,x\n3,4,x\n"] {
            assert_eq!(first_row(rows), FirstRow::Data, "{rows}");
        }
        let hole = "5.1,unknown,1.4,x\n4.9,3.0,1.4,x\n4.7,3.2,1.3,y\n";
        assert_eq!(first_row(hole), FirstRow::Data, "one word, and numbers beside it");
    }

    #[test]
    fn the_target_tells() {
        let named = |name: &str| LoadOptions {
            target: Target::Named(name.into()),
            ..LoadOptions::default()
        };
        let first_row = |options| first_row("p,x\np,x\np,y\n", &options);
        assert_eq!(first_row(named("x")), FirstRow::Names);
        assert_eq!(first_row(named("column_2")), FirstRow::Data);
        assert_eq!(first_row(LoadOptions::default()), FirstRow::Data);
    }

    fn model(columns: &[(&str, Kind)], header: Option<bool>) -> LoadOptions {
        let expected = columns.iter().map(|(name, kind)| (name.to_string(), *kind)).collect();
        let form = FileForm { header, ..FileForm::default() };
        LoadOptions { expected, form, ..LoadOptions::default() }
    }

    #[test]
    fn a_model_that_knows_places_skips_a_header() {
        let numbers = model(&[("column_1", Kind::Number), ("column_2", Kind::Number)], Some(false));
        assert_eq!(first_row("long,wide\n1,2\n", &numbers), FirstRow::OtherNames);
        assert_eq!(first_row("column_1,column_2\n1,2\n", &numbers), FirstRow::Names);
        assert_eq!(first_row("1,2\n3,4\n", &numbers), FirstRow::Data);
        assert_eq!(first_row("oops,2\n3,4\n", &numbers), FirstRow::Data, "a bad cell, no header");
        assert_eq!(first_row("?,\n3,4\n", &numbers), FirstRow::Data);
        assert_eq!(first_row("oops,?\n3,4\n", &numbers), FirstRow::Data, "a word beside a hole");
        let kinds = [("column_1", Kind::Category), ("column_2", Kind::Category)];
        let mut words = model(&kinds, Some(false));
        for name in ["column_1", "column_2"] {
            words.values.insert(name.into(), vec!["a".into(), "b".into()]);
        }
        assert_eq!(first_row("from,to\na,b\n", &words), FirstRow::OtherNames);
        assert_eq!(first_row("new,b\na,b\n", &words), FirstRow::Data);
    }

    #[test]
    fn a_model_that_knows_names_wants_them() {
        let named = model(&[("long", Kind::Number), ("wide", Kind::Number)], Some(true));
        assert_eq!(first_row("wide,other\n1,2\n", &named), FirstRow::Names);
        assert_eq!(first_row("1,2\n3,4\n", &named), FirstRow::NotTheNames);
        assert_eq!(first_row("a,b\n3,4\n", &named), FirstRow::NotTheNames);
    }
}
