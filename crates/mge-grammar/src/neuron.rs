//! Reads a neuron from a sentence (sections "Mapping Genes to Neurons" and "Assemble Neurons").
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
use std::ops::Range;
use thiserror::Error;

/// A neuron as its sentence describes it. A source or an output that is named twice appears once,
/// with the sum of the weights (decision 13).
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

/// The features, outputs and neurons that a sentence may name.
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
#[error("column {}: expected {expected}, found {}", .at + 1, FoundCharacter(.found))]
pub struct ReadError {
    /// The byte in the sentence, from 0.
    pub at: usize,
    /// What was expected there.
    pub expected: Expected,
    /// The character there, or `None` at the end.
    pub found: Option<char>,
}

struct FoundCharacter<'a>(&'a Option<char>);

impl std::fmt::Display for FoundCharacter<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.0 {
            Some(character) => write!(f, "`{character}`"),
            None => f.write_str("the end of the sentence"),
        }
    }
}

/// What a sentence needs at some position.
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
    #[error("an activation: {}", Activation::names())]
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
/// When the sentence is not of the form in the module documentation, or names something out of
/// scope.
pub fn read_neuron(sentence: &str, scope: Scope) -> Result<NeuronSentence, ReadError> {
    let Amounts { outputs, activation, sum } = read_amounts::<f64>(sentence, scope)?;
    let outputs = outputs.into_iter().map(|(to, amount)| (to, amount as f32)).collect();
    let (bias, links) = rounded(sum);
    Ok(NeuronSentence { outputs, activation, bias, links })
}

/// A neuron before its amounts are rounded to weights.
pub(crate) struct Amounts<A> {
    pub(crate) outputs: Vec<(u32, A)>,
    pub(crate) activation: Activation,
    pub(crate) sum: Sum<A>,
}

/// Reads a neuron with any kind of amounts.
pub(crate) fn read_amounts<A: Amount>(
    sentence: &str,
    scope: Scope,
) -> Result<Amounts<A>, ReadError> {
    let mut reader = Reader::new(sentence, scope);
    let outputs = reader.connections()?;
    let activation = reader.activation()?;
    let sum = reader.sum()?;
    reader.skip_blanks();
    match reader.peek() {
        None => Ok(Amounts { outputs, activation, sum }),
        Some(_) => Err(reader.error(Expected::End)),
    }
}

/// The numbers that a sentence adds and multiplies: plain ones, or dual numbers with derivatives
/// ([`dual_number`](crate::dual_number)).
pub(crate) trait Amount {
    /// A number without sign at these bytes of the sentence.
    fn number(value: f64, at: Range<usize>) -> Self;
    /// A number that is not in the sentence.
    fn constant(value: f64) -> Self;
    fn negate(&mut self);
    fn multiply(&mut self, factor: Self);
    fn add(&mut self, term: Self);
}

impl Amount for f64 {
    #[inline]
    fn number(value: f64, _: Range<usize>) -> Self {
        value
    }

    #[inline]
    fn constant(value: f64) -> Self {
        value
    }

    #[inline]
    fn negate(&mut self) {
        *self = -*self;
    }

    #[inline]
    fn multiply(&mut self, factor: Self) {
        *self *= factor;
    }

    #[inline]
    fn add(&mut self, term: Self) {
        *self += term;
    }
}

/// Reads a sentence piece by piece, from the left.
pub(crate) struct Reader<'a> {
    text: &'a str,
    at: usize,
    pub(crate) scope: Scope,
}

/// The bias of a sum, if there is any, and its links.
pub(crate) type Sum<A> = (Option<A>, Vec<(Source, A)>);

