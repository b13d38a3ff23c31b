//! Detects the delimiter of a text table, and the lines above it.
//!
//! The first 64 KiB decide. A line `sep=;` names the delimiter. Otherwise it is tab, semicolon, bar
//! or comma, whichever splits the most rows into as many cells as the first row. If none splits the
//! rows, blanks do. Lines above the table that begin with `#` are comments, unless more rows agree
//! with them included. `first_row` classifies the first row.

mod first_row;

use std::io::Cursor;

use super::{BLANKS, CsvRows};
use crate::cell_text::{self, Cell};
use crate::options::LoadOptions;
use crate::read::Input;
pub(super) use first_row::FirstRow;

/// The number of rows in the sample.
const SAMPLE_ROWS: usize = 200;

/// The dialect of a text table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Dialect {
    /// The byte between cells; [`BLANKS`] for any number of blanks.
    pub delimiter: u8,
    /// The number of lines above the table: `sep=;` and comments.
    pub preamble: usize,
    /// How many of them are comments.
    pub comments: usize,
    /// What the first row is.
    pub first_row: FirstRow,
    /// Whether the first row begins with the mark of comments, not quoted: `# a,b` is how NumPy
    /// writes names.
    pub is_marked: bool,
    /// Whether some cell of the sample has a decimal comma.
    pub decimal_comma: bool,
}

type Sample = Vec<Vec<String>>;

impl Dialect {
    /// The dialect of a file that begins with `head`.
    pub fn find(head: &[u8], name: &str, options: &LoadOptions) -> Self {
        let head = head.strip_prefix(b"\xef\xbb\xbf").unwrap_or(head);
        let declared = declared_delimiter(head);
        let first = usize::from(declared.is_some());
        let is_comment = |line: &&[u8]| line.starts_with(b"#");
        let marked = lines(head).skip(first).take_while(is_comment).count();
        // A marked line is a comment, unless it is the header: then all rows are equally long.
        let mut best: Option<(f64, usize, u8, Sample)> = None;
        let mut candidates = vec![marked, marked.saturating_sub(1), 0];
        candidates.dedup();
        for comments in candidates {
            let table = from_line(head, first + comments);
            let (delimiter, rows) = match declared {
                Some(delimiter) => (delimiter, sample(table, delimiter)),
                None => find_delimiter(table, name, options),
            };
            let fraction = if rows.is_empty() { -1.0 } else { agreement(&rows) };
            let is_better = |best: f64| fraction > best || fraction == best && fraction > 0.0;
            if best.as_ref().is_none_or(|(best, ..)| is_better(*best)) {
                best = Some((fraction, comments, delimiter, rows));
            }
        }
        let (_, comments, delimiter, rows) = best.expect("at least one candidate");
        let comma = |text: &String| {
            text.contains(',') && matches!(cell_text::read(text, true), Cell::Number(_))
        };
        Self {
            delimiter,
            preamble: first + comments,
            comments,
            is_marked: from_line(head, first + comments).starts_with(b"#"),
            first_row: FirstRow::find(&rows, delimiter == b';', options),
            decimal_comma: delimiter == b';' && rows.iter().flatten().any(comma),
        }
    }
}

fn lines(head: &[u8]) -> impl Iterator<Item = &[u8]> {
    head.split(|&byte| byte == b'\n')
}

/// The bytes after this many lines.
fn from_line(head: &[u8], line: usize) -> &[u8] {
    let skipped: usize = lines(head).take(line).map(|line| line.len() + 1).sum();
    head.get(skipped..).unwrap_or_default()
}

/// The delimiter of a first line `sep=;`, which spreadsheets write.
fn declared_delimiter(head: &[u8]) -> Option<u8> {
    let line = lines(head).next()?;
    let line = line.strip_suffix(b"\r").unwrap_or(line);
    let line = line.strip_prefix(b"\"").and_then(|l| l.strip_suffix(b"\"")).unwrap_or(line);
    match line {
        [b's' | b'S', b'e' | b'E', b'p' | b'P', b'=', delimiter] if delimiter.is_ascii() => {
            Some(*delimiter)
        }
        _ => None,
    }
}

