//! A declaration line of ARFF, and the quoting that declarations and rows share.

/// What an attribute may hold.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum AttributeType {
    /// `numeric`, `real`, `integer`.
    Number,
    /// One of these.
    Nominal(Vec<String>),
    /// `string`, `date`.
    Text,
}

/// A declared column.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Attribute {
    pub name: String,
    pub kind: AttributeType,
}

/// A quotation mark that is never closed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct OpenQuote;

impl Attribute {
    /// From what stands behind `@attribute`; the error says what was expected.
    pub fn read(text: &str) -> Result<Self, &'static str> {
        const QUOTE: &str = "the quotation mark to be closed";
        let end = match text.chars().next() {
            Some(quote @ ('\'' | '"')) => closing(text, quote).ok_or(QUOTE)?,
            _ => text.find(|c: char| c.is_whitespace() || c == '{').unwrap_or(text.len()),
        };
        let (name, rest) = text.split_at(end);
        let mut plain = String::new();
        split(name, '\0', |cell| plain.push_str(cell)).map_err(|OpenQuote| QUOTE)?;
        if plain.is_empty() {
            return Err("@attribute NAME TYPE");
        }
        let rest = rest.trim();
        if let Some(values) = rest.strip_prefix('{') {
            const END: &str = "a list of values that ends with }";
            let parts = pieces(values, '}').map_err(|OpenQuote| QUOTE)?;
            let [values, behind, ..] = parts[..] else { return Err(END) };
            if !(behind.trim().is_empty() || behind.trim_start().starts_with('%')) {
                return Err(END);
            }
            let mut nominal = Vec::new();
            let listed = split(values, ',', |value| nominal.push(value.to_owned()));
            listed.map_err(|OpenQuote| QUOTE)?;
            return Ok(Self { name: plain, kind: AttributeType::Nominal(nominal) });
        }
        // KEEL writes the range of values behind the type.
        let word = rest.split(|c: char| c.is_whitespace() || c == '[').next().unwrap_or_default();
        let kind = match word.to_ascii_lowercase().as_str() {
            "numeric" | "real" | "integer" => AttributeType::Number,
            "string" | "date" => AttributeType::Text,
            _ => return Err("a type: numeric, real, integer, string, date or {VALUE, ...}"),
        };
        Ok(Self { name: plain, kind })
    }
}

/// The position behind the closing mark of a text that begins with one.
fn closing(text: &str, quote: char) -> Option<usize> {
    let mut escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            c if c == quote => return Some(at + c.len_utf8()),
            _ => {}
        }
    }
    None
}

/// The pieces between delimiters, as they stand; delimiters in quotation marks do not count.
pub(super) fn pieces(text: &str, delimiter: char) -> Result<Vec<&str>, OpenQuote> {
    let (mut pieces, mut start, mut at) = (Vec::new(), 0, 0);
    let mut fresh = true;
    while let Some(c) = text[at..].chars().next() {
        match c {
            '\'' | '"' if fresh => {
                at += closing(&text[at..], c).ok_or(OpenQuote)?;
                fresh = false;
                continue;
            }
            c if c == delimiter => {
                pieces.push(&text[start..at]);
                start = at + c.len_utf8();
                fresh = true;
            }
            // A mark is a quotation mark only at the start of a word. Elsewhere it is text.
            c => fresh = c.is_whitespace() || c == ',',
        }
        at += c.len_utf8();
    }
    pieces.push(&text[start..]);
    Ok(pieces)
}

/// Calls `cell` with each piece, without blanks around it and without its quotation marks.
pub(super) fn split(
    text: &str,
    delimiter: char,
    mut cell: impl FnMut(&str),
) -> Result<(), OpenQuote> {
    if !text.contains(['\'', '"', '\\']) {
        text.split(delimiter).for_each(|piece| cell(piece.trim()));
        return Ok(());
    }
    for piece in pieces(text, delimiter)? {
        let piece = piece.trim();
        let marked = matches!(piece.chars().next(), Some('\'' | '"'));
        let whole = marked && piece.chars().next() == piece.chars().next_back() && piece.len() > 1;
        if whole {
            cell(&unescaped(&piece[1..piece.len() - 1]));
        } else {
            cell(piece);
        }
    }
    Ok(())
}

/// A backslash takes the meaning from a quotation mark; `\n`, `\r` and `\t` are what they are in C.
fn unescaped(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        match c {
            '\\' => match chars.next() {
                Some('n') => plain.push('\n'),
                Some('r') => plain.push('\r'),
                Some('t') => plain.push('\t'),
                Some(other) => plain.push(other),
                None => plain.push('\\'),
            },
            c => plain.push(c),
        }
    }
    plain
}
