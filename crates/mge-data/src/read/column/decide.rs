//! Decides the kind of a column after its last cell.

use super::{Cells, ColumnBuilder, ColumnHint, Findings, Undecided};
use crate::bad_cell::BadCell;
use crate::cell_text::Cell;
use crate::file_layout::FileLayout;
use crate::note::Note;
use crate::table::{Column, LineNumbers, Values};
use crate::text_column::Text;

/// A column with at least this fraction of numbers is a column of numbers, and text in it is an error.
const NUMBER_FRACTION: f64 = 0.9;

/// At most this many distinct numbers, each repeated [`REPETITIONS`] times on average, may be codes.
const MAX_CODES: usize = 20;
const REPETITIONS: usize = 3;

/// Cell counts by meaning.
#[derive(Default)]
pub(super) struct CellCounts {
    pub(super) numbers: usize,
    pub(super) words: usize,
    pub(super) ambiguous: usize,
}

impl CellCounts {
    pub(super) fn count(&mut self, meaning: Cell) {
        match meaning {
            Cell::Number(_) | Cell::NotFinite => self.numbers += 1,
            Cell::Text => self.words += 1,
            Cell::Ambiguous => self.ambiguous += 1,
            Cell::Missing => {}
        }
    }

    /// Whether the column can only be numbers. Next to words, an ambiguous cell is a word.
    fn only_numbers(&self) -> bool {
        self.words == 0 && (self.numbers > 0 || self.ambiguous == 0)
    }

    /// The fraction of numbers among the cells that are not missing.
    fn number_fraction(&self) -> f64 {
        self.numbers as f64 / (self.numbers + self.words + self.ambiguous).max(1) as f64
    }
}

impl ColumnBuilder {
    /// Finishes the column. `layout` is the one that a model expects; notes and bad cells go to
    /// `findings`.
    pub fn finish(
        self,
        name: &str,
        lines: &LineNumbers,
        layout: &FileLayout,
        findings: &mut Findings,
    ) -> Column {
        let mixed = |counts: &CellCounts| Note::MixedColumn {
            column: name.into(),
            fraction: counts.number_fraction(),
        };
        let context = CellContext { name, lines };
        let values = match (self.cells, self.hint) {
            (Cells::Undecided(cells), ColumnHint::Infer | ColumnHint::Text) => {
                let counts = cells.counts();
                let found = self.hint == ColumnHint::Infer;
                let mostly = found
                    && counts.number_fraction() >= NUMBER_FRACTION
                    && !cells.are_codes(&counts);
                if counts.only_numbers() || mostly {
                    if !found && counts.numbers > 0 {
                        findings.notes.push(Note::NumbersAsText { column: name.to_owned() });
                    }
                    cells.into_numbers().finalize(self.hint, &context, layout, findings)
                } else {
                    findings.notes.extend((found && counts.numbers > 0).then(|| mixed(&counts)));
                    cells.into_text(self.hint)
                }
            }
            (Cells::Undecided(cells), hint) => cells.into_text(hint),
            (Cells::Numbers(numbers), ColumnHint::Infer) => {
                let counts = numbers.counts();
                // Long numbers have lost digits and cannot become text again, so words among them are errors.
                if counts.only_numbers()
                    || counts.number_fraction() >= NUMBER_FRACTION
                    || numbers.long
                {
                    numbers.finalize(self.hint, &context, layout, findings)
                } else {
                    findings.notes.push(mixed(&counts));
                    numbers.into_text()
                }
            }
            (Cells::Numbers(numbers), hint) => numbers.finalize(hint, &context, layout, findings),
        };
        Column { name: name.to_owned(), values }
    }
}

/// The location of the cells of a column.
pub(super) struct CellContext<'a> {
    pub(super) name: &'a str,
    lines: &'a LineNumbers,
}

impl CellContext<'_> {
    pub(super) fn bad_cell(&self, row: usize, found: &str) -> BadCell {
        let (location, column) = (self.lines.location(row), self.name.to_owned());
        BadCell { location, column, found: found.to_owned() }
    }
}

impl Undecided {
    fn counts(&self) -> CellCounts {
        let mut counts = CellCounts::default();
        self.codes.iter().for_each(|&code| counts.count(self.texts.texts[code as usize].1));
        counts
    }

    /// Whether repeated numbers stand next to a few words, as in `4, 6, 8, rotary`: codes rather than
    /// measurements. A single repeated word marks missing cells instead.
    fn are_codes(&self, counts: &CellCounts) -> bool {
        let words = self.texts.texts.iter().filter(|(_, meaning)| *meaning == Cell::Text).count();
        let is_marker = words == 1 && counts.words > 1;
        let few = self.numbers <= MAX_CODES && counts.numbers >= REPETITIONS * self.numbers;
        few && words > 0 && !is_marker
    }

