//! Whether the first row names the columns.
//!
//! The rules, in order:
//!
//! - A row with the name of the target, or of a column of the model, is a header.
//! - If the model has column names and the row has none of them, that is an error.
//! - If the model's table had no names, a row that does not fit the model's columns is a header.
//! - Words above numbers are names, unless most cells above numbers are numbers.
//! - Numbers are names only if they count 0, 1, 2 or 1, 2, 3, or stand next to a common name of a
//!   label column that never occurs below.
//! - A row of words is data if every word occurs again below it.

use std::collections::HashSet;

use super::Sample;
use crate::category_lookup::CategoryLookup;
use crate::cell_text::{self, Cell};
use crate::options::LoadOptions;
use crate::read::column_plan::{TARGET_NAMES, default_name, index_of_default_name};
use crate::table::ColumnKind;
use crate::text_column::parse_true_false;

/// The classification of the first row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::read::csv) enum FirstRow {
    /// The names of the columns.
    Names,
    /// The names of the columns, some of which are numbers.
    NumericNames,
    /// A row like the others.
    Data,
    /// Names above columns that the model knows by position.
    OtherNames,
    /// A row with none of the names that the model needs.
    NotTheNames,
}

impl FirstRow {
    pub fn find(rows: &Sample, decimal_comma: bool, options: &LoadOptions) -> Self {
        let Some((first, below)) = rows.split_first() else {
            return FirstRow::Names;
        };
        let is_named = |name: &str| first.iter().any(|cell| cell == name);
        let is_default_name = |name: &str| index_of_default_name(name).is_some();
        if known_names(options).any(is_named) {
            return FirstRow::Names;
        }
        if !options.expected.is_empty() {
            if options.layout.header == Some(true)
                || !options.expected.keys().all(|n| is_default_name(n))
            {
                return FirstRow::NotTheNames;
            }
            let other = fits_nowhere(first, decimal_comma, options);
            return if other { FirstRow::OtherNames } else { FirstRow::Data };
        }
        // A request for `column_3` implies a table without names.
        if known_names(options).any(is_default_name) {
            return FirstRow::Data;
        }
        guess(first, below, decimal_comma)
    }
}

/// The names that a user or a model expects in the header.
pub(super) fn known_names(options: &LoadOptions) -> impl Iterator<Item = &str> {
    let asked = options.target.possible_names();
    options.expected.keys().map(String::as_str).chain(asked)
}

/// Whether no cell of the row fits the model's column, with enough evidence: a word in a column of
/// numbers in a row without missing cells, or two unknown words.
fn fits_nowhere(first: &[String], decimal_comma: bool, options: &LoadOptions) -> bool {
    let (mut words, mut unknown, mut holes) = (0, 0, 0);
    for (index, cell) in first.iter().enumerate() {
        let (name, meaning) = (default_name(index), cell_text::read(cell, decimal_comma));
        if matches!(meaning, Cell::Missing | Cell::Ambiguous) {
            holes += 1;
            continue;
        }
        let is_number = options.expected.get(&name) == Some(&ColumnKind::Number);
        if is_number {
            let is_missing = options.layout.missing_words.get(&name) == Some(cell);
            let is_boolean =
                parse_true_false(cell).is_some() || options.layout.boolean_columns.contains(&name);
            if meaning != Cell::Text || is_missing || is_boolean {
                return false;
            }
            words += 1;
        } else if let Some(values) = options.values.get(&name) {
            if CategoryLookup::new(values).find(cell).is_some() {
                return false;
            }
            unknown += 1;
        }
    }
    words + unknown > 1 || words > 0 && holes == 0
}

