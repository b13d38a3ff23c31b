//! The integer exports on the host compute the bits of the integer program, and agree with the
//! floats on nearly all rows.

use mge_data::{LoadOptions, Preprocess, PreprocessOptions, load};
use mge_export::{
    C, ExportOptions, Exported, Exporter, IntegerProgram, Layout, Number, QuantizationRows, Rust,
    TrainedClassifier, export,
};
use mge_net::{Activation, Link, Network, Neuron, Output, Source};

use crate::cases::{Case, integer_cases, ranges};
use crate::floats::build_crate;
use crate::tools::{cc, run};

/// Exports a case, whatever accuracy integers lose: the tests measure that.
pub fn integers(case: &Case, exporter: &dyn Exporter, number: Number, layout: Layout) -> Exported {
    let options =
        ExportOptions { number, layout, max_accuracy_drop: 1.0, ..ExportOptions::default() };
    let rows = QuantizationRows {
        ranges: &ranges(&case.numbers),
        sample: &case.numbers,
        validation: &case.numbers,
        labels: &case.labels,
    };
    export(&case.classifier(), exporter, &options, Some(&rows)).unwrap()
}

/// `class score score ...` of each row.
fn expected(case: &Case, exported: &Exported) -> Vec<Vec<i64>> {
    let integer = exported.integer.as_ref().unwrap();
    let answer = |row: Vec<f32>| {
        let scores = integer.scores(&integer.quantize(&row));
        [vec![IntegerProgram::class(&scores) as i64], scores].concat()
    };
    case.rows_for(&exported.program).into_iter().map(answer).collect()
}

fn check(case: &Case, what: &str, printed: &str, exported: &Exported) {
    let found: Vec<Vec<i64>> = printed
        .lines()
        .map(|line| line.split_whitespace().map(|word| word.parse().unwrap()).collect())
        .collect();
    let expected = expected(case, exported);
    assert_eq!(found.len(), expected.len(), "{} {what}", case.name);
    for (row, (found, expected)) in found.iter().zip(&expected).enumerate() {
        assert_eq!(found, expected, "{} {what}, row {row}", case.name);
    }
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
    for case in integer_cases() {
        for number in [Number::Int8, Number::Int16] {
            for layout in [Layout::Table, Layout::Code] {
                let folder = tempfile::tempdir().unwrap();
                let exported = integers(case, &C, number, layout);
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
                let printed = run(
                    folder.path().join("driver"),
                    &[],
                    folder.path(),
                    &case.rows_text(&exported.program),
                );
                check(case, &format!("c {number} {layout}"), &printed, &exported);
                cc(folder.path(), &["-o", "golden_test", "test.c"]);
                run(folder.path().join("golden_test"), &[], folder.path(), "");
            }
        }
    }
}

#[test]
fn rust_computes_the_same_bits() {
    for (index, case) in integer_cases().enumerate() {
        let number = if index % 2 == 0 { Number::Int8 } else { Number::Int16 };
        let layout = if index % 4 < 2 { Layout::Table } else { Layout::Code };
        let folder = tempfile::tempdir().unwrap();
        let exported = integers(case, &Rust, number, layout);
        exported.write(folder.path()).unwrap();
        build_crate(folder.path(), &exported.program.name);
        let printed = run(
            folder.path().join("classify"),
            &[],
            folder.path(),
            &case.rows_text(&exported.program),
        );
        // The label is between class and scores.
        let printed: String = printed
            .lines()
            .map(|line| {
                let mut words: Vec<&str> = line.split(' ').collect();
                words.remove(1);
                words.join(" ") + "\n"
            })
            .collect();
        check(case, &format!("rust {number} {layout}"), &printed, &exported);
        run(folder.path().join("golden"), &[], folder.path(), "");
    }
}

