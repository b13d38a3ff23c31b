//! NPZ: a ZIP archive of NPY arrays.
//!
//! The reader takes the first of these that the archive has:
//!
//! 1. features and labels under a common pair of names (`X` and `y`, `x_train` and `y_train`, `data`
//!    and `target`, ...), with a test part if there is one;
//! 2. a single array;
//! 3. arrays of one axis and equal length, each of which is a column.
//!
//! Texts under `feature_names`, `columns` or `names` name the features.

use super::column_plan::ColumnPlan;
use super::npy::{self, ArrayColumn, NpyArray};
use super::{Input, ParsedTable, Reader, zip};
use crate::error::{DataError, FormatError, count};
use crate::note::Note;
use crate::options::LoadOptions;

const FORMAT: &str = "NPZ";

/// Names of features and labels that belong together, in lower case.
const PAIRS: [(&str, &str); 10] = [
    ("x", "y"),
    ("x_train", "y_train"),
    ("train_x", "train_y"),
    ("train_images", "train_labels"),
    ("data", "target"),
    ("data", "labels"),
    ("data", "y"),
    ("features", "labels"),
    ("images", "labels"),
    ("x", "labels"),
];

/// What names features.
const NAMES: [&str; 3] = ["feature_names", "columns", "names"];

pub(crate) struct Npz;

impl Reader for Npz {
    fn recognises(&self, head: &[u8]) -> bool {
        head.starts_with(b"PK\x03\x04") || head.starts_with(b"PK\x05\x06")
    }

    fn endings(&self) -> &'static [&'static str] {
        &[".npz", ".zip"]
    }

    fn read(&self, mut input: Input, options: &LoadOptions) -> Result<ParsedTable, DataError> {
        let bytes = input.rest(u64::MAX)?;
        Archive::open(input.file, bytes)?.read_table(options)
    }
}

struct Archive {
    file: String,
    bytes: Vec<u8>,
    members: Vec<zip::ZipMember>,
}

impl Archive {
    fn open(file: String, bytes: Vec<u8>) -> Result<Self, DataError> {
        let members = match zip::members(&bytes) {
            Ok(members) => members,
            Err(error) => return Err(bad(&file, error.found().into(), "a whole ZIP archive")),
        };
        let arrays: Vec<zip::ZipMember> =
            members.into_iter().filter(|member| member.name.ends_with(".npy")).collect();
        if arrays.is_empty() {
            let found = "an archive without arrays (.npy)".to_owned();
            let expected = "NumPy arrays (a spreadsheet or a packed table: unpack it, or save it \
                as CSV)";
            return Err(bad(&file, found, expected));
        }
        Ok(Self { file, bytes, members: arrays })
    }

    fn names(&self) -> impl Iterator<Item = &str> {
        self.members.iter().map(|member| member.name.trim_end_matches(".npy"))
    }

    /// The array's name as it stands in the archive, found in any case.
    fn find(&self, wanted: &str) -> Option<&str> {
        self.names().find(|name| name.eq_ignore_ascii_case(wanted))
    }

    fn array(&self, name: &str) -> Result<NpyArray, DataError> {
        let whole = format!("{name}.npy");
        let member = self.members.iter().find(|member| member.name == whole);
        let source = format!("{}, array `{name}`", self.file);
        let decompressed = match member {
            Some(member) => member.decompress(&self.bytes),
            None => Err(zip::ZipError::BadRecord),
        };
        match decompressed {
            Ok(bytes) => NpyArray::read(&source, bytes),
            Err(error) => Err(bad(&source, error.found().into(), "a whole array")),
        }
    }

