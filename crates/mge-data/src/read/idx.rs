//! IDX, the format of MNIST: a magic number, sizes, then plain big-endian numbers.
//!
//! A file with one dimension is a column of labels, one with more is a column for each pixel.

use super::beside;
use super::column::Wish;
use super::datum::{Datum, TypedColumn};
use super::plan::{Plan, label_name};
use super::{Draft, Input, Reader, growing};
use crate::error::{DataError, FormatError};
use crate::note::Note;
use crate::options::{LoadOptions, Target};
use crate::table::Lines;

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
        let array = Array::read(&mut input)?;
        let beside = beside::find(&input, beside::idx_labels).filter(|_| array.sizes.len() > 1);
        let Some(path) = beside else {
            return array.draft(&input.file, None, options, Vec::new());
        };
        let labels = Labels::read(Input::open(&path, &options.progress)?)?;
        let notes = vec![Note::LabelsBeside { file: labels.file.clone() }];
        array.draft(&input.file, Some(labels), options, notes)
    }
}

/// Images and labels out of two files that are known to belong together.
pub(crate) fn read_pair(
    mut images: Input,
    labels: Input,
    options: &LoadOptions,
) -> Result<Draft, DataError> {
    let array = Array::read(&mut images)?;
    let dimensions = array.sizes.len();
    if dimensions < 2 {
        return Err(bad(&images.file, format!("{dimensions} dimensions"), "images (2 or 3)"));
    }
    array.draft(&images.file, Some(Labels::read(labels)?), options, Vec::new())
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
    Err(FormatError::UnequalParts { file, label_file, images, labels }.into())
}

/// One label for each image.
struct Labels {
    file: String,
    array: Array,
}

impl Labels {
    fn read(mut input: Input) -> Result<Self, DataError> {
        let array = Array::read(&mut input)?;
        match array.sizes.len() {
            1 => Ok(Self { file: input.file, array }),
            dimensions => Err(bad(&input.file, format!("{dimensions} dimensions"), "labels (1)")),
        }
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
    #[inline]
    fn datum(self, b: &[u8]) -> Datum<'static> {
        match (self, b) {
            (Number::U8, &[a]) => Datum::Natural(a.into()),
            (Number::I8, &[a]) => Datum::Whole((a as i8).into()),
            (Number::I16, &[a, b]) => Datum::Whole(i16::from_be_bytes([a, b]).into()),
            (Number::I32, &[a, b, c, d]) => Datum::Whole(i32::from_be_bytes([a, b, c, d]).into()),
            (Number::F32, &[a, b, c, d]) => Datum::Single(f32::from_be_bytes([a, b, c, d])),
            (Number::F64, &[a, b, c, d, e, f, g, h]) => {
                Datum::Double(f64::from_be_bytes([a, b, c, d, e, f, g, h]))
            }
            _ => Datum::Double(f64::NAN),
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
            return Err(FormatError::WrongLength {
                file,
                format: FORMAT,
                expected: promised,
                found,
            }
            .into());
        }
        Ok(Self { number, sizes, data })
    }

    /// A column for each element of an item, items being the rows, and the labels if there are.
    fn draft(
        self,
        file: &str,
        labels: Option<Labels>,
        options: &LoadOptions,
        mut notes: Vec<Note>,
    ) -> Result<Draft, DataError> {
        let width: usize = self.sizes[1..].iter().product();
        if width > MOST_COLUMNS {
            return Err(bad(file, format!("{width} numbers in a row"), "at most 1048576"));
        }
        let mut names: Vec<String> = (0..width).map(|place| self.name(place)).collect();
        let mut options = options.clone();
        if let Some(labels) = &labels {
            same_count(file, self.sizes[0], &labels.file, labels.array.sizes[0])?;
            names.push(label_name(&names, &options));
            options = options.labelled(names.last());
        } else if self.sizes.len() > 1 && options.target == Target::Guess {
            // No pixel is a label.
            options.target = Target::Absent;
        }
        let plan = Plan::new(file, &names, &options, &mut notes)?;
        let column = |wish: Wish| TypedColumn::new(wish, true);
        let mut columns: Vec<_> = plan.wishes.iter().map(|wish| wish.map(column)).collect();
        self.fill(&mut columns[..width]);
        if let Some(labels) = labels {
            labels.array.fill(&mut columns[width..]);
        }
        let builders = columns.into_iter().map(|c| c.map(TypedColumn::into_builder)).collect();
        growing::finish(file, names, builders, plan, Lines::None, notes)
    }

