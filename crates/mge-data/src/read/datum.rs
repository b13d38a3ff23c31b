//! One cell of a format that has types, on its way into a column.
//!
//! Invariant: a value becomes what the same value written in a CSV file becomes. Numbers narrow
//! from f64 to f32 once; where a column is to be text (labels, categories) the number is written
//! out of its own type, so that a 64-bit identifier keeps all its digits.

use std::fmt::Write;

use super::column::{ColumnBuilder, Wish};

/// A typed cell.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Datum<'a> {
    /// Nothing is known.
    #[cfg_attr(not(feature = "parquet"), allow(dead_code, reason = "only Parquet has it"))]
    Missing,
    /// A signed whole number.
    Whole(i64),
    /// An unsigned whole number.
    Natural(u64),
    /// A number of single precision.
    Single(f32),
    /// A number of double precision.
    Double(f64),
    /// Yes or no: the words `True` and `False`, as programs that have truth values write them.
    Truth(bool),
    /// Text.
    Text(&'a str),
}

impl Datum<'_> {
    /// The number, if it is one; NaN is a missing one.
    fn number(self) -> Option<f64> {
        Some(match self {
            Datum::Missing => f64::NAN,
            Datum::Whole(value) => value as f64,
            Datum::Natural(value) => value as f64,
            Datum::Single(value) => f64::from(value),
            Datum::Double(value) => value,
            Datum::Truth(_) | Datum::Text(_) => return None,
        })
    }

    /// The text that a CSV file would hold.
    fn write(self, text: &mut String) {
        // Writing to a string cannot fail.
        let _ = match self {
            Datum::Missing => Ok(()),
            Datum::Single(value) if value.is_nan() => Ok(()),
            Datum::Double(value) if value.is_nan() => Ok(()),
            Datum::Whole(value) => write!(text, "{value}"),
            Datum::Natural(value) => write!(text, "{value}"),
            Datum::Single(value) => write!(text, "{value}"),
            Datum::Double(value) => write!(text, "{value}"),
            Datum::Truth(true) => text.write_str("True"),
            Datum::Truth(false) => text.write_str("False"),
            Datum::Text(value) => text.write_str(value),
        };
    }
}

/// Grows one column of typed cells.
pub(crate) struct TypedColumn {
    builder: ColumnBuilder,
    as_text: bool,
    text: String,
}

impl TypedColumn {
    /// An empty column; `numbers` says whether the format declares it as numbers.
    pub fn new(wish: Wish, numbers: bool) -> Self {
        let wish = if numbers && wish == Wish::Find { Wish::Number } else { wish };
        let builder = ColumnBuilder::new(wish, false);
        Self { builder, as_text: !wish.is_number(), text: String::new() }
    }

    /// Adds the next row's cell.
    pub fn push(&mut self, datum: Datum<'_>) {
        match datum.number() {
            Some(number) if !self.as_text => self.builder.push_number(number),
            _ => {
                self.text.clear();
                datum.write(&mut self.text);
                self.builder.push(&self.text);
            }
        }
    }

    /// The column with all its cells.
    pub fn into_builder(self) -> ColumnBuilder {
        self.builder
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::form::FileForm;
    use crate::read::column::Findings;
    use crate::table::{Lines, Values};

    fn column(wish: Wish, numbers: bool, cells: &[Datum<'_>]) -> Values {
        let mut column = TypedColumn::new(wish, numbers);
        cells.iter().for_each(|&cell| column.push(cell));
        let builder = column.into_builder();
        let mut findings = Findings::default();
        builder.finish("c", &Lines::None, &FileForm::default(), &mut findings).values
    }

    #[test]
    fn labels_keep_all_digits() {
        let cells = [Datum::Whole(16_777_217), Datum::Whole(16_777_216), Datum::Natural(u64::MAX)];
        let Values::Text(text) = column(Wish::Label, true, &cells) else { panic!("text") };
        assert_eq!(text.categories(), ["16777216", "16777217", "18446744073709551615"]);
        let cells = [Datum::Double(0.1), Datum::Single(0.1), Datum::Double(f64::NAN)];
        let Values::Text(text) = column(Wish::Label, true, &cells) else { panic!("text") };
        assert_eq!(text.categories(), ["0.1"]);
        assert_eq!(text.get(2), None);
    }

    #[test]
    fn numbers_and_words_become_what_csv_makes_of_them() {
        let numbers = column(Wish::Find, true, &[Datum::Double(1.5), Datum::Missing]);
        assert_eq!(numbers, Values::Number(vec![1.5, f32::NAN]));
        let words = column(Wish::Find, false, &[Datum::Text("1"), Datum::Text("?")]);
        assert_eq!(words, Values::Number(vec![1.0, f32::NAN]));
    }
}
