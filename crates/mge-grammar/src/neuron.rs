//! Reading a neuron from a sentence (sections "Mapping Genes to Neurons" and "Assemble Neurons").
//!
//! Any grammar may be used as long as its sentences read as
//!
//! ```text
//! neuron     = connection { connection } "*" activation "(" sum ")"
//! connection = [ "(" ] output ":" number [ ")" ]
//! output     = "output" index | index                  counted from 1
//! sum        = term { ("+" | "-") term }
//! term       = factor { "*" factor }                   at most one factor names a source
//! factor     = number | "x" index | "h" index          a feature, or an earlier neuron
//! ```
//!
//! White space and commas may stand anywhere between these, signs may follow each other
//! (`+ -0.25*x3`), and terms without a source add up to the bias.

use mge_net::{Activation, Link, Source};
use thiserror::Error;

/// A neuron as its sentence says it: where it leads and what it computes. A source or an output
/// that is named twice appears once here, with the sum of the weights.
#[derive(Debug, Clone, PartialEq)]
pub struct NeuronSentence {
    /// Output neurons, counted from 0, with the weights of the connections.
    pub outputs: Vec<(u32, f32)>,
    /// The transfer function.
    pub activation: Activation,
    /// The sum of the terms without a source, if there is any.
    pub bias: Option<f32>,
    /// Features and earlier neurons, counted from 0, with their weights.
    pub links: Vec<Link>,
}

/// How many of each a sentence may name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Scope {
    /// Features `x1..`.
    pub features: usize,
    /// Output neurons.
    pub outputs: usize,
    /// Earlier neurons `h1..`.
    pub references: usize,
}

/// A sentence that is not a neuron.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("column {}: expected {expected}, found {}", .at + 1, Found(.found))]
pub struct ReadError {
    /// The place in the sentence, counted from 0.
    pub at: usize,
    /// What would have been right there.
    pub expected: Expected,
    /// The character there, or `None` at the end.
    pub found: Option<char>,
}

struct Found<'a>(&'a Option<char>);

impl std::fmt::Display for Found<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.0 {
            Some(character) => write!(f, "`{character}`"),
            None => f.write_str("the end of the sentence"),
        }
    }
}

/// What a neuron sentence needs at some place.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[allow(missing_docs, reason = "the messages say it")]
pub enum Expected {
    #[error("an output connection such as (output1:+0.5)")]
    Connection,
    #[error("an output neuron that exists")]
    Output,
    #[error("`:` and a weight")]
    Colon,
    #[error("`)`")]
    ClosingBracket,
    #[error("`(`")]
    OpeningBracket,
    #[error("`*` and an activation")]
    Star,
    #[error("an activation: sig, tanh, tanh25, relu, sin, gauss or identity")]
    Activation,
    #[error("a number, a feature (x1, x2, ..) or an earlier neuron (h1, h2, ..)")]
    Factor,
    #[error("a feature that exists")]
    Feature,
    #[error("an earlier neuron")]
    Reference,
    #[error("at most one feature or neuron in a term")]
    OneSource,
    #[error("a finite number")]
    Number,
    #[error("the end of the sentence")]
    End,
    #[error("`+` or the end of the sentence")]
    PlusOrEnd,
    #[error("`&`, `|` or `->`")]
    NeuronOrArrow,
}

/// Reads a neuron.
///
/// # Errors
/// When the sentence is not of the form above or names something out of scope.
pub fn read_neuron(sentence: &str, scope: Scope) -> Result<NeuronSentence, ReadError> {
    let mut reader = Reader::new(sentence, scope);
    let outputs = reader.connections()?;
    let activation = reader.activation()?;
    let (bias, links) = reader.sum()?;
    reader.skip_blanks();
    match reader.peek() {
        None => Ok(NeuronSentence { outputs, activation, bias, links }),
        Some(_) => Err(reader.error(Expected::End)),
    }
}

/// Reads a sentence piece by piece, from the left.
pub(crate) struct Reader<'a> {
    text: &'a str,
    at: usize,
    pub(crate) scope: Scope,
}

/// The bias of a sum, if there is any, and its links.
pub(crate) type Sum = (Option<f32>, Vec<Link>);

impl<'a> Reader<'a> {
    pub(crate) fn new(text: &'a str, scope: Scope) -> Self {
        Self { text, at: 0, scope }
    }

