//! Running compilers and interpreters. A tool that is missing fails the test: a test that does not
//! run proves nothing.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Python with onnxruntime, as `cargo xtask tools` makes it.
pub fn python() -> PathBuf {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/export-tools/bin/python");
    assert!(path.exists(), "{} is not there: run `cargo xtask tools`", path.display());
    path
}

/// Runs a program with text on its standard input; what it prints.
pub fn run(program: impl AsRef<Path>, arguments: &[&str], folder: &Path, input: &str) -> String {
    let program = program.as_ref();
    let mut child = Command::new(program)
        .args(arguments)
        .current_dir(folder)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap_or_else(|error| {
            panic!("cannot run {}: {error}; run `cargo xtask tools`", program.display())
        });
    let mut stdin = child.stdin.take().unwrap();
    let input = input.to_owned();
    // A full pipe on one side must not wait for the other.
    let writer = std::thread::spawn(move || drop(stdin.write_all(input.as_bytes())));
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap();
    assert!(
        output.status.success(),
        "{} {arguments:?} in {}:\n{}\n{}",
        program.display(),
        folder.display(),
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    );
    String::from_utf8(output.stdout).unwrap()
}

/// Strict C99 without a single warning.
pub fn cc(folder: &Path, arguments: &[&str]) {
    let strict = ["-std=c99", "-O2", "-Wall", "-Wextra", "-Wconversion", "-Wpedantic", "-Werror"];
    run("gcc", &[&strict[..], arguments].concat(), folder, "");
}

/// The rustc beside the cargo that runs the tests.
pub fn rustc(folder: &Path, arguments: &[&str]) {
    run("rustc", &[&["--edition=2021", "-Copt-level=1"], arguments].concat(), folder, "");
}
