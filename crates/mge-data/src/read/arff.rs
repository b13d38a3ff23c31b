//! ARFF, the format of Weka, and the similar format of KEEL: declared attributes, then rows.
//!
//! The reader is our own, because the crates that read ARFF map rows onto Rust structs that are
//! known at compile time. A declaration has priority over what the cells look like: a nominal
//! attribute
//! `{1, 2}` is a column of categories.

mod attribute;

use std::collections::HashSet;

use super::column::ColumnHint;
use super::column_plan::ColumnPlan;
use super::line_reader::LineReader;
use super::table_builder::TableBuilder;
use super::{Input, ParsedTable, Reader};
use crate::bad_cell::{RaggedRow, shorten};
use crate::error::DataError;
use crate::note::Note;
use crate::options::{LoadOptions, TargetColumn};
use attribute::{Attribute, AttributeType, split};

pub(crate) struct Arff;

impl Reader for Arff {
    fn recognises(&self, head: &[u8]) -> bool {
        let head = head.strip_prefix(b"\xef\xbb\xbf").unwrap_or(head);
        let mut lines = head.split(|&byte| byte == b'\n').map(<[u8]>::trim_ascii);
        lines
            .find(|line| !line.is_empty() && line[0] != b'%')
            .is_some_and(|line| keyword(line, "@relation") || keyword(line, "@attribute"))
    }

    fn endings(&self) -> &'static [&'static str] {
        &[".arff"]
    }

    fn read(&self, mut input: Input, options: &LoadOptions) -> Result<ParsedTable, DataError> {
        let file = input.file.clone();
        let mut lines = LineReader::new(&mut input, "ARFF");
        let header = ArffHeader::read(&mut lines)?;
        let names: Vec<String> = header.attributes.iter().map(|a| a.name.clone()).collect();
        let mut notes = Vec::new();
        let mut options = options.clone();
        if let (TargetColumn::Guess, [output]) = (&options.target, &header.outputs[..])
            && names.contains(output)
        {
            notes.push(Note::TargetGuessed { column: output.clone(), by_name: true });
            options.target = TargetColumn::Named(output.clone());
        }
        let mut plan = ColumnPlan::new(&file, &names, &options, &mut notes)?;
        for (hint, attribute) in plan.hints.iter_mut().zip(&header.attributes) {
            *hint = hint.map(|hint| hint.or_declared(attribute.kind.hint()));
        }
        let mut table = TableBuilder::new(names, plan, false);
        let mut undeclared = Undeclared::new(&header.attributes);
        let mut row = ArffRow::default();
        while lines.next()? {
            let text = lines.text()?;
            if text.is_empty() || text.starts_with('%') {
                continue;
            }
            match text.strip_prefix('{') {
                Some(sparse) => row.read_sparse(sparse, &header.attributes).map_err(|found| {
                    lines.wrong(found, "`{INDEX VALUE, INDEX VALUE, ...}`, indices from 0")
                })?,
                None => row.read(text).map_err(|_| lines.open_quote())?,
            }
            if row.ends.len() == table.width() {
                table.push_row(lines.number, |index| row.cell(index));
                undeclared.count(&row);
            } else {
                let (line, found) = (lines.number, row.ends.len());
                table.push_ragged(|| RaggedRow { line, found, text: shorten(text) });
            }
        }
        notes.extend(undeclared.notes(&header.attributes));
        table.finish(&file, notes)
    }
}

/// Whether a line begins with this word, in any case.
fn keyword(line: &[u8], word: &str) -> bool {
    line.len() >= word.len() && line[..word.len()].eq_ignore_ascii_case(word.as_bytes())
}

/// Everything above the rows.
struct ArffHeader {
    attributes: Vec<Attribute>,
    /// What a KEEL file declares as output.
    outputs: Vec<String>,
}

