//! LIBSVM and SVMlight: `LABEL INDEX:VALUE INDEX:VALUE ... # comment`. Absent features are 0.
//!
//! Indices count from 1. In a file with an index 0 they count from 0, and index 0 is `column_1`. A
//! model stores the first index, because a later file may not use index 0. The format has no names:
//! features are `column_1`, `column_2`, ...; the user or the model names the labels, else they are
//! `class`. The reader is our own, because the crates for this format need a matrix library.

use super::column::{ColumnBuilder, ColumnHint};
use super::column_plan::{ColumnPlan, default_name, index_of_default_name, label_name};
use super::line_reader::LineReader;
use super::table_builder;
use super::{Input, ParsedTable, Reader};
use crate::bad_cell::shorten;
use crate::cell_text::{self, Cell};
use crate::error::{DataError, FormatError};
use crate::note::Note;
use crate::options::LoadOptions;
use crate::table::LineNumbers;

const FORMAT: &str = "LIBSVM";
/// The largest number of features.
const MAX_COLUMNS: usize = 1 << 20;
/// 16 GiB of f32.
const MAX_CELLS: u64 = 1 << 32;

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

    fn read(&self, mut input: Input, options: &LoadOptions) -> Result<ParsedTable, DataError> {
        let file = input.file.clone();
        let mut sparse = SparseRows::default();
        let mut lines = LineReader::new(&mut input, FORMAT);
        while lines.next()? {
            let line = without_comment(lines.text()?);
            if !line.is_empty() {
                sparse.row(&lines, line)?;
            }
        }
        sparse.into_table(file, options)
    }
}

fn without_comment(line: &str) -> &str {
    line.split('#').next().unwrap_or_default().trim()
}

enum SparseEntry {
    Value(usize, f32),
    /// The query of a ranking problem; not a feature.
    Query,
}

fn pair(word: &str) -> Option<SparseEntry> {
    let (index, value) = word.split_once(':')?;
    if index == "qid" {
        return Some(SparseEntry::Query);
    }
    match cell_text::read(value, false) {
        Cell::Number(value) => {
            Some(SparseEntry::Value(index.parse().ok()?, cell_text::narrow(value)?))
        }
        Cell::Missing => Some(SparseEntry::Value(index.parse().ok()?, f32::NAN)),
        _ => None,
    }
}

/// The columns by index. Each ends with its last value that is not zero.
#[derive(Default)]
struct SparseRows {
    labels: Vec<String>,
    columns: Vec<Vec<f32>>,
    lines: LineNumbers,
    queries: bool,
    /// The first line in which index 0 occurs.
    line_of_index_0: Option<u64>,
}

impl SparseRows {
    fn row(&mut self, lines: &LineReader<'_>, text: &str) -> Result<(), DataError> {
        let line = lines.number;
        let wrong = |found: &str, expected| lines.wrong(shorten(found), expected);
        let row = self.labels.len();
        let mut words = text.split_ascii_whitespace();
        let label = words.next().unwrap_or_default();
        if label.contains(':') {
            return Err(wrong(label, "a label before the first INDEX:VALUE"));
        }
        let mut last = None;
        for word in words {
            match pair(word) {
                Some(SparseEntry::Value(index, value)) => {
                    if index > MAX_COLUMNS {
                        return Err(wrong(word, "an index of at most 1048576"));
                    }
                    if last.is_some_and(|last| last >= index) {
                        return Err(wrong(word, "indices in ascending order"));
                    }
                    last = Some(index);
                    if index == 0 {
                        self.line_of_index_0.get_or_insert(line);
                    }
                    if self.columns.len() <= index {
                        self.columns.resize(index + 1, Vec::new());
                    }
                    self.columns[index].resize(row, 0.0);
                    self.columns[index].push(value);
                }
                Some(SparseEntry::Query) => self.queries = true,
                None => return Err(wrong(word, "INDEX:VALUE, a whole and a finite number")),
            }
        }
        self.labels.push(label.to_owned());
        self.lines.push(row, line);
        Ok(())
    }