    fn read_table(&self, options: &LoadOptions) -> Result<ParsedTable, DataError> {
        let pairs = PAIRS.iter().find_map(|(x, y)| Some((self.find(x)?, self.find(y)?)));
        if let Some((x, y)) = pairs {
            return self.pair(x, y, options);
        }
        let texts = NAMES.iter().find_map(|name| self.find(name));
        let names: Vec<&str> = self.names().filter(|name| Some(*name) != texts).collect();
        let arrays: Vec<NpyArray> =
            names.iter().map(|name| self.array(name)).collect::<Result<_, _>>()?;
        if let [array] = &arrays[..] {
            let mut notes = Vec::new();
            let texts = self.feature_names(texts, array, &mut notes)?;
            return self.columns(array.columns(texts.as_ref()), options, notes);
        }
        // Without a matrix that they name, names are a column like the others.
        let names: Vec<&str> = self.names().collect();
        let arrays: Vec<NpyArray> =
            names.iter().map(|name| self.array(name)).collect::<Result<_, _>>()?;
        let rows = arrays.first().map_or(0, NpyArray::rows);
        if arrays.iter().all(|array| array.width() == 1 && array.rows() == rows) {
            let selected = names.iter().zip(&arrays);
            let selected =
                selected.map(|(name, array)| array.label(&self.file, (*name).to_owned()));
            return self.columns(selected.collect::<Result<_, _>>()?, options, Vec::new());
        }
        let found: Vec<String> =
            names.iter().zip(&arrays).map(|(name, a)| format!("{name} {}", a.shape())).collect();
        let expected = "arrays X and y, one array, or arrays of one axis and one length";
        Err(bad(&self.file, format!("the arrays {}", found.join(", ")), expected))
    }

    fn columns(
        &self,
        selected: Vec<ArrayColumn<'_>>,
        options: &LoadOptions,
        mut notes: Vec<Note>,
    ) -> Result<ParsedTable, DataError> {
        let names: Vec<String> = selected.iter().map(|column| column.name.clone()).collect();
        let plan = ColumnPlan::new(&self.file, &names, options, &mut notes)?;
        npy::columns(&self.file, &selected, plan, notes)
    }

    /// The names of an array's columns; names that do not fit get a note.
    fn feature_names(
        &self,
        texts: Option<&str>,
        array: &NpyArray,
        notes: &mut Vec<Note>,
    ) -> Result<Option<NpyArray>, DataError> {
        let Some(name) = texts else { return Ok(None) };
        let texts = self.array(name)?;
        if !array.is_named_by(&texts) {
            let (shape, width) = (texts.shape(), count(array.width(), "column"));
            let what = format!("array `{name}` of shape {shape} does not name {width}: not used");
            notes.push(Note::Ignored { what });
        }
        Ok(Some(texts))
    }

    fn pair(&self, x: &str, y: &str, options: &LoadOptions) -> Result<ParsedTable, DataError> {
        let (features, labels) = self.both(x, y)?;
        let mut notes = vec![Note::Arrays { features: x.to_owned(), labels: y.to_owned() }];
        let names = NAMES.iter().find_map(|name| self.find(name));
        let texts = self.feature_names(names, &features, &mut notes)?;
        let test = |name: &str| {
            let name = name.to_ascii_lowercase().replace("train", "test");
            self.find(&name).filter(|found| *found != x && *found != y)
        };
        let test = test(x).zip(test(y));
        let (x_test, y_test) = test.unzip();
        let used = [Some(x), Some(y), names, x_test, y_test];
        let unused: Vec<&str> = self.names().filter(|name| !used.contains(&Some(name))).collect();
        if !unused.is_empty() {
            let what = format!("{} not used: {}", count(unused.len(), "array"), unused.join(", "));
            notes.push(Note::Ignored { what });
        }
        let (mut parsed, plan) =
            npy::with_labels(&self.file, &features, texts.as_ref(), &labels, options, notes)?;
        if let Some((x, y)) = test {
            let (features, labels) = self.both(x, y)?;
            let columns =
                npy::test_columns(&self.file, &features, &labels, &plan, &parsed.columns)?;
            parsed.notes.push(Note::TestArrays { features: x.to_owned(), labels: y.to_owned() });
            parsed.test = Some(columns);
        }
        Ok(parsed)
    }

    /// Features and labels of the same length.
    fn both(&self, x: &str, y: &str) -> Result<(NpyArray, NpyArray), DataError> {
        let (features, labels) = (self.array(x)?, self.array(y)?);
        if features.rows() != labels.rows() {
            let found = format!("{x} of shape {}, {y} of {}", features.shape(), labels.shape());
            return Err(bad(&self.file, found, "as many labels as rows"));
        }
        if features.axes() < 2 && features.width() < 2 {
            let found = format!("{x} of shape {}", features.shape());
            return Err(bad(&self.file, found, "features of shape (rows, columns)"));
        }
        Ok((features, labels))
    }
}

fn bad(file: &str, found: String, expected: &str) -> DataError {
    FormatError::BadHeader {
        file: file.to_owned(),
        format: FORMAT,
        found,
        expected: expected.into(),
    }
    .into()
}