    fn fill(&self, columns: &mut [Option<TypedColumn>]) {
        let (bytes, width) = (self.number.bytes(), columns.len());
        // In blocks of rows, so that each cache line of the file is used whole before it leaves.
        for block in self.data.chunks(width * bytes * 64) {
            for (place, column) in columns.iter_mut().enumerate() {
                let Some(column) = column else { continue };
                for item in block.chunks_exact(width * bytes) {
                    column.push(self.number.datum(&item[place * bytes..(place + 1) * bytes]));
                }
            }
        }
    }

    fn name(&self, place: usize) -> String {
        match self.sizes[..] {
            [_] => "label".to_owned(),
            [_, _, width] => format!("pixel_{}_{}", place / width, place % width),
            _ => format!("pixel_{place}"),
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

    fn read(bytes: &[u8]) -> Result<Draft, DataError> {
        Idx.read(input(bytes), &LoadOptions::default())
    }

    const IMAGES: [u8; 20] = [0, 0, 8, 3, 0, 0, 0, 2, 0, 0, 0, 1, 0, 0, 0, 2, 1, 2, 3, 255];
    const LABELS: [u8; 10] = [0, 0, 8, 1, 0, 0, 0, 2, 7, 0];

    #[test]
    fn images_become_a_column_for_each_pixel() {
        let draft = read(&IMAGES).unwrap();
        assert_eq!(draft.columns[0].name, "pixel_0_0");
        assert_eq!(draft.columns[1].name, "pixel_0_1");
        assert_eq!(draft.columns[1].values, Values::Number(vec![2.0, 255.0]));
        assert_eq!(draft.target, None);
    }

    #[test]
    fn labels_are_text() {
        let draft = read_pair(input(&IMAGES), input(&LABELS), &LoadOptions::default()).unwrap();
        assert_eq!(draft.target.as_deref(), Some("class"));
        let Values::Text(text) = &draft.columns[2].values else { panic!("text") };
        assert_eq!((text.get(0), text.get(1)), (Some("7"), Some("0")));
        let both = read_pair(input(&LABELS), input(&LABELS), &LoadOptions::default());
        assert!(matches!(both, Err(DataError::Format(FormatError::BadHeader { .. }))));
    }

    #[test]
    fn a_file_that_is_cut_off_or_too_long_is_an_error() {
        for end in 1..LABELS.len() {
            assert!(read(&LABELS[..end]).is_err(), "{end} bytes");
        }
        let longer = [&LABELS[..], &[1]].concat();
        assert!(matches!(read(&longer), Err(DataError::Format(FormatError::WrongLength { .. }))));
    }

    #[test]
    fn sizes_that_lie_take_no_memory() {
        let bytes = [0, 0, 14, 3, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255];
        assert!(matches!(read(&bytes), Err(DataError::Format(FormatError::BadHeader { .. }))));
        let bytes = [0, 0, 8, 2, 255, 255, 255, 255, 0, 0, 0, 9, 1];
        assert!(matches!(read(&bytes), Err(DataError::Format(FormatError::WrongLength { .. }))));
    }

    #[test]
    fn infinite_pixels_are_found_by_row_and_name() {
        let bytes = [&[0, 0, 13, 2, 0, 0, 0, 2, 0, 0, 0, 1, 0, 0, 0, 0][..], &[127, 128, 0, 0]];
        let error = read(&bytes.concat()).err().map(|error| error.to_string());
        assert!(error.as_ref().is_some_and(|e| e.contains("row 2, column `pixel_0`")), "{error:?}");
    }
}
