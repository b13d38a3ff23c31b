//! Left-most derivation: from codons to a sentence (section 2 of the paper, `MapNeuron` in
//! Algorithm 1). This is the hot path; [`Grammar::trace`] is its slow twin.
//!
//! The left-most symbol is always replaced first. A rule with several alternatives reads one codon
//! and takes alternative `codon mod count`. A rule with a single alternative reads none
//! (decision 2). At the end of the gene, reading starts again from its first codon, as often as
//! [`DecodeOptions::wraps`] allows.
//!
//! The loop is generic over the source of choices (`ChoiceSource`): one list of codons here, one
//! list for each symbol in `codon_lists`. Each source gets its own copy of the loop.
//!
//! Invariants:
//! - Nothing allocates once the buffers of a [`Sentence`] have grown.
//! - Every call ends within [`DERIVATION_LIMIT`] characters and symbols, for any grammar and any
//!   codons.

use crate::compile::{CompiledRule, NO_SYMBOL, SEGMENT_BYTES, Segment};
use crate::grammar::{Grammar, Symbol};
use crate::weight_slots::{GeneValues, ValueText, WithValues, WrittenValues};
use std::ops::Range;

/// How many characters and symbols one derivation writes at most. Every step replaces one counted
/// symbol, so it also bounds the steps. Only a runaway grammar or endless wrapping reaches it.
pub const DERIVATION_LIMIT: u32 = 1 << 20;

/// How codons are decoded. The default is the paper's: no wrapping, no neuron references.
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
    /// Codons read, in all passes.
    pub codons_used: usize,
    /// How often reading started again.
    pub wraps_used: u32,
}

/// Why a gene gives no sentence. This is an expected result: it is counted and reported.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum MapFailure {
    /// The gene ended with symbols left.
    #[error("ran out of codons after {used}")]
    OutOfCodons {
        /// Codons read, in all passes.
        used: usize,
        /// The left-most symbol that was not replaced.
        symbol: Symbol,
    },
    /// The derivation exceeds the limit.
    #[error("the derivation needs more than {limit} characters and symbols")]
    TooLong {
        /// Always [`DERIVATION_LIMIT`].
        limit: u32,
    },
}

/// A derived sentence. Its buffers are reused by the next derivation.
#[derive(Debug, Clone, Default)]
pub struct Sentence {
    text: SentenceBuffer,
    choice_counts: Vec<u32>,
    values: WrittenValues,
}

/// The text of a sentence while it is written.
#[derive(Debug, Clone, Default)]
pub(crate) struct SentenceBuffer {
    /// The text, then unused bytes. Only whole strings are written, so the text is UTF-8.
    bytes: Vec<u8>,
    len: usize,
    /// A stack: the next segment of each alternative that is not finished.
    stack: Vec<u32>,
}

impl SentenceBuffer {
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

    /// For each codon that was read, the number of alternatives it chose from. Codons that are equal
    /// modulo these numbers derive the same sentence.
    pub fn choice_counts(&self) -> &[u32] {
        &self.choice_counts
    }

    /// The values that were written, in order, each with its index among the values of the gene.
    pub fn values(&self) -> &[(u16, f32)] {
        &self.values.list
    }

    /// The bytes of each written value in the text, with its sign.
    pub(crate) fn value_spans(&self) -> &[Range<usize>] {
        &self.values.spans
    }
}

