//! NPY, the format of NumPy arrays: one array of numbers or text, or of records of them.
//!
//! A row is an item of the first axis, and its elements are the columns. Columns of record arrays
//! have names. Images with three axes have columns `pixel_ROW_COLUMN`, as in IDX. All other columns
//! are `column_1`, `column_2`, and so on.
//!
//! The reader is our own: `npyz` adds 25 crates to the build, among them a parser generator and C
//! code, and its element types are fixed at compile time.

mod header;
mod scalar;

use super::column_plan::{ColumnPlan, default_name, label_name};
use super::idx::check_counts;
use super::sidecar;
use super::value::TypedColumn;
use super::{Input, ParsedTable, Reader, table_builder};
use crate::error::{DataError, FormatError};
use crate::note::Note;
use crate::options::LoadOptions;
use crate::table::{Column, LineNumbers};
use header::NpyHeader;
#[cfg(feature = "parquet")]
pub(super) use scalar::half;

pub(super) const MAGIC: &[u8] = b"\x93NUMPY";
const FORMAT: &str = "NPY";
/// The largest number of columns.
const MAX_COLUMNS: usize = 1 << 20;

pub(crate) struct Npy;

impl Reader for Npy {
    fn recognises(&self, head: &[u8]) -> bool {
        head.starts_with(MAGIC)
    }

    fn endings(&self) -> &'static [&'static str] {
        &[".npy"]
    }

    fn read(&self, mut input: Input, options: &LoadOptions) -> Result<ParsedTable, DataError> {
        let file = input.file.clone();
        let array = NpyArray::read(&file, input.rest(u64::MAX)?)?;
        let mut notes = Vec::new();
        if let Some(path) = sidecar::find(&input, sidecar::npy_labels) {
            let label_file = path.display().to_string();
            let bytes = Input::open(&path, &options.progress)?.rest(u64::MAX)?;
            let labels = NpyArray::read(&label_file, bytes)?;
            check_counts(&file, array.rows(), &label_file, labels.rows())?;
            notes.push(Note::LabelFile { file: label_file });
            return with_labels(&file, &array, None, &labels, options, notes)
                .map(|(parsed, _)| parsed);
        }
        let selected = array.columns(None);
        let names: Vec<String> = selected.iter().map(|column| column.name.clone()).collect();
        let plan = ColumnPlan::new(&file, &names, options, &mut notes)?;
        columns(&file, &selected, plan, notes)
    }
}

/// Features and labels as a table, and the plan that made it.
pub(super) fn with_labels(
    file: &str,
    features: &NpyArray,
    names: Option<&NpyArray>,
    labels: &NpyArray,
    options: &LoadOptions,
    mut notes: Vec<Note>,
) -> Result<(ParsedTable, ColumnPlan), DataError> {
    let mut selected = features.columns(names);
    let names: Vec<String> = selected.iter().map(|column| column.name.clone()).collect();
    let name = label_name(&names, options);
    selected.push(labels.label(file, name.clone())?);
    let options = options.with_labels(Some(&name));
    let names: Vec<String> = selected.iter().map(|column| column.name.clone()).collect();
    let plan = ColumnPlan::new(file, &names, &options, &mut notes)?;
    Ok((columns(file, &selected, plan.clone(), notes)?, plan))
}

/// One column of an array.
pub(super) struct ArrayColumn<'a> {
    pub name: String,
    array: &'a NpyArray,
    index: usize,
}