    fn into_table(mut self, file: String, options: &LoadOptions) -> Result<ParsedTable, DataError> {
        let mut notes = Vec::new();
        let first = options.layout.first_index.unwrap_or(u8::from(self.line_of_index_0.is_none()));
        if first == 0 {
            notes.push(Note::CountsFromZero);
        } else if let Some(line) = self.line_of_index_0 {
            let (found, expected) =
                ("index 0".to_owned(), "indices from 1, as in the training data");
            return Err(FormatError::BadLine { file, line, format: FORMAT, found, expected }.into());
        } else if !self.columns.is_empty() {
            self.columns.remove(0);
        }
        if self.queries {
            let what = "qid is not a feature and is ignored".to_owned();
            notes.push(Note::Ignored { what });
        }
        // A model may have more features than this file uses.
        let known = options.expected.keys().filter_map(|name| index_of_default_name(name));
        let used = known.filter(|&index| index < MAX_COLUMNS).map(|index| index + 1).max();
        let width = self.columns.len().max(used.unwrap_or(0));
        self.columns.resize(width, Vec::new());
        let rows = self.labels.len();
        if rows == 0 {
            return Err(DataError::Empty { file });
        }
        if rows as u64 * width as u64 > MAX_CELLS {
            return Err(FormatError::TooLarge { file, rows, columns: width, max: MAX_CELLS }.into());
        }
        let mut names: Vec<String> = (0..width).map(default_name).collect();
        names.push(label_name(&names, options));
        let plan = ColumnPlan::new(&file, &names, &options.with_labels(names.last()), &mut notes)?;
        let mut builders = Vec::with_capacity(names.len());
        for (cells, hint) in self.columns.iter_mut().zip(&plan.hints) {
            let cells = std::mem::take(cells);
            builders.push(hint.map(|hint| numbers(hint, cells, rows)));
        }
        let labels = plan.hints.last().copied().flatten().map(|hint| {
            let mut column = ColumnBuilder::new(hint, false);
            self.labels.iter().for_each(|label| column.push(plain(label)));
            column
        });
        builders.push(labels);
        let mut parsed = table_builder::finish(&file, names, builders, plan, self.lines, notes)?;
        parsed.layout.first_index = Some(first);
        Ok(parsed)
    }
}

/// `+1` is the class `1`.
fn plain(label: &str) -> &str {
    label.strip_prefix('+').unwrap_or(label)
}

fn numbers(hint: ColumnHint, cells: Vec<f32>, rows: usize) -> ColumnBuilder {
    let mut column = ColumnBuilder::new(hint.or_declared(ColumnHint::Number), false);
    let zeros = std::iter::repeat_n(0.0, rows - cells.len());
    for value in cells.into_iter().chain(zeros) {
        if hint == ColumnHint::Category {
            column.push(&if value.is_nan() { String::new() } else { cell_text::write(value) });
        } else {
            column.push_number(f64::from(value));
        }
    }
    column
}

#[cfg(test)]
mod tests {
    use crate::{LoadOptions, Table, TargetColumn, load_bytes};

    fn load(text: &str) -> Table {
        load_bytes("t", text, &LoadOptions::default()).unwrap().table
    }

    #[test]
    fn absent_features_are_zero() {
        let sparse = "# head\n+1 1:0.5 3:2\n-1 2:-1e-3 # tail\n+1\n";
        let dense = "column_1,column_2,column_3,class\n0.5,0,2,1\n0,-0.001,0,-1\n0,0,0,1\n";
        assert_eq!(load(sparse), load(dense));
        assert_eq!(load(sparse).line(1), Some(3));
        let from_zero = "1 0:0.5 2:2\n-1 1:-1e-3\n1\n";
        assert_eq!(load(from_zero), load(dense));
    }

    #[test]
    fn a_model_stores_the_first_index() {
        let from = |text: &str| load(text).layout().clone();
        let zero = LoadOptions { layout: from("1 0:5 1:6\n2 1:3\n"), ..Default::default() };
        let later = load_bytes("t", "1 1:6\n2 2:3\n", &zero).unwrap().table;
        assert_eq!(later, load("1 0:0 1:6\n2 2:3\n"), "index 1 is still the second column");
        let one = LoadOptions { layout: from("1 1:5\n2 1:3\n"), ..Default::default() };
        let error = load_bytes("t", "1 1:6\n2 0:3\n", &one).unwrap_err().to_string();
        assert!(error.contains("line 2: not valid LIBSVM: `index 0`"), "{error}");
    }

    #[test]
    fn the_labels_take_the_requested_name() {
        let options =
            LoadOptions { target: TargetColumn::Named("kind".into()), ..Default::default() };
        let loaded = load_bytes("t", "1 1:2\n2 1:3\n", &options).unwrap();
        assert_eq!(loaded.targets, ["kind"]);
        let options = LoadOptions { target: TargetColumn::Absent, ..Default::default() };
        let loaded = load_bytes("t", "1 1:2\n2 1:3\n", &options).unwrap();
        assert!(loaded.targets.is_empty());
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
