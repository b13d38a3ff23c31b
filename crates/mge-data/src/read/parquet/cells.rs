//! The cells of one Parquet column chunk, and what its types mean.

use parquet::basic::{ConvertedType, LogicalType, TimeUnit, Type};
use parquet::column::reader::{ColumnReader, ColumnReaderImpl};
use parquet::data_type::{ByteArray, DataType};
use parquet::errors::ParquetError;
use parquet::schema::types::ColumnDescriptor;

use super::time;
use crate::read::column::Wish;
use crate::read::datum::{Datum, TypedColumn};

/// What the values of a column stand for.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Meaning {
    /// The value itself.
    Plain,
    /// A whole number without a sign, of this many bits.
    Unsigned,
    /// Tenths, hundredths, ...: the number of decimal places.
    Decimal(i32),
    /// Half precision.
    Half,
    /// Days since 1970.
    Date,
    /// Ticks since 1970: how many make a second.
    Moment(i64),
    /// Yes or no.
    Truth,
    /// Text.
    Text,
}

impl Meaning {
    /// `None` for types that have no place in a table.
    pub fn of(column: &ColumnDescriptor) -> Option<Self> {
        let (physical, converted) = (column.physical_type(), column.converted_type());
        match (column.logical_type_ref(), converted, physical) {
            (Some(LogicalType::Decimal(decimal)), ..) => Some(Meaning::Decimal(decimal.scale)),
            (_, ConvertedType::DECIMAL, _) => Some(Meaning::Decimal(column.type_scale())),
            (Some(LogicalType::Float16), ..) => Some(Meaning::Half),
            (Some(LogicalType::Date), ..) | (_, ConvertedType::DATE, _) => Some(Meaning::Date),
            (Some(LogicalType::Timestamp(moment)), ..) => {
                Some(Meaning::Moment(match moment.unit {
                    TimeUnit::MILLIS => 1_000,
                    TimeUnit::MICROS => 1_000_000,
                    TimeUnit::NANOS => 1_000_000_000,
                }))
            }
            (_, ConvertedType::TIMESTAMP_MILLIS, _) => Some(Meaning::Moment(1_000)),
            (_, ConvertedType::TIMESTAMP_MICROS, _) => Some(Meaning::Moment(1_000_000)),
            (_, _, Type::INT96) => Some(Meaning::Moment(1_000_000_000)),
            (Some(LogicalType::Integer(whole)), ..) if !whole.is_signed => Some(Meaning::Unsigned),
            (
                _,
                ConvertedType::UINT_8
                | ConvertedType::UINT_16
                | ConvertedType::UINT_32
                | ConvertedType::UINT_64,
                _,
            ) => Some(Meaning::Unsigned),
            (_, _, Type::BOOLEAN) => Some(Meaning::Truth),
            (_, _, Type::BYTE_ARRAY) => Some(Meaning::Text),
            (_, _, Type::FIXED_LEN_BYTE_ARRAY) => None,
            _ => Some(Meaning::Plain),
        }
    }

    /// Whether the column holds numbers; truth values are the words `true` and `false`, as in CSV.
    pub fn is_number(self) -> bool {
        !matches!(self, Meaning::Text | Meaning::Truth | Meaning::Date | Meaning::Moment(_))
    }

    /// What the column is, if nobody says otherwise.
    pub fn wish(self) -> Wish {
        if self.is_number() { Wish::Number } else { Wish::Words }
    }
}

/// Reads a column chunk.
pub(super) struct Cells {
    /// The definition level of a cell that is not missing.
    pub most: i16,
    /// What the values stand for.
    pub meaning: Meaning,
}

/// Values read at once.
const BATCH: usize = 8192;

