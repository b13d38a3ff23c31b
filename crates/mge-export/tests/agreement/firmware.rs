//! What firmware calls beside `predict`: sums, probabilities, a reject threshold, raw readings. All
//! of it is the same bits as in Rust, for rows inside and far outside the range of training.

use std::fmt::Write;

use mge_export::{
    C, ExportOptions, Exported, IntegerProgram, Layout, MicroPython, Number, QuantizationRows,
    Rust, export,
};
use serde_json::{Value, json};

use crate::any_integer::any_rows;
use crate::cases::{Case, integer_cases, ranges};
use crate::integers::integers;
use crate::micropython::run_micropython;
use crate::tools::{cc, run, rustc};

/// Rows of each case.
const ROWS: usize = 60;
/// Raw readings, the ends of 32 bits and a missing one among them.
const READINGS: [i32; 11] =
    [i32::MIN, i32::MIN + 1, i32::MAX, -1_000_000, -300, -1, 0, 1, 77, 4_000, 2_000_000];
const MIN_PROBABILITY: u32 = 200;

/// Class, class or its count, sums and probabilities of a row; then the values of all readings.
fn expected(exported: &Exported) -> Vec<Vec<i64>> {
    let integer = exported.integer.as_ref().unwrap();
    let classes = exported.program.classes.len() as i64;
    let mut lines = Vec::new();
    for row in any_rows(exported, ROWS, 11) {
        let scores = integer.scores(&row);
        let class = IntegerProgram::class(&scores);
        let p = integer.probabilities(&scores);
        let accepted = if p[class] >= MIN_PROBABILITY { class as i64 } else { classes };
        let p = p.into_iter().map(i64::from);
        lines.push([vec![class as i64, accepted], scores, p.collect()].concat());
    }
    for (input, of) in integer.inputs.iter().zip(&exported.program.inputs) {
        let value = |reading: &i32| match *reading {
            i32::MIN => i64::from(input.quantize(of.fill)),
            reading => i64::from(input.raw.scale(reading)),
        };
        lines.push(READINGS.iter().map(value).collect());
    }
    lines
}

fn numbers(printed: &str) -> Vec<Vec<i64>> {
    let line = |line: &str| line.split_whitespace().map(|word| word.parse().unwrap()).collect();
    printed.lines().map(line).collect()
}

fn check(case: &Case, what: &str, printed: &str, exported: &Exported) {
    let (found, expected) = (numbers(printed), expected(exported));
    assert_eq!(found.len(), expected.len(), "{} {what}", case.name);
    for (line, (found, expected)) in found.iter().zip(&expected).enumerate() {
        assert_eq!(found, expected, "{} {what}, line {line}", case.name);
    }
}

