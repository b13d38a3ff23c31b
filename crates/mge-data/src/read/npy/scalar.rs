//! The element types of NumPy arrays, of either byte order.

use crate::read::column::ColumnHint;
use crate::read::value::Value;

/// The type of one element.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(in crate::read) struct Scalar {
    kind: ScalarKind,
    /// Bytes of one element.
    bytes: usize,
    big: bool,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum ScalarKind {
    Bool,
    Int,
    Uint,
    Float,
    /// UTF-32.
    Unicode,
    /// Bytes, taken as UTF-8.
    Bytes,
}

impl Scalar {
    /// From a type string such as `<f8`.
    pub fn parse(text: &str) -> Option<Self> {
        let (order, rest) = text.split_at_checked(1)?;
        let (code, size) = rest.split_at_checked(1)?;
        let size: usize = size.parse().ok().filter(|&size| size < 1 << 24)?;
        let big = match order {
            "<" | "|" | "=" => false,
            ">" => true,
            _ => return None,
        };
        let (kind, bytes) = match (code, size) {
            ("b", 1) => (ScalarKind::Bool, 1),
            ("i", 1 | 2 | 4 | 8) => (ScalarKind::Int, size),
            ("u", 1 | 2 | 4 | 8) => (ScalarKind::Uint, size),
            ("f", 2 | 4 | 8) => (ScalarKind::Float, size),
            ("U", 1..) => (ScalarKind::Unicode, 4 * size),
            ("S" | "a", 1..) => (ScalarKind::Bytes, size),
            _ => return None,
        };
        Some(Self { kind, bytes, big })
    }

    /// Bytes of one element.
    pub fn bytes(self) -> usize {
        self.bytes
    }

    /// Whether it is a number.
    pub fn is_number(self) -> bool {
        matches!(self.kind, ScalarKind::Int | ScalarKind::Uint | ScalarKind::Float)
    }

    /// What a column of this type is, if nobody says otherwise.
    pub fn hint(self) -> ColumnHint {
        if self.is_number() { ColumnHint::Number } else { ColumnHint::Text }
    }

    /// The element at the start of `cell`; `text` holds it if it is text.
    #[inline]
    pub fn value<'t>(self, cell: &[u8], text: &'t mut String) -> Value<'t> {
        let cell = &cell[..self.bytes];
        match self.kind {
            ScalarKind::Bool => Value::Bool(cell[0] != 0),
            ScalarKind::Uint => Value::Uint(self.bits(cell)),
            ScalarKind::Int => {
                let unused = 64 - 8 * self.bytes as u32;
                Value::Int((self.bits(cell) << unused) as i64 >> unused)
            }
            ScalarKind::Float => match self.bytes {
                2 => Value::Float(half(self.bits(cell) as u16)),
                4 => Value::Float(f32::from_bits(self.bits(cell) as u32)),
                _ => Value::Double(f64::from_bits(self.bits(cell))),
            },
            ScalarKind::Unicode => {
                text.clear();
                for code in cell.chunks_exact(4) {
                    let code = self.bits(code) as u32;
                    text.push(char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER));
                }
                Value::Text(text.trim_end_matches('\0'))
            }
            ScalarKind::Bytes => {
                text.clear();
                text.push_str(&String::from_utf8_lossy(cell));
                Value::Text(text.trim_end_matches('\0'))
            }
        }
    }

    #[inline]
    fn bits(self, bytes: &[u8]) -> u64 {
        let join = |all, &byte: &u8| all << 8 | u64::from(byte);
        if self.big { bytes.iter().fold(0, join) } else { bytes.iter().rev().fold(0, join) }
    }
}

/// A number of half precision; every one is exact in single precision.
pub(in crate::read) fn half(bits: u16) -> f32 {
    let sign = if bits >> 15 == 1 { -1.0 } else { 1.0 };
    let (exponent, fraction) = (i32::from(bits >> 10 & 31), f32::from(bits & 1023));
    let power = |exponent: i32| f32::from_bits(((exponent + 127) as u32) << 23);
    sign * match exponent {
        0 => fraction * power(-24),
        31 if fraction == 0.0 => f32::INFINITY,
        31 => f32::NAN,
        _ => (1024.0 + fraction) * power(exponent - 25),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn half_precision_numbers_are_exact() {
        for (bits, value) in [
            (0x0000, 0.0),
            (0x0001, 5.960_464_5e-8),
            (0x3c00, 1.0),
            (0xc000, -2.0),
            (0x7bff, 65504.0),
            (0x3555, 0.333_251_95),
        ] {
            assert_eq!(half(bits), value, "{bits:#x}");
        }
        assert!(half(0x7c00).is_infinite() && half(0x7e00).is_nan());
    }

    #[test]
    fn signs_and_byte_orders_are_read() {
        let value = |kind: &str, bytes: &[u8]| match Scalar::parse(kind) {
            Some(scalar) => format!("{:?}", scalar.value(bytes, &mut String::new())),
            None => "none".to_owned(),
        };
        assert_eq!(value("<i2", &[0xfe, 0xff]), "Int(-2)");
        assert_eq!(value(">i2", &[0xff, 0xfe]), "Int(-2)");
        assert_eq!(value("|u1", &[255]), "Uint(255)");
        assert_eq!(value(">U1", &[0, 0, 0, 228]), "Text(\"ä\")");
        assert_eq!(value("|S3", b"ab\0"), "Text(\"ab\")");
        assert_eq!(value("<m8", &[0; 8]), "none");
    }
}
