//! Left-most derivation: from codons to a sentence (section 2 of the paper, `MapNeuron` in
//! Algorithm 1). This is the hot path; [`Grammar::trace`] is its slow twin.
//!
//! The left-most symbol is always replaced first. A rule with several alternatives reads one codon
//! and takes alternative `codon mod count`; a rule with one alternative reads none. At the end of
//! the gene reading starts again from its first codon, as often as [`DecodeOptions::wraps`] allows.
//!
//! Where choices come from is a type of its own (`Choices`): one list of codons here, one list for
//! each symbol in `lists`. Each gets its own copy of the loop, so none pays for the
//! other.
//!
//! Invariants: nothing allocates once the buffers of a [`Sentence`] have grown; every call ends
//! within [`LIMIT`] characters and symbols, whatever the grammar and the codons are.

use crate::compile::{BLOCK, CompiledRule, NO_SYMBOL, Stretch};
use crate::grammar::{Grammar, Symbol};
use crate::weight_slots::{GeneValues, ReadValues, ValueText, WithValues};
use std::ops::Range;

/// The most characters and symbols, counted together as the grammar writes them, of one derivation.
/// Every step replaces one counted symbol, so it also bounds the steps. Only a runaway grammar or
/// endless wrapping comes near it.
pub const LIMIT: u32 = 1 << 20;

/// How a gene is read. The default is the paper's: no wrapping, no neuron references.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct DecodeOptions {
    /// How often reading may start again at the first codon. Default 0.
    pub wraps: u32,
    /// How many neuron references h1..hk are appended to every rule of
    /// [`Grammar::input_symbols`]. Default 0, as in single-layer variants.
    pub references: usize,
}

/// A finished derivation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Derived {
    /// Codons read, those of every pass counted.
    pub codons_used: usize,
    /// How often reading started again.
    pub wraps_used: u32,
}

/// Why a gene gives no sentence. A value, not a mishap: it is counted and reported.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum MapFailure {
    /// The gene ended with symbols left.
    #[error("ran out of codons after {used}")]
    OutOfCodons {
        /// Codons read, those of every pass counted.
        used: usize,
        /// The left-most symbol that is still there.
        symbol: Symbol,
    },
    /// The derivation would not stay within the limit.
    #[error("the derivation needs more than {limit} characters and symbols")]
    TooLong {
        /// Always [`LIMIT`].
        limit: u32,
    },
}

/// A derived sentence and the memory to derive the next one without allocating.
#[derive(Debug, Clone, Default)]
pub struct Sentence {
    text: Text,
    options: Vec<u32>,
    values: ReadValues,
}

/// The text of a sentence while it is written.
#[derive(Debug, Clone, Default)]
pub(crate) struct Text {
    /// The text, then room without meaning. Only whole strings are written, so the text is UTF-8.
    bytes: Vec<u8>,
    len: usize,
    /// The next stretches of the alternatives that are still open, outermost first.
    open: Vec<u32>,
}

impl Text {
    /// The text of the last derivation; empty after a failure.
    pub(crate) fn as_str(&self) -> &str {
        std::str::from_utf8(&self.bytes[..self.len]).unwrap_or_default()
    }
}

impl Sentence {
    /// The sentence of the last derivation; empty after a failure.
    pub fn text(&self) -> &str {
        self.text.as_str()
    }

    /// For each codon that was read, among how many alternatives it chose: codons that are equal
    /// modulo these derive the same sentence.
    pub fn options(&self) -> &[u32] {
        &self.options
    }

    /// The values that were written, in order, each with its number among those of the gene.
    pub fn values(&self) -> &[(u16, f32)] {
        &self.values.read
    }

    /// Of each of them: the bytes of the text where it stands, with its sign.
    pub(crate) fn value_spans(&self) -> &[Range<usize>] {
        &self.values.spans
    }
}

impl Grammar {
    /// Maps codons to a sentence, from any symbol.
    ///
    /// # Errors
    /// [`MapFailure`] when the codons do not suffice or the sentence grows without bound.
    ///
    /// # Panics
    /// When the symbol is of another grammar with more rules.
    pub fn derive(
        &self,
        start: Symbol,
        codons: &[u16],
        reading: &DecodeOptions,
        out: &mut Sentence,
    ) -> Result<Derived, MapFailure> {
        out.options.clear();
        let mut codons = Codons::new(codons, reading, &mut out.options);
        self.derive_by(start, &mut codons, &mut out.text)?;
        let (codons_used, wraps_used) = (codons.used(), codons.wraps);
        Ok(Derived { codons_used, wraps_used })
    }

