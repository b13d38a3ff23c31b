//! Typed cells of formats that declare types.
//!
//! Invariant: a value gives the same cell as its text in a CSV file. Numbers are narrowed from f64
//! to f32 once. In text columns (labels, categories) a number is formatted from its own type, so
//! that a 64-bit identifier keeps all its digits.

use std::fmt::Write;

use super::column::{ColumnBuilder, ColumnHint};

/// A typed cell.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Value<'a> {
    /// A missing cell.
    #[cfg_attr(not(feature = "parquet"), allow(dead_code, reason = "only Parquet produces it"))]
    Missing,
    /// A signed integer.
    Int(i64),
    /// An unsigned integer.
    Uint(u64),
    /// A number of single precision.
    Float(f32),
    /// A number of double precision.
    Double(f64),
    /// A boolean, written as `True` or `False`.
    Bool(bool),
    /// Text.
    Text(&'a str),
}

impl Value<'_> {
    /// The number, if it is one. NaN means missing.
    fn number(self) -> Option<f64> {
        Some(match self {
            Value::Missing => f64::NAN,
            Value::Int(value) => value as f64,
            Value::Uint(value) => value as f64,
            Value::Float(value) => f64::from(value),
            Value::Double(value) => value,
            Value::Bool(_) | Value::Text(_) => return None,
        })
    }

    /// Appends the text that a CSV file would hold.
    fn write(self, text: &mut String) {
        // Writing to a string cannot fail.
        let _ = match self {
            Value::Missing => Ok(()),
            Value::Float(value) if value.is_nan() => Ok(()),
            Value::Double(value) if value.is_nan() => Ok(()),
            Value::Int(value) => write!(text, "{value}"),
            Value::Uint(value) => write!(text, "{value}"),
            Value::Float(value) => write!(text, "{value}"),
            Value::Double(value) => write!(text, "{value}"),
            Value::Bool(true) => text.write_str("True"),
            Value::Bool(false) => text.write_str("False"),
            Value::Text(value) => text.write_str(value),
        };
    }
}

/// Builds one column from typed cells.
pub(crate) struct TypedColumn {
    builder: ColumnBuilder,
    as_text: bool,
    text: String,
}

impl TypedColumn {
    /// An empty column. `is_number` says whether the format declares numbers.
    pub fn new(hint: ColumnHint, is_number: bool) -> Self {
        let hint = if is_number && hint == ColumnHint::Infer { ColumnHint::Number } else { hint };
        let builder = ColumnBuilder::new(hint, false);
        Self { builder, as_text: !hint.is_number(), text: String::new() }
    }

    /// Appends the cell of the next row.
    pub fn push(&mut self, value: Value<'_>) {
        match value.number() {
            Some(number) if !self.as_text => self.builder.push_number(number),
            _ => {
                self.text.clear();
                value.write(&mut self.text);
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
    use crate::file_layout::FileLayout;
    use crate::read::column::Findings;
    use crate::table::{LineNumbers, Values};

    fn column(hint: ColumnHint, numbers: bool, cells: &[Value<'_>]) -> Values {
        let mut column = TypedColumn::new(hint, numbers);
        cells.iter().for_each(|&cell| column.push(cell));
        let builder = column.into_builder();
        let mut findings = Findings::default();
        builder.finish("c", &LineNumbers::None, &FileLayout::default(), &mut findings).values
    }

    #[test]
    fn labels_keep_all_digits() {
        let cells = [Value::Int(16_777_217), Value::Int(16_777_216), Value::Uint(u64::MAX)];
        let Values::Text(text) = column(ColumnHint::Label, true, &cells) else { panic!("text") };
        assert_eq!(text.categories(), ["16777216", "16777217", "18446744073709551615"]);
        let cells = [Value::Double(0.1), Value::Float(0.1), Value::Double(f64::NAN)];
        let Values::Text(text) = column(ColumnHint::Label, true, &cells) else { panic!("text") };
        assert_eq!(text.categories(), ["0.1"]);
        assert_eq!(text.get(2), None);
    }

    #[test]
    fn typed_cells_give_the_same_column_as_csv() {
        let numbers = column(ColumnHint::Infer, true, &[Value::Double(1.5), Value::Missing]);
        assert_eq!(numbers, Values::Number(vec![1.5, f32::NAN]));
        let words = column(ColumnHint::Infer, false, &[Value::Text("1"), Value::Text("?")]);
        assert_eq!(words, Values::Number(vec![1.0, f32::NAN]));
    }
}
