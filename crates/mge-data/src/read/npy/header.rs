//! Parses the description of an array, a Python dictionary in plain text.

use super::scalar::Scalar;

/// An invalid description.
#[derive(Debug)]
pub(super) struct HeaderError {
    pub found: String,
    pub expected: &'static str,
}

fn wrong<T>(found: impl Into<String>, expected: &'static str) -> Result<T, HeaderError> {
    Err(HeaderError { found: found.into(), expected })
}

/// Type and shape of an array.
pub(super) struct NpyHeader {
    fields: Vec<Field>,
    /// Bytes of one element, all fields together.
    element: usize,
    shape: Vec<usize>,
    fortran: bool,
}

struct Field {
    name: Option<String>,
    scalar: Scalar,
    offset: usize,
}

impl NpyHeader {
    /// Parses the description at the start of the bytes. Returns the offset of the data too.
    pub fn read(bytes: &[u8]) -> Result<(Self, usize), HeaderError> {
        const CUT: &str = "a description (the file is truncated)";
        let Some(rest) = bytes.strip_prefix(super::MAGIC) else {
            return wrong("other first bytes", "\\x93NUMPY");
        };
        let (length, start): (usize, usize) = match *rest {
            [1, _, a, b, ..] => (usize::from(u16::from_le_bytes([a, b])), 10),
            [2 | 3, _, a, b, c, d, ..] => (u32::from_le_bytes([a, b, c, d]) as usize, 12),
            [1..=3, ..] | [] => return wrong("a truncated file", CUT),
            [version, ..] => return wrong(format!("version {version}"), "version 1, 2 or 3"),
        };
        let Some(text) = bytes.get(start..start.saturating_add(length)) else {
            return wrong("a truncated file", CUT);
        };
        // Up to version 2 the description is Latin-1, whose bytes are the first code points.
        let text = match bytes.get(super::MAGIC.len()) {
            Some(3) => String::from_utf8_lossy(text).into_owned(),
            _ => text.iter().map(|&byte| char::from(byte)).collect(),
        };
        let literal = Literal::parse(&text);
        let Some(Literal::Pairs(pairs)) = literal else {
            return wrong(crate::bad_cell::shorten(&text), "a Python dictionary");
        };
        let get = |key: &str| pairs.iter().find(|(name, _)| name == key).map(|(_, value)| value);
        let fortran = matches!(get("fortran_order"), Some(Literal::Word(word)) if word == "True");
        let shape = shape(get("shape"))?;
        let fields = fields(get("descr"))?;
        let element = fields.last().map_or(0, |field| field.offset + field.scalar.bytes());
        let header = Self { fields, element, shape, fortran };
        header.check()?;
        Ok((header, start + length))
    }

    fn check(&self) -> Result<(), HeaderError> {
        if self.shape.is_empty() {
            return wrong("an array with no axes", "one row or more");
        }
        if self.shape.contains(&0) {
            return wrong(format!("the shape {}, no rows", self.shape_text()), "one row or more");
        }
        let sizes = self.shape.iter().try_fold(self.element as u64, |all, &size| {
            all.checked_mul(size as u64).filter(|&all| all < 1 << 48)
        });
        if sizes.is_none() || self.element == 0 {
            let found = format!("the shape {}", self.shape_text());
            return wrong(found, "sizes that fit into memory");
        }
        if self.fields.len() > 1 && self.shape.len() > 1 {
            return wrong("records in more than one axis", "records in one axis");
        }
        Ok(())
    }

    pub fn rows(&self) -> usize {
        self.shape[0]
    }

    pub fn axes(&self) -> usize {
        self.shape.len()
    }

    pub fn width(&self) -> usize {
        self.fields.len() * self.shape[1..].iter().product::<usize>()
    }

    pub fn bytes(&self) -> u64 {
        self.element as u64 * self.shape.iter().map(|&size| size as u64).product::<u64>()
    }

    pub fn shape_text(&self) -> String {
        let sizes: Vec<String> = self.shape.iter().map(usize::to_string).collect();
        let comma = if sizes.len() == 1 { "," } else { "" };
        format!("({}{comma})", sizes.join(", "))
    }

    /// The type of a column.
    pub fn scalar(&self, column: usize) -> Scalar {
        self.fields[if self.fields.len() > 1 { column } else { 0 }].scalar
    }

    /// The name of a column, if the array gives it one.
    pub fn name(&self, column: usize) -> Option<String> {
        match self.shape[..] {
            [_] => self.fields[column].name.clone(),
            [_, _, width] => Some(format!("pixel_{}_{}", column / width, column % width)),
            _ => None,
        }
    }

    /// Where a cell begins in the data.
    #[inline]
    pub fn offset(&self, row: usize, column: usize) -> usize {
        if self.fields.len() > 1 {
            return row * self.element + self.fields[column].offset;
        }
        if !self.fortran {
            return (row * self.width() + column) * self.element;
        }
        // The first axis moves fastest, while columns count with the last one fastest.
        let mut rest = column;
        let mut index = row;
        let mut stride: usize = self.shape.iter().product();
        for &size in self.shape[1..].iter().rev() {
            stride /= size;
            index += rest % size * stride;
            rest /= size;
        }
        index * self.element
    }
}

