//! The pages in a real browser: `tests/browser/look.mjs` opens them, points, clicks and taps.
//! `cargo xtask test` installs what it needs; without that there is nothing to look with.

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

fn mge(folder: &Path, arguments: &[&str]) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_mge"));
    let output = command.args(arguments).current_dir(folder).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

/// A table whose names do their worst.
fn hostile_table() -> String {
    let names = [
        "<script>globalThis.hacked=1</script>",
        "\"\"><img src=x onerror=globalThis.hacked=1>",
        "two\nlines & 'quotes'",
        "größe 大小",
    ];
    let header: Vec<String> = names.iter().map(|name| format!("\"{name}\"")).collect();
    let mut text = header.join(",") + ",class\n";
    let classes = ["</script><script>globalThis.hacked=1</script>", "b\"\"]]>", "c"];
    for row in 0..90 {
        let class = row % 3;
        let wave = f64::from(row * 37 % 11) / 11.0;
        let cells = [
            f64::from(class == 0) + wave,
            f64::from(class == 1) - wave,
            f64::from(class) * wave,
            wave,
        ];
        for cell in cells {
            text += &format!("{cell},");
        }
        text += &format!("\"{}\"\n", classes[class as usize]);
    }
    text
}

#[test]
fn pages_work_in_a_browser() {
    let Some((tools, chromium)) = tools() else {
        println!("no browser: `cargo xtask test` installs one");
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    std::fs::write(here.join("hostile.csv"), hostile_table()).unwrap();
    let usual = ["--population", "60", "--generations", "120", "--quiet"];
    let fit = |more: &[&str]| mge(here, &[&["fit"], more, &usual].concat());
    fit(&["hostile.csv", "--seed", "3", "--out", "runs/one"]);
    fit(&["hostile.csv", "--seed", "4", "--out", "runs/two", "--variant", "alpha"]);
    mge(here, &["report", "runs/one", "runs/two", "-o", "compare.html"]);
    let shots = Path::new(env!("CARGO_TARGET_TMPDIR")).join("screenshots");
    std::fs::create_dir_all(&shots).unwrap();
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/browser/look.mjs");
    let output = Command::new("node")
        .args([script, tools, PathBuf::from(chromium)])
        .args([here.join("runs/one/report.html"), here.join("compare.html"), shots])
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}