/// A sum with its amounts rounded to weights.
pub(crate) fn rounded((bias, links): Sum<f64>) -> (Option<f32>, Vec<Link>) {
    let link = |(source, amount)| Link { source, weight: amount as f32 };
    (bias.map(|amount| amount as f32), links.into_iter().map(link).collect())
}

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

    /// Reads an index from 1 to `count`. The result counts from 0.
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

    /// Reads any number of signs. Returns whether they make a minus.
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

    /// Reads a number without sign: digits with a point, perhaps an exponent.
    fn number<A: Amount>(&mut self) -> Result<A, ReadError> {
        let start = self.at;
        let value = match self.short_number() {
            Some(value) => value,
            None => self.any_number()?,
        };
        Ok(A::number(value, start..self.at))
    }

    /// Reads a number of at most 15 digits without exponent. Both operands of the division are
    /// exact, so the result is rounded once, as by the standard parser, and much faster.
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
        // Weights are f32, so a number beyond that range is refused.
        match parsed {
            Ok(value) if (value as f32).is_finite() => Ok(value),
            _ => {
                self.at = start;
                Err(self.error(Expected::Number))
            }
        }
    }

    fn signed_number<A: Amount>(&mut self) -> Result<A, ReadError> {
        let negative = self.signs();
        let mut amount: A = self.number()?;
        if negative {
            amount.negate();
        }
        Ok(amount)
    }

    fn connections<A: Amount>(&mut self) -> Result<Vec<(u32, A)>, ReadError> {
        let mut outputs: Vec<(u32, A)> = Vec::with_capacity(1);
        loop {
            let (output, weight) = self.connection()?;
            add(&mut outputs, output, weight);
            if self.take(b'*') {
                return Ok(outputs);
            }
            if self.peek().is_none() {
                return Err(self.error(Expected::Star));
            }
        }
    }

    fn connection<A: Amount>(&mut self) -> Result<(u32, A), ReadError> {
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
        Activation::from_name(word).ok_or_else(|| {
            self.at = start;
            self.error(Expected::Activation)
        })
    }

    pub(crate) fn sum<A: Amount>(&mut self) -> Result<Sum<A>, ReadError> {
        self.need(b'(', Expected::OpeningBracket)?;
        self.terms(|reader| reader.take(b')'), Expected::ClosingBracket, Self::no_factor)
    }

    /// Reads terms up to an end. `other` reads a factor that is neither a number nor a name.
    pub(crate) fn terms<A: Amount>(
        &mut self,
        mut ends: impl FnMut(&mut Self) -> bool,
        end: Expected,
        mut other: impl FnMut(&mut Self) -> Result<Source, ReadError>,
    ) -> Result<Sum<A>, ReadError> {
        let mut bias: Option<A> = None;
        let mut links: Vec<(Source, A)> = Vec::with_capacity(4);
        loop {
            match self.term(&mut other)? {
                (None, amount) => bias.get_or_insert_with(|| A::constant(0.0)).add(amount),
                (Some(source), amount) => add(&mut links, source, amount),
            }
            if ends(self) {
                return Ok((bias, links));
            }
            if !matches!(self.peek(), Some(b'+' | b'-')) {
                return Err(self.error(end));
            }
        }
    }

    fn no_factor(&mut self) -> Result<Source, ReadError> {
        Err(self.error(Expected::Factor))
    }

    fn term<A: Amount>(
        &mut self,
        other: &mut impl FnMut(&mut Self) -> Result<Source, ReadError>,
    ) -> Result<(Option<Source>, A), ReadError> {
        let (mut source, mut amount) = (None, A::constant(1.0));
        loop {
            if self.signs() {
                amount.negate();
            }
            match self.peek() {
                Some(b'0'..=b'9' | b'.') => amount.multiply(self.number()?),
                Some(_) if source.is_some() => return Err(self.error(Expected::OneSource)),
                Some(b'x') => source = Some(Source::Input(self.feature()?)),
                Some(b'h') => source = Some(Source::Neuron(self.reference()?)),
                _ => source = Some(other(self)?),
            }
            if !self.take(b'*') {
                return Ok((source, amount));
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

/// Adds an amount to that of an equal key, in full precision, before it is rounded to a weight.
fn add<K: PartialEq, A: Amount>(sums: &mut Vec<(K, A)>, key: K, amount: A) {
    match sums.iter_mut().find(|(known, _)| *known == key) {
        Some((_, sum)) => sum.add(amount),
        None => sums.push((key, amount)),
    }
}
