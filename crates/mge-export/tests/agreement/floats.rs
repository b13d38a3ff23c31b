//! The float exports give the same class on every row, and probabilities within 1e-5.

use std::path::Path;

use mge_export::{
    C, ExportOptions, Exporter, JavaScript, Layout, Onnx, Program, Python, Rust, export,
};
use serde_json::{Value, json};

use crate::cases::{CASES, Case};
use crate::tools::{cc, python, run, rustc};

const TOLERANCE: f64 = 1e-5;

/// Writes an export of a case into a folder, and returns its program.
fn write(case: &Case, exporter: &dyn Exporter, layout: Layout, folder: &Path) -> Program {
    let options = ExportOptions { layout, ..ExportOptions::default() };
    let exported = export(&case.classifier(), exporter, &options, None).unwrap();
    exported.write(folder).unwrap();
    exported.program
}

/// Compares lines of `class label p p ...` with the model.
fn check_lines(case: &Case, what: &str, printed: &str) {
    let lines: Vec<&str> = printed.lines().collect();
    assert_eq!(lines.len(), case.answers.len(), "{} {what}", case.name);
    for (row, (line, (class, p))) in lines.iter().zip(&case.answers).enumerate() {
        let mut words = line.split(' ');
        let found: usize = words.next().unwrap().parse().unwrap();
        assert_eq!(found, *class, "{} {what}, row {row}: {line}, expected {p:?}", case.name);
        assert_eq!(words.next().unwrap(), case.classes[*class]);
        let found: Vec<f64> = words.map(|word| word.parse().unwrap()).collect();
        check_row(case, what, row, &found, p);
    }
}

fn check_row(case: &Case, what: &str, row: usize, found: &[f64], p: &[f64]) {
    assert_eq!(found.len(), p.len(), "{} {what}", case.name);
    let off = found.iter().zip(p).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
    assert!(off <= TOLERANCE, "{} {what}, row {row}: {found:?} for {p:?}", case.name);
}

#[test]
fn c_agrees_in_both_layouts() {
    for case in CASES.iter() {
        for layout in [Layout::Table, Layout::Code] {
            let folder = tempfile::tempdir().unwrap();
            let program = write(case, &C, layout, folder.path());
            let name = &program.name;
            let source = format!("{name}.c");
            cc(folder.path(), &["-o", "example", "main.c", &source, "-lm"]);
            let printed =
                run(folder.path().join("example"), &[], folder.path(), &case.rows_text(&program));
            check_lines(case, &format!("c {layout}"), &printed);
            cc(folder.path(), &["-o", "golden_test", "test.c", &source, "-lm"]);
            run(folder.path().join("golden_test"), &[], folder.path(), "");
        }
    }
}

#[test]
fn the_makefile_builds_and_tests() {
    let folder = tempfile::tempdir().unwrap();
    write(&CASES[0], &C, Layout::Table, folder.path());
    let printed = run(
        "make",
        &["-s", "all-of-it", "-f", "-"],
        folder.path(),
        "include Makefile\nall-of-it: test avr cortex-m0\n",
    );
    assert!(printed.contains("21 rows, 0 wrong"), "{printed}");
}

#[test]
fn rust_agrees_in_both_layouts() {
    for (index, case) in CASES.iter().enumerate() {
        let layout = if index % 2 == 0 { Layout::Table } else { Layout::Code };
        let folder = tempfile::tempdir().unwrap();
        let program = write(case, &Rust, layout, folder.path());
        build_crate(folder.path(), &program.name);
        let printed =
            run(folder.path().join("classify"), &[], folder.path(), &case.rows_text(&program));
        check_lines(case, &format!("rust {layout}"), &printed);
        run(folder.path().join("golden"), &[], folder.path(), "");
    }
}

/// The crate, its example and its test, without cargo's overhead.
pub fn build_crate(folder: &Path, name: &str) {
    rustc(folder, &["--crate-type=rlib", "--crate-name", name, "-Dwarnings", "src/lib.rs"]);
    let library = format!("{name}=lib{name}.rlib");
    rustc(folder, &["--extern", &library, "-o", "classify", "examples/classify.rs"]);
    rustc(folder, &["--test", "--extern", &library, "-o", "golden", "tests/golden.rs"]);
}