impl Grammar {
    /// Derives a sentence from codons, starting from any symbol.
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
        options: &DecodeOptions,
        out: &mut Sentence,
    ) -> Result<Derived, MapFailure> {
        out.choice_counts.clear();
        let mut codons = CodonReader::new(codons, options, &mut out.choice_counts);
        self.derive_by(start, &mut codons, &mut out.text)?;
        let (codons_used, wraps_used) = (codons.used(), codons.wraps);
        Ok(Derived { codons_used, wraps_used })
    }

    /// Derives with real weights: weight slots write the values of the gene.
    ///
    /// # Errors
    /// As [`Grammar::derive`].
    ///
    /// # Panics
    /// When the symbol or the slots are of another grammar with more rules.
    pub fn derive_with_values(
        &self,
        start: Symbol,
        codons: &[u16],
        values: GeneValues<'_>,
        options: &DecodeOptions,
        out: &mut Sentence,
    ) -> Result<Derived, MapFailure> {
        out.choice_counts.clear();
        let codons = CodonReader::new(codons, options, &mut out.choice_counts);
        let mut both = WithValues::new(codons, values, &mut out.values);
        self.derive_by(start, &mut both, &mut out.text)?;
        let (codons_used, wraps_used) = (both.choices.used(), both.choices.wraps);
        Ok(Derived { codons_used, wraps_used })
    }

    /// Derives by any source of choices, which keeps the position that the derivation reached.
    #[inline]
    pub(crate) fn derive_by<C: ChoiceSource>(
        &self,
        start: Symbol,
        choices: &mut C,
        out: &mut SentenceBuffer,
    ) -> Result<(), MapFailure> {
        let SentenceBuffer { bytes, len, stack } = out;
        *len = 0;
        stack.clear();
        let mut cursor = TextCursor { len: 0, spaces: 0 };
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
                reserve(bytes, cost)?;
                Some(chosen.first)
            } else {
                let reference = neuron_reference(choice - rule.count + rule.first_reference);
                cost += reference.len as usize;
                reserve(bytes, cost)?;
                cursor = cursor.append_with_spaces(bytes, &reference);
                stack.pop()
            };
            symbol = loop {
                let Some(index) = next else {
                    *len = cursor.append_pending_spaces(bytes);
                    return Ok(());
                };
                let segment = &self.segments[index as usize];
                cursor = cursor.append(bytes, segment);
                let following = index + 1;
                if segment.symbol == NO_SYMBOL {
                    next = if segment.more { Some(following) } else { stack.pop() };
                    continue;
                }
                if C::READS_VALUES
                    && let Some(value) = choices.value(index)
                {
                    let value = ValueText::new(value);
                    let length = value.as_bytes().len();
                    cost += length;
                    reserve(bytes, cost)?;
                    cursor = cursor.append_text(bytes, value.as_bytes());
                    choices.value_written(cursor.len - length..cursor.len);
                    next = if segment.more { Some(following) } else { stack.pop() };
                    continue;
                }
                if segment.more {
                    stack.push(following);
                }
                break segment.symbol;
            };
        }
    }
}

/// Reserves `cost` bytes and one segment more.
#[inline]
fn reserve(bytes: &mut Vec<u8>, cost: usize) -> Result<(), MapFailure> {
    if cost + SEGMENT_BYTES <= bytes.len() { Ok(()) } else { grow(bytes, cost) }
}

#[cold]
fn grow(bytes: &mut Vec<u8>, cost: usize) -> Result<(), MapFailure> {
    if cost > DERIVATION_LIMIT as usize {
        return Err(MapFailure::TooLong { limit: DERIVATION_LIMIT });
    }
    // The buffer never exceeds the limit, so a cost above the limit always comes here.
    bytes.resize((2 * cost).clamp(256, DERIVATION_LIMIT as usize) + SEGMENT_BYTES, 0);
    Ok(())
}

/// The length of the text so far, and white space that the next character decides about. It is
/// passed by value, so that it stays in registers.
#[derive(Clone, Copy)]
struct TextCursor {
    len: usize,
    spaces: u32,
}

impl TextCursor {
    #[inline]
    fn append(mut self, bytes: &mut [u8], segment: &Segment) -> Self {
        if self.spaces | segment.before | segment.after != 0 {
            return self.append_with_spaces(bytes, segment);
        }
        bytes[self.len..self.len + SEGMENT_BYTES].copy_from_slice(&segment.text);
        self.len += segment.len as usize;
        self
    }

    /// The rare case: white space may lie between two digits, where it is dropped.
    #[cold]
    #[inline(never)]
    fn append_with_spaces(mut self, bytes: &mut [u8], segment: &Segment) -> Self {
        self.spaces += segment.before;
        if segment.len > 0 {
            let last = bytes[..self.len].last();
            if segment.text[0].is_ascii_digit() && last.is_some_and(u8::is_ascii_digit) {
                self.spaces = 0;
            }
            self.len = self.append_pending_spaces(bytes);
            bytes[self.len..self.len + SEGMENT_BYTES].copy_from_slice(&segment.text);
            self.len += segment.len as usize;
            self.spaces = 0;
        }
        self.spaces += segment.after;
        self
    }

