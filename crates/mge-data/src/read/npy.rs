//! NPY, the format of NumPy arrays: one array of numbers or text, or of records of them.
//!
//! Written by hand, as is NPZ: the crates that read it want the element type at compile time and
//! bring an array library along. A row is an item of the first axis; the columns are what is in
//! it. Arrays of records have names, all others are `column_1`, `column_2`, ...; images with
//! three axes are `pixel_ROW_COLUMN`, as in IDX.

mod header;
mod scalar;

use super::beside;
use super::datum::TypedColumn;
use super::idx::same_count;
use super::plan::{Plan, label_name, name_of_place};
use super::{Draft, Input, Reader, growing};
use crate::error::{DataError, FormatError};
use crate::note::Note;
use crate::options::LoadOptions;
use crate::table::{Column, Lines};
use header::Header;
#[cfg(feature = "parquet")]
pub(super) use scalar::half;

pub(super) const MAGIC: &[u8] = b"\x93NUMPY";
const FORMAT: &str = "NPY";
/// More columns than this are no table that anyone searches.
const MOST_COLUMNS: usize = 1 << 20;

pub(crate) struct Npy;

impl Reader for Npy {
    fn recognises(&self, head: &[u8]) -> bool {
        head.starts_with(MAGIC)
    }

    fn endings(&self) -> &'static [&'static str] {
        &[".npy"]
    }

    fn read(&self, mut input: Input, options: &LoadOptions) -> Result<Draft, DataError> {
        let file = input.file.clone();
        let array = Array::read(&file, input.rest(u64::MAX)?)?;
        let mut notes = Vec::new();
        if let Some(path) = beside::find(&input, beside::npy_labels) {
            let label_file = path.display().to_string();
            let bytes = Input::open(&path, &options.progress)?.rest(u64::MAX)?;
            let labels = Array::read(&label_file, bytes)?;
            same_count(&file, array.rows(), &label_file, labels.rows())?;
            notes.push(Note::LabelsBeside { file: label_file });
            return labelled(&file, &array, None, &labels, options, notes).map(|(draft, _)| draft);
        }
        let picks = array.picks(None);
        let names: Vec<String> = picks.iter().map(|pick| pick.name.clone()).collect();
        let plan = Plan::new(&file, &names, options, &mut notes)?;
        columns(&file, &picks, plan, notes)
    }
}

/// Features and labels as a table, and the plan that made it.
pub(super) fn labelled(
    file: &str,
    features: &Array,
    names: Option<&Array>,
    labels: &Array,
    options: &LoadOptions,
    mut notes: Vec<Note>,
) -> Result<(Draft, Plan), DataError> {
    let mut picks = features.picks(names);
    let names: Vec<String> = picks.iter().map(|pick| pick.name.clone()).collect();
    let name = label_name(&names, options);
    picks.push(labels.label(file, name.clone())?);
    let options = options.labelled(Some(&name));
    let names: Vec<String> = picks.iter().map(|pick| pick.name.clone()).collect();
    let plan = Plan::new(file, &names, &options, &mut notes)?;
    Ok((columns(file, &picks, plan.clone(), notes)?, plan))
}

/// One column of an array.
pub(super) struct Pick<'a> {
    pub name: String,
    array: &'a Array,
    place: usize,
}

