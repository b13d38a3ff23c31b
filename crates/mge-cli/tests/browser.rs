//! The pages in a real browser: `tests/browser/open_pages.mjs` opens reports, points, clicks and taps;
//! `classify.mjs` types rows into the page of a JavaScript export. `cargo xtask test` installs what it needs; without that the tests are reported as skipped.

#![allow(clippy::unwrap_used)]

use std::path::{Path, PathBuf};
use std::process::Command;

/// Where `cargo xtask test` puts them.
fn tools() -> Option<(PathBuf, String)> {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).parent()?.join("browser-tools");
    // Written last, so that a broken installation does not count.
    let chromium = std::fs::read_to_string(folder.join("chromium-path")).ok()?;
    Some((folder, chromium.trim().to_owned()))
}

/// Runs the program; what it prints.
fn mge(folder: &Path, arguments: &[&str]) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_mge"));
    let output = command.args(arguments).current_dir(folder).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// Runs a script of `tests/browser` on two files.
fn run_script(script: &str, files: [PathBuf; 2]) {
    let Some((tools, chromium)) = tools() else {
        mge_test::report_skipped(script, "no browser; `cargo xtask test` installs one");
        return;
    };
    let shots = Path::new(env!("CARGO_TARGET_TMPDIR")).join("screenshots");
    std::fs::create_dir_all(&shots).unwrap();
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/browser").join(script);
    let output = Command::new("node")
        .args([script, tools, PathBuf::from(chromium)])
        .args(files)
        .arg(shots)
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

/// Names of columns and classes that do their worst.
const NAMES: [&str; 4] = [
    "<script>globalThis.hacked=1</script>",
    "\"><img src=x onerror=globalThis.hacked=1>",
    "two\nlines & 'quotes'",
    "größe 大小",
];
const CLASSES: [&str; 3] = ["</script><script>globalThis.hacked=1</script>", "b\"]]>", "c"];

/// The numbers of a row.
fn cells(row: u32) -> [f64; 4] {
    let class = row % 3;
    let wave = f64::from(row * 37 % 11) / 11.0;
    [f64::from(class == 0) + wave, f64::from(class == 1) - wave, f64::from(class) * wave, wave]
}

fn hostile_table() -> String {
    let quoted = |name: &str| format!("\"{}\"", name.replace('"', "\"\""));
    let mut text = NAMES.map(quoted).join(",") + ",class\n";
    for row in 0..90 {
        for cell in cells(row) {
            text += &format!("{cell},");
        }
        text += &format!("{}\n", quoted(CLASSES[row as usize % 3]));
    }
    text
}

/// Runs that were made from the hostile table, in a folder.
fn hostile_runs(runs: &[&[&str]]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("hostile.csv"), hostile_table()).unwrap();
    let default = ["fit", "hostile.csv", "--method", "mge", "--generations", "120", "--quiet"];
    for more in runs {
        mge(folder.path(), &[&default[..], &["--population", "60"], *more].concat());
    }
    folder
}

#[test]
fn pages_work_in_a_browser() {
    let folder = hostile_runs(&[
        &["--seed", "3", "--out", "runs/one"],
        &["--seed", "4", "--out", "runs/two", "--variant", "alpha"],
    ]);
    let here = folder.path();
    mge(here, &["report", "runs/one", "runs/two", "-o", "compare.html"]);
    run_script("open_pages.mjs", [here.join("runs/one/report.html"), here.join("compare.html")]);
}

#[test]
fn the_front_answers_to_mouse_finger_and_keys() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let names = ["length", "width", "height", "noise"];
    let mut table = names.join(",") + ",class\n";
    for row in 0..240 {
        let numbers = cells(row).map(|number| (number + f64::from(row % 7) / 9.0).to_string());
        table += &format!("{},{}\n", numbers.join(","), ["red", "green", "blue"][row as usize % 3]);
    }
    std::fs::write(here.join("table.csv"), &table).unwrap();
    mge(
        here,
        &["fit", "table.csv", "--seed", "7", "--generations", "4", "--quiet", "--out", "run"],
    );
    let answers = mge(here, &["predict", "run/model.json", "table.csv", "--proba"]);
    let rows = table.lines().skip(1).zip(answers.lines()).step_by(29).map(|(line, answer)| {
        let numbers = line.split(',').map_while(|cell| cell.parse::<f64>().ok());
        let cells: serde_json::Map<String, serde_json::Value> = names
            .iter()
            .zip(numbers)
            .map(|(name, number)| ((*name).to_owned(), number.into()))
            .collect();
        let probabilities = answer.split(',').skip(1).map(|p| p.parse::<f64>().unwrap());
        let probabilities: Vec<f64> = probabilities.collect();
        serde_json::json!({ "cells": cells, "probabilities": probabilities })
    });
    let rows = serde_json::Value::Array(rows.collect());
    std::fs::write(here.join("rows.json"), rows.to_string()).unwrap();
    run_script("front.mjs", [here.join("run/report.html"), here.join("rows.json")]);
}

#[test]
fn an_exported_page_classifies_in_a_browser() {
    let folder = hostile_runs(&[&["--seed", "3", "--out", "run"]]);
    let here = folder.path();
    mge(here, &["export", "run/model.json", "--to", "js", "-o", "page"]);
    let said = mge(here, &["predict", "run/model.json", "hostile.csv", "--proba"]);
    // No name of a class has a comma or a new line, so lines can be cut from their ends.
    let rows = said.lines().enumerate().take(12).map(|(row, line)| {
        let parts: Vec<&str> = line.rsplitn(4, ',').collect();
        let [c, b, a, label] = parts[..] else { panic!("{line}") };
        let probabilities = [a, b, c].map(|p| p.parse::<f64>().unwrap());
        let label = label.trim_matches('"').replace("\"\"", "\"");
        let numbers = cells(row as u32);
        let cells: serde_json::Map<String, serde_json::Value> =
            NAMES.iter().zip(numbers).map(|(&name, cell)| (name.to_owned(), cell.into())).collect();
        serde_json::json!({ "cells": cells, "label": label, "probabilities": probabilities })
    });
    let rows = serde_json::Value::Array(rows.collect());
    std::fs::write(here.join("rows.json"), rows.to_string()).unwrap();
    run_script("classify.mjs", [here.join("page/index.html"), here.join("rows.json")]);
}