fn guess(first: &[String], below: &[Vec<String>], decimal_comma: bool) -> FirstRow {
    let meaning = |text: &str| cell_text::read(text, decimal_comma);
    let is_number = |text: &str| matches!(meaning(text), Cell::Number(_) | Cell::NotFinite);
    let column = |index: usize| below.iter().filter_map(move |row| row.get(index));
    let is_numeric = |index: usize| {
        let known = || column(index).filter(|cell| meaning(cell) != Cell::Missing);
        known().next().is_some() && known().all(|cell| is_number(cell))
    };
    let numeric: Vec<usize> = (0..first.len()).filter(|&index| is_numeric(index)).collect();
    let words = numeric.iter().filter(|&&index| meaning(&first[index]) == Cell::Text).count();
    let numbers = numeric.iter().filter(|&&index| is_number(&first[index])).count();
    let any_number = first.iter().any(|cell| is_number(cell));
    if words > 0 && words >= numbers {
        return if any_number { FirstRow::NumericNames } else { FirstRow::Names };
    }
    let repeats = |index: usize| column(index).any(|cell| *cell == first[index]);
    if any_number {
        let is_common = |cell: &String| TARGET_NAMES.iter().any(|n| cell.eq_ignore_ascii_case(n));
        let counts = |base: usize| {
            let mut cells = first.iter().enumerate();
            cells.all(|(index, cell)| match is_number(cell) {
                true => cell.parse() == Ok(index + base),
                false => !repeats(index),
            })
        };
        let enough = first.iter().filter(|cell| is_number(cell)).count() > 2
            || first.len() > 1 && first.iter().any(is_common);
        let counted = counts(0) || counts(1);
        // A common label name that never repeats outweighs the numbers next to it. A long row that
        // counts up is a header even if the sample has no row below it.
        let titled = (0..first.len()).any(|index| is_common(&first[index]) && !repeats(index));
        let named = match below.is_empty() {
            false => enough && counted || titled && first.len() > 1,
            true => counted && first.len() > 20,
        };
        return if named { FirstRow::NumericNames } else { FirstRow::Data };
    }
    let distinct: HashSet<&String> = first.iter().collect();
    let repeated = (0..first.len()).filter(|&index| repeats(index)).count();
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
    use crate::TargetColumn;
    use crate::file_layout::FileLayout;

    fn first_row(text: &str, options: &LoadOptions) -> FirstRow {
        Dialect::find(text.as_bytes(), "t", options).first_row
    }

    #[test]
    fn headers_are_recognised() {
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
        assert_eq!(first_row(hole), FirstRow::Data, "one word, and numbers next to it");
    }

    #[test]
    fn the_target_name_identifies_the_header() {
        let named = |name: &str| LoadOptions {
            target: TargetColumn::Named(name.into()),
            ..LoadOptions::default()
        };
        let first_row = |options| first_row("p,x\np,x\np,y\n", &options);
        assert_eq!(first_row(named("x")), FirstRow::Names);
        assert_eq!(first_row(named("column_2")), FirstRow::Data);
        assert_eq!(first_row(LoadOptions::default()), FirstRow::Data);
    }

    fn model(columns: &[(&str, ColumnKind)], header: Option<bool>) -> LoadOptions {
        let expected = columns.iter().map(|(name, kind)| (name.to_string(), *kind)).collect();
        let layout = FileLayout { header, ..FileLayout::default() };
        LoadOptions { expected, layout, ..LoadOptions::default() }
    }

    #[test]
    fn a_model_of_a_table_without_names_skips_a_header() {
        let numbers = model(
            &[("column_1", ColumnKind::Number), ("column_2", ColumnKind::Number)],
            Some(false),
        );
        assert_eq!(first_row("long,wide\n1,2\n", &numbers), FirstRow::OtherNames);
        assert_eq!(first_row("column_1,column_2\n1,2\n", &numbers), FirstRow::Names);
        assert_eq!(first_row("1,2\n3,4\n", &numbers), FirstRow::Data);
        assert_eq!(first_row("oops,2\n3,4\n", &numbers), FirstRow::Data, "a bad cell, no header");
        assert_eq!(first_row("?,\n3,4\n", &numbers), FirstRow::Data);
        assert_eq!(
            first_row("oops,?\n3,4\n", &numbers),
            FirstRow::Data,
            "a word and a missing cell"
        );
        let kinds = [("column_1", ColumnKind::Category), ("column_2", ColumnKind::Category)];
        let mut words = model(&kinds, Some(false));
        for name in ["column_1", "column_2"] {
            words.values.insert(name.into(), vec!["a".into(), "b".into()]);
        }
        assert_eq!(first_row("from,to\na,b\n", &words), FirstRow::OtherNames);
        assert_eq!(first_row("new,b\na,b\n", &words), FirstRow::Data);
    }

    #[test]
    fn a_model_with_names_requires_them() {
        let named =
            model(&[("long", ColumnKind::Number), ("wide", ColumnKind::Number)], Some(true));
        assert_eq!(first_row("wide,other\n1,2\n", &named), FirstRow::Names);
        assert_eq!(first_row("1,2\n3,4\n", &named), FirstRow::NotTheNames);
        assert_eq!(first_row("a,b\n3,4\n", &named), FirstRow::NotTheNames);
    }
}
