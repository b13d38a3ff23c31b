//! A column of numbers after its last cell: what its other cells mean.

use super::decide::{CellContext, CellCounts};
use super::{ColumnHint, Findings, Numbers};
use crate::cell_text::{self, Cell};
use crate::file_layout::FileLayout;
use crate::note::Note;
use crate::table::Values;
use crate::text_column::{Text, parse_bool, parse_true_false};

/// The treatment of a text in a column of numbers.
#[derive(Clone, Copy, PartialEq)]
enum OtherCell {
    Missing,
    Bool(bool),
    NotFinite,
    Unexpected,
}

impl Numbers {
    pub(super) fn counts(&self) -> CellCounts {
        let numbers = self.values.iter().filter(|value| !value.is_nan()).count();
        let mut counts = CellCounts { numbers, ..CellCounts::default() };
        self.others.iter().for_each(|&(_, code)| counts.count(self.texts.texts[code as usize].1));
        counts
    }

    /// Converts numbers to their shortest text; other cells keep their text.
    pub(super) fn into_text(self) -> Values {
        let mut others = self.others.iter().peekable();
        let texts: Vec<Option<String>> = (0..self.values.len())
            .map(|row| match others.next_if(|(next, _)| *next == row) {
                Some(&(_, code)) => Some(self.texts.texts[code as usize].0.to_string()),
                None => Some(self.values[row]).filter(|x| !x.is_nan()).map(cell_text::write),
            })
            .collect();
        Values::Text(Text::from_cells(texts.iter().map(Option::as_deref)))
    }

    /// Converts to numbers, and reports cells that are not numbers.
    pub(super) fn finalize(
        mut self,
        hint: ColumnHint,
        context: &CellContext<'_>,
        layout: &FileLayout,
        findings: &mut Findings,
    ) -> Values {
        let column = || context.name.to_owned();
        let mut meanings = self.meanings(hint, context.name, layout);
        if hint == ColumnHint::Infer
            && let Some((code, cells)) = self.marker(&meanings)
        {
            meanings[code] = OtherCell::Missing;
            let word = self.texts.texts[code].0.to_string();
            findings.layout.missing_words.insert(column(), word.clone());
            findings.notes.push(Note::TakenAsMissing { column: column(), word, cells });
        }
        if meanings.iter().any(|meaning| matches!(meaning, OtherCell::Bool(_))) {
            findings.layout.boolean_columns.insert(column());
            findings.notes.push(Note::BooleansAsNumbers { column: column() });
        }
        let text = if hint == ColumnHint::ModelNumber {
            &mut findings.unexpected
        } else {
            &mut findings.text
        };
        for &(row, code) in &self.others {
            let bad_cell = || context.bad_cell(row, &self.texts.texts[code as usize].0);
            match meanings[code as usize] {
                OtherCell::Missing => {}
                OtherCell::Bool(value) => self.values[row] = f32::from(u8::from(value)),
                OtherCell::NotFinite => findings.not_finite.add(bad_cell),
                OtherCell::Unexpected => text.add(bad_cell),
            }
        }
        let mut known = self.values.iter().filter(|value| !value.is_nan());
        if self.varied && known.next().is_some_and(|first| known.all(|value| value == first)) {
            findings.notes.push(Note::Indistinct { column: column() });
        }
        Values::Number(self.values)
    }

    fn meanings(&self, hint: ColumnHint, name: &str, layout: &FileLayout) -> Vec<OtherCell> {
        let value: fn(&str) -> Option<bool> = match hint {
            ColumnHint::ForcedNumber => parse_bool,
            ColumnHint::ModelNumber if layout.boolean_columns.contains(name) => parse_bool,
            ColumnHint::ModelNumber => parse_true_false,
            _ => |_| None,
        };
        let missing = layout.missing_words.get(name).filter(|_| hint == ColumnHint::ModelNumber);
        let treatment = |text: &str, meaning: Cell| match meaning {
            Cell::Missing | Cell::Ambiguous => OtherCell::Missing,
            Cell::NotFinite => OtherCell::NotFinite,
            Cell::Text | Cell::Number(_) => match value(text) {
                Some(value) => OtherCell::Bool(value),
                None if missing.is_some_and(|word| word == text) => OtherCell::Missing,
                None => OtherCell::Unexpected,
            },
        };
        self.texts.texts.iter().map(|(text, meaning)| treatment(text, *meaning)).collect()
    }

    /// The word that marks missing cells, and its count: the only unexpected text, and repeated. A
    /// word that occurs once may be a typing error.
    fn marker(&self, meanings: &[OtherCell]) -> Option<(usize, usize)> {
        let mut unexpected =
            (0..meanings.len()).filter(|&at| meanings[at] == OtherCell::Unexpected);
        let (code, None) = (unexpected.next()?, unexpected.next()) else {
            return None;
        };
        let cells = self.others.iter().filter(|(_, other)| *other as usize == code).count();
        (cells >= 2).then_some((code, cells))
    }
}
