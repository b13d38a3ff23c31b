//! Parses the text of one cell: a number, a missing value, or text.
//!
//! All formats use this module, so a value gives the same bits from every format. Numbers are read
//! as f64 and narrowed once to f32. Minus zero becomes zero.

/// The meaning of a cell's text.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Cell {
    /// A missing value: empty, `?`, `NA`, `NaN`, `null` and similar words.
    Missing,
    /// A word that means "missing" in a column of numbers and is a category elsewhere (`None`,
    /// `-`).
    Ambiguous,
    /// A number that is finite as f32 too.
    Number(f64),
    /// A number that f32 cannot hold.
    NotFinite,
    /// Any other text.
    Text,
}

/// Reads a trimmed cell.
pub(crate) fn read(text: &str, decimal_comma: bool) -> Cell {
    let Some(&first) = text.as_bytes().first() else {
        return Cell::Missing;
    };
    if !matches!(first, b'0'..=b'9' | b'+' | b'-' | b'.' | b',') {
        if is_missing(text) {
            return Cell::Missing;
        }
        // Only `inf` and `nan` are words that parse as numbers.
        if !matches!(first, b'i' | b'I' | b'n' | b'N') {
            return Cell::Text;
        }
    }
    let parsed = if decimal_comma && text.contains(',') {
        if text.contains('.') {
            return Cell::Text;
        } else {
            text.replace(',', ".").parse::<f64>()
        }
    } else {
        text.parse::<f64>()
    };
    match parsed {
        Ok(value) if value.is_nan() => Cell::Missing,
        Ok(value) if narrow(value).is_none() => Cell::NotFinite,
        Ok(value) => Cell::Number(value + 0.0),
        Err(_) if is_ambiguous(text) => Cell::Ambiguous,
        Err(_) => Cell::Text,
    }
}

/// A finite f64 as f32, or `None` when f32 cannot hold it. Minus zero becomes zero.
pub(crate) fn narrow(value: f64) -> Option<f32> {
    let value = value as f32;
    value.is_finite().then_some(value + 0.0)
}

/// The text of a number: the shortest that reads back to the same f32, without a decimal point for
/// whole numbers.
pub(crate) fn write(value: f32) -> String {
    value.to_string()
}

fn is_missing(text: &str) -> bool {
    matches!(
        text,
        "?" | "NA"
            | "N/A"
            | "n/a"
            | "NaN"
            | "nan"
            | "null"
            | "NULL"
            | "Null"
            | "<NA>"
            | "#N/A"
            | "<null>"
    )
}

fn is_ambiguous(text: &str) -> bool {
    matches!(text, "None" | "none" | "NONE" | "na" | "nil" | "-" | "--" | ".")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_classified() {
        for text in ["", "?", "NA", "NaN", "nan", "null"] {
            assert_eq!(read(text, false), Cell::Missing, "{text}");
        }
        for text in ["None", "-", "--", ".", "na"] {
            assert_eq!(read(text, false), Cell::Ambiguous, "{text}");
        }
        for text in ["inf", "-Infinity", "1e39", "-1e400"] {
            assert_eq!(read(text, false), Cell::NotFinite, "{text}");
        }
        for text in ["a", "1a", "1,5", "2020-01-01", "null value", "N"] {
            assert_eq!(read(text, false), Cell::Text, "{text}");
        }
        for (text, value) in [("1", 1.0), ("-.5", -0.5), ("+2.", 2.0), ("1e3", 1000.0)] {
            assert_eq!(read(text, false), Cell::Number(value), "{text}");
        }
        assert_eq!(read("1,5", true), Cell::Number(1.5));
        assert_eq!(read("1.000,5", true), Cell::Text);
    }

    #[test]
    fn minus_zero_is_zero() {
        let Cell::Number(zero) = read("-0", false) else { panic!("a number") };
        assert_eq!(zero.to_bits(), 0);
        assert_eq!(narrow(-1e-60).map(f32::to_bits), Some(0));
    }

    proptest::proptest! {
        #[test]
        fn a_written_number_reads_back_to_the_same_bits(bits: u32) {
            let value = f32::from_bits(bits);
            if value.is_finite() {
                let value = value + 0.0;
                let Cell::Number(back) = read(&write(value), false) else { panic!("a number") };
                proptest::prop_assert_eq!(Some(value.to_bits()), narrow(back).map(f32::to_bits));
            }
        }
    }
}
