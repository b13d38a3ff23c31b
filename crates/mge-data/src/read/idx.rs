//! IDX, the format of MNIST: a magic number, sizes, then plain big-endian numbers.
//!
//! A file with one dimension is a column of labels, one with more is a column for each pixel.

use super::column::ColumnHint;
use super::column_plan::{ColumnPlan, label_name};
use super::sidecar;
use super::value::{TypedColumn, Value};
use super::{Input, ParsedTable, Reader, table_builder};
use crate::error::{DataError, FormatError};
use crate::note::Note;
use crate::options::{LoadOptions, TargetColumn};
use crate::table::LineNumbers;

const FORMAT: &str = "IDX";

/// The largest number of columns.
const MAX_COLUMNS: usize = 1 << 20;

pub(crate) struct Idx;

impl Reader for Idx {
    fn recognises(&self, head: &[u8]) -> bool {
        matches!(head, [0, 0, 0x08..=0x0e, 1..=4, ..])
    }

    fn endings(&self) -> &'static [&'static str] {
        &["-ubyte", ".idx", ".idx1", ".idx2", ".idx3"]
    }

    fn read(&self, mut input: Input, options: &LoadOptions) -> Result<ParsedTable, DataError> {
        let array = IdxArray::read(&mut input)?;
        let label_file =
            sidecar::find(&input, sidecar::idx_labels).filter(|_| array.sizes.len() > 1);
        let Some(path) = label_file else {
            return array.into_table(&input.file, None, options, Vec::new());
        };
        let labels = LabelArray::read(Input::open(&path, &options.progress)?)?;
        let notes = vec![Note::LabelFile { file: labels.file.clone() }];
        array.into_table(&input.file, Some(labels), options, notes)
    }
}

/// Reads images and labels from a known pair of files.
pub(crate) fn read_pair(
    mut images: Input,
    labels: Input,
    options: &LoadOptions,
) -> Result<ParsedTable, DataError> {
    let array = IdxArray::read(&mut images)?;
    let dimensions = array.sizes.len();
    if dimensions < 2 {
        return Err(bad(&images.file, format!("{dimensions} dimensions"), "images (2 or 3)"));
    }
    array.into_table(&images.file, Some(LabelArray::read(labels)?), options, Vec::new())
}

/// An error unless there are as many labels as images.
pub(crate) fn check_counts(
    file: &str,
    images: usize,
    label_file: &str,
    labels: usize,
) -> Result<(), DataError> {
    if images == labels {
        return Ok(());
    }
    let (file, label_file) = (file.to_owned(), label_file.to_owned());
    Err(FormatError::UnequalParts { file, label_file, images, labels }.into())
}

/// One label for each image.
struct LabelArray {
    file: String,
    array: IdxArray,
}

impl LabelArray {
    fn read(mut input: Input) -> Result<Self, DataError> {
        let array = IdxArray::read(&mut input)?;
        match array.sizes.len() {
            1 => Ok(Self { file: input.file, array }),
            dimensions => Err(bad(&input.file, format!("{dimensions} dimensions"), "labels (1)")),
        }
    }
}

/// The type of one number.
#[derive(Clone, Copy)]
enum IdxType {
    U8,
    I8,
    I16,
    I32,
    F32,
    F64,
}

impl IdxType {
    fn from_code(code: u8) -> Option<Self> {
        Some(match code {
            0x08 => IdxType::U8,
            0x09 => IdxType::I8,
            0x0b => IdxType::I16,
            0x0c => IdxType::I32,
            0x0d => IdxType::F32,
            0x0e => IdxType::F64,
            _ => return None,
        })
    }

    fn bytes(self) -> usize {
        match self {
            IdxType::U8 | IdxType::I8 => 1,
            IdxType::I16 => 2,
            IdxType::I32 | IdxType::F32 => 4,
            IdxType::F64 => 8,
        }
    }