/// The fraction of wine's rows on which integers agree with a network when only `train` rows choose
/// the scales.
fn agreement(neurons: Vec<Neuron>, outputs: Vec<Output>, number: Number, train: usize) -> f64 {
    let wine = load("wine", &LoadOptions::default()).unwrap();
    let task = wine.class_target().unwrap();
    let rows: Vec<u32> = (0..wine.table.rows() as u32).collect();
    let options = PreprocessOptions::default();
    let preprocess = Preprocess::fit(&wine.table, task.column(), &rows, &options).unwrap();
    let network = Network::new(preprocess.features().len(), neurons, outputs).unwrap();
    let (preprocess, network, classes) = (&preprocess, &network, task.classes());
    let classifier = TrainedClassifier { name: "wine", network, preprocess, classes };
    // Rows are sorted by class, so rows in equal steps have all of them.
    let step = rows.len().div_ceil(train);
    let some: Vec<u32> = rows.iter().copied().step_by(step).collect();
    let numbers =
        |rows: &[u32]| preprocess.unscaled().apply(&wine.table, Some(rows)).unwrap().columns;
    let (train, validation) = (numbers(&some), numbers(&rows));
    let rows = QuantizationRows {
        ranges: &ranges(&train),
        sample: &train,
        validation: &validation,
        labels: task.labels(),
    };
    let options = ExportOptions { number, max_accuracy_drop: 1.0, ..ExportOptions::default() };
    let exported = export(&classifier, &C, &options, Some(&rows)).unwrap();
    exported.quantization.unwrap().agreement
}

fn link(source: Source, weight: f32) -> Link {
    Link { source, weight }
}

#[test]
fn neurons_too_steep_for_integers_become_steps() {
    // Grammars with free exponents make weights of any size.
    for steep in [1e2, 1e4, 1e6, 1e12] {
        let neuron = |index: u32| Neuron {
            activation: Activation::Sigmoid,
            bias: Some(0.3 * steep),
            links: vec![
                link(Source::Input(index), steep),
                link(Source::Input(index + 3), -0.2 * steep),
            ],
        };
        let output = |index: u32| Output {
            // Where all neurons are off, the bias decides for the first class, not rounding.
            bias: (index == 0).then_some(0.5),
            links: vec![link(Source::Neuron(index), 1.0 + index as f32)],
        };
        let make = |number| {
            agreement((0..3).map(neuron).collect(), (0..3).map(output).collect(), number, 178)
        };
        let (small, large) = (make(Number::Int8), make(Number::Int16));
        assert!(small >= 0.97 && large >= 0.99, "{steep}: {small} {large}");
    }
}

#[test]
fn sixteen_bits_have_headroom_for_rows_beyond_those_of_training() {
    let output = |seed: u32| Output {
        bias: None,
        links: (0..13)
            .map(|i| link(Source::Input(i), ((i * 7 + seed * 5) % 11) as f32 - 5.0))
            .collect(),
    };
    let found = agreement(Vec::new(), (0..3).map(output).collect(), Number::Int16, 30);
    assert!(found >= 0.99, "{found}");
}

#[test]
fn integers_agree_with_the_floats() {
    let mut low = Vec::new();
    for case in integer_cases() {
        for number in [Number::Int8, Number::Int16] {
            let exported = integers(case, &C, number, Layout::Table);
            let report = exported.quantization.unwrap();
            let integer = exported.integer.unwrap();
            println!(
                "{:<20} {number:<6} {:.4} in floats, {:.4} in integers, {:.2} % agree, sums of {} and {} bits",
                case.name,
                report.float_accuracy,
                report.integer_accuracy,
                100.0 * report.agreement,
                integer.sum_bits,
                integer.score_bits
            );
            let min_agreement = if number == Number::Int8 { 0.99 } else { 0.999 };
            if report.agreement < min_agreement {
                low.push(format!("{} {number}: {report:?}", case.name));
            }
        }
    }
    assert!(low.is_empty(), "{low:#?}");
}