/// A program in C that prints what [`expected`] does, with the rows inside it.
fn c_driver(exported: &Exported, include: &str) -> String {
    let name = &exported.program.name;
    let upper = name.to_ascii_uppercase();
    let rows = any_rows(exported, ROWS, 11);
    let mut cells = String::new();
    rows.iter().flatten().for_each(|cell| write!(cells, "{cell},").unwrap());
    let readings: String = READINGS
        .iter()
        .map(|&r| if r == i32::MIN { "INT32_MIN,".to_owned() } else { format!("{r},") })
        .collect();
    format!(
        "#include <stdio.h>\n{include}\n
static const {name}_value rows[] = {{{cells}}};
static const int32_t readings[] = {{{readings}}};
int main(void) {{
    for (unsigned row = 0; row < {count}; ++row) {{
        const {name}_value *x = rows + row * {upper}_INPUTS;
        int32_t scores[{upper}_OUTPUTS];
        {name}_value p[{upper}_CLASSES];
        {name}_scores(x, scores);
        {name}_probabilities(x, p);
        printf(\"%u %u\", (unsigned){name}_predict(x), (unsigned){name}_predict_if(x, {MIN_PROBABILITY}));
        for (unsigned i = 0; i < {upper}_OUTPUTS; ++i) printf(\" %ld\", (long)scores[i]);
        for (unsigned i = 0; i < {upper}_CLASSES; ++i) printf(\" %u\", (unsigned)p[i]);
        printf(\"\\n\");
    }}
    for (unsigned i = 0; i < {upper}_INPUTS; ++i) {{
        for (unsigned r = 0; r < {reading_count}; ++r)
            printf(\"%u \", (unsigned){name}_from_reading(({index})i, readings[r]));
        printf(\"\\n\");
    }}
    return 0;
}}
",
        count = rows.len(),
        reading_count = READINGS.len(),
        index = if exported.program.inputs.len() < 256 { "uint8_t" } else { "uint16_t" },
    )
}

#[test]
fn c_answers_the_same_bits() {
    for (index, case) in integer_cases().enumerate() {
        let number = if index % 2 == 0 { Number::Int8 } else { Number::Int16 };
        for layout in Layout::ALL {
            let folder = tempfile::tempdir().unwrap();
            let exported = integers(case, &C, number, layout);
            exported.write(folder.path()).unwrap();
            let name = &exported.program.name;
            let driver = c_driver(&exported, &format!("#include \"{name}.h\""));
            std::fs::write(folder.path().join("driver.c"), driver).unwrap();
            let source = format!("{name}.c");
            let sanitize = ["-fsanitize=undefined", "-fno-sanitize-recover"];
            cc(folder.path(), &[&sanitize[..], &["-o", "driver", "driver.c", &source]].concat());
            let printed = run(folder.path().join("driver"), &[], folder.path(), "");
            check(case, &format!("c {number} {layout}"), &printed, &exported);
        }
    }
}

/// Exports a case as one header.
fn header(case: &Case, number: Number, name: &str) -> Exported {
    let classifier = mge_export::TrainedClassifier { name, ..case.classifier() };
    let options = ExportOptions {
        number,
        max_accuracy_drop: 1.0,
        single_header: true,
        ..ExportOptions::default()
    };
    let ranges = ranges(&case.numbers);
    let rows = QuantizationRows {
        ranges: &ranges,
        sample: &case.numbers,
        validation: &case.numbers,
        labels: &case.labels,
    };
    export(&classifier, &C, &options, Some(&rows)).unwrap()
}

#[test]
fn one_header_holds_everything_and_two_of_them_fit_into_one_file() {
    let strict = ["-O2", "-Wall", "-Wextra", "-Wconversion", "-Wpedantic", "-Werror"];
    for (index, case) in integer_cases().enumerate() {
        let folder = tempfile::tempdir().unwrap();
        let number = if index % 2 == 0 { Number::Int8 } else { Number::Int16 };
        let exported = header(case, number, "sensor");
        assert_eq!(exported.files.len(), 1, "{:?}", exported.files[0].path);
        exported.write(folder.path()).unwrap();
        header(case, Number::F32, "other").write(folder.path()).unwrap();
        let include = "#include \"sensor.h\"\n#include \"other.h\"";
        std::fs::write(folder.path().join("driver.c"), c_driver(&exported, include)).unwrap();
        cc(folder.path(), &["-o", "driver", "driver.c", "-lm"]);
        let printed = run(folder.path().join("driver"), &[], folder.path(), "");
        check(case, &format!("header {number}"), &printed, &exported);
        // C++ reads it as well.
        let source = ["-std=c++11", "-x", "c++", "-o", "driver++", "driver.c", "-lm"];
        run("g++", &[&strict[..], &source].concat(), folder.path(), "");
        let printed = run(folder.path().join("driver++"), &[], folder.path(), "");
        check(case, &format!("header {number} in C++"), &printed, &exported);
    }
}

#[test]
fn rust_answers_the_same_bits() {
    for (index, case) in integer_cases().enumerate() {
        let number = if index % 2 == 0 { Number::Int16 } else { Number::Int8 };
        let folder = tempfile::tempdir().unwrap();
        let exported = integers(case, &Rust, number, Layout::Table);
        exported.write(folder.path()).unwrap();
        let name = &exported.program.name;
        let rows = format!("{:?}", any_rows(&exported, ROWS, 11));
        let readings: Vec<Option<i32>> =
            READINGS.iter().map(|&r| (r != i32::MIN).then_some(r)).collect();
        let driver = format!(
            "use {name}::*;\nfn main() {{
    let rows: Vec<[Value; INPUTS]> = vec!{rows};
    for x in &rows {{
        print!(\"{{}} {{}}\", predict(x), predict_if(x, {MIN_PROBABILITY}).unwrap_or(CLASSES));
        for score in scores(x) {{ print!(\" {{score}}\"); }}
        for p in probabilities(x) {{ print!(\" {{p}}\"); }}
        println!();
    }}
    for input in 0..INPUTS {{
        for reading in {readings:?} {{ print!(\"{{}} \", from_reading(input, reading)); }}
        println!();
    }}
}}\n"
        );
        std::fs::write(folder.path().join("driver.rs"), driver).unwrap();
        rustc(folder.path(), &["--crate-type=rlib", "--crate-name", name, "src/lib.rs"]);
        let library = format!("{name}=lib{name}.rlib");
        rustc(folder.path(), &["--extern", &library, "-o", "driver", "driver.rs"]);
        let printed = run(folder.path().join("driver"), &[], folder.path(), "");
        check(case, &format!("rust {number}"), &printed, &exported);
    }
}

#[test]
fn micropython_answers_the_same_bits() {
    let folder = tempfile::tempdir().unwrap();
    let mut jobs = Vec::new();
    let mut made = Vec::new();
    for (index, case) in integer_cases().enumerate() {
        let number = if index % 2 == 0 { Number::Int8 } else { Number::Int16 };
        let exported = integers(case, &MicroPython, number, Layout::Table);
        let source = String::from_utf8(exported.files[0].bytes.clone()).unwrap();
        let readings: Vec<Option<i32>> =
            READINGS.iter().map(|&r| (r != i32::MIN).then_some(r)).collect();
        let rows = any_rows(&exported, ROWS, 11);
        jobs.push(json!({ "source": source, "rows": rows, "readings": readings }));
        made.push((case, number, exported));
    }
    let script = format!(
        "def lines(m, job):
    made = []
    for x in job[\"rows\"]:
        best = m.predict_if(x, {MIN_PROBABILITY})
        accepted = len(m.CLASSES) if best is None else best
        made.append([m.predict(x), accepted] + m.scores(x) + m.probabilities(x))
    for i in range(m.INPUTS):
        made.append([m.from_reading(i, r) for r in job[\"readings\"]])
    return made
"
    );
    let printed = run_micropython(folder.path(), &script, &Value::Array(jobs));
    assert_eq!(printed.len(), made.len());
    for ((case, number, exported), found) in made.iter().zip(printed) {
        let found: Vec<Vec<i64>> = serde_json::from_value(found).unwrap();
        assert_eq!(found, expected(exported), "{} {number}", case.name);
    }
}
