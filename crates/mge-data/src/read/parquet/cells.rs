//! Reads the cells of one Parquet column chunk.

use parquet::basic::{ConvertedType, LogicalType, TimeUnit, Type};
use parquet::column::reader::{ColumnReader, ColumnReaderImpl};
use parquet::data_type::{ByteArray, DataType};
use parquet::errors::ParquetError;
use parquet::schema::types::ColumnDescriptor;

use super::time;
use crate::read::column::ColumnHint;
use crate::read::value::{TypedColumn, Value};

/// The interpretation of the values of a column.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum CellType {
    /// The value itself.
    Plain,
    /// A whole number without a sign, of this many bits.
    Unsigned,
    /// A whole number of tenths, hundredths and so on: how many digits follow the decimal point.
    Decimal(i32),
    /// Half precision.
    Half,
    /// Days since 1970.
    Date,
    /// Ticks since 1970: how many make a second.
    Timestamp(i64),
    /// Yes or no.
    Bool,
    /// Text.
    Text,
}

impl CellType {
    /// `None` for types that a table cannot hold.
    pub fn of(column: &ColumnDescriptor) -> Option<Self> {
        let (physical, converted) = (column.physical_type(), column.converted_type());
        match (column.logical_type_ref(), converted, physical) {
            (Some(LogicalType::Decimal(decimal)), ..) => Some(CellType::Decimal(decimal.scale)),
            (_, ConvertedType::DECIMAL, _) => Some(CellType::Decimal(column.type_scale())),
            (Some(LogicalType::Float16), ..) => Some(CellType::Half),
            (Some(LogicalType::Date), ..) | (_, ConvertedType::DATE, _) => Some(CellType::Date),
            (Some(LogicalType::Timestamp(moment)), ..) => {
                Some(CellType::Timestamp(match moment.unit {
                    TimeUnit::MILLIS => 1_000,
                    TimeUnit::MICROS => 1_000_000,
                    TimeUnit::NANOS => 1_000_000_000,
                }))
            }
            (_, ConvertedType::TIMESTAMP_MILLIS, _) => Some(CellType::Timestamp(1_000)),
            (_, ConvertedType::TIMESTAMP_MICROS, _) => Some(CellType::Timestamp(1_000_000)),
            (_, _, Type::INT96) => Some(CellType::Timestamp(1_000_000_000)),
            (Some(LogicalType::Integer(whole)), ..) if !whole.is_signed => Some(CellType::Unsigned),
            (
                _,
                ConvertedType::UINT_8
                | ConvertedType::UINT_16
                | ConvertedType::UINT_32
                | ConvertedType::UINT_64,
                _,
            ) => Some(CellType::Unsigned),
            (_, _, Type::BOOLEAN) => Some(CellType::Bool),
            (_, _, Type::BYTE_ARRAY) => Some(CellType::Text),
            (_, _, Type::FIXED_LEN_BYTE_ARRAY) => None,
            _ => Some(CellType::Plain),
        }
    }

    /// Whether the column holds numbers; truth values are the words `true` and `false`, as in CSV.
    pub fn is_number(self) -> bool {
        !matches!(self, CellType::Text | CellType::Bool | CellType::Date | CellType::Timestamp(_))
    }

    /// What the column is, if nobody says otherwise.
    pub fn hint(self) -> ColumnHint {
        if self.is_number() { ColumnHint::Number } else { ColumnHint::Text }
    }
}

/// Reads a column chunk.
pub(super) struct ColumnChunk {
    /// The definition level of a cell that is not missing.
    pub max_level: i16,
    /// What the values stand for.
    pub cell_type: CellType,
}

/// Values read at once.
const BATCH: usize = 8192;

impl ColumnChunk {
    /// Appends up to `rows` cells; gives how many there were.
    pub fn read(
        &self,
        reader: ColumnReader,
        rows: usize,
        column: &mut TypedColumn,
    ) -> Result<usize, ParquetError> {
        let cell_type = self.cell_type;
        let whole = |value: i64| match cell_type {
            CellType::Decimal(scale) => Value::Double(decimal(value as f64, scale)),
            CellType::Unsigned => Value::Uint(value as u64),
            _ => Value::Int(value),
        };
        match reader {
            ColumnReader::BoolColumnReader(reader) => {
                self.each(reader, rows, column, |&value, column| column.push(Value::Bool(value)))
            }
            ColumnReader::Int32ColumnReader(reader) => {
                self.each(reader, rows, column, |&value, column| match cell_type {
                    CellType::Date => column.push(Value::Text(&time::date(value.into()))),
                    CellType::Unsigned => column.push(Value::Uint((value as u32).into())),
                    _ => column.push(whole(value.into())),
                })
            }
            ColumnReader::Int64ColumnReader(reader) => {
                self.each(reader, rows, column, |&value, column| match cell_type {
                    CellType::Timestamp(second) => {
                        column.push(Value::Text(&time::timestamp(value, second)));
                    }
                    _ => column.push(whole(value)),
                })
            }
            ColumnReader::Int96ColumnReader(reader) => {
                self.each(reader, rows, column, |value, column| {
                    column.push(Value::Text(&time::timestamp(value.to_nanos(), 1_000_000_000)));
                })
            }
            ColumnReader::FloatColumnReader(reader) => {
                self.each(reader, rows, column, |&value, column| column.push(Value::Float(value)))
            }
            ColumnReader::DoubleColumnReader(reader) => {
                self.each(reader, rows, column, |&value, column| column.push(Value::Double(value)))
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
        match self.cell_type {
            CellType::Decimal(scale) => {
                let sign = if bytes.first().is_some_and(|&first| first > 127) { -1.0 } else { 0.0 };
                let number = bytes.iter().fold(sign, |all, &byte| all * 256.0 + f64::from(byte));
                column.push(Value::Double(decimal(number, scale)));
            }
            CellType::Half => {
                let bits = bytes.iter().rev().fold(0, |all: u16, &byte| all << 8 | u16::from(byte));
                column.push(Value::Float(crate::read::npy::half(bits)));
            }
            _ => column.push(Value::Text(&String::from_utf8_lossy(bytes))),
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
            if self.max_level == 0 {
                values.iter().for_each(|value| push(value, column));
            } else {
                let mut known = values.iter();
                for &level in &levels {
                    match if level == self.max_level { known.next() } else { None } {
                        Some(value) => push(value, column),
                        None => column.push(Value::Missing),
                    }
                }
            }
            read += records;
        }
        Ok(read)
    }
}

/// A number with this many digits after the decimal point.
fn decimal(unscaled: f64, scale: i32) -> f64 {
    let power = (0..scale.clamp(0, 300)).fold(1.0, |power, _| power * 10.0);
    unscaled / power
}
