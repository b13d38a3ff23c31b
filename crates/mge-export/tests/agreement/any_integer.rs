//! Whatever integers an exported function is given, no sum wraps, and the sums are those of the
//! float network for the numbers that the integers stand for, within the stated error.

use mge_export::{C, Exported, IntegerProgram, Layout, Number, Program};
use mge_random::{Purpose, Stream};

use crate::cases::{Case, integer_cases};
use crate::integers::integers;

/// Rows of random integers for each case.
const ROWS: usize = 400;

/// Rows of integers that the type of the inputs can hold: any, the ends, and those of the range.
pub fn any_rows(exported: &Exported, count: usize, seed: u64) -> Vec<Vec<u32>> {
    let integer = exported.integer.as_ref().unwrap();
    let max = if integer.format.is_16_bit() { 0xFFFFu32 } else { 0xFF };
    let mut stream = Stream::at(seed, Purpose::Initialisation, 3, 3);
    let mut cell = |top: u32, kind: usize| match (kind, stream.index(4)) {
        (0, 0) => 0,
        (0, 1) => max,
        (0, 2) => (top + 1).min(max),
        (1, _) => stream.index(top as usize + 1) as u32,
        _ => stream.index(max as usize + 1) as u32,
    };
    let mut row =
        |row: usize| integer.inputs.iter().map(|input| cell(input.top, row % 3)).collect();
    (0..count).map(&mut row).collect()
}

/// The sums of the floats for the numbers that integers stand for, clamped as the integers are.
fn float_sums(exported: &Exported, row: &[u32]) -> Vec<f64> {
    let integer = exported.integer.as_ref().unwrap();
    let numbers: Vec<f32> =
        integer.inputs.iter().zip(row).map(|(input, &q)| input.number(q) as f32).collect();
    exported.program.evaluate(&numbers).1
}

/// How much the sum of the winner is above the next one.
fn margin(sums: &[f64]) -> f64 {
    match sums {
        [sum] => sum.abs(),
        _ => {
            let mut sums = sums.to_vec();
            sums.sort_by(f64::total_cmp);
            sums[sums.len() - 1] - sums[sums.len() - 2]
        }
    }
}

fn check(case: &Case, number: Number) -> (usize, usize, usize) {
    let exported = integers(case, &C, number, Layout::Table);
    let integer = exported.integer.as_ref().unwrap();
    assert!(integer.never_wraps(), "{} {number}", case.name);
    let (mut decided, mut same, mut all) = (0, 0, 0);
    for row in any_rows(&exported, ROWS, 7) {
        let (scores, sums) = (integer.scores(&row), float_sums(&exported, &row));
        for (score, sum) in scores.iter().zip(&sums) {
            let off = (*score as f64 * integer.score_step - sum).abs();
            let limit = integer.score_error * (1.0 + 1e-6) + 1e-5 * (1.0 + sum.abs());
            assert!(off <= limit, "{} {number}: {off} above {limit} for {row:?}", case.name);
        }
        let agrees = IntegerProgram::class(&scores) == Program::class(&sums);
        // One sum is compared with zero, several with each other.
        let sides = if sums.len() == 1 { 1.0 } else { 2.0 };
        if margin(&sums) > sides * integer.score_error * (1.0 + 1e-6) + 1e-4 {
            decided += 1;
            assert!(agrees, "{} {number}: {scores:?} {sums:?} for {row:?}", case.name);
        }
        all += 1;
        same += usize::from(agrees);
    }
    println!(
        "{:<20} {number:<6} error {:.4}, {decided} of {all} rows decided by it, {same} agree",
        case.name, integer.score_error
    );
    (decided, same, all)
}

#[test]
fn any_integers_give_the_class_of_the_floats_within_the_stated_error() {
    for number in [Number::Int8, Number::Int16] {
        let (mut decided, mut same, mut all) = (0, 0, 0);
        for case in integer_cases() {
            let found = check(case, number);
            (decided, same, all) = (decided + found.0, same + found.1, all + found.2);
        }
        println!("{number}: {decided} of {all} decided, {same} agree");
        let (min_decided, min_same) = match number {
            Number::Int8 => (0.3, 0.97),
            _ => (0.5, 0.97),
        };
        assert!(decided as f64 >= min_decided * all as f64, "the bound decides too few rows");
        assert!(same as f64 >= min_same * all as f64, "{number}: {same} of {all}");
    }
}