    fn into_text(mut self, hint: ColumnHint) -> Values {
        let texts = self.texts.texts;
        for code in &mut self.codes {
            if texts[*code as usize].1 == Cell::Missing {
                *code = Text::MISSING;
            }
        }
        let categories = texts.into_iter().map(|(text, _)| text.to_string()).collect();
        let text = Text::from_codes(self.codes, categories);
        let canonical =
            if hint == ColumnHint::Label { None } else { text.with_canonical_booleans() };
        Values::Text(canonical.unwrap_or(text))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::DataError;
    use crate::table::ColumnKind;

    type Outcome = Result<(Vec<Note>, FileLayout), DataError>;

    fn build_for<S: AsRef<str>>(
        layout: &FileLayout,
        hint: ColumnHint,
        cells: &[S],
    ) -> (Values, Outcome) {
        let mut builder = ColumnBuilder::new(hint, false);
        cells.iter().for_each(|cell| builder.push(cell.as_ref()));
        let mut findings = Findings::default();
        let column = builder.finish("c", &LineNumbers::From(2), layout, &mut findings);
        (column.values, findings.check("t.csv"))
    }

    fn build<S: AsRef<str>>(hint: ColumnHint, cells: &[S]) -> (Values, Outcome) {
        build_for(&FileLayout::default(), hint, cells)
    }

    #[test]
    fn kinds_are_inferred() {
        let kind = |hint, cells: &[&str]| build(hint, cells).0.kind();
        assert_eq!(kind(ColumnHint::Infer, &["1", "?", "2.5", "None"]), ColumnKind::Number);
        assert_eq!(kind(ColumnHint::Infer, &["a", "?", "b", "none"]), ColumnKind::Category);
        assert_eq!(kind(ColumnHint::Infer, &["yes", "No", ""]), ColumnKind::Boolean);
        assert_eq!(kind(ColumnHint::Infer, &["", "?"]), ColumnKind::Number);
        assert_eq!(kind(ColumnHint::Category, &["1", "2"]), ColumnKind::Category);
    }

    #[test]
    fn an_ambiguous_cell_is_missing_among_numbers_and_a_word_among_words() {
        assert_eq!(build(ColumnHint::Infer, &["1", "-", "2"]).0.missing(), 1);
        assert_eq!(build(ColumnHint::Infer, &["a", "-", "b"]).0.missing(), 0);
    }

    #[test]
    fn few_words_among_numbers_are_errors_and_many_are_categories() {
        let mut cells: Vec<String> = (0..19).map(|i| format!("{i}.5")).collect();
        cells.push("oops".to_owned());
        let error = build(ColumnHint::Infer, &cells).1.unwrap_err().to_string();
        assert!(error.contains("line 21, column `c`: `oops`"), "{error}");
        assert!(error.contains("--as-category c"), "{error}");

        let (values, found) = build(ColumnHint::Infer, &["1", "2", "x"]);
        assert_eq!(values.kind(), ColumnKind::Category);
        assert!(matches!(&found.unwrap().0[..], [Note::MixedColumn { .. }]));
    }

    #[test]
    fn repeated_numbers_next_to_a_word_are_categories() {
        let mut cells: Vec<&str> = ["4", "6", "8"].repeat(10);
        cells.push("rotary");
        let (values, found) = build(ColumnHint::Infer, &cells);
        assert_eq!(values.kind(), ColumnKind::Category);
        assert!(matches!(&found.unwrap().0[..], [Note::MixedColumn { .. }]));
        cells.push("rotary");
        assert_eq!(build(ColumnHint::Infer, &cells).0.missing(), 2, "the word is repeated");
    }

    #[test]
    fn a_repeated_word_among_numbers_marks_missing_cells() {
        let mut cells: Vec<String> = (0..30).map(|i| format!("{i}.5")).collect();
        cells.extend(["unknown", "unknown"].map(str::to_owned));
        let (values, found) = build(ColumnHint::Infer, &cells);
        let (notes, layout) = found.unwrap();
        assert_eq!(values.missing(), 2);
        assert!(notes[0].to_string().contains("2 cells `unknown`"), "{}", notes[0]);
        assert_eq!(layout.missing_words["c"], "unknown");
        for hint in [ColumnHint::Number, ColumnHint::ForcedNumber] {
            assert!(build(hint, &cells).1.is_err(), "the user asked for numbers");
        }
        cells.push("other".to_owned());
        assert!(build(ColumnHint::Infer, &cells).1.is_err(), "two words");
    }

    #[test]
    fn a_model_accepts_only_its_own_missing_word() {
        let mut layout = FileLayout::default();
        layout.missing_words.insert("c".into(), "unknown".into());
        let (values, found) =
            build_for(&layout, ColumnHint::ModelNumber, &["1", "unknown", "-", ""]);
        assert!(found.is_ok());
        assert_eq!(values.missing(), 3);
        let words = ["1", "oops", "oops", "unknown"];
        let error = build_for(&layout, ColumnHint::ModelNumber, &words).1.unwrap_err().to_string();
        assert!(error.contains("line 3, column `c`: `oops`"), "{error}");
        assert!(error.contains("line 4, column `c`: `oops`"), "{error}");
        assert!(!error.contains("--as-category"), "no remedy at prediction: {error}");
        assert!(build(ColumnHint::ModelNumber, &["1", "unknown", "unknown"]).1.is_err());
        let many: Vec<String> = (0..25).map(|_| "oops".to_owned()).collect();
        let error = build(ColumnHint::ModelNumber, &many).1.unwrap_err().to_string();
        assert!(error.contains("... and 15 more"), "{error}");
    }

    #[test]
    fn booleans_become_numbers_on_request() {
        let (values, found) = build(ColumnHint::ForcedNumber, &["yes", "No", "1", ""]);
        assert_eq!(values, Values::Number(vec![1.0, 0.0, 1.0, f32::NAN]));
        let layout = found.unwrap().1;
        assert_eq!(
            build_for(&layout, ColumnHint::ModelNumber, &["no", "YES"]).0,
            Values::Number(vec![0.0, 1.0])
        );
        assert!(build(ColumnHint::ModelNumber, &["yes"]).1.is_err(), "a model that never saw it");
        assert!(build(ColumnHint::Number, &["yes"]).1.is_err(), "the format declares numbers");
        let (values, found) = build(ColumnHint::ModelNumber, &["True", "false"]);
        assert_eq!((values, found.is_ok()), (Values::Number(vec![1.0, 0.0]), true));
    }

    #[test]
    fn labels_keep_their_text() {
        let (values, _) = build(ColumnHint::Label, &["1", "1.0", "01", "true"]);
        let Values::Text(text) = values else { panic!("text") };
        let texts: Vec<_> = (0..4).map(|row| text.get(row).unwrap()).collect();
        assert_eq!(texts, ["1", "1.0", "01", "true"]);
        let Values::Text(text) = build(ColumnHint::Infer, &["true", "FALSE"]).0 else {
            panic!("text")
        };
        assert_eq!(text.categories(), ["False", "True"], "features have one spelling");
    }

    #[test]
    fn long_columns_give_the_same_kind_as_short_ones() {
        let cells: Vec<String> = (0..10_000).map(|i| format!("{}", i as f32 / 8.0)).collect();
        let expected = (0..10_000).map(|i| i as f32 / 8.0).collect();
        assert_eq!(build(ColumnHint::Infer, &cells).0, Values::Number(expected));
    }

    /// Many numbers and a share of words, the words first or last.
    fn both_orders(words: usize, number: fn(usize) -> String) -> [Vec<String>; 2] {
        let numbers: Vec<String> = (0..5000).map(number).collect();
        let words: Vec<String> = (0..words).map(|i| format!("w{}", i % 7)).collect();
        [[&words[..], &numbers[..]].concat(), [&numbers[..], &words[..]].concat()]
    }

    #[test]
    fn the_order_of_rows_does_not_decide_the_kind() {
        for (words, kind) in [(5000, Some(ColumnKind::Category)), (100, None)] {
            for cells in both_orders(words, |i| format!("{i}")) {
                let (values, found) = build(ColumnHint::Infer, &cells);
                assert_eq!(found.is_ok().then(|| values.kind()), kind, "{words}");
            }
        }
        let [first, last] = both_orders(5000, |i| format!("{}.50", i % 4500));
        let text = |cells| {
            let Values::Text(text) = build(ColumnHint::Infer, cells).0 else { panic!("text") };
            text.categories().to_vec()
        };
        assert_eq!(text(&first), text(&last));
        for cells in both_orders(5000, |i| format!("12345{i:06}")) {
            let error = build(ColumnHint::Infer, &cells).1.unwrap_err().to_string();
            assert!(error.contains("--as-category c"), "{error}");
        }
    }

    #[test]
    fn indistinct_numbers_get_a_note() {
        let note = |cells: &[&str]| build(ColumnHint::Infer, cells).1.unwrap().0.first().cloned();
        let close = note(&["100000000.1", "100000000.2", ""]);
        assert!(matches!(close, Some(Note::Indistinct { .. })), "{close:?}");
        assert_eq!(note(&["100000000.1", "100000000.10", ""]), None);
        assert_eq!(note(&["1", "2"]), None);
    }
}
