//! LIBSVM and SVMlight: `LABEL PLACE:VALUE PLACE:VALUE ... # comment`, absent places being 0.
//!
//! Written by hand: the format is one line long, and the crates that know it bring a matrix
//! library along. Places count from 1; a file in which place 0 occurs counts from 0, and then
//! place 0 is `column_1`. A model remembers which, since a later file may not use place 0. The format names nothing: features are `column_1`, `column_2`, ..., the
//! labels are called what the user or the model calls them, else `class`.

use super::column::{ColumnBuilder, Wish};
use super::growing;
use super::lines::Lines;
use super::plan::{Plan, label_name, name_of_place, nameless};
use super::{Draft, Input, Reader};
use crate::cell::{self, Cell};
use crate::error::{DataError, FormatError};
use crate::fault::shorten;
use crate::note::Note;
use crate::options::LoadOptions;
use crate::table;

const FORMAT: &str = "LIBSVM";
/// More features than this are no table that anyone searches.
const MOST_COLUMNS: usize = 1 << 20;
/// 16 GiB of f32.
const MOST_CELLS: u64 = 1 << 32;

pub(crate) struct LibSvm;

impl Reader for LibSvm {
    fn recognises(&self, head: &[u8]) -> bool {
        let Some(last) = head.iter().rposition(|&byte| byte == b'\n').or(head.len().checked_sub(1))
        else {
            return false;
        };
        let Ok(text) = std::str::from_utf8(&head[..=last]) else {
            return false;
        };
        let mut pairs = 0;
        for line in text.lines().map(without_comment).filter(|line| !line.is_empty()).take(20) {
            let mut words = line.split_ascii_whitespace();
            let label = words.next().unwrap_or_default();
            if label.split(',').any(|part| part.parse::<f64>().is_err()) {
                return false;
            }
            for word in words {
                if pair(word).is_none() {
                    return false;
                }
                pairs += 1;
            }
        }
        pairs > 0
    }

    fn endings(&self) -> &'static [&'static str] {
        &[".libsvm", ".svm", ".svmlight"]
    }

    fn read(&self, mut input: Input, options: &LoadOptions) -> Result<Draft, DataError> {
        let file = input.file.clone();
        let mut sparse = Sparse::default();
        let mut lines = Lines::new(&mut input, FORMAT);
        while lines.next()? {
            let line = without_comment(lines.text()?);
            if !line.is_empty() {
                sparse.row(&lines, line)?;
            }
        }
        sparse.draft(file, options)
    }
}

fn without_comment(line: &str) -> &str {
    line.split('#').next().unwrap_or_default().trim()
}

enum Pair {
    Value(usize, f32),
    /// The group of a ranking task; not a feature.
    Query,
}

fn pair(word: &str) -> Option<Pair> {
    let (place, value) = word.split_once(':')?;
    if place == "qid" {
        return Some(Pair::Query);
    }
    match cell::read(value, false) {
        Cell::Number(value) => Some(Pair::Value(place.parse().ok()?, cell::narrow(value)?)),
        Cell::Missing => Some(Pair::Value(place.parse().ok()?, f32::NAN)),
        _ => None,
    }
}

/// Columns by place; each is as long as its last value that is not zero.
#[derive(Default)]
struct Sparse {
    labels: Vec<String>,
    columns: Vec<Vec<f32>>,
    lines: table::Lines,
    queries: bool,
    /// The first line in which place 0 occurs.
    place_0: Option<u64>,
}

impl Sparse {
    fn row(&mut self, lines: &Lines<'_>, text: &str) -> Result<(), DataError> {
        let line = lines.number;
        let wrong = |found: &str, expected| lines.wrong(shorten(found), expected);
        let row = self.labels.len();
        let mut words = text.split_ascii_whitespace();
        let label = words.next().unwrap_or_default();
        if label.contains(':') {
            return Err(wrong(label, "a label before the first PLACE:VALUE"));
        }
        let mut last = None;
        for word in words {
            match pair(word) {
                Some(Pair::Value(place, value)) => {
                    if place > MOST_COLUMNS {
                        return Err(wrong(word, "a place of at most 1048576"));
                    }
                    if last.is_some_and(|last| last >= place) {
                        return Err(wrong(word, "places in ascending order"));
                    }
                    last = Some(place);
                    if place == 0 {
                        self.place_0.get_or_insert(line);
                    }
                    if self.columns.len() <= place {
                        self.columns.resize(place + 1, Vec::new());
                    }
                    self.columns[place].resize(row, 0.0);
                    self.columns[place].push(value);
                }
                Some(Pair::Query) => self.queries = true,
                None => return Err(wrong(word, "PLACE:VALUE, a whole and a finite number")),
            }
        }
        self.labels.push(label.to_owned());
        self.lines.push(row, line);
        Ok(())
    }

