//! Finds out what a column of text cells holds, in one pass.
//!
//! A column starts undecided and keeps each distinct text once. When it turns out to hold many
//! different numbers it becomes plain numbers, so that a long column of measurements costs four
//! bytes a cell. Labels and categories never lose their text: `1` stays `1` and is never `1.0`.

use std::collections::HashMap;
use std::sync::Arc;

use crate::cell::{self, Cell};
use crate::error::DataError;
use crate::fault::BadCell;
use crate::listed::Listed;
use crate::note::Note;
use crate::table::{Column, Lines, Values};
use crate::text::Text;

/// With this many different numbers a column is taken to be numeric before its end is seen.
const SURELY_NUMBERS: usize = 4096;

/// A column with at least this share of numbers is a column of numbers, and its text is an error.
const MOSTLY: f64 = 0.9;

/// What the user, the target or a model says about a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Wish {
    /// Find out.
    Find,
    /// Numbers; anything else is an error.
    Number,
    /// Numbers, because a model says so; one word that stands for missing cells is let through.
    Modelled,
    /// Text, even where it looks like numbers.
    Category,
    /// The format says text: numbers only where there is nothing but numbers.
    Words,
}

impl Wish {
    /// Whether the column is numbers from the start.
    pub fn is_number(self) -> bool {
        matches!(self, Wish::Number | Wish::Modelled)
    }

    /// What the format declares, unless somebody wishes otherwise.
    pub fn declared(self, declared: Wish) -> Self {
        if self == Wish::Find { declared } else { self }
    }
}

/// Grows one column from text cells.
pub(crate) struct ColumnBuilder {
    wish: Wish,
    decimal_comma: bool,
    cells: Cells,
}

enum Cells {
    /// Each distinct text once, with its meaning.
    Undecided { codes: Vec<u32>, known: HashMap<Arc<str>, u32>, texts: Vec<(Arc<str>, Cell)> },
    /// Numbers, and the cells (row, text) that are none.
    Numbers { values: Vec<f32>, strange: Strange, endless: Listed<(usize, String)> },
}

/// The cells (row, text) of a column of numbers that are none.
#[derive(Default)]
struct Strange {
    cells: Listed<(usize, String)>,
    /// The text of them all, while it is the same.
    word: Option<String>,
    varied: bool,
}

impl Strange {
    fn add(&mut self, row: usize, text: &str) {
        self.cells.add(|| (row, text.to_owned()));
        match &self.word {
            None => self.word = Some(text.to_owned()),
            Some(word) => self.varied |= word != text,
        }
    }

    /// The one word that stands for missing cells: it comes again and nothing else is strange.
    /// A word that comes once may as well be a slip of the pen.
    fn marker(&self, wish: Wish) -> Option<&str> {
        let often = match wish {
            Wish::Modelled => 1,
            Wish::Find => 2,
            _ => return None,
        };
        let is_marker = !self.varied && self.cells.total() >= often;
        self.word.as_deref().filter(|_| is_marker)
    }
}

/// The cells that are wrong, over all columns of a table.
#[derive(Default)]
pub(crate) struct Faults {
    text: Listed<BadCell>,
    endless: Listed<BadCell>,
}

impl Faults {
    /// The error, if there was a fault.
    pub fn check(self, file: &str) -> Result<(), DataError> {
        let file = file.to_owned();
        if let Some(first) = self.text.shown().first() {
            let column = first.column.clone();
            return Err(DataError::TextInNumbers { file, column, cells: self.text });
        }
        if !self.endless.is_empty() {
            return Err(DataError::NotFinite { file, cells: self.endless });
        }
        Ok(())
    }
}

impl ColumnBuilder {
    /// An empty column.
    pub fn new(wish: Wish, decimal_comma: bool) -> Self {
        let cells = match wish {
            Wish::Number | Wish::Modelled => Cells::Numbers {
                values: Vec::new(),
                strange: Strange::default(),
                endless: Listed::default(),
            },
            Wish::Find | Wish::Category | Wish::Words => {
                Cells::Undecided { codes: Vec::new(), known: HashMap::new(), texts: Vec::new() }
            }
        };
        Self { wish, decimal_comma, cells }
    }

