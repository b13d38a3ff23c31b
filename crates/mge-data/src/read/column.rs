//! Finds out what a column of text cells holds, in one pass.
//!
//! A column starts undecided and keeps each distinct text once. Once it has shown many different
//! numbers it keeps numbers as numbers, so that a long column of measurements costs four bytes a
//! cell, and only what is no number as text. What the column is, is decided when all cells are
//! there (`decide`), by counts alone: the order of the rows does not matter. Labels and
//! categories never lose their text: `1` stays `1` and is never `1.0`.

mod decide;
mod findings;

pub(crate) use findings::Findings;

use std::collections::HashMap;
use std::sync::Arc;

use crate::cell::{self, Cell};

/// With this many different numbers a column keeps numbers without their text.
const MANY_NUMBERS: usize = 4096;

/// So many decimal digits survive in an f32: its shortest text is the number that was read.
const SAFE_DIGITS: usize = 6;

/// What the user, the target or a model says about a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Wish {
    /// Find out.
    Find,
    /// Numbers, because the format says so; anything else is an error.
    Number,
    /// Numbers, because the user says so; words for yes and no are 1 and 0.
    AsNumber,
    /// Numbers, because a model says so; the model knows which words to let through.
    Modelled,
    /// Text, even where it looks like numbers.
    Category,
    /// Labels: text, exactly as it is written.
    Label,
    /// The format says text: numbers only where there is nothing but numbers.
    Words,
}

impl Wish {
    /// Whether the column is numbers from the start.
    pub fn is_number(self) -> bool {
        matches!(self, Wish::Number | Wish::AsNumber | Wish::Modelled)
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
    Undecided(Undecided),
    Numbers(Numbers),
}

/// Each distinct text once, with its meaning.
#[derive(Default)]
struct Texts {
    known: HashMap<Arc<str>, u32>,
    texts: Vec<(Arc<str>, Cell)>,
}

impl Texts {
    fn code(&mut self, text: &str, meaning: impl FnOnce() -> Cell) -> u32 {
        if let Some(&code) = self.known.get(text) {
            return code;
        }
        let (code, text) = (self.texts.len() as u32, Arc::<str>::from(text));
        self.texts.push((text.clone(), meaning()));
        self.known.insert(text, code);
        code
    }
}

/// A column that may be anything.
#[derive(Default)]
struct Undecided {
    codes: Vec<u32>,
    texts: Texts,
    /// How many of the texts are numbers.
    numbers: usize,
}

impl Undecided {
    fn push(&mut self, text: &str, decimal_comma: bool) {
        let numbers = &mut self.numbers;
        let code = self.texts.code(text, || {
            let meaning = cell::read(text, decimal_comma);
            *numbers += usize::from(matches!(meaning, Cell::Number(_)));
            meaning
        });
        self.codes.push(code);
    }

    fn into_numbers(self) -> Numbers {
        let mut numbers = Numbers::default();
        for code in self.codes {
            let (text, meaning) = &self.texts.texts[code as usize];
            numbers.push(text, *meaning);
        }
        numbers
    }
}

/// A column with many numbers, and what is none.
#[derive(Default)]
struct Numbers {
    /// NaN where a cell is missing, or is none.
    values: Vec<f32>,
    /// Row and text of each cell that is neither a number nor missing.
    others: Vec<(usize, u32)>,
    texts: Texts,
    /// The first number, and whether another one differs from it.
    first: Option<f64>,
    varied: bool,
    /// Whether some number has more digits than its f32 can give back.
    long: bool,
}

impl Numbers {
    #[inline]
    fn push(&mut self, text: &str, meaning: Cell) {
        match meaning {
            Cell::Number(number) => {
                self.long |= text.bytes().filter(u8::is_ascii_digit).count() > SAFE_DIGITS;
                self.push_number(number);
            }
            Cell::Missing => self.values.push(f32::NAN),
            Cell::Mark | Cell::NotFinite | Cell::Text => {
                let code = self.texts.code(text, || meaning);
                self.others.push((self.values.len(), code));
                self.values.push(f32::NAN);
            }
        }
    }

    /// A number that f32 can hold.
    #[inline]
    fn push_number(&mut self, number: f64) {
        self.varied |= *self.first.get_or_insert(number) != number;
        self.values.push(cell::narrow(number).unwrap_or(f32::NAN));
    }
}

impl ColumnBuilder {
    /// An empty column.
    pub fn new(wish: Wish, decimal_comma: bool) -> Self {
        let cells = if wish.is_number() {
            Cells::Numbers(Numbers::default())
        } else {
            Cells::Undecided(Undecided::default())
        };
        Self { wish, decimal_comma, cells }
    }

    /// Adds the next row's cell.
    pub fn push(&mut self, text: &str) {
        match &mut self.cells {
            Cells::Numbers(numbers) => {
                let meaning = match cell::read(text, self.decimal_comma) {
                    // Only next to words is a mark a word, and numbers are wished for here.
                    Cell::Mark if self.wish != Wish::Find => Cell::Missing,
                    meaning => meaning,
                };
                numbers.push(text, meaning);
            }
            Cells::Undecided(cells) => {
                cells.push(text, self.decimal_comma);
                if self.wish == Wish::Find && cells.numbers == MANY_NUMBERS {
                    self.cells = Cells::Numbers(std::mem::take(cells).into_numbers());
                }
            }
        }
    }

    /// Adds a number of a format that has numbers; NaN is a missing one. Only for columns that
    /// are wished to be numbers: in others a number has a text that only the format knows.
    pub fn push_number(&mut self, number: f64) {
        match &mut self.cells {
            Cells::Numbers(numbers) if number.is_nan() => numbers.values.push(f32::NAN),
            Cells::Numbers(numbers) if cell::narrow(number).is_some() => {
                numbers.push_number(number + 0.0);
            }
            Cells::Numbers(numbers) => numbers.push(&format!("{number:e}"), Cell::NotFinite),
            Cells::Undecided(_) => self.push(&number.to_string()),
        }
    }
}