    fn draft(mut self, file: String, options: &LoadOptions) -> Result<Draft, DataError> {
        let mut notes = Vec::new();
        let first = options.form.first_place.unwrap_or(u8::from(self.place_0.is_none()));
        if first == 0 {
            notes.push(Note::CountsFromZero);
        } else if let Some(line) = self.place_0 {
            let (found, expected) =
                ("place 0".to_owned(), "places from 1, as the model knows them");
            return Err(FormatError::BadLine { file, line, format: FORMAT, found, expected }.into());
        } else if !self.columns.is_empty() {
            self.columns.remove(0);
        }
        if self.queries {
            let what = "qid is not a feature and is ignored".to_owned();
            notes.push(Note::Ignored { what });
        }
        // A model may know more places than this file happens to use.
        let known = options.expected.keys().filter_map(|name| nameless(name));
        let most = known.filter(|&place| place < MOST_COLUMNS).map(|place| place + 1).max();
        let width = self.columns.len().max(most.unwrap_or(0));
        self.columns.resize(width, Vec::new());
        let rows = self.labels.len();
        if rows == 0 {
            return Err(DataError::Empty { file });
        }
        if rows as u64 * width as u64 > MOST_CELLS {
            return Err(
                FormatError::TooLarge { file, rows, columns: width, most: MOST_CELLS }.into()
            );
        }
        let mut names: Vec<String> = (0..width).map(name_of_place).collect();
        names.push(label_name(&names, options));
        let plan = Plan::new(&file, &names, &options.labelled(names.last()), &mut notes)?;
        let mut builders = Vec::with_capacity(names.len());
        for (cells, wish) in self.columns.iter_mut().zip(&plan.wishes) {
            let cells = std::mem::take(cells);
            builders.push(wish.map(|wish| numbers(wish, cells, rows)));
        }
        let labels = plan.wishes.last().copied().flatten().map(|wish| {
            let mut column = ColumnBuilder::new(wish, false);
            self.labels.iter().for_each(|label| column.push(plain(label)));
            column
        });
        builders.push(labels);
        let mut draft = growing::finish(&file, names, builders, plan, self.lines, notes)?;
        draft.form.first_place = Some(first);
        Ok(draft)
    }
}

/// `+1` is the class `1`.
fn plain(label: &str) -> &str {
    label.strip_prefix('+').unwrap_or(label)
}

fn numbers(wish: Wish, cells: Vec<f32>, rows: usize) -> ColumnBuilder {
    let mut column = ColumnBuilder::new(wish.declared(Wish::Number), false);
    let zeros = std::iter::repeat_n(0.0, rows - cells.len());
    for value in cells.into_iter().chain(zeros) {
        if wish == Wish::Category {
            column.push(&if value.is_nan() { String::new() } else { cell::write(value) });
        } else {
            column.push_number(f64::from(value));
        }
    }
    column
}

#[cfg(test)]
mod tests {
    use crate::{LoadOptions, Table, Target, load_bytes};

    fn load(text: &str) -> Table {
        load_bytes("t", text, &LoadOptions::default()).unwrap().table
    }

    #[test]
    fn absent_places_are_zero() {
        let sparse = "# head\n+1 1:0.5 3:2\n-1 2:-1e-3 # tail\n+1\n";
        let dense = "column_1,column_2,column_3,class\n0.5,0,2,1\n0,-0.001,0,-1\n0,0,0,1\n";
        assert_eq!(load(sparse), load(dense));
        assert_eq!(load(sparse).line(1), Some(3));
        let from_zero = "1 0:0.5 2:2\n-1 1:-1e-3\n1\n";
        assert_eq!(load(from_zero), load(dense));
    }

    #[test]
    fn a_model_remembers_where_places_start() {
        let from = |text: &str| load(text).form().clone();
        let zero = LoadOptions { form: from("1 0:5 1:6\n2 1:3\n"), ..Default::default() };
        let later = load_bytes("t", "1 1:6\n2 2:3\n", &zero).unwrap().table;
        assert_eq!(later, load("1 0:0 1:6\n2 2:3\n"), "place 1 is still the second column");
        let one = LoadOptions { form: from("1 1:5\n2 1:3\n"), ..Default::default() };
        let error = load_bytes("t", "1 1:6\n2 0:3\n", &one).unwrap_err().to_string();
        assert!(error.contains("line 2: not valid LIBSVM: `place 0`"), "{error}");
    }

    #[test]
    fn the_labels_take_the_name_that_is_asked_for() {
        let options = LoadOptions { target: Target::Named("kind".into()), ..Default::default() };
        let loaded = load_bytes("t", "1 1:2\n2 1:3\n", &options).unwrap();
        assert_eq!(loaded.target.as_deref(), Some("kind"));
        let options = LoadOptions { target: Target::Absent, ..Default::default() };
        let loaded = load_bytes("t", "1 1:2\n2 1:3\n", &options).unwrap();
        assert_eq!(loaded.target, None);
    }

    #[test]
    fn errors_name_the_line() {
        let error = |text: &str| {
            load_bytes("bad.svm", text, &LoadOptions::default()).unwrap_err().to_string()
        };
        for (text, expected) in [
            ("1 1:2\n1 2:3 1:5\n", "line 2: not valid LIBSVM: `1:5`"),
            ("1 1:2\n1 2:3 2:5\n", "ascending"),
            ("1 1:2\n1 x:5\n", "`x:5`"),
            ("1 1:2\n1 1:inf\n", "`1:inf`"),
            ("1 1:2\n1 9999999999:5\n", "at most 1048576"),
            ("1 1:2\n3:4 5:6\n", "a label"),
            ("what is this\n", "line 1"),
        ] {
            assert!(error(text).contains(expected), "{}", error(text));
        }
        let bytes = b"1 1:2\n1 1:3 # \xff\n".to_vec();
        let error = load_bytes("bad.svm", bytes, &LoadOptions::default()).unwrap_err();
        assert!(error.to_string().contains("line 2, byte 9: not UTF-8"), "{error}");
    }
}