impl ArffHeader {
    fn read(lines: &mut LineReader<'_>) -> Result<Self, DataError> {
        let mut header = Self { attributes: Vec::new(), outputs: Vec::new() };
        while lines.next()? {
            let text = lines.text()?;
            let line = text.as_bytes();
            if line.is_empty() || line[0] == b'%' || keyword(line, "@relation") {
                continue;
            }
            if keyword(line, "@data") {
                return match header.attributes[..] {
                    [] => Err(lines.wrong("@data".into(), "@attribute lines before it")),
                    _ => Ok(header),
                };
            }
            if keyword(line, "@attribute") {
                let attribute = Attribute::read(text["@attribute".len()..].trim())
                    .map_err(|expected| lines.wrong(shorten(text), expected))?;
                header.attributes.push(attribute);
            } else if keyword(line, "@output") {
                let names = text.split_once(char::is_whitespace).map_or("", |(_, names)| names);
                header.outputs = names.split(',').map(|name| name.trim().to_owned()).collect();
            } else if !keyword(line, "@input") {
                let found = shorten(text);
                return Err(lines.wrong(found, "@relation, @attribute, @data or a comment (%)"));
            }
        }
        Err(lines.wrong("the end of the file".into(), "a line with @data"))
    }
}

/// One row's cells, one after the other.
#[derive(Default)]
struct ArffRow {
    text: String,
    ends: Vec<usize>,
}

impl ArffRow {
    fn cell(&self, index: usize) -> &str {
        let start = if index == 0 { 0 } else { self.ends[index - 1] };
        &self.text[start..self.ends[index]]
    }

    fn clear(&mut self) {
        self.text.clear();
        self.ends.clear();
    }

    fn push(&mut self, cell: &str) {
        self.text.push_str(cell);
        self.ends.push(self.text.len());
    }

    fn read(&mut self, line: &str) -> Result<(), attribute::OpenQuote> {
        self.clear();
        let delimiter = if line.contains(',') { ',' } else { '\t' };
        split(line, delimiter, |cell| self.push(cell))
    }

    /// Cells that are not listed are 0, or the first value of a nominal attribute.
    fn read_sparse(&mut self, line: &str, attributes: &[Attribute]) -> Result<(), String> {
        self.clear();
        let Some(inside) = line.strip_suffix('}') else {
            return Err(shorten(line));
        };
        let mut given: Vec<(usize, String)> = Vec::new();
        let mut wrong = None;
        let mut entry = |entry: &str| {
            let (index, value) = entry.split_once(char::is_whitespace).unwrap_or((entry, ""));
            match index.parse() {
                Ok(index) if index < attributes.len() => {
                    let mut value_text = String::new();
                    if split(value.trim(), '\0', |cell| value_text.push_str(cell)).is_err() {
                        wrong = Some(shorten(entry));
                    }
                    given.push((index, value_text));
                }
                _ => wrong = Some(shorten(entry)),
            }
        };
        if !inside.trim().is_empty() {
            for part in attribute::pieces(inside, ',').map_err(|_| shorten(line))? {
                entry(part.trim());
            }
        }
        given.sort_by_key(|(index, _)| *index);
        if let Some(found) = wrong {
            return Err(found);
        }
        if let Some(twice) = given.windows(2).find(|pair| pair[0].0 == pair[1].0) {
            return Err(format!("index {} twice", twice[0].0));
        }
        let mut given = given.iter().peekable();
        for (index, attribute) in attributes.iter().enumerate() {
            match given.next_if(|(next, _)| *next == index) {
                Some((_, value)) => self.push(value),
                None => self.push(attribute.kind.default_cell()),
            }
        }
        Ok(())
    }
}

/// Counts values that a nominal attribute does not declare. They are kept.
struct Undeclared {
    known: Vec<Option<HashSet<String>>>,
    cells: Vec<usize>,
}

impl Undeclared {
    fn new(attributes: &[Attribute]) -> Self {
        let known = attributes.iter().map(|attribute| match &attribute.kind {
            AttributeType::Nominal(values) => Some(values.iter().cloned().collect()),
            _ => None,
        });
        Self { known: known.collect(), cells: vec![0; attributes.len()] }
    }

    fn count(&mut self, row: &ArffRow) {
        for (index, known) in self.known.iter().enumerate() {
            if let Some(known) = known {
                let cell = row.cell(index);
                self.cells[index] += usize::from(cell != "?" && !known.contains(cell));
            }
        }
    }

    fn notes(self, attributes: &[Attribute]) -> impl Iterator<Item = Note> {
        let counted = attributes.iter().zip(self.cells).filter(|(_, cells)| *cells > 0);
        counted.map(|(attribute, cells)| Note::Undeclared { column: attribute.name.clone(), cells })
    }
}

impl AttributeType {
    fn hint(&self) -> ColumnHint {
        match self {
            AttributeType::Number => ColumnHint::Number,
            AttributeType::Nominal(_) => ColumnHint::Category,
            AttributeType::Text => ColumnHint::Text,
        }
    }

