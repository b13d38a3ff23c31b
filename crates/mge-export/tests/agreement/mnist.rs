//! All 70,000 rows of MNIST. As text they would take minutes, so every language reads `rows.bin`,
//! a byte for each pixel, and writes `answers.bin`: for each row the class, a byte, and ten 32-bit
//! numbers, probabilities or (integers) scores.

use std::path::Path;

use mge_data::{Columns, Loaded, Table};
use mge_export::{
    C, ExportOptions, Exporter, Inputs, IntegerProgram, JavaScript, Number, Onnx, Python,
    QuantizationRows, Rust, TrainedClassifier, export,
};

use crate::cases::{Fitted, answers, data, ranges};
use crate::tools::{cc, python, run, rustc};

const CLASSES: usize = 10;

#[test]
fn every_row_of_mnist_agrees() {
    if std::env::var_os("MGE_DATA_DIR").is_none() {
        mge_test::report_skipped("every row of mnist agrees", "MGE_DATA_DIR is not set");
        return;
    }
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/models/mnist-mge.json");
    let fitted = Fitted::read(Path::new(path));
    let data = data("mnist");
    let task = data.class_target().unwrap();
    let folder = tempfile::tempdir().unwrap();
    let classifier = TrainedClassifier {
        name: "mnist",
        network: &fitted.network,
        preprocess: &fitted.preprocess,
        classes: task.classes(),
    };
    floats(&classifier, folder.path());
    let tests = data.standard_test.as_ref().unwrap();
    for table in [tests, &data.table] {
        let numbers = fitted.preprocess.unscaled().apply(table, None).unwrap().columns;
        let width = numbers.count();
        std::fs::write(folder.path().join("rows.bin"), pixels(&numbers)).unwrap();
        let scaled = fitted.preprocess.apply(table, None).unwrap().columns;
        let answers = answers(&fitted.network, &scaled);
        drop(scaled);
        for (what, program, arguments) in commands(width) {
            run(folder.path().join(program), &arguments, folder.path(), "");
            let said = said(folder.path(), f32::from_le_bytes);
            assert_eq!(said.len(), answers.len(), "{what}");
            for (row, ((found, p), (class, expected))) in said.iter().zip(&answers).enumerate() {
                assert_eq!(found, class, "{what}, row {row}: {expected:?}");
                let off = p.iter().zip(expected).map(|(a, b)| (f64::from(*a) - b).abs());
                assert!(off.fold(0.0, f64::max) <= 1e-5, "{what}, row {row}: {p:?} {expected:?}");
            }
        }
    }
    integers(&classifier, &data, tests, folder.path());
}

fn pixels(numbers: &Columns) -> Vec<u8> {
    let mut bytes = vec![0; numbers.rows() * numbers.count()];
    for column in 0..numbers.count() {
        for (row, &x) in numbers.column(column).iter().enumerate() {
            bytes[row * numbers.count() + column] = x as u8;
        }
    }
    bytes
}

/// What a program wrote, and no other one before it.
fn said<T: Copy>(folder: &Path, number: impl Fn([u8; 4]) -> T) -> Vec<(usize, Vec<T>)> {
    let path = folder.join("answers.bin");
    let bytes = std::fs::read(&path).unwrap();
    std::fs::remove_file(path).unwrap();
    let rows = bytes.chunks_exact(1 + 4 * CLASSES);
    assert!(rows.remainder().is_empty());
    let numbers = |row: &[u8]| {
        row[1..].chunks_exact(4).map(|four| number(four.try_into().unwrap())).collect()
    };
    rows.map(|row| (usize::from(row[0]), numbers(row))).collect()
}

/// Writes and compiles all float exports.
fn floats(classifier: &TrainedClassifier<'_>, folder: &Path) {
    let exporters: [&dyn Exporter; 5] = [&C, &Rust, &Python, &JavaScript, &Onnx];
    for exporter in exporters {
        let options = ExportOptions { inputs: Inputs::All, ..ExportOptions::default() };
        let exported = export(classifier, exporter, &options, None).unwrap();
        exported.overwrite(folder).unwrap();
    }
    let driver = C_DRIVER
        .replace("ANSWER", "uint8_t class = mnist_predict(x); mnist_probabilities(x, (float *)a);");
    std::fs::write(folder.join("driver.c"), driver.replace("VALUE", "float")).unwrap();
    cc(folder, &["-O2", "-o", "driver", "driver.c", "-lm"]);
    std::fs::write(folder.join("driver.rs"), RUST_DRIVER).unwrap();
    rustc(folder, &["--crate-type=rlib", "--crate-name=mnist", "src/lib.rs"]);
    rustc(folder, &["--extern", "mnist=libmnist.rlib", "-o", "rust_driver", "driver.rs"]);
    std::fs::write(folder.join("driver.mjs"), JS_DRIVER).unwrap();
}

/// How the float exports are run on rows of so many pixels.
fn commands(width: usize) -> Vec<(&'static str, std::path::PathBuf, Vec<&'static str>)> {
    assert!(width > 500, "{width} pixels");
    vec![
        ("c", "driver".into(), vec![]),
        ("rust", "rust_driver".into(), vec![]),
        ("js", "/usr/bin/env".into(), vec!["node", "driver.mjs"]),
        ("python", python(), vec!["-c", PYTHON_DRIVER]),
        ("onnx", python(), vec!["-c", ONNX_DRIVER]),
    ]
}

