//! Names that try to break out of comments and strings. Every target stays valid and prints the
//! names as they are.

use std::path::Path;

use mge_data::{Column, Preprocess, PreprocessOptions, Table, Text, Values};
use mge_export::{
    Arduino, C, ExportError, ExportOptions, Exporter, Inputs, JavaScript, Layout, Number, Onnx,
    Python, QuantizationRows, Rust, TrainedClassifier, export,
};
use mge_net::{Activation, Link, Network, Neuron, Output, Source};
use serde_json::json;

use crate::cases::ranges;
use crate::floats::build_crate;
use crate::tools::{cc, python, run};

const NASTY: &[&str] = &[
    "plain",
    "\"quoted\" 'twice'",
    "*/ int main(void) { return 1; } /*",
    "// */ #error \\",
    "??/",
    "trailing backslash \\",
    "two\nlines\r\n#error third",
    "</script><script>alert(1)</script>",
    "<!-- & --> ]]>",
    "${injected} `ticks` %s %n {0} {} {{",
    "\"\"\" + __import__('os').abort() + \"\"\"",
    "größe 日本語 𝄞",
    "\u{202e}reversed\u{2066}\u{2028}\u{2029}\u{feff}",
    "int",
    "class",
    "type",
    "lambda",
    "NaN",
    "\u{1}\u{7f}\u{1b}[31m",
    "012",
    "\\0",
    "\\u{41}",
    "\\x41",
    "@name@ @NAME@",
    "export const x",
    "export ",
    "$(shell false) $(error x)",
];

fn classifier_parts() -> (Network, Preprocess, Vec<String>, Table) {
    let classes: Vec<String> = NASTY.iter().map(|&name| name.to_owned()).collect();
    let rows = 40;
    let mut columns: Vec<Column> = NASTY
        .iter()
        .enumerate()
        .map(|(index, &name)| {
            let cells =
                (0..rows).map(|row| (((row + index) * (index % 5 + 1)) % 11) as f32).collect();
            Column { name: format!("{name} "), values: Values::Number(cells) }
        })
        .collect();
    let cells = (0..rows).map(|row| Some(NASTY[row % NASTY.len()]));
    columns.push(Column {
        name: "categories */".into(),
        values: Values::Text(Text::from_cells(cells)),
    });
    let labels = (0..rows).map(|row| Some(NASTY[row % NASTY.len()]));
    columns.push(Column { name: "y".into(), values: Values::Text(Text::from_cells(labels)) });
    let table = Table::new("nasty", columns).unwrap();
    let all: Vec<u32> = (0..rows as u32).collect();
    let preprocess = Preprocess::fit(&table, "y", &all, &PreprocessOptions::default()).unwrap();
    let link = |source, weight| Link { source, weight };
    let neurons: Vec<Neuron> = (0..classes.len())
        .map(|index| Neuron {
            activation: Activation::Sigmoid,
            bias: None,
            links: vec![link(Source::Input(index as u32), 1.0)],
        })
        .collect();
    let outputs = (0..classes.len())
        .map(|index| Output { bias: None, links: vec![link(Source::Neuron(index as u32), 9.0)] })
        .collect();
    let network = Network::new(preprocess.features().len(), neurons, outputs).unwrap();
    (network, preprocess, classes, table)
}

/// Exports the model of nasty names, and returns its identifier.
fn write(exporter: &dyn Exporter, number: Number, folder: &Path) -> String {
    let (network, preprocess, classes, table) = classifier_parts();
    let name = "*/ \"; ??/\n#error </title>";
    let classifier =
        TrainedClassifier { name, network: &network, preprocess: &preprocess, classes: &classes };
    let numbers = preprocess.unscaled().apply(&table, None).unwrap().columns;
    let labels = vec![0; table.rows()];
    let rows = QuantizationRows {
        ranges: &ranges(&numbers),
        sample: &numbers,
        validation: &numbers,
        labels: &labels,
    };
    let options = ExportOptions {
        number,
        max_accuracy_drop: 1.0,
        inputs: Inputs::All,
        ..ExportOptions::default()
    };
    let exported = export(&classifier, exporter, &options, Some(&rows)).unwrap();
    exported.write(folder).unwrap();
    exported.program.name
}