    /// Adds the next row's cell.
    pub fn push(&mut self, text: &str) {
        match &mut self.cells {
            Cells::Numbers { values, strange, endless } => {
                let row = values.len();
                values.push(match cell::read(text, self.decimal_comma) {
                    Cell::Number(value) => value,
                    Cell::Missing | Cell::Mark => f32::NAN,
                    Cell::NotFinite => {
                        endless.add(|| (row, text.to_owned()));
                        f32::NAN
                    }
                    Cell::Text => {
                        strange.add(row, text);
                        f32::NAN
                    }
                });
            }
            Cells::Undecided { codes, known, texts } => {
                if let Some(&code) = known.get(text) {
                    codes.push(code);
                    return;
                }
                let code = texts.len() as u32;
                let stored: Arc<str> = text.into();
                texts.push((stored.clone(), cell::read(text, self.decimal_comma)));
                known.insert(stored, code);
                codes.push(code);
                if self.wish == Wish::Find && texts.len() == SURELY_NUMBERS {
                    self.decide_early();
                }
            }
        }
    }

    /// Adds a number of a format that has numbers; NaN is a missing one. Only for columns that
    /// are wished to be numbers: in others a number has a text that only the format knows.
    pub fn push_number(&mut self, number: f64) {
        let Cells::Numbers { values, endless, .. } = &mut self.cells else {
            return self.push(&number.to_string());
        };
        let row = values.len();
        values.push(if number.is_nan() {
            f32::NAN
        } else {
            cell::narrow(number).unwrap_or_else(|| {
                endless.add(|| (row, format!("{number:e}")));
                f32::NAN
            })
        });
    }

    /// Turns into plain numbers when the distinct texts are numbers but for a few.
    fn decide_early(&mut self) {
        let Cells::Undecided { codes, texts, .. } = &self.cells else {
            return;
        };
        if share_of_numbers(codes, texts).is_some_and(|share| share < MOSTLY) {
            return;
        }
        self.cells = as_numbers(codes, texts);
    }

    /// The column, with what was assumed about it; wrong cells go to `faults`.
    pub fn finish(
        mut self,
        name: &str,
        lines: &Lines,
        faults: &mut Faults,
        notes: &mut Vec<Note>,
    ) -> Column {
        if let (Wish::Find | Wish::Words, Cells::Undecided { codes, texts, .. }) =
            (self.wish, &self.cells)
        {
            let column = || name.to_owned();
            match share_of_numbers(codes, texts) {
                Some(_) if self.wish == Wish::Words => {}
                Some(share) if share < MOSTLY => {
                    if share > 0.0 {
                        notes.push(Note::MixedColumn { column: column(), share });
                    }
                }
                _ => {
                    if self.wish == Wish::Words {
                        notes.push(Note::NumbersAsText { column: column() });
                    }
                    self.cells = as_numbers(codes, texts);
                }
            }
        }
        let values = match self.cells {
            Cells::Numbers { values, strange, endless } => {
                match strange.marker(self.wish) {
                    Some(word) => notes.push(Note::TakenAsMissing {
                        column: name.to_owned(),
                        word: word.to_owned(),
                        cells: strange.cells.total(),
                    }),
                    None => report(&strange.cells, name, lines, &mut faults.text),
                }
                report(&endless, name, lines, &mut faults.endless);
                Values::Number(values)
            }
            Cells::Undecided { mut codes, texts, .. } => {
                for code in &mut codes {
                    if texts[*code as usize].1 == Cell::Missing {
                        *code = Text::MISSING;
                    }
                }
                let categories = texts.into_iter().map(|(text, _)| text.to_string()).collect();
                Values::Text(Text::from_codes(codes, categories))
            }
        };
        Column { name: name.to_owned(), values }
    }
}

/// The share of numbers among the cells that say something; `None` when all are numbers or marks
/// for missing ones.
fn share_of_numbers(codes: &[u32], texts: &[(Arc<str>, Cell)]) -> Option<f64> {
    let (mut numbers, mut words, mut marks) = (0usize, 0usize, 0usize);
    for &code in codes {
        match texts[code as usize].1 {
            Cell::Number(_) | Cell::NotFinite => numbers += 1,
            Cell::Text => words += 1,
            Cell::Mark => marks += 1,
            Cell::Missing => {}
        }
    }
    if words == 0 && (numbers > 0 || marks == 0) {
        return None;
    }
    // Next to words, a mark is a word.
    Some(numbers as f64 / (numbers + words + marks) as f64)
}

fn as_numbers(codes: &[u32], texts: &[(Arc<str>, Cell)]) -> Cells {
    let mut strange = Strange::default();
    let mut endless = Listed::default();
    let mut values = Vec::with_capacity(codes.len());
    for (row, &code) in codes.iter().enumerate() {
        let (text, cell) = &texts[code as usize];
        values.push(match cell {
            Cell::Number(value) => *value,
            Cell::Missing | Cell::Mark => f32::NAN,
            Cell::NotFinite => {
                endless.add(|| (row, text.to_string()));
                f32::NAN
            }
            Cell::Text => {
                strange.add(row, text);
                f32::NAN
            }
        });
    }
    Cells::Numbers { values, strange, endless }
}