/// The input of an interpreter: the rows of each case and the path of its code.
fn jobs(exporter: &dyn Exporter, folder: &Path, name: impl Fn(&str) -> String) -> Value {
    let jobs = CASES.iter().enumerate().map(|(index, case)| {
        let inside = folder.join(index.to_string());
        let program = write(case, exporter, Layout::Table, &inside);
        let file = inside.join(name(&program.name));
        let rows: Vec<Vec<f64>> = case
            .rows_for(&program)
            .into_iter()
            .map(|row| row.into_iter().map(f64::from).collect())
            .collect();
        json!({ "file": file, "rows": rows })
    });
    Value::Array(jobs.collect())
}

/// Compares the output of an interpreter, one object for each case, with the model.
fn check_json(what: &str, printed: &str) {
    let answers: Vec<Value> =
        printed.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(answers.len(), CASES.len());
    for (case, answer) in CASES.iter().zip(answers) {
        let labels = answer["labels"].as_array().unwrap();
        let probabilities = answer["probabilities"].as_array().unwrap();
        assert_eq!(labels.len(), case.answers.len());
        for (row, (class, p)) in case.answers.iter().enumerate() {
            let label = match &labels[row] {
                Value::String(text) => text.clone(),
                other => other.to_string(),
            };
            assert_eq!(label, case.classes[*class], "{} {what}, row {row}: {p:?}", case.name);
            let found: Vec<f64> = probabilities[row]
                .as_array()
                .unwrap()
                .iter()
                .map(|value| value.as_f64().unwrap())
                .collect();
            check_row(case, what, row, &found, p);
        }
    }
}

#[test]
fn python_agrees_with_and_without_numpy() {
    let folder = tempfile::tempdir().unwrap();
    let jobs = jobs(&Python, folder.path(), |name| format!("{name}.py"));
    let script = r#"
import importlib.util, json, sys
for job in json.load(sys.stdin):
    spec = importlib.util.spec_from_file_location("model", job["file"])
    model = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(model)
    rows = job["rows"]
    p = [model.predict_proba(row) for row in rows]
    for a, b in zip(p, model.predict_proba_array(rows).tolist()):
        assert max(abs(x - y) for x, y in zip(a, b)) < 1e-9
    missing = model.predict_proba([None] * len(model.FEATURES))
    assert missing == model.predict_proba(model.FILLS)
    print(json.dumps({"labels": [model.predict(row) for row in rows], "probabilities": p}))
"#;
    let printed = run(python(), &["-c", script], folder.path(), &jobs.to_string());
    check_json("python", &printed);
}

#[test]
fn javascript_agrees() {
    let folder = tempfile::tempdir().unwrap();
    let jobs = jobs(&JavaScript, folder.path(), |name| format!("{name}.mjs"));
    let script = r#"
import { readFileSync } from "node:fs";
for (const job of JSON.parse(readFileSync(0, "utf8"))) {
    const model = await import(job.file);
    const labels = job.rows.map(model.predict);
    const probabilities = job.rows.map(model.probabilities);
    const missing = model.probabilities(model.features.map(() => null));
    if (missing.join() !== model.probabilities(model.fills).join()) throw new Error("missing");
    process.stdout.write(JSON.stringify({ labels, probabilities }) + "\n");
}
"#;
    std::fs::write(folder.path().join("run.mjs"), script).unwrap();
    let printed = run("node", &["run.mjs"], folder.path(), &jobs.to_string());
    check_json("js", &printed);
}

#[test]
fn onnx_agrees_and_is_valid() {
    let folder = tempfile::tempdir().unwrap();
    let jobs = jobs(&Onnx, folder.path(), |name| format!("{name}.onnx"));
    let script = r#"
import json, sys
import numpy as np, onnx, onnxruntime as ort
ort.set_default_logger_severity(3)
for job in json.load(sys.stdin):
    model = onnx.load(job["file"])
    onnx.checker.check_model(model, full_check=True)
    assert [(i.domain, i.version) for i in model.opset_import] == [("", 13)]
    session = ort.InferenceSession(job["file"])
    rows = np.array(job["rows"], dtype=np.float32)
    label, p = session.run(["label", "probabilities"], {"input": rows})
    missing = session.run(None, {"input": np.full_like(rows[:1], np.nan)})[1]
    assert np.isfinite(missing).all()
    print(json.dumps({"labels": label.tolist(), "probabilities": p.astype(float).tolist()}))
"#;
    let printed = run(python(), &["-c", script], folder.path(), &jobs.to_string());
    check_json("onnx", &printed);
}
