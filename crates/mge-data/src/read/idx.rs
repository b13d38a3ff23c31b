//! IDX, the format of MNIST: a magic number, sizes, then plain big-endian numbers.
//!
//! A file with one dimension is a column of labels, one with more is a column for each pixel.

use super::beside;
use super::plan::{Plan, label_name};
use super::{Draft, Input, Reader};
use crate::cell;
use crate::error::DataError;
use crate::note::Note;
use crate::options::{LoadOptions, Target};
use crate::table::{Column, Lines, Values};
use crate::text::Text;

const FORMAT: &str = "IDX";

/// More columns than this are no table that anyone searches.
const MOST_COLUMNS: usize = 1 << 20;

pub(crate) struct Idx;

impl Reader for Idx {
    fn recognises(&self, head: &[u8]) -> bool {
        matches!(head, [0, 0, 0x08..=0x0e, 1..=4, ..])
    }

    fn endings(&self) -> &'static [&'static str] {
        &["-ubyte", ".idx", ".idx1", ".idx2", ".idx3"]
    }

    fn read(&self, mut input: Input, options: &LoadOptions) -> Result<Draft, DataError> {
        let file = input.file.clone();
        let array = Array::read(&mut input)?;
        let mut notes = Vec::new();
        let mut columns = array.columns(&file)?;
        let mut names: Vec<String> = columns.iter().map(|column| column.name.clone()).collect();
        let mut options = options.clone();
        let is_images = array.sizes.len() > 1;
        if let Some(path) = beside::find(&input, beside::idx_labels).filter(|_| is_images) {
            let labels = read_labels(Input::open(&path, &options.progress)?)?;
            let label_file = path.display().to_string();
            same_count(&file, array.sizes[0], &label_file, labels.codes().len())?;
            notes.push(Note::LabelsBeside { file: label_file });
            let name = label_name(&names, &options);
            names.push(name.clone());
            columns.push(Column { name, values: Values::Text(labels) });
            options = options.labelled(names.last());
        } else if is_images && options.target == Target::Guess {
            // No pixel is a label.
            options.target = Target::Absent;
        }
        let plan = Plan::new(&file, &names, &options, &mut notes)?;
        let columns = plan.shape(&file, columns)?;
        Ok(Draft { columns, target: plan.target, lines: Lines::None, notes, test: None })
    }
}

/// As many labels as images, or an error.
pub(crate) fn same_count(
    file: &str,
    images: usize,
    label_file: &str,
    labels: usize,
) -> Result<(), DataError> {
    if images == labels {
        return Ok(());
    }
    let (file, label_file) = (file.to_owned(), label_file.to_owned());
    Err(DataError::UnequalParts { file, label_file, images, labels })
}

/// Images: one column for each pixel, named `pixel_ROW_COLUMN`.
pub(crate) fn read_images(mut input: Input) -> Result<Vec<Column>, DataError> {
    let file = input.file.clone();
    let array = Array::read(&mut input)?;
    if array.sizes.len() < 2 {
        return Err(bad(&file, format!("{} dimensions", array.sizes.len()), "images (2 or 3)"));
    }
    array.columns(&file)
}

/// Labels: one for each image.
pub(crate) fn read_labels(mut input: Input) -> Result<Text, DataError> {
    let file = input.file.clone();
    let array = Array::read(&mut input)?;
    let labels = array.columns(&file)?;
    match labels.first().map(|column| &column.values) {
        Some(Values::Number(cells)) if array.sizes.len() == 1 => Ok(Text::from_numbers(cells)),
        _ => Err(bad(&file, format!("{} dimensions", array.sizes.len()), "labels (1)")),
    }
}

/// The type of one number.
#[derive(Clone, Copy)]
enum Number {
    U8,
    I8,
    I16,
    I32,
    F32,
    F64,
}

impl Number {
    fn from_code(code: u8) -> Option<Self> {
        Some(match code {
            0x08 => Number::U8,
            0x09 => Number::I8,
            0x0b => Number::I16,
            0x0c => Number::I32,
            0x0d => Number::F32,
            0x0e => Number::F64,
            _ => return None,
        })
    }

    fn bytes(self) -> usize {
        match self {
            Number::U8 | Number::I8 => 1,
            Number::I16 => 2,
            Number::I32 | Number::F32 => 4,
            Number::F64 => 8,
        }
    }

    /// The value of exactly [`Number::bytes`] bytes.
    fn value(self, b: &[u8]) -> f64 {
        match (self, b) {
            (Number::U8, &[a]) => f64::from(a),
            (Number::I8, &[a]) => f64::from(a as i8),
            (Number::I16, &[a, b]) => f64::from(i16::from_be_bytes([a, b])),
            (Number::I32, &[a, b, c, d]) => f64::from(i32::from_be_bytes([a, b, c, d])),
            (Number::F32, &[a, b, c, d]) => f64::from(f32::from_be_bytes([a, b, c, d])),
            (Number::F64, &[a, b, c, d, e, f, g, h]) => {
                f64::from_be_bytes([a, b, c, d, e, f, g, h])
            }
            _ => f64::NAN,
        }
    }
}