fn report(
    cells: &Listed<(usize, String)>,
    name: &str,
    lines: &Lines,
    faults: &mut Listed<BadCell>,
) {
    for (row, text) in cells.shown() {
        faults.add(|| BadCell {
            place: lines.place(*row),
            column: name.to_owned(),
            found: text.clone(),
        });
    }
    faults.count(cells.total() - cells.shown().len());
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::Kind;

    fn build(wish: Wish, cells: &[&str]) -> (Column, Faults, Vec<Note>) {
        let mut builder = ColumnBuilder::new(wish, false);
        cells.iter().for_each(|cell| builder.push(cell));
        let (mut faults, mut notes) = (Faults::default(), Vec::new());
        let column = builder.finish("c", &Lines::From(2), &mut faults, &mut notes);
        (column, faults, notes)
    }

    #[test]
    fn kinds_are_found() {
        let kind = |wish, cells: &[&str]| build(wish, cells).0.values.kind();
        assert_eq!(kind(Wish::Find, &["1", "?", "2.5", "None"]), Kind::Number);
        assert_eq!(kind(Wish::Find, &["a", "?", "b", "none"]), Kind::Category);
        assert_eq!(kind(Wish::Find, &["yes", "No", ""]), Kind::Boolean);
        assert_eq!(kind(Wish::Find, &["", "?"]), Kind::Number);
        assert_eq!(kind(Wish::Category, &["1", "2"]), Kind::Category);
    }

    #[test]
    fn a_mark_is_missing_among_numbers_and_a_word_among_words() {
        let (numbers, ..) = build(Wish::Find, &["1", "-", "2"]);
        assert_eq!(numbers.values.missing(), 1);
        let (words, ..) = build(Wish::Find, &["a", "-", "b"]);
        assert_eq!(words.values.missing(), 0);
    }

    #[test]
    fn a_few_words_among_numbers_are_faults_and_many_are_categories() {
        let mut cells = vec!["1.5"; 19];
        cells.push("oops");
        let (_, faults, _) = build(Wish::Find, &cells);
        let error = faults.check("t.csv").unwrap_err().to_string();
        assert!(error.contains("line 21, column `c`: `oops`"), "{error}");
        assert!(error.contains("--as-category c"), "{error}");

        let (column, faults, notes) = build(Wish::Find, &["1", "2", "x"]);
        assert!(faults.check("t.csv").is_ok());
        assert_eq!(column.values.kind(), Kind::Category);
        assert!(matches!(&notes[..], [Note::MixedColumn { .. }]));
    }

    #[test]
    fn one_word_among_numbers_that_comes_again_means_missing() {
        let mut cells = vec!["1.5"; 30];
        cells.extend(["unknown", "unknown"]);
        let (column, faults, notes) = build(Wish::Find, &cells);
        assert!(faults.check("t.csv").is_ok());
        assert_eq!(column.values.missing(), 2);
        assert!(notes[0].to_string().contains("2 cells `unknown`"), "{}", notes[0]);
        let (_, faults, _) = build(Wish::Number, &cells);
        assert!(faults.check("t.csv").is_err(), "who asks for numbers wants to know");
        let (_, faults, _) = build(Wish::Modelled, &["1", "unknown"]);
        assert!(faults.check("t.csv").is_ok(), "a model has seen it before");
        cells.push("other");
        let (_, faults, _) = build(Wish::Find, &cells);
        assert!(faults.check("t.csv").is_err(), "two words are no marker");
    }

    #[test]
    fn labels_keep_their_text() {
        let (column, ..) = build(Wish::Category, &["1", "1.0", "01"]);
        let Values::Text(text) = column.values else { panic!("text") };
        assert_eq!(text.get(0), Some("1"));
        assert_eq!(text.get(1), Some("1.0"));
        assert_eq!(text.get(2), Some("01"));
    }

    #[test]
    fn deciding_early_gives_what_deciding_late_gives() {
        let cells: Vec<String> = (0..10_000).map(|i| format!("{}", i as f32 / 8.0)).collect();
        let cells: Vec<&str> = cells.iter().map(String::as_str).collect();
        let (early, ..) = build(Wish::Find, &cells);
        let expected = (0..10_000).map(|i| i as f32 / 8.0).collect();
        assert_eq!(early.values, Values::Number(expected));
    }
}
