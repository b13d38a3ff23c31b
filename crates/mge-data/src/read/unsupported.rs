//! Recognises formats that cannot be read, so that the error can name them and a remedy.

use crate::error::{DataError, FormatError};

/// First bytes, name of the format, remedy.
const BINARY: [(&[u8], &str, &str); 7] = [
    (b"\xd0\xcf\x11\xe0", "an old spreadsheet or document (.xls)", "save it as CSV"),
    (b"ARROW1", "Arrow or Feather", "save it as Parquet"),
    (b"\x89HDF", "HDF5", "save the table as Parquet or CSV"),
    (b"SQLite format 3", "an SQLite database", "export the table as CSV"),
    (b"%PDF", "a PDF document", "save the table as CSV"),
    (b"BZh", "a bzip2 archive", "unpack it, or pack it with gzip"),
    (b"\xfd7zXZ", "an xz archive", "unpack it, or pack it with gzip"),
];

/// An error if the first bytes show a format that is not text in rows.
pub(super) fn refuse(file: &str, head: &[u8]) -> Result<(), DataError> {
    let error = |found, remedy| {
        Err(FormatError::Unsupported { file: file.to_owned(), found, remedy }.into())
    };
    if let Some((_, found, remedy)) = BINARY.iter().find(|(magic, ..)| head.starts_with(magic)) {
        return error(*found, *remedy);
    }
    let head = head.strip_prefix(b"\xef\xbb\xbf").unwrap_or(head).trim_ascii_start();
    let after = |count: usize| head.get(count..).unwrap_or_default().trim_ascii_start();
    match head.first() {
        Some(b'{') if matches!(after(1).first(), Some(b'"' | b'}')) => {
            error("JSON", "save it as CSV or Parquet")
        }
        Some(b'[') if matches!(after(1).first(), Some(b'{' | b'[')) => {
            error("JSON", "save it as CSV or Parquet")
        }
        Some(b'<') if is_markup(head) => {
            error("a web page or XML", "download the file itself, or save the table as CSV")
        }
        _ => Ok(()),
    }
}

fn is_markup(head: &[u8]) -> bool {
    let begins = |word: &str| {
        head.get(..word.len()).is_some_and(|begin| begin.eq_ignore_ascii_case(word.as_bytes()))
    };
    ["<!doctype", "<html", "<?xml", "<head", "<table"].into_iter().any(begins)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unsupported_formats_are_named() {
        for (head, found) in [
            (&b"{\"a\": 1, \"b\": 2}\n{\"a\": 3}\n"[..], "JSON"),
            (b" [ {\"a\": 1}]", "JSON"),
            (b"[[1, 2], [3, 4]]", "JSON"),
            (b"\n<!DOCTYPE html>\n", "web page"),
            (b"\x89HDF\r\n", "HDF5"),
        ] {
            let error = refuse("t", head).unwrap_err().to_string();
            assert!(error.contains(found), "{error}");
        }
        for head in [&b"a,b\n"[..], b"[a],b\n", b"{x},y\n", b"<5,>6\n1,2\n", b""] {
            assert!(refuse("t", head).is_ok());
        }
    }
}