    pub(crate) fn at_end(&mut self) -> bool {
        self.skip_blanks();
        self.peek().is_none()
    }

    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    pub(crate) fn error(&self, expected: Expected) -> ReadError {
        let found = self.text.get(self.at..).and_then(|rest| rest.chars().next());
        ReadError { at: self.at, expected, found }
    }

    fn skip_blanks(&mut self) {
        while self.peek().is_some_and(|byte| byte.is_ascii_whitespace() || byte == b',') {
            self.at += 1;
        }
    }

    /// Takes one byte if it comes next.
    pub(crate) fn take(&mut self, byte: u8) -> bool {
        self.skip_blanks();
        let there = self.peek() == Some(byte);
        self.at += usize::from(there);
        there
    }

    fn need(&mut self, byte: u8, expected: Expected) -> Result<(), ReadError> {
        if self.take(byte) { Ok(()) } else { Err(self.error(expected)) }
    }

    fn take_while(&mut self, accept: impl Fn(u8) -> bool) -> &'a str {
        let start = self.at;
        while self.peek().is_some_and(&accept) {
            self.at += 1;
        }
        &self.text[start..self.at]
    }

    /// An index counted from 1 and at most `count`; the result counts from 0.
    fn index(&mut self, count: usize, expected: Expected) -> Result<u32, ReadError> {
        let start = self.at;
        let digits = self.take_while(|byte| byte.is_ascii_digit());
        match digits.parse::<u32>() {
            Ok(index) if index >= 1 && index as usize <= count => Ok(index - 1),
            _ => {
                self.at = start;
                Err(self.error(expected))
            }
        }
    }

    /// Any number of signs; true when they make a minus.
    fn signs(&mut self) -> bool {
        let mut negative = false;
        loop {
            self.skip_blanks();
            match self.peek() {
                Some(b'+') => {}
                Some(b'-') => negative = !negative,
                _ => return negative,
            }
            self.at += 1;
        }
    }

    /// A number without sign: digits with a point, perhaps an exponent.
    fn number(&mut self) -> Result<f64, ReadError> {
        match self.short_number() {
            Some(value) => Ok(value),
            None => self.any_number(),
        }
    }

    /// A number of at most 15 digits and no exponent. Both sides of its division are exact, so
    /// it is rounded once, to what the standard parser gives, for a fraction of the time.
    fn short_number(&mut self) -> Option<f64> {
        const POWERS: [f64; 16] =
            [1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15];
        let bytes = self.text.as_bytes();
        let (mut digits, mut decimals, mut whole, mut point) = (0, 0, 0u64, false);
        let mut end = self.at;
        while let Some(&byte) = bytes.get(end) {
            match byte {
                b'0'..=b'9' => {
                    whole = whole * 10 + u64::from(byte - b'0');
                    digits += 1;
                    decimals += usize::from(point);
                    if digits > 15 {
                        return None;
                    }
                }
                b'.' if !point => point = true,
                b'.' | b'e' | b'E' => return None,
                _ => break,
            }
            end += 1;
        }
        if digits == 0 {
            return None;
        }
        self.at = end;
        Some(whole as f64 / POWERS[decimals])
    }

    fn any_number(&mut self) -> Result<f64, ReadError> {
        let start = self.at;
        self.take_while(|byte| byte.is_ascii_digit() || byte == b'.');
        if self.at > start && self.peek().is_some_and(|byte| byte | 0x20 == b'e') {
            self.at += 1;
            if self.peek().is_some_and(|byte| byte == b'+' || byte == b'-') {
                self.at += 1;
            }
            self.take_while(|byte| byte.is_ascii_digit());
        }
        let parsed = self.text[start..self.at].parse::<f64>();
        // Weights are kept as f32, so a number beyond its range is refused here.
        match parsed {
            Ok(value) if (value as f32).is_finite() => Ok(value),
            _ => {
                self.at = start;
                Err(self.error(Expected::Number))
            }
        }
    }

    fn signed_number(&mut self) -> Result<f64, ReadError> {
        let negative = self.signs();
        let value = self.number()?;
        Ok(if negative { -value } else { value })
    }

    fn connections(&mut self) -> Result<Vec<(u32, f32)>, ReadError> {
        let mut outputs: Vec<(u32, f64)> = Vec::with_capacity(1);
        loop {
            let (output, weight) = self.connection()?;
            add(&mut outputs, output, weight);
            if self.take(b'*') {
                return Ok(outputs.into_iter().map(|(to, sum)| (to, sum as f32)).collect());
            }
            if self.peek().is_none() {
                return Err(self.error(Expected::Star));
            }
        }
    }

    fn connection(&mut self) -> Result<(u32, f64), ReadError> {
        let bracket = self.take(b'(');
        self.skip_blanks();
        let start = self.at;
        let word = self.take_while(|byte| byte.is_ascii_alphabetic());
        let named = word == "output" || word.is_empty();
        if !named || !self.peek().is_some_and(|byte| byte.is_ascii_digit()) {
            self.at = start;
            return Err(self.error(Expected::Connection));
        }
        let output = self.index(self.scope.outputs, Expected::Output)?;
        self.need(b':', Expected::Colon)?;
        let weight = self.signed_number()?;
        if bracket {
            self.need(b')', Expected::ClosingBracket)?;
        }
        Ok((output, weight))
    }

    pub(crate) fn activation(&mut self) -> Result<Activation, ReadError> {
        self.skip_blanks();
        let start = self.at;
        let word = self.take_while(|byte| byte.is_ascii_alphanumeric());
        match word.parse() {
            Ok(activation) => Ok(activation),
            Err(_) => {
                self.at = start;
                Err(self.error(Expected::Activation))
            }
        }
    }

    pub(crate) fn sum(&mut self) -> Result<Sum, ReadError> {
        self.need(b'(', Expected::OpeningBracket)?;
        self.terms(|reader| reader.take(b')'), Expected::ClosingBracket, Self::no_factor)
    }

    /// Terms up to an end. `other` reads a factor that is neither a number nor a name.
    pub(crate) fn terms(
        &mut self,
        mut ends: impl FnMut(&mut Self) -> bool,
        end: Expected,
        mut other: impl FnMut(&mut Self) -> Result<Source, ReadError>,
    ) -> Result<Sum, ReadError> {
        let mut bias: Option<f64> = None;
        let mut links: Vec<(Source, f64)> = Vec::with_capacity(4);
        loop {
            match self.term(&mut other)? {
                (None, value) => bias = Some(bias.unwrap_or(0.0) + value),
                (Some(source), value) => add(&mut links, source, value),
            }
            if ends(self) {
                let link = |(source, sum)| Link { source, weight: sum as f32 };
                let links = links.into_iter().map(link).collect();
                return Ok((bias.map(|sum| sum as f32), links));
            }
            if !matches!(self.peek(), Some(b'+' | b'-')) {
                return Err(self.error(end));
            }
        }
    }

    fn no_factor(&mut self) -> Result<Source, ReadError> {
        Err(self.error(Expected::Factor))
    }

    fn term(
        &mut self,
        other: &mut impl FnMut(&mut Self) -> Result<Source, ReadError>,
    ) -> Result<(Option<Source>, f64), ReadError> {
        let (mut source, mut value) = (None, 1.0);
        loop {
            if self.signs() {
                value = -value;
            }
            match self.peek() {
                Some(b'0'..=b'9' | b'.') => value *= self.number()?,
                Some(_) if source.is_some() => return Err(self.error(Expected::OneSource)),
                Some(b'x') => source = Some(Source::Input(self.feature()?)),
                Some(b'h') => source = Some(Source::Neuron(self.reference()?)),
                _ => source = Some(other(self)?),
            }
            if !self.take(b'*') {
                return Ok((source, value));
            }
        }
    }

    fn feature(&mut self) -> Result<u32, ReadError> {
        self.at += 1;
        self.index(self.scope.features, Expected::Feature)
    }

    fn reference(&mut self) -> Result<u32, ReadError> {
        self.at += 1;
        self.index(self.scope.references, Expected::Reference)
    }
}

/// What is named twice adds up, in full precision before it is rounded to a weight.
fn add<K: PartialEq>(sums: &mut Vec<(K, f64)>, key: K, value: f64) {
    match sums.iter_mut().find(|(known, _)| *known == key) {
        Some((_, sum)) => *sum += value,
        None => sums.push((key, value)),
    }
}
