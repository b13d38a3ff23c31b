//! The integer exports on the host: the bits of the integer program, and how often they agree
//! with the floats.

use std::fmt::Write;

use mge_export::{ExportOptions, Exported, IntegerProgram, Layout, Number, Rows, Target, export};

use crate::cases::{CASES, Case};
use crate::floats::build_crate;
use crate::tools::{cc, run};

/// Exports integers of a case, whatever they cost: what they cost is the test's question.
pub fn integers(case: &Case, target: Target, number: Number, layout: Layout) -> Exported {
    let options = ExportOptions { number, layout, max_loss: 1.0, ..ExportOptions::new(target) };
    let rows = Rows { train: &case.numbers, validation: &case.numbers, labels: &case.labels };
    export(&case.classifier(), &options, Some(&rows)).unwrap()
}

/// `class score score ...` of each row.
fn expected(case: &Case, integer: &IntegerProgram) -> Vec<Vec<i64>> {
    let answer = |row: Vec<f32>| {
        let scores = integer.scores(&integer.quantize(&row));
        [vec![IntegerProgram::class(&scores) as i64], scores].concat()
    };
    case.rows().into_iter().map(answer).collect()
}

fn check(case: &Case, what: &str, said: &str, integer: &IntegerProgram) {
    let found: Vec<Vec<i64>> = said
        .lines()
        .map(|line| line.split_whitespace().map(|word| word.parse().unwrap()).collect())
        .collect();
    let expected = expected(case, integer);
    assert_eq!(found.len(), expected.len(), "{} {what}", case.name);
    for (row, (found, expected)) in found.iter().zip(&expected).enumerate() {
        assert_eq!(found, expected, "{} {what}, row {row}", case.name);
    }
}

fn rows_text(case: &Case) -> String {
    let mut text = String::new();
    for row in case.rows() {
        row.iter().for_each(|x| write!(text, "{x:e} ").unwrap());
        text.push('\n');
    }
    text
}

const DRIVER: &str = r#"
#include <stdint.h>
#include <stdio.h>
static int32_t scores[OUTPUTS];
#define ON_SCORE(output, score) (scores[output] = (score))
#include "source.c"
int main(void) {
    float numbers[INPUTS];
    VALUE x[INPUTS];
    unsigned read = 0;
    while (scanf("%f", &numbers[read]) == 1) {
        if (++read < INPUTS) continue;
        read = 0;
        QUANTIZE(numbers, x);
        printf("%u", (unsigned)PREDICT(x));
        for (int i = 0; i < OUTPUTS; ++i) printf(" %ld", (long)scores[i]);
        printf("\n");
    }
    return 0;
}
"#;

#[test]
fn c_computes_the_same_bits_in_both_layouts() {
    for case in CASES.iter() {
        for number in [Number::Int8, Number::Int16] {
            for layout in [Layout::Table, Layout::Code] {
                let folder = tempfile::tempdir().unwrap();
                let exported = integers(case, Target::C, number, layout);
                exported.write(folder.path()).unwrap();
                let name = &exported.program.name;
                let upper = name.to_ascii_uppercase();
                let driver = DRIVER
                    .replace("OUTPUTS", &exported.program.outputs.len().to_string())
                    .replace("INPUTS", &exported.program.inputs.len().to_string())
                    .replace("VALUE", &format!("{name}_value"))
                    .replace("QUANTIZE", &format!("{name}_quantize"))
                    .replace("PREDICT", &format!("{name}_predict"))
                    .replace("ON_SCORE", &format!("{upper}_ON_SCORE"))
                    .replace("source.c", &format!("{name}.c"));
                std::fs::write(folder.path().join("driver.c"), driver).unwrap();
                let define = format!("-D{upper}_WITH_FLOAT");
                cc(
                    folder.path(),
                    &[
                        "-fsanitize=undefined",
                        "-fno-sanitize-recover",
                        &define,
                        "-o",
                        "driver",
                        "driver.c",
                    ],
                );
                let said = run(folder.path().join("driver"), &[], folder.path(), &rows_text(case));
                check(
                    case,
                    &format!("c {number} {layout}"),
                    &said,
                    exported.integer.as_ref().unwrap(),
                );
                cc(folder.path(), &["-o", "golden_test", "test.c"]);
                run(folder.path().join("golden_test"), &[], folder.path(), "");
            }
        }
    }
}

#[test]
fn rust_computes_the_same_bits() {
    for (index, case) in CASES.iter().enumerate() {
        let number = if index % 2 == 0 { Number::Int8 } else { Number::Int16 };
        let layout = if index % 4 < 2 { Layout::Table } else { Layout::Code };
        let folder = tempfile::tempdir().unwrap();
        let exported = integers(case, Target::Rust, number, layout);
        exported.write(folder.path()).unwrap();
        build_crate(folder.path(), &exported.program.name);
        let said = run(folder.path().join("classify"), &[], folder.path(), &rows_text(case));
        // The label stands between class and scores.
        let said: String = said
            .lines()
            .map(|line| {
                let mut words: Vec<&str> = line.split(' ').collect();
                words.remove(1);
                words.join(" ") + "\n"
            })
            .collect();
        check(case, &format!("rust {number} {layout}"), &said, exported.integer.as_ref().unwrap());
        run(folder.path().join("golden"), &[], folder.path(), "");
    }
}

#[test]
fn integers_agree_with_the_floats() {
    let mut low = Vec::new();
    for case in CASES.iter() {
        for number in [Number::Int8, Number::Int16] {
            let exported = integers(case, Target::C, number, Layout::Table);
            let cost = exported.cost.unwrap();
            let integer = exported.integer.unwrap();
            println!(
                "{:<20} {number:<6} {:.4} before, {:.4} after, {:.2} % agree, sums of {} and {} bits",
                case.name,
                cost.before,
                cost.after,
                100.0 * cost.agreement,
                integer.sum_bits,
                integer.score_bits
            );
            if cost.agreement < 0.99 {
                low.push(format!("{} {number}: {cost:?}", case.name));
            }
        }
    }
    assert!(low.is_empty(), "{low:#?}");
}
