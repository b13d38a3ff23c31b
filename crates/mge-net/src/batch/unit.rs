//! One neuron and one output over the rows of a block: the loops in which evaluation spends its
//! time. Whoever calls them says where the columns are.

use super::approximate::{
    ROUND_F32, ROUND_F64, gauss, reciprocal, relu, sigmoid_divisor, sin, tanh_divisor, tanh_of,
    tanh25_divisor,
};
use super::bound::STEPS;
use crate::activation::Activation;

/// Bits of [`ROUND_F32`]: what a rounded value has too much.
const ROUND_BITS: i32 = ROUND_F32.to_bits() as i32;

/// The bias, then the links in order, four to a pass so that the running sum stays in a register.
/// `read` tells the column and the weight of a link.
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

/// Applies an activation to all rows. A long chain of operations is cut into two loops: processors look
/// ahead by some dozens of operations, and the shorter the chain of one row, the more rows they
/// find there to work on at once.
#[inline(always)]
pub(crate) fn activate(values: &mut [f32], activation: Activation) {
    match activation {
        Activation::Sigmoid => {
            apply(values, sigmoid_divisor);
            apply(values, reciprocal);
        }
        Activation::Tanh => {
            apply(values, tanh_divisor);
            apply(values, tanh_of);
        }
        Activation::Tanh25 => {
            apply(values, tanh25_divisor);
            apply(values, tanh_of);
        }
        Activation::Relu => apply(values, relu),
        Activation::Sin => apply(values, sin),
        Activation::Gauss => apply(values, gauss),
        Activation::Identity => {}
    }
}

#[inline(always)]
fn apply(values: &mut [f32], function: impl Fn(f32) -> f32) {
    for value in values {
        *value = function(*value);
    }
}

/// One contribution to an output.
#[derive(Clone, Copy)]
pub(crate) struct Term<'a> {
    pub(crate) values: &'a [f32],
    pub(crate) weight: f32,
    /// Whether `weight * value` is known to be small enough to be rounded in `f32`.
    pub(crate) is_narrow: bool,
}

/// The output's sum in steps: each contribution is rounded to a whole number of them. Up to four
/// narrow ones to a pass; the order of whole numbers does not matter.
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
    // Plain loops: an iterator's own `for_each` would keep the baseline's instructions.
    for four in fours {
        add_few(into, |sum| sum, four, &read);
    }
    if !rest.is_empty() {
        add_few(into, |sum| sum, rest, &read);
    }
}

/// Four terms at most. `start` makes the sum that they are added to from the one that is there.
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

/// Rounds to the nearest whole number, ties to even, for any size that fits 32 bits.
#[inline(always)]
fn steps_of(value: f64) -> i32 {
    (value + ROUND_F64).to_bits() as i32
}