fn shape(literal: Option<&Literal>) -> Result<Vec<usize>, HeaderError> {
    let sizes = match literal {
        Some(Literal::Items(items)) => items.iter().map(|item| match item {
            Literal::Word(word) => word.parse().ok(),
            _ => None,
        }),
        _ => return wrong("no shape", "'shape': (ROWS, ...)"),
    };
    sizes.collect::<Option<_>>().map_or_else(|| wrong("an odd shape", "'shape': (ROWS, ...)"), Ok)
}

fn fields(literal: Option<&Literal>) -> Result<Vec<Field>, HeaderError> {
    const NESTED: &str = "a field ('NAME', 'TYPE'), nothing nested";
    let scalar = |text: &str| match Scalar::parse(text) {
        Some(scalar) => Ok(scalar),
        None if text.contains('O') => {
            wrong("pickled Python objects", "numbers or text (save it with astype(float) or str)")
        }
        None => wrong(format!("type `{text}`"), "a number (b, i, u, f) or text (U, S)"),
    };
    match literal {
        Some(Literal::Text(text)) => {
            Ok(vec![Field { name: None, scalar: scalar(text)?, offset: 0 }])
        }
        Some(Literal::Items(items)) if !items.is_empty() => {
            let (mut fields, mut offset) = (Vec::new(), 0);
            for item in items {
                let Literal::Items(parts) = item else {
                    return wrong("an odd field", NESTED);
                };
                let [Literal::Text(name), Literal::Text(kind)] = &parts[..] else {
                    return wrong("a nested field", NESTED);
                };
                // Padding has no name.
                let scalar = match kind.strip_prefix("|V").map(str::parse) {
                    Some(Ok(bytes)) if name.is_empty() => {
                        offset = bytes_after(offset, bytes)?;
                        continue;
                    }
                    _ => scalar(kind)?,
                };
                fields.push(Field { name: Some(name.clone()), scalar, offset });
                offset = bytes_after(offset, scalar.bytes())?;
            }
            if fields.last().is_none_or(|last| last.offset + last.scalar.bytes() != offset) {
                return wrong("records with padding at their end", "records without");
            }
            Ok(fields)
        }
        _ => wrong("no type", "'descr': 'TYPE'"),
    }
}

fn bytes_after(offset: usize, bytes: usize) -> Result<usize, HeaderError> {
    match offset.checked_add(bytes).filter(|&all| all < 1 << 30) {
        Some(offset) => Ok(offset),
        None => wrong("records that are too long", "records below 1 GiB"),
    }
}

/// The Python literals that descriptions use.
enum Literal {
    Text(String),
    Word(String),
    Items(Vec<Literal>),
    Pairs(Vec<(String, Literal)>),
}

impl Literal {
    fn parse(text: &str) -> Option<Self> {
        let mut parser = Parser { text, at: 0 };
        let literal = parser.literal(0)?;
        parser.blanks();
        (parser.at == text.len()).then_some(literal)
    }
}

struct Parser<'a> {
    text: &'a str,
    at: usize,
}

impl Parser<'_> {
    fn blanks(&mut self) {
        let rest = &self.text[self.at..];
        self.at += rest.len() - rest.trim_start().len();
    }

    fn eat(&mut self, wanted: char) -> bool {
        self.blanks();
        let found = self.text[self.at..].starts_with(wanted);
        self.at += if found { wanted.len_utf8() } else { 0 };
        found
    }

    fn literal(&mut self, depth: usize) -> Option<Literal> {
        if depth > 8 {
            return None;
        }
        for quote in ['\'', '"'] {
            if self.eat(quote) {
                let length = self.text[self.at..].find(quote)?;
                let text = self.text[self.at..self.at + length].to_owned();
                self.at += length + 1;
                return Some(Literal::Text(text));
            }
        }
        for (open, close) in [('(', ')'), ('[', ']')] {
            if self.eat(open) {
                let mut items = Vec::new();
                while !self.eat(close) {
                    items.push(self.literal(depth + 1)?);
                    if !self.eat(',') {
                        return self.eat(close).then_some(Literal::Items(items));
                    }
                }
                return Some(Literal::Items(items));
            }
        }
        if self.eat('{') {
            let mut pairs = Vec::new();
            while !self.eat('}') {
                let Literal::Text(key) = self.literal(depth + 1)? else {
                    return None;
                };
                if !self.eat(':') {
                    return None;
                }
                pairs.push((key, self.literal(depth + 1)?));
                if !self.eat(',') {
                    return self.eat('}').then_some(Literal::Pairs(pairs));
                }
            }
            return Some(Literal::Pairs(pairs));
        }
        let rest = &self.text[self.at..];
        let end = rest.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(rest.len());
        self.at += end;
        (end > 0).then(|| Literal::Word(rest[..end].to_owned()))
    }
}
