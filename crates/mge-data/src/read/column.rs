//! Infers the kind of a column from its text cells, in one pass.
//!
//! A column starts undecided and stores each distinct text once. After many distinct numbers it
//! stores numbers as f32 and only other cells as text, so that a long column of measurements costs
//! four bytes a cell. The kind is decided after the last cell (`decide`, `numbers`), by counts alone, so the
//! order of the rows does not matter. Labels and categories keep their text: `1` is never `1.0`.

mod decide;
mod findings;
mod numbers;

pub(crate) use findings::Findings;

use std::collections::HashMap;
use std::sync::Arc;

use crate::cell_text::{self, Cell};

/// A column with this many distinct numbers stores them without their text.
const MANY_NUMBERS: usize = 4096;

/// The decimal digits that always survive in an f32: its shortest text is the number as read.
const SAFE_DIGITS: usize = 6;

/// What the user, the format or a model says about a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ColumnHint {
    /// Nothing: the kind is inferred.
    Infer,
    /// The format declares numbers; anything else is an error.
    Number,
    /// The user asks for numbers; words for yes and no are 1 and 0.
    ForcedNumber,
    /// A model expects numbers; it knows which words are missing cells or booleans.
    ModelNumber,
    /// Text, even if it looks like numbers.
    Category,
    /// Labels: text, exactly as written.
    Label,
    /// The format declares text; a column of numbers alone still becomes numbers.
    Text,
}

impl ColumnHint {
    /// Whether the column is known to hold numbers.
    pub fn is_number(self) -> bool {
        matches!(self, ColumnHint::Number | ColumnHint::ForcedNumber | ColumnHint::ModelNumber)
    }

    /// The declaration of the format, unless there is another hint.
    pub fn or_declared(self, declared: ColumnHint) -> Self {
        if self == ColumnHint::Infer { declared } else { self }
    }
}

/// Builds one column from text cells.
pub(crate) struct ColumnBuilder {
    hint: ColumnHint,
    decimal_comma: bool,
    cells: Cells,
}

enum Cells {
    Undecided(Undecided),
    Numbers(Numbers),
}

/// Distinct texts with their meanings.
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

/// A column of a kind not yet decided.
#[derive(Default)]
struct Undecided {
    codes: Vec<u32>,
    texts: Texts,
    /// The number of distinct texts that are numbers.
    numbers: usize,
}

impl Undecided {
    fn push(&mut self, text: &str, decimal_comma: bool) {
        let numbers = &mut self.numbers;
        let code = self.texts.code(text, || {
            let meaning = cell_text::read(text, decimal_comma);
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

/// A column of numbers, and its other cells.
#[derive(Default)]
struct Numbers {
    /// NaN where a cell is missing or not a number.
    values: Vec<f32>,
    /// Row and text of each cell that is neither a number nor missing.
    others: Vec<(usize, u32)>,
    texts: Texts,
    /// The first number; `varied` says whether another number differs from it.
    first: Option<f64>,
    varied: bool,
    /// Whether some number has more digits than an f32 preserves.
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
            Cell::Ambiguous | Cell::NotFinite | Cell::Text => {
                let code = self.texts.code(text, || meaning);
                self.others.push((self.values.len(), code));
                self.values.push(f32::NAN);
            }
        }
    }

    /// Appends a number that f32 can hold.
    #[inline]
    fn push_number(&mut self, number: f64) {
        self.varied |= *self.first.get_or_insert(number) != number;
        self.values.push(cell_text::narrow(number).unwrap_or(f32::NAN));
    }
}

impl ColumnBuilder {
    /// An empty column.
    pub fn new(hint: ColumnHint, decimal_comma: bool) -> Self {
        let cells = if hint.is_number() {
            Cells::Numbers(Numbers::default())
        } else {
            Cells::Undecided(Undecided::default())
        };
        Self { hint, decimal_comma, cells }
    }

    /// Appends the cell of the next row.
    pub fn push(&mut self, text: &str) {
        match &mut self.cells {
            Cells::Numbers(numbers) => {
                let meaning = match cell_text::read(text, self.decimal_comma) {
                    // `-` or `None` is a word only in a column that may hold words.
                    Cell::Ambiguous if self.hint != ColumnHint::Infer => Cell::Missing,
                    meaning => meaning,
                };
                numbers.push(text, meaning);
            }
            Cells::Undecided(cells) => {
                cells.push(text, self.decimal_comma);
                if self.hint == ColumnHint::Infer && cells.numbers == MANY_NUMBERS {
                    self.cells = Cells::Numbers(std::mem::take(cells).into_numbers());
                }
            }
        }
    }

    /// Appends a number; NaN means missing. For columns that hold numbers: in other columns the
    /// format must supply the number's text.
    pub fn push_number(&mut self, number: f64) {
        match &mut self.cells {
            Cells::Numbers(numbers) if number.is_nan() => numbers.values.push(f32::NAN),
            Cells::Numbers(numbers) if cell_text::narrow(number).is_some() => {
                numbers.push_number(number + 0.0);
            }
            Cells::Numbers(numbers) => numbers.push(&format!("{number:e}"), Cell::NotFinite),
            Cells::Undecided(_) => self.push(&number.to_string()),
        }
    }
}