    /// Appends a text that is not part of the grammar.
    #[inline(never)]
    fn append_text(mut self, bytes: &mut [u8], text: &[u8]) -> Self {
        for block in text.chunks(SEGMENT_BYTES) {
            let (mut text, len) = ([0; SEGMENT_BYTES], block.len() as u32);
            text[..block.len()].copy_from_slice(block);
            let (symbol, more) = (NO_SYMBOL, false);
            let segment = Segment { text, len, before: 0, after: 0, symbol, more };
            self = self.append_with_spaces(bytes, &segment);
        }
        self
    }

    /// Writes the pending white space. Returns the new length.
    fn append_pending_spaces(self, bytes: &mut [u8]) -> usize {
        let end = self.len + self.spaces as usize;
        bytes[self.len..end].fill(b' ');
        end
    }
}

/// The source of a derivation's choices.
pub(crate) trait ChoiceSource {
    /// Whether weight slots write gene values. It is a constant, so that the loop without values
    /// has no code for them.
    const READS_VALUES: bool = false;
    /// The index of the alternative to take; from `rule.count` on, a neuron reference. `None` when
    /// the codons are used up.
    fn choose(&mut self, symbol: u32, rule: &CompiledRule) -> Option<u32>;
    /// How many codons were read.
    fn used(&self) -> usize;
    /// The value to write for the symbol after a segment, if it is a weight slot.
    #[inline]
    fn value(&mut self, segment: u32) -> Option<f32> {
        let _ = segment;
        None
    }
    /// Receives the bytes of the last value in the text.
    #[inline]
    fn value_written(&mut self, span: Range<usize>) {
        let _ = span;
    }
}

/// A list of codons and how far it is read.
pub(crate) struct CodonReader<'g> {
    gene: &'g [u16],
    options: DecodeOptions,
    choice_counts: &'g mut Vec<u32>,
    next: usize,
    /// Codons read in earlier passes.
    read_before: usize,
    wraps: u32,
}

impl<'g> CodonReader<'g> {
    /// Appends to `choice_counts`, for each codon that is read, the number of alternatives.
    #[inline]
    pub(crate) fn new(
        gene: &'g [u16],
        options: &DecodeOptions,
        choice_counts: &'g mut Vec<u32>,
    ) -> Self {
        Self { gene, options: *options, choice_counts, next: 0, read_before: 0, wraps: 0 }
    }
}

impl ChoiceSource for CodonReader<'_> {
    fn used(&self) -> usize {
        self.read_before + self.next
    }

    // Always inlined: two loops call it, and a call in the hot one costs a fifth of its time.
    #[inline(always)]
    fn choose(&mut self, _: u32, rule: &CompiledRule) -> Option<u32> {
        if rule.input && self.options.references > 0 {
            let count = (rule.count as usize).saturating_add(self.options.references);
            self.choice_counts.push(u32::try_from(count).unwrap_or(u32::MAX));
            return Some((self.read()? as usize % count) as u32);
        }
        if rule.count == 1 {
            return Some(0);
        }
        self.choice_counts.push(rule.count);
        self.read().map(|codon| remainder(codon, rule.count, rule.reciprocal))
    }
}

impl CodonReader<'_> {
    #[inline]
    fn read(&mut self) -> Option<u16> {
        if self.next == self.gene.len() {
            if self.wraps == self.options.wraps || self.gene.is_empty() {
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
/// by `count`. Exact for 32 bits (Lemire, Kaser and Kurz 2019, "Faster remainder by direct
/// computation").
#[inline]
fn remainder(codon: u16, count: u32, reciprocal: u64) -> u32 {
    let fraction = reciprocal.wrapping_mul(u64::from(codon));
    ((u128::from(fraction) * u128::from(count)) >> 64) as u32
}

/// `h1`, `h2`, ...: the name of an earlier neuron (Algorithm 1, line 10). It always fits: a codon is
/// at most 65,535.
fn neuron_reference(mut number: u32) -> Segment {
    let mut text = [0; SEGMENT_BYTES];
    let digits = number.checked_ilog10().unwrap_or(0) as usize + 1;
    text[0] = b'h';
    for digit in text[1..=digits].iter_mut().rev() {
        *digit = b'0' + (number % 10) as u8;
        number /= 10;
    }
    Segment { text, len: 1 + digits as u32, before: 0, after: 0, symbol: NO_SYMBOL, more: false }
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