    /// The cell that a sparse row does not list.
    fn default_cell(&self) -> &str {
        match self {
            AttributeType::Number => "0",
            AttributeType::Nominal(values) => values.first().map_or("?", String::as_str),
            AttributeType::Text => "?",
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::{ColumnKind, LoadOptions, Values, load_bytes};

    fn kinds(text: &str) -> Vec<(String, ColumnKind)> {
        let loaded = load_bytes("t", text, &LoadOptions::default()).unwrap();
        let columns = loaded.table.columns().iter();
        columns.map(|column| (column.name.clone(), column.values.kind())).collect()
    }

    #[test]
    fn declared_types_names_and_comments() {
        let text = "% a comment\n@RELATION 'a b'\n\n@attribute 'my size' REAL\n\
            @attribute code {1, 2,'3 x'} % {a}\n@attribute s string\n\
            @ATTRIBUTE d date \"yyyy-MM-dd\"\n@attribute class {yes,no}\n@DATA\n% more\n\
            1.5,1,'it\\'s',\"2020-01-01\",yes\n?,'3 x',\"b\",?,no\n\n2,2,c,2020-01-02,yes\n";
        let expected = [
            ("my size", ColumnKind::Number),
            ("code", ColumnKind::Category),
            ("s", ColumnKind::Category),
            ("d", ColumnKind::Category),
            ("class", ColumnKind::Boolean),
        ];
        assert_eq!(kinds(text), expected.map(|(name, kind)| (name.to_owned(), kind)));
        let loaded = load_bytes("t", text, &LoadOptions::default()).unwrap();
        let Values::Text(s) = &loaded.table.columns()[2].values else { panic!("text") };
        assert_eq!(s.get(0), Some("it's"));
        assert_eq!(loaded.table.line(2), Some(14));
    }

    #[test]
    fn sparse_rows_are_zeros_and_first_values() {
        let text = "@relation r\n@attribute a numeric\n@attribute b {x,y}\n\
            @attribute class {p,q}\n@data\n{0 2.5, 2 q}\n{}\n{1 y}\n";
        let dense = "a,b,class\n2.5,x,q\n0,x,p\n0,y,p\n";
        let load = |text: &str| load_bytes("t", text, &LoadOptions::default()).unwrap().table;
        assert_eq!(load(text), load(dense));
    }

    #[test]
    fn keel_files_with_ranges_and_outputs() {
        let text = "@relation k\n@attribute At1 real [0.0, 4.5]\n@attribute At2 integer[1,9]\n\
            @attribute ColumnKind{a, b}\n@attribute last real[0,1]\n@inputs At1, At2, last\n\
            @outputs ColumnKind\n@data\n1.0, 2, a, 0\n2.0, <null>, b, 1\n";
        let loaded = load_bytes("k.dat", text, &LoadOptions::default()).unwrap();
        assert_eq!(loaded.targets, ["ColumnKind"]);
        assert_eq!(loaded.table.columns()[1].values.missing(), 1);
    }

    #[test]
    fn errors_name_the_line() {
        let error = |text: &str| {
            load_bytes("bad.arff", text, &LoadOptions::default()).unwrap_err().to_string()
        };
        let head = "@relation r\n@attribute a numeric\n@attribute class {x,y}\n@data\n";
        let cases = [
            (error("@relation r\n@attribute a\n"), "line 2"),
            (error("@relation r\n@attribute a relational\n"), "line 2"),
            (error("@relation r\n@attribute a numeric\n1,2\n"), "line 3"),
            (error("@relation r\n@attribute a numeric\n"), "a line with @data"),
            (error(&format!("{head}1,x\n1,x,y\n")), "line 6: 3 cells"),
            (error(&format!("{head}1,'x\n")), "line 5: the quotation mark is never closed"),
            (error(&format!("{head}{{5 1}}\n")), "line 5"),
            (error(&format!("{head}one,x\n2,y\n")), "line 5, column `a`: `one`"),
            (error("no arff\n"), "line 1"),
        ];
        for (error, expected) in cases {
            assert!(error.contains(expected), "{error}");
        }
        let loaded = load_bytes("t", format!("{head}1,x\n2,z\n"), &LoadOptions::default());
        assert!(loaded.unwrap().notes.iter().any(|note| note.to_string().contains("declare")));
    }
}