/// An array as it stands in the file.
struct Array {
    number: Number,
    sizes: Vec<usize>,
    data: Vec<u8>,
}

impl Array {
    fn read(input: &mut Input) -> Result<Self, DataError> {
        let file = input.file.clone();
        let magic = input.rest(4)?;
        let (number, dimensions) = match magic[..] {
            [] => return Err(DataError::Empty { file }),
            [0, 0, code, dimensions @ 1..=4] => match Number::from_code(code) {
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
            return Err(bad(
                &file,
                "a header that is cut off".into(),
                "one size for each dimension",
            ));
        }
        let sizes: Vec<usize> = header
            .chunks_exact(4)
            .map(|b| u32::from_be_bytes([b[0], b[1], b[2], b[3]]) as usize)
            .collect();
        let promised = sizes
            .iter()
            .try_fold(number.bytes() as u64, |all, &size| all.checked_mul(size as u64))
            .filter(|&all| all < u64::MAX)
            .ok_or_else(|| bad(&file, format!("sizes {sizes:?}"), "sizes that fit into memory"))?;
        if promised == 0 {
            return Err(bad(&file, format!("sizes {sizes:?}"), "at least one of each"));
        }
        // Never more than the header promises, and never more than there is.
        let data = input.rest(promised + 1)?;
        if data.len() as u64 != promised {
            let longer = data.len() as u64 > promised;
            let found = if longer { "more".to_owned() } else { data.len().to_string() };
            return Err(DataError::WrongLength { file, format: FORMAT, expected: promised, found });
        }
        Ok(Self { number, sizes, data })
    }

    /// One column for each element of an item, items being the rows.
    fn columns(&self, file: &str) -> Result<Vec<Column>, DataError> {
        let rows = self.sizes[0];
        let width: usize = self.sizes[1..].iter().product();
        if width > MOST_COLUMNS {
            return Err(bad(file, format!("{width} numbers in a row"), "at most 1048576"));
        }
        let bytes = self.number.bytes();
        let mut cells: Vec<Vec<f32>> = (0..width).map(|_| Vec::with_capacity(rows)).collect();
        // In blocks of rows, so that each cache line of the file is used whole before it leaves.
        for block in self.data.chunks(width * bytes * 64) {
            for (place, column) in cells.iter_mut().enumerate() {
                for item in block.chunks_exact(width * bytes) {
                    let value = self.number.value(&item[place * bytes..(place + 1) * bytes]);
                    let missing = value.is_nan();
                    column.push(if missing { f32::NAN } else { finite(file, value)? });
                }
            }
        }
        let columns = cells.into_iter().enumerate();
        Ok(columns
            .map(|(place, cells)| Column { name: self.name(place), values: Values::Number(cells) })
            .collect())
    }

    fn name(&self, place: usize) -> String {
        match self.sizes[..] {
            [_] => "label".to_owned(),
            [_, _, width] => format!("pixel_{}_{}", place / width, place % width),
            _ => format!("pixel_{place}"),
        }
    }
}

fn finite(file: &str, value: f64) -> Result<f32, DataError> {
    cell::narrow(value)
        .ok_or_else(|| bad(file, format!("the number {value}"), "finite numbers below 3.4e38"))
}

fn bad(file: &str, found: String, expected: &str) -> DataError {
    DataError::BadHeader { file: file.to_owned(), format: FORMAT, found, expected: expected.into() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn input(bytes: &[u8]) -> Input {
        Input::new("t.idx".into(), std::io::Cursor::new(bytes.to_vec())).unwrap()
    }

    #[test]
    fn images_become_a_column_for_each_pixel() {
        let bytes = [0, 0, 8, 3, 0, 0, 0, 2, 0, 0, 0, 1, 0, 0, 0, 2, 1, 2, 3, 255];
        let columns = read_images(input(&bytes)).unwrap();
        assert_eq!(columns[0].name, "pixel_0_0");
        assert_eq!(columns[1].name, "pixel_0_1");
        assert_eq!(columns[1].values, Values::Number(vec![2.0, 255.0]));
    }

    #[test]
    fn labels_are_text() {
        let bytes = [0, 0, 8, 1, 0, 0, 0, 3, 7, 0, 7];
        let labels = read_labels(input(&bytes)).unwrap();
        assert_eq!(labels.categories(), ["0", "7"]);
    }

    #[test]
    fn a_file_that_is_cut_off_or_too_long_is_an_error() {
        let whole = [0, 0, 8, 1, 0, 0, 0, 3, 7, 0, 7];
        for end in 1..whole.len() {
            assert!(read_labels(input(&whole[..end])).is_err(), "{end} bytes");
        }
        let longer = [&whole[..], &[1]].concat();
        assert!(matches!(read_labels(input(&longer)), Err(DataError::WrongLength { .. })));
    }

    #[test]
    fn sizes_that_lie_take_no_memory() {
        let bytes = [0, 0, 14, 3, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255];
        assert!(matches!(read_images(input(&bytes)), Err(DataError::BadHeader { .. })));
        let bytes = [0, 0, 8, 2, 255, 255, 255, 255, 0, 0, 0, 9, 1];
        assert!(matches!(read_images(input(&bytes)), Err(DataError::WrongLength { .. })));
    }
}
