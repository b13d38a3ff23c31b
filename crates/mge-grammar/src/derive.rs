//! Left-most derivation: from codons to a sentence (section 2 of the paper, `MapNeuron` in
//! Algorithm 1). This is the hot path; [`Grammar::trace`] is its slow twin.
//!
//! The left-most symbol is always replaced first. A rule with several alternatives reads one codon
//! and takes alternative `codon mod count`; a rule with one alternative reads none. At the end of
//! the gene reading starts again from its first codon, as often as [`Reading::wraps`] allows.
//!
//! Invariants: nothing allocates once the buffers of a [`Sentence`] have grown; every call ends
//! within [`LIMIT`] characters and symbols, whatever the grammar and the codons are.

use crate::grammar::{CompiledPiece, CompiledRule, Grammar, Symbol};

/// The most characters and symbols, counted together as the grammar writes them, of one derivation.
/// Every step replaces one counted symbol, so it also bounds the steps. Only a runaway grammar or
/// endless wrapping comes near it.
pub const LIMIT: u32 = 1 << 20;

/// How a gene is read. The default is the paper's: no wrapping, no neuron references.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Reading {
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
    text: String,
    /// What is left of the alternatives that are open, outermost first: (next piece, end).
    open: Vec<(u32, u32)>,
}

impl Sentence {
    /// The sentence of the last successful derivation. After a failure: what there was of it.
    pub fn text(&self) -> &str {
        &self.text
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
        reading: &Reading,
        out: &mut Sentence,
    ) -> Result<Derived, MapFailure> {
        let Sentence { text, open } = out;
        text.clear();
        open.clear();
<<<<<<< HEAD
        let mut codons = Codons { gene: codons, next: 0, read_before: 0, wraps: 0 };
        let mut budget = LIMIT;
=======
        let mut codons = Codons {
            gene: codons,
            next: 0,
            read_before: 0,
            wraps: 0,
        };
        let mut budget = LIMIT - 1; // The start is the first symbol.
>>>>>>> bnf
        let mut spaces = 0;
        let mut symbol = start.0;
        let (mut piece, mut end) = (0, 0);
        loop {
            let rule = &self.rules[symbol as usize];
            let Some(choice) = codons.choose(rule, reading) else {
                let (used, symbol) = (codons.used(), Symbol(symbol));
                return Err(MapFailure::OutOfCodons { used, symbol });
            };
            if choice < rule.count {
                let chosen = &self.alternatives[(rule.first + choice) as usize];
                budget = budget.checked_sub(chosen.cost).ok_or(TOO_LONG)?;
                if piece < end {
                    open.push((piece, end));
                }
                (piece, end) = (chosen.from, chosen.to);
            } else {
                let reference = NeuronReference::new(choice - rule.count + 1);
                budget = budget.checked_sub(reference.cost()).ok_or(TOO_LONG)?;
                write_spaces(text, std::mem::take(&mut spaces));
                reference.write(text);
            }
            symbol = loop {
                if piece == end {
                    match open.pop() {
                        Some(rest) => (piece, end) = rest,
                        None => {
                            write_spaces(text, spaces);
                            let (codons_used, wraps_used) = (codons.used(), codons.wraps);
                            return Ok(Derived { codons_used, wraps_used });
                        }
                    }
                }
                let next = self.pieces[piece as usize];
                piece += 1;
                match next {
                    CompiledPiece::Symbol(number) => break number,
                    CompiledPiece::Text { from, to } => {
                        let terminal = &self.texts[from as usize..to as usize];
                        if spaces > 0 && !part_digits(text, terminal) {
                            write_spaces(text, spaces);
                        }
                        spaces = 0;
                        text.push_str(terminal);
                    }
                    CompiledPiece::Space(more) => spaces += more,
                }
            };
        }
    }
}

const TOO_LONG: MapFailure = MapFailure::TooLong { limit: LIMIT };

/// The gene and how far it is read.
struct Codons<'g> {
    gene: &'g [u16],
    next: usize,
    /// Codons read in earlier passes.
    read_before: usize,
    wraps: u32,
}

impl Codons<'_> {
    fn used(&self) -> usize {
        self.read_before + self.next
    }

    /// The number of the alternative to take; from `rule.count` on it is a neuron reference.
    /// `None`: out of codons.
    #[inline]
    fn choose(&mut self, rule: &CompiledRule, reading: &Reading) -> Option<u32> {
        if rule.input && reading.references > 0 {
            let options = (rule.count as usize).saturating_add(reading.references);
            return Some((self.read(reading.wraps)? as usize % options) as u32);
        }
        if rule.count == 1 {
            return Some(0);
        }
        Some(remainder(self.read(reading.wraps)?, rule.count, rule.reciprocal))
    }

    #[inline]
    fn read(&mut self, allowed_wraps: u32) -> Option<u16> {
        if self.next == self.gene.len() {
            if self.wraps == allowed_wraps || self.gene.is_empty() {
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
/// back. Exact for 16 bits (Lemire, Kaser and Kurz 2019, "Faster remainder by direct computation").
#[inline]
fn remainder(codon: u16, count: u32, reciprocal: u32) -> u32 {
    if count > u32::from(u16::MAX) {
        return u32::from(codon);
    }
    let fraction = reciprocal.wrapping_mul(u32::from(codon));
    ((u64::from(fraction) * u64::from(count)) >> 32) as u32
}

/// Whether white space between these two would part two digits.
fn part_digits(before: &str, after: &str) -> bool {
    let digit = |byte: Option<&u8>| byte.is_some_and(u8::is_ascii_digit);
    digit(before.as_bytes().last()) && digit(after.as_bytes().first())
}

fn write_spaces(text: &mut String, spaces: u32) {
    text.extend(std::iter::repeat_n(' ', spaces as usize));
}

/// `h1`, `h2`, ...: the name of an earlier neuron (Algorithm 1, line 10).
struct NeuronReference {
    /// Last digit first. A codon reaches 65,535, so five digits suffice.
    digits: [u8; 5],
    len: usize,
}

impl NeuronReference {
    fn new(mut number: u32) -> Self {
        let mut reference = Self { digits: [b'0'; 5], len: 0 };
        while number > 0 {
            reference.digits[reference.len] = b'0' + (number % 10) as u8;
            reference.len += 1;
            number /= 10;
        }
        reference
    }

    /// Its characters.
    fn cost(&self) -> u32 {
        1 + self.len as u32
    }

    fn write(&self, text: &mut String) {
        text.push('h');
        text.extend(self.digits[..self.len].iter().rev().map(|digit| char::from(*digit)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn remainder_is_exact_for_every_codon() {
        let counts = (1..300).chain([784, 785, 1000, 4095, 4096, 32767, 32768, 32769, 65534]);
        for count in counts.chain([65535, 65536, 65537, 1_000_000]) {
            let reciprocal = (u32::MAX / count).wrapping_add(1);
            for codon in (0..=u16::MAX).filter(|_| count > 1) {
                let expected = u32::from(codon) % count;
                assert_eq!(remainder(codon, count, reciprocal), expected, "{codon} mod {count}");
            }
        }
    }
}