/// The picked columns, made into what they are to be. All arrays must be equally long.
pub(super) fn columns(
    file: &str,
    picks: &[Pick<'_>],
    plan: Plan,
    notes: Vec<Note>,
) -> Result<Draft, DataError> {
    let mut builders: Vec<Option<TypedColumn>> = picks
        .iter()
        .zip(&plan.wishes)
        .map(|(pick, wish)| {
            let scalar = pick.array.header.scalar(pick.place);
            wish.map(|wish| TypedColumn::new(wish.declared(scalar.wish()), scalar.is_number()))
        })
        .collect();
    let rows = picks.first().map_or(0, |pick| pick.array.rows());
    let mut text = String::new();
    // In blocks of rows, so that each cache line of the file is used whole before it leaves.
    for start in (0..rows).step_by(64) {
        for (pick, builder) in picks.iter().zip(&mut builders) {
            let Some(builder) = builder else { continue };
            for row in start..(start + 64).min(rows) {
                let header = &pick.array.header;
                let at = header.offset(row, pick.place);
                let cell = &pick.array.data[at..];
                builder.push(header.scalar(pick.place).datum(cell, &mut text));
            }
        }
    }
    if rows == 0 {
        return Err(DataError::HeaderOnly { file: file.to_owned(), columns: picks.len() });
    }
    let names = picks.iter().map(|pick| pick.name.clone()).collect();
    let builders = builders.into_iter().map(|b| b.map(TypedColumn::into_builder)).collect();
    growing::finish(file, names, builders, plan, Lines::None, notes)
}

/// The columns of a test part, in the shape that the training part has.
pub(super) fn test_columns(
    file: &str,
    features: &Array,
    labels: &Array,
    plan: &Plan,
    names: &[Column],
) -> Result<Vec<Column>, DataError> {
    let mut picks = features.picks(None);
    picks.push(labels.label(file, String::new())?);
    if picks.len() != plan.wishes.len() {
        let found = format!("{} columns of test features", picks.len() - 1);
        let expected = format!("{}, as in the training part", plan.wishes.len() - 1);
        return Err(bad(file, found, expected));
    }
    let kept = plan.wishes.iter().zip(&mut picks).filter(|(wish, _)| wish.is_some());
    kept.zip(names).for_each(|((_, pick), column)| pick.name.clone_from(&column.name));
    Ok(columns(file, &picks, plan.clone(), Vec::new())?.columns)
}

/// An array with its description. Invariant: the data is as long as the description says.
pub(super) struct Array {
    header: Header,
    data: Vec<u8>,
}

impl Array {
    /// Reads an array that begins with its description.
    pub fn read(file: &str, mut bytes: Vec<u8>) -> Result<Self, DataError> {
        let (header, start) = Header::read(&bytes)
            .map_err(|wrong| bad(file, wrong.found, wrong.expected.to_owned()))?;
        if header.width() > MOST_COLUMNS {
            let found = format!("{} numbers in a row", header.width());
            return Err(bad(file, found, "at most 1048576".to_owned()));
        }
        let data = bytes.split_off(start);
        let (found, expected) = (data.len() as u64, header.bytes());
        if found != expected {
            let (file, found) = (file.to_owned(), found.to_string());
            return Err(FormatError::WrongLength { file, format: FORMAT, expected, found }.into());
        }
        Ok(Self { header, data })
    }

    /// How many items the first axis has.
    pub fn rows(&self) -> usize {
        self.header.rows()
    }

    /// The shape, as NumPy writes it.
    pub fn shape(&self) -> String {
        self.header.shape_text()
    }

    /// How many columns it makes.
    pub fn width(&self) -> usize {
        self.header.width()
    }

    /// How many axes it has.
    pub fn axes(&self) -> usize {
        self.header.axes()
    }

    /// The array's texts, if it is a list of texts.
    fn texts(&self) -> Option<Vec<String>> {
        let is_text = self.axes() == 1 && !self.header.scalar(0).is_number();
        let mut text = String::new();
        is_text.then(|| {
            let cell = |row| {
                let at = self.header.offset(row, 0);
                match self.header.scalar(0).datum(&self.data[at..], &mut text) {
                    super::datum::Datum::Text(text) => text.to_owned(),
                    _ => String::new(),
                }
            };
            (0..self.rows()).map(cell).collect()
        })
    }

    /// Whether an array of texts names the columns of this one.
    pub fn is_named_by(&self, names: &Array) -> bool {
        names.texts().is_some_and(|names| names.len() == self.width())
    }

    /// All columns. `names` is an array of texts that names them, if it has the right length.
    pub fn picks(&self, names: Option<&Array>) -> Vec<Pick<'_>> {
        let given = names.filter(|names| self.is_named_by(names)).and_then(Array::texts);
        let name = |place: usize| match (&given, self.header.name(place)) {
            (Some(names), _) if !names[place].is_empty() => names[place].clone(),
            (_, Some(name)) => name,
            _ => name_of_place(place),
        };
        (0..self.width()).map(|place| Pick { name: name(place), array: self, place }).collect()
    }

    /// The array as one column with this name.
    pub fn label(&self, file: &str, name: String) -> Result<Pick<'_>, DataError> {
        if self.width() == 1 {
            return Ok(Pick { name, array: self, place: 0 });
        }
        let found = format!("labels of shape {}", self.shape());
        Err(bad(file, found, "one label for each row, shape (rows,)".to_owned()))
    }
}