/// Integers of C: the bits of the integer program on every row, and the floats' class on most.
fn integers(classifier: &TrainedClassifier<'_>, data: &Loaded, tests: &Table, folder: &Path) {
    let task = data.class_target().unwrap();
    let unscaled = classifier.preprocess.unscaled();
    let train = unscaled.apply(&data.table, None).unwrap().columns;
    let validation = unscaled.apply(tests, None).unwrap().columns;
    let labels = mge_data::class_labels(tests, task.column(), task.classes()).unwrap();
    let rows = QuantizationRows {
        ranges: &ranges(&train),
        sample: &train,
        validation: &validation,
        labels: &labels,
    };
    for number in [Number::Int8, Number::Int16] {
        let options = ExportOptions { number, inputs: Inputs::All, ..ExportOptions::default() };
        let exported = export(classifier, &C, &options, Some(&rows)).unwrap();
        let report = exported.quantization.as_ref().unwrap();
        println!("mnist {number}: {report:?}");
        // A model of little training, whose classes lie close together: 98.99 % in 8 bits, which the
        // export reports. That no accuracy is lost was checked by the export itself.
        let min_agreement = if number == Number::Int8 { 0.985 } else { 0.999 };
        assert!(report.agreement >= min_agreement, "{number}: {report:?}");
        exported.overwrite(folder).unwrap();
        let answer =
            "mnist_value q[MNIST_INPUTS]; mnist_quantize(x, q); uint8_t class = mnist_predict(q);";
        let driver = C_DRIVER.replace("ANSWER", answer).replace("VALUE", "int32_t");
        std::fs::write(folder.join("driver.c"), HOOK.to_owned() + &driver).unwrap();
        cc(folder, &["-O2", "-o", "driver", "driver.c"]);
        let integer = exported.integer.as_ref().unwrap();
        for view in [&validation, &train] {
            std::fs::write(folder.join("rows.bin"), pixels(view)).unwrap();
            run(folder.join("driver"), &[], folder, "");
            let said = said(folder, i32::from_le_bytes);
            assert_eq!(said.len(), view.rows());
            let mut row = vec![0.0; view.count()];
            for (index, (class, found)) in said.iter().enumerate() {
                row.iter_mut().enumerate().for_each(|(c, x)| *x = view.column(c)[index]);
                let scores = integer.scores(&integer.quantize(&row));
                assert!(
                    found.iter().map(|&score| i64::from(score)).eq(scores.iter().copied()),
                    "{number}, row {index}: {found:?} {scores:?}"
                );
                assert_eq!(*class, IntegerProgram::class(&scores), "{number}, row {index}");
            }
        }
    }
}

const HOOK: &str = "
#include <stdint.h>
#define MNIST_WITH_FLOAT
static int32_t a[10];
#define A_IS_THERE
#define MNIST_ON_SCORE(output, score) (a[output] = (score))
";

const C_DRIVER: &str = r#"
#include <stdio.h>
#include "mnist.c"
#ifndef A_IS_THERE
static VALUE a[10];
#endif
int main(void) {
    static uint8_t bytes[MNIST_INPUTS];
    static float x[MNIST_INPUTS];
    FILE *rows = fopen("rows.bin", "rb"), *answers = fopen("answers.bin", "wb");
    while (fread(bytes, 1, MNIST_INPUTS, rows) == MNIST_INPUTS) {
        for (int i = 0; i < MNIST_INPUTS; ++i) x[i] = bytes[i];
        ANSWER
        fwrite(&class, 1, 1, answers);
        fwrite(a, 4, 10, answers);
    }
    return fclose(answers);
}
"#;

const RUST_DRIVER: &str = r#"
use mnist::*;
fn main() {
    let mut answers = Vec::new();
    for bytes in std::fs::read("rows.bin").unwrap().chunks_exact(INPUTS) {
        let mut x = [0f32; INPUTS];
        x.iter_mut().zip(bytes).for_each(|(x, byte)| *x = f32::from(*byte));
        answers.push(predict(&x) as u8);
        probabilities(&x).iter().for_each(|p| answers.extend(p.to_le_bytes()));
    }
    std::fs::write("answers.bin", answers).unwrap();
}
"#;

const JS_DRIVER: &str = r#"
import { readFileSync, writeFileSync } from "node:fs";
import { features, predictIndex, probabilities } from "./mnist.mjs";
const rows = readFileSync("rows.bin"), width = features.length;
const answers = Buffer.alloc((rows.length / width) * 41);
for (let row = 0; row * width < rows.length; ++row) {
    const x = rows.subarray(row * width, (row + 1) * width);
    answers[row * 41] = predictIndex(x);
    probabilities(x).forEach((p, i) => answers.writeFloatLE(p, row * 41 + 1 + 4 * i));
}
writeFileSync("answers.bin", answers);
"#;

const PYTHON_DRIVER: &str = r#"
import sys
sys.path.insert(0, ".")
import numpy as np, mnist
rows = np.fromfile("rows.bin", dtype=np.uint8).reshape(-1, len(mnist.FEATURES))
with open("answers.bin", "wb") as file:
    for at in range(0, len(rows), 5000):
        p = mnist.predict_proba_array(rows[at:at + 5000])
        for row in p:
            file.write(bytes([int(row.argmax())]) + row.astype("<f4").tobytes())
"#;

const ONNX_DRIVER: &str = r#"
import numpy as np, onnxruntime as ort
session = ort.InferenceSession("mnist.onnx")
width = session.get_inputs()[0].shape[1]
rows = np.fromfile("rows.bin", dtype=np.uint8).reshape(-1, width)
with open("answers.bin", "wb") as file:
    for at in range(0, len(rows), 5000):
        batch = rows[at:at + 5000].astype(np.float32)
        labels, p = session.run(["label", "probabilities"], {"input": batch})
        for label, row in zip(labels, p):
            file.write(bytes([int(label)]) + row.astype("<f4").tobytes())
"#;