#[test]
fn c_compiles_and_prints_the_labels() {
    for number in [Number::F32, Number::Int8] {
        let folder = tempfile::tempdir().unwrap();
        let name = write(&C, number, folder.path());
        assert_eq!(name, "error_title");
        let labels = format!(
            "#include <stdio.h>\n#include \"{name}.h\"\nint main(void) {{\n\
             for (unsigned i = 0; i < {}; ++i) {{ fputs({name}_label((uint8_t)i), stdout); putchar(0); }}\n\
             return 0;\n}}\n",
            NASTY.len()
        );
        std::fs::write(folder.path().join("labels.c"), labels).unwrap();
        let source = format!("{name}.c");
        let strict = ["-trigraphs", "-Wbidi-chars=any", "-o", "labels", "labels.c", &source, "-lm"];
        cc(folder.path(), &strict);
        let printed = run(folder.path().join("labels"), &[], folder.path(), "");
        assert_eq!(printed.split_terminator('\0').collect::<Vec<_>>(), NASTY);
        run("make", &["-s", "test", "avr", "cortex-m0"], folder.path(), "");
    }
}

#[test]
fn rust_compiles_and_prints_the_labels() {
    let folder = tempfile::tempdir().unwrap();
    let name = write(&Rust, Number::F32, folder.path());
    build_crate(folder.path(), &name);
    let labels =
        format!("fn main() {{ for label in {name}::LABELS {{ print!(\"{{label}}\\0\"); }} }}");
    std::fs::write(folder.path().join("labels.rs"), labels).unwrap();
    let library = format!("{name}=lib{name}.rlib");
    crate::tools::rustc(folder.path(), &["--extern", &library, "labels.rs"]);
    let printed = run(folder.path().join("labels"), &[], folder.path(), "");
    assert_eq!(printed.split_terminator('\0').collect::<Vec<_>>(), NASTY);
}

#[test]
fn python_and_onnx_return_the_labels() {
    let folder = tempfile::tempdir().unwrap();
    let name = write(&Python, Number::F32, folder.path());
    write(&Onnx, Number::F32, folder.path());
    let script = format!(
        r#"
import json, sys
import numpy as np, onnx, onnxruntime as ort
sys.path.insert(0, ".")
import {name} as model
expected = json.load(sys.stdin)
assert model.CLASSES == expected["classes"]
assert model.FEATURES[:len(expected["features"])] == expected["features"]
onnx.checker.check_model(onnx.load("{name}.onnx"), full_check=True)
session = ort.InferenceSession("{name}.onnx")
assert json.loads(session.get_modelmeta().custom_metadata_map["features"]) == model.FEATURES
row = np.zeros((len(model.CLASSES), len(model.FEATURES)), dtype=np.float32)
for i in range(len(row)):
    row[i, i] = 100.0
labels = session.run(["label"], {{"input": row}})[0].tolist()
assert labels == model.CLASSES, labels
assert [model.predict(r) for r in row.tolist()] == model.CLASSES
"#
    );
    let features: Vec<String> = NASTY.iter().map(|name| format!("{name} ")).collect();
    let expected = json!({ "classes": NASTY, "features": features });
    run(python(), &["-c", &script], folder.path(), &expected.to_string());
}

#[test]
fn javascript_and_its_page_show_the_labels() {
    let folder = tempfile::tempdir().unwrap();
    let name = write(&JavaScript, Number::F32, folder.path());
    let page = std::fs::read_to_string(folder.path().join("index.html")).unwrap();
    assert_eq!(page.matches("<script").count(), 1);
    assert_eq!(page.matches("</script").count(), 1);
    assert_eq!(page.matches("<!--").count(), 1, "where the page comes from");
    let script = page.split("<script type=\"module\">").nth(1).unwrap();
    let script = script.split("</script>").next().unwrap();
    // A document that records the text which the script sets, and nothing else.
    let document = r#"
const shown = [];
const element = () => ({ style: {}, append() {}, addEventListener() {}, replaceChildren() {},
    setAttribute() {}, set textContent(text) { shown.push(text); } });
globalThis.Option = class { constructor(text) { shown.push(text); } };
globalThis.document = { getElementById: element, createElement: element };
"#;
    let check = format!(
        "{document}{script}\nimport {{ readFileSync }} from \"node:fs\";\n\
         import * as model from \"./{name}.mjs\";\n\
         const expected = JSON.parse(readFileSync(0, \"utf8\"));\n\
         const same = (a, b) => {{ if (JSON.stringify(a) !== JSON.stringify(b)) throw new Error(JSON.stringify([a, b])); }};\n\
         same(model.classes, expected); same(classes, expected);\n\
         for (const name of expected) if (!shown.includes(name)) throw new Error(name);\n"
    );
    std::fs::write(folder.path().join("check.mjs"), check).unwrap();
    run("node", &["check.mjs"], folder.path(), &json!(NASTY).to_string());
}

