//! Which delimiter a text table has, and whether its first row names the columns.
//!
//! Found from the first 64 KiB. The rules, in order, for the delimiter: tab, semicolon, bar,
//! comma, whichever splits the most rows into as many cells as the first one; if none splits at
//! all, blanks. For the header: a row that names the target or a column of the model is one; so
//! is one with words above numbers; numbers in it are names only when they count 0, 1, 2 or
//! 1, 2, 3; a row of words is none when every word occurs again below it.

use std::collections::HashSet;
use std::io::Cursor;

use super::{BLANKS, Rows};
use crate::cell::{self, Cell};
use crate::options::{LoadOptions, Target};
use crate::read::Input;
use crate::read::plan::nameless;

/// How many rows are looked at.
const ROWS: usize = 200;

/// How a text table is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Dialect {
    /// The byte between cells; [`BLANKS`] for any number of blanks.
    pub delimiter: u8,
    /// Whether the first row holds names.
    pub header: bool,
    /// Whether some cell of the sample has a decimal comma.
    pub decimal_comma: bool,
}

type Sample = Vec<Vec<String>>;

impl Dialect {
    /// The dialect of a file that begins with `head`.
    pub fn find(head: &[u8], name: &str, options: &LoadOptions) -> Self {
        let sample = |delimiter| sample(head, delimiter);
        let mut best: Option<(f64, u8, Sample)> = None;
        for delimiter in *b"\t;|," {
            let rows = sample(delimiter);
            let share = agreeing(&rows);
            let told = delimiter == b'\t' && (name.ends_with(".tsv") || name.ends_with(".tab"));
            let share = if told && share > 0.0 { 1.0 } else { share };
            // A delimiter that lays bare a name which is known to be there beats all others.
            let known = rows.first().is_some_and(|first| {
                known_names(options).any(|name| first.iter().any(|cell| cell == name))
            });
            let share = if share > 0.0 && known { share + 1.0 } else { share };
            if share > 0.0 && best.as_ref().is_none_or(|(most, ..)| share > *most) {
                best = Some((share, delimiter, rows));
            }
        }
        let (delimiter, rows) = match best {
            Some((_, delimiter, rows)) => (delimiter, rows),
            None => match sample(BLANKS) {
                rows if rows.len() > 1 && agreeing(&rows) == 1.0 => (BLANKS, rows),
                _ => (b',', sample(b',')),
            },
        };
        let comma =
            |text: &String| text.contains(',') && matches!(cell::read(text, true), Cell::Number(_));
        Self {
            delimiter,
            header: has_header(&rows, delimiter == b';', options),
            decimal_comma: delimiter == b';' && rows.iter().flatten().any(comma),
        }
    }
}

/// The names that a user or a model expects in the header.
fn known_names(options: &LoadOptions) -> impl Iterator<Item = &str> {
    let asked = match &options.target {
        Target::Named(name) | Target::IfPresent(name) => Some(name.as_str()),
        Target::Guess | Target::Absent => None,
    };
    options.expected.keys().map(String::as_str).chain(asked)
}

fn sample(head: &[u8], delimiter: u8) -> Sample {
    let whole = head.len() < 1 << 16;
    let mut sample = Vec::new();
    let Ok(input) = Input::new(String::new(), Cursor::new(head.to_vec())) else {
        return sample;
    };
    let mut rows = Rows::new(input, delimiter);
    while sample.len() < ROWS && rows.next().is_ok_and(|more| more) {
        sample.push((0..rows.len()).map(|place| rows.cell(place).to_owned()).collect());
    }
    // The last row of a longer file may be cut.
    if !whole && sample.len() > 1 && sample.len() < ROWS {
        sample.pop();
    }
    sample
}

/// The share of rows as long as the first; 0 when the delimiter splits nothing.
fn agreeing(rows: &Sample) -> f64 {
    let Some(width) = rows.first().map(Vec::len).filter(|&width| width > 1) else {
        return 0.0;
    };
    rows.iter().filter(|row| row.len() == width).count() as f64 / rows.len() as f64
}

