//! Runs generated files in MicroPython: its WebAssembly port, which `cargo xtask tools` installs. On
//! a machine without it CPython runs them, after a check that they use only what small ports have.

use std::path::{Path, PathBuf};

use mge_export::{ExportOptions, MicroPython, export};
use serde_json::{Value, json};

use crate::cases::CASES;
use crate::tools::{python, run};

fn port() -> Option<PathBuf> {
    let modules =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/export-tools/node_modules");
    let file = modules.join("@micropython/micropython-webassembly-pyscript/micropython.mjs");
    file.exists().then_some(file)
}

/// What `script` defines as `lines(module, job)` for each job, whose `source` is the module.
pub fn run_micropython(folder: &Path, script: &str, jobs: &Value) -> Vec<Value> {
    let python_script = format!(
        "{script}
import json, sys
class Module:
    pass
def answer(job):
    space = {{}}
    exec(job[\"source\"], space)
    module = Module()
    for name in space:
        if not name.startswith(\"__\"):
            setattr(module, name, space[name])
    print(json.dumps(lines(module, job)))
"
    );
    let printed = match port() {
        Some(port) => {
            let driver = format!(
                "import {{ loadMicroPython }} from {};
import {{ readFileSync }} from \"node:fs\";
const port = await loadMicroPython({{ heapsize: 64 << 20, stdout: (line) => process.stdout.write(line + \"\\n\") }});
const {{ script, jobs }} = JSON.parse(readFileSync(0, \"utf8\"));
port.runPython(script);
for (const job of jobs) {{
    port.FS.writeFile(\"/job.json\", JSON.stringify(job));
    port.runPython(\"answer(json.load(open('/job.json')))\");
}}
",
                serde_json::to_string(&port.display().to_string()).unwrap()
            );
            std::fs::write(folder.join("driver.mjs"), driver).unwrap();
            let input = json!({ "script": python_script, "jobs": jobs });
            run("node", &["driver.mjs"], folder, &input.to_string())
        }
        None => {
            mge_test::report_skipped("MicroPython itself", "its port is not installed");
            for job in jobs.as_array().unwrap() {
                uses_little(job["source"].as_str().unwrap());
            }
            std::fs::write(folder.join("jobs.json"), jobs.to_string()).unwrap();
            let script =
                python_script + "for job in json.load(open(\"jobs.json\")):\n    answer(job)\n";
            run(python(), &["-c", &script], folder, "")
        }
    };
    printed.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// Whether a file keeps to functions, tuples and loops.
fn uses_little(source: &str) {
    let code: Vec<&str> =
        source.lines().filter(|line| !line.trim_start().starts_with('#')).collect();
    for line in code {
        let word = line.split_whitespace().next().unwrap_or_default();
        let banned = ["class", "async", "with", "yield", "match", "global", "nonlocal", "@"];
        assert!(!banned.contains(&word), "{line}");
        assert!(word != "import" || line == "import math", "{line}");
        assert!(word != "from" && !line.contains(" f\"") && !line.contains(":="), "{line}");
    }
}

#[test]
fn generated_files_use_only_what_small_ports_have() {
    for case in CASES.iter() {
        let exported =
            export(&case.classifier(), &MicroPython, &ExportOptions::default(), None).unwrap();
        uses_little(std::str::from_utf8(&exported.files[0].bytes).unwrap());
    }
}

#[test]
fn the_float_form_agrees() {
    let folder = tempfile::tempdir().unwrap();
    let jobs = CASES.iter().filter(|case| case.network.inputs() < 500).map(|case| {
        let exported =
            export(&case.classifier(), &MicroPython, &ExportOptions::default(), None).unwrap();
        let source = String::from_utf8(exported.files[0].bytes.clone()).unwrap();
        let rows: Vec<Vec<f64>> = case
            .rows_for(&exported.program)
            .into_iter()
            .take(40)
            .map(|row| row.into_iter().map(f64::from).collect())
            .collect();
        json!({ "source": source, "rows": rows })
    });
    let jobs: Vec<Value> = jobs.collect();
    let script = "def lines(m, job):
    nothing = m.probabilities([None] * m.INPUTS)
    assert all(p == p for p in nothing)
    return [[m.predict(row)] + m.probabilities(row) for row in job[\"rows\"]]
";
    let printed = run_micropython(folder.path(), script, &Value::Array(jobs));
    let cases: Vec<_> = CASES.iter().filter(|case| case.network.inputs() < 500).collect();
    assert_eq!(printed.len(), cases.len());
    for (case, found) in cases.iter().zip(printed) {
        let found: Vec<Vec<f64>> = serde_json::from_value(found).unwrap();
        for (row, (class, p)) in found.iter().zip(&case.answers) {
            assert_eq!(row[0] as usize, *class, "{}: {row:?} for {p:?}", case.name);
            let off = row[1..].iter().zip(p).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
            assert!(off <= 1e-5, "{}: {row:?} for {p:?}", case.name);
        }
    }
}