    /// The value of exactly [`IdxType::bytes`] bytes.
    #[inline]
    fn value(self, b: &[u8]) -> Value<'static> {
        match (self, b) {
            (IdxType::U8, &[a]) => Value::Uint(a.into()),
            (IdxType::I8, &[a]) => Value::Int((a as i8).into()),
            (IdxType::I16, &[a, b]) => Value::Int(i16::from_be_bytes([a, b]).into()),
            (IdxType::I32, &[a, b, c, d]) => Value::Int(i32::from_be_bytes([a, b, c, d]).into()),
            (IdxType::F32, &[a, b, c, d]) => Value::Float(f32::from_be_bytes([a, b, c, d])),
            (IdxType::F64, &[a, b, c, d, e, f, g, h]) => {
                Value::Double(f64::from_be_bytes([a, b, c, d, e, f, g, h]))
            }
            _ => Value::Double(f64::NAN),
        }
    }
}

/// An array of the file.
struct IdxArray {
    number: IdxType,
    sizes: Vec<usize>,
    data: Vec<u8>,
}

impl IdxArray {
    fn read(input: &mut Input) -> Result<Self, DataError> {
        let file = input.file.clone();
        let magic = input.rest(4)?;
        let (number, dimensions) = match magic[..] {
            [] => return Err(DataError::Empty { file }),
            [0, 0, code, dimensions @ 1..=4] => match IdxType::from_code(code) {
                Some(number) => (number, dimensions),
                None => {
                    return Err(bad(&file, format!("number type {code:#04x}"), "0x08 to 0x0e"));
                }
            },
            _ => {
                return Err(bad(
                    &file,
                    format!("it begins with {magic:02x?}"),
                    "[00, 00, type, 01 to 04]",
                ));
            }
        };
        let header = input.rest(4 * u64::from(dimensions))?;
        if header.len() < 4 * usize::from(dimensions) {
            return Err(bad(&file, "a truncated header".into(), "one size for each dimension"));
        }
        let sizes: Vec<usize> = header
            .chunks_exact(4)
            .map(|b| u32::from_be_bytes([b[0], b[1], b[2], b[3]]) as usize)
            .collect();
        let declared = sizes
            .iter()
            .try_fold(number.bytes() as u64, |all, &size| all.checked_mul(size as u64))
            .filter(|&all| all < u64::MAX)
            .ok_or_else(|| bad(&file, format!("sizes {sizes:?}"), "sizes that fit into memory"))?;
        if declared == 0 {
            return Err(bad(&file, format!("sizes {sizes:?}"), "at least one of each"));
        }
        // Reads at most what the header declares, so a false size takes no memory.
        let data = input.rest(declared + 1)?;
        if data.len() as u64 != declared {
            let longer = data.len() as u64 > declared;
            let found = if longer { "more".to_owned() } else { data.len().to_string() };
            return Err(FormatError::WrongLength {
                file,
                format: FORMAT,
                expected: declared,
                found,
            }
            .into());
        }
        Ok(Self { number, sizes, data })
    }

    /// One row for each item of the first dimension, one column for each of its elements, and the labels if any.
    fn into_table(
        self,
        file: &str,
        labels: Option<LabelArray>,
        options: &LoadOptions,
        mut notes: Vec<Note>,
    ) -> Result<ParsedTable, DataError> {
        let width: usize = self.sizes[1..].iter().product();
        if width > MAX_COLUMNS {
            return Err(bad(file, format!("{width} numbers in a row"), "at most 1048576"));
        }
        let mut names: Vec<String> = (0..width).map(|index| self.name(index)).collect();
        let mut options = options.clone();
        if let Some(labels) = &labels {
            check_counts(file, self.sizes[0], &labels.file, labels.array.sizes[0])?;
            names.push(label_name(&names, &options));
            options = options.with_labels(names.last());
        } else if self.sizes.len() > 1 && options.target == TargetColumn::Guess {
            // Pixels are not labels.
            options.target = TargetColumn::Absent;
        }
        let plan = ColumnPlan::new(file, &names, &options, &mut notes)?;
        let column = |hint: ColumnHint| TypedColumn::new(hint, true);
        let mut columns: Vec<_> = plan.hints.iter().map(|hint| hint.map(column)).collect();
        self.fill(&mut columns[..width]);
        if let Some(labels) = labels {
            labels.array.fill(&mut columns[width..]);
        }
        let builders = columns.into_iter().map(|c| c.map(TypedColumn::into_builder)).collect();
        table_builder::finish(file, names, builders, plan, LineNumbers::None, notes)
    }