pub(super) fn bad(file: &str, found: String, expected: String) -> DataError {
    FormatError::BadHeader { file: file.to_owned(), format: FORMAT, found, expected }.into()
}

#[cfg(test)]
mod tests {
    use crate::{Kind, LoadOptions, Loaded, load_bytes};

    /// A file of version 1 with this description and data.
    pub fn file(descr: &str, fortran: &str, shape: &str, data: &[u8]) -> Vec<u8> {
        let dict = format!("{{'descr': {descr}, 'fortran_order': {fortran}, 'shape': {shape}, }}");
        let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
        bytes.extend_from_slice(&(dict.len() as u16).to_le_bytes());
        bytes.extend_from_slice(dict.as_bytes());
        bytes.extend_from_slice(data);
        bytes
    }

    fn load(bytes: Vec<u8>) -> Loaded {
        load_bytes("t", bytes, &LoadOptions::default()).unwrap()
    }

    #[test]
    fn either_order_and_either_end() {
        let values = [1.0f64, 2.5, -3.0, 4.0, 5.0, 6.0];
        let bytes = |order: &[usize], big: bool| -> Vec<u8> {
            let value = |&at: &usize| values[at];
            let bytes = |x: f64| if big { x.to_be_bytes() } else { x.to_le_bytes() };
            order.iter().map(value).flat_map(bytes).collect()
        };
        let c = load(file("'<f8'", "False", "(2, 3)", &bytes(&[0, 1, 2, 3, 4, 5], false)));
        let f = load(file("'<f8'", "True", "(2, 3)", &bytes(&[0, 3, 1, 4, 2, 5], false)));
        let b = load(file("'>f8'", "False", "(2, 3)", &bytes(&[0, 1, 2, 3, 4, 5], true)));
        assert_eq!(c.table, f.table);
        assert_eq!(c.table, b.table);
        let text = "column_1,column_2,column_3\n1,2.5,-3\n4,5,6\n";
        let options = LoadOptions { target: crate::Target::Absent, ..Default::default() };
        let csv = load_bytes("t.csv", text, &options).unwrap();
        assert_eq!(csv.table.columns()[..2], c.table.columns()[..2]);
    }

    #[test]
    fn records_have_names_and_kinds() {
        let mut data = Vec::new();
        for (a, b, c) in [(1i16, true, "x"), (-2, false, "yy")] {
            data.extend_from_slice(&a.to_le_bytes());
            data.push(u8::from(b));
            let mut text = c.chars().map(u32::from).collect::<Vec<_>>();
            text.resize(2, 0);
            text.iter().for_each(|c| data.extend_from_slice(&c.to_le_bytes()));
        }
        let descr = "[('size', '<i2'), ('ok', '|b1'), ('class', '<U2')]";
        let loaded = load(file(descr, "False", "(2,)", &data));
        let kinds: Vec<_> =
            loaded.table.columns().iter().map(|c| (c.name.as_str(), c.values.kind())).collect();
        let expected = [("size", Kind::Number), ("ok", Kind::Boolean), ("class", Kind::Category)];
        assert_eq!(kinds, expected);
        assert_eq!(loaded.target.as_deref(), Some("class"));
    }

    #[test]
    fn what_cannot_be_read_is_named() {
        let error = |bytes: Vec<u8>| {
            load_bytes("bad.npy", bytes, &LoadOptions::default()).unwrap_err().to_string()
        };
        for (bytes, expected) in [
            (file("'|O'", "False", "(2,)", &[]), "pickled Python objects"),
            (file("'<c16'", "False", "(2,)", &[]), "type `<c16`"),
            (file("[('a', '<f4', (3,))]", "False", "(2,)", &[]), "nested"),
            (file("'<f4'", "False", "(2, 3)", &[0; 23]), "promises 24 bytes of data; found 23"),
            (file("'<f4'", "False", "()", &[0; 4]), "no axes"),
            (file("'<f8'", "False", "(99999999999999, 99999999999)", &[]), "shape"),
            (file("'<f8'", "False", "(0, 3)", &[]), "no rows"),
            (b"\x93NUMPY\x01\x00\xff\xff{".to_vec(), "cut off"),
            (b"\x93NUMPY\x09\x00".to_vec(), "version 9"),
            (file("'<f2'", "False", "(1, 2)", &[0, 124, 0, 0]), "row 1, column `column_1`: `inf`"),
        ] {
            let error = error(bytes);
            assert!(error.contains(expected), "{error}");
        }
    }
}
