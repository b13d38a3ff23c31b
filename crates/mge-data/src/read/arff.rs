//! ARFF, the format of Weka, and its sister, the format of KEEL: declared attributes, then rows.
//!
//! Written by hand: the crates that read ARFF map rows onto Rust structs known at compile time.
//! What a file declares wins over what its cells look like: a nominal attribute `{1, 2}` is a
//! column of categories.

mod attribute;

use std::collections::HashSet;

use super::column::Wish;
use super::growing::Growing;
use super::lines::Lines;
use super::plan::Plan;
use super::{Draft, Input, Reader};
use crate::error::DataError;
use crate::fault::{RaggedRow, shorten};
use crate::note::Note;
use crate::options::{LoadOptions, Target};
use attribute::{Attribute, Type, split};

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

    fn read(&self, mut input: Input, options: &LoadOptions) -> Result<Draft, DataError> {
        let file = input.file.clone();
        let mut lines = Lines::new(&mut input, "ARFF");
        let header = Header::read(&mut lines)?;
        let names: Vec<String> = header.attributes.iter().map(|a| a.name.clone()).collect();
        let mut notes = Vec::new();
        let mut options = options.clone();
        if let (Target::Guess, [output]) = (&options.target, &header.outputs[..])
            && names.contains(output)
        {
            notes.push(Note::TargetGuessed { column: output.clone(), by_name: true });
            options.target = Target::Named(output.clone());
        }
        let mut plan = Plan::new(&file, &names, &options, &mut notes)?;
        for (wish, attribute) in plan.wishes.iter_mut().zip(&header.attributes) {
            *wish = wish.map(|wish| wish.declared(attribute.kind.wish()));
        }
        let mut table = Growing::new(names, plan, false);
        let mut strange = Undeclared::new(&header.attributes);
        let mut row = Row::default();
        while lines.next()? {
            let text = lines.text()?;
            if text.is_empty() || text.starts_with('%') {
                continue;
            }
            match text.strip_prefix('{') {
                Some(sparse) => row.read_sparse(sparse, &header.attributes).map_err(|found| {
                    lines.wrong(found, "`{PLACE VALUE, PLACE VALUE, ...}`, places from 0")
                })?,
                None => row.read(text).map_err(|_| lines.open_quote())?,
            }
            if row.ends.len() == table.width() {
                table.row(lines.number, |place| row.cell(place));
                strange.look(&row);
            } else {
                let (line, found) = (lines.number, row.ends.len());
                table.ragged(|| RaggedRow { line, found, text: shorten(text) });
            }
        }
        notes.extend(strange.notes(&header.attributes));
        table.finish(&file, notes)
    }
}

/// Whether a line begins with this word, in any case.
fn keyword(line: &[u8], word: &str) -> bool {
    line.len() >= word.len() && line[..word.len()].eq_ignore_ascii_case(word.as_bytes())
}

/// Everything above the rows.
struct Header {
    attributes: Vec<Attribute>,
    /// What a KEEL file declares as output.
    outputs: Vec<String>,
}

impl Header {
    fn read(lines: &mut Lines<'_>) -> Result<Self, DataError> {
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
struct Row {
    text: String,
    ends: Vec<usize>,
}

impl Row {
    fn cell(&self, place: usize) -> &str {
        let start = if place == 0 { 0 } else { self.ends[place - 1] };
        &self.text[start..self.ends[place]]
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
            let (place, value) = entry.split_once(char::is_whitespace).unwrap_or((entry, ""));
            match place.parse() {
                Ok(place) if place < attributes.len() => {
                    let mut value_text = String::new();
                    if split(value.trim(), '\0', |cell| value_text.push_str(cell)).is_err() {
                        wrong = Some(shorten(entry));
                    }
                    given.push((place, value_text));
                }
                _ => wrong = Some(shorten(entry)),
            }
        };
        if !inside.trim().is_empty() {
            for part in attribute::pieces(inside, ',').map_err(|_| shorten(line))? {
                entry(part.trim());
            }
        }
        given.sort_by_key(|(place, _)| *place);
        if let Some(found) = wrong {
            return Err(found);
        }
        if let Some(twice) = given.windows(2).find(|pair| pair[0].0 == pair[1].0) {
            return Err(format!("place {} twice", twice[0].0));
        }
        let mut given = given.iter().peekable();
        for (place, attribute) in attributes.iter().enumerate() {
            match given.next_if(|(next, _)| *next == place) {
                Some((_, value)) => self.push(value),
                None => self.push(attribute.kind.absent()),
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
            Type::Nominal(values) => Some(values.iter().cloned().collect()),
            _ => None,
        });
        Self { known: known.collect(), cells: vec![0; attributes.len()] }
    }

    fn look(&mut self, row: &Row) {
        for (place, known) in self.known.iter().enumerate() {
            if let Some(known) = known {
                let cell = row.cell(place);
                self.cells[place] += usize::from(cell != "?" && !known.contains(cell));
            }
        }
    }

    fn notes(self, attributes: &[Attribute]) -> impl Iterator<Item = Note> {
        let counted = attributes.iter().zip(self.cells).filter(|(_, cells)| *cells > 0);
        counted.map(|(attribute, cells)| Note::Undeclared { column: attribute.name.clone(), cells })
    }
}

impl Type {
    fn wish(&self) -> Wish {
        match self {
            Type::Number => Wish::Number,
            Type::Nominal(_) => Wish::Category,
            Type::Text => Wish::Words,
        }
    }

    /// What a cell is that a sparse row does not list.
    fn absent(&self) -> &str {
        match self {
            Type::Number => "0",
            Type::Nominal(values) => values.first().map_or("?", String::as_str),
            Type::Text => "?",
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::{Kind, LoadOptions, Values, load_bytes};

    fn kinds(text: &str) -> Vec<(String, Kind)> {
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
            ("my size", Kind::Number),
            ("code", Kind::Category),
            ("s", Kind::Category),
            ("d", Kind::Category),
            ("class", Kind::Boolean),
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
            @attribute Kind{a, b}\n@attribute last real[0,1]\n@inputs At1, At2, last\n\
            @outputs Kind\n@data\n1.0, 2, a, 0\n2.0, <null>, b, 1\n";
        let loaded = load_bytes("k.dat", text, &LoadOptions::default()).unwrap();
        assert_eq!(loaded.target.as_deref(), Some("Kind"));
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