fn has_header(rows: &Sample, decimal_comma: bool, options: &LoadOptions) -> bool {
    let Some((first, below)) = rows.split_first() else {
        return true;
    };
    let is_named = |name: &str| first.iter().any(|cell| cell == name);
    let mut known = known_names(options).peekable();
    if known_names(options).any(is_named) {
        return true;
    }
    // A model of a table without a header asks for `column_1`, `column_2` ...
    if known.peek().is_some() && known.all(|name| nameless(name).is_some()) {
        return false;
    }
    let meaning = |text: &str| cell::read(text, decimal_comma);
    let is_number = |text: &str| matches!(meaning(text), Cell::Number(_) | Cell::NotFinite);
    let column = |place: usize| below.iter().filter_map(move |row| row.get(place));
    let is_numeric = |place: usize| {
        let known = || column(place).filter(|cell| meaning(cell) != Cell::Missing);
        known().next().is_some() && known().all(|cell| is_number(cell))
    };
    let words = |place: usize| meaning(&first[place]) == Cell::Text;
    if (0..first.len()).any(|place| words(place) && is_numeric(place)) {
        return true;
    }
    if first.iter().any(|cell| is_number(cell)) {
        let counts = |base: usize| {
            first
                .iter()
                .enumerate()
                .all(|(place, cell)| !is_number(cell) || cell.parse() == Ok(place + base))
        };
        return first.len() > 1 && (counts(0) || counts(1)) && !below.is_empty();
    }
    let distinct: HashSet<&String> = first.iter().collect();
    let again = |place: usize| column(place).any(|cell| *cell == first[place]);
    let repeated = (0..first.len()).filter(|&place| again(place)).count();
    let is_data = if distinct.len() < first.len() {
        2 * repeated >= first.len()
    } else {
        repeated == first.len() && below.len() > 1
    };
    !is_data
}

#[cfg(test)]
mod tests {
    use super::*;

    fn find(text: &str) -> (char, bool, bool) {
        let found = Dialect::find(text.as_bytes(), "t", &LoadOptions::default());
        (char::from(found.delimiter), found.header, found.decimal_comma)
    }

    #[test]
    fn delimiters() {
        assert_eq!(find("a,b\n1,2\n"), (',', true, false));
        assert_eq!(find("a\tb\n1\t2,5\n"), ('\t', true, false));
        assert_eq!(find("a;b\n1,5;2,5\n"), (';', true, true));
        assert_eq!(find("1,5;2,5;x\n2,5;3,5;y\n"), (';', false, true));
        assert_eq!(find("a|b\n1|2\n"), ('|', true, false));
        assert_eq!(find("a,b\n\"1;2\",x\n\"3;4\",y\n"), (',', true, false));
        assert_eq!(find("a b\n1  2\n 3 4\n"), (' ', true, false));
        assert_eq!(find("only\n1\n2\n"), (',', true, false));
    }

    #[test]
    fn headers() {
        let header = |text| find(text).1;
        assert!(header("a,b\nx,y\nz,w\n"), "words that do not come again");
        assert!(!header("p,x,s\np,x,s\ne,x,t\np,b,s\n"), "all come again");
        assert!(!header("5.1,3.5,setosa\n4.9,3.0,setosa\n"));
        assert!(header("0,1,2,class\n5.1,3.5,1,x\n"), "numbers that count");
        assert!(header("name,1999,size\nx,1,2\n"), "a word above numbers");
        assert!(!header("1,4\n3,4\n"));
    }

    #[test]
    fn the_target_and_the_model_tell() {
        let named = |name: &str| LoadOptions {
            target: Target::Named(name.into()),
            ..LoadOptions::default()
        };
        let header = |options| Dialect::find(b"p,x\np,x\np,y\n", "t", &options).header;
        assert!(header(named("x")));
        assert!(!header(named("column_2")));
        assert!(!header(LoadOptions::default()));
    }
}