fn find_delimiter(head: &[u8], name: &str, options: &LoadOptions) -> (u8, Sample) {
    let mut best: Option<(f64, u8, Sample)> = None;
    for delimiter in *b"\t;|," {
        let rows = sample(head, delimiter);
        let fraction = agreement(&rows);
        let by_name = delimiter == b'\t' && (name.ends_with(".tsv") || name.ends_with(".tab"));
        let fraction = if by_name && fraction > 0.0 { 1.0 } else { fraction };
        // A delimiter that reveals a known column name beats all others.
        let known = rows.first().is_some_and(|first| {
            first_row::known_names(options).any(|name| first.iter().any(|cell| cell == name))
        });
        let fraction = if fraction > 0.0 && known { fraction + 1.0 } else { fraction };
        if fraction > 0.0 && best.as_ref().is_none_or(|(best, ..)| fraction > *best) {
            best = Some((fraction, delimiter, rows));
        }
    }
    match best {
        // Columns aligned with blanks may contain a tab.
        Some((_, b'\t', rows)) if memchr::memmem::find(head, b"  ").is_some() => {
            let aligned = sample(head, BLANKS);
            let is_even = aligned.len() > 1 && agreement(&aligned) == 1.0;
            if is_even && aligned[0].len() > rows[0].len() {
                (BLANKS, aligned)
            } else {
                (b'\t', rows)
            }
        }
        Some((_, delimiter, rows)) => (delimiter, rows),
        None => match sample(head, BLANKS) {
            rows if rows.len() > 1 && agreement(&rows) == 1.0 => (BLANKS, rows),
            _ => (b',', sample(head, b',')),
        },
    }
}

fn sample(head: &[u8], delimiter: u8) -> Sample {
    let is_complete = head.len() < 1 << 16;
    let mut sample = Vec::new();
    let Ok(input) = Input::new(String::new(), Cursor::new(head.to_vec())) else {
        return sample;
    };
    let mut rows = CsvRows::new(input, delimiter);
    while sample.len() < SAMPLE_ROWS && rows.next().is_ok_and(|more| more) {
        sample.push((0..rows.len()).map(|index| rows.cell(index).to_owned()).collect());
    }
    // The last row of a longer file may be incomplete.
    if !is_complete && sample.len() > 1 && sample.len() < SAMPLE_ROWS {
        sample.pop();
    }
    sample
}

/// The fraction of rows with as many cells as the first; 0 if the delimiter splits nothing.
fn agreement(rows: &Sample) -> f64 {
    let Some(width) = rows.first().map(Vec::len).filter(|&width| width > 1) else {
        return 0.0;
    };
    rows.iter().filter(|row| row.len() == width).count() as f64 / rows.len() as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn find(text: &str) -> (char, bool, bool) {
        let found = Dialect::find(text.as_bytes(), "t", &LoadOptions::default());
        (char::from(found.delimiter), found.first_row == FirstRow::Names, found.decimal_comma)
    }

    #[test]
    fn delimiters_are_detected() {
        assert_eq!(find("a,b\n1,2\n"), (',', true, false));
        assert_eq!(find("a\tb\n1\t2,5\n"), ('\t', true, false));
        assert_eq!(find("a;b\n1,5;2,5\n"), (';', true, true));
        assert_eq!(find("1,5;2,5;x\n2,5;3,5;y\n"), (';', false, true));
        assert_eq!(find("a|b\n1|2\n"), ('|', true, false));
        assert_eq!(find("a,b\n\"1;2\",x\n\"3;4\",y\n"), (',', true, false));
        assert_eq!(find("a b\n1  2\n 3 4\n"), (' ', true, false));
        assert_eq!(find("only\n1\n2\n"), (',', true, false));
        assert_eq!(find("1   8\t\"a b\"\n22  4\t\"c\"\n"), (' ', false, false));
        assert_eq!(find("a\tb\nx  y\tz\nu\tv\n"), ('\t', true, false));
    }

    #[test]
    fn lines_above_the_table() {
        let above = |text: &str| {
            let found = Dialect::find(text.as_bytes(), "t", &LoadOptions::default());
            (char::from(found.delimiter), found.preamble, found.comments)
        };
        assert_eq!(above("sep=;\na;b,c\n1;2\n"), (';', 1, 0));
        assert_eq!(above("\u{feff}\"SEP=|\"\r\na|b\r\n1|2\r\n"), ('|', 1, 0));
        assert_eq!(above("# made, today\n# by hand\na,b,c\n1,2,3\n"), (',', 2, 2));
        assert_eq!(above("# made\n# a,b\n1,2\n"), (',', 1, 1), "names behind the mark");
        assert_eq!(above("#,name\n1,x\n2,y\n"), (',', 0, 0), "a column called #");
        assert_eq!(above("a,b\n#1,2\n"), (',', 0, 0));
        assert_eq!(above("# nothing else\n").2, 0);
        assert_eq!(above("#x,\"a\nb\"\n1,2\n3,4\n"), (',', 0, 0), "a name on two lines");
        assert_eq!(above("# one column\nx\n1\n2\n"), (',', 1, 1));
    }
}