    fn fill(&self, columns: &mut [Option<TypedColumn>]) {
        let (bytes, width) = (self.number.bytes(), columns.len());
        // In blocks of rows, so that each cache line of the file is loaded once.
        for block in self.data.chunks(width * bytes * 64) {
            for (index, column) in columns.iter_mut().enumerate() {
                let Some(column) = column else { continue };
                for item in block.chunks_exact(width * bytes) {
                    column.push(self.number.value(&item[index * bytes..(index + 1) * bytes]));
                }
            }
        }
    }

    fn name(&self, index: usize) -> String {
        match self.sizes[..] {
            [_] => "label".to_owned(),
            [_, _, width] => format!("pixel_{}_{}", index / width, index % width),
            _ => format!("pixel_{index}"),
        }
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::Values;

    fn input(bytes: &[u8]) -> Input {
        Input::new("t.idx".into(), std::io::Cursor::new(bytes.to_vec())).unwrap()
    }

    fn read(bytes: &[u8]) -> Result<ParsedTable, DataError> {
        Idx.read(input(bytes), &LoadOptions::default())
    }

    const IMAGES: [u8; 20] = [0, 0, 8, 3, 0, 0, 0, 2, 0, 0, 0, 1, 0, 0, 0, 2, 1, 2, 3, 255];
    const LABELS: [u8; 10] = [0, 0, 8, 1, 0, 0, 0, 2, 7, 0];

    #[test]
    fn images_become_a_column_for_each_pixel() {
        let parsed = read(&IMAGES).unwrap();
        assert_eq!(parsed.columns[0].name, "pixel_0_0");
        assert_eq!(parsed.columns[1].name, "pixel_0_1");
        assert_eq!(parsed.columns[1].values, Values::Number(vec![2.0, 255.0]));
        assert!(parsed.targets.is_empty());
    }

    #[test]
    fn labels_are_text() {
        let parsed = read_pair(input(&IMAGES), input(&LABELS), &LoadOptions::default()).unwrap();
        assert_eq!(parsed.targets, ["class"]);
        let Values::Text(text) = &parsed.columns[2].values else { panic!("text") };
        assert_eq!((text.get(0), text.get(1)), (Some("7"), Some("0")));
        let both = read_pair(input(&LABELS), input(&LABELS), &LoadOptions::default());
        assert!(matches!(both, Err(DataError::Format(FormatError::BadHeader { .. }))));
    }

    #[test]
    fn truncated_and_oversized_files_are_errors() {
        for end in 1..LABELS.len() {
            assert!(read(&LABELS[..end]).is_err(), "{end} bytes");
        }
        let longer = [&LABELS[..], &[1]].concat();
        assert!(matches!(read(&longer), Err(DataError::Format(FormatError::WrongLength { .. }))));
    }

    #[test]
    fn false_sizes_take_no_memory() {
        let bytes = [0, 0, 14, 3, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255];
        assert!(matches!(read(&bytes), Err(DataError::Format(FormatError::BadHeader { .. }))));
        let bytes = [0, 0, 8, 2, 255, 255, 255, 255, 0, 0, 0, 9, 1];
        assert!(matches!(read(&bytes), Err(DataError::Format(FormatError::WrongLength { .. }))));
    }

    #[test]
    fn errors_name_the_row_and_column_of_infinite_pixels() {
        let bytes = [&[0, 0, 13, 2, 0, 0, 0, 2, 0, 0, 0, 1, 0, 0, 0, 0][..], &[127, 128, 0, 0]];
        let error = read(&bytes.concat()).err().map(|error| error.to_string());
        assert!(error.as_ref().is_some_and(|e| e.contains("row 2, column `pixel_0`")), "{error:?}");
    }
}