/// Builds a table from columns of equally long arrays.
pub(super) fn columns(
    file: &str,
    selected: &[ArrayColumn<'_>],
    plan: ColumnPlan,
    notes: Vec<Note>,
) -> Result<ParsedTable, DataError> {
    let mut builders: Vec<Option<TypedColumn>> = selected
        .iter()
        .zip(&plan.hints)
        .map(|(column, hint)| {
            let scalar = column.array.header.scalar(column.index);
            hint.map(|hint| TypedColumn::new(hint.or_declared(scalar.hint()), scalar.is_number()))
        })
        .collect();
    let rows = selected.first().map_or(0, |column| column.array.rows());
    let mut text = String::new();
    // In blocks of rows, so that each cache line of the file is loaded once.
    for start in (0..rows).step_by(64) {
        for (column, builder) in selected.iter().zip(&mut builders) {
            let Some(builder) = builder else { continue };
            for row in start..(start + 64).min(rows) {
                let header = &column.array.header;
                let at = header.offset(row, column.index);
                let cell = &column.array.data[at..];
                builder.push(header.scalar(column.index).value(cell, &mut text));
            }
        }
    }
    if rows == 0 {
        return Err(DataError::HeaderOnly { file: file.to_owned(), columns: selected.len() });
    }
    let names = selected.iter().map(|column| column.name.clone()).collect();
    let builders = builders.into_iter().map(|b| b.map(TypedColumn::into_builder)).collect();
    table_builder::finish(file, names, builders, plan, LineNumbers::None, notes)
}

/// The columns of a test part, in the shape that the training part has.
pub(super) fn test_columns(
    file: &str,
    features: &NpyArray,
    labels: &NpyArray,
    plan: &ColumnPlan,
    names: &[Column],
) -> Result<Vec<Column>, DataError> {
    let mut selected = features.columns(None);
    selected.push(labels.label(file, String::new())?);
    if selected.len() != plan.hints.len() {
        let found = format!("{} columns of test features", selected.len() - 1);
        let expected = format!("{}, as in the training part", plan.hints.len() - 1);
        return Err(bad(file, found, expected));
    }
    let kept = plan.hints.iter().zip(&mut selected).filter(|(hint, _)| hint.is_some());
    kept.zip(names).for_each(|((_, column), named)| column.name.clone_from(&named.name));
    Ok(columns(file, &selected, plan.clone(), Vec::new())?.columns)
}

/// An array with its description. Invariant: the data is as long as the description says.
pub(super) struct NpyArray {
    header: NpyHeader,
    data: Vec<u8>,
}

impl NpyArray {
    /// Reads an array that begins with its description.
    pub fn read(file: &str, mut bytes: Vec<u8>) -> Result<Self, DataError> {
        let (header, start) = NpyHeader::read(&bytes)
            .map_err(|wrong| bad(file, wrong.found, wrong.expected.to_owned()))?;
        if header.width() > MAX_COLUMNS {
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
                match self.header.scalar(0).value(&self.data[at..], &mut text) {
                    super::value::Value::Text(text) => text.to_owned(),
                    _ => String::new(),
                }
            };
            (0..self.rows()).map(cell).collect()
        })
    }

    /// Whether an array of texts names the columns of this one.
    pub fn is_named_by(&self, names: &NpyArray) -> bool {
        names.texts().is_some_and(|names| names.len() == self.width())
    }

    /// All columns. `names` is an array of texts that names them, if it has the right length.
    pub fn columns(&self, names: Option<&NpyArray>) -> Vec<ArrayColumn<'_>> {
        let given = names.filter(|names| self.is_named_by(names)).and_then(NpyArray::texts);
        let name = |index: usize| match (&given, self.header.name(index)) {
            (Some(names), _) if !names[index].is_empty() => names[index].clone(),
            (_, Some(name)) => name,
            _ => default_name(index),
        };
        (0..self.width())
            .map(|index| ArrayColumn { name: name(index), array: self, index })
            .collect()
    }

    /// The array as one column with this name.
    pub fn label(&self, file: &str, name: String) -> Result<ArrayColumn<'_>, DataError> {
        if self.width() == 1 {
            return Ok(ArrayColumn { name, array: self, index: 0 });
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
    use crate::{ColumnKind, LoadOptions, Loaded, load_bytes};

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
    fn both_array_orders_and_byte_orders_are_read() {
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
        let options = LoadOptions { target: crate::TargetColumn::Absent, ..Default::default() };
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
        let expected = [
            ("size", ColumnKind::Number),
            ("ok", ColumnKind::Boolean),
            ("class", ColumnKind::Category),
        ];
        assert_eq!(kinds, expected);
        assert_eq!(loaded.targets, ["class"]);
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
            (file("'<f4'", "False", "(2, 3)", &[0; 23]), "declares 24 bytes of data; found 23"),
            (file("'<f4'", "False", "()", &[0; 4]), "no axes"),
            (file("'<f8'", "False", "(99999999999999, 99999999999)", &[]), "shape"),
            (file("'<f8'", "False", "(0, 3)", &[]), "no rows"),
            (b"\x93NUMPY\x01\x00\xff\xff{".to_vec(), "truncated"),
            (b"\x93NUMPY\x09\x00".to_vec(), "version 9"),
            (file("'<f2'", "False", "(1, 2)", &[0, 124, 0, 0]), "row 1, column `column_1`: `inf`"),
        ] {
            let error = error(bytes);
            assert!(error.contains(expected), "{error}");
        }
    }
}