    /// The same with real weights: marked places write the values of the gene.
    ///
    /// # Errors
    /// As [`Grammar::derive`].
    ///
    /// # Panics
    /// When the symbol or the marks are of another grammar with more rules.
    pub fn derive_with_values(
        &self,
        start: Symbol,
        (codons, values): (&[u16], GeneValues<'_>),
        reading: &DecodeOptions,
        out: &mut Sentence,
    ) -> Result<Derived, MapFailure> {
        out.options.clear();
        let codons = Codons::new(codons, reading, &mut out.options);
        let mut both = WithValues::new(codons, values, &mut out.values);
        self.derive_by(start, &mut both, &mut out.text)?;
        let (codons_used, wraps_used) = (both.choices.used(), both.choices.wraps);
        Ok(Derived { codons_used, wraps_used })
    }

    /// The same by any source of choices, which is left where the derivation ended.
    #[inline]
    pub(crate) fn derive_by<C: Choices>(
        &self,
        start: Symbol,
        choices: &mut C,
        out: &mut Text,
    ) -> Result<(), MapFailure> {
        let Text { bytes, len, open } = out;
        *len = 0;
        open.clear();
        let mut written = Written { len: 0, spaces: 0 };
        let mut cost = 1; // The start is the first symbol.
        let mut symbol = start.0;
        loop {
            let rule = &self.rules[symbol as usize];
            let Some(choice) = choices.choose(symbol, rule) else {
                let (used, symbol) = (choices.used(), Symbol(symbol));
                return Err(MapFailure::OutOfCodons { used, symbol });
            };
            let mut next = if choice < rule.count {
                let chosen = &self.alternatives[(rule.first + choice) as usize];
                cost += chosen.cost as usize;
                make_room(bytes, cost)?;
                Some(chosen.first)
            } else {
                let reference = neuron_reference(choice - rule.count + rule.first_reference);
                cost += reference.len as usize;
                make_room(bytes, cost)?;
                written = written.with_spaces(bytes, &reference);
                open.pop()
            };
            symbol = loop {
                let Some(place) = next else {
                    *len = written.with_last_spaces(bytes);
                    return Ok(());
                };
                let stretch = &self.stretches[place as usize];
                written = written.with(bytes, stretch);
                let behind = place + 1;
                if stretch.symbol == NO_SYMBOL {
                    next = if stretch.more { Some(behind) } else { open.pop() };
                    continue;
                }
                if C::READS_VALUES
                    && let Some(value) = choices.value(place)
                {
                    let value = ValueText::new(value);
                    let length = value.as_bytes().len();
                    cost += length;
                    make_room(bytes, cost)?;
                    written = written.with_text(bytes, value.as_bytes());
                    choices.wrote(written.len - length..written.len);
                    next = if stretch.more { Some(behind) } else { open.pop() };
                    continue;
                }
                if stretch.more {
                    open.push(behind);
                }
                break stretch.symbol;
            };
        }
    }
}

/// Makes room for everything that is paid for and one block behind it.
#[inline]
fn make_room(bytes: &mut Vec<u8>, cost: usize) -> Result<(), MapFailure> {
    if cost + BLOCK <= bytes.len() { Ok(()) } else { grow(bytes, cost) }
}

#[cold]
fn grow(bytes: &mut Vec<u8>, cost: usize) -> Result<(), MapFailure> {
    if cost > LIMIT as usize {
        return Err(MapFailure::TooLong { limit: LIMIT });
    }
    // Never more than the limit, which therefore is noticed.
    bytes.resize((2 * cost).clamp(256, LIMIT as usize) + BLOCK, 0);
    Ok(())
}

/// How far the text is written, and white space that waits for the character behind it. A value
/// instead of a place in memory, so that it stays in registers.
#[derive(Clone, Copy)]
struct Written {
    len: usize,
    spaces: u32,
}

impl Written {
    /// The text with a stretch behind it.
    #[inline]
    fn with(mut self, bytes: &mut [u8], stretch: &Stretch) -> Self {
        if self.spaces | stretch.before | stretch.after != 0 {
            return self.with_spaces(bytes, stretch);
        }
        bytes[self.len..self.len + BLOCK].copy_from_slice(&stretch.text);
        self.len += stretch.len as usize;
        self
    }

    /// The rare case: digits may meet across white space.
    #[cold]
    #[inline(never)]
    fn with_spaces(mut self, bytes: &mut [u8], stretch: &Stretch) -> Self {
        self.spaces += stretch.before;
        if stretch.len > 0 {
            let last = bytes[..self.len].last();
            if stretch.text[0].is_ascii_digit() && last.is_some_and(u8::is_ascii_digit) {
                self.spaces = 0;
            }
            self.len = self.with_last_spaces(bytes);
            bytes[self.len..self.len + BLOCK].copy_from_slice(&stretch.text);
            self.len += stretch.len as usize;
            self.spaces = 0;
        }
        self.spaces += stretch.after;
        self
    }