impl Cells {
    /// Appends up to `rows` cells; gives how many there were.
    pub fn read(
        &self,
        reader: ColumnReader,
        rows: usize,
        column: &mut TypedColumn,
    ) -> Result<usize, ParquetError> {
        let meaning = self.meaning;
        let whole = |value: i64| match meaning {
            Meaning::Decimal(scale) => Datum::Double(decimal(value as f64, scale)),
            Meaning::Unsigned => Datum::Natural(value as u64),
            _ => Datum::Whole(value),
        };
        match reader {
            ColumnReader::BoolColumnReader(reader) => {
                self.each(reader, rows, column, |&value, column| column.push(Datum::Truth(value)))
            }
            ColumnReader::Int32ColumnReader(reader) => {
                self.each(reader, rows, column, |&value, column| match meaning {
                    Meaning::Date => column.push(Datum::Text(&time::date(value.into()))),
                    Meaning::Unsigned => column.push(Datum::Natural((value as u32).into())),
                    _ => column.push(whole(value.into())),
                })
            }
            ColumnReader::Int64ColumnReader(reader) => {
                self.each(reader, rows, column, |&value, column| match meaning {
                    Meaning::Moment(second) => {
                        column.push(Datum::Text(&time::moment(value, second)));
                    }
                    _ => column.push(whole(value)),
                })
            }
            ColumnReader::Int96ColumnReader(reader) => {
                self.each(reader, rows, column, |value, column| {
                    column.push(Datum::Text(&time::moment(value.to_nanos(), 1_000_000_000)));
                })
            }
            ColumnReader::FloatColumnReader(reader) => {
                self.each(reader, rows, column, |&value, column| column.push(Datum::Single(value)))
            }
            ColumnReader::DoubleColumnReader(reader) => {
                self.each(reader, rows, column, |&value, column| column.push(Datum::Double(value)))
            }
            ColumnReader::ByteArrayColumnReader(reader) => {
                self.each(reader, rows, column, |value, column| self.bytes(value, column))
            }
            ColumnReader::FixedLenByteArrayColumnReader(reader) => {
                self.each(reader, rows, column, |value, column| self.bytes(value, column))
            }
        }
    }

    fn bytes(&self, value: &ByteArray, column: &mut TypedColumn) {
        let bytes = value.data();
        match self.meaning {
            Meaning::Decimal(scale) => {
                let sign = if bytes.first().is_some_and(|&first| first > 127) { -1.0 } else { 0.0 };
                let number = bytes.iter().fold(sign, |all, &byte| all * 256.0 + f64::from(byte));
                column.push(Datum::Double(decimal(number, scale)));
            }
            Meaning::Half => {
                let bits = bytes.iter().rev().fold(0, |all: u16, &byte| all << 8 | u16::from(byte));
                column.push(Datum::Single(crate::read::npy::half(bits)));
            }
            _ => column.push(Datum::Text(&String::from_utf8_lossy(bytes))),
        }
    }

    fn each<T: DataType>(
        &self,
        mut reader: ColumnReaderImpl<T>,
        rows: usize,
        column: &mut TypedColumn,
        mut push: impl FnMut(&T::T, &mut TypedColumn),
    ) -> Result<usize, ParquetError> {
        let (mut read, mut values, mut levels) = (0, Vec::new(), Vec::new());
        while read < rows {
            values.clear();
            levels.clear();
            let wanted = BATCH.min(rows - read);
            let (records, ..) =
                reader.read_records(wanted, Some(&mut levels), None, &mut values)?;
            if records == 0 {
                break;
            }
            if self.most == 0 {
                values.iter().for_each(|value| push(value, column));
            } else {
                let mut known = values.iter();
                for &level in &levels {
                    match if level == self.most { known.next() } else { None } {
                        Some(value) => push(value, column),
                        None => column.push(Datum::Missing),
                    }
                }
            }
            read += records;
        }
        Ok(read)
    }
}

/// A number with this many decimal places.
fn decimal(unscaled: f64, scale: i32) -> f64 {
    let power = (0..scale.clamp(0, 300)).fold(1.0, |power, _| power * 10.0);
    unscaled / power
}
