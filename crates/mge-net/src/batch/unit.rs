//! The sum of one neuron or one output over the rows of a block. Evaluation spends its time in
//! these loops. The caller provides the columns.

use super::approximate::{ROUND_F32, ROUND_F64};
use super::bound::STEPS;

/// The bits of [`ROUND_F32`], which must be subtracted from those of a rounded value.
const ROUND_BITS: i32 = ROUND_F32.to_bits() as i32;

/// Adds the links to the bias, in order. Four links share a pass, so that the running sum stays in
/// a register. `read` gives the column and the weight of a link.
#[inline(always)]
pub(crate) fn weighted_sum<'a, L>(
    into: &mut [f32],
    bias: Option<f32>,
    links: &[L],
    read: impl Fn(&L) -> (&'a [f32], f32),
) {
    let (first, rest) = links.split_at(links.len().min(4));
    let bias = bias.unwrap_or(0.0);
    match first {
        [] => into.fill(bias),
        [a] => pass(into, |_| bias, [read(a)]),
        [a, b] => pass(into, |_| bias, [read(a), read(b)]),
        [a, b, c] => pass(into, |_| bias, [read(a), read(b), read(c)]),
        [a, b, c, d, ..] => pass(into, |_| bias, [read(a), read(b), read(c), read(d)]),
    }
    let (fours, rest) = rest.as_chunks::<4>();
    for [a, b, c, d] in fours {
        pass(into, |sum| sum, [read(a), read(b), read(c), read(d)]);
    }
    for link in rest {
        pass(into, |sum| sum, [read(link)]);
    }
}

#[inline(always)]
fn pass<const N: usize>(into: &mut [f32], start: impl Fn(f32) -> f32, links: [(&[f32], f32); N]) {
    let rows = into.len();
    let links = links.map(|(column, weight)| (&column[..rows], weight));
    for row in 0..rows {
        let mut sum = start(into[row]);
        for (column, weight) in links {
            sum += weight * column[row];
        }
        into[row] = sum;
    }
}

/// One contribution to an output.
#[derive(Clone, Copy)]
pub(crate) struct Term<'a> {
    pub(crate) values: &'a [f32],
    pub(crate) weight: f32,
    /// Whether `weight * value` is certain to be small enough for rounding in `f32`.
    pub(crate) is_narrow: bool,
}

/// The sum of an output in steps. Each contribution is rounded to an integer, so the order of the
/// terms has no effect. Up to four narrow terms share a pass.
#[inline(always)]
pub(crate) fn add_contributions<'a, T>(
    into: &mut [i32],
    bias: Option<f32>,
    terms: &[T],
    read: impl Fn(&T) -> Term<'a>,
) {
    let bias = steps_of(f64::from(bias.unwrap_or(0.0) * STEPS));
    let (first, rest) = terms.split_at(terms.len().min(4));
    add_few(into, |_| bias, first, &read);
    let (fours, rest) = rest.as_chunks::<4>();
    // Plain loops: `Iterator::for_each` would be compiled for the baseline level.
    for four in fours {
        add_few(into, |sum| sum, four, &read);
    }
    if !rest.is_empty() {
        add_few(into, |sum| sum, rest, &read);
    }
}

/// Adds at most four terms to `start(sum)`.
#[inline(always)]
fn add_few<'a, T>(
    into: &mut [i32],
    start: impl Fn(i32) -> i32,
    terms: &[T],
    read: &impl Fn(&T) -> Term<'a>,
) {
    match terms {
        [] => add_terms(into, start, []),
        [a] => add_terms(into, start, [read(a)]),
        [a, b] => add_terms(into, start, [read(a), read(b)]),
        [a, b, c] => add_terms(into, start, [read(a), read(b), read(c)]),
        [a, b, c, d, ..] => add_terms(into, start, [read(a), read(b), read(c), read(d)]),
    }
}

#[inline(always)]
fn add_terms<const N: usize>(into: &mut [i32], start: impl Fn(i32) -> i32, terms: [Term<'_>; N]) {
    let mut are_narrow = true;
    for term in &terms {
        are_narrow &= term.is_narrow;
    }
    if are_narrow {
        return add_narrow(into, start, terms);
    }
    for sum in &mut *into {
        *sum = start(*sum);
    }
    for term in terms {
        if term.is_narrow {
            add_narrow(into, |sum| sum, [term]);
        } else {
            add_wide(into, term);
        }
    }
}

#[inline(always)]
fn add_wide(into: &mut [i32], term: Term<'_>) {
    let scale = term.weight * STEPS;
    for (sum, &value) in into.iter_mut().zip(term.values) {
        *sum = sum.wrapping_add(steps_of(f64::from(scale * value)));
    }
}

#[inline(always)]
fn add_narrow<const N: usize>(into: &mut [i32], start: impl Fn(i32) -> i32, terms: [Term<'_>; N]) {
    let rows = into.len();
    let terms = terms.map(|term| (&term.values[..rows], term.weight * STEPS));
    for row in 0..rows {
        let mut sum = start(into[row]);
        for (values, scale) in terms {
            let steps = (scale * values[row] + ROUND_F32).to_bits() as i32;
            sum = sum.wrapping_add(steps.wrapping_sub(ROUND_BITS));
        }
        into[row] = sum;
    }
}

/// Rounds to the nearest integer, ties to even. The result must fit 32 bits.
#[inline(always)]
fn steps_of(value: f64) -> i32 {
    (value + ROUND_F64).to_bits() as i32
}