/// The end of a loop over 256 classes does not fit a byte.
#[test]
fn c_counts_256_classes() {
    let (small, preprocess, _, table) = classifier_parts();
    let classes: Vec<String> = (0..256).map(|class| format!("class {class}")).collect();
    let mut outputs = vec![Output::default(); classes.len()];
    outputs[255] = small.outputs()[1].clone();
    let network = Network::new(small.inputs(), small.neurons()[..2].to_vec(), outputs).unwrap();
    let (network, preprocess) = (&network, &preprocess);
    let classifier = TrainedClassifier { name: "many", network, preprocess, classes: &classes };
    let numbers = preprocess.unscaled().apply(&table, None).unwrap().columns;
    let labels = vec![255; table.rows()];
    let rows = QuantizationRows {
        ranges: &ranges(&numbers),
        sample: &numbers,
        validation: &numbers,
        labels: &labels,
    };
    for (number, layout) in [
        (Number::F32, Layout::Table),
        (Number::F32, Layout::Code),
        (Number::Int8, Layout::Table),
        (Number::Int8, Layout::Code),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let options =
            ExportOptions { number, layout, max_accuracy_drop: 1.0, ..ExportOptions::default() };
        let exported = export(&classifier, &C, &options, Some(&rows)).unwrap();
        exported.write(folder.path()).unwrap();
        run("make", &["-s", "test"], folder.path(), "");
        let golden = std::fs::read_to_string(folder.path().join("golden.h")).unwrap();
        assert!(golden.contains(" 255,"), "the last class is among the answers");
    }
}

#[test]
fn files_with_other_content_are_not_replaced() {
    let folder = tempfile::tempdir().unwrap();
    let case = &crate::cases::CASES[0];
    let exported = export(&case.classifier(), &C, &ExportOptions::default(), None).unwrap();
    std::fs::write(folder.path().join("Makefile"), "mine").unwrap();
    let error = exported.write(folder.path()).unwrap_err();
    assert!(matches!(&error, ExportError::WouldReplace { files, .. } if files == "Makefile"));
    let there: Vec<_> = std::fs::read_dir(folder.path()).unwrap().collect();
    assert_eq!(there.len(), 1, "nothing is written");
    exported.overwrite(folder.path()).unwrap();
    exported.write(folder.path()).unwrap();
}

#[test]
fn the_arduino_library_compiles() {
    for number in [Number::F32, Number::Int8, Number::Int16] {
        let folder = tempfile::tempdir().unwrap();
        let name = write(&Arduino, number, folder.path());
        let library = folder.path().join(&name);
        let stub = "#pragma once\n#include <stdint.h>\nclass __FlashStringHelper;\nstruct Line {\n\
                    void begin(long) {}\n int peek() { return '1'; }\n int read() { return '1'; }\n long parseInt() { return 1; }\n\
                    float parseFloat() { return 1; }\n void println(const __FlashStringHelper *) {}\n};\n\
                    extern Line Serial;\n";
        std::fs::write(library.join("Arduino.h"), stub).unwrap();
        let source = format!("src/{name}.c");
        let warnings = ["-mmcu=atmega328p", "-Os", "-Wall", "-Wextra", "-Werror", "-Isrc", "-I."];
        let c = ["-std=gnu11", "-c", "-o", "model.o", &source];
        run("avr-gcc", &[&warnings[..], &c].concat(), &library, "");
        let sketch = [
            "-std=gnu++11",
            "-include",
            "Arduino.h",
            "-x",
            "c++",
            "-c",
            "-o",
            "sketch.o",
            "examples/classify/classify.ino",
        ];
        run("avr-gcc", &[&warnings[..], &sketch].concat(), &library, "");
        let properties = std::fs::read_to_string(library.join("library.properties")).unwrap();
        let is_known = |line: &str| line.contains('=') || line.starts_with('#');
        assert!(properties.lines().all(is_known), "{properties}");
    }
}