    /// The text with another one behind it that no rule has.
    #[inline(never)]
    fn with_text(mut self, bytes: &mut [u8], text: &[u8]) -> Self {
        for block in text.chunks(BLOCK) {
            let (mut text, len) = ([0; BLOCK], block.len() as u32);
            text[..block.len()].copy_from_slice(block);
            let (symbol, more) = (NO_SYMBOL, false);
            let stretch = Stretch { text, len, before: 0, after: 0, symbol, more };
            self = self.with_spaces(bytes, &stretch);
        }
        self
    }

    /// Writes the white space that waits. Returns the length with it.
    fn with_last_spaces(self, bytes: &mut [u8]) -> usize {
        let end = self.len + self.spaces as usize;
        bytes[self.len..end].fill(b' ');
        end
    }
}

/// Where a derivation takes its choices from.
pub(crate) trait Choices {
    /// Whether marked places are filled with values. A constant, so that a loop without values has
    /// no trace of them.
    const READS_VALUES: bool = false;
    /// The number of the alternative to take; from `rule.count` on it is a neuron reference.
    /// `None`: there is nothing left to choose by.
    fn choose(&mut self, symbol: u32, rule: &CompiledRule) -> Option<u32>;
    /// Codons that were read.
    fn used(&self) -> usize;
    /// The value to write for the symbol behind a stretch, if it is marked.
    #[inline]
    fn value(&mut self, stretch: u32) -> Option<f32> {
        let _ = stretch;
        None
    }
    /// Hears where in the text the last value was written.
    #[inline]
    fn wrote(&mut self, span: Range<usize>) {
        let _ = span;
    }
}

/// A list of codons and how far it is read.
pub(crate) struct Codons<'g> {
    gene: &'g [u16],
    reading: DecodeOptions,
    options: &'g mut Vec<u32>,
    next: usize,
    /// Codons read in earlier passes.
    read_before: usize,
    wraps: u32,
}

impl<'g> Codons<'g> {
    /// Notes in `options`, for each codon that is read, among how many alternatives it chose.
    #[inline]
    pub(crate) fn new(gene: &'g [u16], reading: &DecodeOptions, options: &'g mut Vec<u32>) -> Self {
        Self { gene, reading: *reading, options, next: 0, read_before: 0, wraps: 0 }
    }
}

impl Choices for Codons<'_> {
    fn used(&self) -> usize {
        self.read_before + self.next
    }

    // Called from two loops, and a call in the hot one costs a fifth of its time.
    #[inline(always)]
    fn choose(&mut self, _: u32, rule: &CompiledRule) -> Option<u32> {
        if rule.input && self.reading.references > 0 {
            let count = (rule.count as usize).saturating_add(self.reading.references);
            self.options.push(u32::try_from(count).unwrap_or(u32::MAX));
            return Some((self.read()? as usize % count) as u32);
        }
        if rule.count == 1 {
            return Some(0);
        }
        self.options.push(rule.count);
        self.read().map(|codon| remainder(codon, rule.count, rule.reciprocal))
    }
}

impl Codons<'_> {
    #[inline]
    fn read(&mut self) -> Option<u16> {
        if self.next == self.gene.len() {
            if self.wraps == self.reading.wraps || self.gene.is_empty() {
                return None;
            }
            self.read_before += self.next;
            self.wraps += 1;
            self.next = 0;
        }
        let codon = self.gene[self.next];
        self.next += 1;
        Some(codon)
    }
}

/// `codon mod count` without a division: multiply by the reciprocal, keep the fraction, multiply
/// back. Exact for 32 bits (Lemire, Kaser and Kurz 2019, "Faster remainder by direct computation").
#[inline]
fn remainder(codon: u16, count: u32, reciprocal: u64) -> u32 {
    let fraction = reciprocal.wrapping_mul(u64::from(codon));
    ((u128::from(fraction) * u128::from(count)) >> 64) as u32
}

/// `h1`, `h2`, ...: the name of an earlier neuron (Algorithm 1, line 10). A codon reaches 65,535,
/// so it always fits.
fn neuron_reference(mut number: u32) -> Stretch {
    let mut text = [0; BLOCK];
    let digits = number.checked_ilog10().unwrap_or(0) as usize + 1;
    text[0] = b'h';
    for digit in text[1..=digits].iter_mut().rev() {
        *digit = b'0' + (number % 10) as u8;
        number /= 10;
    }
    Stretch { text, len: 1 + digits as u32, before: 0, after: 0, symbol: NO_SYMBOL, more: false }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn remainder_is_exact_for_every_codon() {
        let counts = (1..300).chain([784, 785, 1000, 4095, 4096, 32767, 32768, 32769, 65534]);
        for count in counts.chain([65535, 65536, 65537, 1_000_000]) {
            let reciprocal = crate::compile::reciprocal(count);
            for codon in (0..=u16::MAX).filter(|_| count > 1) {
                let expected = u32::from(codon) % count;
                assert_eq!(remainder(codon, count, reciprocal), expected, "{codon} mod {count}");
            }
        }
    }
}
